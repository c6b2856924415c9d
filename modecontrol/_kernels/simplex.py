"""Small dense linear programs: maximise `c x` over `{x : A x <= b, C x = e}`, `x` free.

Primal simplex method on dictionaries (Chvatal, Linear Programming, 1983, chapters 2, 3 and 8), largest
coefficient first and Bland's rule when steps stall, so that it cannot cycle. Every answer is checked in the
scaled data (powers of two, so no rounding lies between them and the caller's): the point and the multipliers
of an optimum, the point and the ray of an unbounded problem, the Farkas multipliers of an infeasible one. An
answer that fails is computed once more from a fresh dictionary; if it fails again the status is UNDECIDED.
"""

import math
from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.answers import (
    INFEASIBLE,
    OPTIMAL,
    UNBOUNDED,
    UNDECIDED,
    contradiction,
    current_point,
    optimum,
    unbounded,
)
from modecontrol._kernels.dictionary import CROSSED, LOWEST, lower, make_feasible
from modecontrol._kernels.jit import njit
from modecontrol._kernels.workspace import (
    AGAIN,
    BASE_COL,
    BASE_ROW,
    COL,
    COLUMNS,
    COST,
    FIND,
    MAXIMIZE,
    PHASE,
    ROW,
    ROWS,
    SCALE,
    SLACK,
    TASK,
    TINY,
    WARM,
    WEIGHT,
    D,
    M,
    P,
    eliminate,
    load,
    make_workspace,
    set_cost,
)

DUAL = tolerances.DUAL

_SAFE = 1e-9     # entries up to this never limit a step in the first attempt
_SMALL = tolerances.PIVOT    # and in the second


class LP(NamedTuple):
    """Answer to `max c x` over `{x : A x <= b, C x = e}`; in a batch each field has one more axis in front.

    OPTIMAL: `x`, and `y >= 0`, `z` with `A'y + C'z = c` and `value = c x = b y + e z`.
    INFEASIBLE: `y >= 0`, `z` with `A'y + C'z = 0`, `b y + e z < 0`, largest entry one; `value` is -inf.
    UNBOUNDED: `x` in the set and `ray` with `A ray <= 0`, `C ray = 0`, `c ray > 0`; `value` is inf.
    UNDECIDED: no answer passed its check. Fields without meaning are NaN.
    """

    status: int
    value: float
    x: np.ndarray
    ray: np.ndarray
    y: np.ndarray
    z: np.ndarray


@njit(error_model="numpy")
def solve_loaded(ws):
    """Do the task of `ws.size[TASK]` on what `load` and `set_cost` left; at most two attempts."""
    S, T, size, vectors, row, col = ws.S, ws.T, ws.size, ws.vectors, ws.labels[ROW], ws.labels[COL]
    total = size[M] + size[P]
    weight = vectors[WEIGHT]
    for attempt in range(2):
        size[AGAIN] = attempt
        size[PHASE] = 1
        tiny = _SAFE if attempt == 0 else _SMALL
        vectors[SCALE, TINY] = tiny
        if attempt > 0 or size[TASK] != WARM:
            code = LOWEST
            q = np.int64(-1)
            if eliminate(ws):
                code, q = make_feasible(T, row, col, size[COLUMNS], size[ROWS], weight, tiny)
            if code == LOWEST and contradiction(ws, q) == INFEASIBLE:
                return INFEASIBLE, -math.inf
            if code != CROSSED:
                continue
        if size[TASK] == FIND:
            if current_point(ws):
                return OPTIMAL, math.nan
            continue
        size[PHASE] = 2
        code = CROSSED
        q = np.int64(0)
        for j in range(1, size[D] + 1):
            if ws.labels[BASE_COL, j] >= total and abs(S[j, total]) > DUAL:
                q = -j
        if q == 0:
            rows = size[ROWS]
            code, q = lower(T, row, col, size[COLUMNS], rows, rows + 1, rows, -math.inf, tiny)
        if code == LOWEST:
            status, value = optimum(ws)
            if status == OPTIMAL:
                return OPTIMAL, value
        elif code == CROSSED and unbounded(ws, q) == UNBOUNDED:
            return UNBOUNDED, math.inf
    return UNDECIDED, math.nan


@njit(error_model="numpy")
def prepare(ws, A, b, C, e):
    """Load the set into `ws` and find a vertex of its pointed part.

    Parameters
    ----------
    ws : Workspace
        From `make_workspace`, at least as large as the set.
    A, b, C, e : arrays
        `{x : A x <= b, C x = e}`.

    Returns
    -------
    int
        OPTIMAL: not empty, a point in `ws.x`. INFEASIBLE: Farkas multipliers in `ws.y`, `ws.z`. UNDECIDED.

    """
    load(ws, A, b, C, e)
    for j in range(A.shape[1]):
        ws.vectors[COST, j] = 0.0
    ws.size[TASK] = FIND
    return solve_loaded(ws)[0]


@njit(error_model="numpy")
def solve_into(ws, c, A, b, C, e):
    """Maximise `c x`; the answer in `ws.x`, `ws.ray`, `ws.y`, `ws.z` as `LP` describes. Allocates nothing.

    Parameters
    ----------
    ws : Workspace
        From `make_workspace`, at least as large as the problem.
    c : array (d)
        Objective.
    A, b, C, e : arrays
        `{x : A x <= b, C x = e}`.

    Returns
    -------
    status : int
        OPTIMAL, INFEASIBLE, UNBOUNDED or UNDECIDED.
    value : float
        The maximum; -inf, inf, NaN.

    """
    load(ws, A, b, C, e)
    set_cost(ws, c)
    ws.size[TASK] = MAXIMIZE
    return solve_loaded(ws)


