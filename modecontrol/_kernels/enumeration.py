"""Every complementary basis of a small LCP `w = M z + q`, one after the other.

    for each set a of indices:   z_a >= 0,  M_aa z_a + q_a = 0,   w_b = M_ba z_a + q_b >= 0

A regular basis holds at most one answer. A singular one holds a polytope of them: it is asked for a point by
the first phase of the simplex method, and asked once more whether that point can be left. The two questions
settle, up to rounding, every basis; those too close to call are counted and never passed over in silence.
"""

import math

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.bases import equilibrate, measure, solve_basis
from modecontrol._kernels.jit import njit
from modecontrol._kernels.lemke import exchange

PIVOT = tolerances.PIVOT
COMPLEMENTARY = tolerances.COMPLEMENTARY
FEASIBLE = tolerances.FEASIBLE
FLAT = tolerances.FLAT

NOTHING, POINT, CONTINUUM, UNDECIDED = 0, 1, 2, 3


@njit
def phase_one(A, b, m, k, x):
    """Least sum of infeasibilities of `A x = b, x >= 0` (`m` x `k`) by Bland's rule; `x` is filled."""
    T = np.zeros((m + 1, k + 1))
    basis, nonbasic = np.empty(m, np.int64), np.empty(k, np.int64)
    pivot_row, pivot_column = np.empty(k + 1), np.empty(m + 1)
    for j in range(k):
        nonbasic[j] = j
    for i in range(m):
        sign = -1.0 if b[i] < 0.0 else 1.0
        for j in range(k):
            T[i, j] = sign * A[i, j]
            T[m, j] -= T[i, j]
        T[i, k] = sign * b[i]
        T[m, k] -= T[i, k]
        basis[i] = k + i
    for _ in range(50 * (m + k) + 200):
        c = -1
        for j in range(k):
            # an artificial variable that left (k or more) never comes back
            if nonbasic[j] < k and T[m, j] < -PIVOT * 100.0 and (c < 0 or nonbasic[j] < nonbasic[c]):
                c = j
        if c < 0:
            break
        r, least = -1, math.inf
        for i in range(m):
            if T[i, c] > PIVOT:
                ratio = max(T[i, k], 0.0) / T[i, c]
                if ratio < least or (ratio == least and basis[i] < basis[r]):
                    r, least = i, ratio
        if r < 0:
            break
        exchange(T, m + 1, k + 1, r, c, pivot_row, pivot_column)
        basis[r], nonbasic[c] = nonbasic[c], basis[r]
    for j in range(k):
        x[j] = 0.0
    total = 0.0
    for i in range(m):
        if basis[i] < k:
            x[basis[i]] = max(T[i, k], 0.0)
        else:
            total += abs(T[i, k])
    return total


@njit
def _can_move(B, x, n):
    """Whether `{x >= 0 : B x = b}` holds more than `x`: some `y != 0` with `B y = 0`, `y >= 0` where `x = 0`.

    Asked twice: for a `y` that leaves a zero entry of `x` (`sum(y) = 1` there), and for one on its support.
    """
    largest = 0.0
    for j in range(n):
        largest = max(largest, x[j])
    A, b, y = np.zeros((n + 1, 2 * n)), np.zeros(n + 1), np.empty(2 * n)
    b[n] = 1.0
    k = 0
    free = 0
    for j in range(n):
        A[:n, k] = B[:, j]
        if x[j] <= FLAT * largest:
            A[n, k] = 1.0
        else:
            free += 1
        k += 1
    for j in range(n):
        if x[j] > FLAT * largest:
            A[:n, k] = -B[:, j]
            k += 1
    if free < n and phase_one(A, b, n + 1, k, y) <= FEASIBLE:
        return True
    if free == 0:
        return False
    support = np.empty((n, free))
    k = 0
    for j in range(n):
        if x[j] > FLAT * largest:
            support[:, k] = B[:, j]
            k += 1
    values = np.linalg.svd(support)[1]
    return values[-1] <= FEASIBLE * values[0]


@njit
def _singular_basis(M, q, n, row, column, size, active, z, w, index):
    """What a singular basis holds: NOTHING, a POINT, a CONTINUUM (a point is then in `z`), UNDECIDED."""
    B, b, x = np.zeros((n, n)), np.empty(n), np.empty(n)
    for i in range(n):
        b[i] = row[i] * q[i] / size if size > 0.0 else 0.0
    for j in range(n):
        if active[j]:
            for i in range(n):
                B[i, j] = -row[i] * M[i, j] * column[j]
        else:
            B[j, j] = 1.0
    distance = phase_one(B, b, n, n, x)
    for j in range(n):
        z[j] = x[j] * column[j] * size if active[j] else 0.0
    if measure(M, q, n, row, active, z, w, index) > COMPLEMENTARY:
        return UNDECIDED if distance <= FEASIBLE else NOTHING
    return CONTINUUM if _can_move(B, x, n) else POINT


@njit
def _enumerate(M, q, first, most):
    n = q.size
    row, column, x, w, z = np.empty(n), np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    lu, order, active = np.empty((n, n)), np.empty((3, n), np.int64), np.zeros(n, np.bool_)
    found, kinds, residuals = np.empty((most, n)), np.empty(most, np.int64), np.empty(most)
    bases = np.zeros((most, n), np.bool_)
    equilibrate(M, n, row, column)
    size = 0.0
    for i in range(n):
        size = max(size, row[i] * abs(q[i]))
    count, undecided, tried = 0, 0, 0
    for code in range(2**n):
        tried += 1
        for i in range(n):
            active[i] = (code >> i) & 1 == 1
        if solve_basis(M, q, n, row, column, active, z, lu, order, x):
            residual = measure(M, q, n, row, active, z, w, order[2])
            kind = POINT if residual <= COMPLEMENTARY else NOTHING
        else:
            kind = _singular_basis(M, q, n, row, column, size, active, z, w, order[2])
            if kind == UNDECIDED:
                undecided += 1
            residual = measure(M, q, n, row, active, z, w, order[2])
        if kind in (POINT, CONTINUUM):
            if count == most:
                undecided += 1
                continue
            found[count], kinds[count], bases[count], residuals[count] = z, kind, active, residual
            count += 1
            if first:
                break
    return found[:count], kinds[:count], bases[:count], residuals[:count], tried, undecided


def enumerate_bases(M, q, first=False, most=4096):
    """All answers in order of their bases: `(z, kinds, bases, residuals, tried, undecided)`.

    `first` stops at the first answer. More than `most` answers are counted in `undecided` instead of kept.
    """
    return _enumerate(M, q, first, 1 if first else most)
