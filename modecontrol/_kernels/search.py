"""Prefix search over contact modes: cost grows with the number of answers, not with 4^k.

State of a node: the affine set of all unknowns `X` that satisfy the equalities so far, `X = x0 + Z y` with `Z`
orthonormal, kept as a table whose rows are the quantities that somebody may ask for:

    rows:  X itself (qdd, f, lam, tau) | contact accelerations xdd | physical rows      columns:  y | constant

Assigning a letter to a contact adds two equalities; each is reflected (Householder) onto the last column of `y`, which then
has a known value and leaves. One linear program per node asks for a point with every acceleration inequality of
the assigned S, L, R strictly positive, while unassigned contacts only obey `xdd_n >= 0` and the friction cone:
a prefix that fails has no completion, and at a full mode the question is exact (theory: strict domains).
"""

from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.jit import njit
from modecontrol._kernels.scaling import natural_units
from modecontrol._kernels.simplex import OPTIMAL, UNDECIDED, solve_into
from modecontrol._kernels.workspace import make_workspace

RANK = tolerances.RANK
PIVOT = tolerances.PIVOT
FEASIBLE = tolerances.FEASIBLE
CONSISTENT = tolerances.CONSISTENT
STRICT = tolerances.STRICT

FIXED, LEFT, RIGHT, SEPARATE = 0, 1, 2, 3


class Layout(NamedTuple):
    """Where the blocks of the table start; `columns` is the position of the constant column."""

    force: int
    lam: int
    tau: int
    xdd: int
    physical: int
    rows: int
    columns: int


class Root(NamedTuple):
    """The table before any letter is assigned, with the units that scale it back."""

    table: np.ndarray
    freedom: int
    layout: Layout
    units: np.ndarray
    size: float


class Leaves(NamedTuple):
    """All modes found: letters (N, k), freedom of each, its table flattened at `start[i]:start[i+1]`, and the LP tally."""

    letters: np.ndarray
    freedom: np.ndarray
    start: np.ndarray
    tables: np.ndarray
    programs: int
    undecided: int


@njit
def dynamic_root(M, b, S, J, d, G, e, mu, free, slip, P, p, equality):
    """Table of the whole dynamics: `M qdd + b = S tau + J'f + G'lam`, loops, physical equalities, known letters."""
    n, t = S.shape
    k = J.shape[0] // 2
    loops = G.shape[0]
    force, lam, tau = n, n + 2 * k, n + 2 * k + loops
    N = tau + t
    layout = Layout(force, lam, tau, N, N + 2 * k, N + 2 * k + P.shape[0], N)
    uq, uf, ul, ut = natural_units(M, S, J, G)
    units = np.concatenate((uq, uf, ul, ut))
    size = _load(b, d, e, p, uq, uf, ul, P, units, n, k, loops)

    T = np.zeros((layout.rows, N + 1))
    for i in range(N):
        T[i, i] = 1.0
    for i in range(2 * k):
        for j in range(n):
            T[layout.xdd + i, j] = J[i, j] * uq[j] * uf[i]
        T[layout.xdd + i, N] = d[i] * uf[i] / size
    for i in range(P.shape[0]):
        biggest = 0.0
        for j in range(n + 2 * k + t):
            column = j if j < n + 2 * k else j + loops
            T[layout.physical + i, column] = P[i, j] * units[column]
            biggest = max(biggest, abs(T[layout.physical + i, column]))
        T[layout.physical + i, N] = -p[i] / size
        if biggest > 0.0:
            T[layout.physical + i] /= biggest

    freedom = N
    row = np.zeros(N + 1)
    for j in range(n):
        row[:] = 0.0
        for i in range(n):
            row[i] = uq[j] * M[j, i] * uq[i]
        for i in range(2 * k):
            row[force + i] = -uq[j] * J[i, j] * uf[i]
        for i in range(loops):
            row[lam + i] = -uq[j] * G[i, j] * ul[i]
        for i in range(t):
            row[tau + i] = -uq[j] * S[j, i] * ut[i]
        row[N] = uq[j] * b[j] / size
        freedom = _impose(T, layout, freedom, _combine(T, row, freedom, N, 0))
    for i in range(loops):
        row[:] = 0.0
        for j in range(n):
            row[j] = G[i, j] * uq[j] * ul[i]
        row[N] = e[i] * ul[i] / size
        freedom = _impose(T, layout, freedom, _combine(T, row, freedom, N, 0))
    for i in range(P.shape[0]):
        if equality[i]:
            freedom = _impose(T, layout, freedom, T[layout.physical + i].copy())
    for i in range(k):
        if free[i]:
            freedom = _impose(T, layout, freedom, T[force + 2 * i].copy())
            freedom = _impose(T, layout, freedom, T[force + 2 * i + 1].copy())
        elif slip[i] != 0:
            freedom = _impose(T, layout, freedom, T[force + 2 * i + 1] + slip[i] * mu[i] * T[force + 2 * i])
    return Root(T, freedom, layout, units, size)