@njit(error_model="numpy")
def solve_again(ws, c):
    """Maximise another `c x` over the set in `ws`, from the vertex that the last call left.

    `ws` comes from a `prepare` that said OPTIMAL, or a `solve_into` or `solve_again` that said OPTIMAL or
    UNBOUNDED. Returns and leaves the same as `solve_into`.
    """
    set_cost(ws, c)
    S, T, size, labels, cost, g = ws.S, ws.T, ws.size, ws.labels, ws.vectors[COST], ws.vectors[SLACK]
    m, d, rows = size[M], size[D], size[ROWS]
    total = m + size[P]
    for i in range(m):
        g[i] = 0.0
    for j in range(d + 1):
        label = labels[BASE_COL, j]
        value = cost[label - total] if j > 0 and label >= total else 0.0
        for i in range(total):
            if labels[BASE_ROW, i] >= total:
                value -= cost[labels[BASE_ROW, i] - total] * S[j, i]
        S[j, total] = value
        if j > 0 and label < m:
            g[label] = value
    for j in range(size[COLUMNS] + 1):
        value = g[labels[COL, j]] if j > 0 else S[0, total]
        for i in range(rows):
            value -= g[labels[ROW, i]] * T[j, i]
        T[j, rows] = value
    size[TASK] = WARM
    return solve_loaded(ws)


@njit(error_model="numpy")
def maximize(c, A, b, C, e):
    """Maximise `c x` over `{x : A x <= b, C x = e}`.

    Parameters
    ----------
    c : array (d)
        Objective.
    A, b : arrays (m, d) and (m)
        Inequalities; m may be 0.
    C, e : arrays (p, d) and (p)
        Equalities; p may be 0.

    Returns
    -------
    LP

    """
    m, d = A.shape
    p = C.shape[0]
    ws = make_workspace(m, p, d)
    load(ws, A, b, C, e)
    set_cost(ws, c)
    ws.size[TASK] = MAXIMIZE
    status, value = solve_loaded(ws)
    _blank(ws, status)
    return LP(status, value, ws.x, ws.ray, ws.y, ws.z)


@njit(error_model="numpy")
def _blank(ws, status):
    """NaN wherever the status gives no meaning."""
    if status in (INFEASIBLE, UNDECIDED):
        ws.x[:] = np.nan
    if status != UNBOUNDED:
        ws.ray[:] = np.nan
    if status in (UNBOUNDED, UNDECIDED):
        ws.y[:] = np.nan
        ws.z[:] = np.nan


@njit(error_model="numpy")
def feasible_point(A, b, C, e):
    """A point of `{x : A x <= b, C x = e}`, or the multipliers that show it empty.

    Parameters
    ----------
    A, b, C, e : arrays
        As in `maximize`.

    Returns
    -------
    status, x, y, z
        OPTIMAL with `x`; INFEASIBLE with `y`, `z` as in `LP`; UNDECIDED. The others are NaN.

    """
    m, d = A.shape
    ws = make_workspace(m, C.shape[0], d)
    load(ws, A, b, C, e)
    for j in range(d):
        ws.vectors[COST, j] = 0.0
    ws.size[TASK] = FIND
    status, _ = solve_loaded(ws)
    _blank(ws, status)
    if status == OPTIMAL:
        ws.y[:] = np.nan
        ws.z[:] = np.nan
    return status, ws.x, ws.y, ws.z


@njit(error_model="numpy")
def longest(start):
    """The largest problem in a ragged stack: the longest of the runs `start[k] .. start[k + 1]`."""
    most = 0
    for k in range(start.size - 1):
        most = max(most, start[k + 1] - start[k])
    return most


@njit(error_model="numpy")
def maximize_batch(c, A, b, C, e, row_start, equality_start):
    """Many problems in one call: problem k has rows `row_start[k] .. row_start[k+1]` of `A`, and so on.

    Parameters
    ----------
    c : array (B, d)
        Objectives.
    A, b : arrays (sum of m, d) and (sum of m)
        Inequalities of all problems, one after the other.
    C, e : arrays (sum of p, d) and (sum of p)
        Equalities.
    row_start, equality_start : int64 arrays (B + 1)
        Where each problem starts in `A` and in `C`.

    Returns
    -------
    LP
        `status` (B), `value` (B), `x` and `ray` (B, d), `y` (sum of m), `z` (sum of p).

    """
    count, d = c.shape
    ws = make_workspace(longest(row_start), longest(equality_start), d)
    status = np.empty(count, np.int64)
    value = np.empty(count)
    x = np.full((count, d), np.nan)
    ray = np.full((count, d), np.nan)
    y = np.full(A.shape[0], np.nan)
    z = np.full(C.shape[0], np.nan)
    for k in range(count):
        lo, hi = row_start[k], row_start[k + 1]
        low, high = equality_start[k], equality_start[k + 1]
        load(ws, A[lo:hi], b[lo:hi], C[low:high], e[low:high])
        set_cost(ws, c[k])
        ws.size[TASK] = MAXIMIZE
        status[k], value[k] = solve_loaded(ws)
        if status[k] == OPTIMAL or status[k] == UNBOUNDED:
            for j in range(d):
                x[k, j] = ws.x[j]
        if status[k] == UNBOUNDED:
            for j in range(d):
                ray[k, j] = ws.ray[j]
        if status[k] == OPTIMAL or status[k] == INFEASIBLE:
            for i in range(hi - lo):
                y[lo + i] = ws.y[i]
            for i in range(high - low):
                z[low + i] = ws.z[i]
    return LP(status, value, x, ray, y, z)
