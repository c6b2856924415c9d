"""State to best inputs without listing the modes: branch and bound along the prefix tree.

Every node is bounded by one linear program: the goal over the relaxed prefix with the task. Children are visited best
first, so the first full mode is nearly always the answer and most of the tree is never seen. The winner is then
checked: strict domain, task and goal whatever `w` is, and a second search with the inputs held fixed finds every other
mode that explains them. What the check cannot settle is left to the general method (`thrust.maximize`).
"""

from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.affine import split
from modecontrol._kernels.jit import njit
from modecontrol._kernels.search import FIXED, RIGHT, SEPARATE, assign, at_least, cone, possible, search
from modecontrol._kernels.simplex import INFEASIBLE, OPTIMAL, UNBOUNDED, solve_into
from modecontrol._kernels.table import Root, clean, dynamic_root, impose
from modecontrol._kernels.workspace import make_workspace

STRICT = tolerances.STRICT
UNLIMITED_INPUT = tolerances.UNLIMITED

SURE, NOTHING, UNLIMITED, UNSETTLED = 0, 1, 2, 3
"""Statuses: a checked answer; no mode meets the task; unbounded; the general method has to decide."""


class Best(NamedTuple):
    """Answer in true units; `u = (qdd, f, lam)`; `bound` is what modes left unsettled could at most reach (scaled)."""

    status: int
    letters: np.ndarray
    tau: np.ndarray
    u: np.ndarray
    value: float
    nodes: int
    programs: int


@njit
def best_at(M, b, S, J, d, G, e, mu, free, slip, allowed, P, p, equality, physical, limits, massive, margin):
    """`best_inputs` of one instant, whose torque box `limits` joins the physical rows (the first ones of `P`)."""
    inputs = S.shape[1]
    lead = P.shape[1] - inputs
    R = np.zeros((P.shape[0] + 2 * inputs, P.shape[1]))
    r = np.empty(len(R))
    tied = np.zeros(len(R), np.bool_)
    R[:physical], r[:physical], tied[:physical] = P[:physical], p[:physical], equality[:physical]
    count = physical
    for i in range(inputs):
        for side in range(2):
            if abs(limits[i, side]) < UNLIMITED_INPUT:
                sign = 1.0 - 2.0 * side
                R[count, lead + i] = sign
                r[count] = sign * limits[i, side]
                count += 1
    last = count + len(p) - physical
    R[count:last], r[count:last] = P[physical:], p[physical:]
    root = dynamic_root(M, b, S, J, d, G, e, mu, free, slip, R[:last], r[:last], tied[:last], count)
    return best_inputs(root, mu, free, slip, allowed, massive, inputs, margin)


