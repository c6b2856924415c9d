"""The control loop's path from a snapshot to the best inputs: everything that does not change is laid out once."""

from __future__ import annotations

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
        from modecontrol._kernels.table import dynamic_root
        from modecontrol._kernels.thrust import best_inputs

        self._root, self._best = dynamic_root, best_inputs
        self._objective, self._physical, self._task = objective, _listed(physical), _listed(task)
        self._moving = any(_uses_rates(item) for item in (objective, *self._physical, *self._task))
        self.inputs = snapshot.actuation.shape[1]
        self.massive = np.ascontiguousarray(np.diag(snapshot.mass) > 0)
        self._limited = np.flatnonzero(np.isfinite(snapshot.torque_limits).any(axis=1))
        self._fixed = self._rows(snapshot)

    def _rows(self, snapshot: Snapshot) -> tuple[Rows, Rows, Objective]:
        return stack(self._physical, snapshot), stack(self._task, snapshot), Objective.of(self._objective, snapshot)

    def best(self, snapshot: Snapshot, touching: Touch, margin: float = 0.0, with_task: bool = True):
        """Kernel `Best` at one instant: status, letters, inputs, `(qdd, f, lam)` and the value of the goal (scaled)."""
        physical, task, goal = self._rows(snapshot) if self._moving else self._fixed
        P, p, equality, count = self._assemble(snapshot, physical, task if with_task else None, goal)
        s = snapshot
        root = self._root(s.mass, s.bias, s.actuation, s.jacobian, s.drift, s.loop_jacobian, s.loop_drift, s.friction,
                          touching.free, touching.slip, P, p, equality, count)
        return self._best(root, s.friction, touching.free, touching.slip, touching.allowed, self.massive, self.inputs,
                          margin)

    def value(self, best, snapshot: Snapshot) -> float:
        """The objective at a kernel answer, in true units."""
        goal = (self._rows(snapshot) if self._moving else self._fixed)[2]
        lead = len(goal.row) - self.inputs
        return float(goal.row[:lead] @ best.u[:lead] + goal.row[lead:] @ best.tau + goal.constant)

    def _assemble(self, snapshot: Snapshot, physical: Rows, task: Rows | None, goal: Objective):
        columns = physical.P.shape[1]
        limits = snapshot.torque_limits
        assert limits is not None
        box_P, box_p = [], []
        for i in self._limited:
            for sign, bound in ((1.0, limits[i, 0]), (-1.0, limits[i, 1])):
                if np.isfinite(bound):
                    row = np.zeros(columns)
                    row[columns - self.inputs + i] = sign
                    box_P.append(row)
                    box_p.append(sign * bound)
        count = len(physical.p) + len(box_p)
        blocks_P = [physical.P, np.array(box_P).reshape(-1, columns)]
        blocks_p = [physical.p, np.array(box_p)]
        if task is not None:
            blocks_P += [task.P, -task.P[task.equality]]
            blocks_p += [task.p, -task.p[task.equality]]
        blocks_P.append(goal.row[None, :])
        blocks_p.append(np.array([-goal.constant]))
        P = np.vstack(blocks_P)
        equality = np.zeros(len(P), bool)
        equality[:len(physical.p)] = physical.equality
        return P, np.concatenate(blocks_p), equality, count


def _listed(constraints: Any) -> tuple[Any, ...]:
    return tuple(constraints) if isinstance(constraints, list | tuple) else (constraints,)


def _uses_rates(thing: Any) -> bool:
    if isinstance(thing, str):
        return any(rate in thing for rate in RATES)
    if isinstance(thing, Linear):
        return any(name.endswith(RATES) for name in thing.coefficients)
    return any(_uses_rates(rule.expression) for rule in getattr(thing, "rules", ())) or \
        (hasattr(thing, "expression") and _uses_rates(thing.expression))
