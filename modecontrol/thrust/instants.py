"""From a measured state to the instant that the mode analysis should see.

Measured contacts never rest exactly. A contact within `gap` counts as closed unless it leaves faster than
`leaving`; a closed one slower than its threshold `v0` counts as at rest. The velocity is then moved to the
nearest one at which closed contacts neither approach nor leave and resting ones rest, so that `Jdot v`
belongs to the mode that is asked about.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from modecontrol import tolerances
from modecontrol.dynamics.protocol import PlanarModel
from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.dynamics.state import read_state
from modecontrol.dynamics.tree import Tree
from modecontrol.modes.constraints import Demands
from modecontrol.modes.letters import Touch
from modecontrol.validation import check_number, real_array, shown

if TYPE_CHECKING:
    from modecontrol.regions.dynamic_response import DynamicResponse


@dataclass(frozen=True, eq=False)
class Instant:
    """What the controller works on: a consistent snapshot, the contacts judged, and which are closed."""

    snapshot: Snapshot
    touching: Touch
    closed: np.ndarray


@dataclass(frozen=True, eq=False)
class Thresholds:
    """When a measured contact counts as closed, leaving and at rest.

    Attributes
    ----------
    v0
        Tangential speed below which a contact counts as at rest, one number or one per contact (m/s).
    gap
        A contact within this distance counts as closed (m).
    leaving
        A contact that rises faster than this counts as open (m/s).
    """

    v0: np.ndarray
    gap: float
    leaving: float

    @staticmethod
    def of(contacts: int, v0: ArrayLike, gap: float, leaving: float) -> Thresholds:
        """Check and spread over the contacts."""
        values = real_array(v0, "v0", infinite=True)
        if values.ndim > 1 or values.size not in (1, contacts) or not np.all(values >= 0):
            raise ValueError(
                f"v0 is {shown(v0)}; expected one threshold >= 0, or one per contact ({contacts})"
            )
        gap = check_number(gap, "gap", least=0.0, unit="m", infinite=True)
        leaving = check_number(leaving, "leaving", least=0.0, unit="m/s", infinite=True)
        return Thresholds(np.broadcast_to(values, (contacts,)) + 0.0, gap, leaving)

    def read(
        self, model: PlanarModel, q: np.ndarray, v: np.ndarray, closed: np.ndarray | None = None
    ) -> Instant:
        """Judge the contacts at a measured state and settle its velocity; `closed` overrules the gaps."""
        tree = getattr(model, "tree", None)  # users' own models may have snapshots only
        if tree is not None:
            return self._read_compiled(model, tree, q, v, closed)
        measured = model.snapshot(q, v)
        gap = np.zeros(len(self.v0)) if measured.gap is None else measured.gap
        normal, tangent = measured.velocity[0::2], measured.velocity[1::2]
        closed = (
            (gap <= self.gap) & (normal <= self.leaving) if closed is None else _flags(closed, len(self.v0))
        )
        resting = closed & (np.abs(tangent) <= self.v0)
        names = np.array(model.contacts, dtype=object)
        moving = np.abs(measured.velocity).reshape(-1, 2)
        # contacts that already move as they should, to rounding, need no settling
        off = (
            moving[closed, 0].max(initial=0.0) > tolerances.VELOCITY
            or moving[resting, 1].max(initial=0.0) > tolerances.VELOCITY
        )
        limits = measured.torque_limits  # the motors turn as measured, whatever the contacts are taken to do
        if off:
            settled = model.settle_velocity(
                q, v, zero_normal=list(names[closed]), zero_tangential=list(names[resting])
            )
            measured = model.snapshot(q, settled)
        slip = np.where(resting, 0, np.sign(tangent)).astype(np.int64)
        touching = Touch(~closed, np.where(closed, slip, 0))
        judged = replace(measured, gap=np.where(closed, 0.0, np.maximum(gap, 1.0)), torque_limits=limits)
        return Instant(judged, touching, closed)

    def _read_compiled(
        self, model: PlanarModel, tree: Tree, q: np.ndarray, v: np.ndarray, closed: np.ndarray | None
    ) -> Instant:
        """The same in one call, for models that the recursive kernels know."""
        from modecontrol._core import thrust as core

        q, v = read_state(q, model.coordinates, "q"), read_state(v, model.coordinates, "v")
        told = self._untold if closed is None else _flags(closed, len(self.v0)).astype(np.int8)
        arrays, settled, shut, slip = core.measured_instant(
            tree.core, q, v, told, self.v0, self.gap, self.leaving
        )
        M, b, J, d, xd, gap, G, e, _, limits = arrays
        for array in (q, settled, shut, slip):
            array.setflags(write=False)
        snapshot = Snapshot.trusted(
            mass=M,
            bias=b,
            actuation=tree.actuation,
            jacobian=J,
            drift=d,
            friction=tree.friction,
            velocity=xd,
            gap=gap,
            names=model.names,
            loop_jacobian=G,
            loop_drift=e,
            torque_limits=limits,
            q=q,
            v=settled,
            laws=tree.laws,
        )
        return Instant(snapshot, Touch(~shut, slip), shut)

    @cached_property
    def _untold(self) -> np.ndarray:
        return np.full(len(self.v0), -1, np.int8)


def respond_at(instant: Instant, physical: Demands = (), task: Demands = ()) -> DynamicResponse:
    """All modes of an instant as the controller judges its contacts.

    Parameters
    ----------
    instant
        What a controller works on.
    physical, task
        Constraints, as in `dynamic_response`.
    """
    from modecontrol.modes.constraints import Rows, stack, torque_rows
    from modecontrol.modes.problem import Problem
    from modecontrol.regions.dynamic_response import DynamicResponse

    limits = torque_rows(None, instant.snapshot)
    rows = Rows.stack([stack(physical, instant.snapshot), limits], limits.P.shape[1])
    problem = Problem(instant.snapshot, instant.touching, rows, stack(task, instant.snapshot), limits)
    return DynamicResponse(problem, *problem.respond())


def _flags(closed: ArrayLike, contacts: int) -> np.ndarray:
    """Which contacts are closed, one bool each."""
    try:
        flags = np.asarray(closed)
    except ValueError:
        flags = np.zeros(0)
    if flags.shape != (contacts,) or not np.all((flags == 0) | (flags == 1)):
        raise ValueError(
            f"closed contacts are {closed!r}; expected {contacts} of True or False, one per contact"
        )
    return flags.astype(bool)
