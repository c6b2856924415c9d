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
from modecontrol._kernels.jit import njit
from modecontrol._kernels.simplex import INFEASIBLE, OPTIMAL, UNDECIDED, solve_into
from modecontrol._kernels.workspace import make_workspace

FEASIBLE = tolerances.FEASIBLE
PIVOT = tolerances.PIVOT
STRICT = tolerances.STRICT

FOUND, NOTHING, IMPATIENT, VIOLATED, UNSETTLED = 0, 1, 2, 3, 4
"""Statuses: an answer; no piece is left; too many pieces; a task is violated for some `w` and the set of inputs where it is
has to be given; a question that the general method has to decide."""
PIECES, CUTS = 4096, 65_536
"""Pieces and cuts that there is room for."""

_IMPLIED = 1e-7    # an equality that differs by less from a sum of others is implied by them


class Sure(NamedTuple):
    """Mode (its place in the response), inputs with `w` and value; `hoped` likewise when ambiguity is ignored.

    With VIOLATED, `task` is the row that the mode violates for some `w`.
    """

    status: int
    mode: int
    task: int
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


class Avoid(NamedTuple):
    """Inputs `R tau <= r`, rows `start[i] .. start[i + 1]`, at which mode `of[i, 0]` violates task `of[i, 1]` for some `w`."""

    of: np.ndarray
    start: np.ndarray
    R: np.ndarray
    r: np.ndarray


@njit
def _mode(packed, index, unknowns, inputs):
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
    felt = False
    for j in range(inputs, len(g)):
        felt = felt or g[j] != 0.0
    return felt


@njit
def _piece(mode, task, cuts, flat):
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
        g, h = _within(mode, task.P[i], task.p[i])
        if flat and _feels_w(g, inputs):
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
def _hull_holds(C, e, H, h):
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
def _least(ws, mode, x, g):
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
        if not _feels_w(mode.C[i], inputs):    # an equality of the inputs alone holds already
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
def sure_inputs(packed, unknowns, inputs, goal, constant, task, avoid, size, margin, patience):
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
    avoid : Avoid
        Where they do not, as far as earlier calls asked for it.
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
    widest, rows = inputs, 8
    for i in range(modes):
        widest = max(widest, inputs + packed.shape[i, 0])
        rows = max(rows, packed.shape[i, 1] + packed.shape[i, 3])
    ws = make_workspace(4 * rows + len(avoid.r) + len(task.p) + 64, rows + inputs + len(task.p), widest + 1)
    owner, start, bound = np.empty(PIECES, np.int64), np.zeros(PIECES + 1, np.int64), np.empty(PIECES)
    points, pool = np.zeros((PIECES, widest)), np.empty((CUTS, inputs + 1))
    count = 0
    answer = Sure(UNSETTLED, -1, -1, points[PIECES - 1], -np.inf, -1, points[PIECES - 2], -np.inf, 0)
    if modes > PIECES - 2:
        return answer
    for i in range(modes):
        if packed.shape[i, 5] != 0:
            return answer
        status, value = _optimum(ws, _mode(packed, i, unknowns, inputs), task, pool[:0], goal, constant)
        if status == INFEASIBLE:
            continue
        if status != OPTIMAL:
            return answer
        owner[count], bound[count] = i, value
        for j in range(inputs + packed.shape[i, 0]):
            points[count, j] = ws.x[j]
        count += 1
    looked = 0
    hoped, wished, hope = -1, points[PIECES - 2], -np.inf
    while True:
        top = -1
        for i in range(count):
            if bound[i] > -np.inf and (top < 0 or bound[i] > bound[top]):
                top = i
        if looked == 0 and top >= 0:
            hoped, hope = owner[top], bound[top]
            wished = points[top].copy()
        status, mine, row, value, x = UNSETTLED, -1, -1, -np.inf, points[PIECES - 1]
        if top < 0:
            status = NOTHING
        elif looked >= patience:
            status = IMPATIENT
        else:
            looked += 1
            mine, value, x = owner[top], bound[top], points[top]
            bound[top] = -np.inf
            mode = _mode(packed, mine, unknowns, inputs)
            cuts = pool[start[top]:start[top + 1]]
            A, b, C, e = _piece(mode, task, cuts, True)
            if len(cuts) > 0 or _room(ws, A, b, C, e, A[:0], b[:0]) == 1:
                status, row, Q, q = _offender(ws, packed, unknowns, mine, mode, x, A, b, C, e, goal, task, avoid, size, margin)
            if status == NOTHING:
                status = FOUND
            elif status == FOUND:
                count = _cut(ws, mine, mode, task, goal, constant, cuts, Q, q, owner, start, bound, points, pool, count)
                if count >= 0:
                    continue
                status = UNSETTLED
        return Sure(status, mine, row, x, value, hoped, wished, hope, looked)


