"""The stacked system of one contact mode in its raw unknowns (Eqs. (24), (25) and (32) of Greenfield 2005).

Unknowns `u = (qdd, f, lam)`; `lam` are the multipliers of loop closures.

    A u = B tau + c          dynamics, loops, contact equalities, physical equalities
    G u >= E tau + e         contact inequalities, physical inequalities, torque limits

This is the plain reading of the theory: explanations, ranks and tests use it; the kernels find the same answers
by another way (null-space substitution along the search tree).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.modes.constraints import Rows
from modecontrol.modes.letters import Touch, codes

KINEMATICS, FORCES, PHYSICAL, LIMITS = range(4)
"""What a row is about, in the order in which explanations ask: accelerations alone, forces and motion, user, inputs."""


@dataclass(frozen=True, eq=False)
class StackedSystem:
    """`A u = B tau + c`, `G u >= E tau + e` with a label per row; `strict` marks the acceleration inequalities."""

    A: np.ndarray
    B: np.ndarray
    c: np.ndarray
    equality_labels: tuple[str, ...]
    G: np.ndarray
    E: np.ndarray
    e: np.ndarray
    labels: tuple[str, ...]
    strict: np.ndarray
    stage: np.ndarray
    equality_stage: np.ndarray
    """`KINEMATICS`, `FORCES`, `PHYSICAL` or `LIMITS` for each row of `G` and of `A`."""
    units: np.ndarray
    """Natural size of each unknown; ranks are decided in unknowns divided by it."""

    @cached_property
    def singular_values(self) -> np.ndarray:
        """Of `A` with rows and columns scaled."""
        scaled = self.A * self.units
        size = np.abs(scaled).max(axis=1, initial=0.0)
        return np.linalg.svd(scaled / np.where(size > 0, size, 1.0)[:, None], compute_uv=False) if scaled.size else np.zeros(0)

    @property
    def rank(self) -> int:
        """Numerical rank of `A` (tolerance `RANK`)."""
        values = self.singular_values
        return int(np.sum(values > tolerances.RANK * values[0])) if values.size else 0


def natural_units(snapshot: Snapshot) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Sizes `(qdd, f, lam, tau)` that make the equations free of units.

    Coordinates are measured so that the mass matrix has a unit diagonal (massless ones so that the contacts see
    them as strongly as the others), contact rows so that their largest entry is one, inputs likewise.
    """
    from modecontrol._kernels.scaling import natural_units as kernel

    return kernel(snapshot.mass, snapshot.actuation, snapshot.jacobian, snapshot.loop_jacobian)


def stacked_system(snapshot: Snapshot, touching: Touch, mode: str, physical: Rows, limits: int = 0) -> StackedSystem:
    """Write down every equality and inequality of one mode (Tables 1 and 2 of Greenfield 2005).

    Parameters
    ----------
    snapshot, touching
        The instant and what its velocities say.
    mode
        Contact mode string.
    physical
        Physical constraints and torque limits.
    limits
        How many of them, at the end, are torque limits.

    """
    n, t = snapshot.actuation.shape
    k = snapshot.contacts
    loops = snapshot.loop_jacobian
    names = snapshot.names
    assert loops is not None
    assert names is not None
    assert snapshot.loop_drift is not None
    size = n + 2 * k + len(loops)
    equalities: list[tuple[np.ndarray, np.ndarray, float, str, int]] = []
    inequalities: list[tuple[np.ndarray, np.ndarray, float, str, int]] = []

    def acceleration(row: int, sign: float) -> tuple[np.ndarray, float]:
        u = np.zeros(size)
        u[:n] = sign * snapshot.jacobian[row]
        return u, -sign * snapshot.drift[row]

    def force(contact: int, normal: float, tangent: float) -> np.ndarray:
        u = np.zeros(size)
        u[n + 2 * contact: n + 2 * contact + 2] = normal, tangent
        return u

    none = np.zeros(t)
    codes(mode, k)
    for i, letter in enumerate(mode):
        name, mu = names.contacts[i], snapshot.friction[i]
        if letter == "S":
            equalities += [(force(i, 1, 0), none, 0.0, f"{name} no normal force", FORCES),
                           (force(i, 0, 1), none, 0.0, f"{name} no tangential force", FORCES)]
            if not touching.free[i]:
                inequalities.append((*_insert(acceleration(2 * i, 1.0), none), f"{name} separates", KINEMATICS))
            continue
        equalities.append((*_insert(acceleration(2 * i, 1.0), none), f"{name} stays on the surface", KINEMATICS))
        inequalities.append((force(i, 1, 0), none, 0.0, f"{name} normal force", FORCES))
        if letter == "F":
            equalities.append((*_insert(acceleration(2 * i + 1, 1.0), none), f"{name} sticks", KINEMATICS))
            inequalities += [(force(i, mu, -1), none, 0.0, f"{name} friction", FORCES),
                             (force(i, mu, 1), none, 0.0, f"{name} friction", FORCES)]
        else:
            way = 1.0 if letter == "R" else -1.0
            equalities.append((force(i, way * mu, 1), none, 0.0, f"{name} sliding friction", FORCES))
            if touching.slip[i] == 0:
                inequalities.append((*_insert(acceleration(2 * i + 1, way), none),
                                     f"{name} slides {'right' if letter == 'R' else 'left'}", KINEMATICS))
    for row, offset, j in zip(loops, snapshot.loop_drift, range(len(loops)), strict=True):
        u = np.zeros(size)
        u[:n] = row
        equalities.append((u, none, -offset, f"loop closure {j + 1}", KINEMATICS))
    dynamics = np.hstack([snapshot.mass, -snapshot.jacobian.T, -loops.T])
    for j in range(n):
        equalities.append((dynamics[j], snapshot.actuation[j], -snapshot.bias[j], f"dynamics of {names.coordinates[j]}",
                           FORCES))
    for i, (row, bound, equal, label) in enumerate(zip(physical.P, physical.p, physical.equality, physical.labels,
                                                       strict=True)):
        u = np.concatenate([row[:n + 2 * k], np.zeros(len(loops))])
        stage = LIMITS if i >= len(physical.p) - limits else PHYSICAL
        (equalities if equal else inequalities).append((u, -row[n + 2 * k:], bound, label, stage))

    units = natural_units(snapshot)
    return StackedSystem(
        A=_matrix([row[0] for row in equalities], size), B=_matrix([row[1] for row in equalities], t),
        c=np.array([row[2] for row in equalities]), equality_labels=tuple(row[3] for row in equalities),
        G=_matrix([row[0] for row in inequalities], size), E=_matrix([row[1] for row in inequalities], t),
        e=np.array([row[2] for row in inequalities], float), labels=tuple(row[3] for row in inequalities),
        strict=np.array([row[4] == KINEMATICS for row in inequalities], bool),
        stage=np.array([row[4] for row in inequalities], int), equality_stage=np.array([row[4] for row in equalities], int),
        units=np.concatenate(units[:3]))


def _insert(pair: tuple[np.ndarray, float], middle: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    return pair[0], middle, pair[1]


def _matrix(rows: list[np.ndarray], columns: int) -> np.ndarray:
    return np.array(rows, float).reshape(len(rows), columns)
