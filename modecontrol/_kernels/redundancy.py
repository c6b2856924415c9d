"""Minimal representations: which rows of `{x : A x <= b, C x = e}` are facets, hidden equalities, or nothing.

Row i is kept iff the other rows let `a_i x` exceed `b_i`. Hidden equalities come first; they leave the dictionary
together with as many columns, and what remains is judged on the affine hull (`facets`). A row of zeros (a truth or
a contradiction) is neither facet nor equality. The dictionary is compared with the data when all is decided.
"""

from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.equalities import find_equalities, is_thick, take_out_equalities
from modecontrol._kernels.facets import EQUAL, FACET, OUT, UNKNOWN, mark, strike_redundant
from modecontrol._kernels.jit import njit
from modecontrol._kernels.shooting import shoot_from_origin, shoot_from_vertex
from modecontrol._kernels.simplex import INFEASIBLE, OPTIMAL, UNDECIDED, longest, solve_loaded
from modecontrol._kernels.upkeep import swap
from modecontrol._kernels.workspace import (
    COL,
    COLUMNS,
    COST,
    FIND,
    ROW,
    ROWS,
    STATE,
    TASK,
    WEIGHT,
    D,
    M,
    P,
    load,
    make_workspace,
)

FEASIBLE = tolerances.FEASIBLE
FLAT = tolerances.FLAT


class Minimal(NamedTuple):
    """Facets (`keep`) and hidden equalities (`implicit`) among the inequalities; in a batch, of all sets.

    OPTIMAL: both hold. INFEASIBLE: the set is empty; multipliers `y`, `z` as in `simplex.LP`. UNDECIDED: no
    answer passed its check. Fields without meaning are False or NaN.
    """

    status: int
    keep: np.ndarray
    implicit: np.ndarray
    y: np.ndarray
    z: np.ndarray


@njit(error_model="numpy")
def minimal_loaded(ws):
    """Sort the rows of the set that `load` left in `ws` into FACET, OUT and EQUAL, in `ws.labels[STATE]`.

    Returns OPTIMAL, INFEASIBLE (multipliers in `ws.y`, `ws.z`) or UNDECIDED.
    """
    G, T, size, row, col = ws.G, ws.T, ws.size, ws.labels[ROW], ws.labels[COL]
    state, vectors, weight = ws.labels[STATE], ws.vectors, ws.vectors[WEIGHT]
    m, d = size[M], size[D]
    for i in range(m):
        state[i] = OUT
    for j in range(1, d + 1):
        for i in range(m):
            state[i] = UNKNOWN if G[j, i] != 0.0 else state[i]
    inside = shoot_from_origin(ws)
    unknown = not inside
    for i in range(m):
        unknown = unknown | (state[i] == UNKNOWN)
    if not unknown:
        return OPTIMAL
    for j in range(d):
        vectors[COST, j] = 0.0
    size[TASK] = FIND
    status, _ = solve_loaded(ws)
    if status != OPTIMAL:
        return status
    n, rows = size[COLUMNS], size[ROWS]
    for i in range(rows - 1, -1, -1):
        if state[row[i]] == OUT:
            rows -= 1
            swap(T, row, n, i, rows)
    if not inside:
        if is_thick(T, row, col, weight, n, rows):
            mark(T, row, col, state, weight, n, rows)
            if size[P] == 0 and n > 0:
                shoot_from_vertex(ws, n, rows)
        elif find_equalities(T, row, col, state, weight, n, rows):
            n, rows = take_out_equalities(T, row, col, state, n, rows)
        else:
            return UNDECIDED
    return OPTIMAL if strike_redundant(ws, n, rows) >= 0 else UNDECIDED


@njit(error_model="numpy")
def minimal(A, b, C, e):
    """The facets and the hidden equalities of `{x : A x <= b, C x = e}`.

    Parameters
    ----------
    A, b : arrays (m, d) and (m)
        Inequalities. Of equal rows the first can be kept; of parallel ones the tightest.
    C, e : arrays (p, d) and (p)
        Equalities.

    Returns
    -------
    Minimal
        The set is `{x : A x <= b where keep, A x = b where implicit, C x = e}`, and no kept row can go.

    """
    m, d = A.shape
    ws = make_workspace(m, C.shape[0], d)
    load(ws, A, b, C, e)
    status = minimal_loaded(ws)
    keep = np.zeros(m, np.bool_)
    implicit = np.zeros(m, np.bool_)
    if status == OPTIMAL:
        for i in range(m):
            keep[i] = ws.labels[STATE, i] == FACET
            implicit[i] = ws.labels[STATE, i] == EQUAL
    if status != INFEASIBLE:
        ws.y[:] = np.nan
        ws.z[:] = np.nan
    return Minimal(status, keep, implicit, ws.y, ws.z)


@njit(error_model="numpy")
def minimal_batch(A, b, C, e, row_start, equality_start):
    """`minimal` of many sets in one call: set k has rows `row_start[k] .. row_start[k+1]` of `A`, and so on.

    Parameters
    ----------
    A, b : arrays (sum of m, d) and (sum of m)
        Inequalities of all sets, one after the other.
    C, e : arrays (sum of p, d) and (sum of p)
        Equalities.
    row_start, equality_start : int64 arrays (B + 1)
        Where each set starts in `A` and in `C`.

    Returns
    -------
    Minimal
        `status` (B), `keep`, `implicit` and `y` (sum of m), `z` (sum of p).

    """
    count = row_start.size - 1
    ws = make_workspace(longest(row_start), longest(equality_start), A.shape[1])
    status = np.empty(count, np.int64)
    keep = np.zeros(A.shape[0], np.bool_)
    implicit = np.zeros(A.shape[0], np.bool_)
    y = np.full(A.shape[0], np.nan)
    z = np.full(C.shape[0], np.nan)
    for k in range(count):
        lo, hi = row_start[k], row_start[k + 1]
        low, high = equality_start[k], equality_start[k + 1]
        load(ws, A[lo:hi], b[lo:hi], C[low:high], e[low:high])
        status[k] = minimal_loaded(ws)
        if status[k] == OPTIMAL:
            for i in range(hi - lo):
                keep[lo + i] = ws.labels[STATE, i] == FACET
                implicit[lo + i] = ws.labels[STATE, i] == EQUAL
        if status[k] == INFEASIBLE:
            for i in range(hi - lo):
                y[lo + i] = ws.y[i]
            for i in range(high - low):
                z[low + i] = ws.z[i]
    return Minimal(status, keep, implicit, y, z)
