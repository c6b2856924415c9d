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
from modecontrol._kernels.pieces import contains, feels_w, hull_holds, least_over_w, mode_of, piece, room, within
from modecontrol._kernels.simplex import INFEASIBLE, OPTIMAL, UNDECIDED, solve_into
from modecontrol._kernels.workspace import make_workspace

STRICT = tolerances.STRICT

FOUND, NOTHING, IMPATIENT, VIOLATED, UNSETTLED = 0, 1, 2, 3, 4
"""Statuses: an answer; no piece is left; too many pieces; a task is violated for some `w` and the set of inputs where it is
has to be given; a question that the general method has to decide."""
PIECES, CUTS = 4096, 65_536
"""Pieces and cuts that there is room for."""


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


class Avoid(NamedTuple):
    """Inputs `R tau <= r`, rows `start[i] .. start[i + 1]`, at which mode `of[i, 0]` violates task `of[i, 1]` for some `w`."""

    of: np.ndarray
    start: np.ndarray
    R: np.ndarray
    r: np.ndarray


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
        status, value = _optimum(ws, mode_of(packed, i, unknowns, inputs), task, pool[:0], goal, constant)
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
            mode = mode_of(packed, mine, unknowns, inputs)
            cuts = pool[start[top]:start[top + 1]]
            A, b, C, e = piece(mode, task, cuts, True)
            if len(cuts) > 0 or room(ws, A, b, C, e, A[:0], b[:0]) == 1:
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
    fence = np.empty((len(cuts) + len(q), inputs + 1))
    kept = len(cuts)
    for i in range(kept):
        for j in range(inputs + 1):
            fence[i, j] = cuts[i, j]
    for r in range(len(q)):
        for j in range(inputs):
            fence[kept, j] = -Q[r, j]
        fence[kept, inputs] = -q[r]
        A, b, C, e = piece(mode, task, fence[:kept + 1], True)
        meets = room(ws, A, b, C, e, A[:0], b[:0])
        if meets == 0:
            continue
        status, value = _optimum(ws, mode, task, fence[:kept + 1], goal, constant)
        if meets < 0 or (status != OPTIMAL and status != INFEASIBLE):
            return -1
        if status == OPTIMAL:
            # pieces without cuts came first, so starts are filled in order
            at = start[count]
            if count + 3 > len(owner) or at + kept + 1 > len(pool):
                return -1
            for i in range(kept + 1):
                for j in range(inputs + 1):
                    pool[at + i, j] = fence[i, j]
            owner[count], bound[count], start[count + 1] = mine, value, at + kept + 1
            for j in range(mode.A.shape[1]):
                points[count, j] = ws.x[j]
            count += 1
        for j in range(inputs + 1):
            fence[kept, j] = -fence[kept, j]
        kept += 1
    return count


@njit
def _optimum(ws, mode, task, cuts, goal, constant):
    """Greatest goal over a piece with the task for some `w`: status and value; the point in `ws.x`."""
    g, h = within(mode, goal, 0.0)
    A, b, C, e = piece(mode, task, cuts, False)
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
        g, h = within(mode, goal, 0.0)
        if feels_w(g, inputs):
            here = 0.0
            for j in range(len(g)):
                here += g[j] * x[j]
            status, least = least_over_w(ws, mode, x, g)
            if status != OPTIMAL or least < here - STRICT * size * _largest(g):
                return UNSETTLED, -1, A, b
        for i in range(len(task.p)):
            g, h = within(mode, task.P[i], task.p[i])
            if not feels_w(g, inputs):
                continue
            status, least = least_over_w(ws, mode, x, g)
            if task.tied[i] or status == UNDECIDED:
                return UNSETTLED, -1, A, b
            slack = violation_slack(g, h, size)
            if status == INFEASIBLE or least >= h - 2.0 * slack:    # twice, so that the border of the cut passes
                continue
            for k in range(len(avoid.of)):
                if avoid.of[k, 0] == mine and avoid.of[k, 1] == i:
                    R, r = avoid.R[avoid.start[k]:avoid.start[k + 1]], avoid.r[avoid.start[k]:avoid.start[k + 1]]
                    return (FOUND if room(ws, A, b, C, e, R, r) == 1 else UNSETTLED), -1, R, r
            return VIOLATED, i, A, b
    for other in range(packed.shape.shape[0]):
        if other == mine:
            continue
        rival = mode_of(packed, other, unknowns, inputs)
        t = rival.t
        if margin > 0.0:
            t = np.empty(len(rival.t))
            for i in range(len(t)):
                square = 0.0
                for j in range(inputs):
                    square += rival.T[i, j] * rival.T[i, j]
                t[i] = rival.t[i] + margin * np.sqrt(square)
        if not contains(rival.T, t, rival.H, rival.h, x) or not hull_holds(C, e, rival.H, rival.h):
            continue
        meets = room(ws, A, b, C, e, rival.T, t)
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
