"""`maximize` when friction is known as intervals, when a disturbance acts, or when any outcome may be promised: from cells
of friction to a `Thrust`.

| guarantee | what is promised, for every friction in the intervals and every disturbance                       |
|-----------|---------------------------------------------------------------------------------------------------|
| mode      | one mode happens and no other, the task holds, the value is reached at least                   |
| outcome   | whatever modes happen, the task holds and the value is reached at least; an answer surely exists    |

Contacts that share a parameter are looked at in cells: more of them until the promise no longer grows. A relative error of an
input is looked at with the input positive and with the input negative.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from modecontrol.modes.disturbance import Disturbance
from modecontrol.modes.disturbed import DisturbedProblem
from modecontrol.modes.letters import SIGN_UNKNOWN
from modecontrol.modes.lift import idle_inputs
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.modes.packed import STATUS
from modecontrol.modes.surely_possible import box_of
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.regions.friction_cells import FrictionCells
from modecontrol.regions.friction_witness import friction_of
from modecontrol.thrust.aims import Aim, LinearAim
from modecontrol.thrust.allowance import Allowance, Tell
from modecontrol.thrust.by_pieces import by_pieces
from modecontrol.thrust.cuts import is_nearly_singular_at, promised_by_cuts
from modecontrol.thrust.guarantee import Search
from modecontrol.thrust.objective import Objective
from modecontrol.thrust.players import Player
from modecontrol.thrust.presence import Presence
from modecontrol.thrust.promised_pieces import Guaranteed
from modecontrol.thrust.thrust import Thrust, active_rows, why_nothing

STEPS_OF_A_MODE = 4
"""Modes that are found in one step."""
MOST_PARTS = 16
"""Cells along a shared parameter, at most."""
MOST_PARTS_EVERYWHERE = 4
"""Cells along every uncertain parameter, at most: their number grows with a power of it."""

Found = tuple[Guaranteed, FrictionCells]


def guaranteed_thrust(
    response: DynamicResponse,
    goal: Objective,
    margin: float,
    guarantee: str,
    patience: int | None,
    disturbance: Disturbance | None = None,
    *,
    progress: Tell | None = None,
) -> Thrust:
    """The inputs with the greatest value that is promised for every friction and disturbance."""
    allowance = Allowance(patience, progress)
    best: Found | None = None
    for disturbed in disturbed_responses(response, disturbance):
        floor = -np.inf if best is None else best[0].value
        found = _promised(disturbed, goal, margin, guarantee, allowance, floor=floor)
        if best is None or _is_better(found[0], best[0]):
            best = found
        if best[0].status == "unbounded":
            break
    assert best is not None
    if guarantee == "outcome" and best[0].tau is not None:
        there = best[1].response.problem
        if is_nearly_singular_at(there, goal, best[0].tau):
            best = Guaranteed("none", pieces=best[0].pieces), best[1]
            allowance.given_up = True
    short = best[0].status == "patience" or bool(allowance.remark)
    if short and best[0].tau is not None and _is_all(best, LinearAim(goal)):
        best = replace(best[0], status="optimal"), best[1]
        allowance.unprojected.clear()
    return promised_thrust(best[1].response, best[1], best[0], allowance)


def _is_all(best: Found, aim: Aim) -> bool:
    """Whether no more than what was found can be promised: no mode gives more at one friction and disturbance."""
    found, cells = best
    most = next(iter(aim.hopes(cells).values()), -np.inf)
    return bool(found.value >= most - aim.slack(most))


def hoped_thrust(response: DynamicResponse, goal: Objective, disturbance: Disturbance | None) -> Thrust:
    """The greatest value that some mode, friction, `w` and disturbance give: nothing is promised."""
    found = [
        by_pieces(there, goal.fitted(there.problem), 0.0, "none", None)
        for there in disturbed_responses(response, disturbance)
    ]
    best = max(found, key=lambda one: one.value)
    n = len(response.problem.names.coordinates)
    return replace(best, acceleration=None if best.acceleration is None else best.acceleration[:n])


def disturbed_responses(
    response: DynamicResponse, disturbance: Disturbance | None
) -> Iterator[DynamicResponse]:
    """The response with a disturbance among its unknowns, for each choice of signs of the inputs that have a relative error."""
    problem = response.problem
    if disturbance is None:
        yield response
        return
    load = disturbance.at(problem.snapshot, idle_inputs(problem.snapshot, problem.touching))
    if load.is_nothing:
        yield response
        return
    t = problem.snapshot.actuation.shape[1]
    for chosen in product((1.0, -1.0), repeat=len(load.scaled)):
        signs = np.ones(t)
        signs[load.scaled] = chosen
        disturbed = DisturbedProblem.under(problem, load, signs)
        yield DynamicResponse(disturbed, *disturbed.respond())


def _is_better(found: Guaranteed, best: Guaranteed) -> bool:
    """Whether an answer replaces another: by its value, and a search that was cut short before one that found nothing."""
    return found.value > best.value or (best.tau is None and best.status == "none" and found.status != "none")


def _promised(
    response: DynamicResponse,
    goal: Objective,
    margin: float,
    guarantee: str,
    allowance: Allowance,
    *,
    floor: float,
) -> Found:
    aim = LinearAim(goal)
    if np.any(response.problem.touching.slip == SIGN_UNKNOWN):
        return _by_cuts(response, goal, margin, allowance)
    if guarantee == "outcome":
        allowance.hold_back()
    found, cells = over_cells(response, aim, margin, "mode", allowance, floor=floor)
    allowance.release()
    if guarantee != "outcome":
        return found, cells
    # a promise of one mode is a promise of the outcome: the others have to be better
    for candidate, covered in (
        _by_cuts(response, goal, margin, allowance),
        over_cells(response, aim, margin, guarantee, allowance, floor=max(found.value, floor)),
    ):
        if found.status != "unbounded" and (
            candidate.value > found.value or (found.tau is None and candidate.status != "none")
        ):
            found, cells = candidate, covered
    if (
        found.tau is not None and found.status != "unbounded"
    ):  # the last search covers what the first one does
        found = replace(found, status="patience" if candidate.status == "patience" else "optimal")
    return found, cells


def over_cells(
    response: DynamicResponse,
    aim: Aim,
    margin: float,
    guarantee: str,
    allowance: Allowance,
    *,
    floor: float = -np.inf,
) -> Found:
    """The search with finer and finer cells, as long as that raises the promise."""
    box = box_of(response.problem)
    everywhere = guarantee == "outcome"
    found, cells = _search(FrictionCells.of(response, 1), aim, guarantee, margin, allowance, floor=floor)
    grows = bool(box.shared) or (everywhere and not box.is_exact)
    parts = 2
    while grows and parts <= (MOST_PARTS_EVERYWHERE if everywhere else MOST_PARTS):
        if not _afforded(response, parts, everywhere, allowance):
            return replace(found, status="patience"), cells
        finer, finer_cells = _search(
            FrictionCells.of(response, parts, everywhere), aim, guarantee, margin, allowance, floor=floor
        )
        better = finer.value > found.value + aim.slack(found.value) or found.tau is None
        if finer.tau is not None and finer.value >= found.value:
            found, cells = finer, finer_cells
        if not better and found.tau is not None:
            break
        parts *= 2
    return found, cells


def _afforded(response: DynamicResponse, parts: int, everywhere: bool, allowance: Allowance) -> bool:
    """Whether the modes of finer cells may be found; if so, that is counted."""
    cells = len(box_of(response.problem).divided(parts, everywhere))
    steps = cells * (len(response) + 10 * int(np.sum(response.packed.shape[:, STATUS] != 0)))
    if steps // STEPS_OF_A_MODE > allowance.left:
        return False
    allowance.spend(steps // STEPS_OF_A_MODE)
    return True


def _search(
    cells: FrictionCells, aim: Aim, guarantee: str, margin: float, allowance: Allowance, *, floor: float
) -> Found:
    presence = Presence(cells)
    if guarantee == "outcome":
        return Search(cells, aim, None, margin, allowance, floor=floor, presence=presence).run(), cells
    best = Guaranteed("none")
    for mode, bound in aim.hopes(cells).items():
        if bound <= max(best.value, floor):
            break
        if allowance.is_over:
            return replace(best, status="patience"), cells
        above = max(best.value, floor)
        found = Search(cells, aim, mode, margin, allowance, floor=above, presence=presence).run()
        if found.value > best.value or (best.status == "none" and found.status != "none"):
            best = found
    return best, cells


def _by_cuts(response: DynamicResponse, goal: Objective, margin: float, allowance: Allowance) -> Found:
    """The controllers' search, with more patience: good inputs, soon."""
    nothing = Guaranteed("none"), FrictionCells.of(response, 1)
    found = None if margin > 0 else promised_by_cuts(response.problem, goal)
    if found is None:
        return nothing
    tau, value = found
    fine = MOST_PARTS // 2
    cells = FrictionCells.of(response, fine if _afforded(response, fine, False, allowance) else 1)
    players = [
        Player.of(j, cell.response[mode], goal)
        for j, cell in enumerate(cells.cells)
        for mode in cell.response.modes_at(tau)
    ]
    worst = min(players, key=lambda player: player.worst(tau))
    if not Search(cells, LinearAim(goal), None, margin, allowance).splits.is_decided(tau, value):
        return nothing
    words = (
        "for every friction one mode is possible at all corners of a small box (corner theorem), "
        "or one that sticks and slides in turn"
    )
    return Guaranteed("optimal", tau, value, tuple(players), worst, words), cells


