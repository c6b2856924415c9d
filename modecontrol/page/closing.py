"""Keep closed contacts closed: the nearest configuration with the chosen gaps at zero, and a velocity that
goes with it.

    minimise  |D^-1 (q - q0)|    with    gap_i(q) = 0 for the contacts kept,    loops closed,    one coordinate held

by Newton steps of least size. What would be entered on the way (the ground, a stop) is touched instead. Where not all
contacts can be kept (a leg no longer reaches the ground) they are tried one after the other, the one that misses
least first, and those that cannot be closed beside the ones before are named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from modecontrol import tolerances
from modecontrol.page.scene import has_bodies

if TYPE_CHECKING:
    from modecontrol.dynamics.model import Model
    from modecontrol.dynamics.protocol import PlanarModel
    from modecontrol.dynamics.snapshot import Snapshot

STEPS = 60
"""Newton steps before a configuration counts as out of reach."""
LONGEST = 0.25
"""Longest Newton step, in radians and mechanism sizes: beyond it a linearised gap says little."""
PULL = 1e-4
"""Resistance of the coordinates against a pulled point, relative to the pull."""


@dataclass(frozen=True)
class Pull:
    """A point of a body that is drawn towards a place in the world.

    Attributes
    ----------
    body
        Number of the body.
    point
        Its coordinates in the body's frame.
    target
        Where it shall go, in the world.
    """

    body: int
    point: tuple[float, float]
    target: tuple[float, float]


@dataclass(frozen=True)
class Closed:
    """A configuration and what became of the contacts.

    Attributes
    ----------
    q
        The configuration.
    let_go
        Contacts (numbers) that could not be kept closed.
    reached
        Whether the loops could be closed with the held coordinate where it was asked to be.
    """

    q: np.ndarray
    let_go: tuple[int, ...]
    reached: bool


def close(
    model: PlanarModel,
    q: np.ndarray,
    kept: Sequence[int],
    scale: np.ndarray,
    held: int | None = None,
    pull: Pull | None = None,
) -> Closed:
    """The nearest configuration with the kept contacts closed and nothing entered.

    Parameters
    ----------
    model
        Anything with `snapshot`; `loop_residual` and `frames` are used where they are there.
    q
        Where to begin; a held coordinate has its wanted value already.
    kept
        Numbers of the contacts whose gaps shall be zero.
    scale
        Natural size of each coordinate: 1 for an angle, the mechanism's size for a length.
    held
        Number of the coordinate that must not move; None leaves all free.
    pull
        A point to be drawn along.
    """
    touching = _touching(model, q, list(kept), scale, held, pull)
    if touching is not None:
        return Closed(touching[0], (), True)
    _, gaps, _ = _newton(model, q, list(kept), scale, held, None)
    found, closed = q, list[int]()
    for i in [None, *(kept[place] for place in np.argsort(np.abs(gaps), kind="stable"))]:
        if i not in closed:
            touching = _touching(model, q, closed if i is None else [*closed, i], scale, held, None)
            found, closed = touching or (found, closed)
    if not closed and touching is None:  # something is entered in any case, or the loops cannot be closed
        found, _, loops = _newton(model, q, [], scale, held, None)
        return Closed(found, tuple(kept), bool(np.abs(loops).max(initial=0.0) <= _allowed(scale)))
    return Closed(found, tuple(i for i in kept if i not in closed), True)


def _touching(
    model: PlanarModel,
    q: np.ndarray,
    rows: list[int],
    scale: np.ndarray,
    held: int | None,
    pull: Pull | None,
) -> tuple[np.ndarray, list[int]] | None:
    """The configuration at which these contacts touch, and all that do: what would be entered is touched, too."""
    while True:
        found, gaps, loops = _newton(model, q, rows, scale, held, pull)
        if max(np.abs(gaps).max(initial=0.0), np.abs(loops).max(initial=0.0)) > _allowed(scale):
            return None
        entered = [i for i in inside(model.snapshot(found), _allowed(scale)) if i not in rows]
        if not entered:
            return found, rows
        rows = [*rows, *entered]


def _allowed(scale: np.ndarray) -> float:
    return tolerances.CLOSED * float(scale.max(initial=1.0))


def inside(snap: Snapshot, allowed: float) -> list[int]:
    """Rigid contacts that are deeper inside what they touch than is allowed.

    Parameters
    ----------
    snap
        The configuration.
    allowed
        Depth that is not counted.
    """
    rigid = True if snap.stiffness is None else np.isinf(snap.stiffness)
    return np.flatnonzero(rigid & (snap.gap < -allowed)).tolist()


def _newton(
    model: PlanarModel,
    q: np.ndarray,
    rows: list[int],
    scale: np.ndarray,
    held: int | None,
    pull: Pull | None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    q = np.array(q, dtype=float)
    size = float(scale.max(initial=1.0))
    free = np.array([i for i in range(len(q)) if i != held], dtype=int)
    for step in range(STEPS):
        gaps, loops, A = _residual(model, q, rows)
        missed = max(np.abs(gaps).max(initial=0.0), np.abs(loops).max(initial=0.0))
        if missed <= tolerances.CLOSED * size and (pull is None or step > STEPS // 3):
            break
        scaled = A[:, free] * scale[free]
        if pull is not None and has_bodies(model) and step < STEPS // 3:
            y = _pulled(model, q, pull, scaled, c=np.concatenate([gaps, loops]), scale=scale, free=free)
        else:
            y = -np.linalg.lstsq(scaled, np.concatenate([gaps, loops]), rcond=tolerances.CLOSING_RANK)[0]
        longest = np.abs(y).max(initial=0.0)
        if longest > LONGEST:
            y *= LONGEST / longest
        q[free] += scale[free] * y
        if longest < tolerances.CLOSING_END:
            break
    return q, *_residual(model, q, rows)[:2]


def _residual(
    model: PlanarModel, q: np.ndarray, rows: list[int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    snap = model.snapshot(q)
    loops = model.loop_residual(q) if hasattr(model, "loop_residual") else np.zeros(0)
    G = snap.loop_jacobian if len(loops) else np.zeros((0, len(q)))
    return snap.gap[rows], loops, np.vstack([snap.jacobian[[2 * i for i in rows]], G])


def _pulled(
    model: Model,
    q: np.ndarray,
    pull: Pull,
    A: np.ndarray,
    *,
    c: np.ndarray,
    scale: np.ndarray,
    free: np.ndarray,
) -> np.ndarray:
    """`min |J y - e|^2 + PULL |y|^2` with `A y = -c`, by a basis of the null space of `A`."""
    size = float(scale.max(initial=1.0))
    here = place(model, q, pull)
    J = np.empty((2, len(free)))
    for column, i in enumerate(free):
        step = tolerances.DIFFERENCE * scale[i]
        ahead = q.copy()
        ahead[i] += step
        J[:, column] = (place(model, ahead, pull) - here) / step * scale[i] / size
    e = (np.array(pull.target) - here) / size
    y0 = -np.linalg.lstsq(A, c, rcond=tolerances.CLOSING_RANK)[0] if len(c) else np.zeros(len(free))
    _, s, Vt = np.linalg.svd(A) if len(c) else (None, np.zeros(0), np.eye(len(free)))
    N = Vt[int(np.sum(s > tolerances.CLOSING_RANK * s.max(initial=tolerances.TINY))) :].T
    z = np.linalg.lstsq(
        np.vstack([J @ N, np.sqrt(PULL) * np.eye(N.shape[1])]),
        np.concatenate([e - J @ y0, np.zeros(N.shape[1])]),
        rcond=None,
    )[0]
    return y0 + N @ z


def place(model: Model, q: np.ndarray, pull: Pull) -> np.ndarray:
    """Where the pulled point is.

    Parameters
    ----------
    model
        A `Model`.
    q
        Configuration.
    pull
        The point.
    """
    x, y, angle = model.frames(q)[pull.body]
    c, s = np.cos(angle), np.sin(angle)
    return np.array([x + c * pull.point[0] - s * pull.point[1], y + s * pull.point[0] + c * pull.point[1]])


def settle(
    model: PlanarModel,
    q: np.ndarray,
    v: np.ndarray,
    kept: Sequence[int],
    scale: np.ndarray,
    held: int | None = None,
) -> tuple[np.ndarray, float]:
    """The nearest velocity at which kept contacts neither approach nor leave and loops stay closed, and what
    it misses by.

    Parameters
    ----------
    model, q
        The model and its configuration.
    v
        Velocity wished for.
    kept
        Numbers of the contacts whose normal velocity shall vanish.
    scale
        Natural size of each coordinate.
    held
        Number of the coordinate whose velocity must not change.

    Returns
    -------
    tuple of numpy.ndarray and float
        The velocity, and the largest normal or loop velocity that is left (m/s).
    """
    snap = model.snapshot(q, v)
    A = np.vstack([snap.jacobian[[2 * i for i in kept]], snap.loop_jacobian])
    free = np.array([i for i in range(len(v)) if i != held], dtype=int)
    v = np.array(v, dtype=float)
    for _ in range(2):  # the second pass removes the rounding of the first
        y = -np.linalg.lstsq(A[:, free] * scale[free], A @ v, rcond=tolerances.CLOSING_RANK)[0]
        v[free] += scale[free] * y
    return v, float(np.abs(A @ v).max(initial=0.0))
