"""Pieces of modes, as the search for sure inputs sees them: views of the packed response, and questions about sets of inputs.

A piece is a mode with the task and with cuts on the inputs, either in `(tau, w)` or flat in the inputs alone.
"""

from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.jit import njit
from modecontrol._kernels.simplex import OPTIMAL, UNDECIDED, solve_into

FEASIBLE = tolerances.FEASIBLE
PIVOT = tolerances.PIVOT
STRICT = tolerances.STRICT

_IMPLIED = 1e-7    # an equality that differs by less from a sum of others is implied by them


class Mode(NamedTuple):
    """One mode of a response: `u = constant + U tau + W w` on `A (tau, w) <= b`, `C (tau, w) = e`; `T` its inputs."""

    constant: np.ndarray
    U: np.ndarray
    W: np.ndarray
    A: np.ndarray
    b: np.ndarray
    C: np.ndarray
    e: np.ndarray
    T: np.ndarray
    t: np.ndarray
    H: np.ndarray
    h: np.ndarray


class Task(NamedTuple):
    """Rows `P (qdd, f, tau) >= p`, equalities where `tied`."""

    P: np.ndarray
    p: np.ndarray
    tied: np.ndarray


@njit
def mode_of(packed, index, unknowns, inputs):
    """Views of one mode in the packed response."""
    shape = packed.shape[index]
    w, m, p, torque_rows, torque_equalities = shape[0], shape[1], shape[2], shape[3], shape[4]
    numbers = packed.numbers
    at = packed.number_start[index]
    width = inputs + w
    rows = m * (width + 1)
    equalities = p * (width + 1)
    maps = at + unknowns * (1 + width)
    return Mode(
        numbers[at:at + unknowns], _block(numbers, at + unknowns, unknowns, inputs),
        _block(numbers, at + unknowns * (1 + inputs), unknowns, w), _block(numbers, maps, m, width),
        numbers[maps + m * width:maps + rows], _block(numbers, maps + rows, p, width),
        numbers[maps + rows + p * width:maps + rows + equalities],
        _block(numbers, maps + rows + equalities, torque_rows, inputs),
        numbers[maps + rows + equalities + torque_rows * inputs:maps + rows + equalities + torque_rows * (inputs + 1)],
        _block(numbers, maps + rows + equalities + torque_rows * (inputs + 1), torque_equalities, inputs),
        numbers[maps + rows + equalities + torque_rows * (inputs + 1) + torque_equalities * inputs:
                packed.number_start[index + 1]])


@njit
def _block(numbers, at, rows, columns):
    return numbers[at:at + rows * columns].reshape(rows, columns)


@njit
def within(mode, row, level):
    """`row (qdd, f, tau) >= level` as `g (tau, w) >= h` of a mode; what cancels down to rounding is zero."""
    inputs, w = mode.U.shape[1], mode.W.shape[1]
    unknowns = len(row) - inputs
    g = np.empty(inputs + w)
    h, whole = level, abs(level)
    for r in range(unknowns):
        h -= row[r] * mode.constant[r]
        whole += abs(row[r] * mode.constant[r])
    for j in range(inputs + w):
        total = row[unknowns + j] if j < inputs else 0.0
        size = abs(total)
        for r in range(unknowns):
            share = row[r] * (mode.U[r, j] if j < inputs else mode.W[r, j - inputs])
            total += share
            size += abs(share)
        g[j] = total if abs(total) > PIVOT * size else 0.0
    return g, h if abs(h) > PIVOT * whole else 0.0


@njit
def feels_w(g, inputs):
    felt = False
    for j in range(inputs, len(g)):
        felt = felt or g[j] != 0.0
    return felt


@njit
def piece(mode, task, cuts, flat):
    """A piece as `A x <= b`, `C x = e`: in `(tau, w)` with the task for some `w`, or `flat` in the inputs alone, with those
    rows of the task that do not feel `w`.
    """
    inputs = mode.U.shape[1]
    rows, level = (mode.T, mode.t) if flat else (mode.A, mode.b)
    tied, height = (mode.H, mode.h) if flat else (mode.C, mode.e)
    width = rows.shape[1]
    m, p, extra = len(level), len(height), len(task.p)
    A, b = np.zeros((m + extra + len(cuts), width)), np.empty(m + extra + len(cuts))
    C, e = np.empty((p + extra, width)), np.empty(p + extra)
    for i in range(m):
        b[i] = level[i]
        for j in range(width):
            A[i, j] = rows[i, j]
    for i in range(p):
        e[i] = height[i]
        for j in range(width):
            C[i, j] = tied[i, j]
    for i in range(extra):
        g, h = within(mode, task.P[i], task.p[i])
        if flat and feels_w(g, inputs):
            continue
        if task.tied[i]:
            e[p] = h
            for j in range(width):
                C[p, j] = g[j]
            p += 1
        else:
            b[m] = -h
            for j in range(width):
                A[m, j] = -g[j]
            m += 1
    for i in range(len(cuts)):
        b[m] = cuts[i, inputs]
        for j in range(inputs):
            A[m, j] = cuts[i, j]
        m += 1
    return A[:m], b[:m], C[:p], e[:p]


