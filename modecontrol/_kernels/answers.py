"""Answers of the simplex method, read off the dictionaries and checked in the scaled data.

A vertex with its multipliers is an optimum, a vertex with a ray shows an unbounded problem, multipliers alone
show an empty set. Nothing leaves here unchecked: what fails is UNDECIDED.
"""

import math

from modecontrol import tolerances
from modecontrol._kernels.jit import njit
from modecontrol._kernels.workspace import (
    BASE_COL,
    BASE_ROW,
    BLOWUP,
    CLASH,
    COL,
    COL_SCALE,
    COLUMNS,
    COST,
    COST_SIZE,
    PHASE,
    POINT,
    RAY,
    ROW,
    ROW_SCALE,
    ROWS,
    SCALE,
    SLACK,
    WEIGHT,
    D,
    M,
    P,
    equality_multipliers,
    from_slacks,
)

FEASIBLE = tolerances.FEASIBLE
PIVOT = tolerances.PIVOT

OPTIMAL, INFEASIBLE, UNBOUNDED, UNDECIDED = 0, 1, 2, 3

_FEW = 64.0 * 2.220446049250313e-16


@njit(error_model="numpy", forceinline=True)
def current_point(ws):
    """The vertex that `T` stands at, scaled and in `ws.x`; True when it satisfies all rows to FEASIBLE."""
    G, T, size, vectors, x = ws.G, ws.T, ws.size, ws.vectors, ws.x
    m, p, d = size[M], size[P], size[D]
    for i in range(m):
        vectors[SLACK, i] = 0.0
    for i in range(size[ROWS]):
        vectors[SLACK, ws.labels[ROW, i]] = T[0, i]
    from_slacks(ws, vectors[POINT], 1.0)
    for j in range(d):
        x[j] = vectors[POINT, j] * vectors[COL_SCALE, j] * vectors[SCALE, BLOWUP]
    inside = True
    for i in range(m + p):
        gap = -G[0, i]
        terms = 0.0
        for j in range(d):
            term = G[j + 1, i] * vectors[POINT, j]
            gap += term
            terms += abs(term)
        gap = gap if i < m else abs(gap)
        inside = inside & (gap <= FEASIBLE * vectors[WEIGHT, i] + _FEW * terms)
    return inside


@njit(error_model="numpy", forceinline=True)
def _multipliers_hold(ws):
    """`(holds, value, terms)`: whether `G'y = cost` for `y = vectors[SLACK]`; `b y + e z`; size of its terms.

    They are written to `ws.y` and `ws.z` in the caller's units; in phase 1, where the cost is zero, with largest
    entry one.
    """
    G, size, vectors = ws.G, ws.size, ws.vectors
    m, p, d, cost = size[M], size[P], size[D], size[PHASE] == 2
    y = vectors[SLACK]
    value = 0.0
    terms = 0.0
    spread = 0.0
    largest = 0.0
    for i in range(m + p):
        term = G[0, i] * y[i]
        value += term
        terms += abs(term)
        spread += abs(y[i])
        largest = max(largest, abs(y[i]) * vectors[ROW_SCALE, i])
    tolerance = FEASIBLE if cost else max(FEASIBLE * abs(value), _FEW * spread)
    holds = True
    for j in range(d):
        gap = -vectors[COST, j] if cost else 0.0
        for i in range(m + p):
            gap += G[j + 1, i] * y[i]
        holds = holds & (abs(gap) <= tolerance)
    factor = vectors[SCALE, COST_SIZE] if cost else 1.0 / largest
    for i in range(m + p):
        if i < m:
            ws.y[i] = y[i] * vectors[ROW_SCALE, i] * factor
        else:
            ws.z[i - m] = y[i] * vectors[ROW_SCALE, i] * factor
    return holds, value, terms


