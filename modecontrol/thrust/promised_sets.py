"""Questions that promises ask of modes: is there always an answer, may a task be missed, is another mode's motion the same."""

from __future__ import annotations

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.modes.problem import Problem
from modecontrol.polytopes import Polytope
from modecontrol.regions.fibre import ranges_at
from modecontrol.thrust.players import fibre_at


def always_an_answer(problem: Problem) -> bool:
    """T6: all contacts at rest under Coulomb's law, no drift, positive definite mass: an answer exists for every friction,
    load and input.
    """
    known = problem.undisturbed
    snap = known.snapshot
    if snap.laws is not None:
        return False
    constrained = len(known.physical.p) > len(known.limits.p)
    if constrained or snap.loop_jacobian.size or np.any(snap.drift) or np.any(snap.velocity):
        return False
    return bool(np.linalg.eigvalsh(snap.mass)[0] > tolerances.SYMMETRIC * np.abs(snap.mass).max())


def task_rows(mine: ModeResponse) -> list[tuple[np.ndarray, float]]:
    """The task as rows `row (tau, w) >= bound` of a mode, equalities as two."""
    A, b, equality, _ = mine.substitute(mine.problem.task)
    rows = list(zip(A, b, strict=True))
    return rows + [(-row, -bound) for row, bound, tied in zip(A, b, equality, strict=True) if tied]


def task_slack(mine: ModeResponse, row: np.ndarray, bound: float) -> float:
    """What a row of the task may be missed by for rounding: a billionth of its size at natural inputs and loads."""
    sizes = mine.problem.input_sizes
    weighed = np.abs(row) * np.concatenate([sizes, np.full(len(row) - len(sizes), mine.problem.size)])
    return tolerances.FEASIBLE * max(abs(bound), float(weighed.max(initial=0.0)))


def missed_at(mine: ModeResponse, row: np.ndarray, bound: float) -> Polytope:
    """The inputs at which a mode may miss a row of the task."""
    inputs = mine.U.shape[1]
    slack = task_slack(mine, row, bound)
    return mine.domain.intersect(Polytope(row[None, :], [bound - slack])).project(range(inputs))


def may_miss(mine: ModeResponse, tau: np.ndarray) -> Polytope | None:
    """All inputs at which the mode may miss a row of the task that it may miss at `tau`; None when it meets all there."""
    inputs = len(tau)
    for row, bound in task_rows(mine):
        over_w = fibre_at(mine, tau).support(-row[inputs:]) if mine.ambiguity_variables else 0.0
        if row[:inputs] @ tau - over_w < bound - 2.0 * task_slack(mine, row, bound):
            missed = missed_at(mine, row, bound)
            if not missed.is_empty:
                return missed
    return None


def same_motion(mine: ModeResponse, other: ModeResponse, tau: np.ndarray) -> bool:
    """Whether the accelerations of another mode at `tau` are among those of a mode."""
    ours, theirs = ranges_at(mine, mine.acceleration, tau), ranges_at(other, other.acceleration, tau)
    size = max((abs(end) for pair in ours.values() for end in pair if np.isfinite(end)), default=1.0)
    slack = tolerances.SAME_MOTION * max(size, other.problem.size)
    return all(
        low >= ours[name][0] - slack and high <= ours[name][1] + slack for name, (low, high) in theirs.items()
    )


def thick(T: Polytope, margin: float) -> Polytope:
    """The set with its equalities as pairs of inequalities `margin` apart, so that thin sets can be cut out."""
    if len(T.d) == 0:
        return T
    size = np.abs(T.C).max(axis=1, initial=0.0)
    return Polytope(
        np.vstack([T.A, T.C, -T.C]), np.concatenate([T.b, T.d + margin * size, margin * size - T.d])
    )
