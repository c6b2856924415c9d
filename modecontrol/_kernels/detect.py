"""Contact detection: which contacts are near, and when the first of the open ones closes.

Broad phase by *budgets*: `budget[c]` is a lower bound of the gap of contact `c`. Each motion lowers it by how
far any contact point can have travelled; a gap is computed only when its budget is used up, and then becomes
the new budget. Pairs that are far apart cost one subtraction per step.
"""

import math

from modecontrol import tolerances
from modecontrol._kernels.contacts import DISCS, KIND, contact_frame
from modecontrol._kernels.jit import njit
from modecontrol._kernels.tree import THETA, VX, VY, OMEGA, X, Y, place

TOUCH = tolerances.TOUCH


@njit
def travelled(before, after, reach):
    """Most that a point within `reach` of the origin of any node has moved between two poses."""
    most = 0.0
    for i in range(before.shape[0]):
        dx, dy = after[i, X] - before[i, X], after[i, Y] - before[i, Y]
        most = max(most, math.sqrt(dx * dx + dy * dy) + abs(after[i, THETA] - before[i, THETA]) * reach)
    return most


@njit
def refresh(scene, bench, pose, distance, within):
    """Lower the budgets by `distance`; recompute gaps whose budget is at most `within`."""
    for c in range(bench.gap.shape[0]):
        budget = bench.budget[c] - (2.0 * distance if scene.contacts_i[c, KIND] == DISCS else distance)
        if budget <= within:
            budget = contact_frame(c, scene.contacts_i, scene.contacts_f, scene.nodes_i, pose, bench.frame)
        bench.gap[c] = budget
        bench.budget[c] = budget


@njit
def fastest(bench, reach):
    """Upper bound of the speed of every contact point at the present velocity."""
    most = 0.0
    for i in range(bench.motion.shape[0]):
        vx, vy = bench.motion[i, VX], bench.motion[i, VY]
        most = max(most, math.sqrt(vx * vx + vy * vy) + abs(bench.motion[i, OMEGA]) * reach)
    return most


@njit
def along(bench, h, s):
    """`bench.trial = q + s v(s)`, `v(s) = v + (s / h)(v_plus - v)`: the path within a step, forces held."""
    part = s / h
    for i in range(bench.q.shape[0]):
        bench.trial[i] = bench.q[i] + s * (bench.v[i] + part * (bench.v_plus[i] - bench.v[i]))


@njit
def gap_at(scene, bench, c, h, s):
    """Gap of contact `c` at time `s` of the step; leaves `bench.pose_trial` there."""
    along(bench, h, s)
    place(scene.nodes_i, scene.nodes_f, bench.trial, bench.pose_trial)
    return contact_frame(c, scene.contacts_i, scene.contacts_f, scene.nodes_i, bench.pose_trial, bench.frame)


@njit
def closing_time(scene, bench, c, h, end, g_end):
    """First time in (0, end] at which contact `c`, open at 0 and `g_end < 0` at `end`, has a gap within TOUCH.

    Regula falsi with the Illinois rule; the answer errs to the open side.
    """
    low, high, g_low, g_high = 0.0, end, bench.gap[c], g_end
    g_left, g_right = g_low, g_high
    side = 0
    for turn in range(100):
        s = (low * g_right - high * g_left) / (g_right - g_left)
        if turn > 30 or not low < s < high:
            s = 0.5 * (low + high)
        if not low < s < high:
            break
        g = gap_at(scene, bench, c, h, s)
        if abs(g) <= 0.5 * TOUCH:
            return s
        if g > 0.0:
            low, g_left = s, g
            if side == 1:
                g_right *= 0.5
            side = 1
        else:
            high, g_right = s, g
            if side == -1:
                g_left *= 0.5
            side = -1
    return low if low > 0.0 else high
