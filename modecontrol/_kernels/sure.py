"""The best inputs that surely work, over the modes of a complete response: best-first search over pieces.

A piece is a mode with cuts on the inputs. Its bound is one linear program over `(tau, w)` with the task for some `w`. The
best piece is looked at: where its optimum violates the task for another `w`, or where another mode explains it as well,
the piece is cut along the offending set and the parts go back; otherwise the optimum is the answer. Mode c' counts
against a piece only if the affine hull of `T_c'` holds the piece and their relative interiors meet: neighbours that share
a boundary give the same answer there.
"""

from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.elimination import project
from modecontrol._kernels.jit import njit
from modecontrol._kernels.simplex import INFEASIBLE, OPTIMAL, UNDECIDED, solve_into
from modecontrol._kernels.sparsity import sparsify
from modecontrol._kernels.workspace import make_workspace

FEASIBLE = tolerances.FEASIBLE
PIVOT = tolerances.PIVOT
STRICT = tolerances.STRICT

FOUND, NOTHING, IMPATIENT, UNSETTLED = 0, 1, 2, 3
"""Statuses: an answer; no piece is left; too many pieces; a question that the general method has to decide."""

_IMPLIED = 1e-7    # an equality that differs by less from a sum of others is implied by them


class Sure(NamedTuple):
    """Mode (its place in the response), inputs with `w` and value; `hoped` likewise when ambiguity is ignored."""

    status: int
    mode: int
    x: np.ndarray
    value: float
    hoped: int
    hoped_x: np.ndarray
    hoped_value: float
    looked: int


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
def _mode(packed, index, unknowns, inputs):
    """Views of one mode in the packed response."""
    shape = packed.shape[index]
    w, m, p, torque_rows, torque_equalities = shape[0], shape[1], shape[2], shape[3], shape[4]
    numbers = packed.numbers
    at = packed.number_start[index]
    width = inputs + w
    ends = np.cumsum(np.array((at, unknowns, unknowns * inputs, unknowns * w, m * width, m, p * width, p,
                               torque_rows * inputs, torque_rows, torque_equalities * inputs, torque_equalities)))
    return Mode(
        numbers[ends[0]:ends[1]], numbers[ends[1]:ends[2]].reshape(unknowns, inputs),
        numbers[ends[2]:ends[3]].reshape(unknowns, w), numbers[ends[3]:ends[4]].reshape(m, width), numbers[ends[4]:ends[5]],
        numbers[ends[5]:ends[6]].reshape(p, width), numbers[ends[6]:ends[7]],
        numbers[ends[7]:ends[8]].reshape(torque_rows, inputs), numbers[ends[8]:ends[9]],
        numbers[ends[9]:ends[10]].reshape(torque_equalities, inputs), numbers[ends[10]:ends[11]])


@njit
def _within(mode, row, level):
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
def _feels_w(g, inputs):
    return np.any(g[inputs:] != 0.0)


@njit
def _lifted(mode, task, cuts):
    """The piece in `(tau, w)`, with the task for some `w`."""
    inputs, width = mode.U.shape[1], mode.A.shape[1]
    m, p, extra = len(mode.b), len(mode.e), len(task.p)
    A, b = np.zeros((m + extra + len(cuts), width)), np.empty(m + extra + len(cuts))
    C, e = np.empty((p + extra, width)), np.empty(p + extra)
    A[:m], b[:m], C[:p], e[:p] = mode.A, mode.b, mode.C, mode.e
    for i in range(extra):
        g, h = _within(mode, task.P[i], task.p[i])
        if task.tied[i]:
            C[p], e[p] = g, h
            p += 1
        else:
            A[m], b[m] = -g, -h
            m += 1
    for i in range(len(cuts)):
        A[m, :inputs], b[m] = cuts[i, :inputs], cuts[i, inputs]
        m += 1
    return A[:m], b[:m], C[:p], e[:p]


