"""One polyhedron `{x : A x <= b, C x = e}` made ready for the simplex method: scaled, then free of `x`.

Scaling. Rows and columns are multiplied by powers of two (nothing is rounded) until the largest coefficient
of each lies in [1/2, 1); a set whose right-hand sides are all small is blown up, by 2^20 at most. With row
sizes `r`, column sizes `k`, blow-up `1/h` the solver sees `r A k u <= r b / h` and `u = x / (h k)`.

Elimination. The free `u` are pivoted out of the dictionary: through the equalities first (complete pivoting),
then through inequalities, by ratio tests while the current point is feasible, by complete pivoting when it is
not. What cannot be pivoted is a line of the set. The result `S` is kept as it is: it gives `u` and the
multipliers back from the slacks. Its part in slacks alone, `T`, is what the simplex method works on.
"""

from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.dictionary import DEGENERATE, TIE, exchange
from modecontrol._kernels.jit import njit

PIVOT = tolerances.PIVOT
FEASIBLE = tolerances.FEASIBLE

M, P, D, COLUMNS, ROWS, CLASH, AGAIN, TASK, PHASE = 0, 1, 2, 3, 4, 5, 6, 7, 8
"""Places in `Workspace.size`: inequalities, equalities and variables of the set; columns and rows of `T`; the
row of `S` that contradicts itself, or -1; whether this is the second attempt; one of the tasks that follow;
the phase of the simplex method. Flags travel here, for numba compiles anew for every constant argument."""
FIND, MAXIMIZE, WARM = 0, 1, 2
"""Tasks: find a point, maximise the objective, maximise it from the present `T`."""
BASE_ROW, BASE_COL, ROW, COL, STATE = 0, 1, 2, 3, 4
"""Rows of `Workspace.labels`: of the rows and (from 1) columns of `S`, then of `T`; what is known of each row."""
ROW_SCALE, COL_SCALE, WEIGHT, COST, SLACK, POINT, RAY, SCALE = 0, 1, 2, 3, 4, 5, 6, 7
"""Rows of `Workspace.vectors`: sizes of rows and columns; the unit `max(1, |b|)` of a violation; the scaled
objective; slacks or multipliers by label; scaled point and ray; the scalars that follow."""
BLOWUP, COST_SIZE, TINY = 0, 1, 2
"""Places in `vectors[SCALE]`: blow-up `h`, size of the objective, entries of `T` up to this limit no step."""


class Workspace(NamedTuple):
    """Everything one polyhedron needs, allocated once by `make_workspace` and used again and again.

    Kernels that solve in a loop make one workspace for the largest problem and call `simplex.solve_into`,
    `simplex.prepare`, `simplex.solve_again`; the answers stand in the first entries of `x`, `ray`, `y`, `z`.
    """

    G: np.ndarray          # (1 + d, m + p) scaled data by columns, right-hand sides in G[0]
    S: np.ndarray          # (1 + d, m + p + 1) dictionary after elimination, objective in its last row
    T: np.ndarray          # (2 + d, m + 1) dictionary in slacks alone, the objective after its rows
    vectors: np.ndarray
    labels: np.ndarray
    size: np.ndarray
    x: np.ndarray
    ray: np.ndarray
    y: np.ndarray
    z: np.ndarray


@njit(error_model="numpy")
def make_workspace(m, p, d):
    """A `Workspace` for up to `m` inequalities and `p` equalities in up to `d` variables."""
    width = m + p + d + 3
    return Workspace(
        np.empty((d + 1, m + p)), np.empty((d + 1, m + p + 1)), np.empty((d + 2, m + 1)),
        np.empty((8, width)), np.empty((5, width), np.int64), np.zeros(9, np.int64),
        np.empty(d), np.empty(d), np.empty(m), np.empty(p),
    )


@njit(error_model="numpy", forceinline=True)
def power_below(a):
    """The power of two `h` with `1/2 <= h a < 1`; 1 for zero."""
    if not 1e-290 < a < 1e290:
        return 1.0
    exponent = np.float64(a).view(np.int64) & np.int64(0x7FF0000000000000)
    return 0.5 * np.int64(np.int64(0x7FE0000000000000) - exponent).view(np.float64)


