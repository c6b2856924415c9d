"""Projections: `{x_K : exists x_L, A x <= b, C x = e}` by Fourier-Motzkin elimination, minimal at the end.

Equalities (the hidden ones too) are substituted first, largest pivot first. Then the variable with the fewest
products goes: every pair of rows that bound it from above and from below is added up so that it drops out. Of
these sums only those are wanted that have no more than k + 1 parents after k eliminations (Kohler 1967) and whose
parents include all parents of no third row (Chernikov 1965). Parents are the rows of a minimal system; when there
would be too many pairs, the system is made minimal again by `redundancy` and its rows are the new parents. Which
rows of the caller went into a row, its ancestors, is recorded apart.

Numbers. Everything happens in the scaled data of `workspace.load`; rows are added up by products, without a
division, so that small integers stay exact, and rescaled by powers of two.
"""

from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.jit import njit
from modecontrol._kernels.redundancy import EQUAL, FACET, minimal_loaded
from modecontrol._kernels.simplex import OPTIMAL, UNDECIDED, longest, prepare, solve_again
from modecontrol._kernels.workspace import BLOWUP, COL_SCALE, SCALE, STATE, load, make_workspace, power_below

FLAT = tolerances.FLAT
PIVOT = tolerances.PIVOT

_NOISE = 1e-13    # a sum this much smaller than its two terms is rounding
_PAIRS = 2000    # more pairs than this are worth linear programs that remove rows first
_BITS = 62    # parents that fit into one number


class Projection(NamedTuple):
    """The set `{x : A x <= b, C x = e}` in the kept variables; rows have largest coefficient one.

    OPTIMAL: the minimal representation. `ancestors` (rows of `A`, then of `C`; columns: the caller's inequalities,
    then equalities) says which rows were added up. INFEASIBLE: the set is empty. UNDECIDED: no answer passed its
    check. Without an answer there are no rows.
    """

    status: int
    A: np.ndarray
    b: np.ndarray
    C: np.ndarray
    e: np.ndarray
    ancestors: np.ndarray


class Projections(NamedTuple):
    """Many `Projection`: set k has rows `row_start[k] .. row_start[k+1]` of `A`, `b`, `ancestors`, and so on."""

    status: np.ndarray
    A: np.ndarray
    b: np.ndarray
    C: np.ndarray
    e: np.ndarray
    row_start: np.ndarray
    equality_start: np.ndarray
    ancestors: np.ndarray
    equality_ancestors: np.ndarray


class _System(NamedTuple):
    """Rows `A x <= b` and `C x = e` in the variables `names`, with ancestors; `parents` as bits, 0 if unknown."""

    A: np.ndarray
    b: np.ndarray
    C: np.ndarray
    e: np.ndarray
    names: np.ndarray
    ancestors: np.ndarray
    equality_ancestors: np.ndarray
    parents: np.ndarray


@njit(error_model="numpy")
def _add(A, b, i, p, B, c, k, q):
    """Row i of `A` becomes `p` times itself plus `q` times row k of `B`, without noise, scaled by a power of two."""
    largest = 0.0
    for j in range(A.shape[1]):
        first, second = p * A[i, j], q * B[k, j]
        total = first + second
        if abs(total) <= _NOISE * (abs(first) + abs(second)):
            total = 0.0
        A[i, j] = total
        largest = max(largest, abs(total))
    first, second = p * b[i], q * c[k]
    b[i] = first + second
    if abs(b[i]) <= _NOISE * (abs(first) + abs(second)):
        b[i] = 0.0
    h = power_below(largest)
    for j in range(A.shape[1]):
        A[i, j] *= h
    b[i] *= h


@njit(error_model="numpy")
def _pick(A, rows, columns):
    """The marked rows and columns of a matrix."""
    picked = np.empty((rows.sum(), columns.sum()), A.dtype)
    k = 0
    for i in range(rows.size):
        if rows[i]:
            q = 0
            for j in range(columns.size):
                if columns[j]:
                    picked[k, q] = A[i, j]
                    q += 1
            k += 1
    return picked


@njit(error_model="numpy")
def _without(system, rows, equalities, variables):
    """The system with the marked rows, equalities and variables only."""
    every = np.ones(system.ancestors.shape[1], np.bool_)
    return _System(
        _pick(system.A, rows, variables), system.b[rows],
        _pick(system.C, equalities, variables), system.e[equalities], system.names[variables],
        _pick(system.ancestors, rows, every), _pick(system.equality_ancestors, equalities, every),
        system.parents[rows],
    )


