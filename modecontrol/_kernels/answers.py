"""Answers of the simplex method, read off the dictionaries and checked in the scaled data.

A vertex with its multipliers is an optimum, a vertex with a ray shows an unbounded problem, multipliers alone
show an empty set. Nothing leaves here unchecked: what fails is UNDECIDED.
"""

import math

from modecontrol import tolerances
from modecontrol._kernels.jit import njit
from modecontrol._kernels.workspace import (
    BLOWUP,
    CLASH,
    COLUMNS,
    COST,
    ROWS,
    D,
    M,
    P,
    equality_multipliers,
    point_from_slacks,
)

FEASIBLE = tolerances.FEASIBLE
PIVOT = tolerances.PIVOT

OPTIMAL, INFEASIBLE, UNBOUNDED, UNDECIDED = 0, 1, 2, 3

_FEW = 64.0 * 2.220446049250313e-16


@njit
def _primal_holds(ws):
    """`u` satisfies all scaled rows to FEASIBLE, up to the rounding of the sum."""
    G, u = ws.G, ws.u
    m, p, d = ws.size[M], ws.size[P], ws.size[D]
    for i in range(m + p):
        gap = -G[0, i]
        size = 0.0
        for j in range(d):
            term = G[j + 1, i] * u[j]
            gap += term
            size += abs(term)
        if i >= m:
            gap = abs(gap)
        if not gap <= FEASIBLE * ws.weight[i] + _FEW * size:
            return False
    return True


@njit
def _dual_holds(ws, cost):
    """Whether the multipliers in `ws.slack` satisfy `G'y = cost`; their value `b y + e z`; its size."""
    G, y = ws.G, ws.slack
    m, p, d = ws.size[M], ws.size[P], ws.size[D]
    value = 0.0
    size = 0.0
    spread = 0.0
    for i in range(m + p):
        term = G[0, i] * y[i]
        value += term
        size += abs(term)
        spread += abs(y[i])
    tolerance = FEASIBLE if cost else max(FEASIBLE * abs(value), _FEW * spread)
    for j in range(d):
        gap = -ws.cost[j] if cost else 0.0
        for i in range(m + p):
            gap += G[j + 1, i] * y[i]
        if not abs(gap) <= tolerance:
            return False, value, size
    return True, value, size


@njit
def _ray_holds(ws):
    """`v`, largest entry one, stays in the set for ever and improves the objective."""
    G, v = ws.G, ws.v
    m, p, d = ws.size[M], ws.size[P], ws.size[D]
    for i in range(m + p):
        slope = 0.0
        for j in range(d):
            slope += G[j + 1, i] * v[j]
        if i >= m:
            slope = abs(slope)
        if not slope <= PIVOT:
            return False
    gain = 0.0
    for j in range(d):
        gain += ws.cost[j] * v[j]
    return gain > PIVOT


@njit
def _write_multipliers(ws, factor):
    """Scaled multipliers in `ws.slack` to `ws.y` and `ws.z`; with factor 0 the largest becomes one."""
    m, p = ws.size[M], ws.size[P]
    if factor == 0.0:
        for i in range(m + p):
            factor = max(factor, abs(ws.slack[i]) * ws.row_scale[i])
        factor = 1.0 / factor
    for i in range(m):
        ws.y[i] = ws.slack[i] * ws.row_scale[i] * factor
    for k in range(p):
        ws.z[k] = ws.slack[m + k] * ws.row_scale[m + k] * factor


@njit
def current_point(ws):
    """The vertex that `T` stands at, into `ws.u` (scaled) and `ws.x`; True when it is in the set."""
    m, d = ws.size[M], ws.size[D]
    for i in range(m):
        ws.slack[i] = 0.0
    for i in range(ws.size[ROWS]):
        ws.slack[ws.row[i]] = ws.T[0, i]
    point_from_slacks(ws, ws.u, False)
    for j in range(d):
        ws.x[j] = ws.u[j] * ws.col_scale[j] * ws.scale[BLOWUP]
    return _primal_holds(ws)


@njit
def contradiction(ws, r):
    """INFEASIBLE by the multipliers of row `r` of `T`, or of the clash in `S` when r < 0; else UNDECIDED."""
    m, p, d = ws.size[M], ws.size[P], ws.size[D]
    for i in range(m + p):
        ws.slack[i] = 0.0
    if r >= 0:
        for j in range(1, ws.size[COLUMNS] + 2):
            if ws.col[j] >= 0:
                ws.slack[ws.col[j]] = max(-ws.T[j, r], 0.0)
        equality_multipliers(ws, False)
    else:
        k = ws.size[CLASH]
        sign = -1.0 if ws.S[0, k] > 0.0 else 1.0
        ws.slack[ws.base_row[k]] = sign
        for j in range(1, d + 1):
            if ws.base_col[j] < m + p:
                ws.slack[ws.base_col[j]] = sign * ws.S[j, k]
    holds, value, _ = _dual_holds(ws, False)
    if not (holds and value < 0.0):
        return UNDECIDED
    _write_multipliers(ws, 0.0)
    return INFEASIBLE


@njit
def unbounded(ws, q, line):
    """UNBOUNDED along column `q` of `T`, or of `S` when it is a line; UNDECIDED when the check fails."""
    m, d = ws.size[M], ws.size[D]
    total = m + ws.size[P]
    if not current_point(ws):
        return UNDECIDED
    for i in range(m):
        ws.slack[i] = 0.0
    if line:
        sign = 1.0 if ws.S[q, total] > 0.0 else -1.0
        for j in range(d):
            ws.v[j] = 0.0
        ws.v[ws.base_col[q] - total] = sign
        for i in range(total):
            if ws.base_row[i] >= total:
                ws.v[ws.base_row[i] - total] = -sign * ws.S[q, i]
    else:
        for i in range(ws.size[ROWS]):
            ws.slack[ws.row[i]] = -ws.T[q, i]
        ws.slack[ws.col[q]] = 1.0
        point_from_slacks(ws, ws.v, True)
    largest = 0.0
    for j in range(d):
        largest = max(largest, abs(ws.v[j]))
    if not 0.0 < largest < math.inf:
        return UNDECIDED
    for j in range(d):
        ws.v[j] /= largest
    if not _ray_holds(ws):
        return UNDECIDED
    largest = 0.0
    for j in range(d):
        ws.ray[j] = ws.v[j] * ws.col_scale[j]
        largest = max(largest, abs(ws.ray[j]))
    for j in range(d):
        ws.ray[j] /= largest
    return UNBOUNDED


@njit
def optimum(ws):
    """OPTIMAL and the value when the vertex of `T` and its objective row pass the checks; else UNDECIDED."""
    m, d = ws.size[M], ws.size[D]
    rows, n = ws.size[ROWS], ws.size[COLUMNS]
    if not current_point(ws):
        return UNDECIDED, math.nan
    scaled = 0.0
    for j in range(d):
        scaled += ws.cost[j] * ws.u[j]
    for i in range(m):
        ws.slack[i] = 0.0
    for j in range(1, n + 1):
        ws.slack[ws.col[j]] = max(-ws.T[j, rows], 0.0)
    equality_multipliers(ws, True)
    holds, value, size = _dual_holds(ws, True)
    if not (holds and abs(value - scaled) <= FEASIBLE * max(1.0, size)):
        return UNDECIDED, math.nan
    _write_multipliers(ws, ws.scale[COST])
    return OPTIMAL, scaled * ws.scale[COST] * ws.scale[BLOWUP]