@njit
def room(ws, A, b, C, e, T, t):
    """Whether some point of `C x = e` satisfies `A x <= b` and `T x <= t` with room to spare (1 yes, 0 no, -1 undecided)."""
    m, extra, d = len(b), len(t), A.shape[1]
    if m + extra + 1 > len(ws.y):
        return -1
    R, bound = np.zeros((m + extra + 1, d + 1)), np.empty(m + extra + 1)
    largest = 0.0
    for i in range(m + extra):
        row = A[i] if i < m else T[i - m]
        level = b[i] if i < m else t[i - m]
        size = 0.0
        for j in range(d):
            size = max(size, abs(row[j]))
        if size == 0.0:
            if level < 0.0:
                return 0
            bound[i] = level
            continue
        for j in range(d):
            R[i, j] = row[j] / size
        R[i, d] = 1.0
        bound[i] = level / size
        largest = max(largest, abs(bound[i]))
    if largest == 0.0:
        largest = 1.0
    R[m + extra, d] = 1.0
    bound[m + extra] = largest
    tied = np.zeros((len(e), d + 1))
    for i in range(len(e)):
        for j in range(d):
            tied[i, j] = C[i, j]
    objective = np.zeros(d + 1)
    objective[d] = 1.0
    status, value = solve_into(ws, objective, R, bound, tied, e)
    if status == UNDECIDED:
        return -1
    return 1 if status == OPTIMAL and value > STRICT * largest else 0


@njit
def hull_holds(C, e, H, h):
    """Whether every solution of `C x = e` satisfies `H x = h` (Gram-Schmidt, twice)."""
    if len(h) == 0:
        return True
    d = C.shape[1]
    B = np.zeros((len(e) + 1, d + 1))
    count = 0
    for i in range(len(e) + len(h)):
        mine = i < len(e)
        row = B[count]
        for j in range(d):
            row[j] = C[i, j] if mine else H[i - len(e), j]
        row[d] = e[i] if mine else h[i - len(e)]
        size = _length(row)
        if size == 0.0:
            continue
        row /= size
        scale = max(1.0, abs(row[d]))
        for _ in range(2):
            for k in range(count):
                along = 0.0
                for j in range(d):
                    along += row[j] * B[k, j]
                for j in range(d + 1):
                    row[j] -= along * B[k, j]
        left = _length(row)
        if mine:
            if left > _IMPLIED:
                row /= left
                count += 1
        elif left > _IMPLIED or abs(row[d]) > _IMPLIED * scale:
            return False
    return True


@njit
def _length(row):
    """Euclidean size of a row without its last entry."""
    total = 0.0
    for j in range(len(row) - 1):
        total += row[j] * row[j]
    return np.sqrt(total)


@njit
def least_over_w(ws, mode, x, g):
    """Least `g (tau, w)` over the `w` that the mode allows at the inputs of `x`; the status of the program."""
    inputs, w = mode.U.shape[1], mode.W.shape[1]
    m, p = len(mode.b), 0
    A, b, C, e = np.empty((m, w)), np.empty(m), np.empty((len(mode.e), w)), np.empty(len(mode.e))
    for i in range(m):
        size = abs(mode.b[i])
        b[i] = mode.b[i]
        for j in range(inputs):
            b[i] -= mode.A[i, j] * x[j]
            size += abs(mode.A[i, j] * x[j])
        b[i] += FEASIBLE * size
        for j in range(w):
            A[i, j] = mode.A[i, inputs + j]
    for i in range(len(mode.e)):
        if not feels_w(mode.C[i], inputs):    # an equality of the inputs alone holds already
            continue
        e[p] = mode.e[i]
        for j in range(inputs):
            e[p] -= mode.C[i, j] * x[j]
        for j in range(w):
            C[p, j] = mode.C[i, inputs + j]
        p += 1
    cost = np.empty(w)
    for j in range(w):
        cost[j] = -g[inputs + j]
    status, value = solve_into(ws, cost, A, b, C[:p], e[:p])
    fixed = 0.0
    for j in range(inputs):
        fixed += g[j] * x[j]
    return status, fixed - value


@njit
def contains(T, t, H, h, x):
    for i in range(len(t) + len(h)):
        value = -t[i] if i < len(t) else -h[i - len(t)]
        size = abs(value)
        for j in range(T.shape[1]):
            share = (T[i, j] if i < len(t) else H[i - len(t), j]) * x[j]
            value += share
            size += abs(share)
        if value > FEASIBLE * size or (i >= len(t) and value < -FEASIBLE * size):
            return False
    return True