@njit
def best_inputs(root, mu, free, slip, allowed, massive, inputs, margin):
    """Greatest goal (last row of the table) over all modes, by branch and bound."""
    layout = root.layout
    k = allowed.shape[0]
    rows, N = layout.rows, layout.columns
    T = np.empty((k + 1, 4, rows, N + 1))
    freedom = np.full((k + 1, 4), -1, np.int64)
    bound = np.full((k + 1, 4), -np.inf)
    chosen = np.zeros(k + 1, np.int64)
    path = np.zeros(k, np.int64)
    A = np.empty((5 * k + rows - layout.physical + 1, N + 1))
    limit = np.empty(A.shape[0])
    ws = make_workspace(A.shape[0], 0, N + 1)

    best = -np.inf
    doubt = -np.inf
    letters = np.zeros(k, np.int64)
    point = np.zeros(N)
    nodes, programs = 0, 0
    T[0, 0] = root.table
    freedom[0, 0] = root.freedom
    unlimited = False

    depth = 0 if root.freedom >= 0 else -1
    fresh = True
    while depth >= 0:
        code = chosen[depth]
        here = T[depth, code]
        left = freedom[depth, code]
        if depth == k:
            nodes += 1
            programs += 1
            verdict = possible(here, layout, left, path, k, mu, free, slip, True, A, limit, ws)
            if verdict > 0:
                status, value = _bound(here, layout, left, path, k, mu, free, slip, A, limit, ws)
                programs += 1
                if status == UNBOUNDED:
                    unlimited = True
                    letters[:] = path
                    break
                if status == OPTIMAL and verdict != 3:
                    y = ws.x[:left].copy()
                    if _whatever_w(here, layout, left, path, mu, free, slip, y, inputs, A, limit, ws):
                        if value > best:
                            best = value
                            letters[:] = path
                            for r in range(N):
                                point[r] = here[r, N]
                                for i in range(left):
                                    point[r] += here[r, i] * y[i]
                    else:
                        doubt = max(doubt, value)
                else:
                    doubt = max(doubt, np.inf)
            depth -= 1
            fresh = False
            continue
        if fresh:
            nodes += 1
            for c in range(4):
                bound[depth + 1, c] = -np.inf
                if not allowed[depth, c]:
                    continue
                child = T[depth + 1, c]
                for r in range(rows):
                    for i in range(left):
                        child[r, i] = here[r, i]
                    child[r, N] = here[r, N]
                path[depth] = c
                freedom[depth + 1, c] = assign(child, layout, left, depth, c, mu, free, True)
                if freedom[depth + 1, c] < 0:
                    continue
                programs += 1
                status, value = _bound(child, layout, freedom[depth + 1, c], path, depth + 1, mu, free, slip, A, limit, ws)
                if status == OPTIMAL:
                    bound[depth + 1, c] = value
                elif status != INFEASIBLE:
                    bound[depth + 1, c] = np.inf
        top = 0
        for c in range(1, 4):
            if bound[depth + 1, c] > bound[depth + 1, top]:
                top = c
        if bound[depth + 1, top] == -np.inf or bound[depth + 1, top] <= best + STRICT * abs(best):
            depth -= 1
            fresh = False
            continue
        bound[depth + 1, top] = -np.inf
        path[depth] = top
        depth += 1
        chosen[depth] = top
        fresh = True

    tau = np.empty(inputs)
    u = np.empty(layout.tau)
    for i in range(inputs):
        tau[i] = point[layout.tau + i] * root.units[layout.tau + i] * root.size
    for i in range(layout.tau):
        u[i] = point[i] * root.units[i] * root.size
    if unlimited:
        return Best(UNLIMITED, letters, tau, u, np.inf, nodes, programs)
    if best == -np.inf:
        return Best(NOTHING if doubt == -np.inf else UNSETTLED, letters, tau, u, best, nodes, programs)
    if doubt > best + STRICT * abs(best):
        return Best(UNSETTLED, letters, tau, u, best, nodes, programs)
    alone, asked = _alone(root, mu, free, slip, allowed, massive, letters, point, inputs, margin)
    return Best(SURE if alone else UNSETTLED, letters, tau, u, best, nodes, programs + asked)


@njit
def _rows(T, layout, freedom, path, assigned, mu, free, slip, A, limit):
    """Closed rows of a prefix (nothing strict) with the task, as `A y <= limit`."""
    N = layout.columns
    m = 0
    for i in range(len(mu)):
        normal, tangent = layout.force + 2 * i, layout.force + 2 * i + 1
        rise, slide = layout.xdd + 2 * i, layout.xdd + 2 * i + 1
        if free[i]:
            continue
        if i >= assigned or path[i] == SEPARATE:
            m = at_least(T, A, limit, m, rise, 1.0, rise, 0.0, freedom, N, 0.0)
        if i >= assigned:
            m = cone(T, A, limit, m, normal, tangent, mu[i], slip[i] != 0, freedom, N)
        elif path[i] != SEPARATE:
            m = cone(T, A, limit, m, normal, tangent, mu[i], path[i] != FIXED, freedom, N)
            if path[i] != FIXED and slip[i] == 0:
                m = at_least(T, A, limit, m, slide, 1.0 if path[i] == RIGHT else -1.0, slide, 0.0, freedom, N, 0.0)
    for r in range(layout.physical, layout.rows - 1):
        m = at_least(T, A, limit, m, r, 1.0, r, 0.0, freedom, N, 0.0)
    return m