@njit(error_model="numpy")
def load(ws, A, b, C, e):
    """Scale the set into `ws.G`."""
    G, size, vectors = ws.G, ws.size, ws.vectors
    m, d = A.shape
    p = C.shape[0]
    size[M], size[P], size[D] = m, p, d
    for i in range(m + p):
        vectors[ROW_SCALE, i] = 0.0
    for j in range(d):
        for i in range(m):
            G[j + 1, i] = A[i, j]
        for i in range(p):
            G[j + 1, m + i] = C[i, j]
        for i in range(m + p):
            a = abs(G[j + 1, i])
            vectors[ROW_SCALE, i] = a if a > vectors[ROW_SCALE, i] else vectors[ROW_SCALE, i]
    for i in range(m + p):
        vectors[ROW_SCALE, i] = power_below(vectors[ROW_SCALE, i])
    plain = True
    for j in range(d):
        largest = 0.0
        for i in range(m + p):
            a = abs(G[j + 1, i]) * vectors[ROW_SCALE, i]
            largest = a if a > largest else largest
        h = power_below(largest)
        vectors[COL_SCALE, j] = h
        plain = plain and h == 1.0
    if not plain:
        for i in range(m + p):
            largest = 0.0
            for j in range(d):
                largest = max(largest, abs(G[j + 1, i]) * vectors[COL_SCALE, j])
            vectors[ROW_SCALE, i] = power_below(largest)
    for j in range(d):
        h = vectors[COL_SCALE, j]
        for i in range(m + p):
            G[j + 1, i] *= h * vectors[ROW_SCALE, i]
    blowup = 0.0
    for i in range(m + p):
        right = vectors[ROW_SCALE, i] * (b[i] if i < m else e[i - m])
        G[0, i] = right
        blowup = abs(right) if abs(right) > blowup else blowup
    h = power_below(max(blowup, 1e-6)) if 0.0 < blowup < 1.0 else 1.0
    vectors[SCALE, BLOWUP] = 1.0 / h
    for i in range(m + p):
        G[0, i] *= h
        vectors[WEIGHT, i] = max(1.0, abs(G[0, i]))


@njit(error_model="numpy")
def set_cost(ws, c):
    """Scale the objective into `ws.vectors[COST]`."""
    vectors = ws.vectors
    largest = 0.0
    for j in range(c.size):
        vectors[COST, j] = c[j] * vectors[COL_SCALE, j]
        largest = max(largest, abs(vectors[COST, j]))
    h = power_below(largest)
    vectors[SCALE, COST_SIZE] = 1.0 / h
    for j in range(c.size):
        vectors[COST, j] *= h


@njit(error_model="numpy", forceinline=True)
def _largest(S, row, col, free, d, start, stop, chosen, use):
    """A large entry in those of rows start..stop-1 that hold slacks and columns of free variables.

    The largest of the first column that has one above 1/4, or else of all.
    """
    best = PIVOT
    r = np.int64(-1)
    q = np.int64(0)
    for j in range(1, d + 1):
        if (col[j] >= free) & (best < 0.25):
            top = best
            place = np.int64(-1)
            for i in range(start, stop):
                a = abs(S[j, i]) if (row[i] < free) & ((use == 0) | (chosen[i] > 0.0)) else 0.0
                place = i if a > top else place
                top = a if a > top else top
            if place >= 0:
                best = top
                r = place
                q = j
    return r, q


@njit(error_model="numpy", forceinline=True)
def _ratio(S, row, m, q, sign, tiny):
    """The inequality that stops the free variable of column `q` in one direction; -1 when none does.

    As in `dictionary.blocking`, of which this is the twin for both directions.
    """
    bound = 1e250
    r = np.int64(-1)
    for i in range(m):
        a = sign * S[q, i]
        value = S[0, i] if S[0, i] > 0.0 else 0.0
        ratio = (value + TIE) / (a if (a > tiny) & (row[i] < m) else 1e-280)
        r = i if ratio < bound else r
        bound = ratio if ratio < bound else bound
    if r >= 0 and S[0, r] <= DEGENERATE:
        best = tiny
        for i in range(m):
            a = sign * S[q, i]
            if (a > best) & (S[0, i] <= bound * a) & (row[i] < m):
                best = a
                r = i
    return r


@njit(error_model="numpy", forceinline=True)
def _enter_free(S, row, col, m, total, d, tiny, passed):
    """Let the free variables of a feasible dictionary move, each the better way, until a row stops it."""
    for j in range(d + 1):
        passed[j] = 0.0
    for _ in range(d):
        q = np.int64(0)
        for j in range(1, d + 1):
            if col[j] >= total and passed[j] == 0.0 and (q == 0 or abs(S[j, total]) > abs(S[q, total])):
                q = j
        if q > 0:
            sign = 1.0 if S[q, total] >= 0.0 else -1.0
            r = np.int64(-1)
            for _ in range(2):
                if r < 0:
                    r = _ratio(S, row, m, q, sign, tiny)
                    sign = -sign
            if r < 0:
                passed[q] = 1.0    # a line, or next to one
            else:
                exchange(S, row, col, d, total + 1, r, q)


