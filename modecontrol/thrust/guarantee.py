"""The greatest value that is reached whatever friction, mode and `w` turn out to be.

    maximise over tau    min over the modes c that some friction allows at tau    min over (mu, w)    l (qdd, f, tau)

A *player* is one mode in one cell of friction: its torque set `T` (what may happen there) and its worst value
at `tau`, the least of `l z` over its domain's fibre, a convex piecewise linear function. Best-first search
over pieces of the input space: a piece knows affine caps of its value. Its best point is looked at with every
player that is present there; when none is worse and the task holds for all, it is the answer. Otherwise the
piece is split:

| what is wrong at the best point            | split of the piece                                                        |
|--------------------------------------------|---------------------------------------------------------------------------|
| a player that the piece does not count yet | inside its torque set (its value counts from now on) and outside          |
| a player whose worst `w` changes over it   | the region where the present worst `w` stays the worst one, and the rest  |
| a task that some `w` misses                | minus the inputs where it can be missed                                   |
| existence of an answer is not shown        | for one cell of friction: the sure sets of its modes                      |

For the mode guarantee a player of another mode is not counted but cut away, with the margin.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.polytopes import Polytope
from modecontrol.regions.ambiguity import widened
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.regions.fibre import fibre, loosened
from modecontrol.regions.friction_cells import FrictionCells
from modecontrol.thrust.maximize import depends_on_w
from modecontrol.thrust.objective import Objective


@dataclass(frozen=True, eq=False)
class Player:
    """One mode in one cell of friction, with its objective `on_tau tau + on_w w + constant`."""

    cell: int
    mine: ModeResponse
    on_tau: np.ndarray
    on_w: np.ndarray
    constant: float

    @staticmethod
    def of(cell: int, mine: ModeResponse, goal: Objective) -> Player:
        """The player of a mode in a cell; what is left of the objective's dependence on `w` by rounding is none."""
        on_tau, on_w, constant = goal.within(mine)
        known = min(len(goal.row) - len(on_tau), len(mine.W))
        terms = np.abs(goal.row[:known]) @ np.abs(mine.W[:known])
        return Player(
            cell, mine, on_tau, np.where(np.abs(on_w) > tolerances.CANCELLED * terms, on_w, 0.0), constant
        )

    @cached_property
    def affine(self) -> bool:
        """Whether the objective is the same for every `w`."""
        return not depends_on_w(self.mine, self.on_w)

    def cap(self, tau: np.ndarray) -> tuple[np.ndarray, float, Polytope | None] | None:
        """`(a, b, region)`: the worst value is `a tau + b` on the region about `tau` (None: everywhere); None
        if unbounded.
        """
        if self.mine.ambiguity_variables == 0:
            return self.on_tau, self.constant, None
        w_set = _fibre(self.mine, tau)
        answer = w_set.maximize(-self.on_w)
        if answer.status != "optimal" or answer.point is None:
            return None
        if self.everywhere is not None:
            return self.everywhere
        return _critical_region(self, tau, answer.point)

    @cached_property
    def everywhere(self) -> tuple[np.ndarray, float, None] | None:
        """The value of a player whose objective is the same for every `w`, as `a tau + b`; None when it is
        not.
        """
        if self.mine.ambiguity_variables == 0 or not np.any(self.on_w):
            return self.on_tau, self.constant, None
        if not self.affine:
            return None
        # on_w is a combination of the rows that hold w at each tau: fit it on points of the domain
        D, inputs = self.mine.domain, len(self.on_tau)
        C = D.minimal().C
        fit = np.linalg.lstsq(C[:, inputs:].T, self.on_w, rcond=None)[0] if len(C) else np.zeros(0)
        if len(C) and np.allclose(
            C[:, inputs:].T @ fit, self.on_w, rtol=0.0, atol=tolerances.STRICT * np.abs(self.on_w).max()
        ):
            return self.on_tau - fit @ C[:, :inputs], self.constant + float(fit @ D.minimal().d), None
        return None

    def worst_w(self, tau: np.ndarray) -> np.ndarray:
        """The `w` with the least objective at `tau`."""
        answer = _fibre(self.mine, tau).maximize(-self.on_w)
        return np.zeros(len(self.on_w)) if answer.point is None else answer.point

    def worst(self, tau: np.ndarray) -> float:
        """Least objective over the friction and the `w` of this player at `tau`; -inf when unbounded."""
        value = float(self.on_tau @ tau) + self.constant
        if self.mine.ambiguity_variables == 0:
            return value
        answer = _fibre(self.mine, tau).maximize(-self.on_w)
        return value - answer.value if answer.status == "optimal" else -np.inf


