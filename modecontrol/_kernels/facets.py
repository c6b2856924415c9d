"""Facets and redundant rows on a dictionary with nonnegative constants and without hidden equalities.

A facet is a row whose slack can be lowered below zero while the others stay nonnegative; `lower` answers that from
wherever the last question ended, and stops at the first step that passes zero. At each vertex where it ends the edges
show more facets. The dictionary is made anew every few questions, and what it claims is compared with the data.
"""

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.dictionary import CROSSED, TIE, TIRED, exchange, lower
from modecontrol._kernels.jit import njit
from modecontrol._kernels.shooting import EQUAL, FACET, OUT, UNKNOWN
from modecontrol._kernels.upkeep import is_crossing, is_sum, refresh, still_true, swap
from modecontrol._kernels.workspace import BASE_COL, COL, ROW, SLACK, STATE, WEIGHT, D, M

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
