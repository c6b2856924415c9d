"""`Lift`: the unknowns that a disturbance adds to an instant, with their bounds and vertices.

Additive errors of inputs come first, then additive forces, then relative errors of inputs. A relative error is bounded by the size
of its input, `abs(r) <= abs(tau)`: linear where the sign of the input is known.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.modes.constraints import Rows
from modecontrol.modes.disturbance import Load
from modecontrol.modes.letters import Touch


def idle_inputs(snapshot: Snapshot, touching: Touch) -> np.ndarray:
    """Inputs (t,) that act on one massless coordinate whose contacts are all open: an error of them moves nothing."""
    S, J = snapshot.actuation, snapshot.jacobian
    found = np.zeros(S.shape[1], bool)
    for i, column in enumerate(S.T):
        acted = np.flatnonzero(column)
        if len(acted) == 1 and not snapshot.mass[acted[0]].any():
            feels = np.any(J[:, acted[0]].reshape(-1, 2) != 0, axis=1)
            held = snapshot.loop_jacobian.size > 0 and np.any(snapshot.loop_jacobian[:, acted[0]])
            found[i] = not held and bool(np.all(touching.free[feels]))
    return found


@dataclass(frozen=True, eq=False)
class Lift:
    """The unknowns that a disturbance adds: additive errors of inputs, forces, relative errors of inputs.

    Attributes
    ----------
    load
        The disturbance.
    unit
        (m,): what one unit of each unknown stands for.
    """

    load: Load
    unit: np.ndarray

    @staticmethod
    def of(load: Load, sizes: np.ndarray) -> Lift:
        """With unknowns as large as the loads that move the mechanism by one natural unit; `sizes` are those of the
        coordinates.
        """
        column = np.abs(Lift(load, np.ones(0))._plain).T * sizes
        largest = column.max(axis=1, initial=0.0)
        return Lift(load, 1.0 / np.where(largest > tolerances.TINY, largest, 1.0))

    @cached_property
    def _plain(self) -> np.ndarray:
        load = self.load
        return np.hstack(
            [
                load.actuation[:, load.erring],
                load.along,
                load.actuation[:, load.scaled] * load.part[load.scaled],
            ]
        )

    @property
    def columns(self) -> np.ndarray:
        """(n, m): generalised forces per unit of each unknown."""
        return self._plain * self.unit

    @property
    def count(self) -> int:
        """Number of unknowns."""
        return self._plain.shape[1]

    @property
    def first_relative(self) -> int:
        """Place of the first relative error."""
        return len(self.load.erring) + self.load.along.shape[1]

    def names(self, inputs: tuple[str, ...]) -> tuple[str, ...]:
        """What the unknowns are called."""
        return (
            *(f"error of {inputs[i]}" for i in self.load.erring),
            *self.load.names,
            *(f"relative error of {inputs[i]}" for i in self.load.scaled),
        )

    def snapshot(self, snapshot: Snapshot, named: bool = True) -> Snapshot:
        """The instant with the disturbances behind its accelerations; without their names for the core alone."""
        n, m = len(snapshot.mass), self.count
        mass = np.zeros((n + m, n + m))
        mass[:n, :n], mass[:n, n:] = snapshot.mass, -self.columns
        below = np.zeros(m)
        changes: dict[str, Any] = {
            "mass": mass,
            "bias": np.concatenate([snapshot.bias, below]),
            "actuation": np.vstack([snapshot.actuation, np.zeros((m, snapshot.actuation.shape[1]))]),
            "jacobian": np.hstack([snapshot.jacobian, np.zeros((len(snapshot.jacobian), m))]),
            "loop_jacobian": np.hstack([snapshot.loop_jacobian, np.zeros((len(snapshot.loop_jacobian), m))]),
            "source": None,
        }
        if named:
            known = snapshot.names
            changes["names"] = replace(known, coordinates=(*known.coordinates, *self.names(known.inputs)))
        return Snapshot.trusted(
            **{f.name: changes.get(f.name, getattr(snapshot, f.name)) for f in fields(snapshot)}
        )

    def widened(self, rows: Rows, coordinates: int) -> Rows:
        """Rows on `(qdd, f, tau)` as rows on `(qdd, e, f, tau)`."""
        return replace(rows, P=self.row(rows.P, coordinates))

    def row(self, P: np.ndarray, coordinates: int) -> np.ndarray:
        """The same for coefficients alone."""
        return np.hstack([P[:, :coordinates], np.zeros((len(P), self.count)), P[:, coordinates:]])

    def rows(self, snapshot: Snapshot, signs: np.ndarray) -> Rows:
        """Bounds of the disturbances, on `(qdd, e, f, tau)`; `signs` (t,) are those of the inputs.

        The two rows of each relative error come last, pair by pair.
        """
        n, t = snapshot.actuation.shape
        load, width = self.load, n + self.count + 2 * snapshot.contacts + t
        P, p, equality, labels = [], [], [], []

        def add(place: int, values: np.ndarray, bound: float, tied: bool, label: str) -> None:
            row = np.zeros(width)
            row[n + place : n + place + len(values)] = values
            P.append(row)
            p.append(bound)
            equality.append(tied)
            labels.append(label)

        for j, i in enumerate(load.erring):
            for sign in (1.0, -1.0):
                add(
                    j,
                    np.array([sign]),
                    -load.added[i] / self.unit[j],
                    False,
                    f"error of {snapshot.names.inputs[i]}",
                )
        at = len(load.erring)
        if load.forces is not None:
            unit = self.unit[at : self.first_relative]
            for row, bound in zip(load.forces.A, load.forces.b, strict=True):
                add(at, -row * unit, -bound, False, "additive forces")
            for row, bound in zip(load.forces.C, load.forces.d, strict=True):
                add(at, row * unit, bound, True, "additive forces")
        for j, i in enumerate(load.scaled, self.first_relative):
            for sign in (1.0, -1.0):
                add(
                    j,
                    np.array([sign * self.unit[j]]),
                    0.0,
                    False,
                    f"relative error of {snapshot.names.inputs[i]}",
                )
                P[-1][width - t + i] = signs[i]
        return Rows(
            np.array(P).reshape(-1, width), np.array(p, float), np.array(equality, bool), tuple(labels)
        )

    @cached_property
    def vertices(self) -> tuple[np.ndarray, np.ndarray]:
        """(V, m) twice: at each vertex the unknowns are `level + slope abs(tau)`, with the input of each relative error."""
        load = self.load
        level, slope = np.zeros((len(load.vertices), self.count)), np.zeros((len(load.vertices), self.count))
        for row, (way, g) in enumerate(load.vertices):
            level[row, : len(load.erring)] = (way * load.added)[load.erring]
            level[row, len(load.erring) : self.first_relative] = g
            slope[row, self.first_relative :] = way[load.scaled]
        return level / self.unit, slope / self.unit

    def spread(self, coordinates: int) -> tuple[int, np.ndarray, np.ndarray, np.ndarray, int]:
        """What the core needs to know: where the unknowns begin, their vertices, the input of each relative error (-1:
        none), and the first of the pairs of rows of relative errors.
        """
        level, slope = self.vertices
        inputs = np.full(self.count, -1, np.int64)
        inputs[self.first_relative :] = self.load.scaled
        forces = 0 if self.load.forces is None else len(self.load.forces.b) + len(self.load.forces.d)
        return coordinates, level, slope, inputs, 2 * len(self.load.erring) + forces
