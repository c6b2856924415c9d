"""The stepping loop: many steps of a scene without coming back to Python.

One step is a few *stages*. MOVE places the bodies and lists the near contacts; COMPRESS and DECOMPRESS are the
two halves of a collision (`h = 0`, Jain 2014 section 7); SMOOTH solves the contact problem over the rest of
the step and moves on to its end, or to the first impact inside it, where MOVE follows again.

A contact problem that the kernel cannot solve, or that the caller wants to solve in a formulation of its own,
makes `advance` return `ASK` with the problem on the bench; called again with `given`, it takes `v_plus` and
`p` from there and goes on in the same stage.
"""

import math

from modecontrol import tolerances
from modecontrol._kernels.articulated import factor
from modecontrol._kernels.bounce import cut_back, recover, weigh_compression
from modecontrol._kernels.compliance import compliance_rows
from modecontrol._kernels.contact_lcp import FAILED, eliminate_pins, pin_impulses, solve_contacts
from modecontrol._kernels.contacts import DISCS, KIND, contact_frame, point_at
from modecontrol._kernels.detect import along, closing_time, keep_rigid, list_near, passing_time, refresh, travelled
from modecontrol._kernels.impulses import copy, copy_pose, row_velocities, solve_impulse, write_rows
from modecontrol._kernels.jit import njit
from modecontrol._kernels.scene import (
    CONTACT_STIFFNESS,
    EVENTS,
    HITS,
    LCP_SIZE,
    METHOD,
    MU,
    NEAR,
    POSITION,
    REMAINING,
    RESIDUAL,
    STAGE,
)
from modecontrol._kernels.tree import DAMPING, STIFFNESS, bias_force, move, place

TOUCH = tolerances.TOUCH
SLIP = tolerances.SLIP
SOFTER = tolerances.SOFTER

DONE, ASK, MASSLESS, CROWDED, INFINITE = 0, 1, 2, 3, 4
MOVE, COMPRESS, DECOMPRESS, SMOOTH = 0, 1, 2, 3
SEPARATE, LEFT, RIGHT, FIXED = 0, 1, 2, 3
MOST_EVENTS = 64
FREE = 0


@njit
def pin_targets(pins_i, pins_f, nodes_i, pose, rate, target):
    """Velocity `-rate opening` at which each pin shall close; openings within TOUCH are left alone."""
    for c in range(pins_i.shape[0]):
        ax, ay, rx, ry = point_at(pins_i[c, 0], pins_f[c, 0], pins_f[c, 1], nodes_i, pose)
        bx, by, sx, sy = point_at(pins_i[c, 1], pins_f[c, 2], pins_f[c, 3], nodes_i, pose)
        dx, dy = (ax - bx) + (rx - sx), (ay - by) + (ry - sy)
        target[2 * c] = -rate * dx if abs(dx) > TOUCH else 0.0
        target[2 * c + 1] = -rate * dy if abs(dy) > TOUCH else 0.0


@njit
def free_motion(scene, arms, rows, q, v, tau, h, R, push, v_free):
    """Factor `M + h D + h^2 K`, and `v_free = v + (M + ..)^-1 (h (tau - b) - h^2 K v + rows^T push)`.

    Returns -1, or the coordinate that moves nothing that has mass. Fills the rows and their velocities too.
    """
    n = q.shape[0]
    nodes_i, nodes_f = scene.nodes_i, scene.nodes_f
    for i in range(n):
        arms.added[i] = h * (nodes_f[i, DAMPING] + h * nodes_f[i, STIFFNESS])
    bad = factor(nodes_i, nodes_f, arms.pose, arms.added, arms.inertia, arms.U, arms.D)
    if bad >= 0:
        return bad
    if h > 0.0:
        bias_force(nodes_i, nodes_f, scene.gravity, q, v, arms.pose, arms.motion, arms.force, arms.b)
        for i in range(n):
            arms.r[i] = h * (tau[i] - arms.b[i] - h * nodes_f[i, STIFFNESS] * v[i])
    else:
        for i in range(n):
            arms.r[i] = 0.0
    solve_impulse(nodes_i, arms.pose, arms.U, arms.D, arms.r, rows.row_node, rows.row_force, R if push else 0,
                  rows.push, arms.force, arms.accel, arms.x)
    for i in range(n):
        v_free[i] = v[i] + arms.x[i]
    row_velocities(rows.row_node, rows.row_force, R, arms.motion, arms.accel, True, rows.u)
    return -1


