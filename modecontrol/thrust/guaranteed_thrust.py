"""`maximize` when friction is known as intervals, or when any outcome may be promised: from cells of friction
to a `Thrust`.

| guarantee | what is promised, for every friction in the intervals                                             |
|-----------|---------------------------------------------------------------------------------------------------|
| mode      | one mode happens and no other (T5), the task holds, the value is reached at least                   |
| outcome   | whatever modes happen, the task holds and the value is reached at least; an answer surely exists    |

Contacts that share a parameter are looked at in cells: more of them until the promise no longer grows.
"""

from __future__ import annotations

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.letters import SIGN_UNKNOWN
from modecontrol.modes.surely_possible import box_of
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.regions.friction_cells import FrictionCells
from modecontrol.regions.friction_witness import friction_of
from modecontrol.thrust.guarantee import Guaranteed, Player, Search, hopes
from modecontrol.thrust.objective import Objective
from modecontrol.thrust.thrust import Thrust, active_rows, why_nothing

PIECES = 4000
"""Pieces that one search looks at before it gives up, unless the caller says otherwise."""
MOST_PARTS = 16
"""Cells along a shared parameter, at most."""
MOST_PARTS_EVERYWHERE = 4
"""Cells along every uncertain parameter, at most: their number grows with a power of it."""

PROGRAMS_OF_CUTS, CELLS_OF_CUTS = 20_000, 64
"""What the search by cutting planes may cost, and how finely it covers friction."""


def guaranteed_thrust(
    response: DynamicResponse, goal: Objective, margin: float, guarantee: str, patience: int | None
) -> Thrust:
    """The inputs with the greatest value that is promised for every friction."""
    looks = PIECES if patience is None else patience
    if np.any(response.problem.touching.slip == SIGN_UNKNOWN):
        found, cells = _by_cuts(response, goal, margin)
        return _thrust(response, cells, found, goal)
    found, cells = _over_cells(response, goal, margin, "mode", looks)
    if guarantee != "outcome":
        return _thrust(response, cells, found, goal)
    # a promise of one mode is a promise of the outcome: the others have to be better
    for candidate, covered in (
        _by_cuts(response, goal, margin),
        _over_cells(response, goal, margin, guarantee, looks, found.value),
    ):
        if found.status != "unbounded" and (
            candidate.value > found.value or (found.tau is None and candidate.status != "none")
        ):
            found, cells = candidate, covered
    return _thrust(response, cells, found, goal)


def _over_cells(
    response: DynamicResponse,
    goal: Objective,
    margin: float,
    guarantee: str,
    looks: int,
    floor: float = -np.inf,
) -> tuple[Guaranteed, FrictionCells]:
    """The search with finer and finer cells, as long as that raises the promise."""
    box = box_of(response.problem)
    everywhere = guarantee == "outcome"
    found, cells = _search(FrictionCells.of(response, 1), goal, guarantee, margin, looks, floor)
    grows = bool(box.shared) or (everywhere and not box.is_exact)
    parts = 2
    while grows and parts <= (MOST_PARTS_EVERYWHERE if everywhere else MOST_PARTS):
        finer, finer_cells = _search(
            FrictionCells.of(response, parts, everywhere), goal, guarantee, margin, looks, floor
        )
        better = (
            finer.value > found.value + tolerances.STRICT * max(1.0, abs(found.value)) or found.tau is None
        )
        if finer.tau is not None and finer.value >= found.value:
            found, cells = finer, finer_cells
        if not better and found.tau is not None:
            break
        parts *= 2
    return found, cells


def _by_cuts(response: DynamicResponse, goal: Objective, margin: float) -> tuple[Guaranteed, FrictionCells]:
    """The controllers' search (`_core/thrust/promised_inputs.cpp`), with more patience: good inputs, soon."""
    from modecontrol._core import thrust
    from modecontrol.modes.problem import core_instant
    from modecontrol.thrust.prepared_rows import core_friction

    problem = response.problem
    nothing = Guaranteed("none"), FrictionCells.of(response, 1)
    if margin > 0:
        return nothing
    rows = goal.below(problem.physical, problem.task)
    free = np.tile([-np.inf, np.inf], (len(problem.names.inputs), 1))
    instant = core_instant(response.snapshot, problem.touching, rows)
    _, best, _, _ = thrust.PromisedInputs().solve(
        instant,
        problem.touching.states,
        core_friction(response.snapshot),
        free,
        (PROGRAMS_OF_CUTS, CELLS_OF_CUTS),
    )
    if not best[0]:
        return nothing
    tau, value = best[2], best[4]
    cells = FrictionCells.of(response, MOST_PARTS // 2)
    players = [
        Player.of(j, cell.response[mode], goal)
        for j, cell in enumerate(cells.cells)
        for mode in cell.response.modes_at(tau)
    ]
    worst = min(players, key=lambda player: player.worst(tau))
    words = "for every friction one mode is possible at all corners of a small box, or one that sticks and slides in turn (T2)"
    return Guaranteed("optimal", tau, value, tuple(players), worst, words), cells


def _search(
    cells: FrictionCells, goal: Objective, guarantee: str, margin: float, looks: int, floor: float
) -> tuple[Guaranteed, FrictionCells]:
    if guarantee == "outcome":
        return Search(cells, goal, None, margin, looks, floor).run(), cells
    best = Guaranteed("none")
    for mode, bound in hopes(cells, goal).items():
        if bound <= best.value:
            break
        found = Search(cells, goal, mode, margin, looks).run()
        if found.value > best.value or (best.status == "none" and found.status != "none"):
            best = found
    return best, cells


def _thrust(response: DynamicResponse, cells: FrictionCells, found: Guaranteed, goal: Objective) -> Thrust:
    if found.tau is None:
        nothing = (
            "no torque keeps the promise for every friction in the intervals"
            if response.modes
            else why_nothing(response)
        )
        words = {
            "none": nothing,
            "patience": f"no answer among the first {found.pieces} pieces: raise patience or narrow the intervals",
            "unbounded": "unbounded: give torque limits",
        }
        return Thrust(
            None, None, found.value if found.status == "unbounded" else -np.inf, reason=words[found.status]
        )
    worst = found.worst
    assert worst is not None
    w = worst.worst_w(found.tau)
    modes = tuple(sorted({player.mine.mode for player in found.present}))
    return Thrust(
        worst.mine.mode,
        found.tau,
        found.value,
        worst.mine.acceleration.value(found.tau, w),
        worst.mine.force.value(found.tau, w),
        active_rows(worst.mine, found.tau, w),
        reason="optimal",
        _response=response,
        modes=modes,
        friction=friction_of(worst.mine, found.tau, w),
        existence=found.existence,
        exact=cells.is_exact,
    )