@njit
def _bound(T, layout, freedom, path, assigned, mu, free, slip, A, limit, ws):
    """Greatest goal over the relaxed prefix with the task: `(status, value)`; the point in `ws.x`."""
    N = layout.columns
    m = _rows(T, layout, freedom, path, assigned, mu, free, slip, A, limit)
    goal = layout.rows - 1
    objective = np.empty(freedom)
    for i in range(freedom):
        objective[i] = clean(T[goal, i])
    nothing = np.empty((0, freedom))
    status, value = solve_into(ws, objective, A[:m, :freedom].copy(), limit[:m], nothing, np.empty(0))
    return status, value + T[goal, N]


@njit
def _whatever_w(T, layout, freedom, path, mu, free, slip, y, inputs, A, limit, ws):
    """Do goal and task hold at these inputs for every `w`? Asked by a program per row that feels `w`."""
    N = layout.columns
    S = T[:, :freedom + 1].copy()
    S[:, freedom] = T[:, N]
    w, _ = _torque_columns(S, layout, freedom, inputs, y)
    if w == 0:
        return True
    m = 0
    feels = False
    for r in range(layout.task, layout.rows):
        for i in range(w):
            if abs(S[r, i]) > STRICT:
                feels = True
    if not feels:
        return True
    # rows of the mode over w alone (task rows left out: they are what is asked)
    flat = np.empty((layout.rows, N + 1))
    for r in range(layout.rows):
        for i in range(w):
            flat[r, i] = S[r, i]
        flat[r, N] = S[r, freedom]
    m = _rows(flat, layout, w, path, len(path), mu, free, slip, A, limit)
    m -= layout.rows - 1 - layout.task
    nothing = np.empty((0, w))
    against = np.empty(w)
    for r in range(layout.task, layout.rows):
        for i in range(w):
            against[i] = -clean(flat[r, i])
        status, value = solve_into(ws, against, A[:m, :w].copy(), limit[:m], nothing, np.empty(0))
        if status != OPTIMAL:
            return False
        least = flat[r, N] - value
        if r < layout.rows - 1:
            if least < -STRICT:
                return False
        else:
            top = T[r, N]
            for i in range(freedom):
                top += T[r, i] * y[i]
            if least < top - STRICT * max(1.0, abs(top)):
                return False
    return True


@njit
def _torque_columns(S, layout, freedom, inputs, y):
    """Split the columns into `w` and torque directions and fold the latter, at the point `y`, into the constant."""
    at = np.empty(inputs)
    for j in range(inputs):
        at[j] = S[layout.tau + j, freedom]
        for i in range(freedom):
            at[j] += S[layout.tau + j, i] * y[i]
    w, pivots = split(S, layout, freedom, inputs)
    for s in range(freedom - w):
        column = freedom - 1 - s
        value = at[pivots[s]]
        for r in range(S.shape[0]):
            S[r, freedom] += S[r, column] * value
    return w, pivots


@njit
def _alone(root, mu, free, slip, allowed, massive, letters, point, inputs, margin):
    """Does no other mode explain these inputs (within the margin) with another motion or other forces?"""
    layout = root.layout
    T = root.table.copy()
    left = root.freedom
    N = layout.columns
    if margin > 0.0:
        return False, 0
    for j in range(inputs):
        row = T[layout.tau + j].copy()
        row[N] -= point[layout.tau + j]
        left = impose(T, layout, left, row)
        if left < 0:
            return False, 0
    leaves = search(Root(T, left, layout, root.units, root.size), mu, free, slip, allowed, True)
    for index in range(leaves.letters.shape[0]):
        same = True
        for i in range(len(letters)):
            if leaves.letters[index, i] != letters[i]:
                same = False
        if same:
            continue
        width = leaves.freedom[index] + 1
        at = leaves.start[index]
        for r in range(layout.lam):
            if r < len(massive) and not massive[r]:
                continue
            if abs(leaves.tables[at + r * width + width - 1] - point[r]) > 100.0 * STRICT:
                return False, leaves.programs
            for i in range(width - 1):
                if abs(leaves.tables[at + r * width + i]) > STRICT:
                    return False, leaves.programs
    return True, leaves.programs
