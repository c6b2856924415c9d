"""Hidden equalities on a dictionary with nonnegative constants: rows whose slack cannot grow anywhere.

A vertex with positive basic slacks and long edges shows that there are none. Otherwise the slacks that never left zero
are raised together; what stays leaves the dictionary, with as many columns, and the rest is judged on the affine hull.
"""

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.dictionary import CROSSED, TIRED, blocking, exchange, lower
from modecontrol._kernels.jit import njit
from modecontrol._kernels.shooting import EQUAL, UNKNOWN
from modecontrol._kernels.upkeep import swap

FLAT = tolerances.FLAT

_TINY = 1e-9    # entries up to this limit no step


@njit(error_model="numpy", forceinline=True)
def is_thick(T, row, col, weight, n, rows):
    """Whether all slacks of a vertex can grow together: its basic ones are positive, its edges long enough."""
    thick = True
    for i in range(rows):
        thick = thick and T[0, i] > FLAT * weight[row[i]]
    for j in range(1, n + 1):
        step = 1e250
        for i in range(rows):
            ratio = T[0, i] / (T[j, i] if T[j, i] > _TINY else 1e-280)
            step = ratio if ratio < step else step
        thick = thick and step > FLAT * weight[col[j]]
    return thick


@njit(error_model="numpy")
def find_equalities(T, row, col, state, weight, n, rows):
    """Find the hidden equalities: rows whose slack stays below FLAT everywhere. False when TIRED.

    The sum of the slacks that never left zero so far is raised; those that leave are struck off, and so on.
    """
    heaviest = 1.0
    for i in range(rows):
        heaviest = max(heaviest, weight[row[i]])
        if T[0, i] <= FLAT * weight[row[i]]:
            state[row[i]] = EQUAL
    for j in range(1, n + 1):
        heaviest = max(heaviest, weight[col[j]])
        state[col[j]] = EQUAL
    while True:
        count = 0
        T[0, rows] = 0.0
        for j in range(1, n + 1):
            count += state[col[j]] == EQUAL
            T[j, rows] = 1.0 if state[col[j]] == EQUAL else 0.0
        for i in range(rows):
            if state[row[i]] == EQUAL:
                count += 1
                for j in range(n + 1):
                    T[j, rows] -= T[j, i]
        if count == 0:
            return True
        code, q = lower(T, row, col, n, rows, rows + 1, rows, T[0, rows] - heaviest, _TINY)
        if code == TIRED:
            return False
        before = count
        if code == CROSSED:
            r = blocking(T, row, rows, rows, q, _TINY, False)
            if r >= 0:
                exchange(T, row, col, n, rows + 1, r, q)
            else:
                for i in range(rows):
                    if state[row[i]] == EQUAL and T[q, i] < -_TINY:
                        state[row[i]] = UNKNOWN
                        count -= 1
                if state[col[q]] == EQUAL:
                    state[col[q]] = UNKNOWN
                    count -= 1
        for i in range(rows):
            if state[row[i]] == EQUAL and T[0, i] > FLAT * weight[row[i]]:
                state[row[i]] = UNKNOWN
                count -= 1
        if count == before:
            return True


@njit(error_model="numpy", forceinline=True)
def _fix(T, col, n, live, q):
    """Column `q` stays at zero for good: the last column takes its place."""
    for i in range(live):
        T[q, i] = T[n, i]
    col[q] = col[n]


@njit(error_model="numpy")
def take_out_equalities(T, row, col, state, n, rows):
    """Pivot the hidden equalities out of the dictionary; the columns that remain span the affine hull."""
    for q in range(n, 0, -1):
        if state[col[q]] == EQUAL:
            _fix(T, col, n, rows, q)
            n -= 1
    while True:
        best = 10.0 * FLAT
        r = np.int64(-1)
        s = np.int64(0)
        for i in range(rows):
            if state[row[i]] == EQUAL:
                for j in range(1, n + 1):
                    if abs(T[j, i]) > best:
                        best = abs(T[j, i])
                        r = i
                        s = j
        if r < 0:
            break
        T[0, r] = 0.0
        exchange(T, row, col, n, rows, r, s)
        _fix(T, col, n, rows, s)
        n -= 1
    for i in range(rows - 1, -1, -1):
        if state[row[i]] == EQUAL:
            rows -= 1
            swap(T, row, n, i, rows)
    return n, rows
