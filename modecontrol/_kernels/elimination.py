"""Projections: `{x_K : exists x_L, A x <= b, C x = e}` by Fourier-Motzkin elimination, minimal at the end.

The variables that go get a basis in which the rows have many zeros (`sparsity`). Equalities (the hidden ones too) are
substituted first, largest pivot first; then the variable with the fewest products goes (`fourier_motzkin`). When there
would be too many pairs, the system is made minimal by `redundancy` and its rows are the new parents. Which rows of the
caller went into a row, its ancestors, is recorded apart. Everything happens in the scaled data of `workspace.load`; at
the end every row must touch the set that it came from.
"""

from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.fourier_motzkin import (
    NOISE,
    System,
    cheapest,
    eliminate_variable,
    independent,
    substitute,
    without,
)
from modecontrol._kernels.jit import njit
from modecontrol._kernels.redundancy import EQUAL, FACET, minimal_loaded
from modecontrol._kernels.simplex import OPTIMAL, UNDECIDED, longest, prepare, solve_again
from modecontrol._kernels.sparsity import sparsify
from modecontrol._kernels.touching import tight_rows
from modecontrol._kernels.workspace import BLOWUP, COL_SCALE, SCALE, STATE, load, make_workspace

FLAT = tolerances.FLAT
PIVOT = tolerances.PIVOT

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
    if not found.any():
        fresh = System(A, b, C, e, system.names, system.ancestors, system.equality_ancestors, parents)
        return status, without(fresh, rows, np.ones(p, np.bool_), np.ones(d, np.bool_))
    causes = _causes(system, found)
    joined = System(
        A, b, np.concatenate((C, A[found])), np.concatenate((e, b[found])), system.names, system.ancestors,
        np.concatenate((system.equality_ancestors, causes[found])), parents,
    )
    every = np.ones(joined.C.shape[0], np.bool_)
    return status, without(joined, rows, every, np.ones(d, np.bool_))


@njit(error_model="numpy")
def _to_caller(A, b, names, sizes, blowup):
    """Copies of rows in the caller's units, largest coefficient one."""
    A, b = A.copy(), b.copy()
    for i in range(A.shape[0]):
        largest = 0.0
        for j in range(names.size):
            A[i, j] /= sizes[names[j]]
            largest = max(largest, abs(A[i, j]))
        b[i] *= blowup / largest
        for j in range(names.size):
            A[i, j] /= largest
    return A, b


@njit(error_model="numpy")
def _sparse(A, b, C, e, keep):
    """The same set in the kept variables, times a sparse basis of the others: rows scaled by powers of two, then changed."""
    m, d = A.shape
    p = C.shape[0]
    ws = make_workspace(m, p, d)
    load(ws, A, b, C, e)
    gone = np.flatnonzero(~keep)
    X = np.empty((m + p, gone.size))
    for i in range(m + p):
        for j in range(gone.size):
            X[i, j] = ws.G[gone[j] + 1, i]
    sparsify(X, 0)
    R, right = np.empty((m + p, d)), np.empty(m + p)
    for i in range(m + p):
        right[i] = ws.G[0, i] * ws.vectors[SCALE, BLOWUP]
        for j in range(d):
            R[i, j] = ws.G[j + 1, i] / ws.vectors[COL_SCALE, j]
        for j in range(gone.size):
            R[i, gone[j]] = X[i, j]
    return R[:m].copy(), right[:m].copy(), R[m:].copy(), right[m:].copy()


@njit(error_model="numpy")
def _reduce(A, b, C, e, keep):
    """Status, scaled system in the kept variables, column sizes, blow-up, whether its inequalities are checked."""
    m, d = A.shape
    p = C.shape[0]
    ws = make_workspace(m, p, d)
    load(ws, A, b, C, e)
    gone = ~keep
    own = np.eye(m + p) > 0.0
    G = ws.G.T.copy()
    for i in range(m + p):
        for j in range(d):
            if gone[j] and abs(G[i, j + 1]) <= NOISE:
                G[i, j + 1] = 0.0
    system = System(
        G[:m, 1:].copy(), G[:m, 0].copy(), G[m:, 1:].copy(), G[m:, 0].copy(), np.arange(d), own[:m], own[m:],
        np.zeros(m, np.int64),
    )
    status, system = _clean(system)
    sizes, blowup = ws.vectors[COL_SCALE, :d].copy(), ws.vectors[SCALE, BLOWUP]
    clean, checked = True, False
    steps = 1
    if status == OPTIMAL:
        system = substitute(system, gone)
    while status == OPTIMAL:
        v, growth, pairs = cheapest(system, gone)
        if v < 0 and clean:
            break
        known = system.parents.size > 0 and system.parents[0] != 0
        if not clean and (v < 0 or pairs > _PAIRS or (growth > 0 and not known)):
            rows, right = _to_caller(system.A, system.b, system.names, sizes, blowup)
            tight, checked = tight_rows(A, b, C, e, rows, right, system.names)
            system = without(system, tight, np.ones(system.C.shape[0], np.bool_), np.ones(system.names.size, np.bool_))
            outcome, system = _clean(system)
            if outcome == OPTIMAL:
                system = substitute(system, gone)
                clean = True
                steps = 1
                continue
            if v < 0:
                status = UNDECIDED
                break
        system = eliminate_variable(system, v, steps, pairs)
        steps += 1
        clean, checked = False, False
    if status == OPTIMAL and system.C.shape[0] > 0:
        system = without(system, np.ones(system.A.shape[0], np.bool_), independent(system.C),
                          np.ones(system.names.size, np.bool_))
    return status, system, sizes, blowup, checked


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
    if keep.size - keep.sum() > 1:
        A, b, C, e = _sparse(A, b, C, e, keep)
    status, system, sizes, blowup, checked = _reduce(A, b, C, e, keep)
    rows, right = _to_caller(system.A, system.b, system.names, sizes, blowup)
    equal, level = _to_caller(system.C, system.e, system.names, sizes, blowup)
    if status == OPTIMAL and not (checked and len(level) == 0):
        sides, ends = np.concatenate((rows, equal, -equal)), np.concatenate((right, level, -level))
        tight, sure = tight_rows(A, b, C, e, sides, ends, system.names)
        status = OPTIMAL if sure and tight.all() else UNDECIDED
    if status != OPTIMAL:
        none = np.empty((0, keep.sum()))
        nothing = np.empty(0)
        return Projection(status, none, nothing, none, nothing, np.empty((0, m + p), np.bool_))
    return Projection(status, rows, right, equal, level,
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