@njit
def _shadow(mode, task, cuts):
    """The piece in the inputs alone: rows of `T_c`, those of the task that do not feel `w`, and the cuts."""
    inputs = mode.U.shape[1]
    m, p, extra = len(mode.t), len(mode.h), len(task.p)
    A, b = np.empty((m + extra + len(cuts), inputs)), np.empty(m + extra + len(cuts))
    C, e = np.empty((p + extra, inputs)), np.empty(p + extra)
    A[:m], b[:m], C[:p], e[:p] = mode.T, mode.t, mode.H, mode.h
    for i in range(extra):
        g, h = _within(mode, task.P[i], task.p[i])
        if _feels_w(g, inputs):
            continue
        if task.tied[i]:
            C[p], e[p] = g[:inputs], h
            p += 1
        else:
            A[m], b[m] = -g[:inputs], -h
            m += 1
    for i in range(len(cuts)):
        A[m], b[m] = cuts[i, :inputs], cuts[i, inputs]
        m += 1
    return A[:m], b[:m], C[:p], e[:p]


@njit
def _room(ws, A, b, C, e, T, t):
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
    tied[:, :d] = C
    objective = np.zeros(d + 1)
    objective[d] = 1.0
    status, value = solve_into(ws, objective, R, bound, tied, e)
    if status == UNDECIDED:
        return -1
    return 1 if status == OPTIMAL and value > STRICT * largest else 0


@njit
def _hull_holds(C, e, H, h):
    """Whether every solution of `C x = e` satisfies `H x = h`."""
    if len(h) == 0:
        return True
    d = C.shape[1]
    B, right = np.empty((len(e), d)), np.empty(len(e))
    count = 0
    for i in range(len(e) + len(h)):
        mine = i < len(e)
        row = (C[i] if mine else H[i - len(e)]).copy()
        level = e[i] if mine else h[i - len(e)]
        size = np.sqrt(np.sum(row * row))
        if size == 0.0:
            continue
        row /= size
        level /= size
        scale = max(1.0, abs(level))
        for _ in range(2):
            for k in range(count):
                along = 0.0
                for j in range(d):
                    along += row[j] * B[k, j]
                row -= along * B[k]
                level -= along * right[k]
        left = np.sqrt(np.sum(row * row))
        if mine:
            if left > _IMPLIED:
                B[count], right[count] = row / left, level / left
                count += 1
        elif left > _IMPLIED or abs(level) > _IMPLIED * scale:
            return False
    return True


@njit
def _least(ws, mode, x, g):
    """Least `g (tau, w)` over the `w` that the mode allows at the inputs of `x`; the status of the program."""
    inputs, w = mode.U.shape[1], mode.W.shape[1]
    fixed = 0.0
    for j in range(inputs):
        fixed += g[j] * x[j]
    b, e = np.empty(len(mode.b)), np.empty(len(mode.e))
    for i in range(len(b)):
        size = abs(mode.b[i])
        b[i] = mode.b[i]
        for j in range(inputs):
            b[i] -= mode.A[i, j] * x[j]
            size += abs(mode.A[i, j] * x[j])
        b[i] += FEASIBLE * size
    for i in range(len(e)):
        e[i] = mode.e[i]
        for j in range(inputs):
            e[i] -= mode.C[i, j] * x[j]
    felt = np.zeros(len(e), np.bool_)    # equalities of the inputs alone hold already
    for i in range(len(e)):
        felt[i] = np.any(mode.C[i, inputs:] != 0.0)
    status, value = solve_into(ws, -g[inputs:], mode.A[:, inputs:].copy(), b, mode.C[felt, inputs:].copy(), e[felt])
    return status, fixed - value if w > 0 else fixed


@njit
def _violation(mode, g, h):
    """Inputs of a mode at which `g (tau, w) <= h` for some `w`: a kernel `Projection`."""
    inputs, width = mode.U.shape[1], mode.A.shape[1]
    m, p = len(mode.b), len(mode.e)
    X, level = np.empty((m + 1 + p, width)), np.empty(m + 1)
    X[:m], X[m], X[m + 1:] = mode.A, g, mode.C
    level[:m], level[m] = mode.b, h
    sparsify(X, inputs)
    keep = np.zeros(width, np.bool_)
    keep[:inputs] = True
    return project(X[:m + 1].copy(), level, X[m + 1:].copy(), mode.e, keep)


