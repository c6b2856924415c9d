"""How large the variables of a set are, so that it can be posed in units of its own.

A row like `x1 + 1e-6 x2 <= 1` is a tilted wall if x2 is of size one, and an even mixture if x2 is of size a million.
The coefficients cannot tell; the extent of the set can. Where rows mix sizes, each variable is measured by the extent
of the set along it; variables without bound take the size that makes their largest coefficient one.
"""

from __future__ import annotations

import numpy as np

from modecontrol.polytopes.linear_program import optimum
from modecontrol.polytopes.scaling import DUST, column_scale, row_size
from modecontrol.tolerances import PIVOT

__all__ = ["natural_sizes"]


def natural_sizes(A: np.ndarray, b: np.ndarray, C: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Sizes of the variables of `{x : A x <= b, C x = d}`, powers of two.

    Parameters
    ----------
    A, b, C, d : numpy.ndarray
        The set.

    Returns
    -------
    numpy.ndarray
        One positive number per variable; for the empty set those that even out the coefficients.
    """
    even = column_scale(A, C)
    posed = A * even, b, C * even, d
    size = np.full(len(even), np.nan)
    for j, unit in enumerate(np.eye(len(even))):
        top, bottom = optimum(unit, *posed), optimum(-unit, *posed)
        if top.status == "infeasible" or bottom.status == "infeasible":
            return even
        if np.isfinite(top.value) and np.isfinite(bottom.value):
            size[j] = max(abs(top.value), abs(bottom.value))
    # A variable that is zero all over the set has the extent of rounding, and no size of its own.
    known = size > PIVOT * np.max(size, where=np.isfinite(size), initial=0.0)
    size = size * even
    rows = np.vstack([A, C])
    if not np.any(known):
        share = (np.abs(rows) / row_size(rows)[:, None]).max(axis=0, initial=0.0)
    else:
        scaled = rows[:, known] * size[known]
        share = (np.abs(rows) / row_size(scaled)[:, None]).max(axis=0, initial=0.0)
    share[share <= DUST] = 1.0
    size = np.where(known, size, 1.0 / share)
    return np.exp2(np.round(np.log2(size)))
