"""One polyhedron `{x : A x <= b, C x = e}` made ready for the simplex method: scaled, then free of `x`.

Scaling. Rows and columns are multiplied by powers of two (nothing is rounded) until the largest coefficient
of each lies in [1/2, 1); a set whose right-hand sides are all small is blown up, by 2^20 at most. With row sizes
`r`, column sizes `k` and the blow-up `h` the solver sees `r A k u <= r b / h` in the unknown `u = x / (h k)`.

Elimination. The free `u` are pivoted out of the dictionary: through the equalities first (complete pivoting),
then through inequalities, by ratio tests while the current point is feasible and by complete pivoting when it
is not. What cannot be pivoted is a line of the set. The result `S` is kept as it is: it gives `u` and the
multipliers back from the slacks. Its part in slacks alone, `T`, is what the simplex method works on.
"""

from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.dictionary import exchange
from modecontrol._kernels.jit import njit

PIVOT = tolerances.PIVOT
FEASIBLE = tolerances.FEASIBLE

M, P, D, COLUMNS, ROWS, CLASH = 0, 1, 2, 3, 4, 5    # places in Workspace.size
BLOWUP, COST = 0, 1    # places in Workspace.scale


class Workspace(NamedTuple):
    """Everything one polyhedron needs, allocated once by `make_workspace` and used again and again.

    Kernels that solve in a loop make one workspace for the largest problem and call `simplex.solve_into`,
    `simplex.prepare`, `simplex.solve_again`; the answers stand in the first entries of `x`, `ray`, `y`, `z`.
    """

    G: np.ndarray            # (1 + d, m + p) scaled data by columns, right-hand sides in G[0]
    S: np.ndarray            # (1 + d, m + p + 1) dictionary after elimination, objective in its last row
    T: np.ndarray            # (2 + d, m + 1) dictionary in slacks alone, the objective after its rows
    base_row: np.ndarray     # labels of the rows of S
    base_col: np.ndarray     # labels of the columns of S, from 1
    row: np.ndarray          # labels of the rows of T
    col: np.ndarray          # labels of the columns of T, from 1
    row_scale: np.ndarray    # (m + p)
    col_scale: np.ndarray    # (d)
    weight: np.ndarray       # (m + p) max(1, |scaled right-hand side|): the unit of a violation
    cost: np.ndarray         # (d) scaled objective
    slack: np.ndarray        # (m + p) scratch by label
    u: np.ndarray            # (d) scaled point
    v: np.ndarray            # (d) scaled ray
    x: np.ndarray            # (d) answer: point
    ray: np.ndarray          # (d) answer: ray
    y: np.ndarray            # (m) answer: multipliers of the inequalities
    z: np.ndarray            # (p) answer: multipliers of the equalities
    size: np.ndarray         # m, p, d, columns and rows of T, first row of S that contradicts itself (or -1)
    scale: np.ndarray        # blow-up of x, size of the objective


@njit
def make_workspace(m, p, d):
    """A `Workspace` for up to `m` inequalities and `p` equalities in up to `d` variables."""
    return Workspace(
        np.empty((d + 1, m + p)), np.empty((d + 1, m + p + 1)), np.empty((d + 2, m + 1)),
        np.empty(m + p, np.int64), np.empty(d + 1, np.int64),
        np.empty(m + 1, np.int64), np.empty(d + 2, np.int64),
        np.empty(m + p), np.empty(d), np.empty(m + p), np.empty(d), np.empty(m + p), np.empty(d), np.empty(d),
        np.empty(d), np.empty(d), np.empty(m), np.empty(p), np.zeros(6, np.int64), np.ones(2),
    )


@njit
def power_below(a):
    """The power of two `h` with `1/2 <= h a < 1`; 1 for zero."""
    if not 1e-290 < a < 1e290:
        return 1.0
    exponent = np.float64(a).view(np.int64) & np.int64(0x7FF0000000000000)
    return 0.5 * np.int64(np.int64(0x7FE0000000000000) - exponent).view(np.float64)


