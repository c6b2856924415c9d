"""Contact detection: which contacts are near, and when the first of the open ones closes.

Broad phase by *budgets*: `budget[c]` is a lower bound of the gap of contact `c`. Each motion lowers it by how
far any contact point can have travelled; a gap is computed only when its budget is used up, and then becomes
the new budget. Pairs that are far apart cost one subtraction per step.
"""

import math

from modecontrol import tolerances
from modecontrol._kernels.contacts import DISCS, KIND, NODE, OTHER, contact_frame, point_motion
from modecontrol._kernels.jit import njit
from modecontrol._kernels.scene import CONTACT_DAMPING, CONTACT_STIFFNESS, POSITION
from modecontrol._kernels.tree import OMEGA, THETA, VX, VY, X, Y, place

TOUCH = tolerances.TOUCH
GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)
SHALLOW = 1e-3    # a bracket in which the gap changes by less than this part of the whole way is searched no further


@njit
def travelled(before, after, reach):
    """Most that a point within `reach` of the origin of any node has moved between two poses."""
    most = 0.0
    for i in range(before.shape[0]):
        dx, dy = after[i, X] - before[i, X], after[i, Y] - before[i, Y]
        most = max(most, math.sqrt(dx * dx + dy * dy) + abs(after[i, THETA] - before[i, THETA]) * reach)
    return most


@njit
def fastest(motion, reach):
    """Upper bound of the speed of every contact point."""
    most = 0.0
    for i in range(motion.shape[0]):
        vx, vy = motion[i, VX], motion[i, VY]
        most = max(most, math.sqrt(vx * vx + vy * vy) + abs(motion[i, OMEGA]) * reach)
    return most


@njit
def refresh(contacts_i, contacts_f, nodes_i, pose, distance, within, gap, budget, frame):
    """Lower the budgets by `distance`; recompute gaps whose budget is at most `within`."""
    for c in range(gap.shape[0]):
        left = budget[c] - (2.0 * distance if contacts_i[c, KIND] == DISCS else distance)
        if left <= within:
            left = contact_frame(c, contacts_i, contacts_f, nodes_i, pose, frame)
        gap[c] = left
        budget[c] = left


@njit
def normal_speed(c, contacts_i, contacts_f, nodes_i, pose, motion, frame):
    """`(xd_n, gap)` of contact `c`."""
    gap = contact_frame(c, contacts_i, contacts_f, nodes_i, pose, frame)
    _, ux, uy, _, _ = point_motion(contacts_i[c, NODE], frame[2], frame[3], pose, motion)
    if contacts_i[c, KIND] == DISCS:
        _, wx, wy, _, _ = point_motion(contacts_i[c, OTHER], frame[4], frame[5], pose, motion)
        ux -= wx
        uy -= wy
    return frame[0] * uy - frame[1] * ux, gap


@njit
def list_near(contacts_i, contacts_f, nodes_i, laws, pose, motion, h, options, gaps, budget, loaded, near, offset,
              softness, frame):
    """Fill `near`, `offset`, `softness`; `(count, impact)`, count -1 when there is no room for all.

    | contact   | is near when                                              | offset                        |
    |-----------|-----------------------------------------------------------|-------------------------------|
    | compliant | `gap <= 0` or it closes within the step                   | `K gap / (h K + D)`           |
    | rigid     | closed, at rest within `slack`, or loaded before          | `max(gap, g_eps) / h`         |
    | rigid, position level | it can be reached within the step             | `max(gap, g_eps) / h`         |

    An impact is a closed contact that approaches and did not carry load before; one that did has only the
    velocity error of the last step.
    """
    count, impact = 0, False
    everywhere = options.level == POSITION
    ahead = 2.0 * h * fastest(motion, options.reach) + TOUCH
    within = max(ahead, 4.0 * options.slack) if everywhere else options.slack + TOUCH
    for c in range(gaps.shape[0]):
        soft = laws[c, CONTACT_STIFFNESS] < math.inf
        if gaps[c] > (max(ahead, within) if soft or loaded[c] else within):
            continue
        speed, gap = normal_speed(c, contacts_i, contacts_f, nodes_i, pose, motion, frame)
        gaps[c] = budget[c] = gap
        if soft:
            if gap > TOUCH and gap + h * speed > 0.0:
                continue
        elif everywhere:
            if gap > within:
                continue
        elif gap <= TOUCH:
            impact = impact or (speed < -options.impact_speed and not loaded[c])
        elif not loaded[c] and (gap > options.slack or abs(speed) > options.impact_speed):
            continue
        if count == near.shape[0]:
            return -1, False
        near[count] = c
        if soft:
            # a contact that closes within the step gets its damper from the next step on
            K, D = laws[c, CONTACT_STIFFNESS], laws[c, CONTACT_DAMPING] if gap <= TOUCH else 0.0
            if K == 0.0 and D == 0.0:
                continue
            offset[count] = K * gap / (h * K + D)
            softness[count] = 1.0 / (h * (h * K + D))
        else:
            # gaps within TOUCH are closed: rounding must not ask for velocities. Penetration is recovered at the
            # pace of a whole step even when little of the step is left.
            if abs(gap) <= TOUCH:
                offset[count] = 0.0
            else:
                offset[count] = gap / h if gap > 0.0 else max(gap, options.g_eps) / options.h
            softness[count] = 0.0
        count += 1
    return count, impact


