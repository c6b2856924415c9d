"""Extreme rays of a pointed cone in exact arithmetic: the double description method of Motzkin.

    {y : M y >= 0}  =  cone(rays)

Rows are added one at a time; where a row cuts the cone, each pair of neighbouring rays on its two sides
gives a new one. Two rays are neighbours iff no third lies on every row that both lie on. Integers throughout.
"""

from __future__ import annotations

from math import gcd

import numpy as np

from modecontrol.polytopes.exact.program import integer_rows

__all__ = ["extreme_rays"]


def _primitive(ray) -> tuple[int, ...]:
    common = gcd(*ray) or 1
    return tuple(v // common for v in ray)


def _simplicial_start(M: np.ndarray) -> tuple[list[int], list[tuple[int, ...]]] | None:
    """Independent rows and the rays of their simplicial cone (columns of the inverse); None with lines."""
    size = M.shape[1]
    work = np.array(M)
    chosen: list[int] = []
    pivots: list[int] = []
    for i in range(len(M)):
        for r, column in zip(chosen, pivots, strict=True):
            if work[i, column]:
                work[i] = work[i] * work[r, column] - work[r] * work[i, column]
                work[i] //= gcd(*work[i]) or 1
        columns = np.flatnonzero(work[i])
        if len(columns):
            chosen.append(i)
            pivots.append(int(columns[0]))
        if len(chosen) == size:
            return chosen, _inverse_columns(M[chosen])
    return None


def _inverse_columns(square: np.ndarray) -> list[tuple[int, ...]]:
    """Columns of `det(S) S^-1`, up to positive factors, by fraction-free Gauss-Jordan."""
    size = len(square)
    work = np.hstack([square, np.eye(size, dtype=int).astype(object)])
    last = 1
    for k in range(size):
        r = next(i for i in range(k, size) if work[i, k] != 0)
        work[[k, r]] = work[[r, k]]
        for i in range(size):
            if i != k:
                work[i] = (work[i] * work[k, k] - work[k] * work[i, k]) // last
        last = work[k, k]
    sign = 1 if last > 0 else -1
    return [_primitive([sign * v for v in work[:, size + j]]) for j in range(size)]


def extreme_rays(M, limit: int = 4_000) -> np.ndarray | None:
    """Extreme rays of the pointed cone `{y : M y >= 0}`.

    Parameters
    ----------
    M : array_like
        Rows; floats are taken as the rationals they are.
    limit : int
        Give up when an intermediate cone has more rays than this.

    Returns
    -------
    numpy.ndarray of int (dtype object), (k, n), or None
        Primitive integer rays; None if the cone has a line or the limit was passed.
    """
    rows, _ = integer_rows(M)
    start = _simplicial_start(rows)
    if start is None:
        return None
    chosen, rays = start
    zeros = [sum(1 << i for i in chosen if int(np.dot(rows[i], ray)) == 0) for ray in rays]
    for i in (r for r in range(len(rows)) if r not in set(chosen)):
        value = [int(np.dot(rows[i], np.array(ray, dtype=object))) for ray in rays]
        plus = [k for k, v in enumerate(value) if v > 0]
        minus = [k for k, v in enumerate(value) if v < 0]
        made, marks = [], []
        for a in plus:
            for c in minus:
                common = zeros[a] & zeros[c]
                if common.bit_count() < rows.shape[1] - 2:
                    continue
                if any(common & ~zeros[k] == 0 for k in range(len(rays)) if k not in (a, c)):
                    continue
                made.append(
                    _primitive([value[a] * v - value[c] * w for v, w in zip(rays[c], rays[a], strict=True)])
                )
                marks.append(common | 1 << i)
        stay = [k for k, v in enumerate(value) if v >= 0]
        zeros = [zeros[k] | (1 << i if value[k] == 0 else 0) for k in stay] + marks
        rays = [rays[k] for k in stay] + made
        if len(rays) > limit:
            return None
    return np.array(rays, dtype=object).reshape(-1, rows.shape[1])
