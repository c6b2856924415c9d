"""`Problem`: one instant with everything that constrains it, ready for the search over modes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol import tolerances
from modecontrol.dynamics.names import Names
from modecontrol.dynamics.snapshot import Snapshot, check_snapshot
from modecontrol.modes.constraints import Demands, Rows, TorqueLimits, stack, torque_rows
from modecontrol.modes.extreme_friction import check_friction
from modecontrol.modes.extreme_masses import check_masses
from modecontrol.modes.letters import Touch, touch
from modecontrol.modes.moderate import Found
from modecontrol.modes.packed import BY_DYNAMICS, DYNAMICS, Leaves, Packed
from modecontrol.modes.raw_system import StackedSystem, cause_of, stacked_system
from modecontrol.modes.settling import settled

if TYPE_CHECKING:
    from modecontrol.modes.mode_response import ModeResponse


@dataclass(frozen=True, eq=False)
class Problem:
    """Snapshot, velocities judged, and constraint rows: physical ones (with torque limits) and tasks apart."""

    snapshot: Snapshot
    touching: Touch
    physical: Rows
    task: Rows
    limits: Rows
    """The torque limits alone (they are among the physical rows, too)."""
    asked: tuple[Any, Any, Any] | None = None
    """Torque limits, physical and task constraints as they were given, where that is known."""

    strict = tolerances.STRICT

    @staticmethod
    def of(
        snapshot: Snapshot,
        torque_limits: TorqueLimits = None,
        physical: Demands = (),
        task: Demands = (),
        velocity_tolerance: ArrayLike = tolerances.VELOCITY,
        normal_tolerance: ArrayLike | None = None,
    ) -> Problem:
        """Judge and settle the contacts, read every constraint at this instant; unknown names and wrong
        shapes raise here.
        """
        check_snapshot(snapshot)
        touching = touch(snapshot, velocity_tolerance, normal_tolerance=normal_tolerance)
        snapshot = settled(snapshot, touching)
        limits = torque_rows(torque_limits, snapshot)
        columns = limits.P.shape[1]
        return Problem(
            snapshot,
            touching,
            Rows.stack([stack(physical, snapshot), limits], columns),
            stack(task, snapshot),
            limits,
            (torque_limits, physical, task),
        )

    def at(self, snapshot: Snapshot) -> Problem:
        """The same question at a neighbouring instant: contacts count as what they count as here."""
        snapshot = settled(snapshot, self.touching)
        if self.asked is None:
            return replace(self, snapshot=snapshot)
        torque_limits, physical, task = self.asked
        limits = torque_rows(torque_limits, snapshot)
        return replace(
            self,
            snapshot=snapshot,
            limits=limits,
            task=stack(task, snapshot),
            physical=Rows.stack([stack(physical, snapshot), limits], limits.P.shape[1]),
        )

    @property
    def names(self) -> Names:
        """Names of coordinates, inputs and contacts."""
        assert self.snapshot.names is not None
        return self.snapshot.names

    @cached_property
    def instant(self):
        """Snapshot, contact laws and physical rows as the core reads them (`core.Instant`)."""
        return instant(self.snapshot, self.touching, self.physical)

    @cached_property
    def root(self):
        """The search's table before any letter is assigned (`core.Root`)."""
        from modecontrol._core import modes as core

        return core.dynamic_root(self.instant)

    def take_root(self, root: Any) -> None:
        """Keep a table that the core made for many instants at once: `root` need not be made again."""
        self.__dict__["root"] = root

    @property
    def input_sizes(self) -> np.ndarray:
        """The natural size of each input."""
        return self.root.units[self.root.layout.tau :] * self.root.size

    @property
    def size(self) -> float:
        """Natural size of the right-hand sides (bias and drift in natural units)."""
        return float(self.root.size)

    def __getstate__(self) -> dict[str, Any]:
        """Without the core's objects, which are made again where they are needed."""
        return {name: value for name, value in self.__dict__.items() if name not in ("instant", "root")}

    def respond(self) -> tuple[Leaves, Packed]:
        """All modes with a nonempty strict domain, and their responses, domains and torque sets."""
        from modecontrol._core import modes as core

        leaves, packed = core.respond(self.root)
        return self.decided(Leaves(*leaves)), Packed(*packed)

    def decided(self, leaves: Leaves) -> Leaves:
        """The modes as found, unless extreme friction or masses leave them open: then `UncheckedError`."""
        found = Found(self, leaves)
        check_friction(found)
        check_masses(found)
        return leaves

    def with_friction(self, friction: Any) -> Problem:
        """The same problem with other friction: a `FrictionBox`, or exact coefficients (k,)."""
        return Problem(
            self.snapshot.with_friction(friction), self.touching, self.physical, self.task, self.limits
        )

    @property
    def undisturbed(self) -> Problem:
        """The instant without a disturbance: this one."""
        return self

    @property
    def extremes(self) -> list[Problem]:
        """The instants that decide what is guaranteed, whatever acts: this one when nothing is disturbed."""
        return [self]

    def respond_in(self, mode: str) -> ModeResponse | None:
        """The response of one mode alone; None when it cannot happen."""
        from modecontrol._core import modes as core
        from modecontrol.modes.letters import codes
        from modecontrol.modes.packed import unpack

        root = core.dynamic_root(
            instant(self.snapshot, self.touching, self.physical, codes(mode, self.snapshot.contacts))
        )
        leaves, packed = core.respond(root)
        return unpack(self, mode, Packed(*packed), 0) if len(Leaves(*leaves).letters) else None

    @cached_property
    def felt(self) -> Rows:
        """The physical rows without those that are so far away that they say nothing
        (`tolerances.UNLIMITED`).
        """
        return self.physical.where(~self.root.idle)

    def system(self, mode: str) -> StackedSystem:
        """Raw stacked equations of one mode."""
        limits = int(np.count_nonzero(~self.root.idle[len(self.physical.p) - len(self.limits.p) :]))
        return stacked_system(self.snapshot, self.touching, mode, self.felt, limits)

    def cause(self, code: int) -> str:
        """What a row of a domain stands for, from its code in the core."""
        from modecontrol._core import modes as core

        contact, kind = divmod(int(code), len(core.CAUSES))
        if contact < len(self.names.contacts):
            return cause_of(self.snapshot, contact, kind)
        return self.physical.labels[int(code) - len(core.CAUSES) * len(self.names.contacts)]

    @cached_property
    def _cause_sets(self) -> dict[tuple[int, ...], frozenset[str]]:
        return {}

    def cause_set(self, codes: tuple[int, ...]) -> frozenset[str]:
        """The causes of a row together, made once for all rows that have the same; `BY_DYNAMICS` is the code of the
        equations of motion.
        """
        found = self._cause_sets.get(codes)
        if found is None:
            alone = (DYNAMICS if code == BY_DYNAMICS else {self.cause(code)} for code in codes)
            found = self._cause_sets[codes] = frozenset().union(*alone)
        return found

    @cached_property
    def torque_set(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Physical rows that concern the inputs alone, as `A tau <= b`, `C tau = d`."""
        inputs = self.snapshot.actuation.shape[1]
        rows = self.felt
        alone = ~np.any(rows.P[:, : rows.P.shape[1] - inputs], axis=1)
        loose, tight = alone & ~rows.equality, alone & rows.equality
        N = rows.P[:, rows.P.shape[1] - inputs :]
        return -N[loose], -rows.p[loose], N[tight], rows.p[tight]


def instant(snapshot: Snapshot, touching: Touch, rows: Rows, letters: np.ndarray | None = None):
    """A snapshot with its contacts judged and its physical rows, as the core reads them (`core.Instant`).

    With `letters` (bytes) each contact keeps that cell of its law alone.
    """
    return core_instant(snapshot, touching, (rows.P, rows.p, rows.equality, len(rows.p)), letters)


def core_instant(
    snapshot: Snapshot,
    touching: Touch,
    rows: tuple[np.ndarray, np.ndarray, np.ndarray, int],
    letters: np.ndarray | None = None,
):
    """The same with rows `(P, p, equality, number of physical ones)`, of which the last ones wait."""
    from modecontrol._core import modes as core

    s = snapshot
    return core.Instant(
        (s.mass, s.bias, s.actuation, s.jacobian, s.drift, s.loop_jacobian, s.loop_drift),
        (s.friction_low, s.friction_high, *(() if s.laws is None else s.laws.arrays())),
        touching.states,
        rows,
        letters,
        still=tolerances.STILL if touching.noise else 0.0,
    )
