"""Complementary bases: what every LCP kernel shares.

    w = M z + q,  z >= 0,  w >= 0,  z . w = 0

A complementary basis is a set `active` of indices with `w_i = 0` there and `z_i = 0` elsewhere, so that
`M_aa z_a = -q_a` gives the whole answer. The kernels below scale a problem, solve one basis and measure an
answer; they know nothing of how the basis was found.

Both scalings are diagonal and positive, `M -> R M C`, `q -> R q`, `z -> C^-1 z`, `w -> R w`, which keeps the
problem the same; they are powers of two, which keeps every bit of it.
"""

import math

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.jit import njit

PIVOT = tolerances.PIVOT
ROW_FLOOR = tolerances.ROW_FLOOR
ROUNDING = tolerances.ROUNDING
TINY_DIAGONAL = tolerances.RANK
UNEVEN = tolerances.UNEVEN


@njit
def _inverse_power(x):
    """The power of two nearest below `1 / x` (1 when `x` is zero or not finite)."""
    if x <= 0.0 or not math.isfinite(x):
        return 1.0
    return math.ldexp(1.0, -math.frexp(x)[1])


@njit
def equilibrate(M, n, row, column):
    """Diagonals `R`, `C` such that `R M C` has a unit diagonal, or unit largest entries where there is none.

    The friction rows of a contact problem have no diagonal: they are measured against the rows that have one,
    which is the "scale the friction rows by h" of the DART note without having to know which rows they are.
    Where this leaves entries far from one (rows and columns in unrelated units), geometric means decide.
    """
    for i in range(n):
        largest = 0.0
        for j in range(n):
            largest = max(largest, abs(M[i, j]))
        diagonal = abs(M[i, i])
        row[i] = _inverse_power(math.sqrt(diagonal)) if diagonal > TINY_DIAGONAL * largest else 0.0
        column[i] = row[i]
    for j in range(n):
        if row[j] == 0.0:
            biggest = 0.0
            for i in range(n):
                biggest = max(biggest, abs(M[i, j]))
            largest = 0.0
            for i in range(n):
                # an entry that is rounding beside its column must not set the scale
                if abs(M[i, j]) > ROUNDING * biggest:
                    largest = max(largest, row[i] * abs(M[i, j]))
            column[j] = _inverse_power(largest if largest > 0.0 else biggest)
    worst = 0.0
    for i in range(n):
        largest = 0.0
        for j in range(n):
            largest = max(largest, column[j] * abs(M[i, j]))
        if row[i] == 0.0:
            row[i] = _inverse_power(largest)
        worst = max(worst, row[i] * largest)
    if worst > UNEVEN:
        _geometric_means(M, n, row, column)


@njit
def _geometric_means(M, n, row, column):
    """Diagonals for which the entries of each row and column of `R M C` have geometric mean one."""
    size = np.zeros((n, n))
    for i in range(n):
        row[i] = 0.0
        column[i] = 0.0
        for j in range(n):
            size[i, j] = math.log2(abs(M[i, j])) if M[i, j] != 0.0 else math.nan
    for _ in range(3):
        for i in range(n):
            total, count = 0.0, 0
            for j in range(n):
                if not math.isnan(size[i, j]):
                    total += size[i, j] + column[j]
                    count += 1
            row[i] = -total / count if count else 0.0
        for j in range(n):
            total, count = 0.0, 0
            for i in range(n):
                if not math.isnan(size[i, j]):
                    total += size[i, j] + row[i]
                    count += 1
            column[j] = -total / count if count else 0.0
    for i in range(n):
        row[i], column[i] = math.ldexp(1.0, round(row[i])), math.ldexp(1.0, round(column[i]))


