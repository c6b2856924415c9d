"""A basis of the eliminated variables in which rows have many zeros: Fourier-Motzkin thrives on them.

`{x : A x + B w <= b}` has the same projection on `x` for every basis of `w`. Complete pivoting first makes as many rows
as possible feel one `w` each; then such a row hands its place to another as long as that leaves more zeros. The internal
forces of a chain end up in the few contacts that they concern, and sets that elimination could not finish within
minutes are projected in fractions of a millisecond.
"""

import numpy as np

from modecontrol._kernels.jit import njit

_SURELY = 1e-6       # entries above this can be divided by
_ROUNDING = 1e-11    # a difference this much smaller than its terms is zero
_FAIR = 0.05         # a row takes over only if its entry is at least this part of the largest in the column
_FEW = 2             # with so few variables there is nothing to gain from exchanges


@njit
def sparsify(X, first):
    """Change, in place, the basis of the variables `first`, `first + 1`, ... of the rows `X`."""
    rows, width = X.shape
    taken, used = np.zeros(rows, np.bool_), np.zeros(width, np.bool_)
    for _ in range(width - first):
        best, row, column = _SURELY, -1, -1
        for r in range(rows):
            for j in range(first, width):
                if not (taken[r] or used[j]) and abs(X[r, j]) > best:
                    best, row, column = abs(X[r, j]), r, j
        if row < 0:
            break
        taken[row], used[column] = True, True
        _exchange(X, first, row, column)
    if width - first > _FEW:
        while _improve(X, first):
            pass


@njit
def _exchange(X, first, row, column):
    """Column operations after which `row` feels the variable `column` alone, with coefficient one."""
    rows, width = X.shape
    pivot = X[row, column]
    for r in range(rows):
        X[r, column] /= pivot
    X[row, column] = 1.0
    for j in range(first, width):
        factor = X[row, j]
        if j != column and factor != 0.0:
            for r in range(rows):
                X[r, j] = _difference(X[r, j], factor * X[r, column])
            X[row, j] = 0.0


@njit
def _difference(a, b):
    """`a - b`, zero when all but rounding cancels."""
    value = a - b
    return value if abs(value) > _ROUNDING * max(abs(a), abs(b)) else 0.0


@njit
def _improve(X, first):
    """The exchange that gains most zeros, done; False when none gains any."""
    rows, width = X.shape
    best, row, column = 0, -1, -1
    for c in range(first, width):
        largest = 0.0
        for r in range(rows):
            largest = max(largest, abs(X[r, c]))
        for r in range(rows):
            if abs(X[r, c]) > max(_FAIR * largest, _SURELY):
                gained = _gain(X, first, r, c)
                if gained > best:
                    best, row, column = gained, r, c
    if row < 0:
        return False
    _exchange(X, first, row, column)
    return True


@njit
def _gain(X, first, row, column):
    """Zeros that an exchange would add."""
    rows, width = X.shape
    total = 0
    for j in range(first, width):
        if j == column or X[row, j] == 0.0:
            continue
        factor = X[row, j] / X[row, column]
        for r in range(rows):
            if X[r, column] != 0.0:
                stays = r != row and _difference(X[r, j], factor * X[r, column]) != 0.0
                total += (X[r, j] != 0.0) - stays
    return total