@njit
def load(ws, A, b, C, e):
    """Scale the set into `ws.G`."""
    m, d = A.shape
    p = C.shape[0]
    ws.size[M], ws.size[P], ws.size[D] = m, p, d
    G = ws.G
    for j in range(d):
        ws.col_scale[j] = 0.0
    for i in range(m + p):
        largest = 0.0
        for j in range(d):
            a = A[i, j] if i < m else C[i - m, j]
            G[j + 1, i] = a
            largest = max(largest, abs(a))
        h = power_below(largest)
        ws.row_scale[i] = h
        for j in range(d):
            ws.col_scale[j] = max(ws.col_scale[j], h * abs(G[j + 1, i]))
    plain = True
    for j in range(d):
        ws.col_scale[j] = power_below(ws.col_scale[j])
        plain = plain and ws.col_scale[j] == 1.0
    blowup = 0.0
    for i in range(m + p):
        h = ws.row_scale[i]
        if not plain:
            largest = 0.0
            for j in range(d):
                largest = max(largest, abs(G[j + 1, i]) * ws.col_scale[j])
            h = power_below(largest)
            ws.row_scale[i] = h
        for j in range(d):
            G[j + 1, i] *= h * ws.col_scale[j]
        G[0, i] = h * (b[i] if i < m else e[i - m])
        blowup = max(blowup, abs(G[0, i]))
    h = 1.0
    if 0.0 < blowup < 1.0:
        h = power_below(max(blowup, 1e-6))
    ws.scale[BLOWUP] = 1.0 / h
    for i in range(m + p):
        G[0, i] *= h
        ws.weight[i] = max(1.0, abs(G[0, i]))


@njit
def set_cost(ws, c):
    """Scale the objective into `ws.cost`."""
    d = ws.size[D]
    largest = 0.0
    for j in range(d):
        ws.cost[j] = c[j] * ws.col_scale[j]
        largest = max(largest, abs(ws.cost[j]))
    h = power_below(largest)
    ws.scale[COST] = 1.0 / h
    for j in range(d):
        ws.cost[j] *= h


@njit
def _largest(S, row, col, free, d, start, stop, chosen, use):
    """The largest entry in those of rows start..stop-1 that hold slacks and columns of free variables."""
    best, r, q = PIVOT, -1, 0
    for j in range(1, d + 1):
        if col[j] >= free:
            for i in range(start, stop):
                if row[i] < free and abs(S[j, i]) > best and (not use or chosen[row[i]] > 0.0):
                    best, r, q = abs(S[j, i]), i, j
    return r, q


@njit
def _ratio(S, row, m, q, sign, tiny):
    """The inequality that stops the free variable of column `q` in one direction; -1 when none does."""
    bound = np.inf
    for i in range(m):
        a = sign * S[q, i]
        if a > tiny and row[i] < m:
            bound = min(bound, (max(S[0, i], 0.0) + PIVOT) / a)
    r = -1
    if bound < np.inf:
        for i in range(m):
            a = sign * S[q, i]
            if a > tiny and row[i] < m and max(S[0, i], 0.0) <= bound * a and (r < 0 or a > sign * S[q, r]):
                r = i
    return r


@njit
def _enter_free(ws, tiny):
    """Let the free variables of a feasible dictionary move, each the better way, until a row stops it."""
    S, row, col, passed = ws.S, ws.base_row, ws.base_col, ws.u
    m, d = ws.size[M], ws.size[D]
    total = m + ws.size[P]
    for j in range(d):
        passed[j] = 0.0
    for _ in range(d):
        q = 0
        for j in range(1, d + 1):
            if col[j] >= total and passed[j - 1] == 0.0 and (q == 0 or abs(S[j, total]) > abs(S[q, total])):
                q = j
        if q == 0:
            return
        sign = 1.0 if S[q, total] >= 0.0 else -1.0
        r = _ratio(S, row, m, q, sign, tiny)
        if r < 0:
            r = _ratio(S, row, m, q, -sign, tiny)
        if r < 0:
            passed[q - 1] = 1.0    # a line, or next to one
        else:
            exchange(S, row, col, d, total + 1, r, q)


