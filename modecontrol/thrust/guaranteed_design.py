"""`design` for promises: least squares and distances that hold whatever friction, disturbance, mode and `w` turn out to be.

    effort, track    minimise over tau    max over the players present    max over (mu, w)    sum_j weight_j error_j^2

In one player the errors are affine in `(tau, w)`, so their greatest sum of squares at `tau` is found at a vertex of the set
of its `w`, which moves affinely with the inputs as long as it is a point of that set. There its square is a bound from below
of what can be promised, convex in the inputs: a cap of the search (`guarantee.py`), whose pieces are solved as cone programs.

    margin           maximise r : everything that breaks the promise stays at least r away
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.disturbance import Disturbance
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.modes.packed import STATUS
from modecontrol.polytopes import Polytope
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.regions.friction_cells import FrictionCells
from modecontrol.regions.friction_witness import friction_of
from modecontrol.thrust.aims import one_exact
from modecontrol.thrust.allowance import ALL_BUT_SINGULAR, Allowance
from modecontrol.thrust.best_first import Part, best_first
from modecontrol.thrust.cuts import is_nearly_singular_at
from modecontrol.thrust.farthest import cone_over, farthest, with_radius
from modecontrol.thrust.guaranteed_thrust import disturbed_responses, over_cells, promised_thrust
from modecontrol.thrust.objective import Objective
from modecontrol.thrust.players import fibre_at, vertex_near
from modecontrol.thrust.promised_pieces import Guaranteed
from modecontrol.thrust.promised_sets import always_an_answer, missed_at, task_rows
from modecontrol.thrust.squares import Squares, smallest
from modecontrol.thrust.thrust import Thrust, active_rows

MOST_UNKNOWN = 50
"""Domains that the core did not project with which a margin is still looked for."""
LOOKS = 2_000_000
"""Modes that the pieces of one search are compared with, all together: some 20 seconds."""


@dataclass(frozen=True, eq=False)
class SquaredPlayer:
    """One mode in one cell, with its weighted errors `on_tau tau + on_w w + constant`."""

    cell: int
    mine: ModeResponse
    on_tau: np.ndarray
    on_w: np.ndarray
    constant: np.ndarray

    @staticmethod
    def of(cell: int, mine: ModeResponse, squares: Squares) -> SquaredPlayer:
        """The player of a mode in a cell."""
        within = [goal.within(mine) for goal in squares.goals]
        root = np.sqrt(squares.weights)
        on_tau, on_w = (np.array([part[i] for part in within]) * root[:, None] for i in (0, 1))
        return SquaredPlayer(cell, mine, on_tau, on_w, np.array([part[2] for part in within]) * root)

    @cached_property
    def is_unique(self) -> bool:
        """Whether the errors are the same for every `w`."""
        return not np.any(self.on_w)

    def worst_w(self, tau: np.ndarray) -> np.ndarray:
        """The `w` with the greatest error; NaN when it has no end."""
        w_set = fibre_at(self.mine, tau)
        if self.is_unique:
            point = w_set.maximize(np.zeros(w_set.n)).point
            return np.zeros(w_set.n) if point is None else point
        if not all(
            np.isfinite(w_set.support(s * row)) for row in self.on_w if np.any(row) for s in (1.0, -1.0)
        ):
            return np.full(w_set.n, np.nan)
        felt = self.on_w[np.any(self.on_w, axis=1)]
        alone = len(felt) == 1
        ends = [w_set.maximize(s * felt[0]).point for s in (1.0, -1.0)] if alone else list(w_set.vertices)
        known = [w for w in ends if w is not None]
        return max(known, key=lambda w: self._square(tau, w), default=np.full(w_set.n, np.nan))

    def _square(self, tau: np.ndarray, w: np.ndarray) -> float:
        return float(np.sum((self.on_tau @ tau + self.on_w @ w + self.constant) ** 2))

    def worst(self, tau: np.ndarray) -> float:
        """The greatest error at `tau`, as a value that is to be great: its negative."""
        value = -self._square(tau, self.worst_w(tau))
        return value if value == value else -np.inf

    def cap(self, tau: np.ndarray) -> tuple[Any, Polytope | None] | None:
        """The error at the worst vertex as a function of the inputs, and where that vertex is one."""
        if self.is_unique:
            return (self.on_tau, self.constant), None
        w = self.worst_w(tau)
        found = vertex_near(self.mine.domain, tau, w) if np.all(np.isfinite(w)) else None
        if found is None:
            return None
        start, slope, region = found
        return (self.on_tau + self.on_w @ slope, self.constant + self.on_w @ start), region


@dataclass(frozen=True, eq=False)
class SquaresAim:
    """A small sum of squares, whatever happens."""

    squares: Squares
    modes: tuple[str, ...] | None = None
    """The modes that may be promised; None for all."""

    @property
    def first(self) -> tuple[Any, ...]:
        """Errors of the inputs alone are known before any player is."""
        n = len(self.squares.goals[0].row) - self.inputs if self.squares.goals else 0
        if any(np.any(goal.row[:n]) for goal in self.squares.goals):
            return ()
        root = np.sqrt(self.squares.weights)
        rows = np.array([goal.row[n:] for goal in self.squares.goals]) * root[:, None]
        return ((rows, root * np.array([goal.constant for goal in self.squares.goals])),)

    inputs: int = 0
    """Number of inputs."""

    def player(self, cell: int, mine: ModeResponse) -> SquaredPlayer:
        """A mode in a cell."""
        return SquaredPlayer.of(cell, mine, self.squares)

    def best(self, inputs: Polytope, caps: Sequence[Any]) -> tuple[float, np.ndarray | None] | None:
        """A cone program: the least of the largest error."""
        if not caps:
            return 0.0, inputs.maximize(np.zeros(inputs.n)).point
        P = inputs.minimal()
        point = smallest([(P.A, P.b, P.C, P.d)], caps, self.squares.solver, "a piece of the inputs")
        if point is None:
            return None
        tau = inputs.nearest(point)
        return -max(float(np.sum((R @ tau + r) ** 2)) for R, r in caps), tau

    def sure_cap(self, corner: ModeResponse) -> Any | None:
        """Errors at a corner of the friction, where they are unique."""
        player = SquaredPlayer.of(0, corner, self.squares)
        return (player.on_tau, player.constant) if player.is_unique else None

    def hopes(self, cells: FrictionCells) -> dict[str, float]:
        """For each mode the least error at one exact friction and disturbance, with the best `w`; best first."""
        exact = one_exact(cells)
        response = DynamicResponse(exact, *exact.respond())
        hopeful = replace(self.squares, sure=False)
        found = {}
        for mode in response if self.modes is None else (m for m in response if m in self.modes):
            if response[mode].is_steep:
                continue  # nothing is promised of it
            answer = hopeful(response[mode], response.torque_set)
            if answer is not None:
                found[mode] = -answer[0] + self.slack(answer[0])
        return dict(sorted(found.items(), key=lambda pair: -pair[1]))

    def slack(self, value: float) -> float:
        """What interior-point solvers leave."""
        return 1e3 * tolerances.CONSISTENT * (abs(value) + self._size) if np.isfinite(value) else 0.0

    @cached_property
    def _size(self) -> float:
        """A sum of squares beside which rounding is small."""
        wanted = np.array([goal.constant for goal in self.squares.goals])
        return tolerances.CONSISTENT * float(
            np.sum(self.squares.weights * np.maximum(np.abs(wanted), 1.0) ** 2)
        )


def squares_promise(
    response: DynamicResponse,
    modes: list[str] | None,
    squares: Squares,
    margin: float,
    disturbance: Disturbance | None,
    *,
    patience: int | None = None,
) -> Thrust:
    """Inputs with the least error that is promised: of one of the modes, or of any outcome when `modes` is None."""
    guarantee = "outcome" if modes is None else "mode"
    inputs = len(response.problem.names.inputs)
    aim = SquaresAim(squares, None if modes is None else tuple(modes), inputs)
    best: tuple[Guaranteed, FrictionCells] | None = None
    allowance = Allowance(patience)
    for there in disturbed_responses(response, disturbance):
        floor = -np.inf if best is None else best[0].value
        found = over_cells(there, aim, margin, guarantee, allowance, floor=floor)
        if best is None or found[0].value > best[0].value:
            best = found
    assert best is not None
    if modes is None and is_undecided(best[1].response, best[0].tau):
        best = Guaranteed("none", pieces=best[0].pieces), best[1]
        allowance.given_up = True
    made = promised_thrust(best[1].response, best[1], best[0], allowance)
    return replace(made, value=-made.value if made else np.nan)


def farthest_promise(
    response: DynamicResponse,
    modes: list[str] | None,
    disturbance: Disturbance | None,
    patience: int | None = None,
) -> Thrust:
    """Inputs that are farthest from all that breaks the promise: of one of the modes, or of the outcome when `modes` is None."""
    best = Thrust(
        None, None, np.nan, reason="no torque keeps the promise for every friction in the intervals"
    )
    for there in disturbed_responses(response, disturbance):
        cells = FrictionCells.of(there)
        parts = most_parts(there, patience)
        unknown = int(np.sum(there.packed.shape[:, STATUS] != 0))
        if unknown > MOST_UNKNOWN:
            words = f"stopped: {unknown} modes have no torque set yet, and {MOST_UNKNOWN} are the bound; ask for effort"
            return Thrust(None, None, np.nan, reason=words, status="stopped")
        found, stopped = _farthest_of(cells, modes, parts)
        if stopped and not best:
            best = stopped_after(parts)
        if found is not None and modes is None and is_undecided(there, found.tau):
            best = best or replace(best, reason=f"{best.reason}; {ALL_BUT_SINGULAR}")
        elif found is not None and (not best or -found.cost > best.value):
            best = _kept(there, cells, found, modes)
    return best


def is_undecided(response: DynamicResponse, tau: np.ndarray | None) -> bool:
    """Whether equations that are all but singular are met at inputs, so that no outcome is promised there."""
    if tau is None:
        return False
    anything = Objective.of(
        np.zeros(len(response.problem.undisturbed.names.coordinates)), response.problem.undisturbed.snapshot
    )
    return is_nearly_singular_at(response.problem, anything, tau)


def most_parts(response: DynamicResponse, patience: int | None) -> int:
    """Pieces that a search may look at, each of which is compared with all modes."""
    return LOOKS // max(1, len(response)) if patience is None else patience


def stopped_after(parts: int) -> Thrust:
    """The answer of a search that was given up."""
    return Thrust(
        None,
        None,
        np.nan,
        reason=f"stopped: after {parts:,} pieces; raise patience, look at some modes only, or ask maximize",
        status="stopped",
    )


def _farthest_of(cells: FrictionCells, modes: list[str] | None, parts: int) -> tuple[Part | None, bool]:
    """The part with the largest distance, each piece cut by what its inputs have to keep off, and whether the search was
    given up.
    """
    everyone = [cell.response[mode] for cell in cells.cells for mode in cell.response]
    missed = [(mine.mode, missed_at(mine, row, bound)) for mine in everyone for row, bound in task_rows(mine)]

    def keep_off(mode: str) -> Iterable[Polytope]:
        if modes is not None:
            yield from (mine.torques for mine in everyone if mine.mode != mode)
        yield from (gone for whose, gone in missed if modes is None or whose == mode)

    def taken(best: Part) -> Polytope | None:
        assert best.tau is not None
        point = np.append(best.tau, -best.cost)
        for gone in keep_off(best.mode):
            if gone.is_empty or not (cone := cone_over(gone)).contains(point):
                continue
            shared = best.piece.intersect(cone)
            if not shared.is_empty and shared.dimension == best.piece.dimension:
                return cone
        return None

    if modes is None and always_an_answer(cells.response.problem):
        starts = [("", cells.response.torque_set)]
    else:
        starts = [(mode, cells.sure_torques(mode)) for mode in (cells.modes if modes is None else modes)]
    pieces = ((mode, with_radius(start)) for mode, start in starts if not start.is_empty)
    best, _, stopped = best_first(pieces, lambda mode, piece: farthest(piece), taken, parts)
    return best, stopped


def _kept(response: DynamicResponse, cells: FrictionCells, found: Part, modes: list[str] | None) -> Thrust:
    """The answer with the modes that may happen there."""
    if found.tau is None:
        return Thrust(found.mode or None, None, np.inf, reason="unbounded: give torque limits")
    tau = found.tau
    present = sorted({mode for cell in cells.cells for mode in cell.response.modes_at(tau)})
    mode = found.mode or present[0]
    mine = response[mode]
    w = fibre_at(mine, tau).maximize(np.zeros(mine.ambiguity_variables)).point
    w = np.zeros(mine.ambiguity_variables) if w is None else w
    n = len(response.problem.undisturbed.names.coordinates)
    rests = modes is None and always_an_answer(response.problem)
    words = "all contacts rest and the mass is positive definite"
    return Thrust(
        mode,
        tau,
        -found.cost,
        mine.acceleration.value(tau, w)[:n],
        mine.force.value(tau, w),
        active_rows(mine, tau, w),
        reason="optimal",
        _response=response,
        modes=tuple(present),
        friction=friction_of(mine, tau, w),
        existence=words
        if rests
        else f"mode {mode} is possible at every corner of the friction (corner theorem)",
        exact=cells.is_exact,
    )
