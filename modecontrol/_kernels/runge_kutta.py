"""Runge-Kutta steps of fourth order with the contact forces held (section 4.1 of Bhalerao).

The complementarity problem of the step gives the impulses `p`; the forces `f = p / h`, fixed in the world's
axes at the contacts' points, act through all four stages. Sound without friction only: with it nothing makes
the held forces dissipate. As the smooth motion is followed to fourth order, the rate of a gap at the end of the step
is predicted with the point's own acceleration, `Jn v+ + h Jndot v` (their Eqs. (6) and (10)); without the second term
a contact that turns quickly sinks in. Pins are kept by accelerations,  G qdd + Gdot v = -2 a G v - a^2 opening,
`a = correction / h` (Baumgarte).
"""

from modecontrol._kernels.articulated import factor
from modecontrol._kernels.compliance import compliance_rows
from modecontrol._kernels.contact_lcp import eliminate_pins, pin_impulses
from modecontrol._kernels.contacts import DISCS, KIND, NODE, OTHER, contact_frame, pin_rows, point_motion
from modecontrol._kernels.detect import list_near, refresh, travelled
from modecontrol._kernels.impulses import copy, copy_pose, solve_impulse, write_rows
from modecontrol._kernels.jit import njit
from modecontrol._kernels.scene import LCP_SIZE, METHOD, NEAR, REMAINING, RESIDUAL, STAGE
from modecontrol._kernels.stepper import (
    CROWDED,
    DONE,
    INFINITE,
    MASSLESS,
    MOVE,
    SMOOTH,
    add_impulses,
    contact_problem,
    finite,
    write_letters,
)
from modecontrol._kernels.tree import bias_force, move, place


@njit
def acceleration(scene, arms, rows, m, tau, h, rate, q, v, G, work, qdd):
    """`M qdd + b = S tau + J^T f + G^T lam` at a stage; -1, or the coordinate that moves nothing that has mass.

    `G` (2 pins, n) and `work` (2, 2 pins) are for the pins' rows, their drift and opening.
    """
    n, nb = q.shape[0], 2 * scene.pins_i.shape[0]
    nodes_i, pose = scene.nodes_i, arms.pose
    place(nodes_i, scene.nodes_f, q, pose)
    move(nodes_i, pose, v, arms.motion)
    bias_force(nodes_i, scene.nodes_f, scene.gravity, q, v, pose, arms.motion, arms.force, arms.b)
    bad = factor(nodes_i, scene.nodes_f, pose, arms.added, arms.inertia, arms.U, arms.D)
    if bad >= 0:
        return bad
    write_rows(scene.pins_i, scene.pins_f, scene.contacts_i, scene.contacts_f, nodes_i, pose, rows.near, m,
               rows.frame, rows.row_node, rows.row_force)
    for i in range(n):
        arms.r[i] = tau[i] - arms.b[i]
    for row in range(nb + 2 * m):
        rows.push[row] = rows.p[row] / h if row >= nb else 0.0
    solve_impulse(nodes_i, pose, arms.U, arms.D, arms.r, rows.row_node, rows.row_force, nb + 2 * m, rows.push,
                  arms.force, arms.accel, qdd)
    if nb == 0:
        return -1
    for c in range(scene.pins_i.shape[0]):
        pin_rows(c, 2 * c, scene.pins_i, scene.pins_f, nodes_i, pose, arms.motion, G, work[0], work[1])
    for row in range(nb):
        value, speed = 0.0, 0.0
        for i in range(n):
            value += G[row, i] * qdd[i]
            speed += G[row, i] * v[i]
        rows.u[row] = value
        rows.target[row] = -work[0, row] - 2.0 * rate * speed - rate * rate * work[1, row]
    compliance_rows(nodes_i, pose, arms.U, arms.D, scene.common, nb, rows.row_node, rows.row_force, arms.Y, arms.W,
                    rows.L)
    eliminate_pins(rows.L, rows.u, rows.target, rows.chol, rows.T, nb, 0)
    pin_impulses(rows.chol, rows.T, rows.p, nb, 0)
    for i in range(n):
        arms.r[i] = 0.0
    solve_impulse(nodes_i, pose, arms.U, arms.D, arms.r, rows.row_node, rows.row_force, nb, rows.p, arms.force,
                  arms.accel, arms.x)
    for i in range(n):
        qdd[i] += arms.x[i]
    return -1


