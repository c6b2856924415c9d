"""Minimal representations: which rows of `{x : A x <= b, C x = e}` are facets, hidden equalities, or nothing.

Row i is kept iff the other rows let `a_i x` exceed `b_i`. On a dictionary that is the question whether slack i
can be lowered below zero while the others stay nonnegative; `lower` answers it from wherever the last question
ended, and stops at the first step that passes zero. At each vertex where it ends the edges show more facets.

Hidden equalities come first: a row whose slack cannot grow anywhere is one. They leave the dictionary together
with as many columns, and what remains is judged on the affine hull. A row of zeros (a truth or a contradiction)
is neither facet nor equality.
"""

from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.dictionary import CROSSED, TIE, TIRED, blocking, exchange, lower
from modecontrol._kernels.jit import njit
from modecontrol._kernels.simplex import INFEASIBLE, OPTIMAL, UNDECIDED, longest, solve_loaded
from modecontrol._kernels.workspace import (
    BASE_COL,
    COL,
    COLUMNS,
    COST,
    FIND,
    POINT,
    ROW,
    ROWS,
    SLACK,
    STATE,
    TASK,
    WEIGHT,
    D,
    M,
    from_slacks,
    load,
    make_workspace,
)

FEASIBLE = tolerances.FEASIBLE
FLAT = tolerances.FLAT
PARALLEL = tolerances.PARALLEL
REDUNDANT = tolerances.REDUNDANT

UNKNOWN, FACET, OUT, EQUAL = 0, 1, 2, 3
"""What `minimal_loaded` writes into `ws.labels[STATE]`."""

_TINY = 1e-9    # entries up to this limit no step
_SAME = 1e-13    # parallel rows whose distance is below this are equally tight


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


@njit(error_model="numpy", forceinline=True)
def _swap(T, row, n, r, k):
    """Rows `r` and `k` change places."""
    for j in range(n + 1):
        T[j, r], T[j, k] = T[j, k], T[j, r]
    row[r], row[k] = row[k], row[r]


@njit(error_model="numpy", forceinline=True)
def _drop(T, row, base, n, rows, live, r):
    """Row `r` stops counting, `rows` goes down by one; returns `live`, the rows that pivots keep up to date.

    They include the dropped rows that `from_slacks` asks for, the columns of `S`.
    """
    _swap(T, row, n, r, rows - 1)
    wanted = False
    for j in range(1, base.size):
        wanted = wanted | (base[j] == row[rows - 1])
    if not wanted:
        live -= 1
        _swap(T, row, n, rows - 1, live)
    return live


@njit(error_model="numpy", forceinline=True)
def _fix(T, col, n, live, q):
    """Column `q` stays at zero for good: the last column takes its place."""
    for i in range(live):
        T[q, i] = T[n, i]
    col[q] = col[n]


@njit(error_model="numpy", forceinline=True)
def _is_thick(T, row, col, weight, n, rows):
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
def _slack_grows(T, row, col, state, weight, n, rows):
    """Find the hidden equalities: rows whose slack stays below FLAT everywhere. False when TIRED.

    The sum of the slacks that never left zero so far is raised; those that leave are struck off, and so on.
    """
    if _is_thick(T, row, col, weight, n, rows):
        return True
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


@njit(error_model="numpy")
def _take_out_equalities(T, row, col, state, n, rows):
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
            _swap(T, row, n, i, rows)
    return n, rows


@njit(error_model="numpy", forceinline=True)
def _reach(T, rows, q):
    """How far the slack of column `q` can go below zero before another row stops it."""
    reach = 1e250
    for i in range(rows):
        value = T[0, i] if T[0, i] > 0.0 else 0.0
        ratio = value / (-T[q, i] if T[q, i] < -_TINY else 1e-280)
        ratio = ratio if T[q, i] < -_TINY else 1e250
        reach = ratio if ratio < reach else reach
    return reach


@njit(error_model="numpy", forceinline=True)
def _stopper(T, rows, q, reach):
    """The row that stops column `q` there; of several the one with the largest pivot."""
    r = np.int64(0)
    best = 0.0
    for i in range(rows):
        if T[q, i] < best and T[q, i] < -_TINY and T[0, i] <= -(reach + 1e-12) * T[q, i]:
            best = T[q, i]
            r = i
    return r


@njit(error_model="numpy", forceinline=True)
def _mark(T, row, col, state, weight, n, rows):
    """Mark the facets that the edges of this vertex show.

    A point that violates one row alone makes that row a facet. Such points lie on the edge of column j: behind the
    vertex, where only slack j is negative, and beyond the first row that the edge meets, when no other is met there.
    """
    for j in range(1, n + 1):
        first, second, behind = 1e250, 1e250, 1e250
        r = np.int64(0)
        for i in range(rows):
            a = T[j, i]
            value = T[0, i] if T[0, i] > TIE * weight[row[i]] else 0.0    # rounding divided by little is much
            ratio = value / (abs(a) if abs(a) > _TINY else 1.0)
            ahead = ratio if a > _TINY else 1e250
            ratio = ratio if a < -_TINY else 1e250
            behind = ratio if ratio < behind else behind
            later = first if ahead < first else ahead
            second = later if later < second else second
            r = i if ahead < first else r
            first = ahead if ahead < first else first
        if behind > REDUNDANT * weight[col[j]] and state[col[j]] == UNKNOWN:
            state[col[j]] = FACET
        if first < 1e250 and (second - first) * T[j, r] > 2.0 * REDUNDANT * weight[row[r]] and state[row[r]] == UNKNOWN:
            state[row[r]] = FACET


