"""The control loop's path from a snapshot to the best inputs: everything that does not change is laid out
once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.modes.constraints import Demands, Rows, stack
from modecontrol.modes.disturbance import Disturbance
from modecontrol.modes.letters import Touch
from modecontrol.modes.linear import RATES, Linear
from modecontrol.modes.problem import core_instant
from modecontrol.thrust.disturbed_rows import DisturbedRows
from modecontrol.thrust.maximize import ALL
from modecontrol.thrust.objective import LinearGoal, Objective


class Point(NamedTuple):
    """A mode (letters are bytes) with its inputs, `u = (qdd, f, lam)` and the value of the objective; nothing
    unless `found`.
    """

    found: bool
    letters: np.ndarray
    tau: np.ndarray
    u: np.ndarray
    value: float


class Best(NamedTuple):
    """What the search found: how it ended (`_core.layout.SURE`, ...), its answer, and the best point when
    ambiguity is ignored.
    """

    status: int
    best: Point
    hoped: Point
    programs: int


class PreparedThrust:
    """Objective and constraints of one model, as the rows that branch and bound reads, with its memory.

    Rows depend on the state only through contact accelerations (which need `J` and `Jdot v`) and through the
    torque box; without the former they are made once.

    Parameters
    ----------
    objective, physical, task
        As for `maximize` and `dynamic_response`.
    snapshot
        Any snapshot of the model, for names and shapes.
    disturbance
        What else may act; None for nothing.
    """

    def __init__(
        self,
        objective: LinearGoal,
        physical: Demands,
        task: Demands,
        snapshot: Snapshot,
        disturbance: Disturbance | None = None,
    ) -> None:
        self._disturbed = None if disturbance is None else DisturbedRows(disturbance, snapshot)
        self._objective, self._physical, self._task = objective, _listed(physical), _listed(task)
        self._moving = any(_uses_rates(item) for item in (objective, *self._physical, *self._task))
        self.inputs = snapshot.actuation.shape[1]
        self._fixed = self._rows(snapshot)

    @cached_property
    def _search(self):
        from modecontrol._core import thrust

        return thrust.BestInputs()

    @cached_property
    def _promises(self):
        from modecontrol._core import thrust

        return thrust.PromisedInputs()

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the core's memory, which is made anew where the object arrives."""
        return {name: value for name, value in self.__dict__.items() if name not in ("_search", "_promises")}

    def _rows(self, snapshot: Snapshot) -> _Laid:
        return _Laid.of(
            stack(self._physical, snapshot),
            stack(self._task, snapshot),
            Objective.of(self._objective, snapshot),
        )

    def best(
        self,
        snapshot: Snapshot,
        touching: Touch,
        margin: float = 0.0,
        with_task: bool = True,
        letters: np.ndarray | None = None,
        patience: int = ALL,
    ) -> Best:
        """The best inputs at one instant.

        Parameters
        ----------
        snapshot, touching
            The instant, its contacts judged.
        margin
            Distance to keep from other modes.
        with_task
            Whether the task has to be met.
        letters
            Bytes, one per contact: the only mode to be looked at.
        patience
            Linear programs that the search may solve.
        """
        rows = self._rows(snapshot) if self._moving else self._fixed
        instant = core_instant(snapshot, touching, rows.with_task if with_task else rows.without, letters)
        status, best, hoped, programs = self._search.solve(instant, snapshot.torque_limits, margin, patience)
        return Best(status, Point(*best), Point(*hoped), programs)

    def promised(
        self,
        snapshot: Snapshot,
        touching: Touch,
        *,
        with_task: bool = True,
        patience: int = ALL,
        start: int | None = None,
        cells: int = 8,
    ) -> Best:
        """Inputs whose value is promised for every friction of the snapshot, whatever mode and `w` turn out
        to be.

        `best` has the promised value with the letters and `u` of the friction in the middle; `hoped` is the
        best there.

        Parameters
        ----------
        snapshot, touching
            The instant, its contacts judged.
        with_task
            Whether the task has to be met.
        patience
            Linear programs that the search may be worth.
        start
            How many of them finding the best inputs for the friction in the middle may take; None for half.
        cells
            Small boxes of friction that the search may look at.
        """
        laid = self._rows(snapshot) if self._moving else self._fixed
        rows = laid.with_task if with_task else laid.without
        if self._disturbed is None:
            asked = core_instant(snapshot, touching, rows), None, None
        else:
            asked = self._disturbed.ask(snapshot, touching, rows)
        status, best, hoped, programs = self._promises.solve(
            asked[0],
            touching.states,
            core_friction(snapshot),
            snapshot.torque_limits,
            (patience, cells, patience // 2 if start is None else start),
            *asked[1:],
        )
        return Best(status, Point(*best), Point(*hoped), programs)


def core_friction(snapshot: Snapshot) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """What is known of friction as the core reads it: `mu = base + slope p`, `low <= p <= high`."""
    box = snapshot.uncertainty
    if box is None:
        return np.zeros(0), np.zeros(0), snapshot.friction, np.zeros((snapshot.contacts, 0))
    return box.low, box.high, box.base, np.ascontiguousarray(box.slope)


@dataclass(frozen=True, eq=False)
class _Laid:
    """Rows `P (qdd, f, tau) >= p` with their equalities and the number of physical ones; the last row is the
    goal.
    """

    goal: Objective
    with_task: tuple[np.ndarray, np.ndarray, np.ndarray, int]
    without: tuple[np.ndarray, np.ndarray, np.ndarray, int]

    @staticmethod
    def of(physical: Rows, task: Rows, goal: Objective) -> _Laid:
        """Both layouts."""
        return _Laid(goal, goal.below(physical, task), goal.below(physical, Rows.none(len(goal.row))))


def _listed(constraints: Any) -> tuple[Any, ...]:
    return tuple(constraints) if isinstance(constraints, list | tuple) else (constraints,)


def _uses_rates(thing: Any) -> bool:
    if isinstance(thing, str):
        return any(rate in thing for rate in RATES)
    if isinstance(thing, Linear):
        return any(name.endswith(RATES) for name in thing.coefficients)
    return any(_uses_rates(rule.expression) for rule in getattr(thing, "rules", ())) or (
        hasattr(thing, "expression") and _uses_rates(thing.expression)
    )
