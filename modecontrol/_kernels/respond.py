"""All modes at once: affine responses, minimal domains `D_c` and torque sets `T_c` (section 3.5 of Greenfield 2005)."""

from typing import NamedTuple

import numpy as np

from modecontrol._kernels.affine import affine, split
from modecontrol._kernels.elimination import project
from modecontrol._kernels.jit import njit
from modecontrol._kernels.redundancy import EQUAL, FACET, minimal_loaded
from modecontrol._kernels.simplex import INFEASIBLE, OPTIMAL, UNDECIDED
from modecontrol._kernels.table import clean
from modecontrol._kernels.workspace import STATE, load, make_workspace

DEPENDENT = 1e-7    # what is left of an equality after others are taken out of it, below this, is rounding
SURELY = 1e-6       # a pivot above this shows beyond doubt that rows are independent
FIXED, LEFT, RIGHT, SEPARATE = 0, 1, 2, 3

NORMAL_FORCE, FRICTION_POSITIVE, FRICTION_NEGATIVE, SEPARATES, SLIDES = 0, 1, 2, 3, 4
CAUSES = 5
"""Codes per contact: cause of a row is `CAUSES * contact + kind`; physical rows follow after all contacts."""


class Responses(NamedTuple):
    """All modes, ragged arrays laid end to end; `modes.unpacking` cuts them apart.

    `shape` (N, 7): w, domain rows, domain equalities, torque rows, torque equalities, status, admissible torque
    directions. `numbers` holds per mode: constant, U, W, domain A, b, C, e, torque A, b, C, e; `causes` the cause of
    each domain row; `ancestry` a boolean matrix (torque rows + equalities) x (domain rows + equalities).
    """

    shape: np.ndarray
    numbers: np.ndarray
    number_start: np.ndarray
    causes: np.ndarray
    cause_start: np.ndarray
    ancestry: np.ndarray
    ancestry_start: np.ndarray


@njit
def inequalities(T, layout, letters, mu, free, slip, equality):
    """Rows of the table, as `value >= 0`, that the mode demands: coefficients and causes."""
    k = len(letters)
    physical = layout.task - layout.physical
    rows = np.empty((3 * k + physical, T.shape[1]))
    causes = np.empty(3 * k + physical, np.int64)
    m = 0
    for i in range(k):
        normal, tangent = T[layout.force + 2 * i], T[layout.force + 2 * i + 1]
        if letters[i] == SEPARATE:
            if not free[i]:
                rows[m] = T[layout.xdd + 2 * i]
                causes[m] = CAUSES * i + SEPARATES
                m += 1
            continue
        if letters[i] == FIXED and mu[i] > 0.0:
            rows[m] = mu[i] * normal - tangent
            rows[m + 1] = mu[i] * normal + tangent
            causes[m] = CAUSES * i + FRICTION_POSITIVE
            causes[m + 1] = CAUSES * i + FRICTION_NEGATIVE
            m += 2
            continue
        rows[m] = normal
        causes[m] = CAUSES * i + NORMAL_FORCE
        m += 1
        if letters[i] == FIXED:
            rows[m] = -tangent
            rows[m + 1] = tangent
            causes[m] = CAUSES * i + FRICTION_POSITIVE
            causes[m + 1] = CAUSES * i + FRICTION_NEGATIVE
            m += 2
        elif slip[i] == 0:
            way = 1.0 if letters[i] == RIGHT else -1.0
            rows[m] = way * T[layout.xdd + 2 * i + 1]
            causes[m] = CAUSES * i + SLIDES
            m += 1
    for i in range(physical):
        if not equality[i]:
            rows[m] = T[layout.physical + i]
            causes[m] = CAUSES * k + i
            m += 1
    return rows[:m], causes[:m]


@njit
def domain(rows, layout, freedom, w, pivots, inputs):
    """`A (tau, w) <= b` of a split table, in scaled units; columns are all inputs, then w."""
    N = rows.shape[1] - 1
    A = np.zeros((rows.shape[0], inputs + w))
    b = np.empty(rows.shape[0])
    for r in range(rows.shape[0]):
        for i in range(w):
            A[r, inputs + i] = clean(-rows[r, i])
        for s in range(freedom - w):
            A[r, pivots[s]] = clean(-rows[r, freedom - 1 - s])
        b[r] = clean(rows[r, N])
    return A, b


@njit
def restriction(response, tau_units, w):
    """The equalities `C tau = e` of a response in scaled units, with columns for w."""
    p, inputs = response.C.shape
    C = np.zeros((p, inputs + w))
    e = np.empty(p)
    for r in range(p):
        biggest = 0.0
        for j in range(inputs):
            C[r, j] = response.C[r, j] * tau_units[j]
            biggest = max(biggest, abs(C[r, j]))
        for j in range(inputs):
            C[r, j] /= biggest
        e[r] = response.e[r] / biggest
    return C, e


