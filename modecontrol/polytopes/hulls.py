"""From generators to rows: the convex hull of points, rays and lines.

    {V' l + R' m + L' k :  l >= 0, sum l = 1, m >= 0}

cdd finds the rows; the answer stands if every generator lies in it and if its own vertices and rays, computed
back and checked, are all combinations of the generators. Otherwise exact double description of the polar cone
decides.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from modecontrol import tolerances
from modecontrol.errors import UncheckedError
from modecontrol.polytopes import checks
from modecontrol.polytopes.exact.cones import extreme_rays
from modecontrol.polytopes.frame import frame_of
from modecontrol.polytopes.polytope import Polytope
from modecontrol.polytopes.scaling import null_space, row_size
from modecontrol.polytopes.vertices import inequalities_by_cdd

__all__ = ["hull_of"]


def hull_of(points, rays=(), lines=()) -> Polytope:
    """Convex hull of points, plus the cone of rays, plus the span of lines; minimal.

    Parameters
    ----------
    points, rays, lines : array_like
        One generator per row.

    Returns
    -------
    Polytope
        The empty set if there is no point.
    """
    V = checks.matrix(points, "points")
    n = V.shape[1]
    R, L = checks.matrix(rays, "rays", n), checks.matrix(lines, "lines", n)
    R, L = R[np.any(R != 0, axis=1)], L[np.any(L != 0, axis=1)]
    if len(V) == 0:
        return Polytope.empty(n)
    if n == 0:
        return Polytope.whole(0)
    # To size one about the origin, and back at the end.
    V = np.unique(V, axis=0)
    centre, size = V.mean(axis=0), np.ptp(V, axis=0)
    largest = np.abs(np.vstack([R, L])).max(axis=0, initial=0.0)
    size = np.maximum(size, largest)
    size[size <= tolerances.NOISE * size.max()] = size.max() or 1.0  # rounding, or nothing at all
    size = np.exp2(np.round(np.log2(size)))
    v, r, s = (V - centre) / size, _unit(R / size), _unit(L / size)
    # First to the full precision of the other operations; nearly parallel facets may not allow that.
    answers: dict = {}
    for near in (tolerances.SAME_PLANE, tolerances.NEARLY_SAME_PLANE):
        for method in (_by_cdd, _by_exact_cone):
            hull = answers[method] if method in answers else answers.setdefault(method, method(v, r, s))
            if hull is not None and _is_hull(hull, v, r, s, near):
                A, C = hull.A / size, hull.C / size
                b, d = _moved(hull.A, hull.b, A, centre), _moved(hull.C, hull.d, C, centre)
                return Polytope._trusted(A, b, C, d, hull.labels, hull.equality_labels).minimal()
    raise UncheckedError(
        "neither cdd nor exact arithmetic gave a hull that passes its check", points=V, rays=R, lines=L
    )


def _moved(rows: np.ndarray, level: np.ndarray, back: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """Right-hand sides about the origin again; those that are nothing but rounding are zero."""
    moved, terms = level + back @ centre, np.abs(level) + np.abs(back) @ np.abs(centre)
    return np.where(np.abs(moved) <= tolerances.PRODUCT * np.maximum(terms, row_size(rows)), 0.0, moved)


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / row_size(rows)[:, None]


def _by_cdd(v, r, s) -> Polytope | None:
    found = inequalities_by_cdd(v, r, s)
    return None if found is None else _without_dust(*found).minimal()


def _without_dust(A, b, C, d) -> Polytope:
    """The rows with coefficients that are nothing but rounding set to zero."""
    return Polytope(*(part for G, h in ((A, b), (C, d)) for part in (_wiped(G), h)))


def _wiped(rows: np.ndarray) -> np.ndarray:
    return np.where(np.abs(rows) <= tolerances.PRODUCT * row_size(rows)[:, None], 0.0, rows)


def _by_exact_cone(v, r, s) -> Polytope | None:
    """Rows are the extreme rays (h, a) of the polar cone `{h - a v >= 0, -a r >= 0}`, exact in these numbers."""
    none = np.zeros((0, v.shape[1]))
    directions = np.vstack([v[1:] - v[0], r, s])
    C = null_space(directions).T
    frame = frame_of(C, C @ v[0], np.ones(v.shape[1]), v[0])
    across = null_space(s @ frame.left_inverse.T) if len(s) else np.eye(frame.k)
    into = frame.left_inverse.T @ across  # from x - origin to coordinates in which the lines are gone
    table = np.vstack(
        [
            np.hstack([np.ones((len(v), 1)), -(v - frame.origin) @ into]),
            np.hstack([np.zeros((len(r), 1)), -r @ into]),
        ]
    )
    found = extreme_rays(table)
    if found is None:
        return None
    size = [max(map(abs, row)) for row in found]
    rays = np.array([[float(Fraction(x, top)) for x in row] for row, top in zip(found, size, strict=True)])
    rays = rays.reshape(-1, 1 + into.shape[1])
    A = rays[:, 1:] @ into.T
    some = np.any(A != 0, axis=1)
    A, b = (A[some], rays[some, 0] + A[some] @ frame.origin) if len(A) else (none, np.zeros(0))
    return _without_dust(A, b, C, C @ v[0]).minimal()


def _is_hull(P: Polytope, v, r, s, near: float) -> bool:
    """Every generator inside P, and every vertex, ray and line of P in the hull of the generators."""
    for rows, level, equal in ((P.A, P.b, False), (P.C, P.d, True)):
        size = row_size(rows)
        G, h = rows / size[:, None], level / size
        gaps = [v @ G.T - h, r @ G.T, np.abs(s @ G.T)]
        if any(np.any((np.abs(gap) if equal else gap) > near) for gap in gaps):
            return False
    try:
        generators = P.generators
    except UncheckedError:
        return False
    if len(generators.vertices) == 0:
        return False
    at_one = np.concatenate([np.ones(len(v)), np.zeros(len(r) + 2 * len(s))])
    cone = np.vstack([v, r, s, -s])
    hull = np.hstack([cone, at_one[:, None]]).T
    directions = cone[len(v) :].T
    return all(_combines(hull, np.append(w, 1.0), near) for w in generators.vertices) and all(
        _combines(directions, w, near) for w in (*generators.rays, *generators.lines, *-generators.lines)
    )


def _combines(columns: np.ndarray, w: np.ndarray, near: float) -> bool:
    """Whether w is a combination of the columns with weights that are not negative, to `near` (relative)."""
    near *= max(1.0, float(np.abs(w).max(initial=0.0)))
    if columns.shape[1] == 0:
        return float(np.linalg.norm(w)) <= near
    if float(np.min(np.abs(columns - w[:, None]).max(axis=0))) <= near:
        return True  # it is one of them
    from scipy.optimize import nnls

    try:
        return float(nnls(columns, w)[1]) <= near
    except RuntimeError:
        return False