@njit(error_model="numpy", forceinline=True)
def _parallel(T, n, r, q):
    """Row `r` depends on column `q` alone: the two slacks differ by a constant and a factor."""
    rest = 0.0
    for j in range(1, n + 1):
        if j != q:
            rest = max(rest, abs(T[j, r]))
    return rest <= PARALLEL * max(1.0, abs(T[q, r]))


@njit(error_model="numpy", forceinline=True)
def _nearest(T, row, state, score, n, rows):
    """The row to decide next, -1 when none is left: the one whose steepest edge is the least steep."""
    for i in range(rows):
        score[i] = 0.0
    for j in range(1, n + 1):
        for i in range(rows):
            score[i] = T[j, i] if T[j, i] > score[i] else score[i]
    g = np.int64(-1)
    best = 1e300
    for i in range(rows):
        steepest = score[i] if state[row[i]] == UNKNOWN else 1e300
        g = i if steepest < best else g
        best = steepest if steepest < best else best
    return g


@njit(error_model="numpy")
def _strike_redundant(T, row, col, state, weight, base, score, n, rows):
    """Decide FACET or OUT for every row whose state is UNKNOWN. Returns the live rows; -1 when TIRED."""
    live = rows
    code = CROSSED
    while code != TIRED:
        _mark(T, row, col, state, weight, n, rows)
        g = _nearest(T, row, state, score, n, rows)
        if g < 0:
            q = np.int64(0)
            for j in range(1, n + 1):
                q = j if state[col[j]] == UNKNOWN else q
            if q == 0:
                break
            label = col[q]
            g = _stopper(T, rows, q, _reach(T, rows, q))
            other = row[g]
            if _parallel(T, n, g, q) and (T[0, g] > _SAME * weight[other] or other > label):
                state[label] = state[other] if state[other] != OUT else UNKNOWN
                state[other] = OUT
                live = _drop(T, row, base, n, rows, live, g)
                rows -= 1
                continue
            T[0, g] = 0.0
            exchange(T, row, col, n, live, g, q)
        label = row[g]
        code, q = lower(T, row, col, n, rows, live, g, -REDUNDANT * weight[label], _TINY)
        if code == CROSSED:
            state[label] = FACET
        elif code != TIRED:
            q = np.int64(0)
            for j in range(1, n + 1):
                q = j if q == 0 or abs(T[j, g]) > abs(T[q, g]) else q
            distance = T[0, g] / weight[label]
            wins = q > 0 and (distance < -_SAME or (distance <= _SAME and col[q] > label))
            if wins and T[q, g] < -_TINY and _parallel(T, n, g, q):
                state[label] = state[col[q]]    # of two parallel rows the tighter, or the first, takes over
                state[col[q]] = OUT
                exchange(T, row, col, n, live, g, q)
            else:
                state[label] = OUT
            live = _drop(T, row, base, n, rows, live, g)
            rows -= 1
    return live if code != TIRED else np.int64(-1)


@njit(error_model="numpy")
def _still_true(ws, n, live):
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
def minimal_loaded(ws):
    """Sort the rows of the set that `load` left in `ws` into FACET, OUT and EQUAL, in `ws.labels[STATE]`.

    Allocates nothing. Returns OPTIMAL, INFEASIBLE (multipliers in `ws.y`, `ws.z`) or UNDECIDED.
    """
    G, T, size, row, col = ws.G, ws.T, ws.size, ws.labels[ROW], ws.labels[COL]
    state, weight = ws.labels[STATE], ws.vectors[WEIGHT]
    m, d = size[M], size[D]
    for j in range(d):
        ws.vectors[COST, j] = 0.0
    size[TASK] = FIND
    status, _ = solve_loaded(ws)
    if status != OPTIMAL:
        return status
    n, rows = size[COLUMNS], size[ROWS]
    for i in range(m):
        state[i] = UNKNOWN
    for i in range(rows - 1, -1, -1):
        zero = True
        for j in range(1, d + 1):
            zero = zero and G[j, row[i]] == 0.0
        if zero:
            state[row[i]] = OUT
            rows -= 1
            _swap(T, row, n, i, rows)
    if not _slack_grows(T, row, col, state, weight, n, rows):
        return UNDECIDED
    n, rows = _take_out_equalities(T, row, col, state, n, rows)
    base = ws.labels[BASE_COL, : d + 1]
    live = _strike_redundant(T, row, col, state, weight, base, ws.vectors[SLACK], n, rows)
    return OPTIMAL if live >= 0 and _still_true(ws, n, live) else UNDECIDED


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
