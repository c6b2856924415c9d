"""Projected Gauss-Seidel for the LCP `w = M z + q`, with the basis it points at solved exactly.

    z_i <- max(0, z_i - w_i / m_ii)        for i = 1..n, again and again

Converges for symmetric positive definite matrices and for those with a dominant diagonal; a row without a
diagonal is divided by its largest entry instead, for which nothing is promised. The iteration stops when no
scaled `z_i` moves by more than `SWEEP` times the largest, or after the sweeps allowed. The support of the
iterate is then taken as a basis and solved by LU: a right answer has the accuracy of a direct method.
"""

import math

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.bases import equilibrate, measure, solve_basis
from modecontrol._kernels.jit import njit
from modecontrol._kernels.lemke import INACCURATE, LIMIT, SOLVED

COMPLEMENTARY = tolerances.COMPLEMENTARY
SWEEP = tolerances.SWEEP


@njit
def _gauss_seidel(M, q, sweeps):
    n = q.size
    z, w, active = np.zeros(n), np.zeros(n), np.zeros(n, np.bool_)
    row, column, y = np.empty(n), np.empty(n), np.zeros(n)
    lu, order = np.empty((n, n)), np.empty((3, n), np.int64)
    equilibrate(M, n, row, column)
    size = 0.0
    for i in range(n):
        size = max(size, row[i] * abs(q[i]))
    turns = 0
    settled = False
    while turns < sweeps and not settled and size > 0.0:
        turns += 1
        moved, largest = 0.0, 0.0
        for i in range(n):
            value = row[i] * q[i] / size
            step = row[i] * M[i, i] * column[i]
            for j in range(n):
                value += row[i] * M[i, j] * column[j] * y[j]
            if step <= 0.25:  # scaled diagonals lie in (1/4, 1]; anything less is a row without one
                step = 1.0
            new = max(0.0, y[i] - value / step)
            moved = max(moved, abs(new - y[i]))
            largest = max(largest, new)
            y[i] = new
            w[i] = value
        if not math.isfinite(largest):
            return z, active, LIMIT, turns, math.inf
        settled = moved <= SWEEP * max(1.0, largest)
    for i in range(n):
        active[i] = y[i] > 0.0
    order_index = order[2]
    if solve_basis(M, q, n, row, column, active, z, lu, order, np.empty(n)):
        residual = measure(M, q, n, row, active, z, w, order_index)
        if residual <= COMPLEMENTARY:
            return z, active, SOLVED, turns, residual
    for i in range(n):
        z[i] = y[i] * column[i] * size
    residual = measure(M, q, n, row, active, z, w, order_index)
    if residual <= COMPLEMENTARY:
        return z, active, SOLVED, turns, residual
    return z, active, (INACCURATE if settled else LIMIT), turns, residual


def gauss_seidel(M, q, sweeps=2000):
    """Projected Gauss-Seidel: `(z, active, code, sweeps, residual)`, the codes being those of `lemke`."""
    return _gauss_seidel(M, q, sweeps)