@njit
def relax(rows, nb, m):
    """Give up the recovery of penetration and of open pins for this step; True if there was any.

    A wedged mechanism (contact forces that can grow without moving it) has no solution that also recovers;
    without recovery one always exists (Anitescu and Potra).
    """
    relaxed = False
    for i in range(nb):
        relaxed = relaxed or rows.target[i] != 0.0
        rows.target[i] = 0.0
    for i in range(m):
        if rows.softness[i] == 0.0 and rows.offset[i] < 0.0:
            rows.offset[i] = 0.0
            relaxed = True
    return relaxed


@njit
def contact_problem(scene, bench, options, h, m, push):
    """Solve one contact problem over `h` (0 in a collision) into `v_plus`, `p`; DONE, ASK or MASSLESS.

    `push` says that the impulses in `rows.push` act beforehand: the part of a collision that is recovered. When
    Lemke's method finds no answer the problem is relaxed, then softened by `SOFTER`, before the caller is asked.
    """
    arms, rows = bench.arms, bench.rows
    n, nb = bench.q.shape[0], 2 * scene.pins_i.shape[0]
    R = nb + 2 * m
    if R > 0:
        pin_targets(scene.pins_i, scene.pins_f, scene.nodes_i, arms.pose,
                    options.correction / options.h if h > 0.0 else 0.0, rows.target)
        write_rows(scene.pins_i, scene.pins_f, scene.contacts_i, scene.contacts_f, scene.nodes_i, arms.pose,
                   rows.near, m, rows.frame, rows.row_node, rows.row_force)
    if options.external:
        return ASK
    bad = free_motion(scene, arms, rows, bench.q, bench.v, bench.tau, h, R, push, bench.v_free)
    if bad >= 0:
        bench.tally[STAGE] = bad
        return MASSLESS
    bench.tally[METHOD] = FREE
    bench.tally[LCP_SIZE] = nb
    bench.clock[RESIDUAL] = 0.0
    loaded = False
    if R > 0:
        how, residual = FREE, 0.0
        for attempt in range(3):
            if attempt == 1 and not relax(rows, nb, m):
                continue
            if attempt > 0:
                row_velocities(rows.row_node, rows.row_force, R, arms.motion, arms.accel, True, rows.u)
            compliance_rows(scene.nodes_i, arms.pose, arms.U, arms.D, scene.common, R, rows.row_node, rows.row_force,
                            arms.Y, arms.W, rows.L)
            if nb > 0:
                eliminate_pins(rows.L, rows.u, rows.target, rows.chol, rows.T, nb, m)
            if m == 0:
                break
            how, residual = solve_contacts(scene.laws, rows, bench.basis, nb, m, options.eps + SOFTER * (attempt == 2),
                                           options.scaling, h > 0.0)
            if how != FAILED:
                break
        if how == FAILED:
            return ASK
        bench.tally[METHOD] = how
        bench.clock[RESIDUAL] = residual
        for i in range(m):
            bench.tally[LCP_SIZE] += 4 if scene.laws[rows.near[i], MU] > 0.0 else 1
        if nb > 0:
            pin_impulses(rows.chol, rows.T, rows.p, nb, m)
        for i in range(R):
            loaded = loaded or rows.p[i] != 0.0
    for i in range(n):
        bench.v_plus[i] = bench.v_free[i]
    if loaded:
        for i in range(n):
            arms.r[i] = 0.0
        solve_impulse(scene.nodes_i, arms.pose, arms.U, arms.D, arms.r, rows.row_node, rows.row_force, R, rows.p,
                      arms.force, arms.accel, arms.x)
        for i in range(n):
            bench.v_plus[i] += arms.x[i]
    return DONE


