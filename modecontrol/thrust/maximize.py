"""The best inputs that surely work: maximal thrust over all contact modes (section 4.2.2 of Greenfield 2005).

    maximise   l (qdd, f, tau)    over the modes c and    tau in T_c*    with the task

The core's best-first search answers (`_core/thrust/best_first.cpp`). When the objective is not unique within
a mode its worst case over `w` counts. Where the core leaves a question open, the same search over `Polytope`
pieces decides: there a worst case is a convex function of the inputs, so vertices are looked at.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.letters import SIGN_UNKNOWN, spell
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.modes.problem import core_instant
from modecontrol.polytopes import Polytope
from modecontrol.regions.ambiguity import felt_margin, kept_off, motion_frame, rivals
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.regions.fibre import fibre
from modecontrol.thrust.best_first import Optimum, Part, best_first
from modecontrol.thrust.objective import Objective
from modecontrol.thrust.thrust import Thrust, active_rows, why_nothing
from modecontrol.validation import check_word, shown

GUARANTEES = ("mode", "unambiguous", "outcome", "none")
ALL = 2**40
"""Patience without end."""


def maximize(
    response: DynamicResponse,
    objective: Any,
    *,
    margin: float = 0.0,
    guarantee: str = "unambiguous",
    patience: int | None = None,
) -> Thrust:
    """The inputs with the greatest sure value of a linear objective.

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
        Linear programs that the search may solve before it gives up, for callers with a clock; None means
        all.

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
    box = response.snapshot.uncertainty
    uncertain = box is not None and not box.is_exact
    if guarantee == "outcome" or (guarantee != "none" and uncertain):
        from modecontrol.thrust.guaranteed_thrust import guaranteed_thrust

        found = guaranteed_thrust(response, goal, float(margin), guarantee, patience)
    else:
        found = _compiled(response, goal, margin, guarantee, patience)
        found = found if found is not None else by_pieces(response, goal, margin, guarantee, patience)
    return replace(found, _asked=(objective, margin, guarantee))


