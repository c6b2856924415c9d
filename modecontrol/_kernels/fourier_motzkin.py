"""Fourier-Motzkin elimination: systems `A x <= b`, `C x = e` that lose variables and keep their shadow.

Every pair of rows that bound a variable from above and from below is added up so that it drops out. Of these sums
only those are wanted that have no more than k + 1 parents after k eliminations (Kohler 1967) and whose parents
include all parents of no third row (Chernikov 1965). Parents are the rows of a minimal system.

Rows are added up by products, without a division, so that small integers stay exact, and rescaled by powers of two.
"""

from typing import NamedTuple

import numpy as np

from modecontrol._kernels.jit import njit
from modecontrol._kernels.workspace import power_below

NOISE = 1e-13    # a sum this much smaller than its two terms is rounding


class System(NamedTuple):
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
        if abs(total) <= NOISE * (abs(first) + abs(second)):
            total = 0.0
        A[i, j] = total
        largest = max(largest, abs(total))
    first, second = p * b[i], q * c[k]
    b[i] = first + second
    if abs(b[i]) <= NOISE * (abs(first) + abs(second)):
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
def _pick_some(b, marks):
    """The marked entries of a vector."""
    picked = np.empty(marks.sum(), b.dtype)
    k = 0
    for i in range(marks.size):
        if marks[i]:
            picked[k] = b[i]
            k += 1
    return picked


@njit(error_model="numpy")
def without(system, rows, equalities, variables):
    """The system with the marked rows, equalities and variables only."""
    every = np.ones(system.ancestors.shape[1], np.bool_)
    return System(
        _pick(system.A, rows, variables), _pick_some(system.b, rows),
        _pick(system.C, equalities, variables), _pick_some(system.e, equalities), _pick_some(system.names, variables),
        _pick(system.ancestors, rows, every), _pick(system.equality_ancestors, equalities, every),
        _pick_some(system.parents, rows),
    )


@njit(error_model="numpy")
def substitute(system, gone):
    """Use the equalities to replace variables that are to go (`gone` by name)."""
    A, b, C, e, names = system.A, system.b, system.C, system.e, system.names
    if C.shape[0] == 0:
        return system
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
    return without(system, np.ones(A.shape[0], np.bool_), equalities, variables)


@njit(error_model="numpy")
def cheapest(system, gone):
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


@njit(error_model="numpy", forceinline=True)
def _wanted(parents, i, k, steps):
    """Whether rows `i` and `k` make a row that neither Kohler's nor Chernikov's rule finds redundant."""
    both = parents[i] | parents[k]
    if both == 0:
        return True
    count = 0
    rest = both
    while rest and count <= steps + 1:
        rest &= rest - 1
        count += 1
    if count > steps + 1:
        return False
    inside = 0
    for j in range(parents.size):    # the two rows themselves, and any other whose parents are among theirs
        inside += (parents[j] & ~both) == 0
    return inside == 2


@njit(error_model="numpy")
def eliminate_variable(system, v, steps, pairs):
    """Add up the pairs of rows that bound variable `v` from both sides; the eliminations since `_clean`: `steps`."""
    A, b, ancestors, parents = system.A, system.b, system.ancestors, system.parents
    n, d = A.shape
    first, second = np.empty(n + pairs, np.int64), np.empty(n + pairs, np.int64)
    count = 0
    for i in range(n):
        if A[i, v] == 0.0:
            first[count], second[count] = i, i
            count += 1
        elif A[i, v] > 0.0:
            for k in range(n):
                if A[k, v] < 0.0 and _wanted(parents, i, k, steps):
                    first[count], second[count] = i, k
                    count += 1
    A2, b2, parents2 = np.empty((count, d)), np.empty(count), np.empty(count, np.int64)
    ancestors2 = np.empty((count, ancestors.shape[1]), np.bool_)
    rows = np.ones(count, np.bool_)
    for r in range(count):
        i, k = first[r], second[r]
        for j in range(d):
            A2[r, j] = A[i, j]
        b2[r] = b[i]
        if i != k:
            _add(A2, b2, r, -A[k, v], A, b, k, A[i, v])
            A2[r, v] = 0.0
        zero = True
        for j in range(d):
            zero = zero and A2[r, j] == 0.0
        rows[r] = not zero    # the set is not empty, so that 0 <= b holds
        for j in range(ancestors.shape[1]):
            ancestors2[r, j] = ancestors[i, j] | ancestors[k, j]
        parents2[r] = parents[i] | parents[k]
    variables = np.ones(d, np.bool_)
    variables[v] = False
    wide = System(A2, b2, system.C, system.e, system.names, ancestors2, system.equality_ancestors, parents2)
    return without(wide, rows, np.ones(system.C.shape[0], np.bool_), variables)


@njit(error_model="numpy")
def independent(C):
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