@njit
def sure_inputs(packed, unknowns, inputs, goal, constant, task, size, margin, patience):
    """Greatest `goal (qdd, f, tau) + constant` over the inputs that produce their mode and no other.

    Parameters
    ----------
    packed : Responses
        All modes of the instant.
    unknowns, inputs : int
        Numbers of `(qdd, f, lam)` and of inputs.
    goal, constant : array and float
        The objective.
    task : Task
        Rows that must hold whatever `w` is.
    size : float
        Natural size of the right-hand sides.
    margin : float
        Distance by which other modes have to be violated.
    patience : int
        Pieces to look at before giving up.

    Returns
    -------
    Sure
    """
    modes = packed.shape.shape[0]
    widest = inputs
    rows = 8
    for i in range(modes):
        widest = max(widest, inputs + packed.shape[i, 0])
        rows = max(rows, packed.shape[i, 1] + packed.shape[i, 3])
    ws = make_workspace(4 * rows + len(task.p) + 64, rows + inputs + len(task.p), widest + 1)

    owner, start = np.empty(modes + 1, np.int64), np.zeros(modes + 2, np.int64)
    bound, points = np.full(modes + 1, -np.inf), np.zeros((modes + 1, widest))
    pool = np.empty((64, inputs + 1))
    nothing = np.empty((0, inputs + 1))
    count = 0
    nowhere = np.zeros(widest)
    for i in range(modes):
        if packed.shape[i, 5] != 0:
            return Sure(UNSETTLED, -1, nowhere, -np.inf, -1, nowhere, -np.inf, 0)
        status, value = _optimum(ws, _mode(packed, i, unknowns, inputs), task, nothing, goal, constant)
        if status == INFEASIBLE:
            continue
        if status != OPTIMAL:
            return Sure(UNSETTLED, -1, nowhere, -np.inf, -1, nowhere, -np.inf, 0)
        owner[count], bound[count] = i, value
        width = inputs + packed.shape[i, 0]
        points[count, :width] = ws.x[:width]
        count += 1
    if count == 0:
        return Sure(NOTHING, -1, nowhere, -np.inf, -1, nowhere, -np.inf, 0)
    top = np.argmax(bound[:count])
    hoped, hoped_value, hoped_x = owner[top], bound[top], points[top].copy()

    looked = 0
    while True:
        top = np.argmax(bound[:count])
        value = bound[top]
        if value == -np.inf:
            return Sure(NOTHING, -1, nowhere, -np.inf, hoped, hoped_x, hoped_value, looked)
        looked += 1
        if looked > patience:
            return Sure(IMPATIENT, -1, nowhere, -np.inf, hoped, hoped_x, hoped_value, looked)
        bound[top] = -np.inf
        mine = owner[top]
        mode = _mode(packed, mine, unknowns, inputs)
        x = points[top]
        cuts = pool[start[top]:start[top + 1]].copy()
        A, b, C, e = _shadow(mode, task, cuts)
        verdict, Q, q = _offender(ws, packed, unknowns, mine, mode, x, value, A, b, C, e, goal, task, size, margin)
        if verdict == UNSETTLED or (len(cuts) == 0 and _room(ws, A, b, C, e, A[:0], b[:0]) != 1):
            return Sure(UNSETTLED, -1, nowhere, -np.inf, hoped, hoped_x, hoped_value, looked)
        if verdict == NOTHING:
            return Sure(FOUND, mine, x[:inputs + packed.shape[mine, 0]].copy(), value, hoped, hoped_x, hoped_value, looked)
        # the part beyond each row of the offending set that cuts through the piece, within the rows before
        within = np.empty((len(cuts) + len(q), inputs + 1))
        within[:len(cuts)] = cuts
        kept = len(cuts)
        for r in range(len(q)):
            within[kept, :inputs], within[kept, inputs] = -Q[r], -q[r]
            A, b, C, e = _shadow(mode, task, within[:kept + 1])
            open_ = _room(ws, A, b, C, e, A[:0], b[:0])
            if open_ < 0:
                return Sure(UNSETTLED, -1, nowhere, -np.inf, hoped, hoped_x, hoped_value, looked)
            if open_ == 0:
                continue
            status, value = _optimum(ws, mode, task, within[:kept + 1], goal, constant)
            if status == OPTIMAL:
                if count == len(owner):
                    owner, bound = np.concatenate((owner, owner)), np.concatenate((bound, bound))
                    points = np.concatenate((points, points))
                    start = np.concatenate((start, start))
                # pieces without cuts came first, so starts are filled in order
                at = start[count]
                while at + kept + 1 > len(pool):
                    pool = np.concatenate((pool, pool))
                pool[at:at + kept + 1] = within[:kept + 1]
                owner[count], bound[count], start[count + 1] = mine, value, at + kept + 1
                points[count, :mode.A.shape[1]] = ws.x[:mode.A.shape[1]]
                count += 1
            elif status != INFEASIBLE:
                return Sure(UNSETTLED, -1, nowhere, -np.inf, hoped, hoped_x, hoped_value, looked)
            within[kept] = -within[kept]
            kept += 1