@njit
def independent(C, A, rows):
    """Those of the hidden equalities `rows` of `A` that `C` and the ones before them do not imply (`C` is independent)."""
    p, d = C.shape
    W = np.empty((p + len(rows), d))
    W[:p] = C
    for i in range(len(rows)):
        W[p + i] = A[rows[i]]
    kept = np.zeros(len(rows), np.bool_)
    for i in range(W.shape[0]):
        before = np.abs(W[i]).max() if d > 0 else 0.0
        # every row above has been cleared of the columns that the rows before it own
        column, size = -1, DEPENDENT * before
        for j in range(d):
            if abs(W[i, j]) > size and before > 0.0:
                column, size = j, abs(W[i, j])
        if column < 0:
            continue
        if i >= p:
            kept[i - p] = True
        for r in range(i + 1, W.shape[0]):
            factor = W[r, column] / W[i, column]
            if factor != 0.0:
                largest = np.abs(W[r]).max()
                for j in range(d):
                    W[r, j] -= factor * W[i, j]
                    if abs(W[r, j]) <= DEPENDENT * largest:
                        W[r, j] = 0.0
    return rows[kept]


@njit
def feels_w(A, kept, C, hidden, inputs):
    """Which rows (kept inequalities, then equalities) feel w, and whether their w-parts are linearly independent.

    If they are, any inputs can be completed by some w: the projection is the rest of the rows, as minimal as before.
    """
    m, p = len(kept), C.shape[0] + len(hidden)
    w = A.shape[1] - inputs
    felt = np.zeros(m + p, np.bool_)
    W = np.empty((m + p, w))
    count = 0
    for r in range(m + p):
        for i in range(w):
            if r < m:
                W[count, i] = A[kept[r], inputs + i]
            elif r < m + C.shape[0]:
                W[count, i] = C[r - m, inputs + i]
            else:
                W[count, i] = A[hidden[r - m - C.shape[0]], inputs + i]
            if W[count, i] != 0.0:
                felt[r] = True
        if felt[r]:
            count += 1
    if count > w:
        return felt, False
    for i in range(count):
        best, row, column = SURELY, -1, -1
        for r in range(i, count):
            for j in range(i, w):
                if abs(W[r, j]) > best:
                    best, row, column = abs(W[r, j]), r, j
        if row < 0:
            return felt, False
        for j in range(w):
            W[i, j], W[row, j] = W[row, j], W[i, j]
        for r in range(count):
            W[r, i], W[r, column] = W[r, column], W[r, i]
        for r in range(i + 1, count):
            factor = W[r, i] / W[i, i]
            for j in range(i, w):
                W[r, j] -= factor * W[i, j]
    return felt, True