@njit
def kinematic_root(M, S, J, d, G, e):
    """Table of the accelerations alone: `xdd = J qdd + d`, loops; no forces, no inputs."""
    n = J.shape[1]
    k = J.shape[0] // 2
    layout = Layout(-1, n, n, n, n + 2 * k, n + 2 * k, n)
    uq, uf, ul, _ = natural_units(M, S, J, G)
    size = 0.0
    for i in range(2 * k):
        size = max(size, abs(d[i]) * uf[i])
    for i in range(G.shape[0]):
        size = max(size, abs(e[i]) * ul[i])
    if size == 0.0:
        size = 1.0
    T = np.zeros((layout.rows, n + 1))
    for i in range(n):
        T[i, i] = 1.0
    for i in range(2 * k):
        for j in range(n):
            T[n + i, j] = J[i, j] * uq[j] * uf[i]
        T[n + i, n] = d[i] * uf[i] / size
    freedom = n
    row = np.zeros(n + 1)
    for i in range(G.shape[0]):
        for j in range(n):
            row[j] = G[i, j] * uq[j] * ul[i]
        row[n] = e[i] * ul[i] / size
        freedom = _impose(T, layout, freedom, _combine(T, row, freedom, n, 0))
    return Root(T, freedom, layout, uq, size)


@njit
def _load(b, d, e, p, uq, uf, ul, P, units, n, k, loops):
    """Size of the right-hand sides: bias and drift; limits and tasks only when there is neither."""
    size = 0.0
    for j in range(n):
        size = max(size, abs(b[j]) * uq[j])
    for i in range(2 * k):
        size = max(size, abs(d[i]) * uf[i])
    for i in range(loops):
        size = max(size, abs(e[i]) * ul[i])
    if size > 0.0:
        return size
    for i in range(len(p)):
        biggest = 0.0
        for j in range(P.shape[1]):
            biggest = max(biggest, abs(P[i, j]) * units[j if j < n + 2 * k else j + loops])
        if biggest > 0.0:
            size = max(size, abs(p[i]) / biggest)
    return size if size > 0.0 else 1.0


@njit
def _combine(T, row, freedom, N, start):
    """The quantity `row . (X, 1)` in the coordinates of the table."""
    out = np.zeros(N + 1)
    biggest = 0.0
    for j in range(N):
        biggest = max(biggest, abs(row[j]))
    if biggest == 0.0:
        biggest = 1.0
    for j in range(N):
        if row[j] != 0.0:
            for i in range(freedom):
                out[i] += row[j] / biggest * T[start + j, i]
            out[N] += row[j] / biggest * T[start + j, N]
    out[N] += row[N] / biggest
    return out


@njit
def _impose(T, layout, freedom, row):
    """Impose `row = 0`: one freedom fewer; the same when the row is implied; -1 when it contradicts."""
    if freedom < 0:
        return -1
    N = layout.columns
    square = 0.0
    for i in range(freedom):
        square += row[i] * row[i]
    norm = np.sqrt(square)
    if norm <= RANK:
        return freedom if abs(row[N]) <= CONSISTENT else -1
    last = freedom - 1
    # Householder vector h = row + sign * norm * e_last sends row to -sign * norm * e_last
    sign = 1.0 if row[last] >= 0.0 else -1.0
    row[last] += sign * norm
    scale = 1.0 / (norm * abs(row[last]))
    value = sign * row[N] / norm
    for r in range(layout.rows):
        dot = 0.0
        for i in range(freedom):
            dot += row[i] * T[r, i]
        dot *= scale
        for i in range(last):
            T[r, i] -= dot * row[i]
        T[r, N] += (T[r, last] - dot * row[last]) * value
    return last


