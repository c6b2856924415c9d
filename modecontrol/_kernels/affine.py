"""From the table of a mode to its affine response (Eqs. (26) to (29) of Greenfield 2005).

A leaf of the search knows all unknowns as `X = x0 + Z y`, `Z` orthonormal. Reflections (Householder, largest torque
row first) split `y` into `eta`, which the inputs determine, and `w`, which they do not:

    tau = T0 + L eta         rank(L) = admissible torque directions; the remaining rows are equalities on tau
    u   = u0 + U tau + W w   W orthonormal in scaled unknowns, orthogonal to the particular solution
"""

from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.jit import njit
from modecontrol._kernels.table import clean

RANK = tolerances.RANK


class Affine(NamedTuple):
    """`u = constant + U tau + W w` in true units (w in units of the scaled problem's load), and `C tau = e`."""

    constant: np.ndarray
    U: np.ndarray
    W: np.ndarray
    C: np.ndarray
    e: np.ndarray


@njit
def split(T, layout, freedom, inputs):
    """Reflect the columns of a leaf table so that the last ones are torque directions; returns (w, pivots)."""
    N = T.shape[1] - 1
    active = freedom
    pivots = np.full(inputs, -1, np.int64)
    taken = np.zeros(inputs, np.bool_)
    h = np.empty(max(freedom, 1))
    for s in range(inputs):
        best, norm = -1, RANK
        for j in range(inputs):
            if taken[j]:
                continue
            square = 0.0
            for i in range(active):
                square += T[layout.tau + j, i] ** 2
            if np.sqrt(square) > norm:
                best, norm = j, np.sqrt(square)
        if best < 0:
            break
        taken[best] = True
        pivots[s] = best
        last = active - 1
        for i in range(active):
            h[i] = T[layout.tau + best, i]
        sign = 1.0 if h[last] >= 0.0 else -1.0
        h[last] += sign * norm
        scale = 1.0 / (norm * abs(h[last]))
        for r in range(T.shape[0]):
            dot = 0.0
            for i in range(active):
                dot += h[i] * T[r, i]
            dot *= scale
            for i in range(active):
                T[r, i] -= dot * h[i]
        active -= 1
    for j in range(inputs):
        for i in range(active):
            T[layout.tau + j, i] = 0.0
    # columns of torque directions become coefficients on the pivot torques: eta = L^-1 (tau - T0)
    rank = freedom - active
    for s in range(rank):
        column = freedom - 1 - s
        pivot = T[layout.tau + pivots[s], column]
        for r in range(T.shape[0]):
            T[r, column] /= pivot
        for later in range(s + 1, rank):
            other = freedom - 1 - later
            # row of pivot `later` still mixes eta_s: remove it when its own column is normalised
            factor = T[layout.tau + pivots[later], column]
            if factor != 0.0:
                own = T[layout.tau + pivots[later], other]
                for r in range(T.shape[0]):
                    T[r, column] -= factor / own * T[r, other]
    for s in range(rank):
        column = freedom - 1 - s
        at = T[layout.tau + pivots[s], N]
        for r in range(T.shape[0]):
            T[r, N] -= T[r, column] * at
    return active, pivots


@njit
def affine(T, layout, freedom, w, pivots, units, size, inputs):
    """Read the response of a split table in true units."""
    N = T.shape[1] - 1
    rank = freedom - w
    unknowns = layout.tau
    constant = np.empty(unknowns)
    U = np.zeros((unknowns, inputs))
    W = np.empty((unknowns, w))
    for r in range(unknowns):
        constant[r] = units[r] * size * clean(T[r, N])
        for i in range(w):
            W[r, i] = units[r] * clean(T[r, i])
        for s in range(rank):
            U[r, pivots[s]] = units[r] * clean(T[r, freedom - 1 - s]) / units[layout.tau + pivots[s]]
    taken = np.zeros(inputs, np.bool_)
    for s in range(rank):
        taken[pivots[s]] = True
    C = np.zeros((inputs - rank, inputs))
    e = np.zeros(inputs - rank)
    row = 0
    for j in range(inputs):
        if taken[j]:
            continue
        C[row, j] = 1.0
        for s in range(rank):
            slope = clean(T[layout.tau + j, freedom - 1 - s])
            C[row, pivots[s]] = -slope * units[layout.tau + j] / units[layout.tau + pivots[s]]
        e[row] = clean(T[layout.tau + j, N]) * units[layout.tau + j] * size
        row += 1
    return Affine(constant, U, W, C, e)