@njit
def respond(leaves, layout, units, size, mu, free, slip, equality, inputs):
    """Responses, minimal domains and torque sets of all leaves in one go."""
    modes = leaves.letters.shape[0]
    unknowns = layout.tau
    shape = np.zeros((modes, 7), np.int64)
    number_start = np.zeros(modes + 1, np.int64)
    cause_start = np.zeros(modes + 1, np.int64)
    ancestry_start = np.zeros(modes + 1, np.int64)
    numbers = np.empty(max(256, modes * (unknowns * (inputs + 2) + 100)))
    causes = np.empty(max(64, modes * 20), np.int64)
    ancestry = np.empty(max(64, modes * 200), np.bool_)
    tau_units = units[layout.tau:layout.tau + inputs] * size
    widest = 0
    for index in range(modes):
        widest = max(widest, leaves.freedom[index])
    ws = make_workspace(3 * leaves.letters.shape[1] + layout.task - layout.physical, inputs, inputs + widest)

    for index in range(modes):
        freedom = leaves.freedom[index]
        T = leaves.tables[leaves.start[index]:leaves.start[index + 1]].copy().reshape(layout.rows, freedom + 1)
        w, pivots = split(T, layout, freedom, inputs)
        response = affine(T, layout, freedom, w, pivots, units, size, inputs)
        rows, cause = inequalities(T, layout, leaves.letters[index], mu, free, slip, equality)
        A, b = domain(rows, layout, freedom, w, pivots, inputs)
        C, e = restriction(response, tau_units, w)

        load(ws, A, b, C, e)
        status = minimal_loaded(ws)
        if status == OPTIMAL:
            kept = np.flatnonzero(ws.labels[STATE, :len(b)] == FACET)
            hidden = np.flatnonzero(ws.labels[STATE, :len(b)] == EQUAL)
            if len(hidden) > 0:
                hidden = independent(C, A, hidden)
        else:
            # an empty or doubtful set keeps all its rows; the caller asks for a second opinion
            status = UNDECIDED if status == UNDECIDED else INFEASIBLE
            kept, hidden = np.arange(len(b)), np.arange(0)
        m, p = len(kept), len(e) + len(hidden)
        felt, free_of_w = feels_w(A, kept, C, hidden, inputs)
        plain = status != OPTIMAL or free_of_w
        if plain:
            torque_rows, torque_equalities = m - felt[:m].sum(), p - felt[m:].sum()
            torque_A, torque_b = A[:0], b[:0]
            torque_C, torque_e = A[:0], b[:0]
            ancestors = np.zeros((torque_rows + torque_equalities, m + p), np.bool_)
            at = 0
            for r in range(m + p):
                if not felt[r]:
                    ancestors[at, r] = True
                    at += 1
        else:
            keep = np.zeros(inputs + w, np.bool_)
            keep[:inputs] = True
            shadow = project(A[kept], b[kept], np.concatenate((C, A[hidden])), np.concatenate((e, b[hidden])), keep)
            torque_A, torque_b, torque_C, torque_e = shadow.A, shadow.b, shadow.C, shadow.e
            torque_rows, torque_equalities = len(torque_b), len(torque_e)
            ancestors = shadow.ancestors
            status = shadow.status

        shape[index] = np.array((w, m, p, torque_rows, torque_equalities, status, freedom - w))
        total = unknowns * (1 + inputs + w) + (m + p) * (inputs + w + 1) + (torque_rows + torque_equalities) * (inputs + 1)
        while number_start[index] + total > len(numbers):
            numbers = np.concatenate((numbers, np.empty_like(numbers)))
        at = number_start[index]
        numbers[at:at + unknowns] = response.constant
        at += unknowns
        numbers[at:at + unknowns * inputs] = response.U.ravel()
        at += unknowns * inputs
        numbers[at:at + unknowns * w] = response.W.ravel()
        at += unknowns * w
        at = _write(numbers, at, A, b, kept, C[:0], e[:0], inputs + w, tau_units, size)
        at = _write(numbers, at, A, b, hidden, C, e, inputs + w, tau_units, size)
        if plain:
            at = _write(numbers, at, A, b, kept[~felt[:m]], C[:0], e[:0], inputs, tau_units, size)
            at = _write(numbers, at, A, b, hidden[~felt[m + len(e):]], C, e, inputs, tau_units, size)
        else:
            none = hidden[:0]
            at = _write(numbers, at, A, b, none, torque_A, torque_b, inputs, tau_units, size)
            at = _write(numbers, at, A, b, none, torque_C, torque_e, inputs, tau_units, size)
        number_start[index + 1] = at
        count = m + len(hidden)
        while cause_start[index] + count > len(causes):
            causes = np.concatenate((causes, np.empty_like(causes)))
        at = cause_start[index]
        causes[at:at + m] = cause[kept]
        causes[at + m:at + count] = cause[hidden]
        cause_start[index + 1] = at + count
        while ancestry_start[index] + ancestors.size > len(ancestry):
            ancestry = np.concatenate((ancestry, np.empty_like(ancestry)))
        ancestry[ancestry_start[index]:ancestry_start[index] + ancestors.size] = ancestors.ravel()
        ancestry_start[index + 1] = ancestry_start[index] + ancestors.size
    return Responses(shape, numbers[:number_start[modes]], number_start, causes[:cause_start[modes]], cause_start,
                     ancestry[:ancestry_start[modes]], ancestry_start)


@njit
def _write(numbers, at, A, b, rows, C, e, columns, tau_units, size):
    """Lay out first `C`, `e` whole, then some rows of `A`, `b`, for true torques and true w: coefficients, then bounds.

    The largest coefficient of a torque (or else of w) becomes one.
    """
    inputs = len(tau_units)
    count = len(e) + len(rows)
    bounds = at + count * columns
    for r in range(count):
        on_tau, on_w = 0.0, 0.0
        for j in range(columns):
            value = C[r, j] if r < len(e) else A[rows[r - len(e)], j]
            value /= tau_units[j] if j < inputs else size
            numbers[at + r * columns + j] = value
            if j < inputs:
                on_tau = max(on_tau, abs(value))
            else:
                on_w = max(on_w, abs(value))
        biggest = on_tau if on_tau > 0.0 else on_w
        if biggest == 0.0:
            biggest = 1.0
        for j in range(columns):
            numbers[at + r * columns + j] /= biggest
        numbers[bounds + r] = (e[r] if r < len(e) else b[rows[r - len(e)]]) / biggest
    return bounds + count
