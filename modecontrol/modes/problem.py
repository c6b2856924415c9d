"""`Problem`: one instant with everything that constrains it, ready for the search over modes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol import tolerances
from modecontrol.dynamics.snapshot import Names, Snapshot, check_snapshot
from modecontrol.modes.constraints import Rows, stack, torque_rows
from modecontrol.modes.letters import Touch, touch
from modecontrol.modes.system import StackedSystem, stacked_system


@dataclass(frozen=True, eq=False)
class Problem:
    """Snapshot, velocities judged, and constraint rows: physical ones (with torque limits) and tasks apart."""

    snapshot: Snapshot
    touching: Touch
    physical: Rows
    task: Rows
    limits: Rows
    """The torque limits alone (they are among the physical rows, too)."""

    strict = tolerances.STRICT

    @staticmethod
    def of(snapshot: Snapshot, torque_limits: Any = None, physical: Any = (), task: Any = (),
           velocity_tolerance: ArrayLike = tolerances.VELOCITY) -> Problem:
        """Read every constraint at this instant; unknown names and wrong shapes raise here."""
        check_snapshot(snapshot)
        limits = torque_rows(torque_limits, snapshot)
        columns = limits.P.shape[1]
        return Problem(snapshot, touch(snapshot, velocity_tolerance),
                       Rows.stack([stack(physical, snapshot), limits], columns), stack(task, snapshot), limits)

    @property
    def names(self) -> Names:
        """Names of coordinates, inputs and contacts."""
        assert self.snapshot.names is not None
        return self.snapshot.names

    @cached_property
    def root(self):
        """The search's table before any letter is assigned (a kernel `Root`)."""
        from modecontrol._kernels.table import dynamic_root

        s, rows = self.snapshot, self.physical
        return dynamic_root(s.mass, s.bias, s.actuation, s.jacobian, s.drift, s.loop_jacobian, s.loop_drift, s.friction,
                            self.touching.free, self.touching.slip, rows.P, rows.p, rows.equality, len(rows.p))

    @property
    def size(self) -> float:
        """Natural size of the right-hand sides (bias and drift in natural units)."""
        return float(self.root.size)

    def search(self):
        """All modes with a nonempty strict domain (kernel `Leaves`)."""
        from modecontrol._kernels.search import search

        return search(self.root, self.snapshot.friction, self.touching.free, self.touching.slip, self.touching.allowed, True)

    def respond(self, leaves):
        """Responses and domains of those modes (kernel `Responses`)."""
        from modecontrol._kernels.respond import respond

        root = self.root
        return respond(leaves, root.layout, root.units, root.size, self.snapshot.friction, self.touching.free,
                       self.touching.slip, self.physical.equality, self.snapshot.actuation.shape[1])

    def system(self, mode: str) -> StackedSystem:
        """Raw stacked equations of one mode."""
        return stacked_system(self.snapshot, self.touching, mode, self.physical, len(self.limits.p))

    def cause(self, code: int) -> str:
        """What a row of a domain stands for, from the kernel's cause code."""
        from modecontrol._kernels.respond import CAUSES

        contact, kind = divmod(int(code), CAUSES)
        if contact < len(self.names.contacts):
            words = ("normal force", "friction", "friction", "separates", "slides")
            return f"{self.names.contacts[contact]} {words[kind]}"
        return self.physical.labels[int(code) - CAUSES * len(self.names.contacts)]

    @cached_property
    def torque_set(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Physical rows that concern the inputs alone, as `A tau <= b`, `C tau = d`."""
        inputs = self.snapshot.actuation.shape[1]
        rows = self.physical
        alone = ~np.any(rows.P[:, :rows.P.shape[1] - inputs], axis=1)
        loose, tight = alone & ~rows.equality, alone & rows.equality
        N = rows.P[:, rows.P.shape[1] - inputs:]
        return -N[loose], -rows.p[loose], N[tight], rows.p[tight]
