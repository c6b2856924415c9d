"""Points drawn uniformly from a bounded set.

Small sets are cut into simplices (Delaunay), one is drawn by its volume and a point in it by Dirichlet
weights: exact and independent. Beyond a handful of dimensions a hit-and-run walk takes over, uniform in the
limit only.
"""

from __future__ import annotations

from math import factorial

import numpy as np

from modecontrol.polytopes.polytope import Polytope
from modecontrol.validation import check_count, shown

__all__ = ["sample"]

_MOST_DIMENSIONS = 6
_MOST_VERTICES = 300
_STEPS_PER_DIMENSION = 20


def sample(P: Polytope, rng: np.random.Generator, size: int) -> np.ndarray:
    """`size` points of P (size, n), uniform within its affine hull; P is bounded and not empty."""
    size = check_count(size, "size, the number of points,")
    if not isinstance(rng, np.random.Generator):
        raise TypeError(
            f"rng is {shown(rng)}; expected a numpy.random.Generator: numpy.random.default_rng(1)"
        )
    if P.is_empty:
        raise ValueError(f"the set is empty (clash: {', '.join(P.clash)}); there is nothing to sample")
    if not P.is_bounded:
        raise ValueError(
            "the set is unbounded and has no uniform distribution; intersect it with a box first"
        )
    k, frame = P.dimension, P.frame
    if k == 0:
        return np.repeat(frame.origin[None], size, axis=0)
    U = frame.coordinates(P.vertices)
    low, extent = U.min(axis=0), np.ptp(U, axis=0)
    unit = (U - low) / extent
    if k == 1:
        drawn = rng.random((size, 1))
    elif k <= _MOST_DIMENSIONS and len(U) <= _MOST_VERTICES:
        drawn = _by_simplices(unit, rng, size)
    else:
        drawn = _by_walking(P, rng, size, low, extent, unit.mean(axis=0))
    return frame.point(low + drawn * extent)


def _by_simplices(vertices: np.ndarray, rng, size: int) -> np.ndarray:
    from scipy.spatial import Delaunay

    corners = vertices[Delaunay(vertices).simplices]
    volume = np.abs(np.linalg.det(corners[:, 1:] - corners[:, :1])) / factorial(vertices.shape[1])
    chosen = rng.choice(len(corners), size=size, p=volume / volume.sum())
    weights = rng.dirichlet(np.ones(vertices.shape[1] + 1), size=size)
    return np.einsum("ij,ijk->ik", weights, corners[chosen])


def _by_walking(P: Polytope, rng, size: int, low, extent, start) -> np.ndarray:
    small = P.minimal()
    G, h = P.frame.rows(small.A, small.b)
    h = h - G @ low
    G = G * extent
    here, drawn = start, np.empty((size, len(start)))
    for i in range(size):
        for _ in range(_STEPS_PER_DIMENSION * len(start)):
            direction = rng.normal(size=len(start))
            speed, room = G @ direction, h - G @ here
            with np.errstate(divide="ignore", invalid="ignore"):
                time = room / speed
            ahead = np.min(time[speed > 0], initial=np.inf)
            behind = np.max(time[speed < 0], initial=-np.inf)
            here = here + direction * rng.uniform(behind, ahead)
        drawn[i] = here
    return drawn