@njit(error_model="numpy")
def _substitute(system, gone):
    """Use the equalities to replace variables that are to go (`gone` by name)."""
    A, b, C, e, names = system.A, system.b, system.C, system.e, system.names
    up, across = system.ancestors, system.equality_ancestors
    equalities = np.ones(C.shape[0], np.bool_)
    variables = np.ones(names.size, np.bool_)
    while True:
        best = 1e-9
        k = np.int64(-1)
        v = np.int64(-1)
        for i in range(C.shape[0]):
            if equalities[i]:
                for j in range(names.size):
                    if variables[j] and gone[names[j]] and abs(C[i, j]) > best:
                        best = abs(C[i, j])
                        k = i
                        v = j
        if k < 0:
            break
        pivot = C[k, v]
        sign = 1.0 if pivot > 0.0 else -1.0
        for i in range(A.shape[0]):
            if A[i, v] != 0.0:
                _add(A, b, i, abs(pivot), C, e, k, -sign * A[i, v])
                A[i, v] = 0.0
                for j in range(up.shape[1]):
                    up[i, j] = up[i, j] or across[k, j]
        for i in range(C.shape[0]):
            if equalities[i] and i != k and C[i, v] != 0.0:
                _add(C, e, i, abs(pivot), C, e, k, -sign * C[i, v])
                C[i, v] = 0.0
                for j in range(up.shape[1]):
                    across[i, j] = across[i, j] or across[k, j]
        equalities[k] = False
        variables[v] = False
    for i in range(C.shape[0]):    # what is left of a dependent equality
        if equalities[i]:
            for j in range(names.size):
                if gone[names[j]]:
                    C[i, j] = 0.0
    return _without(system, np.ones(A.shape[0], np.bool_), equalities, variables)


@njit(error_model="numpy")
def _cheapest(system, gone):
    """The variable to go with the fewest new rows (-1 when none is left), how many more rows, how many pairs."""
    A, names = system.A, system.names
    v = np.int64(-1)
    growth = np.int64(0)
    pairs = np.int64(0)
    for j in range(names.size):
        if gone[names[j]]:
            above, below = 0, 0
            for i in range(A.shape[0]):
                above += A[i, j] > 0.0
                below += A[i, j] < 0.0
            more = above * below - above - below
            if v < 0 or more < growth:
                v = j
                growth = more
                pairs = above * below
    return v, growth, pairs


@njit(error_model="numpy")
def _wanted(parents, i, k, steps):
    """Whether rows `i` and `k` make a row that neither Kohler's nor Chernikov's rule finds redundant."""
    both = parents[i] | parents[k]
    if both == 0:
        return True
    count = 0
    rest = both
    while rest:
        rest &= rest - 1
        count += 1
    wanted = count <= steps + 1
    j = 0
    while wanted and j < parents.size:
        wanted = (parents[j] & ~both != 0) | (j == i) | (j == k)
        j += 1
    return wanted


@njit(error_model="numpy")
def _eliminate(system, v, steps, pairs):
    """Add up the pairs of rows that bound variable `v` from both sides; the eliminations since `_clean`: `steps`."""
    A, b, ancestors, parents = system.A, system.b, system.ancestors, system.parents
    n, d = A.shape
    room = n + pairs
    A2, b2, parents2 = np.empty((room, d)), np.empty(room), np.empty(room, np.int64)
    ancestors2 = np.empty((room, ancestors.shape[1]), np.bool_)
    count = 0
    for i in range(n):
        for k in range(n):
            if (A[i, v] == 0.0 and i == k) or (A[i, v] > 0.0 and A[k, v] < 0.0 and _wanted(parents, i, k, steps)):
                for j in range(d):
                    A2[count, j] = A[i, j]
                b2[count] = b[i]
                if i != k:
                    _add(A2, b2, count, -A[k, v], A, b, k, A[i, v])
                    A2[count, v] = 0.0
                zero = True
                for j in range(d):
                    zero = zero and A2[count, j] == 0.0
                for j in range(ancestors.shape[1]):
                    ancestors2[count, j] = ancestors[i, j] or ancestors[k, j]
                parents2[count] = parents[i] | parents[k]
                count += not zero    # the set is not empty, so that 0 <= b holds
    variables = np.ones(d, np.bool_)
    variables[v] = False
    rows = np.zeros(room, np.bool_)
    rows[:count] = True
    wide = _System(A2, b2, system.C, system.e, system.names, ancestors2, system.equality_ancestors, parents2)
    return _without(wide, rows, np.ones(system.C.shape[0], np.bool_), variables)


