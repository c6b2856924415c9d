"""Contacts that count as at rest do rest: the nearest velocity and the nearest accelerations that fit.

Thresholds say which contact velocities count as zero, the rows `A v = 0` of closed contacts (normal) and
resting ones (tangential too), with the loops. Measured velocities hardly ever fit, and neither does the drift
`d = Jdot v` that belongs to them: where contacts repeat each other (`u A = 0`), a motion that keeps them all
needs `u d = 0`, or fixed contacts contradict each other by a trace and no mode is left between rest and
motion. So, before modes are asked for,

    v'  = the nearest velocity in kinetic energy with A v' = 0
    d'  = the part of d that A qdd + d = 0 can meet, in natural units;
          the rest is what the speeds of nothing leave behind

Drifts that are nothing beside the loads (`tolerances.RESTING`) go with the velocities: accelerations of that size are too small
for a letter that moves and too large for one that rests, and between the two no mode would be left.
"""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.modes.letters import Touch


def settled(snapshot: Snapshot, touching: Touch) -> Snapshot:
    """The snapshot with velocities at zero where they count as zero, and a drift that resting contacts can
    share.

    Contacts that slide keep their measured velocity: it says which way.

    Parameters
    ----------
    snapshot
        The instant as measured; returned as it is when nothing moves that counts as at rest.
    touching
        What gaps and velocities say of each contact.
    """
    closed = ~touching.free
    still = np.column_stack([closed, closed & (touching.slip == 0)]).ravel()
    if not np.any(snapshot.velocity[still]):
        return snapshot
    drift, loop_drift = _consistent(snapshot, still)
    changed = {
        "drift": drift,
        "loop_drift": loop_drift,
        "velocity": np.where(still, 0.0, snapshot.velocity),
        "v": None if snapshot.v is None else _nearest(snapshot, still),
    }
    for array in changed.values():
        if array is not None:
            array.setflags(write=False)
    return Snapshot.trusted(
        **{f.name: changed.get(f.name, getattr(snapshot, f.name)) for f in fields(Snapshot)}
    )


def _consistent(snapshot: Snapshot, still: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Contact and loop drift, projected on what the accelerations of the resting rows can make."""
    from modecontrol._core import modes as core

    s = snapshot
    of_q, of_f, of_lam, _ = core.natural_units(s.mass, s.actuation, s.jacobian, s.loop_jacobian)
    sizes = np.concatenate([of_f[still], of_lam])
    rows = np.vstack([s.jacobian[still], s.loop_jacobian]) * of_q * sizes[:, None]
    U, values, _ = np.linalg.svd(rows, full_matrices=False)
    U = U[:, values > tolerances.RANK * values.max(initial=0.0)]
    shared = U @ (U.T @ (np.concatenate([s.drift[still], s.loop_drift]) * sizes))
    loads = np.abs(s.bias * of_q).max(initial=0.0)
    shared = np.where(np.abs(shared).max(initial=0.0) > tolerances.RESTING * loads, shared, 0.0) / sizes
    drift = s.drift.copy()
    drift[still] = shared[: still.sum()]
    return drift, shared[still.sum() :]


def _nearest(snapshot: Snapshot, still: np.ndarray) -> np.ndarray:
    """The nearest velocity of the coordinates with the resting rows and the loops at zero."""
    from modecontrol._core import dynamics as core

    s = snapshot
    A = np.vstack([s.jacobian[still], s.loop_jacobian])
    speed = None  # of the surfaces that move, and of what is told its velocity
    if s.laws is not None:
        speed = np.concatenate([(s.jacobian @ s.v - s.velocity)[still], np.zeros(len(s.loop_jacobian))])
    return core.nearest_velocity(
        s.mass, s.jacobian, A, np.asarray(s.v), speed, float(np.diag(s.mass).max(initial=0.0))
    )