@njit
def add_drift(scene, pose, motion, m, h, near, offset, frame):
    """`offset += h Jndot v` of the near contacts, in place."""
    contacts_i, contacts_f = scene.contacts_i, scene.contacts_f
    for i in range(m):
        c = near[i]
        contact_frame(c, contacts_i, contacts_f, scene.nodes_i, pose, frame)
        tx, ty = frame[0], frame[1]
        _, ux, uy, ax, ay = point_motion(contacts_i[c, NODE], frame[2], frame[3], pose, motion)
        if contacts_i[c, KIND] == DISCS:
            _, vx, vy, bx, by = point_motion(contacts_i[c, OTHER], frame[4], frame[5], pose, motion)
            ux, uy, ax, ay = ux - vx, uy - vy, ax - bx, ay - by
        slide = tx * ux + ty * uy
        offset[i] += h * (tx * ay - ty * ax + slide * slide / frame[6])


@njit
def four_stages(scene, arms, rows, m, tau, h, rate, q, v, stages, G, work, loop_impulse):
    """Advance `q`, `v` by `h` with the contact impulses `rows.p`; -1 or a massless coordinate.

    `stages` (5, n) is work space; `loop_impulse` receives what the pins took.
    """
    n, nb = q.shape[0], 2 * scene.pins_i.shape[0]
    qs, vs, sum_q, sum_v, a = stages[0], stages[1], stages[2], stages[3], stages[4]
    for i in range(n):
        arms.added[i] = 0.0
        qs[i], vs[i], sum_q[i], sum_v[i] = q[i], v[i], 0.0, 0.0
    for stage in range(4):
        bad = acceleration(scene, arms, rows, m, tau, h, rate, qs, vs, G, work, a)
        if bad >= 0:
            return bad
        weight = 1.0 if stage == 0 or stage == 3 else 2.0
        ahead = 0.5 * h if stage < 2 else h
        for i in range(nb):
            loop_impulse[i] += h * weight / 6.0 * rows.p[i]
        for i in range(n):
            sum_q[i] += weight * vs[i]
            sum_v[i] += weight * a[i]
            qs[i] = q[i] + ahead * vs[i]
            vs[i] = v[i] + ahead * a[i]
    for i in range(n):
        q[i] += h / 6.0 * sum_q[i]
        v[i] += h / 6.0 * sum_v[i]
    return -1


@njit
def advance_rk4(scene, bench, options, record, stages, G, work, first, last, given):
    """`advance` of `stepper.py` with Runge-Kutta steps; the same arguments and answers, plus work space."""
    arms, rows, clock, tally = bench.arms, bench.rows, bench.clock, bench.tally
    nb, h = 2 * scene.pins_i.shape[0], options.h
    for step in range(first, last):
        if not given:
            clock[REMAINING] = h
            move(scene.nodes_i, arms.pose, bench.v, arms.motion)
            m, _ = list_near(scene.contacts_i, scene.contacts_f, scene.nodes_i, scene.laws, arms.pose, arms.motion, h,
                             options, bench.gap, bench.budget, bench.loaded, rows.near, rows.offset, rows.softness,
                             rows.frame)
            if m < 0:
                return CROWDED, step
            tally[NEAR], tally[STAGE] = m, SMOOTH
            add_drift(scene, arms.pose, arms.motion, m, h, rows.near, rows.offset, rows.frame)
            code = contact_problem(scene, bench, options, h, m, False)
            if code != DONE:
                return code, step
        given = False
        m = tally[NEAR]
        tally[STAGE] = MOVE
        record.size[step], record.method[step], record.residual[step] = tally[LCP_SIZE], tally[METHOD], clock[RESIDUAL]
        write_letters(scene.nodes_i, arms, rows, bench.v_plus, nb, m, bench.loaded, record.letters[step])
        add_impulses(rows.near, m, 0, 1.0, rows.p[nb:], record.impulse[step], record.loop_impulse[step])
        copy_pose(arms.pose, arms.pose_trial)
        bad = four_stages(scene, arms, rows, m, bench.tau, h, options.correction / h, bench.q, bench.v, stages, G,
                          work, record.loop_impulse[step])
        if bad >= 0:
            tally[STAGE] = bad
            return MASSLESS, step
        place(scene.nodes_i, scene.nodes_f, bench.q, arms.pose)
        refresh(scene.contacts_i, scene.contacts_f, scene.nodes_i, arms.pose,
                travelled(arms.pose_trial, arms.pose, options.reach), options.slack, bench.gap, bench.budget,
                rows.frame)
        clock[REMAINING] = 0.0
        copy(bench.q, record.q[step + 1])
        copy(bench.v, record.v[step + 1])
        if not finite(bench.q, bench.v):
            return INFINITE, step
    return DONE, last
