"""How large the variables of a set are, so that it can be posed in units of its own.

A row like `x1 + 1e-6 x2 <= 1` is a tilted wall if x2 is of size one, and an even mixture if x2 is of size a
million. The coefficients cannot tell; the extent of the set can. Where rows mix sizes, each variable is
measured by the extent of the set along it; variables without bound take the size that makes their largest
coefficient one.
"""

from __future__ import annotations

import numpy as np

from modecontrol import tolerances
from modecontrol.polytopes.linear_program import optimum
from modecontrol.polytopes.scaling import column_scale, row_size, uneven

__all__ = ["common_size", "natural_sizes", "own_units"]


def own_units(A: np.ndarray, b: np.ndarray, C: np.ndarray, d: np.ndarray) -> tuple[np.ndarray | None, float]:
    """Sizes of the variables beside each other (None: alike), and the size of the set in them.

    Returns
    -------
    tuple
        Powers of two; `x = sizes * size * x'` with `x'` of size one.
    """
    mixed, size = uneven(A, C), 1.0
    if not mixed:
        size = common_size(A, b, C, d)
        if size == 1.0:
            return None, size
    beside, measured = natural_sizes(A, b / size, C, d / size)  # where some are large, others may be small
    if measured:  # planes that lie far beyond the set say nothing about it
        return beside, size
    return beside, size * common_size(A * beside, b / size, C * beside, d / size)


def common_size(A: np.ndarray, b: np.ndarray, C: np.ndarray, d: np.ndarray) -> float:
    """The size of a set whose numbers are far from one, a power of two; 1 where they are not.

    The largest distance `|b_i| / |A_i|` of a plane from the origin, which grows with the set.

    Returns
    -------
    float
        1 for sets between `tolerances.SMALL_SET` and `tolerances.LARGE_SET`, and for cones, which have no size.
    """
    rows, level = np.vstack([A, C]), np.concatenate([b, d])
    some = np.any(rows != 0, axis=1)
    with np.errstate(over="ignore"):
        distance = np.abs(level[some]) / row_size(rows[some])
    size = float(np.max(distance, where=distance <= tolerances.NOWHERE, initial=0.0))
    if size == 0 or not np.isfinite(size) or tolerances.SMALL_SET <= size <= tolerances.LARGE_SET:
        return 1.0
    return float(np.exp2(np.round(np.log2(size))))


def natural_sizes(A: np.ndarray, b: np.ndarray, C: np.ndarray, d: np.ndarray) -> tuple[np.ndarray, bool]:
    """Sizes of the variables of `{x : A x <= b, C x = d}`, powers of two.

    Returns
    -------
    numpy.ndarray
        One positive number per variable; for the empty set those that even out the coefficients.
    bool
        Whether all of them are extents of the set: it is bounded, and in no variable zero all over.
    """
    even = column_scale(A, C)
    posed = A * even, b, C * even, d
    size, terms, rounding = np.full(len(even), np.nan), np.zeros(len(even)), np.zeros(len(even))
    for j, unit in enumerate(np.eye(len(even))):
        top, bottom = optimum(unit, *posed), optimum(-unit, *posed)
        if top.status == "infeasible" or bottom.status == "infeasible":
            return even, False
        if np.isfinite(top.value) and np.isfinite(bottom.value):
            size[j] = max(abs(top.value), abs(bottom.value))
            terms[j] = max(_terms(answer, b, d) for answer in (top, bottom))
            rounding[j] = max(_rounding(answer, b, d) for answer in (top, bottom))
    # A variable that is zero all over the set has the extent of rounding, and no size of its own.
    known = (size > tolerances.PIVOT * terms) & (size > rounding)
    size = size * even
    rows = np.vstack([A, C])
    if not np.any(known):
        share = (np.abs(rows) / row_size(rows)[:, None]).max(axis=0, initial=0.0)
    else:
        scaled = rows[:, known] * size[known]
        share = (np.abs(rows) / row_size(scaled)[:, None]).max(axis=0, initial=0.0)
    share[share <= tolerances.PRODUCT] = 1.0
    size = np.where(known, size, 1.0 / share)
    return np.exp2(np.round(np.log2(size))), bool(np.all(known))


def _terms(answer, b: np.ndarray, d: np.ndarray) -> float:
    """Size of the terms of which the value `b y + d z` of a linear program is the sum."""
    y, z = answer.certificate
    return float(np.abs(b) @ np.abs(y) + np.abs(d) @ np.abs(z))


def _rounding(answer, b: np.ndarray, d: np.ndarray) -> float:
    """What the multipliers of a linear program may add to its value where they should be zero."""
    y, z = answer.certificate
    largest = max(np.abs(y).max(initial=0.0), np.abs(z).max(initial=0.0))
    return float(tolerances.FEW * largest * (np.abs(b).sum() + np.abs(d).sum()))