@njit
def _optimum(ws, mode, task, cuts, goal, constant):
    """Greatest goal over a piece with the task for some `w`: status and value; the point in `ws.x`."""
    g, h = _within(mode, goal, 0.0)
    A, b, C, e = _lifted(mode, task, cuts)
    if len(b) > len(ws.y):
        return UNDECIDED, np.nan
    status, value = solve_into(ws, g, A, b, C, e)
    return status, value - h + constant


@njit
def _offender(ws, packed, unknowns, mine, mode, x, value, A, b, C, e, goal, task, size, margin):
    """What speaks against the optimum `x` of a piece `A tau <= b`, `C tau = e`.

    Returns NOTHING, or FOUND with the rows of the set of inputs that must be avoided, or UNSETTLED.
    """
    inputs = mode.U.shape[1]
    none = np.empty((0, inputs)), np.empty(0)
    if mode.W.shape[1] > 0:
        g, h = _within(mode, goal, 0.0)
        if _feels_w(g, inputs):
            here = 0.0
            for j in range(len(g)):
                here += g[j] * x[j]
            status, least = _least(ws, mode, x, g)
            if status != OPTIMAL or least < here - STRICT * size * np.abs(g).max():
                return UNSETTLED, none[0], none[1]
        for i in range(len(task.p)):
            g, h = _within(mode, task.P[i], task.p[i])
            if not _feels_w(g, inputs):
                continue
            slack = STRICT * max(abs(h), size * np.abs(g).max())
            status, least = _least(ws, mode, x, g)
            if task.tied[i] or status == UNDECIDED:
                return UNSETTLED, none[0], none[1]
            if status != INFEASIBLE and least < h - 2.0 * slack:    # twice, so that the border of the cut passes
                wrong = _violation(mode, g, h - slack)
                if wrong.status != OPTIMAL:
                    return UNSETTLED, none[0], none[1]
                meets = _room(ws, A, b, C, e, wrong.A, wrong.b) if _hull_holds(C, e, wrong.C, wrong.e) else 0
                if meets != 1:
                    return UNSETTLED, none[0], none[1]
                return FOUND, wrong.A, wrong.b
    for other in range(packed.shape.shape[0]):
        if other == mine:
            continue
        rival = _mode(packed, other, unknowns, inputs)
        t = rival.t
        if margin > 0.0:
            t = rival.t.copy()
            for i in range(len(t)):
                t[i] += margin * np.sqrt(np.sum(rival.T[i] * rival.T[i]))
        if not _contains(rival.T, t, rival.H, rival.h, x) or not _hull_holds(C, e, rival.H, rival.h):
            continue
        meets = _room(ws, A, b, C, e, rival.T, t)
        if meets < 0:
            return UNSETTLED, none[0], none[1]
        if meets == 1:
            return FOUND, rival.T, t
    return NOTHING, none[0], none[1]


@njit
def _contains(T, t, H, h, x):
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
