"""Are these points and rays all the vertices and extreme rays of `{w : A w <= b}`?

Four conditions, for a pointed set with interior and rows of size one:

    inside      every generator satisfies every row
    extreme     the rows that a vertex lies on have rank k, those of a ray rank k - 1
    distinct    no two are the same
    complete    every edge of every vertex ends in another generator, where all of them are simple; otherwise
                every facet of the generators' own hull, found by qhull, lies on one of the rows

The last one makes the hull of the generators as large as the set. Rays are brought in by a projective map:
the cone over the set, `{(t, w) : b t - A w >= 0, t >= 0}`, is cut by a plane that meets every ray of it.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from modecontrol import tolerances
from modecontrol.polytopes.scaling import row_size

__all__ = ["are_generators", "tidied"]


def _slack(A, b, V, R) -> np.ndarray:
    """Distance of each generator (rows) from each row of the set (columns), relative to its size."""
    room = (b - V @ A.T) / np.maximum(1.0, row_size(V))[:, None]
    return np.vstack([room, -(R @ A.T) / row_size(R)[:, None]])


def _distinct(rows: np.ndarray) -> np.ndarray:
    """Rows without repetitions closer than `tolerances.ON_ROW` (relative)."""
    repeated = np.zeros(len(rows), dtype=bool)
    for i in range(1, len(rows)):
        gap = np.abs(rows[:i] - rows[i]).max(axis=1)
        repeated[i] = np.any(gap[~repeated[:i]] <= tolerances.ON_ROW * max(1.0, np.abs(rows[i]).max()))
    return rows[~repeated]


def tidied(A, b, V, R) -> tuple[np.ndarray, np.ndarray, bool]:
    """Generators without what rounding makes of parallel rows: far vertices for rays, points between
    vertices.

    Parameters
    ----------
    A, b : numpy.ndarray
        The set, scaled so that its finite extents are of size one.
    V, R : numpy.ndarray
        Vertices and rays.

    Returns
    -------
    (numpy.ndarray, numpy.ndarray, bool)
        Distinct vertices, distinct rays of largest entry 1, and whether more than repetitions was taken out.
    """
    far = np.abs(V).max(axis=1) > tolerances.FAR_VERTEX
    V, R = _distinct(V[~far]), np.vstack([R, V[far]])
    R = _distinct(R / row_size(R)[:, None])
    stays = _extreme(A, _slack(A, b, V, R) <= tolerances.ON_ROW, len(V))
    changed = bool(np.any(far)) or not np.all(stays)
    return V[stays[: len(V)]], R[stays[len(V) :]], changed


def _extreme(A, on, vertices: int) -> np.ndarray:
    """Whether the rows that each generator lies on have rank k (the first `vertices`) or k - 1 (rays)."""
    needed = np.full(len(on), A.shape[1])
    needed[vertices:] -= 1
    if len(on) == 0:
        return np.zeros(0, dtype=bool)
    return np.linalg.matrix_rank(A * on[:, :, None], tol=tolerances.INCIDENT) >= needed


def are_generators(A, b, V, R, complete: bool = False) -> bool:
    """Whether `V` and `R` are the vertices and extreme rays of `{w : A w <= b}`.

    Parameters
    ----------
    A, b : numpy.ndarray
        Minimal rows of size one of a pointed set with interior.
    V, R : numpy.ndarray
        Vertices (k, n) and rays (r, n).
    complete : bool
        The list is known to be complete: leave out the last condition.

    Returns
    -------
    bool
        True if all conditions hold.
    """
    if len(V) == 0:
        return False
    slack = _slack(A, b, V, R)
    if np.min(slack) < -tolerances.ON_ROW:
        return False
    on = slack <= tolerances.ON_ROW
    if not np.all(_extreme(A, on, len(V))):
        return False
    if not np.all(on.sum(axis=0) >= 1):
        return False
    if complete:
        return True
    closed = _closed_under_edges(on, A.shape[1], len(V))
    return _is_complete(A, b, V, R, on) if closed is None else closed


def _closed_under_edges(on: np.ndarray, k: int, vertices: int) -> bool | None:
    """Whether every edge of every vertex leads to another generator; None unless all of them are simple.

    Each of the k edges of a simple vertex lies on k - 1 of its rows and ends in one other vertex or ray. The
    edges connect all vertices of a set, so a list that is closed under them is complete.
    """
    count = on.sum(axis=1)
    if np.any(count[:vertices] != k) or np.any(count[vertices:] != k - 1):
        return None
    ends: Counter[tuple[int, ...]] = Counter()
    for i, rows in enumerate(on):
        active = tuple(np.flatnonzero(rows).tolist())
        if i < vertices:
            ends.update(active[:j] + active[j + 1 :] for j in range(k))
        else:
            ends[active] += 1
    return all(number == 2 for number in ends.values())


def _is_complete(A, b, V, R, on) -> bool:
    """Every facet of the generators' hull lies on a row of the set (or, for rays, at infinity)."""
    from scipy.spatial import ConvexHull, QhullError

    cone = np.hstack([b[:, None], -A])
    cone = np.vstack([cone / np.linalg.norm(cone, axis=1)[:, None], np.eye(1, A.shape[1] + 1)])
    inner = cone.sum(axis=0)
    points = np.vstack([np.hstack([np.ones((len(V), 1)), V]), np.hstack([np.zeros((len(R), 1)), R])])
    points = points / (points @ inner)[:, None]
    plane = np.linalg.qr(inner[:, None], mode="complete")[0][:, 1:]
    flat = points @ plane
    flat = (flat - flat.mean(axis=0)) / np.maximum(np.ptp(flat, axis=0), tolerances.TINY)
    infinite = np.concatenate([np.zeros(len(V), dtype=bool), np.ones(len(R), dtype=bool)])
    touching = np.hstack([on, infinite[:, None]])
    try:
        facets = ConvexHull(flat).simplices
    except QhullError:
        return False
    return bool(np.all(np.any(np.all(touching[facets], axis=1), axis=1)))