def _fibre(mine: ModeResponse, tau: np.ndarray) -> Polytope:
    w_set = fibre(mine, tau)
    return loosened(w_set) if w_set.is_empty else w_set


def _critical_region(
    player: Player, tau: np.ndarray, w: np.ndarray
) -> tuple[np.ndarray, float, Polytope] | None:
    """The region of inputs where the same rows of the domain decide the worst `w`, and the value there."""
    D, inputs = player.mine.domain, len(tau)
    x = np.concatenate([tau, w])
    slack = D.b - D.A @ x
    size = np.abs(D.A) @ np.abs(x) + np.abs(D.b) + tolerances.TINY
    rows = np.vstack([D.C, D.A[np.argsort(slack / size)]])
    level = np.concatenate([D.d, D.b[np.argsort(slack / size)]])
    tight = np.concatenate([np.zeros(len(D.d)), np.sort(slack / size)]) <= tolerances.STRICT
    chosen: list[int] = []
    for i in np.flatnonzero(tight):
        trial = rows[[*chosen, int(i)], inputs:]
        if np.linalg.matrix_rank(trial, tol=tolerances.RANK * max(1.0, np.abs(trial).max())) > len(chosen):
            chosen.append(int(i))
        if len(chosen) == len(w):
            break
    if len(chosen) < len(w):
        return None
    B, N, r = rows[chosen, inputs:], rows[chosen, :inputs], level[chosen]
    slope, start = -np.linalg.solve(B, N), np.linalg.solve(B, r)  # w = start + slope tau
    region = Polytope(D.A[:, :inputs] + D.A[:, inputs:] @ slope, D.b - D.A[:, inputs:] @ start)
    multipliers = np.linalg.solve(B.T, player.on_w)
    of_rows = multipliers[[k for k, i in enumerate(chosen) if i >= len(D.d)]]
    if np.any(of_rows > tolerances.STRICT * np.abs(multipliers).max(initial=1.0)):
        return None  # not the worst vertex: a degenerate corner
    return player.on_tau + player.on_w @ slope, player.constant + float(player.on_w @ start), region


@dataclass(order=True)
class Piece:
    """A part of the input space with the caps of its value and what has been shown of it."""

    bound: float
    order: int
    inputs: Polytope = field(compare=False)
    caps: list[tuple[np.ndarray, float]] = field(compare=False)
    counted: frozenset[int] = field(compare=False)
    """Players whose worst value is among the caps."""
    shown: int = field(compare=False)
    """Cells, from the first on, for which an answer surely exists on the whole piece."""
    tau: np.ndarray | None = field(compare=False, default=None)
    whole: str = field(compare=False, default="")
    """A mode whose sure set the piece stands for until it comes up."""


@dataclass(frozen=True, eq=False)
class Guaranteed:
    """What the search found: inputs, value, the players present there; `status` says how it ended."""

    status: str
    tau: np.ndarray | None = None
    value: float = -np.inf
    present: tuple[Player, ...] = ()
    worst: Player | None = None
    existence: str = ""
    pieces: int = 0


