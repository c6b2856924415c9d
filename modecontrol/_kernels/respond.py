"""All modes at once: affine responses, minimal domains `D_c` and torque sets `T_c` (section 3.5 of Greenfield 2005)."""

from typing import NamedTuple

import numpy as np

from modecontrol._kernels.affine import affine, split
from modecontrol._kernels.elimination import project
from modecontrol._kernels.jit import njit
from modecontrol._kernels.redundancy import minimal
from modecontrol._kernels.simplex import INFEASIBLE, OPTIMAL, UNDECIDED
from modecontrol._kernels.table import clean

FIXED, LEFT, RIGHT, SEPARATE = 0, 1, 2, 3

NORMAL_FORCE, FRICTION_POSITIVE, FRICTION_NEGATIVE, SEPARATES, SLIDES = 0, 1, 2, 3, 4
CAUSES = 5
"""Codes per contact: cause of a row is `CAUSES * contact + kind`; physical rows follow after all contacts."""


class Responses(NamedTuple):
    """All modes, ragged arrays laid end to end; `Slices` of Python level cut them apart.

    `shape` (N, 7): w, domain rows, domain equalities, torque rows, torque equalities, status, admissible torque
    directions. `numbers` holds per mode: constant, U, W, domain A, b, C, e, torque A, b, C, e; `causes` the cause of each
    domain row; `ancestry` a boolean matrix (torque rows + equalities) x (domain rows + equalities).
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

    for index in range(modes):
        freedom = leaves.freedom[index]
        T = leaves.tables[leaves.start[index]:leaves.start[index + 1]].copy().reshape(layout.rows, freedom + 1)
        w, pivots = split(T, layout, freedom, inputs)
        response = affine(T, layout, freedom, w, pivots, units, size, inputs)
        rows, cause = inequalities(T, layout, leaves.letters[index], mu, free, slip, equality)
        A, b = domain(rows, layout, freedom, w, pivots, inputs)
        C = np.zeros((inputs - (freedom - w), inputs + w))
        e = np.empty(C.shape[0])
        for r in range(C.shape[0]):
            biggest = 0.0
            for j in range(inputs):
                C[r, j] = response.C[r, j] * tau_units[j]
                biggest = max(biggest, abs(C[r, j]))
            C[r] /= biggest
            e[r] = response.e[r] / biggest

        status = OPTIMAL
        reduced = minimal(A, b, C, e)
        if reduced.status == OPTIMAL:
            kept = np.flatnonzero(reduced.keep)
            hidden = np.flatnonzero(reduced.implicit)
            domain_A, domain_b = A[kept], b[kept]
            domain_C = np.concatenate((C, A[hidden]))
            domain_e = np.concatenate((e, b[hidden]))
            domain_cause = np.concatenate((cause[kept], cause[hidden]))
        else:
            # an empty or doubtful set keeps all its rows; the caller asks for a second opinion
            status = UNDECIDED if reduced.status == UNDECIDED else INFEASIBLE
            domain_A, domain_b, domain_C, domain_e, domain_cause = A, b, C, e, cause
        m, p = domain_A.shape[0], domain_C.shape[0]
        keep = np.zeros(inputs + w, np.bool_)
        keep[:inputs] = True
        if w > 0 and status == OPTIMAL:
            shadow = project(domain_A, domain_b, domain_C, domain_e, keep)
            torque_A, torque_b, torque_C, torque_e = shadow.A, shadow.b, shadow.C, shadow.e
            ancestors = shadow.ancestors
            if shadow.status != OPTIMAL:
                status = shadow.status
        else:
            torque_A, torque_b = domain_A[:, :inputs].copy(), domain_b
            torque_C, torque_e = domain_C[:, :inputs].copy(), domain_e
            ancestors = np.eye(m + p) > 0.5

        shape[index] = np.array((w, m, p, torque_A.shape[0], torque_C.shape[0], status, freedom - w))
        parts = (response.constant, response.U.ravel(), response.W.ravel(),
                 *_unscale(domain_A, domain_b, tau_units, size), *_unscale(domain_C, domain_e, tau_units, size),
                 *_unscale(torque_A, torque_b, tau_units, size), *_unscale(torque_C, torque_e, tau_units, size))
        total = 0
        for part in parts:
            total += len(part)
        while number_start[index] + total > len(numbers):
            numbers = np.concatenate((numbers, np.empty_like(numbers)))
        at = number_start[index]
        for part in parts:
            numbers[at:at + len(part)] = part
            at += len(part)
        number_start[index + 1] = at
        while cause_start[index] + len(domain_cause) > len(causes):
            causes = np.concatenate((causes, np.empty_like(causes)))
        causes[cause_start[index]:cause_start[index] + len(domain_cause)] = domain_cause
        cause_start[index + 1] = cause_start[index] + len(domain_cause)
        while ancestry_start[index] + ancestors.size > len(ancestry):
            ancestry = np.concatenate((ancestry, np.empty_like(ancestry)))
        ancestry[ancestry_start[index]:ancestry_start[index] + ancestors.size] = ancestors.ravel()
        ancestry_start[index + 1] = ancestry_start[index] + ancestors.size
    return Responses(shape, numbers[:number_start[modes]], number_start, causes[:cause_start[modes]], cause_start,
                     ancestry[:ancestry_start[modes]], ancestry_start)


@njit
def _unscale(A, b, tau_units, size):
    """Rows for true torques and true w, laid flat; the largest coefficient of a torque (or else of w) becomes one."""
    out = A.copy()
    bound = b.copy()
    inputs = len(tau_units)
    for r in range(A.shape[0]):
        on_tau, on_w = 0.0, 0.0
        for j in range(A.shape[1]):
            out[r, j] /= tau_units[j] if j < inputs else size
            if j < inputs:
                on_tau = max(on_tau, abs(out[r, j]))
            else:
                on_w = max(on_w, abs(out[r, j]))
        biggest = on_tau if on_tau > 0.0 else on_w
        if biggest > 0.0:
            out[r] /= biggest
            bound[r] /= biggest
    return out.ravel(), bound