@njit(error_model="numpy")
def optimum(ws):
    """OPTIMAL and the value when the vertex of `T` and its objective row pass the checks; else UNDECIDED."""
    T, size, vectors = ws.T, ws.size, ws.vectors
    m, d, rows, n = size[M], size[D], size[ROWS], size[COLUMNS]
    inside = current_point(ws)
    scaled = 0.0
    for j in range(d):
        scaled += vectors[COST, j] * vectors[POINT, j]
    for i in range(m):
        vectors[SLACK, i] = 0.0
    for j in range(1, n + 1):
        vectors[SLACK, ws.labels[COL, j]] = max(-T[j, rows], 0.0)
    equality_multipliers(ws)
    holds, value, terms = _multipliers_hold(ws)
    good = inside and holds and abs(value - scaled) <= FEASIBLE * max(1.0, terms)
    return OPTIMAL if good else UNDECIDED, scaled * vectors[SCALE, COST_SIZE] * vectors[SCALE, BLOWUP]


@njit(error_model="numpy")
def contradiction(ws, r):
    """INFEASIBLE by the multipliers of row `r` of `T`, or of the clash in `S` when r < 0; else UNDECIDED."""
    S, T, size, labels, y = ws.S, ws.T, ws.size, ws.labels, ws.vectors[SLACK]
    m, p, d = size[M], size[P], size[D]
    for i in range(m + p):
        y[i] = 0.0
    if r >= 0:
        for j in range(1, size[COLUMNS] + 2):
            if labels[COL, j] >= 0:
                y[labels[COL, j]] = max(-T[j, r], 0.0)
        equality_multipliers(ws)
    else:
        k = size[CLASH]
        sign = -1.0 if S[0, k] > 0.0 else 1.0
        y[labels[BASE_ROW, k]] = sign
        for j in range(1, d + 1):
            if labels[BASE_COL, j] < m + p:
                y[labels[BASE_COL, j]] = sign * S[j, k]
    holds, value, _ = _multipliers_hold(ws)
    return INFEASIBLE if holds and value < 0.0 else UNDECIDED


@njit(error_model="numpy")
def unbounded(ws, q):
    """UNBOUNDED along column `q` of `T`, or the line in column `-q` of `S`; UNDECIDED when the check fails.

    The ray, largest entry one, must stay in the set for ever and improve the objective.
    """
    G, S, T, size, labels, vectors = ws.G, ws.S, ws.T, ws.size, ws.labels, ws.vectors
    m, d = size[M], size[D]
    total = m + size[P]
    if not current_point(ws):
        return UNDECIDED
    for i in range(m):
        vectors[SLACK, i] = 0.0
    if q > 0:
        for i in range(size[ROWS]):
            vectors[SLACK, labels[ROW, i]] = -T[q, i]
        vectors[SLACK, labels[COL, q]] = 1.0
    v = vectors[RAY]
    from_slacks(ws, v, 0.0)
    if q < 0:
        q = -q
        sign = 1.0 if S[q, total] > 0.0 else -1.0
        v[labels[BASE_COL, q] - total] = sign
        for i in range(total):
            if labels[BASE_ROW, i] >= total:
                v[labels[BASE_ROW, i] - total] = -sign * S[q, i]
    largest = 0.0
    shown = 0.0
    for j in range(d):
        largest = max(largest, abs(v[j]))
        shown = max(shown, abs(v[j]) * vectors[COL_SCALE, j])
    if not 0.0 < largest < math.inf:
        return UNDECIDED
    for i in range(total):
        slope = 0.0
        for j in range(d):
            slope += G[j + 1, i] * v[j]
        if i >= m:
            slope = abs(slope)
        if not slope <= PIVOT * largest:
            return UNDECIDED
    gain = 0.0
    for j in range(d):
        gain += vectors[COST, j] * v[j]
        ws.ray[j] = v[j] * vectors[COL_SCALE, j] / shown
    return UNBOUNDED if gain > PIVOT * largest else UNDECIDED