@njit
def add_impulses(near, m, nb, part, p, impulse, loop_impulse):
    """Add `part` of the impulses `p` to the record of a step."""
    for i in range(nb):
        loop_impulse[i] += part * p[i]
    for i in range(m):
        impulse[2 * near[i]] += part * p[nb + 2 * i]
        impulse[2 * near[i] + 1] += part * p[nb + 2 * i + 1]


@njit
def write_letters(nodes_i, arms, rows, v_plus, nb, m, loaded, letters):
    """S, L, R, F of each contact at the end of the step, from its impulse and tangential velocity."""
    for c in range(letters.shape[0]):
        letters[c] = SEPARATE
        loaded[c] = False
    if m == 0:
        return
    move(nodes_i, arms.pose, v_plus, arms.motion)
    row_velocities(rows.row_node, rows.row_force, nb + 2 * m, arms.motion, arms.accel, False, rows.u)
    for i in range(m):
        if rows.p[nb + 2 * i] > 0.0:
            loaded[rows.near[i]] = True
            speed = rows.u[nb + 2 * i + 1]
            letters[rows.near[i]] = FIXED if abs(speed) <= SLIP else (RIGHT if speed > 0.0 else LEFT)


@njit
def first_impact(contacts_i, contacts_f, nodes_i, nodes_f, laws, q, v, v_plus, h, gap, near, m, distance, trial, pose,
                 frame):
    """End of the motion along `v_plus`: `h`, or the time at which the first open rigid contact closes.

    Discs that are apart at both ends of the way may have met on it: quick ones are followed (`passing_time`).

    `trial` and `pose` are at `h` on entry and at the answer on exit. Contacts that take part in the step's
    contact problem (`near`) have been dealt with there.
    """
    end = h
    for c in range(gap.shape[0]):
        way = 2.0 * distance if contacts_i[c, KIND] == DISCS else distance
        if gap[c] - way >= -TOUCH or laws[c, CONTACT_STIFFNESS] < math.inf:
            continue
        taken = False
        for i in range(m):
            taken = taken or near[i] == c
        if taken:
            continue
        g = contact_frame(c, contacts_i, contacts_f, nodes_i, pose, frame)
        if g < -TOUCH:
            end = closing_time(c, contacts_i, contacts_f, nodes_i, nodes_f, q, v, v_plus, h, end, gap[c], g, trial,
                               pose, frame)
        elif contacts_i[c, KIND] == DISCS and gap[c] > TOUCH and gap[c] + g < way:
            inside, deepest = passing_time(c, contacts_i, contacts_f, nodes_i, nodes_f, q, v, v_plus, h, end, gap[c], g,
                                           way, trial, pose, frame)
            if deepest < -TOUCH:
                end = closing_time(c, contacts_i, contacts_f, nodes_i, nodes_f, q, v, v_plus, h, inside, gap[c], deepest,
                                   trial, pose, frame)
            else:
                along(q, v, v_plus, h, end, trial)
                place(nodes_i, nodes_f, trial, pose)
    return end


@njit
def go_on(scene, bench, options, m):
    """Move to the end of the step or to the first impact: the part of the remaining time that has gone by."""
    arms, rows, q, v, v_plus, trial = bench.arms, bench.rows, bench.q, bench.v, bench.v_plus, bench.trial
    h = bench.clock[REMAINING]
    along(q, v, v_plus, h, h, trial)
    place(scene.nodes_i, scene.nodes_f, trial, arms.pose_trial)
    end = h
    if options.level != POSITION and bench.tally[EVENTS] < MOST_EVENTS:
        distance = travelled(arms.pose, arms.pose_trial, options.reach)
        end = first_impact(scene.contacts_i, scene.contacts_f, scene.nodes_i, scene.nodes_f, scene.laws, q, v,
                           v_plus, h, bench.gap, rows.near, m, distance, trial, arms.pose_trial, rows.frame)
    part = end / h
    for i in range(q.shape[0]):
        v[i] = v_plus[i] if part == 1.0 else v[i] + part * (v_plus[i] - v[i])
        q[i] = trial[i]
    distance = travelled(arms.pose, arms.pose_trial, options.reach)
    copy_pose(arms.pose_trial, arms.pose)
    refresh(scene.contacts_i, scene.contacts_f, scene.nodes_i, arms.pose, distance, options.slack + 2.0 * TOUCH,
            bench.gap, bench.budget, rows.frame)
    return part