@njit
def _cut(ws, mine, mode, task, goal, constant, cuts, Q, q, owner, start, bound, points, pool, count):
    """The parts of a piece beyond each row of `Q tau <= q` that cuts through it, within the rows before: the new count.

    -1 when a question stays open or there is no room.
    """
    inputs = mode.U.shape[1]
    within = np.empty((len(cuts) + len(q), inputs + 1))
    kept = len(cuts)
    for i in range(kept):
        for j in range(inputs + 1):
            within[i, j] = cuts[i, j]
    for r in range(len(q)):
        for j in range(inputs):
            within[kept, j] = -Q[r, j]
        within[kept, inputs] = -q[r]
        A, b, C, e = _piece(mode, task, within[:kept + 1], True)
        meets = _room(ws, A, b, C, e, A[:0], b[:0])
        if meets == 0:
            continue
        status, value = _optimum(ws, mode, task, within[:kept + 1], goal, constant)
        if meets < 0 or (status != OPTIMAL and status != INFEASIBLE):
            return -1
        if status == OPTIMAL:
            # pieces without cuts came first, so starts are filled in order
            at = start[count]
            if count + 3 > len(owner) or at + kept + 1 > len(pool):
                return -1
            for i in range(kept + 1):
                for j in range(inputs + 1):
                    pool[at + i, j] = within[i, j]
            owner[count], bound[count], start[count + 1] = mine, value, at + kept + 1
            for j in range(mode.A.shape[1]):
                points[count, j] = ws.x[j]
            count += 1
        for j in range(inputs + 1):
            within[kept, j] = -within[kept, j]
        kept += 1
    return count


@njit
def _optimum(ws, mode, task, cuts, goal, constant):
    """Greatest goal over a piece with the task for some `w`: status and value; the point in `ws.x`."""
    g, h = _within(mode, goal, 0.0)
    A, b, C, e = _piece(mode, task, cuts, False)
    if len(b) > len(ws.y):
        return UNDECIDED, np.nan
    status, value = solve_into(ws, g, A, b, C, e)
    return status, value - h + constant


@njit
def _offender(ws, packed, unknowns, mine, mode, x, A, b, C, e, goal, task, avoid, size, margin):
    """What speaks against the optimum `x` of a piece `A tau <= b`, `C tau = e`.

    NOTHING; or FOUND with the rows of the set of inputs that must be avoided; or VIOLATED with the row of the task whose
    set is not known yet; or UNSETTLED.
    """
    inputs = mode.U.shape[1]
    if mode.W.shape[1] > 0:
        g, h = _within(mode, goal, 0.0)
        if _feels_w(g, inputs):
            here = 0.0
            for j in range(len(g)):
                here += g[j] * x[j]
            status, least = _least(ws, mode, x, g)
            if status != OPTIMAL or least < here - STRICT * size * _largest(g):
                return UNSETTLED, -1, A, b
        for i in range(len(task.p)):
            g, h = _within(mode, task.P[i], task.p[i])
            if not _feels_w(g, inputs):
                continue
            status, least = _least(ws, mode, x, g)
            if task.tied[i] or status == UNDECIDED:
                return UNSETTLED, -1, A, b
            slack = violation_slack(g, h, size)
            if status == INFEASIBLE or least >= h - 2.0 * slack:    # twice, so that the border of the cut passes
                continue
            for k in range(len(avoid.of)):
                if avoid.of[k, 0] == mine and avoid.of[k, 1] == i:
                    R, r = avoid.R[avoid.start[k]:avoid.start[k + 1]], avoid.r[avoid.start[k]:avoid.start[k + 1]]
                    return (FOUND if _room(ws, A, b, C, e, R, r) == 1 else UNSETTLED), -1, R, r
            return VIOLATED, i, A, b
    for other in range(packed.shape.shape[0]):
        if other == mine:
            continue
        rival = _mode(packed, other, unknowns, inputs)
        t = rival.t
        if margin > 0.0:
            t = np.empty(len(rival.t))
            for i in range(len(t)):
                square = 0.0
                for j in range(inputs):
                    square += rival.T[i, j] * rival.T[i, j]
                t[i] = rival.t[i] + margin * np.sqrt(square)
        if not _contains(rival.T, t, rival.H, rival.h, x) or not _hull_holds(C, e, rival.H, rival.h):
            continue
        meets = _room(ws, A, b, C, e, rival.T, t)
        if meets != 0:
            return (FOUND if meets == 1 else UNSETTLED), -1, rival.T, t
    return NOTHING, -1, A, b


@njit
def _largest(g):
    size = 0.0
    for j in range(len(g)):
        size = max(size, abs(g[j]))
    return size


@njit
def violation_slack(g, h, size):
    """How far `g (tau, w) >= h` may be missed and still count as met."""
    return STRICT * max(abs(h), size * _largest(g))


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
