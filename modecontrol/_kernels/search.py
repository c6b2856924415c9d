"""Prefix search over contact modes: cost grows with the number of answers, not with 4^k.

Contacts get their letters one by one; each letter imposes two equalities on the table of unknowns. One linear program
per node asks for a point with every acceleration inequality of the assigned S, L, R strictly positive, while
unassigned contacts only obey `xdd_n >= 0` and the friction cone: a prefix that fails has no completion, and at a full
mode the question is exact (a mode counts when its strict domain is not empty).
"""

from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.jit import njit
from modecontrol._kernels.simplex import OPTIMAL, UNDECIDED, solve_into
from modecontrol._kernels.table import clean, impose
from modecontrol._kernels.workspace import make_workspace

FEASIBLE = tolerances.FEASIBLE
STRICT = tolerances.STRICT
OPPOSITE = 1e-12    # coefficients that cancel to this are opposite but for rounding

FIXED, LEFT, RIGHT, SEPARATE = 0, 1, 2, 3


class Leaves(NamedTuple):
    """All modes found: letters (N, k), freedoms, tables flattened at `start[i]:start[i+1]`, and the tally of programs.

    A mode whose own program stayed undecided is among them, marked as doubtful; the caller asks another method.
    """

    letters: np.ndarray
    freedom: np.ndarray
    doubtful: np.ndarray
    start: np.ndarray
    tables: np.ndarray
    programs: int
    undecided: int


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
    A = np.empty((5 * k + layout.task - layout.physical + 1, N + 1))
    bound = np.empty(A.shape[0])
    ws = make_workspace(A.shape[0], 0, N + 1)

    found = 0
    letters = np.empty((64, k), np.int64)
    freedoms = np.empty(64, np.int64)
    doubtful = np.empty(64, np.bool_)
    start = np.zeros(65, np.int64)
    tables = np.empty(64 * rows * 4)
    programs, undecided, verdict = 0, 0, 2

    depth = 0 if root.freedom >= 0 else -1
    if k == 0 and depth == 0:
        # no letter to assign: the one empty mode exists when the physical rows have a common point
        programs = 1
        verdict = possible(T[0], layout, root.freedom, path, 0, mu, free, slip, dynamic, A, bound, ws)
        if verdict == 0:
            depth = -1
    while depth >= 0:
        if depth == k:
            if found == len(freedoms):
                letters = np.concatenate((letters, np.empty_like(letters)))
                freedoms = np.concatenate((freedoms, np.empty_like(freedoms)))
                doubtful = np.concatenate((doubtful, np.empty_like(doubtful)))
                start = np.concatenate((start, np.zeros(len(start) - 1, np.int64)))
            width = freedom[k] + 1
            while start[found] + rows * width > len(tables):
                tables = np.concatenate((tables, np.empty_like(tables)))
            letters[found] = path
            freedoms[found] = freedom[k]
            doubtful[found] = verdict == 3
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
        left = assign(child, layout, active, depth, code, mu, free, dynamic)
        if left < 0:
            continue
        verdict = possible(child, layout, left, path, depth + 1, mu, free, slip, dynamic, A, bound, ws)
        if verdict != 2:
            programs += 1
        if verdict == 3:
            undecided += 1
        if verdict > 0:
            freedom[depth + 1] = left
            depth += 1
            if depth < k:
                letter[depth] = -1
    return Leaves(letters[:found], freedoms[:found], doubtful[:found], start[:found + 1], tables[:start[found]], programs,
                  undecided)


@njit
def assign(T, layout, freedom, i, code, mu, free, dynamic):
    """Equalities of one letter (Tables 1 and 2 of Greenfield 2005); -1 when they contradict the prefix."""
    normal, tangent = layout.force + 2 * i, layout.force + 2 * i + 1
    if code == SEPARATE:
        if dynamic and not free[i]:
            freedom = impose(T, layout, freedom, T[normal].copy())
            freedom = impose(T, layout, freedom, T[tangent].copy())
        return freedom
    freedom = impose(T, layout, freedom, T[layout.xdd + 2 * i].copy())
    if code == FIXED:
        return impose(T, layout, freedom, T[layout.xdd + 2 * i + 1].copy())
    if dynamic:
        way = 1.0 if code == RIGHT else -1.0
        freedom = impose(T, layout, freedom, T[tangent] + way * mu[i] * T[normal])
    return freedom