def promised_thrust(
    response: DynamicResponse, cells: FrictionCells, found: Guaranteed, allowance: Allowance
) -> Thrust:
    """What a search found, as an answer."""
    known = response.problem.undisturbed
    if found.tau is None:
        nothing = (
            "no torque keeps the promise for every friction in the intervals"
            + ("" if known is response.problem else " and every disturbance")
            if response.modes
            else why_nothing(response)
        )
        words = {
            "none": nothing,
            "patience": allowance.words,
            "unbounded": "unbounded: give torque limits",
        }
        remark = f"; {allowance.remark}" if allowance.remark and found.status != "unbounded" else ""
        value = found.value if found.status == "unbounded" else -np.inf
        status = {"patience": "stopped"}.get(found.status, found.status)
        return Thrust(None, None, value, reason=words[found.status] + remark, status=status)
    worst = found.worst
    assert worst is not None
    w = worst.worst_w(found.tau)
    modes = tuple(sorted({player.mine.mode for player in found.present}))
    return Thrust(
        worst.mine.mode,
        found.tau,
        found.value,
        worst.mine.acceleration.value(found.tau, w)[: len(known.names.coordinates)],
        worst.mine.force.value(found.tau, w),
        active_rows(worst.mine, found.tau, w),
        reason=_how_it_ended(found, allowance),
        _response=response,
        modes=modes,
        friction=friction_of(worst.mine, found.tau, w),
        existence=found.existence + disturbed_words(response),
        exact=cells.is_exact,
        load=worst_load(worst.mine, found.tau, w),
        status="stopped" if found.status == "patience" else "promised" if allowance.remark else "optimal",
    )


def _how_it_ended(found: Guaranteed, allowance: Allowance) -> str:
    """The reason of an answer: optimal, or that more might be promised."""
    if found.status == "patience":
        ended = f"{allowance.words}; this is promised, more might be"
    else:
        ended = "optimal" if not allowance.remark else "promised, more might be"
    return f"{ended}; {allowance.remark}" if allowance.remark else ended


def disturbed_words(response: DynamicResponse) -> str:
    """What is added to an argument of existence when a disturbance acts."""
    if response.problem.undisturbed is response.problem:
        return ""
    return ", for every disturbance at the vertices of its set"


def worst_load(mine: ModeResponse, tau: np.ndarray, w: np.ndarray) -> dict[str, float]:
    """The disturbance with which a mode gives its worst value, by name; empty without one."""
    problem = mine.problem
    if not isinstance(problem, DisturbedProblem):
        return {}
    n = len(problem.nominal.names.coordinates)
    values = mine.acceleration.value(tau, w)[n:] * problem.lift.unit
    return dict(zip(problem.names.coordinates[n:], values.tolist(), strict=True))