class Search:
    """Best-first search for the inputs with the greatest guaranteed value.

    Parameters
    ----------
    cells
        Friction, covered.
    goal
        The objective.
    mode
        Only this mode may happen (the mode guarantee); None allows any (the outcome guarantee).
    margin
        Distance (input units) to what is cut away.
    patience
        Pieces that may be looked at.
    floor
        A value that is promised already: less is not looked for.
    """

    def __init__(
        self,
        cells: FrictionCells,
        goal: Objective,
        mode: str | None,
        margin: float,
        patience: int,
        floor: float = -np.inf,
    ):
        self.cells, self.goal, self.mode, self.margin, self.patience = cells, goal, mode, margin, patience
        self.floor = floor
        self.torque_set = cells.response.torque_set
        self._order = count()
        self._heap: list[Piece] = []
        self._caps: dict[tuple[int, str], list[tuple[np.ndarray, float]]] = {}
        last = len(cells.cells) - 1
        self._cell_order = sorted(range(last + 1), key=lambda j: (min(j, last - j), j))
        """The ends of the friction first: they decide most."""
        size = max((abs(bound) for bound in self.torque_set.b), default=1.0) or 1.0
        self.nearest = max(margin, tolerances.APART * size)
        """What is cut away is cut with at least this distance, so that a piece never touches what it was cut
        from.
        """

    @cached_property
    def players(self) -> list[Player]:
        """Every mode of every cell."""
        return [
            Player.of(j, cell.response[c], self.goal)
            for j, cell in enumerate(self.cells.cells)
            for c in cell.response
        ]

    # The search --------------------------------------------------------------------------------------------

    @cached_property
    def bound(self) -> float:
        """No value above this can be promised."""
        self._begin()
        return -self._heap[0].bound if self._heap else -np.inf

    def run(self) -> Guaranteed:
        """Look at pieces, best first."""
        if not self.bound > -np.inf:
            return Guaranteed("none")
        looked = 0
        while self._heap:
            piece = heapq.heappop(self._heap)
            looked += 1
            if -piece.bound <= self.floor:
                break
            if looked > self.patience:
                return Guaranteed("patience", pieces=looked)
            if piece.whole:
                self._push(
                    self.cells.sure_torques(piece.whole),
                    self._corner_caps(piece.whole),
                    frozenset(),
                    piece.shown,
                )
                continue
            if piece.tau is None:
                return Guaranteed("unbounded", value=np.inf, pieces=looked)
            found = self._look(piece)
            if found is not None:
                tau, present, worst = found
                return Guaranteed(
                    "optimal",
                    tau,
                    -piece.bound if worst is None else worst.worst(tau),
                    present,
                    worst,
                    self._existence_words(),
                    looked,
                )
        return Guaranteed("none", pieces=looked)

    def _begin(self) -> None:
        everywhere = len(self.cells.cells)
        if self.mode is not None:
            self._push(
                self.cells.sure_torques(self.mode), self._corner_caps(self.mode), frozenset(), everywhere
            )
        elif self._always_an_answer:
            self._push(self.torque_set, [], frozenset(), everywhere)
        else:
            for mode, bound in hopes(self.cells, self.goal).items():
                start = Piece(
                    -bound, next(self._order), self.torque_set, [], frozenset(), everywhere, None, mode
                )
                heapq.heappush(self._heap, start)
            if len(self.cells.cells) > 1:
                self._push(self.torque_set, [], frozenset(), 0)

    def _corner_caps(self, mode: str) -> list[tuple[np.ndarray, float]]:
        """Values of the mode at corners of the friction: on its sure set none can be exceeded, and by T4 one
        is the worst.
        """
        return [cap for j in range(len(self.cells.cells)) for cap in self._caps_in(j, mode)]

    def _caps_in(self, j: int, mode: str) -> list[tuple[np.ndarray, float]]:
        if (j, mode) not in self._caps:
            cell = self.cells.cells[j]
            corners = cell.corner_responses(mode) if mode in cell.response else []
            values = (Player.of(j, corner, self.goal).everywhere for corner in corners)
            self._caps[j, mode] = [value[:2] for value in values if value is not None]
        return self._caps[j, mode]

    @property
    def _always_an_answer(self) -> bool:
        """T6: all contacts at rest, no drift, positive definite mass: an answer exists for every friction and
        input.
        """
        snap, problem = self.cells.response.snapshot, self.cells.response.problem
        constrained = len(problem.physical.p) > len(problem.limits.p)
        if constrained or snap.loop_jacobian.size or np.any(snap.drift) or np.any(snap.velocity):
            return False
        return bool(np.linalg.eigvalsh(snap.mass)[0] > tolerances.SYMMETRIC * np.abs(snap.mass).max())

    def _existence_words(self) -> str:
        if self.mode is not None:
            return f"mode {self.mode} is possible at every corner of the friction (T2)"
        if self._always_an_answer:
            return "all contacts rest and the mass is positive definite (T6)"
        return "in every cell of friction one mode is possible at all corners (T2)"

    def _push(
        self, inputs: Polytope, caps: list[tuple[np.ndarray, float]], counted: frozenset[int], shown: int
    ) -> None:
        if inputs.is_empty:
            return
        t = inputs.n
        if not caps:
            point = inputs.maximize(np.zeros(t)).point
            heapq.heappush(self._heap, Piece(-np.inf, next(self._order), inputs, caps, counted, shown, point))
            return
        capped = Polytope([np.append(-a, 1.0) for a, _ in caps], [c for _, c in caps])
        answer = (inputs.extend(1) & capped).maximize(np.append(np.zeros(t), 1.0))
        if answer.status == "infeasible":
            return
        tau = answer.point[:t] if answer.status == "optimal" and answer.point is not None else None
        heapq.heappush(self._heap, Piece(-answer.value, next(self._order), inputs, caps, counted, shown, tau))

    def _look(self, piece: Piece) -> tuple[np.ndarray, tuple[Player, ...], Player | None] | None:
        """The answer when the best point of the piece keeps its promise; otherwise the piece is split and
        None returned.
        """
        tau = piece.tau
        assert tau is not None
        if piece.shown < len(self.cells.cells):
            self._split_by_existence(piece)
            return None
        present = [i for i, player in enumerate(self.players) if player.mine.torques.contains(tau)]
        bound = -piece.bound
        slack = tolerances.STRICT * max(1.0, abs(bound)) if np.isfinite(bound) else 0.0
        lowest, who = np.inf, None
        for i in present:
            player = self.players[i]
            if self.mode is not None and player.mine.mode != self.mode:
                if self._cut_rival(piece, player):
                    return None
                continue
            if self._cut_task(piece, player, tau):
                return None
            value = player.worst(tau)
            if value < bound - slack and not self._count(piece, i, tau):
                return None
            if value < bound - slack:
                return None
            if value < lowest:
                lowest, who = value, player
        return tau, tuple(self.players[i] for i in present), who

    # Splits ------------------------------------------------------------------------------------------------

    def _split_by_existence(self, piece: Piece) -> None:
        j = self._cell_order[piece.shown]
        cell = self.cells.cells[j]
        widest = max((cell.sure_torques(mode).dimension for mode in cell.response), default=-1)
        for mode in cell.response:
            if cell.sure_torques(mode).dimension == widest:
                inside = piece.inputs.intersect(cell.sure_torques(mode))
                if inside.dimension == min(widest, piece.inputs.dimension):
                    self._push(
                        inside.minimal(),
                        [*piece.caps, *self._caps_in(j, mode)],
                        piece.counted,
                        piece.shown + 1,
                    )

    def _cut_rival(self, piece: Piece, rival: Player) -> bool:
        """Cut away a mode that may happen besides the promised one; False when it only touches with the same
        motion.
        """
        tau = piece.tau
        assert tau is not None
        T = rival.mine.torques
        overlap = piece.inputs.intersect(T)
        if overlap.is_empty:
            return False
        thin = overlap.dimension < piece.inputs.dimension
        if thin and self.margin == 0.0 and self._same_motion(rival, tau):
            return False
        self._outside(piece, widened(T, self.nearest))
        return True

    def _same_motion(self, rival: Player, tau: np.ndarray) -> bool:
        """Whether the rival's accelerations at `tau` are among those of the promised mode."""
        from modecontrol.regions.fibre import ranges_at

        mine = next(p.mine for p in self.players if p.mine.mode == self.mode and p.cell == rival.cell)
        ours, theirs = (
            ranges_at(mine, mine.acceleration, tau),
            ranges_at(rival.mine, rival.mine.acceleration, tau),
        )
        size = max((abs(end) for pair in ours.values() for end in pair if np.isfinite(end)), default=1.0)
        slack = tolerances.SAME_MOTION * max(size, rival.mine.problem.size)
        return all(
            low >= ours[name][0] - slack and high <= ours[name][1] + slack
            for name, (low, high) in theirs.items()
        )

    def _cut_task(self, piece: Piece, player: Player, tau: np.ndarray) -> bool:
        """Cut away the inputs at which this player may miss a row of the task; False when it meets all at
        `tau`.
        """
        mine = player.mine
        A, b, equality, _ = mine.substitute(mine.problem.task)
        rows = [(row, bound) for row, bound in zip(A, b, strict=True)]
        rows += [(-row, -bound) for row, bound, tied in zip(A, b, equality, strict=True) if tied]
        inputs = len(tau)
        for row, bound in rows:
            least = row[:inputs] @ tau - (
                _fibre(mine, tau).support(-row[inputs:]) if mine.ambiguity_variables else 0.0
            )
            slack = tolerances.STRICT * max(abs(bound), mine.problem.size * np.abs(row).max(initial=0.0))
            if least < bound - slack:
                violating = mine.domain.intersect(Polytope(row[None, :], [bound - 0.5 * slack])).project(
                    range(inputs)
                )
                if violating.is_empty:
                    continue
                self._outside(piece, widened(violating, self.nearest))
                return True
        return False

    def _count(self, piece: Piece, i: int, tau: np.ndarray) -> bool:
        """Let a player's worst value count: inside its torque set, as far as the same `w` is the worst.
        Returns False.
        """
        player = self.players[i]
        cap = player.cap(tau)
        inside = piece.inputs.intersect(player.mine.torques)
        if i not in piece.counted:
            self._outside(piece, widened(player.mine.torques, self.nearest))
        if cap is None:  # unbounded below, or no single worst w: nothing can be promised here
            return False
        a, b, region = cap
        if region is None:
            self._push(inside, [*piece.caps, (a, b)], piece.counted | {i}, piece.shown)
            return False
        self._push(inside.intersect(region), [*piece.caps, (a, b)], piece.counted, piece.shown)
        for rest in inside.subtract(region):
            if not rest.contains(tau) or rest.dimension == inside.dimension:
                self._push(rest, piece.caps, piece.counted, piece.shown)
        return False

    def _outside(self, piece: Piece, taken: Polytope) -> None:
        for rest in piece.inputs.subtract(_thick(taken, self.nearest)):
            self._push(rest, piece.caps, piece.counted, piece.shown)


def hopes(cells: FrictionCells, goal: Objective) -> dict[str, float]:
    """For each mode the greatest value at one exact friction of the first cell, best first: no promise can
    exceed it.
    """
    cell = cells.cells[0]
    exact = cell.problem.with_friction(cell.box.at(cell.box.low))
    response = DynamicResponse(exact, *exact.respond())
    found = {}
    for mode in response:
        on_tau, on_w, constant = goal.within(response[mode])
        domain = response[mode].task_domain if len(exact.task.p) else response[mode].domain
        answer = domain.maximize(np.concatenate([on_tau, on_w]))
        if answer.status != "infeasible":
            found[mode] = float(answer.value) + constant
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))


def _thick(T: Polytope, margin: float) -> Polytope:
    """The set with its equalities as pairs of inequalities `margin` apart, so that thin sets can be cut out."""
    if len(T.d) == 0:
        return T
    size = np.abs(T.C).max(axis=1, initial=0.0)
    return Polytope(
        np.vstack([T.A, T.C, -T.C]), np.concatenate([T.b, T.d + margin * size, margin * size - T.d])
    )
