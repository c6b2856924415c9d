"""An instant with a disturbance among its unknowns.

    M qdd - B e + b = S tau + J^T f          rows on (qdd, e, f, tau)

The disturbances `e` stand behind the accelerations, as coordinates without an equation of their own; their bounds are
physical rows. So every mode's domain holds them beside `w`, and what was true of "whatever `w` turns out to be" is true of
them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.modes.constraints import Rows
from modecontrol.modes.disturbance import Load
from modecontrol.modes.lift import Lift
from modecontrol.modes.problem import Problem


@dataclass(frozen=True, eq=False)
class DisturbedProblem(Problem):
    """A problem with a disturbance among its unknowns, for inputs of given signs."""

    # always given; what stands before them in `Problem` has a default
    nominal: Problem = None  # type: ignore[assignment]
    lift: Lift = None  # type: ignore[assignment]
    signs: np.ndarray = None  # type: ignore[assignment]

    @staticmethod
    def under(problem: Problem, load: Load, signs: np.ndarray) -> DisturbedProblem:
        """The problem of an instant; inputs with a relative error are kept to their sign."""
        n, t = problem.snapshot.actuation.shape
        width = n + 2 * problem.snapshot.contacts + t
        sides = np.zeros((len(load.scaled), width))
        sides[np.arange(len(load.scaled)), width - t + load.scaled] = signs[load.scaled]
        side = Rows(
            sides, np.zeros(len(sides)), np.zeros(len(sides), bool), ("sign of an input",) * len(sides)
        )
        nominal = replace(
            problem,
            physical=Rows.stack([problem.physical, side], width),
            limits=Rows.stack([problem.limits, side], width),
            asked=None,
        )
        lift = Lift.of(load, problem.root.units[:n])
        lifted = lift.snapshot(problem.snapshot)
        physical = Rows.stack(
            [lift.rows(problem.snapshot, signs), lift.widened(nominal.physical, n)], width + lift.count
        )
        return DisturbedProblem(
            lifted,
            problem.touching,
            physical,
            lift.widened(nominal.task, n),
            lift.widened(nominal.limits, n),
            None,
            nominal,
            lift,
            signs,
        )

    @property
    def undisturbed(self) -> Problem:
        """The instant without its disturbance."""
        return self.nominal

    @cached_property
    def positive(self) -> Rows:
        """The physical rows as the core reads them: bounds of relative errors for positive inputs."""
        n = len(self.nominal.names.coordinates)
        bounds = self.lift.rows(self.nominal.snapshot, np.ones(len(self.signs)))
        return Rows.stack([bounds, self.lift.widened(self.nominal.physical, n)], self.physical.P.shape[1])

    @property
    def centre(self) -> Problem:
        """The instant with the disturbance in its middle."""
        return self._at(np.zeros(len(self.signs)), self.lift.load.middle)

    def with_friction(self, friction: Any) -> DisturbedProblem:
        """The same problem with other friction."""
        return replace(
            self, snapshot=self.snapshot.with_friction(friction), nominal=self.nominal.with_friction(friction)
        )

    @property
    def extremes(self) -> list[Problem]:
        """The instant at each vertex of the disturbance."""
        return [self._at(way, self.lift.load.along @ g) for way, g in self.lift.load.vertices]

    def _at(self, way: np.ndarray, push: np.ndarray) -> Problem:
        load, known = self.lift.load, self.nominal.snapshot
        changes = {
            "bias": known.bias - known.actuation @ (way * load.added) - push,
            "actuation": known.actuation * (1.0 + way * self.signs * load.part),
        }
        there = Snapshot.trusted(
            **{f.name: changes.get(f.name, getattr(known, f.name)) for f in fields(known)}
        )
        return replace(self.nominal, snapshot=there)
