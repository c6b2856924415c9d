"""The stacked system of one contact mode in its raw unknowns (Eqs. (24), (25) and (32) of Greenfield 2005).

Unknowns `u = (qdd, f, lam)`; `lam` are the multipliers of loop closures.

    A u = B tau + c          dynamics, loops, contact equalities, physical equalities
    G u >= E tau + e         contact inequalities, physical inequalities, torque limits

This is the plain reading of the theory: explanations, ranks and tests use it; the core find the same answers
by another way (null-space substitution along the search tree). Contact rows are read from the same laws
(`core.cells`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.contact_laws import COULOMB
from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.modes.constraints import Rows
from modecontrol.modes.letters import Touch, codes

KINEMATICS, FORCES, PHYSICAL, LIMITS = range(4)
"""What a row is about, in the order in which explanations ask: accelerations alone, forces and motion, user,
inputs.
"""


@dataclass(frozen=True, eq=False)
class StackedSystem:
    """`A u = B tau + c`, `G u >= E tau + e` with a label per row; `strict` marks the acceleration
    inequalities.
    """

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
        return (
            np.linalg.svd(scaled / np.where(size > 0, size, 1.0)[:, None], compute_uv=False)
            if scaled.size
            else np.zeros(0)
        )

    @property
    def rank(self) -> int:
        """Numerical rank of `A` (tolerance `RANK`)."""
        values = self.singular_values
        return int(np.sum(values > tolerances.RANK * values[0])) if values.size else 0

    def admissible_inputs(self, sizes: np.ndarray, freedom: int) -> tuple[np.ndarray, np.ndarray]:
        """`Ap`, `bp` with `tau = Ap tau_p + bp` for the inputs that the equalities admit (Eq. (31) of
        Greenfield 2005).

        With `U0` the left null space of `A` they are the solutions of `U0' (B tau + c) = 0`, in natural
        units.

        Parameters
        ----------
        sizes
            Natural size of each input.
        freedom
            Number of independent directions among them.

        """
        A = self.A * self.units
        size = np.abs(A).max(axis=1, initial=0.0)
        size[size == 0] = 1.0
        U, _, _ = np.linalg.svd(A / size[:, None])
        left = (U[:, self.rank :] / size[:, None]).T
        V, values, Wt = np.linalg.svd(left @ self.B * sizes)
        rank = len(sizes) - freedom
        particular = Wt[:rank].T @ (V[:, :rank].T @ -(left @ self.c) / values[:rank])
        return sizes[:, None] * Wt[rank:].T, sizes * particular


def natural_units(snapshot: Snapshot) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Sizes `(qdd, f, lam, tau)` that make the equations free of units.

    Coordinates are measured so that the mass matrix has a unit diagonal (massless ones so that the contacts
    see them as strongly as the others), contact rows so that their largest entry is one, inputs likewise.
    """
    from modecontrol._core import modes as core

    return core.natural_units(snapshot.mass, snapshot.actuation, snapshot.jacobian, snapshot.loop_jacobian)


def stacked_system(
    snapshot: Snapshot, touching: Touch, mode: str, physical: Rows, limits: int = 0
) -> StackedSystem:
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
    equalities: list[tuple[np.ndarray, np.ndarray, float, str, int, bool]] = []
    inequalities: list[tuple[np.ndarray, np.ndarray, float, str, int, bool]] = []

    none = np.zeros(t)
    codes(mode, k)
    for i, (letter, state) in enumerate(zip(mode, touching.states, strict=True)):
        for (a_n, a_t), (f_n, f_t), constant, equal, strict, cause in _cell(snapshot, i, letter, int(state)):
            u = np.zeros(size)
            u[:n] = a_n * snapshot.jacobian[2 * i] + a_t * snapshot.jacobian[2 * i + 1]
            u[n + 2 * i : n + 2 * i + 2] = f_n, f_t
            level = -constant - a_n * snapshot.drift[2 * i] - a_t * snapshot.drift[2 * i + 1]
            word = cause_of(snapshot, i, cause) + {1.0: " right", -1.0: " left"}.get(a_t, "") * (not equal)
            (equalities if equal else inequalities).append(
                (u, none, level, word, FORCES if f_n or f_t else KINEMATICS, strict)
            )
    for i, host in enumerate([] if snapshot.laws is None else snapshot.laws.host.tolist()):
        if host >= 0:
            u = np.zeros(size)
            u[n + 2 * i], u[n + 2 * host] = 1.0, -1.0
            carried = f"normal force of {names.contacts[host]} bounds {names.contacts[i]}"
            equalities.append((u, none, 0.0, carried, FORCES, False))
    for row, offset, j in zip(loops, snapshot.loop_drift, range(len(loops)), strict=True):
        u = np.zeros(size)
        u[:n] = row
        equalities.append((u, none, -offset, f"loop closure {j + 1}", KINEMATICS, False))
    dynamics = np.hstack([snapshot.mass, -snapshot.jacobian.T, -loops.T])
    for j in range(n):
        equalities.append(
            (
                dynamics[j],
                snapshot.actuation[j],
                -snapshot.bias[j],
                f"dynamics of {names.coordinates[j]}",
                FORCES,
                False,
            )
        )
    for i, (row, bound, equal, label) in enumerate(
        zip(physical.P, physical.p, physical.equality, physical.labels, strict=True)
    ):
        u = np.concatenate([row[: n + 2 * k], np.zeros(len(loops))])
        stage = LIMITS if i >= len(physical.p) - limits else PHYSICAL
        (equalities if equal else inequalities).append((u, -row[n + 2 * k :], bound, label, stage, False))

    units = natural_units(snapshot)
    return StackedSystem(
        A=_matrix([row[0] for row in equalities], size),
        B=_matrix([row[1] for row in equalities], t),
        c=np.array([row[2] for row in equalities]),
        equality_labels=tuple(row[3] for row in equalities),
        G=_matrix([row[0] for row in inequalities], size),
        E=_matrix([row[1] for row in inequalities], t),
        e=np.array([row[2] for row in inequalities], float),
        labels=tuple(row[3] for row in inequalities),
        strict=np.array([row[5] for row in inequalities], bool),
        stage=np.array([row[4] for row in inequalities], int),
        equality_stage=np.array([row[4] for row in equalities], int),
        units=np.concatenate(units[:3]),
    )