@njit
def search(root, mu, free, slip, allowed, dynamic):
    """Depth-first over the contacts; returns every mode whose strict domain is not empty."""
    layout = root.layout
    k = allowed.shape[0]
    rows, N = layout.rows, layout.columns
    T = np.empty((k + 1, rows, N + 1))
    T[0] = root.table
    freedom = np.zeros(k + 1, np.int64)
    freedom[0] = root.freedom
    letter = np.full(k + 1, -1, np.int64)
    path = np.zeros(k, np.int64)
    A = np.empty((5 * k + rows - layout.physical + 1, N + 1))
    bound = np.empty(A.shape[0])
    ws = make_workspace(A.shape[0], 0, N + 1)

    found = 0
    letters = np.empty((64, k), np.int64)
    freedoms = np.empty(64, np.int64)
    start = np.zeros(65, np.int64)
    tables = np.empty(64 * rows * 4)
    programs, undecided = 0, 0

    depth = 0 if root.freedom >= 0 else -1
    while depth >= 0:
        if depth == k:
            if found == len(freedoms):
                letters = np.concatenate((letters, np.empty_like(letters)))
                freedoms = np.concatenate((freedoms, np.empty_like(freedoms)))
                start = np.concatenate((start, np.zeros(len(start) - 1, np.int64)))
            width = freedom[k] + 1
            while start[found] + rows * width > len(tables):
                tables = np.concatenate((tables, np.empty_like(tables)))
            letters[found] = path
            freedoms[found] = freedom[k]
            at = start[found]
            for r in range(rows):
                for i in range(width - 1):
                    tables[at + r * width + i] = T[k, r, i]
                tables[at + r * width + width - 1] = T[k, r, N]
            start[found + 1] = at + rows * width
            found += 1
            depth -= 1
            continue
        letter[depth] += 1
        code = letter[depth]
        if code == 4:
            letter[depth] = -1
            depth -= 1
            continue
        if not allowed[depth, code]:
            continue
        child = T[depth + 1]
        active = freedom[depth]
        for r in range(rows):
            for i in range(active):
                child[r, i] = T[depth, r, i]
            child[r, N] = T[depth, r, N]
        path[depth] = code
        left = _assign(child, layout, active, depth, code, mu, free, dynamic)
        if left < 0:
            continue
        verdict = _possible(child, layout, left, path, depth + 1, mu, free, slip, dynamic, A, bound, ws)
        if verdict != 2:
            programs += 1
        if verdict == 3:
            undecided += 1
        if verdict > 0:
            freedom[depth + 1] = left
            depth += 1
            if depth < k:
                letter[depth] = -1
    return Leaves(letters[:found], freedoms[:found], start[:found + 1], tables[:start[found]], programs, undecided)


@njit
def _assign(T, layout, freedom, i, code, mu, free, dynamic):
    """Equalities of one letter (Tables 1 and 2 of Greenfield 2005); -1 when they contradict the prefix."""
    normal, tangent = layout.force + 2 * i, layout.force + 2 * i + 1
    if code == SEPARATE:
        if dynamic and not free[i]:
            freedom = _impose(T, layout, freedom, T[normal].copy())
            freedom = _impose(T, layout, freedom, T[tangent].copy())
        return freedom
    freedom = _impose(T, layout, freedom, T[layout.xdd + 2 * i].copy())
    if code == FIXED:
        return _impose(T, layout, freedom, T[layout.xdd + 2 * i + 1].copy())
    if dynamic:
        way = 1.0 if code == RIGHT else -1.0
        freedom = _impose(T, layout, freedom, T[tangent] + way * mu[i] * T[normal])
    return freedom


