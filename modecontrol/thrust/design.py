"""Off-line design on the same guaranteed inputs as `maximize`, with other goals (cvxpy, imported when used).

    effort    minimise  sum_i weight_i tau_i^2
    track     minimise  sum_j weight_j (quantity_j - wanted_j)^2
    margin    maximise  r : every facet of T_c (task included) and every other T_c' stays at least r away

The first two are convex programs over `(tau, w)` in each piece, the third is linear in `(tau, r)`; the lazy
best-first search of `maximize` makes all of them exact over the whole of `T_c*`: a piece is cut only when
another mode explains its optimum. With the outcome guarantee, with uncertain friction and with a disturbance the search
over players takes its place (`guaranteed_design.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.modes.disturbance import Disturbance
from modecontrol.modes.letters import SIGN_UNKNOWN
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.polytopes import Polytope
from modecontrol.regions.ambiguity import felt_margin, kept_off, rivals
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.regions.fibre import fibre, loosened
from modecontrol.thrust.best_first import Part, best_first
from modecontrol.thrust.farthest import cone_over, farthest, with_radius
from modecontrol.thrust.guaranteed_design import (
    farthest_promise,
    most_parts,
    squares_promise,
    stopped_after,
)
from modecontrol.thrust.guaranteed_thrust import disturbed_responses
from modecontrol.thrust.maximize import GUARANTEES, check_disturbance, check_patience, check_response
from modecontrol.thrust.squares import Squares
from modecontrol.thrust.thrust import Thrust, active_rows, why_nothing
from modecontrol.validation import check_texts, check_word, shown

GOALS = ("effort", "track", "margin")
OPEN = {
    goal: f"{what} in every mode that could do it: guarantee='none' hopes for the best w"
    for goal, what in {
        "effort": "the task is missed for some w",
        "margin": "the task is missed for some w",
        "track": "a tracked quantity is not unique, or the task is missed for some w,",
    }.items()
}


def design(
    response: DynamicResponse,
    goal: str = "effort",
    *,
    wanted: Mapping[str, float] | None = None,
    weights: ArrayLike | Mapping[str, float] | None = None,
    margin: float = 0.0,
    guarantee: str = "unambiguous",
    modes: str | Iterable[str] | None = None,
    solver: str | None = None,
    disturbance: Disturbance | None = None,
    patience: int | None = None,
) -> Thrust:
    """The best inputs that surely work, for a goal that is not linear.

    Parameters
    ----------
    response
        All modes of the instant, with torque limits and task constraints.
    goal
        "effort": the smallest inputs that meet the task. "track": least squares to `wanted`. "margin": the
        inputs farthest from every facet of their mode, from the limits of the task and from every other mode
        (whose rows are moved out, as `margin` does: near a sharp corner that is more than the distance).
    wanted
        For "track": values by the name of an acceleration, force or linear expression (`{"alpha": 30, "y":
        0}`).
    weights
        For "effort" one weight >= 0 per input, for "track" a mapping with the keys of `wanted`; default 1.
    margin
        Distance in input units by which every other mode has to be violated ("margin" finds it itself).
    guarantee
        "unambiguous" (or "mode"): inputs that produce their mode and no other motion, task met whatever `w`
        is. "outcome": whatever mode, friction and `w` turn out to be, the task is met and the error no larger than the
        value; "margin" then is the distance to the limits and to all inputs at which the task may be missed or existence of an
        answer is not shown. "none": any mode and any `w` may be hoped for. All hold for every friction of an uncertain model.
    modes
        Patterns of the modes to look at, such as `"FF?F"` or `["R*", "F*"]`; None takes all.
    solver
        Solver that cvxpy shall use for "effort" and "track"; None takes Clarabel, an interior-point method.
    disturbance
        Errors of the inputs and additive forces, as for `maximize`.
    patience
        Pieces of the inputs that the search may look at before it gives up with a reason "stopped: ..."; None means two million
        divided by the number of modes, and for promises of effort and error the bound of `maximize`.

    Returns
    -------
    Thrust
        `value` is the effort, the squared error or the margin; false, with the reason, when nothing is
        feasible. With exactly known friction, a mode in which a tracked quantity is not unique cannot promise an error and is
        left out, unless `guarantee` is "none" or "outcome", which counts its worst.

    """
    check_response(response)
    check_word(goal, "goal", GOALS)
    check_word(guarantee, "guarantee", GUARANTEES)
    check_disturbance(disturbance)
    check_patience(patience)
    margin = felt_margin(response, margin)
    if (goal == "track") != bool(wanted) or not isinstance(wanted, Mapping | None):
        raise ValueError("wanted goes with goal='track', and only with it: a mapping such as {'alpha': 30.0}")
    looked_at = _matching(response, modes)
    if not looked_at:
        return Thrust(
            None,
            None,
            np.nan,
            reason=f"no contact mode that can happen here matches {shown(modes)}"
            if modes is not None and response.modes
            else why_nothing(response),
        )
    box = response.snapshot.uncertainty
    uncertain = disturbance is not None or (box is not None and not box.is_exact)
    squares = None
    if goal == "effort":
        squares = Squares.effort(response, weights, guarantee, solver)
    elif goal == "track":
        squares = Squares.track(response, wanted or {}, weights, guarantee, solver)
    if guarantee == "outcome" or (guarantee != "none" and uncertain):
        _check_promise(response, guarantee, modes)
        chosen = None if guarantee == "outcome" else looked_at
        if squares is None:
            return farthest_promise(response, chosen, disturbance, patience)
        return squares_promise(response, chosen, squares, margin, disturbance, patience=patience)
    best = Thrust(None, None, np.nan, reason=why_nothing(response))
    for there in disturbed_responses(response, disturbance):
        solve = squares or (lambda mine, piece: farthest(piece))
        parts = most_parts(there, patience)
        found = _search(there, _matching(there, modes), goal, solve, margin, guarantee, parts=parts)
        more = goal == "margin" and found.value > best.value
        if not best or (found and (more or (goal != "margin" and found.value < best.value))):
            best = found
    return best


def _check_promise(response: DynamicResponse, guarantee: str, modes: Any) -> None:
    if guarantee == "outcome" and modes is not None:
        raise ValueError(
            f"modes is {shown(modes)} with guarantee 'outcome'; expected None: any mode may happen"
        )
    if np.any(response.problem.touching.slip == SIGN_UNKNOWN):
        raise ValueError(
            "a contact slides either way, which design does not look at; expected maximize with guarantee 'outcome'"
        )


def _matching(response: DynamicResponse, modes: str | Iterable[str] | None) -> list[str]:
    if not isinstance(modes, str | Iterable | None):
        raise ValueError(
            f"modes is {shown(modes)}; expected a pattern such as 'FF?F', several of them, or None"
        )
    patterns = ("*",) if modes is None else check_texts(modes, "modes")
    return [mode for mode in response if any(fnmatchcase(mode, pattern) for pattern in patterns)]


def _search(
    response: DynamicResponse,
    modes: list[str],
    goal: str,
    solve: Callable[..., Any],
    margin: float,
    guarantee: str,
    *,
    parts: int,
) -> Thrust:
    """Best first; pieces whose optimum is ambiguous are cut along the facets of the other mode."""
    grow = goal == "margin"
    sign = -1.0 if grow else 1.0
    sure = guarantee != "none"  # without a disturbance, so that the goals have the columns of the task
    rows = [goal.row[None, :] for goal in solve.goals] if sure and isinstance(solve, Squares) else []
    asked = np.vstack([response.problem.task.P, *rows])
    pieces = (
        (mode, with_radius(piece) if grow else piece)
        for mode in modes
        if not (sure and response[mode].is_steep)
        for piece in response[mode].task_torques("every" if sure else "some")
    )

    def rival(best: Part) -> Polytope | None:
        return (
            None
            if not sure
            else _cone_of_rival(response, best, asked)
            if grow
            else _rival(response, best, margin, asked)
        )

    best, plain, stopped = best_first(pieces, lambda mode, piece: solve(response[mode], piece), rival, parts)
    if stopped:
        return stopped_after(parts)
    if best is not None and best.tau is None:
        return Thrust(
            best.mode,
            None,
            np.inf,
            reason=f"unbounded in {best.mode or 'free motion'}: give torque limits",
        )
    if best is not None:
        assert plain is not None
        assert best.tau is not None
        mine, tau = response[best.mode], best.tau
        w = best.w if best.w is not None else _some_w(mine, tau)
        return Thrust(
            best.mode,
            tau,
            sign * best.cost,
            mine.acceleration.value(tau, w)[: len(response.problem.undisturbed.names.coordinates)],
            mine.force.value(tau, w),
            active_rows(mine, tau, w),
            plain.mode,
            sign * plain.cost,
            "optimal",
            response,
        )
    if plain is None:
        met = any(response[mode].task_torques("some") for mode in modes)
        return Thrust(None, None, np.nan, reason=OPEN[goal] if met else why_nothing(response))
    return Thrust(
        None,
        None,
        np.nan,
        ambiguous_mode=plain.mode,
        ambiguous_value=sign * plain.cost,
        reason="every torque that meets the task can also produce another mode"
        + (f" (margin {margin:g})" if margin else ""),
    )


def _rival(response: DynamicResponse, best: Part, margin: float, asked: np.ndarray) -> Polytope | None:
    """The set to be cut away: the inputs of a mode that counts against the candidate, widened by the margin."""
    return next(
        (
            kept_off(response, other, margin)
            for other in rivals(response, best.mode, margin, asked)
            if kept_off(response, other, margin, inner=True).contains(best.tau)
        ),
        None,
    )


def _cone_of_rival(response: DynamicResponse, best: Part, asked: np.ndarray) -> Polytope | None:
    """The same for a candidate with its distance as one more variable."""
    assert best.tau is not None
    point = np.append(best.tau, -best.cost)
    for other in rivals(response, best.mode, np.inf, asked):
        taken = cone_over(response[other].torques)
        if taken.contains(point):
            shared = best.piece.intersect(taken)
            if not shared.is_empty and shared.dimension == best.piece.dimension:
                return taken
    return None


def _some_w(mine: ModeResponse, tau: np.ndarray) -> np.ndarray:
    W = fibre(mine, tau)
    point = (loosened(W) if W.is_empty else W).maximize(np.zeros(W.n)).point
    return np.zeros(W.n) if point is None else point