@njit
def eliminate(ws, again, tiny):
    """Pivot the free variables out of the scaled data; False when the equalities contradict each other.

    With `again` the columns of the present `T` are tried first: the same dictionary without its rounding.
    """
    G, S, T, row, col = ws.G, ws.S, ws.T, ws.base_row, ws.base_col
    m, p, d = ws.size[M], ws.size[P], ws.size[D]
    total = m + p
    if again:
        for i in range(m):
            ws.slack[i] = 0.0
        for j in range(1, ws.size[COLUMNS] + 1):
            if 0 <= ws.col[j] < m:
                ws.slack[ws.col[j]] = 1.0
    for j in range(d + 1):
        for i in range(total):
            S[j, i] = G[j, i]
        S[j, total] = ws.cost[j - 1] if j > 0 else 0.0
        col[j] = total + j - 1
    for i in range(total):
        row[i] = i
    ws.size[CLASH] = -1
    for _ in range(min(p, d)):
        r, q = _largest(S, row, col, total, d, m, total, ws.slack, False)
        if r < 0:
            break
        exchange(S, row, col, d, total + 1, r, q)
    for i in range(m, total):
        if row[i] < total and not abs(S[0, i]) <= FEASIBLE * ws.weight[row[i]]:
            ws.size[CLASH] = i
            return False
    feasible = not again
    for i in range(m):
        feasible = feasible and S[0, i] >= -PIVOT
    if feasible:
        _enter_free(ws, tiny)
    for _ in range(d):
        r, q = _largest(S, row, col, total, d, 0, m, ws.slack, again)
        if r < 0 and again:
            r, q = _largest(S, row, col, total, d, 0, m, ws.slack, False)
        if r < 0:
            break
        exchange(S, row, col, d, total + 1, r, q)
    n = 0
    for j in range(d + 1):
        if j == 0 or col[j] < m:
            rows = 0
            for i in range(m):
                if row[i] < m:
                    T[n, rows] = S[j, i]
                    ws.row[rows] = row[i]
                    rows += 1
            T[n, rows] = S[j, total]
            ws.col[n] = col[j]
            ws.size[ROWS] = rows
            n += 1
    ws.size[COLUMNS] = n - 1
    return True


@njit
def point_from_slacks(ws, out, homogeneous):
    """`u`, or with `homogeneous` a direction, from the inequalities' slacks in `ws.slack`; lines at 0."""
    S, row, col = ws.S, ws.base_row, ws.base_col
    m, d = ws.size[M], ws.size[D]
    total = m + ws.size[P]
    for j in range(d):
        out[j] = 0.0
    for i in range(total):
        if row[i] >= total:
            value = 0.0 if homogeneous else S[0, i]
            for j in range(1, d + 1):
                if col[j] < m:
                    value -= S[j, i] * ws.slack[col[j]]
            out[row[i] - total] = value


@njit
def equality_multipliers(ws, cost):
    """Multipliers of the equalities from those of the inequalities, both scaled and by label in `ws.slack`.

    The coefficients of `t` must agree in `cost u = value - y s - z t`; without `cost` the left side is zero.
    """
    S, row, col, y = ws.S, ws.base_row, ws.base_col, ws.slack
    m, d = ws.size[M], ws.size[D]
    total = m + ws.size[P]
    for k in range(m, total):
        y[k] = 0.0
    for j in range(1, d + 1):
        if m <= col[j] < total:
            z = -S[j, total] if cost else 0.0
            for i in range(m):
                if row[i] < m:
                    z += y[row[i]] * S[j, i]
            y[col[j]] = z
