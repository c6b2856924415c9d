"""Keeping a dictionary true: it is compared with the scaled data that it came from, and made anew from them.

Rounding gathers over pivots. What a dictionary claims is trusted only as long as it agrees with the data.
"""

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.jit import njit
from modecontrol._kernels.shooting import EQUAL, OUT
from modecontrol._kernels.workspace import (
    AGAIN,
    COL,
    COLUMNS,
    POINT,
    ROW,
    ROWS,
    SLACK,
    STATE,
    WEIGHT,
    D,
    M,
    P,
    eliminate,
    from_slacks,
)

FEASIBLE = tolerances.FEASIBLE
FLAT = tolerances.FLAT
REDUNDANT = tolerances.REDUNDANT

_FEW = 64.0 * 2.220446049250313e-16


@njit(error_model="numpy", forceinline=True)
def swap(T, row, n, r, k):
    """Rows `r` and `k` change places."""
    for j in range(n + 1):
        T[j, r], T[j, k] = T[j, k], T[j, r]
    row[r], row[k] = row[k], row[r]


@njit(error_model="numpy")
def still_true(ws, n, live):
    """Whether `T` agrees with the scaled data after all pivots, tried at a point where no slack is zero."""
    G, T, size, row, col = ws.G, ws.T, ws.size, ws.labels[ROW], ws.labels[COL]
    slack, state, u, weight = ws.vectors[SLACK], ws.labels[STATE], ws.vectors[POINT], ws.vectors[WEIGHT]
    m, d = size[M], size[D]
    tolerance = FEASIBLE
    for i in range(m):
        if state[i] == EQUAL:
            tolerance = 100.0 * FLAT
    for i in range(m):
        slack[i] = 0.0
    for j in range(1, n + 1):
        slack[col[j]] = 0.5 + (0.618 * j) % 1.0
    for i in range(live):
        value = T[0, i]
        for j in range(1, n + 1):
            value -= T[j, i] * slack[col[j]]
        slack[row[i]] = value
    from_slacks(ws, u, 1.0)
    true = True
    for i in range(live):
        k = row[i]
        gap = slack[k] - G[0, k]
        terms = weight[k]
        for j in range(d):
            term = G[j + 1, k] * u[j]
            gap += term
            terms += abs(term)
        true = true & (abs(gap) <= tolerance * terms)
    return true


@njit(error_model="numpy")
def is_crossing(ws, n, live, g, q):
    """Whether the scaled data, too, have a point on the edge of column `q` that violates row `g` and no other.

    A slope of rounding size followed far enough crosses anything; along it other rows are violated just as much.
    """
    G, T, size, row, col = ws.G, ws.T, ws.size, ws.labels[ROW], ws.labels[COL]
    slack, state, u, weight = ws.vectors[SLACK], ws.labels[STATE], ws.vectors[POINT], ws.vectors[WEIGHT]
    m, d = size[M], size[D]
    over = 2.0 * REDUNDANT * weight[row[g]]
    step = max(T[0, g] + over, over) / T[q, g]
    for i in range(m):
        slack[i] = 0.0
    for i in range(live):
        slack[row[i]] = T[0, i] - step * T[q, i]
    slack[col[q]] = step
    from_slacks(ws, u, 1.0)
    alone = True
    for k in range(m):
        gap = -G[0, k]
        terms = 0.0
        for j in range(d):
            gap += G[j + 1, k] * u[j]
            terms += abs(G[j + 1, k] * u[j])
        if k == row[g]:
            alone = alone & (gap > 0.5 * over)
        elif state[k] != OUT:
            alone = alone & (gap <= 0.25 * over * weight[k] / weight[row[g]] + _FEW * terms)
    return alone


@njit(error_model="numpy")
def is_sum(ws, n, g):
    """Whether the scaled data, too, make row `g` a sum of the rows in the columns: for sets without equalities."""
    G, T, size, col, weight = ws.G, ws.T, ws.size, ws.labels[COL], ws.vectors[WEIGHT]
    k = ws.labels[ROW, g]
    total = 1.0
    right = G[0, k]
    for j in range(1, n + 1):
        y = max(-T[j, g], 0.0)
        total += y
        right -= y * G[0, col[j]]
    holds = size[P] == 0 and right >= -REDUNDANT * weight[k] * total
    for i in range(1, size[D] + 1):
        gap = G[i, k]
        for j in range(1, n + 1):
            gap -= max(-T[j, g], 0.0) * G[i, col[j]]
        holds = holds and abs(gap) <= REDUNDANT * total
    return holds


@njit(error_model="numpy")
def refresh(ws):
    """Make `ws.T` anew at the same vertex, without the rows that are OUT; its rows, or -1 if it is no vertex."""
    T, row, col, state, size, weight = ws.T, ws.labels[ROW], ws.labels[COL], ws.labels[STATE], ws.size, ws.vectors[WEIGHT]
    n = size[COLUMNS]
    for j in range(1, n + 1):
        state[col[j]] += 10
    size[AGAIN] = 1
    eliminate(ws)
    same = size[COLUMNS] == n
    for j in range(1, size[COLUMNS] + 1):
        same = same and state[col[j]] >= 10
    for i in range(size[M]):
        state[i] %= 10
    rows = size[ROWS]
    for i in range(rows - 1, -1, -1):
        same = same and (state[row[i]] == OUT or T[0, i] >= -FEASIBLE * weight[row[i]])
        if state[row[i]] == OUT:
            rows -= 1
            swap(T, row, n, i, rows)
    return rows if same else np.int64(-1)
