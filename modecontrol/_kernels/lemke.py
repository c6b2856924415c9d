"""Lemke's complementary pivoting with the lexicographic ratio test, for the LCP `w = M z + q`.

    w = q + M z + d z0,    z0 enters, then always the complement of what left, until z0 leaves

The tableau is condensed: row `i` holds `basic_i = b_i - sum_j T_ij nonbasic_j`, so it has n + 2 columns
instead of 2n + 2. The lexicographic test needs the columns of the inverse basis, that is those of the `w`:
they are in the tableau when `w_k` is not basic and unit vectors when it is. Ties are thereby broken as if `q`
were perturbed by powers of an infinitesimal, and no basis comes back (Cottle, Pang and Stone, section 4.9).

The covering vector `d` is all ones in the scaled problem; a second attempt may ask for another, which leads
along another path and sometimes to an answer where the first ended in a ray.
"""

import math

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.bases import equilibrate, measure, solve_basis
from modecontrol._kernels.jit import njit

PIVOT = tolerances.PIVOT
COMPLEMENTARY = tolerances.COMPLEMENTARY
REFINED = tolerances.REFINED
TIE = tolerances.TIE

SOLVED, RAY, LIMIT, INACCURATE = 0, 1, 2, 3


@njit
def exchange(T, n, width, r, c, pivot_row, pivot_column):
    """Swap the basic variable of row `r` with the nonbasic one of column `c`.

    The pivot row and column are copied out first, so that the double loop is seen to be free of aliases and is
    vectorised.
    """
    inverse = 1.0 / T[r, c]
    for i in range(n):
        pivot_column[i] = T[i, c]
        T[i, c] = 0.0
    pivot_column[r] = 0.0
    T[r, c] = 1.0
    for j in range(width):
        T[r, j] *= inverse
        pivot_row[j] = T[r, j]
    for i in range(n):
        f = pivot_column[i]
        if f != 0.0:
            for j in range(width):
                T[i, j] -= f * pivot_row[j]


@njit
def _lexicographic_row(T, n, c, place, candidates, count):
    """Among tied rows, the one whose row of (inverse basis) / T_ic is lexicographically least."""
    for k in range(n):
        if count == 1:
            break
        # column k of the inverse basis: that of w_k
        at = place[k]
        least = math.inf
        for a in range(count):
            i = candidates[a]
            value = (1.0 if at == i else 0.0) if at >= 0 else T[i, -1 - at]
            least = min(least, value / T[i, c])
        kept = 0
        slack = TIE * max(1.0, abs(least))
        for a in range(count):
            i = candidates[a]
            value = (1.0 if at == i else 0.0) if at >= 0 else T[i, -1 - at]
            if not value / T[i, c] > least + slack:
                candidates[kept] = i
                kept += 1
        count = max(kept, 1)
    return candidates[0]


@njit
def _leaving_row(T, n, c, rhs, basis, place, candidates, t):
    """The row that blocks column `c`, -1 when none does (a ray); z0 leaves whenever it can. `t` is scratch."""
    tallest = 1.0
    for i in range(n):
        t[i] = T[i, c]
        tallest = max(tallest, t[i])
    threshold = PIVOT * tallest
    best, least = -1, math.inf
    for i in range(n):
        if t[i] > threshold:
            ratio = max(T[i, rhs], 0.0) / t[i]
            if ratio < least:
                best, least = i, ratio
    if best < 0:
        return -1
    count = 0
    for i in range(n):
        # a row is tied when the pivot would leave it at zero
        if i == best or (t[i] > threshold and T[i, rhs] - least * t[i] <= TIE * max(1.0, T[i, rhs])):
            if basis[i] == 2 * n:
                return i
            candidates[count] = i
            count += 1
    if count == 1:
        return candidates[0]
    return _lexicographic_row(T, n, c, place, candidates, count)


@njit
def cover(i, turn):
    """Entry `i` of the scaled covering vector: 1 at the first attempt, spread over 1 to 4 at the others."""
    if turn == 0:
        return 1.0
    return 1.0 + 3.0 * ((i + 1) * (0.6180339887498949 + 0.1415926535897932 * turn) % 1.0)


@njit
def _accept(M, q, n, active, z, w, T, order, rows, residual):
    """Refine the basis by LU when its residual is not tiny; the better of the two answers is kept."""
    if residual <= REFINED:
        return residual
    row, column, x, kept = rows[0], rows[1], rows[2], rows[3]
    for i in range(n):
        kept[i] = z[i]
    if solve_basis(M, q, n, row, column, active, z, T, order, x):
        refined = measure(M, q, n, row, active, z, w, order[2])
        if refined <= residual:
            return refined
    for i in range(n):
        z[i] = kept[i]
    return measure(M, q, n, row, active, z, w, order[2])