def friction_rows(
    snapshot: Snapshot, touching: Touch, mode: str, contact: int
) -> tuple[list[int], list[int]]:
    """Where the rows of the friction of one contact stand among the inequalities and the equalities of a stacked system.

    Parameters
    ----------
    snapshot, touching, mode
        As for `stacked_system`.
    contact
        Place of the contact.
    """
    from modecontrol._core import modes as core

    found: tuple[list[int], list[int]] = ([], [])
    counts = [0, 0]
    for i, (letter, state) in enumerate(zip(mode, touching.states, strict=True)):
        for _, _, _, equal, _, cause in _cell(snapshot, i, letter, int(state)):
            if i == contact and "friction" in core.CAUSES[cause]:
                found[equal].append(counts[equal])
            counts[equal] += 1
    return found


def _cell(snapshot: Snapshot, contact: int, letter: str, state: int):
    """Rows of one letter of a contact's law; of the law at rest when its velocity rules the letter out."""
    from modecontrol._core import modes as core

    for at in (state, core.AT_REST):
        found = dict(cells_of(snapshot, contact, at))
        if letter in found:
            return found[letter]
    raise ValueError(
        f"mode has {letter!r} for {snapshot.names.contacts[contact]!r}, whose law has the letters "
        f"{', '.join(found)} only"
    )


def cells_of(snapshot: Snapshot, contact: int, state: int) -> list[tuple[str, list[Any]]]:
    """Letters and rows of the law of a contact in one state (a code of the core)."""
    from modecontrol._core import modes as core

    law = None if snapshot.laws is None else snapshot.laws.numbers(contact)
    return core.cells(snapshot.friction_low[contact], snapshot.friction_high[contact], state, law)


WORDS = {
    "stop": {"normal force": "presses", "separates": "leaves", "stays on the surface": "stays pressed"},
    "cable": {"normal force": "tension", "separates": "goes slack", "stays on the surface": "stays taut"},
    "drive": {"sticks": "moves as told", "friction": "effort limit"},
    "friction": {"sticks": "sticks", "friction": "limit"},
    "rolling": {"sticks": "holds", "friction": "limit", "slides": "rolls", "sliding friction": "resists"},
}
"""What the causes of the core are called for entries that are no contacts of bodies."""


def cause_of(snapshot: Snapshot, contact: int, cause: int) -> str:
    """What a row of a law stands for: the name of the contact and a word.

    Parameters
    ----------
    snapshot
        The instant.
    contact
        Place of the contact.
    cause
        Code of the core.
    """
    from modecontrol._core import modes as core

    name, word = snapshot.names.contacts[contact], core.CAUSES[cause]
    if snapshot.laws is None or snapshot.laws.kind[contact] == COULOMB:
        return f"{name} {word}"
    return f"{name} {WORDS.get(name.rpartition('.')[2], WORDS['cable']).get(word, word)}"


def _matrix(rows: list[np.ndarray], columns: int) -> np.ndarray:
    return np.array(rows, float).reshape(len(rows), columns)
