"""Facets and hidden equalities on a dictionary with nonnegative constants.

A hidden equality is a row whose slack cannot grow anywhere. A facet is a row whose slack can be lowered below zero
while the others stay nonnegative; `lower` answers that from wherever the last question ended, and stops at the
first step that passes zero. At each vertex where it ends the edges show more facets.
"""

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.dictionary import CROSSED, TIE, TIRED, blocking, exchange, lower
from modecontrol._kernels.jit import njit
from modecontrol._kernels.shooting import EQUAL, FACET, OUT, UNKNOWN
from modecontrol._kernels.upkeep import is_crossing, is_sum, refresh, still_true, swap
from modecontrol._kernels.workspace import BASE_COL, COL, ROW, SLACK, STATE, WEIGHT, D, M

FLAT = tolerances.FLAT
PARALLEL = tolerances.PARALLEL
REDUNDANT = tolerances.REDUNDANT

_TINY = 1e-9    # entries up to this limit no step
DOUBTED = 3    # beside LOWEST, CROSSED and TIRED
_FRESH = 6    # linear programs between which rounding may gather
_SAME = 1e-13    # parallel rows whose distance is below this are equally tight


@njit(error_model="numpy", forceinline=True)
def _drop(T, row, base, n, rows, live, r):
    """Row `r` stops counting, `rows` goes down by one; returns `live`, the rows that pivots keep up to date.

    They include the dropped rows that `from_slacks` asks for, the columns of `S`.
    """
    swap(T, row, n, r, rows - 1)
    wanted = False
    for j in range(1, base.size):
        wanted = wanted | (base[j] == row[rows - 1])
    if not wanted:
        live -= 1
        swap(T, row, n, rows - 1, live)
    return live


@njit(error_model="numpy", forceinline=True)
def _fix(T, col, n, live, q):
    """Column `q` stays at zero for good: the last column takes its place."""
    for i in range(live):
        T[q, i] = T[n, i]
    col[q] = col[n]


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
def mark(T, row, col, state, weight, n, rows):
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


@njit(error_model="numpy", forceinline=True)
def _any_unknown(row, col, state, n, rows):
    """Whether a row or column is left to decide."""
    found = False
    for i in range(rows):
        found = found | (state[row[i]] == UNKNOWN)
    for j in range(1, n + 1):
        found = found | (state[col[j]] == UNKNOWN)
    return found


@njit(error_model="numpy")
def _lower(ws, n, rows, live, g, exact, fresh):
    """`lower` for row `g` until it stays nonnegative or a crossing is confirmed in the data.

    Otherwise it is DOUBTED, or, when the dictionary is `fresh`, the slope counts as zero; the row must then be a sum of
    others in the data, too.
    """
    T, row, col, weight = ws.T, ws.labels[ROW], ws.labels[COL], ws.vectors[WEIGHT]
    code = TIRED
    struck = False
    for _ in range(2 * n + 2):
        code, q = lower(T, row, col, n, rows, live, g, -REDUNDANT * weight[row[g]], _TINY)
        if code != CROSSED or not exact or is_crossing(ws, n, live, g, q):
            break
        if not fresh:
            return DOUBTED
        T[q, g] = 0.0
        struck = True
        code = TIRED
    return TIRED if struck and code != CROSSED and not is_sum(ws, n, g) else code


@njit(error_model="numpy")
def strike_redundant(ws, n, rows):
    """Decide FACET or OUT for every row whose state is UNKNOWN. Returns the live rows; -1 when TIRED or too much rounding.

    `n` and `rows` are those of `ws.T`, from which hidden equalities have been taken out.
    """
    T, row, col, state, weight = ws.T, ws.labels[ROW], ws.labels[COL], ws.labels[STATE], ws.vectors[WEIGHT]
    base, score = ws.labels[BASE_COL, : ws.size[D] + 1], ws.vectors[SLACK]
    exact = True    # without hidden equalities, which hold to FLAT only, points can be compared with the data
    for i in range(ws.size[M]):
        exact = exact & (state[i] != EQUAL)
    live = rows
    code = CROSSED
    programs = 0
    fresh = False
    while code != TIRED and _any_unknown(row, col, state, n, rows):
        mark(T, row, col, state, weight, n, rows)
        g = _nearest(T, row, state, score, n, rows)
        if g < 0:
            q = np.int64(0)
            for j in range(1, n + 1):
                q = j if state[col[j]] == UNKNOWN else q
            if q == 0:
                break    # the edges have shown the rest
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
        if exact and programs >= _FRESH:
            live = refresh(ws) if still_true(ws, n, live) else np.int64(-1)
            if live < 0:
                return live
            rows = live
            programs = 0
            fresh = True
            continue
        fresh = fresh and programs == 0
        programs += 1
        label = row[g]
        code = _lower(ws, n, rows, live, g, exact, fresh)
        if code == CROSSED:
            state[label] = FACET
        elif code == DOUBTED:
            programs = _FRESH
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
    return live if code != TIRED and still_true(ws, n, live) else np.int64(-1)