def check_response(thing: object) -> None:
    """Refuse what is no complete response: a snapshot is the likely mistake."""
    if not isinstance(thing, DynamicResponse):
        raise TypeError(
            f"found {shown(thing)}; expected all modes of one instant: dynamic_response(snapshot) makes them"
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
    if status == layout.SURE and margin == 0 and guarantee != "none" and _on_a_border(response, best):
        status, best, hoped = _over_all_modes(response, goal, margin, most)
    if status == layout.UNSETTLED or (hoped is not None and hoped.mode not in response):
        return None if patience is None else _out_of_patience(None, patience)
    if status == layout.STOPPED and (hoped is None or guarantee != "none"):
        return _out_of_patience(hoped, patience)
    if hoped is None:
        return Thrust(None, None, -np.inf, reason=why_nothing(response))
    if guarantee == "none":
        return _result(response, hoped, goal, hoped)
    if status == layout.SURE:
        return _result(response, best, goal, hoped) if best.mode in response else None
    if status == layout.UNLIMITED_GOAL:
        return _endless(best.mode, hoped)
    return _all_ambiguous(hoped, margin)


def _on_a_border(response: DynamicResponse, best: Part) -> bool:
    """Whether a mode that clashes has its inputs next to the ones that were found: there it may show the same motion, beside
    them it does not.
    """
    return best.mode in response and any(
        kept_off(response, other, 0.0, inner=True).contains(best.tau) for other in rivals(response, best.mode)
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
        motion_frame(response.problem),
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
            0,
            mode,
            response[mode].torques,
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
            return None if value == -np.inf else Part(-value, 0, mode, None, None, None)  # type: ignore[arg-type]
        mine = response[mode]
        w = np.linalg.lstsq(mine.W, u - mine.constant - mine.U @ tau, rcond=None)[0] if known else None
        return Part(-value, 0, mode, mine.torques, tau if known else None, w)

    return status, named(*found[0]), named(*found[1])


def by_pieces(
    response: DynamicResponse, goal: Objective, margin: float, guarantee: str, patience: int | None
) -> Thrust:
    """The same search over `Polytope` pieces, which shares no code with the core's."""
    plain = plain_optima(response, goal)
    if not plain:
        return Thrust(None, None, -np.inf, reason=why_nothing(response))
    hoped = plain[0]
    if guarantee == "none":
        return _result(response, hoped, goal, hoped)
    best, stopped = sure_optimum(response, goal, margin, [start.mode for start in plain], patience)
    if stopped:
        assert patience is not None
        return _out_of_patience(hoped, patience)
    if best is None:
        return _all_ambiguous(hoped, margin)
    return _result(response, best, goal, hoped) if best.tau is not None else _endless(best.mode, hoped)


def sure_optimum(
    response: DynamicResponse, goal: Objective, margin: float, modes: list[str], patience: int | None = None
) -> tuple[Part | None, bool]:
    """The best inputs of some modes that no other mode objects to, and whether patience ended the search."""

    def solve(mode: str, piece: Polytope) -> Optimum | None:
        value, tau, w = worst_case_optimum(response[mode], goal, piece)
        return (-value, tau, w) if value > -np.inf else None

    def rival(best: Part) -> Polytope | None:
        return next(
            (
                kept_off(response, other, margin)
                for other in rivals(response, best.mode, margin)
                if kept_off(response, other, margin, inner=True).contains(best.tau)
            ),
            None,
        )

    pieces = ((mode, piece) for mode in modes for piece in response[mode].task_torques("every"))
    best, _, stopped = best_first(pieces, solve, rival, patience)
    return best, stopped


def _endless(mode: str, hoped: Part) -> Thrust:
    return Thrust(
        mode,
        None,
        np.inf,
        ambiguous_mode=hoped.mode,
        ambiguous_value=-hoped.cost,
        reason=f"unbounded in {mode}: give torque limits",
    )


def _out_of_patience(hoped: Part | None, patience: int | None) -> Thrust:
    return Thrust(
        None,
        None,
        -np.inf,
        ambiguous_mode=hoped.mode if hoped else None,
        ambiguous_value=-hoped.cost if hoped else -np.inf,
        reason=f"no sure answer within a patience of {patience}",
    )


def _all_ambiguous(hoped: Part, margin: float) -> Thrust:
    return Thrust(
        None,
        None,
        -np.inf,
        ambiguous_mode=hoped.mode,
        ambiguous_value=-hoped.cost,
        reason="every torque that meets the task can also produce another mode, or misses the task for some w"
        + (f" (margin {margin:g})" if margin else ""),
    )


def plain_optima(response: DynamicResponse, goal: Objective) -> list[Part]:
    """Optimum of every mode over `(tau, w)` with the task for some `w`; best first."""
    inputs = len(response.problem.names.inputs)
    found = []
    for i, mode in enumerate(response):
        on_tau, on_w, constant = goal.within(response[mode])
        domain = response[mode].task_domain if len(response.problem.task.p) else response[mode].domain
        answer = domain.maximize(np.concatenate([on_tau, on_w]))
        if answer.status == "infeasible":
            continue
        point = answer.point if answer.status == "optimal" else None
        found.append(
            Part(
                -(answer.value + constant),
                i,
                mode,
                domain,
                None if point is None else point[:inputs],
                None if point is None else point[inputs:],
            )
        )
    return sorted(found)


def _result(response: DynamicResponse, best: Part, goal: Objective, hoped: Part) -> Thrust:
    mine = response[best.mode]
    if best.tau is None:
        return _endless(best.mode, hoped)
    assert best.w is not None
    return Thrust(
        best.mode,
        best.tau,
        -best.cost,
        mine.acceleration.value(best.tau, best.w),
        mine.force.value(best.tau, best.w),
        active_rows(mine, best.tau, best.w),
        hoped.mode,
        -hoped.cost,
        "optimal",
        response,
    )


def worst_case_optimum(
    mine: ModeResponse, goal: Objective, piece: Polytope
) -> tuple[float, np.ndarray | None, np.ndarray | None]:
    """`max over tau in piece of min over w`: `(value, tau, w)`; `tau` None when unbounded, value -inf when
    none.
    """
    on_tau, on_w, constant = goal.within(mine)
    inputs = len(on_tau)
    D = mine.domain
    lifted = D & piece.extend(D.n - inputs)
    if not depends_on_w(mine, on_w):
        answer = lifted.maximize(np.concatenate([on_tau, on_w]))
        if answer.status == "optimal":
            assert answer.point is not None
            return float(answer.value) + constant, answer.point[:inputs], answer.point[inputs:]
        return (np.inf, None, None) if answer.status == "unbounded" else (-np.inf, None, None)
    # a convex function of tau: its greatest value is at a vertex, or grows for ever along a ray
    for ray in (*piece.rays, *piece.lines, *(-line for line in piece.lines)):
        cone = Polytope(D.A, np.zeros(len(D.b)), D.C, np.zeros(len(D.d)))
        at_ray = fibre_of(cone, ray)
        if on_tau @ ray - at_ray.support(-on_w) > tolerances.STRICT * np.abs(on_tau).max(
            initial=tolerances.TINY
        ):
            return np.inf, None, None
    best: tuple[float, np.ndarray | None, np.ndarray | None] = (-np.inf, None, None)
    for tau in piece.vertices:
        least = fibre(mine, tau).maximize(-on_w)
        if least.status == "optimal" and (value := on_tau @ tau - least.value + constant) > best[0]:
            best = float(value), tau, least.point
    return best


def fibre_of(domain: Polytope, tau: np.ndarray) -> Polytope:
    """`{w : (tau, w) in domain}`."""
    return domain.slice(dict(enumerate(tau)))


def depends_on_w(mine: ModeResponse, on_w: np.ndarray) -> bool:
    """Whether `on_w . w` takes several values at some inputs of the mode (the two-copy program)."""
    from modecontrol.modes.within_mode import two_copies

    if not np.abs(on_w).max(initial=0.0) > 0:
        return False
    inputs = mine.U.shape[1]
    pairs = two_copies(mine.domain, mine.domain, inputs)
    spread = pairs.support(np.concatenate([np.zeros(inputs), on_w, -on_w]))
    return spread > tolerances.STRICT * mine.problem.size * np.abs(on_w).max()