@njit
def keep_rigid(laws, gap, m, near, offset, softness):
    """Leave in `near` the closed rigid contacts, with no offsets: those that take part in a collision."""
    count = 0
    for i in range(m):
        c = near[i]
        if laws[c, CONTACT_STIFFNESS] == math.inf and gap[c] <= TOUCH:
            near[count] = c
            offset[count] = 0.0
            softness[count] = 0.0
            count += 1
    return count


@njit
def along(q, v, v_plus, h, s, trial):
    """`trial = q + s v(s)`, `v(s) = v + (s / h)(v_plus - v)`: the path within a step, forces held."""
    part = s / h
    for i in range(q.shape[0]):
        trial[i] = q[i] + s * (v[i] + part * (v_plus[i] - v[i]))


@njit
def closing_time(c, contacts_i, contacts_f, nodes_i, nodes_f, q, v, v_plus, h, end, g_start, g_end, trial, pose,
                 frame):
    """First time in (0, end] at which contact `c`, open at 0 and `g_end < 0` at `end`, has a gap within TOUCH.

    Regula falsi with the Illinois rule. Leaves `trial` and `pose` at that time.
    """
    low, high, g_low, g_high = 0.0, end, g_start, g_end
    side = 0
    found = end
    for turn in range(100):
        s = (low * g_high - high * g_low) / (g_high - g_low)
        if turn > 30 or not low < s < high:
            s = 0.5 * (low + high)
        found = s
        along(q, v, v_plus, h, s, trial)
        place(nodes_i, nodes_f, trial, pose)
        g = contact_frame(c, contacts_i, contacts_f, nodes_i, pose, frame)
        if abs(g) <= 0.5 * TOUCH or not low < s < high:
            break
        if g > 0.0:
            low, g_low = s, g
            if side == 1:
                g_high *= 0.5
            side = 1
        else:
            high, g_high = s, g
            if side == -1:
                g_low *= 0.5
            side = -1
    return found


@njit
def passing_time(c, contacts_i, contacts_f, nodes_i, nodes_f, q, v, v_plus, h, end, g_start, g_end, way, trial, pose,
                 frame):
    """`(time, gap)` where the discs of contact `c`, apart at 0 and at `end`, overlap, or about the time they are nearest.

    On a straight way the distance of two centres is a convex function of time, so golden section finds its minimum; no gap
    changes by more than `way` from 0 to `end`. Leaves `trial` and `pose` anywhere.
    """
    low, high, g_low, g_high = 0.0, end, g_start, g_end
    left, right = end - GOLDEN * end, GOLDEN * end
    found, nearest = end, g_end
    g_left, g_right = math.inf, math.inf
    while (high - low) / end > SHALLOW and 0.5 * (g_low + g_high - way * (high - low) / end) < -TOUCH:
        if g_left == math.inf:
            along(q, v, v_plus, h, left, trial)
            place(nodes_i, nodes_f, trial, pose)
            g_left = contact_frame(c, contacts_i, contacts_f, nodes_i, pose, frame)
        if g_right == math.inf:
            along(q, v, v_plus, h, right, trial)
            place(nodes_i, nodes_f, trial, pose)
            g_right = contact_frame(c, contacts_i, contacts_f, nodes_i, pose, frame)
        if g_left <= g_right:
            found, nearest = left, g_left
            high, g_high = right, g_right
            right, g_right = left, g_left
            left, g_left = high - GOLDEN * (high - low), math.inf
        else:
            found, nearest = right, g_right
            low, g_low = left, g_left
            left, g_left = right, g_right
            right, g_right = low + GOLDEN * (high - low), math.inf
        if nearest < -TOUCH:
            break
    return found, nearest
