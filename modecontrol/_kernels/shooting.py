"""Facets by shooting: a ray from inside the set leaves it through a facet, and through which one costs one product.

Seen from an inner point, row k is its polar point: coefficients over the slack there. A ray in
direction `v` meets first the row whose polar point lies farthest along `v`; if no other row is met within a margin,
that row is a facet. To find out about row i the ray starts towards its own polar point; when another row comes first,
the direction is corrected so that this row would come after i, and so on for a few shots (the relaxation method of
Agmon 1954 and Motzkin and Schoenberg 1954, in the plane of row i). What is not found out here is left to the simplex
method: shots prove facets and nothing else.
"""

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.jit import njit
from modecontrol._kernels.workspace import COL, POINT, RAY, ROW, SLACK, STATE, WEIGHT, D, M, P, from_slacks

REDUNDANT = tolerances.REDUNDANT

UNKNOWN, FACET, OUT, EQUAL = 0, 1, 2, 3
"""States of a row: not decided, facet, redundant, hidden equality."""

ROOM = 1e-6    # an inner point leaves each row at least this much room, in units of its weight
_TINY = 1e-9    # entries up to this limit no step
_SHOTS = 12    # for one row
_MOVES = 2    # towards the middle of the set
_TURN = 1.6    # 1 turns the ray until both rows are met at once, 2 reflects it
_CLEAR = 100.0 * REDUNDANT    # a row must stand out by this, well above what the simplex method asks for
_ROUNDING = 1e-14    # of a product, relative to its largest factors


@njit(error_model="numpy", forceinline=True)
def _first(B, v, n, count):
    """The row that a ray in direction `v` meets first, one over its distance, and that of the second."""
    ahead = B[0]
    for k in range(count):
        ahead[k] = B[1, k] * v[1]
    for j in range(2, n + 1):
        f = v[j]
        for k in range(count):
            ahead[k] += f * B[j, k]
    best = np.int64(0)
    top, second = -1e300, -1e300
    for k in range(count):    # selects instead of branches
        a = ahead[k]
        later = top if a > top else a
        second = later if later > second else second
        best = k if a > top else best
        top = a if a > top else top
    return best, top, second


@njit(error_model="numpy")
def _shoot(B, labels, state, weight, room, v, mean, n, count):
    """Mark as FACET what a few shots for each row of state UNKNOWN prove to be one.

    Parameters
    ----------
    B : array (1 + n at least, count at least)
        Polar points by columns: `B[j, k]`, j from 1, is coefficient j of row k over its room. `B[0]` is scratch.
    labels : int array (count)
        The labels of the rows.
    state, weight, room : arrays by label
        What is known of each row; the unit of its violation; its slack at the inner point, at least ROOM units.
    v, mean : arrays (1 + n at least)
        Scratch.
    n, count : int
        Variables and rows, at least one.

    """
    largest = 0.0
    for j in range(1, n + 1):
        total = 0.0
        for k in range(count):
            total += B[j, k]
            largest = max(largest, abs(B[j, k]))
        mean[j] = total / count
    for i in range(count):
        if state[labels[i]] != UNKNOWN:
            continue
        for j in range(1, n + 1):
            v[j] = B[j, i] - mean[j]
        for _ in range(_SHOTS):
            k, top, second = _first(B, v, n, count)
            size = 0.0
            for j in range(1, n + 1):
                size += abs(v[j])
            second = max(second, 0.0) + _ROUNDING * largest * size
            if not top > second:
                break
            if (top - second) * room[labels[k]] > _CLEAR * weight[labels[k]] * top and state[labels[k]] == UNKNOWN:
                state[labels[k]] = FACET
            if k == i:
                break
            length = 0.0
            for j in range(1, n + 1):
                length += (B[j, k] - B[j, i]) ** 2
            turn = _TURN * (top - B[0, i]) / length
            for j in range(1, n + 1):
                v[j] -= turn * (B[j, k] - B[j, i])