@njit
def measure(M, q, n, row, active, z, w, index):
    """Clip `z` at zero, fill `w`, and return how far `w = M z + q` is from holding.

    On return `z >= 0`, `w >= 0` and `z * w = 0` hold exactly, so the residual is the whole truth about an
    answer: the largest row error, divided by the size of the terms of that row (at least `ROW_FLOOR` times
    the largest scaled row). Not-a-number counts as infinite.
    """
    m = 0
    for j in range(n):
        if active[j] and z[j] > 0.0:
            index[m] = j
            m += 1
        else:
            if z[j] != z[j]:
                return math.inf
            z[j] = 0.0
    largest = 0.0
    for i in range(n):
        size = abs(q[i])
        value = q[i]
        for k in range(m):
            j = index[k]
            term = M[i, j] * z[j]
            value += term
            size += abs(term)
        largest = max(largest, row[i] * size)
        w[i] = value
    if largest == 0.0:
        return 0.0
    if not math.isfinite(largest):
        return math.inf
    worst = 0.0
    for i in range(n):
        error = abs(w[i]) if active[i] else max(-w[i], 0.0)
        if active[i] or w[i] < 0.0:
            w[i] = 0.0
        if error > 0.0:
            size = abs(q[i])
            for k in range(m):
                size += abs(M[i, index[k]] * z[index[k]])
            worst = max(worst, error / (size + ROW_FLOOR * largest / row[i]))
    return worst


@njit
def factor(a, order, m):
    """In-place `P A = L U` with row exchanges; False when a pivot is rounding compared with its column."""
    for k in range(m):
        best = k
        for i in range(k + 1, m):
            if abs(a[i, k]) > abs(a[best, k]):
                best = i
        order[k] = best
        pivot = a[best, k]
        if not abs(pivot) > PIVOT:
            return False
        if best != k:
            for j in range(m):
                a[k, j], a[best, j] = a[best, j], a[k, j]
        source = a[k]
        for i in range(k + 1, m):
            if a[i, k] != 0.0:
                target = a[i]
                f = target[k] / pivot
                target[k] = f
                for j in range(k + 1, m):
                    target[j] -= f * source[j]
    return True


@njit
def back_substitute(a, order, m, x):
    """Solve with the factors of `factor`, in place in `x`."""
    for k in range(m):
        p = order[k]
        x[k], x[p] = x[p], x[k]
        # the exchanges were applied to whole rows, so L is already in its final order
    for k in range(m):
        value = x[k]
        for j in range(k):
            value -= a[k, j] * x[j]
        x[k] = value
    for k in range(m - 1, -1, -1):
        value = x[k]
        for j in range(k + 1, m):
            value -= a[k, j] * x[j]
        x[k] = value / a[k, k]


@njit
def solve_basis(M, q, n, row, column, active, z, lu, order, x):
    """`M_aa z_a = -q_a` by a scaled LU with one step of refinement; False when the basis is singular.

    `lu` (at least n x n), `order` (2 x n) and `x` (n) are scratch space. `z` may come back negative: it is
    the value of the basis, not yet an answer.
    """
    m = 0
    for j in range(n):
        z[j] = 0.0
        if active[j]:
            order[1, m] = j
            m += 1
    if m == 0:
        return True
    for a in range(m):
        i = order[1, a]
        for b in range(m):
            j = order[1, b]
            lu[a, b] = row[i] * M[i, j] * column[j]
        x[a] = -row[i] * q[i]
    if not factor(lu, order[0], m):
        return False
    for turn in range(2):
        if turn == 1:
            for a in range(m):
                i = order[1, a]
                value = -q[i]
                for b in range(m):
                    value -= M[i, order[1, b]] * z[order[1, b]]
                x[a] = row[i] * value
        back_substitute(lu, order[0], m, x)
        for a in range(m):
            z[order[1, a]] += column[order[1, a]] * x[a]
    largest = 0.0
    for a in range(m):
        largest += abs(z[order[1, a]])
    return math.isfinite(largest)


def scratch(n):
    """Work arrays for one problem of up to `n` rows: `tableau`, `order` (integers) and `rows` (floats)."""
    return np.empty((n, n + 2)), np.empty((6, 2 * n + 1), np.int64), np.empty((5, n + 2))