@njit
def finite(q, v):
    """Whether every number is finite."""
    total = 0.0
    for i in range(q.shape[0]):
        total += 0.0 * q[i] + 0.0 * v[i]
    return total == 0.0


@njit
def advance(scene, bench, options, record, first, last, given):
    """Steps `first` to `last - 1` from the state on the bench: `(code, step)`.

    DONE: `step` is `last`. ASK: the contact problem of `step` waits on the bench (see the head of this file).
    MASSLESS: coordinate `tally[STAGE]` moves nothing that has mass. CROWDED: more contacts are near than the
    bench has room for. INFINITE: the state after `step` is not finite.
    """
    arms, rows, clock, tally = bench.arms, bench.rows, bench.clock, bench.tally
    nb = 2 * scene.pins_i.shape[0]
    for step in range(first, last):
        if tally[STAGE] == MOVE and clock[REMAINING] == 0.0:
            clock[REMAINING] = options.h
            tally[EVENTS] = tally[HITS] = 0
        while clock[REMAINING] > 0.0:
            h = clock[REMAINING]
            if tally[STAGE] == MOVE:
                move(scene.nodes_i, arms.pose, bench.v, arms.motion)
                m, impact = list_near(scene.contacts_i, scene.contacts_f, scene.nodes_i, scene.laws, arms.pose,
                                      arms.motion, h, options, bench.gap, bench.budget, bench.loaded, rows.near,
                                      rows.offset, rows.softness, rows.frame)
                if m < 0:
                    return CROWDED, step
                if impact and tally[HITS] < 2:
                    m = keep_rigid(scene.laws, bench.gap, m, rows.near, rows.offset, rows.softness)
                    tally[HITS] += 1
                    tally[STAGE] = COMPRESS
                else:
                    tally[STAGE] = SMOOTH
                tally[NEAR] = m
            m, stage = tally[NEAR], tally[STAGE]
            if not given:
                code = contact_problem(scene, bench, options, h if stage == SMOOTH else 0.0, m, stage == DECOMPRESS)
                if code != DONE:
                    return code, step
            given = False
            record.size[step] = max(record.size[step], tally[LCP_SIZE])
            record.method[step] = max(record.method[step], tally[METHOD])
            record.residual[step] = max(record.residual[step], clock[RESIDUAL])
            if stage == COMPRESS:
                weigh_compression(scene, bench)
            elif stage == DECOMPRESS and cut_back(scene, bench, nb, m):
                continue
            if stage != SMOOTH:
                add_impulses(rows.near, m, nb, 1.0, rows.p, record.impulse[step], record.loop_impulse[step])
                if stage == DECOMPRESS:
                    add_impulses(rows.near, m, nb, 1.0, rows.push, record.impulse[step], record.loop_impulse[step])
                else:
                    record.impacts[step] += 1
                bouncing = recover(scene.laws, rows, nb, m, stage == DECOMPRESS)
                copy(bench.v_plus, bench.v)
                move(scene.nodes_i, arms.pose, bench.v, arms.motion)
                tally[STAGE] = DECOMPRESS if bouncing else MOVE
                continue
            write_letters(scene.nodes_i, arms, rows, bench.v_plus, nb, m, bench.loaded, record.letters[step])
            part = go_on(scene, bench, options, m)
            add_impulses(rows.near, m, nb, part, rows.p, record.impulse[step], record.loop_impulse[step])
            tally[STAGE] = MOVE
            clock[REMAINING] = h - part * h
            if part < 1.0:
                tally[EVENTS] += 1
                tally[HITS] = 0
            if part == 1.0 or clock[REMAINING] <= 1e-12 * options.h:
                clock[REMAINING] = 0.0
        copy(bench.q, record.q[step + 1])
        copy(bench.v, record.v[step + 1])
        if not finite(bench.q, bench.v):
            return INFINITE, step
    return DONE, last