@njit(error_model="numpy")
def shoot_from_origin(ws):
    """Mark facets in `ws.labels[STATE]` as seen from the origin of the scaled data that `load` left; uses `ws.T`.

    Returns whether the origin is an inner point. Otherwise nothing is marked.
    """
    G, B, size, vectors, labels = ws.G, ws.T, ws.size, ws.vectors, ws.labels
    m, d = size[M], size[D]
    inside = size[P] == 0 and d > 0 and m > 0
    for i in range(m):
        inside = inside & (G[0, i] > ROOM * vectors[WEIGHT, i])
    if inside:
        for i in range(m):
            vectors[SLACK, i] = 1.0 / G[0, i]
            labels[ROW, i] = i
        for j in range(1, d + 1):
            for i in range(m):
                B[j, i] = G[j, i] * vectors[SLACK, i]
        _shoot(B, labels[ROW], labels[STATE], vectors[WEIGHT], G[0], vectors[POINT], vectors[RAY], d, m)
    return inside


@njit(error_model="numpy", forceinline=True)
def _chord(room, speed, m):
    """How far one can go ahead and back with these speeds; as far as the other way where nothing stops."""
    ahead, back = 0.0, 0.0
    for i in range(m):
        rate = speed[i] / room[i]
        ahead = rate if rate > ahead else ahead
        back = -rate if -rate > back else back
    if ahead == 0.0 and back == 0.0:
        return 0.0, 0.0
    return 1.0 / (ahead if ahead > 0.0 else back), 1.0 / (back if back > 0.0 else ahead)


@njit(error_model="numpy")
def shoot_from_vertex(ws, n, rows):
    """Mark facets in `ws.labels[STATE]` as seen from a point inside the simplex of the vertex of `ws.T` and its edges.

    For sets without equalities. `n` and `rows` are those of `T`; its constants are nonnegative. The point is moved
    twice to the middle of the set along the push of all rows (the gradient of the logarithmic barrier).
    """
    G, T, size, vectors, row, col = ws.G, ws.T, ws.size, ws.vectors, ws.labels[ROW], ws.labels[COL]
    slack, weight, point = vectors[SLACK], vectors[WEIGHT], vectors[POINT]
    m, d = size[M], size[D]
    for i in range(m):
        slack[i] = 0.0
    for i in range(rows):
        slack[row[i]] = T[0, i]
    for j in range(1, n + 1):
        step = 1e250
        for i in range(rows):
            ratio = T[0, i] / (T[j, i] if T[j, i] > _TINY else 1e-280)
            step = ratio if ratio < step else step
        step = (step if step < 1e200 else weight[col[j]]) / (n + 1.0)
        slack[col[j]] = step
        for i in range(rows):
            slack[row[i]] -= step * T[j, i]
    from_slacks(ws, point, 1.0)
    B = np.empty((d + 1, m))
    labels = np.arange(m)
    v, speed, room = np.empty(d + 1), B[0], slack
    for turn in range(_MOVES + 1):
        for i in range(m):
            room[i] = G[0, i]
        for j in range(d):
            for i in range(m):
                room[i] -= G[j + 1, i] * point[j]
        inside = True
        for i in range(m):
            inside = inside & (room[i] > ROOM * weight[i])
        if not inside:
            return
        for j in range(1, d + 1):
            total = 0.0
            for i in range(m):
                B[j, i] = G[j, i] / room[i]
                total -= B[j, i]
            v[j] = total
        if turn < _MOVES:
            for i in range(m):
                speed[i] = 0.0
            for j in range(1, d + 1):
                for i in range(m):
                    speed[i] += G[j, i] * v[j]
            ahead, back = _chord(room, speed, m)
            for j in range(d):
                point[j] += 0.5 * (ahead - back) * v[j + 1]
    _shoot(B, labels, ws.labels[STATE], weight, room, v, vectors[RAY], d, m)