@njit(error_model="numpy")
def _causes(system, found):
    """Ancestors of the marked rows as equalities: their own, and those of the rows that hold them from the other side.

    `a x >= b` on the set is a sum of other rows; the multipliers of `max -a x` say which.
    """
    A, C = system.A, system.C
    m, d = A.shape
    p = C.shape[0]
    causes = system.ancestors.copy()
    ws = make_workspace(m, p, d)
    ready = prepare(ws, A, system.b, C, system.e) == OPTIMAL
    for i in range(m):
        if found[i]:
            proved = ready and solve_again(ws, -A[i])[0] == OPTIMAL
            for k in range(m + p):
                used = found[k] if k < m else True
                if proved:
                    used = ws.y[k] > PIVOT if k < m else abs(ws.z[k - m]) > PIVOT
                for j in range(causes.shape[1] if used else 0):
                    other = system.ancestors[k, j] if k < m else system.equality_ancestors[k - m, j]
                    causes[i, j] = causes[i, j] or other
    return causes


@njit(error_model="numpy")
def _clean(system):
    """The system with facets only, hidden equalities among the equalities, parents started anew; and a status."""
    A, b, C, e = system.A, system.b, system.C, system.e
    m, d = A.shape
    p = C.shape[0]
    ws = make_workspace(m, p, d)
    load(ws, A, b, C, e)
    status = minimal_loaded(ws)
    if status != OPTIMAL:
        return status, system
    rows = np.zeros(m, np.bool_)
    found = np.zeros(m, np.bool_)
    for i in range(m):
        rows[i] = ws.labels[STATE, i] == FACET
        found[i] = ws.labels[STATE, i] == EQUAL
    parents = np.zeros(m, np.int64)
    k = 0
    for i in range(m if rows.sum() <= _BITS else 0):
        if rows[i]:
            parents[i] = np.int64(1) << k
            k += 1
    causes = _causes(system, found) if found.any() else system.ancestors
    joined = _System(
        A, b, np.concatenate((C, A[found])), np.concatenate((e, b[found])), system.names, system.ancestors,
        np.concatenate((system.equality_ancestors, causes[found])), parents,
    )
    every = np.ones(joined.C.shape[0], np.bool_)
    return status, _without(joined, rows, every, np.ones(d, np.bool_))


@njit(error_model="numpy")
def _independent(C):
    """Marks of equalities that together say the same as all (complete pivoting)."""
    W = C.copy()
    p, d = W.shape
    chosen = np.zeros(p, np.bool_)
    for _ in range(min(p, d)):
        best = 1e-9
        k = np.int64(-1)
        v = np.int64(-1)
        for i in range(p):
            if not chosen[i]:
                for j in range(d):
                    if abs(W[i, j]) > best:
                        best = abs(W[i, j])
                        k = i
                        v = j
        if k < 0:
            break
        chosen[k] = True
        for i in range(p):
            if not chosen[i]:
                f = W[i, v] / W[k, v]
                for j in range(d):
                    W[i, j] -= f * W[k, j]
                W[i, v] = 0.0
    return chosen


@njit(error_model="numpy")
def _reduce(A, b, C, e, keep):
    """Status, scaled system in the kept variables, column sizes and blow-up."""
    m, d = A.shape
    p = C.shape[0]
    ws = make_workspace(m, p, d)
    load(ws, A, b, C, e)
    gone = ~keep
    own = np.eye(m + p) > 0.0
    G = ws.G.T.copy()
    for i in range(m + p):
        for j in range(d):
            if gone[j] and abs(G[i, j + 1]) <= _NOISE:
                G[i, j + 1] = 0.0
    system = _System(
        G[:m, 1:].copy(), G[:m, 0].copy(), G[m:, 1:].copy(), G[m:, 0].copy(), np.arange(d), own[:m], own[m:],
        np.zeros(m, np.int64),
    )
    status, system = _clean(system)
    clean = True
    steps = 1
    if status == OPTIMAL:
        system = _substitute(system, gone)
    while status == OPTIMAL:
        v, growth, pairs = _cheapest(system, gone)
        if v < 0 and clean:
            break
        known = system.parents.size > 0 and system.parents[0] != 0
        if not clean and (v < 0 or pairs > _PAIRS or (growth > 0 and not known)):
            outcome, system = _clean(system)
            if outcome == OPTIMAL:
                system = _substitute(system, gone)
                clean = True
                steps = 1
                continue
            if v < 0:
                status = UNDECIDED
                break
        system = _eliminate(system, v, steps, pairs)
        steps += 1
        clean = False
    if status == OPTIMAL:
        system = _without(system, np.ones(system.A.shape[0], np.bool_), _independent(system.C),
                          np.ones(system.names.size, np.bool_))
    return status, system, ws.vectors[COL_SCALE, :d].copy(), ws.vectors[SCALE, BLOWUP]


@njit(error_model="numpy")
def _to_caller(A, b, names, sizes, blowup):
    """Rows in the caller's units, largest coefficient one."""
    for i in range(A.shape[0]):
        largest = 0.0
        for j in range(names.size):
            A[i, j] /= sizes[names[j]]
            largest = max(largest, abs(A[i, j]))
        b[i] *= blowup / largest
        for j in range(names.size):
            A[i, j] /= largest


