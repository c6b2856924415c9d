"""The controllers' search for promised inputs (`_core/thrust/promised_inputs.cpp`), asked of a problem."""

from __future__ import annotations

import numpy as np

from modecontrol.modes.disturbed import DisturbedProblem
from modecontrol.modes.problem import Problem, core_instant
from modecontrol.thrust.objective import Objective
from modecontrol.thrust.prepared_rows import core_friction

PROGRAMS, CELLS = 20_000, 64
"""What a search by cutting planes, or looking at one torque, may cost, and how finely it covers friction."""


def promised_by_cuts(problem: Problem, goal: Objective) -> tuple[np.ndarray, float] | None:
    """Inputs and the value that is promised at them, whatever friction, disturbance, mode and `w` turn out to be; None
    when none were found.
    """
    from modecontrol._core import thrust

    instant, spread, nominal = core_questions(problem, goal)
    free = np.tile([-np.inf, np.inf], (len(problem.names.inputs), 1))
    _, best, _, _ = thrust.PromisedInputs().solve(
        instant,
        problem.touching.states,
        core_friction(problem.undisturbed.snapshot),
        free,
        (PROGRAMS, CELLS),
        spread,
        nominal,
    )
    return (best[2], best[4]) if best[0] else None


def promised_at(problem: Problem, goal: Objective, tau: np.ndarray) -> float:
    """What is promised at given inputs; -inf when nothing is."""
    from modecontrol._core import thrust

    instant, spread, _ = core_questions(problem, goal)
    friction = core_friction(problem.undisturbed.snapshot)
    found = thrust.PromisedInputs().promise(
        instant, problem.touching.states, friction, tau, (PROGRAMS, CELLS), spread
    )
    return float(found)


def is_nearly_singular_at(problem: Problem, goal: Objective, tau: np.ndarray) -> bool:
    """Whether equations of some modes, or of what modes have in common, are all but singular with the inputs given."""
    from modecontrol._core import thrust

    instant, spread, _ = core_questions(problem, goal)
    core, friction = thrust.PromisedInputs(), core_friction(problem.undisturbed.snapshot)
    core.promise(instant, problem.touching.states, friction, tau, (PROGRAMS, 1), spread)
    return bool(core.met_steep())


def core_questions(problem: Problem, goal: Objective):
    """The instant, its spread of disturbances and the instant without them, as the core reads them; None twice without a
    disturbance.
    """
    known = problem.centre if isinstance(problem, DisturbedProblem) else problem
    nominal = core_instant(known.snapshot, known.touching, goal.below(known.physical, known.task))
    if not isinstance(problem, DisturbedProblem):
        return nominal, None, None
    rows = goal.fitted(problem).below(problem.positive, problem.task)
    instant = core_instant(problem.snapshot, problem.touching, rows)
    return instant, problem.lift.spread(len(known.names.coordinates)), nominal
