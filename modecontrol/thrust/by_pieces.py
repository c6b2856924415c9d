"""The best guaranteed inputs by a search over `Polytope` pieces, which shares no code with the core's."""

from __future__ import annotations

import numpy as np

from modecontrol import tolerances
from modecontrol.polytopes import Polytope
from modecontrol.regions.ambiguity import kept_off, rivals
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.thrust.best_first import Optimum, Part, best_first
from modecontrol.thrust.objective import Objective
from modecontrol.thrust.thrust import Thrust, why_nothing
from modecontrol.thrust.verdicts import all_ambiguous, answer_of, endless, out_of_patience
from modecontrol.thrust.worst_case import worst_case_optimum


def by_pieces(
    response: DynamicResponse, goal: Objective, margin: float, guarantee: str, patience: int | None
) -> Thrust:
    """The same search over `Polytope` pieces, which shares no code with the core's."""
    if patience is None:
        patience = tolerances.SECOND_SEARCH
    plain = plain_optima(response, goal)
    if not plain:
        return Thrust(None, None, -np.inf, reason=why_nothing(response))
    hoped = plain[0]
    if guarantee == "none":
        return answer_of(response, hoped, hoped)
    best, stopped = sure_optimum(response, goal, margin, [start.mode for start in plain], patience)
    if stopped:
        return out_of_patience(hoped, patience)
    if best is None:
        return all_ambiguous(hoped, margin)
    return answer_of(response, best, hoped) if best.tau is not None else endless(best.mode, hoped)


def sure_optimum(
    response: DynamicResponse, goal: Objective, margin: float, modes: list[str], patience: int | None = None
) -> tuple[Part | None, bool]:
    """The best inputs of some modes that no other mode objects to, and whether patience ended the search."""
    asked = goal.asked(response.problem)

    def solve(mode: str, piece: Polytope) -> Optimum | None:
        value, tau, w = worst_case_optimum(response[mode], goal, piece)
        return (-value, tau, w) if value > -np.inf else None

    def rival(best: Part) -> Polytope | None:
        return next(
            (
                kept_off(response, other, margin)
                for other in rivals(response, best.mode, margin, asked)
                if kept_off(response, other, margin, inner=True).contains(best.tau)
            ),
            None,
        )

    promising = (mode for mode in modes if not response[mode].is_steep)
    pieces = ((mode, piece) for mode in promising for piece in response[mode].task_torques("every"))
    best, _, stopped = best_first(pieces, solve, rival, patience)
    return best, stopped


def plain_optima(response: DynamicResponse, goal: Objective) -> list[Part]:
    """Optimum of every mode over `(tau, w)` with the task for some `w`; best first."""
    inputs = len(response.problem.names.inputs)
    found = []
    for mode in response:
        on_tau, on_w, constant = goal.within(response[mode])
        domain = response[mode].task_domain if len(response.problem.task.p) else response[mode].domain
        answer = domain.maximize(np.concatenate([on_tau, on_w]))
        if answer.status == "infeasible":
            continue
        point = answer.point if answer.status == "optimal" else None
        found.append(
            Part(
                -(answer.value + constant),
                mode,
                domain,
                None if point is None else point[:inputs],
                None if point is None else point[inputs:],
            )
        )
    return sorted(found, key=lambda part: part.cost)
