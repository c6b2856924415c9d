"""Dictionaries, `basic_i = M[0, i] - sum_j M[j, i] nonbasic_j`, stored column by column, and their pivots.

A linear program over `{x : A x <= b, C x = e}` is a dictionary with the slacks `s = b - A x >= 0` and
`t = e - C x = 0` as basic and the free `x` as nonbasic variables. Variables carry labels: `0 .. m-1` are the
slacks of the inequalities, `m .. m+p-1` those of the equalities, `m+p .. m+p+d-1` the coordinates of `x`.
`M[0]` holds the constants; a column lies contiguous in memory, so that one pivot is a few short vector sums.

`lower` is the whole simplex method. Its goal is a row of the dictionary, which serves three masters: the
objective of a linear program, the artificial variable of phase 1, and the slack whose row may be redundant.
"""

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.jit import njit

PIVOT = tolerances.PIVOT
DUAL = tolerances.DUAL
FEASIBLE = tolerances.FEASIBLE

LOWEST, CROSSED, TIRED = 0, 1, 2
ARTIFICIAL = -1

DEGENERATE = 1e-9    # a constant up to this may be zero: look for ties
TIE = 1e-12    # two steps, or a step and none, that differ by less are equal; far below FEASIBLE


@njit(error_model="numpy", forceinline=True)
def pivot(M, n, rows, r, q):
    """Exchange the basic variable of row `r` with the nonbasic one of column `q`; columns 0 to n."""
    factor = 1.0 / M[q, r]
    for j in range(n + 1):
        if j != q:
            f = M[j, r] * factor
            if f != 0.0:
                for i in range(rows):
                    M[j, i] -= f * M[q, i]
            M[j, r] = f
    for i in range(rows):
        M[q, i] *= -factor
    M[q, r] = factor


@njit(error_model="numpy", forceinline=True)
def exchange(M, row, col, n, rows, r, q):
    """`pivot` together with the labels."""
    pivot(M, n, rows, r, q)
    label = row[r]
    row[r] = col[q]
    col[q] = label


@njit(error_model="numpy", forceinline=True)
def _steepest(M, n, goal):
    """The column that lowers the goal fastest; 0 when none does."""
    q = np.int64(0)
    best = DUAL
    for j in range(1, n + 1):
        q = j if M[j, goal] > best else q
        best = M[j, goal] if M[j, goal] > best else best
    return q


@njit(error_model="numpy", forceinline=True)
def _first(M, col, n, goal):
    """The column of lowest label that lowers the goal (Bland); 0 when none does."""
    q = np.int64(0)
    for j in range(1, n + 1):
        if M[j, goal] > DUAL and (q == 0 or col[j] < col[q]):
            q = j
    return q


@njit(error_model="numpy", forceinline=True)
def blocking(M, row, rows, goal, q, tiny, bland):
    """The row that stops column `q` from growing; -1 when none does. Row `goal` has no say.

    Among the rows that tie in a degenerate step (within the slack that rounding leaves) the largest pivot wins,
    or with `bland` the lowest label.
    """
    bound = 1e250
    r = np.int64(-1)
    for i in range(rows):    # selects instead of branches: what the data will say cannot be predicted
        a = M[q, i]
        value = M[0, i] if M[0, i] > 0.0 else 0.0
        ratio = (value + TIE) / (a if (a > tiny) & (i != goal) else 1e-280)
        r = i if ratio < bound else r
        bound = ratio if ratio < bound else bound
    if r >= 0 and M[0, r] <= DEGENERATE:
        best = tiny
        for i in range(rows):
            a = M[q, i]
            ties = (a > best) & (M[0, i] <= bound * a) & (i != goal)
            ties = ties & (row[i] < row[r]) if bland else ties
            r = i if ties else r
            best = a if ties & (not bland) else best
    return r


@njit(error_model="numpy")
def lower(M, row, col, n, rows, live, goal, target, tiny):
    """Lower the variable of row `goal` by simplex steps that keep all other rows nonnegative.

    Parameters
    ----------
    M, row, col : arrays
        The dictionary and the labels of its rows and columns.
    n, rows : int
        Columns 1..n may grow; rows 0..rows-1 (without `goal`) must stay nonnegative.
    live : int
        Rows that pivots keep up to date: at least `rows`, and beyond `goal`.
    goal : int
        The row to lower.
    target : float
        Stop as soon as one step would bring the goal down to this.
    tiny : float
        Entries up to this never limit a step.

    Returns
    -------
    code, q : int
        LOWEST: no column lowers the goal any more. CROSSED: letting column `q` grow takes the goal down to
        `target` or for ever; that last step is not taken. TIRED: too many steps.

    """
    stalled = 0
    code = TIRED
    q = np.int64(0)
    for _ in range(100 + 20 * (n + rows)):
        bland = stalled > 6 + n
        q = _first(M, col, n, goal) if bland else _steepest(M, n, goal)
        if q == 0:
            code = LOWEST
            break
        r = blocking(M, row, rows, goal, q, tiny, bland)
        gain = max(M[0, r], 0.0) / M[q, r] * M[q, goal] if r >= 0 else np.inf
        if M[0, goal] - gain <= target:
            code = CROSSED
            break
        stalled = stalled + 1 if gain <= TIE else 0
        exchange(M, row, col, n, live, r, q)
    return code, q


@njit(error_model="numpy")
def make_feasible(M, row, col, n, rows, weight, tiny):
    """Phase 1: reach a dictionary with nonnegative constants, through one artificial variable.

    The artificial variable is the largest violation, measured in units of `weight[label]`; it is lowered to
    zero or as far as it goes.

    Returns
    -------
    code, r : int
        CROSSED: feasible (to FEASIBLE). LOWEST: infeasible; the artificial variable stands in row `r`, and
        `-M[1:n+2, r] >= 0` are the multipliers of the rows `col[1:n+2]` that contradict each other. TIRED.

    """
    worst = -PIVOT
    r = np.int64(-1)
    for i in range(rows):
        if M[0, i] < worst * weight[row[i]]:
            worst = M[0, i] / weight[row[i]]
            r = i
    if r < 0:
        return CROSSED, r
    a = n + 1
    for i in range(rows):
        M[a, i] = -weight[row[i]] if M[0, i] < 0.0 else 0.0
    M[a, rows] = 0.0
    col[a] = ARTIFICIAL
    exchange(M, row, col, a, rows + 1, r, a)
    code, q = lower(M, row, col, a, rows, rows + 1, r, TIE, tiny)
    if code == TIRED:
        return code, r
    if code == LOWEST:
        if not M[0, r] <= FEASIBLE:
            return LOWEST, r
        q = np.int64(1)    # the violation is rounding: let the artificial variable go by the safest pivot
        for j in range(2, a + 1):
            if abs(M[j, r]) > abs(M[q, r]):
                q = j
    exchange(M, row, col, a, rows + 1, r, q)
    if q != a:
        for i in range(rows + 1):
            M[q, i] = M[a, i]
        col[q] = col[a]
    return CROSSED, r
