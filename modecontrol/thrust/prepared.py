"""The control loop's path from a snapshot to the best inputs: everything that does not change is laid out once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.modes.constraints import Rows, stack
from modecontrol.modes.letters import Touch
from modecontrol.modes.linear import RATES, Linear
from modecontrol.thrust.objective import Objective

SURE, NOTHING, UNLIMITED, UNSETTLED = range(4)
"""Statuses of the kernel `modecontrol._kernels.thrust`."""


class PreparedThrust:
    """Objective and constraints of one model, as the rows that the branch-and-bound kernel reads.

    Rows depend on the state only through contact accelerations (which need `J` and `Jdot v`) and through the torque
    box; without the former they are made once.

    Parameters
    ----------
    objective, physical, task
        As for `maximize` and `dynamic_response`.
    snapshot
        Any snapshot of the model, for names and shapes.
    """

    def __init__(self, objective: Any, physical: Any, task: Any, snapshot: Snapshot) -> None:
        from modecontrol._kernels.thrust import best_at

        self._best = best_at
        self._objective, self._physical, self._task = objective, _listed(physical), _listed(task)
        self._moving = any(_uses_rates(item) for item in (objective, *self._physical, *self._task))
        self.inputs = snapshot.actuation.shape[1]
        self.massive = np.diag(snapshot.mass) > 0
        self._fixed = self._rows(snapshot)

    def _rows(self, snapshot: Snapshot) -> _Laid:
        return _Laid.of(stack(self._physical, snapshot), stack(self._task, snapshot),
                        Objective.of(self._objective, snapshot))

    def best(self, snapshot: Snapshot, touching: Touch, margin: float = 0.0, with_task: bool = True):
        """Kernel `Best` at one instant: status, letters, inputs, `(qdd, f, lam)` and the value of the goal (scaled)."""
        rows = self._rows(snapshot) if self._moving else self._fixed
        P, p, equality, count = rows.with_task if with_task else rows.without
        s = snapshot
        return self._best(s.mass, s.bias, s.actuation, s.jacobian, s.drift, s.loop_jacobian, s.loop_drift, s.friction,
                          touching.free, touching.slip, touching.allowed, P, p, equality, count, s.torque_limits,
                          self.massive, margin)

    def value(self, best, snapshot: Snapshot) -> float:
        """The objective at a kernel answer, in true units."""
        goal = Objective.of(self._objective, snapshot) if self._moving else self._fixed.goal
        lead = len(goal.row) - self.inputs
        return float(goal.row[:lead] @ best.u[:lead] + goal.row[lead:] @ best.tau + goal.constant)


@dataclass(frozen=True, eq=False)
class _Laid:
    """Rows `P (qdd, f, tau) >= p` with their equalities and the number of physical ones; the last row is the goal."""

    goal: Objective
    with_task: tuple[np.ndarray, np.ndarray, np.ndarray, int]
    without: tuple[np.ndarray, np.ndarray, np.ndarray, int]

    @staticmethod
    def of(physical: Rows, task: Rows, goal: Objective) -> _Laid:
        """Both layouts; an equality of the task becomes two inequalities."""
        wishes = np.vstack([task.P, -task.P[task.equality]]), np.concatenate([task.p, -task.p[task.equality]])

        def lay(P: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
            whole = np.vstack([physical.P, P, goal.row[None, :]])
            equality = np.zeros(len(whole), bool)
            equality[:len(physical.p)] = physical.equality
            return whole, np.concatenate([physical.p, p, [-goal.constant]]), equality, len(physical.p)

        return _Laid(goal, lay(*wishes), lay(wishes[0][:0], wishes[1][:0]))


def _listed(constraints: Any) -> tuple[Any, ...]:
    return tuple(constraints) if isinstance(constraints, list | tuple) else (constraints,)


def _uses_rates(thing: Any) -> bool:
    if isinstance(thing, str):
        return any(rate in thing for rate in RATES)
    if isinstance(thing, Linear):
        return any(name.endswith(RATES) for name in thing.coefficients)
    return any(_uses_rates(rule.expression) for rule in getattr(thing, "rules", ())) or \
        (hasattr(thing, "expression") and _uses_rates(thing.expression))