@njit
def possible(T, layout, freedom, path, assigned, mu, free, slip, dynamic, A, bound, ws):
    """Is there a point with all strict rows positive? 0 no, 1 yes, 2 decided without a program, 3 undecided (kept).

    `A` and `bound` are scratch; the program is `max t <= 1` over `(y, t)` with `t` in the strict rows, or a search for
    a point when there is none.
    """
    N = layout.columns
    strict = False
    for i in range(assigned):
        if not free[i] and (path[i] == SEPARATE or (path[i] != FIXED and slip[i] == 0)):
            strict = True
    width = freedom + 1 if strict else freedom
    R = A.ravel()[:A.shape[0] * width].reshape(A.shape[0], width)
    m = 0
    for i in range(len(mu)):
        if free[i]:
            continue
        normal, tangent = layout.force + 2 * i, layout.force + 2 * i + 1
        rise, slide = layout.xdd + 2 * i, layout.xdd + 2 * i + 1
        code = path[i]
        waits = i >= assigned
        if waits or code == SEPARATE:
            m = _demand(T, R, bound, m, rise, 1.0, rise, 0.0, freedom, N, 0.0 if waits else 1.0)
            if not waits:
                continue
        if dynamic:
            sliding = slip[i] != 0 if waits else code != FIXED
            if sliding or mu[i] == 0.0:
                m = _demand(T, R, bound, m, normal, 1.0, normal, 0.0, freedom, N, 0.0)
            if not sliding:
                m = _demand(T, R, bound, m, normal, mu[i], tangent, 1.0, freedom, N, 0.0)
                m = _demand(T, R, bound, m, normal, mu[i], tangent, -1.0, freedom, N, 0.0)
        if not waits and code != FIXED and slip[i] == 0:
            m = _demand(T, R, bound, m, slide, 1.0 if code == RIGHT else -1.0, slide, 0.0, freedom, N, 1.0)
        if m < 0:
            return 0
    if dynamic:
        for r in range(layout.physical, layout.task):
            m = _demand(T, R, bound, m, r, 1.0, r, 0.0, freedom, N, 0.0)
    if m < 0:
        return 0
    if m == 0:
        return 2
    if freedom <= 1:
        return 2 if _on_a_line(R, bound, m, freedom, strict) else 0
    if strict and _pinched(R, bound, m, freedom):
        return 0
    objective = ws.ray[:width]
    objective[:] = 0.0
    if strict:
        for i in range(freedom):
            R[m, i] = 0.0
        R[m, freedom] = 1.0
        bound[m] = 1.0
        m += 1
        objective[freedom] = 1.0
    nothing = R[:0]
    status, value = solve_into(ws, objective, R[:m], bound[:m], nothing, bound[:0])
    if status == UNDECIDED:
        return 3
    return 1 if status == OPTIMAL and (not strict or value > STRICT) else 0


@njit
def _demand(T, R, bound, m, first, a, second, b, freedom, N, slack):
    """Append `a T[first] + b T[second] >= slack * t` to `R (y, t) <= bound`; a plain truth is left out, -1 for a lie."""
    if m < 0:
        return m
    felt = False
    for i in range(freedom):
        value = clean(-a * T[first, i] - b * T[second, i])
        R[m, i] = value
        if value != 0.0:
            felt = True
    level = clean(a * T[first, N] + b * T[second, N])
    if not felt:
        if level < -FEASIBLE or (slack > 0.0 and level <= STRICT):
            return -1
        if slack == 0.0:
            return m
    if R.shape[1] > freedom:
        R[m, freedom] = slack
    bound[m] = level
    return m + 1


@njit
def _pinched(R, bound, m, freedom):
    """Whether a strict row and a row that is its opposite leave no room between them: the commonest end of a prefix."""
    for i in range(m):
        if R[i, freedom] == 0.0:
            continue
        column = 0
        for c in range(1, freedom):
            if abs(R[i, c]) > abs(R[i, column]):
                column = c
        for j in range(m):
            if R[i, column] * R[j, column] >= 0.0:
                continue
            factor = -R[i, column] / R[j, column]
            opposite = True
            for c in range(freedom):
                if abs(R[i, c] + factor * R[j, c]) > OPPOSITE * abs(R[i, column]):
                    opposite = False
                    break
            if opposite and bound[i] + factor * bound[j] <= STRICT:
                return True
    return False


@njit
def _on_a_line(R, bound, m, freedom, strict):
    """The question of `possible` with one unknown or none: an intersection of intervals."""
    lower, upper = -np.inf, np.inf
    for r in range(m):
        slope = R[r, 0] if freedom == 1 else 0.0
        level = bound[r] - STRICT * R[r, freedom] if strict else bound[r]
        if slope > 0.0:
            upper = min(upper, level / slope)
        elif slope < 0.0:
            lower = max(lower, level / slope)
        elif level < 0.0:
            return False
    return lower <= upper + FEASIBLE * max(1.0, min(abs(lower), abs(upper)))


# Rows without any judgement, for kernels that maximise over a prefix -----------------------------------------


@njit
def cone(T, A, bound, m, normal, tangent, mu, sliding, freedom, N):
    """Rows of the friction cone; the normal row alone when the tangential force is tied to it."""
    if sliding or mu == 0.0:
        m = at_least(T, A, bound, m, normal, 1.0, normal, 0.0, freedom, N, 0.0)
    if not sliding:
        m = at_least(T, A, bound, m, normal, mu, tangent, 1.0, freedom, N, 0.0)
        m = at_least(T, A, bound, m, normal, mu, tangent, -1.0, freedom, N, 0.0)
    return m


@njit
def at_least(T, A, bound, m, first, a, second, b, freedom, N, slack):
    """Append `a T[first] + b T[second] >= slack * t` as a row `A (y, t) <= bound`."""
    for i in range(freedom):
        A[m, i] = clean(-a * T[first, i] - b * T[second, i])
    A[m, freedom] = slack
    bound[m] = clean(a * T[first, N] + b * T[second, N])
    return m + 1
