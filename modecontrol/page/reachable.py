"""Which contacts stay closed where not all of them can: as many as possible, and none entered.

    minimise  sum of the gaps of the kept contacts + BARRIER sum of the depths of all    over the free coordinates,

a linear program at every step, whose corners have as many gaps at zero as there are freedoms. A box that is turned
by its slider so keeps the corner about which it turns, and lets the other one go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.polytopes.linear_program import optimum

STEPS = 12
"""Programs before the last configuration is taken as it is."""
LONGEST = 0.3
"""Bound of a step, in radians and mechanism sizes: beyond it a linearised gap says little."""
BARRIER = 1e3
"""What a metre inside costs, in metres of gap."""
EFFORT = 1e-3
"""What a step costs, in metres of gap: of equal answers the nearest is taken."""


def reachable(
    model: Any, q: np.ndarray, kept: Sequence[int], scale: np.ndarray, held: int | None
) -> tuple[np.ndarray, list[int]]:
    """A configuration near `q` and the contacts among `kept` that are closed there.

    Parameters
    ----------
    model
        Anything with `snapshot`; `loop_residual` is used where it is there.
    q
        Where to begin; a held coordinate has its wanted value already.
    kept
        Numbers of the contacts that shall be closed.
    scale
        Natural size of each coordinate.
    held
        Number of the coordinate that must not move; None leaves all free.
    """
    q = np.array(q, dtype=float)
    free = np.array([i for i in range(len(q)) if i != held], dtype=int)
    size = float(scale.max(initial=1.0))
    closed: list[int] = []
    for _ in range(STEPS):
        snap = model.snapshot(q)
        near = np.flatnonzero(np.abs(snap.gap) < tolerances.NOTHING_THERE / 2)
        wanted = [i for i in kept if i in set(near.tolist())]
        loops = model.loop_residual(q) if hasattr(model, "loop_residual") else np.zeros(0)
        step = _step(
            snap.gap[near],
            snap.jacobian[2 * near][:, free] * scale[free],
            np.isin(near, wanted),
            loops,
            (snap.loop_jacobian[:, free] if len(loops) else np.zeros((0, len(free)))) * scale[free],
        )
        if step is None:
            break
        q[free] += scale[free] * step
        gap = model.snapshot(q).gap
        closed = [i for i in kept if abs(gap[i]) <= tolerances.MEANT_CLOSED * size]
        if np.abs(step).max(initial=0.0) <= tolerances.MEANT_CLOSED:
            break
    return q, closed


def _step(
    gaps: np.ndarray, rows: np.ndarray, wanted: np.ndarray, loops: np.ndarray, closures: np.ndarray
) -> np.ndarray | None:
    """The step of one program over (step, its size, depths): None where the loops cannot be closed."""
    n, k = rows.shape[1], len(gaps)
    eye, none = np.eye(n), np.zeros
    A = np.vstack(
        [
            np.hstack([eye, -eye, none((n, k))]),
            np.hstack([-eye, -eye, none((n, k))]),
            np.hstack([none((n, n)), eye, none((n, k))]),
            np.hstack([none((k, n)), none((k, n)), -np.eye(k)]),
            np.hstack([-rows, none((k, n)), -np.eye(k)]),
        ]
    )
    b = np.concatenate([none(2 * n), np.full(n, LONGEST), none(k), gaps])
    C = np.hstack([closures, none((len(loops), n + k))])
    cost = np.concatenate([rows[wanted].sum(axis=0), np.full(n, EFFORT), np.full(k, BARRIER)])
    found = optimum(-cost, A, b, C, -loops)
    return None if found.point is None else found.point[:n]
