"""How large a set is: volume within its affine hull, and the largest ball that fits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from modecontrol.errors import UncheckedError
from modecontrol.polytopes.linear_program import optimum
from modecontrol.polytopes.polytope import Polytope

__all__ = ["Ball", "chebyshev", "volume"]


@dataclass(frozen=True, eq=False)
class Ball:
    """A ball within the affine hull of a set.

    Parameters
    ----------
    centre : numpy.ndarray or None
        Its centre; None for the empty set.
    radius : float
        0 for a point, `inf` if balls of any size fit, `-inf` for the empty set.
    """

    centre: np.ndarray | None
    radius: float


def volume(P: Polytope) -> float:
    """Measure of dimension `P.dimension`: number of points, length, area, volume, ...

    Returns
    -------
    float
        0 if empty, 1 for a point, `inf` if unbounded.
    """
    if P.is_empty:
        return 0.0
    if not P.is_bounded:
        return np.inf
    if P.dimension == 0:
        return 1.0
    U = P.frame.coordinates(P.vertices)
    size = np.ptp(U, axis=0)
    if P.dimension == 1:
        return float(size[0]) * P.frame.stretch
    from scipy.spatial import ConvexHull, QhullError

    if not np.all(size > 0) or not np.all(np.isfinite(size)):
        raise UncheckedError("the vertices of the set have no extent", **P.data)
    try:
        inner = ConvexHull((U - U.mean(axis=0)) / size).volume
    except QhullError as error:
        raise UncheckedError(
            f"qhull could not measure the hull of the vertices: {str(error).splitlines()[0]}",
            **P.data,
            vertices=P.vertices,
        ) from None
    return float(inner * np.prod(size)) * P.frame.stretch


def chebyshev(P: Polytope) -> Ball:
    """Largest ball in the affine hull: `max r` with `A_i x + r |A_i on the hull| <= b_i`, `C x = d`.

    Returns
    -------
    Ball
        One of them where several are equally large.
    """
    if P.is_empty:
        return Ball(None, -np.inf)
    small = P.minimal()
    point = P.frame.origin
    if P.dimension == 0:
        return Ball(point, 0.0)
    reach = np.linalg.norm(small.A @ P.frame.orthonormal, axis=1)
    A = np.ascontiguousarray(np.hstack([small.A, reach[:, None]]))
    C = np.ascontiguousarray(np.hstack([small.C, np.zeros((len(small.C), 1))]))
    grow = np.append(np.zeros(P.n), 1.0)
    best = optimum(grow, A, small.b, C, small.d)
    if best.status == "optimal" and best.point is not None:
        return Ball(best.point[:-1], best.value)
    # Any size fits: a point with a ball of radius one around it stands for the centre.
    some = optimum(grow, np.vstack([A, grow]), np.append(small.b, 1.0), C, small.d)
    return Ball(point if some.point is None else some.point[:-1], np.inf)