@njit(error_model="numpy")
def _touches(A, b, C, e, system):
    """Whether every row of the projection, lifted, is valid and tight on the set it came from."""
    m, d = A.shape
    ws = make_workspace(m, C.shape[0], d)
    if prepare(ws, A, b, C, e) != OPTIMAL:
        return False
    c = np.zeros(d)
    for i in range(system.A.shape[0] + 2 * system.C.shape[0]):
        k = i - system.A.shape[0]
        sign = 1.0 if k % 2 == 0 else -1.0
        size = 0.0
        for j in range(system.names.size):
            c[system.names[j]] = system.A[i, j] if k < 0 else sign * system.C[k // 2, j]
        right = system.b[i] if k < 0 else sign * system.e[k // 2]
        status, value = solve_again(ws, c)
        for j in range(d):
            size += abs(c[j] * ws.x[j])
        if status != OPTIMAL or not abs(value - right) <= FLAT * max(1.0, max(size, abs(right))):
            return False
    return True


@njit(error_model="numpy")
def project(A, b, C, e, keep):
    """The projection of `{x : A x <= b, C x = e}` on some of its variables.

    Parameters
    ----------
    A, b : arrays (m, d) and (m)
        Inequalities.
    C, e : arrays (p, d) and (p)
        Equalities.
    keep : bool array (d)
        The variables to keep; they stay in order.

    Returns
    -------
    Projection
    """
    m = A.shape[0]
    p = C.shape[0]
    status, system, sizes, blowup = _reduce(A, b, C, e, keep)
    if status == OPTIMAL:
        _to_caller(system.A, system.b, system.names, sizes, blowup)
        _to_caller(system.C, system.e, system.names, sizes, blowup)
        if not _touches(A, b, C, e, system):
            status = UNDECIDED
    if status != OPTIMAL:
        rows = np.empty((0, keep.sum()))
        nothing = np.empty(0)
        return Projection(status, rows, nothing, rows, nothing, np.empty((0, m + p), np.bool_))
    return Projection(status, system.A, system.b, system.C, system.e,
                      np.concatenate((system.ancestors, system.equality_ancestors)))


@njit(error_model="numpy")
def _longer(a, count):
    """A copy of `a` with room for `count` rows at least."""
    if a.shape[0] >= count:
        return a
    wide = np.zeros((2 * count, a.shape[1]), a.dtype)
    wide[: a.shape[0]] = a
    return wide


@njit(error_model="numpy")
def project_batch(A, b, C, e, keep, row_start, equality_start):
    """`project` of many sets in one call: set k has rows `row_start[k] .. row_start[k+1]` of `A`, and so on.

    Parameters
    ----------
    A, b : arrays (sum of m, d) and (sum of m)
        Inequalities of all sets, one after the other.
    C, e : arrays (sum of p, d) and (sum of p)
        Equalities.
    keep : bool array (d)
        The variables to keep, the same in all sets.
    row_start, equality_start : int64 arrays (B + 1)
        Where each set starts in `A` and in `C`.

    Returns
    -------
    Projections
        `ancestors` has as many columns as the largest set has rows: its own inequalities, then equalities.
    """
    count = row_start.size - 1
    width = longest(row_start) + longest(equality_start)
    kept = keep.sum()
    rows, equalities = np.zeros((1, kept + 1)), np.zeros((1, kept + 1))
    up, across = np.zeros((1, width), np.bool_), np.zeros((1, width), np.bool_)
    starts, equality_starts = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64)
    status = np.empty(count, np.int64)
    for k in range(count):
        lo, hi = row_start[k], row_start[k + 1]
        low, high = equality_start[k], equality_start[k + 1]
        found = project(A[lo:hi], b[lo:hi], C[low:high], e[low:high], keep)
        status[k] = found.status
        n, q = found.b.size, found.e.size
        start, first = starts[k], equality_starts[k]
        starts[k + 1], equality_starts[k + 1] = start + n, first + q
        rows, up = _longer(rows, start + n), _longer(up, start + n)
        equalities, across = _longer(equalities, first + q), _longer(across, first + q)
        own = found.ancestors.shape[1]
        rows[start : start + n, :kept], rows[start : start + n, kept] = found.A, found.b
        equalities[first : first + q, :kept], equalities[first : first + q, kept] = found.C, found.e
        up[start : start + n, :own], across[first : first + q, :own] = found.ancestors[:n], found.ancestors[n:]
    n, q = starts[count], equality_starts[count]
    return Projections(status, rows[:n, :kept].copy(), rows[:n, kept].copy(), equalities[:q, :kept].copy(),
                       equalities[:q, kept].copy(), starts, equality_starts, up[:n], across[:q])
