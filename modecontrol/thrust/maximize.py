"""The best inputs that surely work: maximal thrust over all contact modes (section 4.2.2 of Greenfield 2005).

    maximise   l (qdd, f, tau)    over the modes c and    tau in T_c*    with the task

The core's best-first search answers (`_core/thrust/best_first.cpp`). When the objective is not unique within
a mode its worst case over `w` counts. Where the core leaves a question open, the same search over `Polytope`
pieces decides: there a worst case is a convex function of the inputs, so vertices are looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.modes.letters import SIGN_UNKNOWN, spell
from modecontrol.modes.problem import core_instant
from modecontrol.regions.ambiguity import felt_margin, kept_off, motion_frame, rivals
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.thrust.best_first import Part
from modecontrol.thrust.by_pieces import by_pieces
from modecontrol.thrust.objective import LinearGoal, Objective
from modecontrol.thrust.thrust import Thrust, why_nothing
from modecontrol.thrust.verdicts import all_ambiguous, answer_of, endless, out_of_patience
from modecontrol.validation import check_word, shown

if TYPE_CHECKING:
    from modecontrol.modes.disturbance import Disturbance

GUARANTEES = ("mode", "unambiguous", "outcome", "none")
ALL = 2**40
"""Patience without end."""


def maximize(
    response: DynamicResponse,
    objective: LinearGoal,
    *,
    margin: float = 0.0,
    guarantee: str = "unambiguous",
    patience: int | None = None,
    disturbance: Disturbance | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Thrust:
    """The inputs with the greatest guaranteed value of a linear objective.

    Parameters
    ----------
    response
        All modes of the instant, with torque limits and task constraints.
    objective
        Name of an acceleration (`"alpha"`) or force (`"body.normal"`), a linear expression, or a vector.
    margin
        Distance in input units by which every other mode has to be violated. Without one, inputs still stay
        off every mode that would move the mechanism differently, by a millionth of the natural size of the
        inputs.
    guarantee
        "mode" (or "unambiguous"): only inputs that produce their mode and no other motion, task met whatever
        `w` is. "outcome": whatever mode, friction and `w` turn out to be, the task is met and the value
        reached. "none": any mode and any `w` may be hoped for (the plain optimum). All hold for every
        friction in the intervals of an uncertain model.
    patience
        Linear programs that the search may solve before it gives up, for callers whose time is limited; None means all, but a
        second search, for what rounding leaves undecided in the first, looks at `tolerances.SECOND_SEARCH` pieces. For
        promises (the outcome guarantee, uncertain friction, a disturbance) pieces of one search; None means 4,000, and 10,000
        steps of all searches together, which larger numbers raise in proportion. A search that ends so says "stopped: ..."
        in `reason`, with the best promise so far if there is one.
    disturbance
        Errors of the inputs and additive forces, known by their bounds: what is promised holds for all of
        them, exactly. The limits bound what is asked for, not what acts.
    progress
        Called with the steps that the search for a promise has taken, and with all that it may take.

    Returns
    -------
    Thrust
        Nothing feasible is an answer, with its reason.

    """
    check_response(response)
    check_word(guarantee, "guarantee", GUARANTEES)
    margin = felt_margin(response, margin)
    check_patience(patience)
    goal = Objective.of(objective, response.snapshot)
    if guarantee in ("mode", "unambiguous") and np.any(response.problem.touching.slip == SIGN_UNKNOWN):
        raise ValueError(
            f"guarantee is {guarantee!r} and a contact slides either way; expected 'outcome': no mode can be promised"
        )
    found: Thrust | None
    check_disturbance(disturbance)
    box = response.snapshot.uncertainty
    uncertain = disturbance is not None or (box is not None and not box.is_exact)
    if guarantee == "outcome" or (guarantee != "none" and uncertain):
        from modecontrol.thrust.guaranteed_thrust import guaranteed_thrust

        found = guaranteed_thrust(
            response, goal, float(margin), guarantee, patience, disturbance, progress=progress
        )
        if not uncertain and not np.any(response.problem.touching.slip == SIGN_UNKNOWN):
            found = _no_less(response, found, _exactly(response, goal, margin, "mode", patience), objective)
        found = _beside_hope(response, goal, found, disturbance)
    elif disturbance is not None:
        from modecontrol.thrust.guaranteed_thrust import hoped_thrust

        found = hoped_thrust(response, goal, disturbance)
    else:
        found = _exactly(response, goal, margin, guarantee, patience)
    return replace(found, _asked=(objective, margin, guarantee))


def _beside_hope(
    response: DynamicResponse, goal: Objective, found: Thrust, disturbance: Disturbance | None
) -> Thrust:
    """A promise with the greatest value that some mode, friction, `w` and disturbance give, for comparison."""
    from modecontrol.thrust.guaranteed_thrust import hoped_thrust

    hoped = hoped_thrust(response, goal, disturbance)
    return replace(found, ambiguous_mode=hoped.mode, ambiguous_value=hoped.value)


def _exactly(
    response: DynamicResponse, goal: Objective, margin: float, guarantee: str, patience: int | None
) -> Thrust:
    """The answer for friction that is known exactly."""
    found = _compiled(response, goal, margin, guarantee, patience)
    return found if found is not None else by_pieces(response, goal, margin, guarantee, patience)


def _no_less(response: DynamicResponse, found: Thrust, sure: Thrust, objective: LinearGoal) -> Thrust:
    """What is promised of the outcome, or inputs that promise more by promising a mode: the search for the former keeps a
    distance from every border of the task and finds nothing where an equality leaves a slice.
    """
    from modecontrol.thrust.scenarios import promised_value

    if not sure or sure.value <= found.value:
        return found
    assert sure.torque is not None
    promised = promised_value(response, objective, sure.torque)  # massless parts count here, too
    if promised <= found.value:
        return found
    how = sure
    if found.status == "stopped":
        how = found if found else replace(found, reason=f"{found.reason}; this is promised, more might be")
    return replace(
        sure,
        reason=how.reason,
        status=how.status,
        value=min(promised, sure.value),
        modes=tuple(response.modes_at(sure.torque)),
        friction=response.snapshot.friction,
        existence=f"mode {sure.mode} is possible and shows every motion that any mode does",
    )


def check_response(thing: object) -> None:
    """Refuse what is no complete response: a snapshot is the likely mistake."""
    if not isinstance(thing, DynamicResponse):
        raise TypeError(
            f"found {shown(thing)}; expected all modes of one instant: dynamic_response(snapshot) makes them"
        )


def check_disturbance(thing: object) -> None:
    """A `Disturbance`, or None."""
    from modecontrol.modes.disturbance import Disturbance

    if not isinstance(thing, Disturbance | None):
        raise TypeError(
            f"disturbance is {shown(thing)}; expected Disturbance(torque_error=..., forces=...), or None"
        )


def check_patience(patience: int | None) -> None:
    """A number of linear programs, or None for as many as it takes."""
    if patience is not None and (
        not isinstance(patience, int | np.integer) or isinstance(patience, bool) or patience < 0
    ):
        raise ValueError(
            f"patience is {shown(patience)}; expected a number of linear programs >= 0, or None for all"
        )


def _compiled(
    response: DynamicResponse, goal: Objective, margin: float, guarantee: str, patience: int | None
) -> Thrust | None:
    """The answer of the core's search; None where it leaves the decision to `by_pieces`.

    Without a margin it is the search of the controllers, which lists no modes; a margin needs the inputs of
    all of them.
    """
    from modecontrol._core import layout

    if response.leaves.doubtful.any():
        return None
    ask = _over_all_modes if margin > 0 and guarantee != "none" else _without_a_list
    most = ALL if patience is None else min(patience, ALL)
    status, best, hoped = ask(response, goal, margin, most)
    if status == layout.SURE and margin == 0 and guarantee != "none" and _on_a_border(response, goal, best):
        status, best, hoped = _over_all_modes(response, goal, margin, most)
    if status == layout.UNSETTLED or (hoped is not None and hoped.mode not in response):
        return None if patience is None else out_of_patience(None, patience)
    if status == layout.STOPPED and (hoped is None or guarantee != "none"):
        return out_of_patience(hoped, patience)
    if hoped is None:
        return Thrust(None, None, -np.inf, reason=why_nothing(response))
    if guarantee == "none":
        return answer_of(response, hoped, hoped)
    if status == layout.SURE:
        return answer_of(response, best, hoped) if best.mode in response else None
    if status == layout.UNLIMITED_GOAL:
        return endless(best.mode, hoped)
    return all_ambiguous(hoped, margin)


def _on_a_border(response: DynamicResponse, goal: Objective, best: Part) -> bool:
    """Whether a mode that clashes has its inputs next to the ones that were found: there it may show the same motion, beside
    them it does not.
    """
    return best.mode in response and any(
        kept_off(response, other, 0.0, inner=True).contains(best.tau)
        for other in rivals(response, best.mode, asked=goal.asked(response.problem))
    )


def _over_all_modes(
    response: DynamicResponse, goal: Objective, margin: float, patience: int
) -> tuple[int, Any, Part | None]:
    """The best-first search over the modes of the response: how it ended, its answer, and the best when
    ambiguity is ignored.
    """
    from modecontrol._core import thrust

    task, inputs = response.problem.task, len(response.problem.names.inputs)
    status, *found, _, _ = thrust.best_first(
        response.packed[:3],
        motion_frame(response.problem, goal.asked(response.problem)),
        (goal.row, goal.constant),
        (task.P, task.p, task.equality),
        (margin, patience, True),
    )

    def named(index: int, x: np.ndarray, value: float) -> Part | None:
        if index < 0:
            return None
        mode = spell(response.leaves.letters[index])
        known = np.isfinite(value)
        return Part(
            -value,
            mode,
            response.torque_set,
            x[:inputs] if known else None,
            x[inputs:] if known else None,
        )

    return status, named(*found[0]), named(*found[1])


def _without_a_list(
    response: DynamicResponse, goal: Objective, margin: float, patience: int
) -> tuple[int, Any, Part | None]:
    """The same along the prefix tree, which finds modes as it needs them."""
    from modecontrol._core import thrust

    problem = response.problem
    rows = goal.below(problem.physical, problem.task)
    instant = core_instant(response.snapshot, problem.touching, rows)
    free = np.tile(
        [-np.inf, np.inf], (len(problem.names.inputs), 1)
    )  # the limits are among the physical rows
    status, *found, _ = thrust.BestInputs().solve(instant, free, margin, patience)

    def named(known: bool, letters: np.ndarray, tau: np.ndarray, u: np.ndarray, value: float) -> Part | None:
        mode = spell(letters)
        if value == -np.inf or mode not in response:
            return None if value == -np.inf else Part(-value, mode, None, None, None)  # type: ignore[arg-type]
        mine = response[mode]
        w = np.linalg.lstsq(mine.W, u - mine.constant - mine.U @ tau, rcond=None)[0] if known else None
        return Part(-value, mode, response.torque_set, tau if known else None, w)

    return status, named(*found[0]), named(*found[1])
