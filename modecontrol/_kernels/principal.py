"""Principal pivoting for the LCP `w = M z + q`: repair one negative `w_r` after the other.

    choose r with w_r < 0;  drive z_r up from zero;  whatever reaches zero leaves and its complement is driven
    next, until w_r itself reaches zero

Dantzig and Cottle's method in its single-exchange form (Keller's for matrices with zeros on the diagonal):
the pair (w_r, z_r) may be basic together meanwhile, every other pair keeps to one. For P matrices each cycle ends
with one negative variable less. For semidefinite ones a drive may find nothing that blocks it because the other
negative variables do not; it is then taken back and another `r` chosen, and only when none is left the method
gives up. Ties go to the least index, which can still cycle on highly degenerate semidefinite problems (seen in
one of some thousands with small integers): pivots are limited, and the next method takes over.
"""

import math

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.bases import equilibrate, measure, solve_basis
from modecontrol._kernels.jit import njit
from modecontrol._kernels.lemke import INACCURATE, LIMIT, RAY, SOLVED, exchange

PIVOT = tolerances.PIVOT
COMPLEMENTARY = tolerances.COMPLEMENTARY
REFINED = tolerances.REFINED
TIE = tolerances.TIE


@njit
def _most_negative(T, n, postponed):
    """The row to repair next: -1 when none is negative, -2 when all that are have been postponed."""
    r, least, waiting = -1, -TIE, False
    for i in range(n):
        if T[i, n] < -TIE and postponed[i]:
            waiting = True
        elif T[i, n] < least:
            r, least = i, T[i, n]
    return -2 if r < 0 and waiting else r


@njit
def _blocking_row(T, n, c, basis, bad):
    """The row that stops the drive of column `c`: a good one down at zero, or the bad one up at it."""
    r, least = -1, math.inf
    for i in range(n):
        t, b = T[i, c], T[i, n]
        if i == bad:
            ratio = b / t if t < -PIVOT else math.inf
        elif b >= -TIE:
            ratio = max(b, 0.0) / t if t > PIVOT else math.inf
        else:
            ratio = math.inf
        if ratio == math.inf:
            continue
        tied = abs(ratio - least) <= TIE * max(1.0, abs(ratio))
        if (tied and (i == bad or (r != bad and basis[i] < basis[r]))) or (not tied and ratio < least):
            r, least = i, ratio
    return r


@njit
def _principal(M, q, limit):
    n = q.size
    z, w, active = np.zeros(n), np.zeros(n), np.zeros(n, np.bool_)
    row, column, buffer, x = np.empty(n), np.empty(n), np.empty(n + 1), np.empty(n)
    T, order = np.empty((n, n + 1)), np.empty((3, n), np.int64)
    basis, nonbasic = np.empty(n, np.int64), np.empty(n, np.int64)
    equilibrate(M, n, row, column)
    size = 0.0
    for i in range(n):
        size = max(size, row[i] * abs(q[i]))
    if size == 0.0:
        return z, active, SOLVED, 0, 0.0
    for i in range(n):
        for j in range(n):
            T[i, j] = -row[i] * M[i, j] * column[j]
        T[i, n] = row[i] * q[i] / size
        basis[i], nonbasic[i] = i, n + i
    before, before_basis, before_nonbasic = T.copy(), basis.copy(), nonbasic.copy()
    postponed = np.zeros(n, np.bool_)
    pivots = 0
    while True:
        bad = _most_negative(T, n, postponed)
        if bad == -1:
            break
        if bad == -2:
            return z, active, RAY, pivots, math.inf
        wrong = basis[bad]
        driven = wrong + n if wrong < n else wrong - n
        while True:
            c = 0
            while c < n and nonbasic[c] != driven:
                c += 1
            # z_r itself came back to zero: its complement is basic, and the method has nothing more to say
            r = _blocking_row(T, n, c, basis, bad) if c < n else -1
            if r < 0:
                T[:], basis[:], nonbasic[:] = before, before_basis, before_nonbasic
                postponed[bad] = True
                break
            if pivots >= limit:
                return z, active, LIMIT, pivots, math.inf
            exchange(T, n, n + 1, r, c, buffer, x)
            pivots += 1
            basis[r], nonbasic[c] = nonbasic[c], basis[r]
            if r == bad:
                before[:], before_basis[:], before_nonbasic[:] = T, basis, nonbasic
                postponed[:] = False
                break
            driven = nonbasic[c] + n if nonbasic[c] < n else nonbasic[c] - n
    for i in range(n):
        if basis[i] >= n:
            active[basis[i] - n] = True
            z[basis[i] - n] = T[i, n] * column[basis[i] - n] * size
    residual = measure(M, q, n, row, active, z, w, order[2])
    if residual > REFINED:
        kept = z.copy()
        better = math.inf
        if solve_basis(M, q, n, row, column, active, z, T, order, x):
            better = measure(M, q, n, row, active, z, w, order[2])
        if better <= residual:
            residual = better
        else:
            z[:] = kept
    return z, active, (SOLVED if residual <= COMPLEMENTARY else INACCURATE), pivots, residual


def principal(M, q, limit=None):
    """Principal pivoting: `(z, active, code, pivots, residual)`, the codes being those of `lemke`."""
    return _principal(M, q, 50 * q.size + 100 if limit is None else limit)
