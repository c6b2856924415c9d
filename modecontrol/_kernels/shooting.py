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
from modecontrol._kernels.workspace import POINT, RAY, ROW, SLACK, STATE, WEIGHT, D, M, P

REDUNDANT = tolerances.REDUNDANT

UNKNOWN, FACET, OUT, EQUAL = 0, 1, 2, 3
"""States of a row: not decided, facet, redundant, hidden equality."""

ROOM = 1e-6    # an inner point leaves each row at least this much room, in units of its weight
_TINY = 1e-9    # entries up to this limit no step
_SHOTS = 8    # for one row
_TURN = 1.5    # 1 turns the ray until both rows are met at once, 2 reflects it
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


@njit(error_model="numpy")
def shoot_from_vertex(T, row, col, state, weight, room, v, mean, n, rows):
    """Mark facets as seen from inside the simplex that a vertex and the ends of its edges span.

    `T`, `row`, `col` are a dictionary with `n` columns and `rows` rows and nonnegative constants; `room`, `v` and
    `mean` are scratch. Each column is measured by its edge.
    """
    count = rows + n
    labels = np.empty(count, np.int64)
    B = np.empty((n + 1, count))
    for j in range(1, n + 1):
        step = 1e250
        for i in range(rows):
            ratio = T[0, i] / (T[j, i] if T[j, i] > _TINY else 1e-280)
            step = ratio if ratio < step else step
        unit = weight[col[j]]
        step = (step if step < 1e200 else unit) / (n + 1.0)
        if not step > ROOM * unit:
            return
        room[col[j]] = step
        labels[rows + j - 1] = col[j]
    for i in range(rows):
        labels[i] = row[i]
        B[0, i] = T[0, i]
    for j in range(1, n + 1):
        step = room[col[j]]
        for i in range(rows):
            B[j, i] = T[j, i] * step
            B[0, i] -= B[j, i]
        for k in range(1, n + 1):
            B[j, rows + k - 1] = -1.0 if j == k else 0.0
    for i in range(rows):
        if not B[0, i] > ROOM * weight[row[i]]:
            return
        room[row[i]] = B[0, i]
        for j in range(1, n + 1):
            B[j, i] /= room[row[i]]
    _shoot(B, labels, state, weight, room, v, mean, n, count)