@njit
def lemke_core(M, q, n, guess, active, z, w, tableau, order, rows, limit, turn):
    """Solve the first `n` rows of an LCP without allocating (unless its scaling is hopelessly uneven).

    Parameters
    ----------
    M, q : float64 arrays, at least (n, n) and (n,)
        The problem; never written to.
    n : int
        Number of rows in use.
    guess : bool
        Try the basis in `active` first (that of the previous time step) and keep it when it is right.
    active : bool array
        In: the guessed basis. Out: the final one.
    z, w : float64 arrays
        The answer; at a ray `z` is the direction of the ray.
    tableau, order, rows : arrays from `scratch(capacity)`
        Work space with `capacity >= n`.
    limit : int
        Most pivots allowed.
    turn : int
        Which covering vector: 0 for ones.

    Returns
    -------
    (code, pivots, residual)
        `SOLVED` is returned only when the residual is at most `COMPLEMENTARY`.

    """
    T, row, column = tableau, rows[0], rows[1]
    equilibrate(M, n, row, column)
    size = 0.0
    negative = False
    for i in range(n):
        size = max(size, row[i] * abs(q[i]))
        negative = negative or q[i] < 0.0
    if guess and negative and solve_basis(M, q, n, row, column, active, z, T, order, rows[2]):
        residual = measure(M, q, n, row, active, z, w, order[2])
        if residual <= REFINED:
            return SOLVED, 0, residual
    if not negative:
        for i in range(n):
            active[i] = False
            z[i] = 0.0
        return SOLVED, 0, measure(M, q, n, row, active, z, w, order[2])

    basis, nonbasic, place, candidates = order[3], order[4], order[5], order[2]
    rhs = n + 1
    r = 0
    for i in range(n):
        target = T[i]
        f = -row[i]
        for j in range(n):
            target[j] = f * M[i, j] * column[j]
        target[n] = -cover(i, turn)
        target[rhs] = row[i] * q[i] / size
        basis[i], nonbasic[i] = i, n + i
        place[i], place[n + i] = i, -1 - i
        # of equals the last: its unit vector is lexicographically least
        if target[rhs] * cover(r, turn) <= T[r, rhs] * cover(i, turn):
            r = i
    c = n
    nonbasic[n], place[2 * n] = 2 * n, -1 - n
    pivots = 0
    while pivots < limit:
        exchange(T, n, n + 2, r, c, rows[4], rows[3])
        pivots += 1
        entered, left = nonbasic[c], basis[r]
        basis[r], nonbasic[c] = entered, left
        place[entered], place[left] = r, -1 - c
        if left == 2 * n:
            for i in range(n):
                active[i] = False
                z[i] = 0.0
            for i in range(n):
                if basis[i] >= n:
                    j = basis[i] - n
                    active[j] = True
                    z[j] = T[i, rhs] * column[j] * size
            residual = measure(M, q, n, row, active, z, w, order[2])
            residual = _accept(M, q, n, active, z, w, T, order, rows, residual)
            return (SOLVED if residual <= COMPLEMENTARY else INACCURATE), pivots, residual
        c = -1 - place[left + n if left < n else left - n]
        r = _leaving_row(T, n, c, rhs, basis, place, candidates, rows[3])
        if r < 0:
            for i in range(n):
                z[i] = 0.0
            for i in range(n):
                if n <= basis[i] < 2 * n:
                    z[basis[i] - n] = max(-T[i, c], 0.0) * column[basis[i] - n]
            if n <= nonbasic[c] < 2 * n:
                z[nonbasic[c] - n] = column[nonbasic[c] - n]
            return RAY, pivots, math.inf
    return LIMIT, pivots, math.inf


@njit
def _lemke(M, q, guess, active, limit, turn):
    n = q.size
    z, w = np.zeros(n), np.zeros(n)
    tableau, order, rows = np.empty((n, n + 2)), np.empty((6, 2 * n + 1), np.int64), np.empty((5, n + 2))
    code, pivots, residual = lemke_core(M, q, n, guess, active, z, w, tableau, order, rows, limit, turn)
    return z, code, pivots, residual


def lemke(M, q, guess=None, limit=None, turn=0):
    """`lemke_core` with its own work space: `(z, active, code, pivots, residual)`."""
    n = q.size
    active = np.zeros(n, np.bool_) if guess is None else np.array(guess, np.bool_)
    most = 30 * n + 100 if limit is None else limit
    z, code, pivots, residual = _lemke(M, q, guess is not None, active, most, turn)
    return z, active, code, pivots, residual