@njit(error_model="numpy")
def eliminate(ws):
    """Pivot the free variables out of the scaled data; False when the equalities contradict each other.

    In the second attempt the columns of the present `T` are tried first: the same dictionary, less rounding.
    """
    G, S, T, size = ws.G, ws.S, ws.T, ws.size
    row, col, trow, tcol = ws.labels[BASE_ROW], ws.labels[BASE_COL], ws.labels[ROW], ws.labels[COL]
    chosen, passed, cost, weight = ws.vectors[SLACK], ws.vectors[POINT], ws.vectors[COST], ws.vectors[WEIGHT]
    m, p, d, again = size[M], size[P], size[D], size[AGAIN]
    total = m + p
    if again:
        for i in range(m):
            chosen[i] = 0.0
        for j in range(1, size[COLUMNS] + 1):
            if 0 <= tcol[j] < m:
                chosen[tcol[j]] = 1.0
    for j in range(d + 1):
        for i in range(total):
            S[j, i] = G[j, i]
        S[j, total] = cost[j - 1] if j > 0 else 0.0
        col[j] = total + j - 1
    for i in range(total):
        row[i] = i
    clash = np.int64(-1)
    # equalities; then the inequalities that the second attempt prefers, or ratio tests; then what is left
    for stage in range(3):
        start = m if stage == 0 else np.int64(0)
        stop = total if stage == 0 else m
        use = again if stage == 1 else np.int64(0)
        if stage == 1 and again == 0:
            lowest = 0.0
            for i in range(m):
                lowest = S[0, i] if S[0, i] < lowest else lowest
            if lowest >= -PIVOT:
                _enter_free(S, row, col, m, total, d, ws.vectors[SCALE, TINY], passed)
        elif stop > start and clash < 0:
            r = np.int64(0)
            while r >= 0:
                r, q = _largest(S, row, col, total, d, start, stop, chosen, use)
                if r >= 0:
                    exchange(S, row, col, d, total + 1, r, q)
        if stage == 0:
            for i in range(m, total):
                if row[i] < total and not abs(S[0, i]) <= FEASIBLE * weight[row[i]]:
                    clash = i
    size[CLASH] = clash
    rows = 0
    for i in range(m):
        if row[i] < m:
            trow[rows] = row[i]
            chosen[rows] = i
            rows += 1
    n = 0
    for j in range(d + 1):
        if j == 0 or col[j] < m:
            for i in range(rows):
                T[n, i] = S[j, int(chosen[i])]
            T[n, rows] = S[j, total]
            tcol[n] = col[j]
            n += 1
    size[ROWS] = rows
    size[COLUMNS] = n - 1
    return clash < 0


@njit(error_model="numpy", forceinline=True)
def from_slacks(ws, out, constant):
    """The scaled point (`constant` 1) or ray (0) that has the slacks in `vectors[SLACK]`; lines at zero."""
    S, size = ws.S, ws.size
    row, col, slack = ws.labels[BASE_ROW], ws.labels[BASE_COL], ws.vectors[SLACK]
    m, d = size[M], size[D]
    total = m + size[P]
    for j in range(d):
        out[j] = 0.0
    for i in range(total):
        if row[i] >= total:
            value = constant * S[0, i]
            for j in range(1, d + 1):
                if col[j] < m:
                    value -= S[j, i] * slack[col[j]]
            out[row[i] - total] = value


@njit(error_model="numpy", forceinline=True)
def equality_multipliers(ws):
    """Multipliers of the equalities from those of the inequalities, both scaled and in `vectors[SLACK]`.

    The coefficients of `t` must agree in `cost u = value - y s - z t`; in phase 1 the left side is zero.
    """
    S, size = ws.S, ws.size
    row, col, y = ws.labels[BASE_ROW], ws.labels[BASE_COL], ws.vectors[SLACK]
    m, d = size[M], size[D]
    total = m + size[P]
    for k in range(m, total):
        y[k] = 0.0
    for j in range(1, d + 1):
        if m <= col[j] < total:
            z = -S[j, total] if size[PHASE] == 2 else 0.0
            for i in range(m):
                if row[i] < m:
                    z += y[row[i]] * S[j, i]
            y[col[j]] = z