@njit
def _possible(T, layout, freedom, path, assigned, mu, free, slip, dynamic, A, bound, ws):
    """Is there a point with all strict rows positive? 0 no, 1 yes, 2 yes without asking, 3 undecided (kept)."""
    N = layout.columns
    m = 0
    strict = 0
    for i in range(len(mu)):
        normal, tangent = layout.force + 2 * i, layout.force + 2 * i + 1
        rise, slide = layout.xdd + 2 * i, layout.xdd + 2 * i + 1
        if i >= assigned:
            if not free[i]:
                m = _at_least(T, A, bound, m, rise, 1.0, rise, 0.0, freedom, N, 0.0)
                if dynamic:
                    m = _cone(T, A, bound, m, normal, tangent, mu[i], slip[i] != 0, freedom, N)
            continue
        code = path[i]
        if code == SEPARATE:
            if not free[i]:
                strict += 1
                m = _at_least(T, A, bound, m, rise, 1.0, rise, 0.0, freedom, N, 1.0)
            continue
        if dynamic:
            m = _cone(T, A, bound, m, normal, tangent, mu[i], code != FIXED, freedom, N)
        if code != FIXED and slip[i] == 0:
            strict += 1
            m = _at_least(T, A, bound, m, slide, 1.0 if code == RIGHT else -1.0, slide, 0.0, freedom, N, 1.0)
    if m == 0 and layout.rows == layout.physical:
        return 2
    if dynamic:
        for r in range(layout.physical, layout.rows):
            m = _at_least(T, A, bound, m, r, 1.0, r, 0.0, freedom, N, 0.0)
    if freedom <= 1:
        return 2 if _on_a_line(A, bound, m, freedom) else 0
    unknowns = freedom
    if strict > 0:
        A[m, :freedom + 1] = 0.0
        A[m, freedom] = 1.0
        bound[m] = 1.0
        m += 1
        unknowns += 1
    objective = np.zeros(unknowns)
    if strict > 0:
        objective[freedom] = 1.0
    nothing = np.empty((0, unknowns))
    status, value = solve_into(ws, objective, A[:m, :unknowns].copy(), bound[:m], nothing, nothing[:, 0].copy())
    if status == UNDECIDED:
        return 3
    return 1 if status == OPTIMAL and (strict == 0 or value > STRICT) else 0


@njit
def _on_a_line(A, bound, m, freedom):
    """The question of `_possible` with one unknown or none: an intersection of intervals."""
    lower, upper = -np.inf, np.inf
    for r in range(m):
        slope = A[r, 0] if freedom == 1 else 0.0
        level = bound[r] - STRICT * A[r, freedom]
        if abs(slope) <= PIVOT:
            if level < (0.0 if A[r, freedom] > 0.0 else -FEASIBLE):
                return False
        elif slope > 0.0:
            upper = min(upper, level / slope)
        else:
            lower = max(lower, level / slope)
    return lower <= upper + FEASIBLE * max(1.0, min(abs(lower), abs(upper)))


@njit
def _cone(T, A, bound, m, normal, tangent, mu, sliding, freedom, N):
    """Rows of the friction cone; the normal row alone when the tangential force is tied to it."""
    if sliding or mu == 0.0:
        m = _at_least(T, A, bound, m, normal, 1.0, normal, 0.0, freedom, N, 0.0)
    if not sliding:
        m = _at_least(T, A, bound, m, normal, mu, tangent, 1.0, freedom, N, 0.0)
        m = _at_least(T, A, bound, m, normal, mu, tangent, -1.0, freedom, N, 0.0)
    return m


@njit
def _at_least(T, A, bound, m, first, a, second, b, freedom, N, slack):
    """Append `a T[first] + b T[second] >= slack * t` as a row `A (y, t) <= bound`."""
    for i in range(freedom):
        A[m, i] = clean(-a * T[first, i] - b * T[second, i])
    A[m, freedom] = slack
    bound[m] = clean(a * T[first, N] + b * T[second, N])
    return m + 1


@njit
def clean(value):
    """Rounding left by reflections is zero: in natural units every honest coefficient is far larger."""
    return value if abs(value) > PIVOT else 0.0
