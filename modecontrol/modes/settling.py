"""Contacts that count as at rest do rest: the nearest velocity and the nearest accelerations that fit.

Thresholds say which contact velocities count as zero, the rows `A v = 0` of closed contacts (normal) and
resting ones (tangential too), with the loops. Measured velocities hardly ever fit, and neither does the drift
`d = Jdot v` that belongs to them: where contacts repeat each other (`u A = 0`), a motion that keeps them all
needs `u d = 0`, or fixed contacts contradict each other by a trace and no mode is left between rest and
motion. So, before modes are asked for,

    v'  = the nearest velocity in kinetic energy with A v' = 0
    d'  = the part of d that A qdd + d = 0 can meet, in natural units; the rest is what the speeds of nothing leave behind,
          unless it is more than that: surfaces that move can carry contacts apart

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
    nearest = None if snapshot.v is None else _nearest(snapshot, still)
    drift, loop_drift = _consistent(snapshot, still, nearest)
    changed = {
        "drift": drift,
        "loop_drift": loop_drift,
        "velocity": np.where(still, 0.0, snapshot.velocity),
        "v": nearest,
    }
    for array in changed.values():
        if array is not None:
            array.setflags(write=False)
    return Snapshot.trusted(
        **{f.name: changed.get(f.name, getattr(snapshot, f.name)) for f in fields(Snapshot)}
    )


def _noise(snapshot: Snapshot, nearest: np.ndarray | None, rows: np.ndarray) -> np.ndarray:
    """How much of the drift of some rows may be there because of velocities that are none: a bound (m/s2 and so on).

    Drift is quadratic in velocities, `d = Jdot v`, and `Jdot` is no more than `abs(J)` times the quickest rate.
    """
    if nearest is None:
        return np.full(len(rows), np.inf)
    masses = np.sqrt(np.diag(snapshot.mass))
    stays, goes = np.linalg.norm(masses * nearest), np.linalg.norm(masses * (nearest - snapshot.v))
    if goes >= stays:
        return np.full(len(rows), np.inf)
    rates = np.abs(nearest)
    return (
        (tolerances.DRIFT_NOISE * goes / stays + tolerances.CONSISTENT) * (np.abs(rows) @ rates) * rates.max()
    )


def _consistent(
    snapshot: Snapshot, still: np.ndarray, nearest: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Contact and loop drift, projected on what the accelerations of the resting rows can make.

    What would be cut off may be the drift of a motion that goes on: surfaces that move can carry contacts apart. It is kept where
    it is more than the noise of the velocities explains.
    """
    from modecontrol._core import modes as core

    s = snapshot
    of_q, of_f, of_lam, _ = core.natural_units(s.mass, s.actuation, s.jacobian, s.loop_jacobian)
    sizes = np.concatenate([of_f[still], of_lam])
    rows = np.vstack([s.jacobian[still], s.loop_jacobian]) * of_q * sizes[:, None]
    U, values, _ = np.linalg.svd(rows, full_matrices=False)
    U = U[:, values > tolerances.RANK * values.max(initial=0.0)]
    whole = np.concatenate([s.drift[still], s.loop_drift]) * sizes
    shared = U @ (U.T @ whole)
    noise = _noise(s, nearest, np.vstack([s.jacobian[still], s.loop_jacobian])) * sizes
    if np.linalg.norm(whole - shared) > np.linalg.norm(noise):
        shared = whole
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
