"""Tree kernels: placement, velocity, composite-rigid-body mass matrix, bias, energy.

A tree has one node per degree of freedom (a planar joint is slide, slide, turn; the nodes in between are
massless). Node `i` has parent `nodes_i[i, PARENT] < i` (-1 is the world) and the rows

    nodes_i (n, 3)    PARENT, TURNS (1 turn, 0 slide), ANCHOR
    nodes_f (n, 12)   AT_X, AT_Y (in the parent's frame), ANGLE, DIR_X, DIR_Y (slide direction, own frame),
                      MASS, COM_X, COM_Y (own frame), INERTIA (about the centre of mass),
                      STIFFNESS, DAMPING, REST

All vectors are in world axes. Spatial vectors are planar, `(moment, force)` and `(omega, velocity)`, three
numbers, about the origin of the node they belong to: moved to the parent, a spatial force only gains the
moment `d x f`, so composite inertias add after a shift, and no digits are lost at the end of a long chain.
Positions are kept from the *anchor* of the tree, the origin of its root body, which travels with it, so that
none are lost either when the mechanism is far from the origin of the world.

The work arrays that the other kernels read, rows per node:

    pose (n, 9)     X, Y (origin, world), RX, RY (origin from the anchor), COS, SIN, THETA, UX, UY (slide
                    direction, world; zero for a turn)
    motion (n, 5)   OMEGA, VX, VY (velocity of the origin), ACC_X, ACC_Y (its acceleration at zero qdd,
                    without gravity)

In the plane `omega` is a plain sum of joint velocities, so the angular acceleration at zero `qdd` is zero and
the bias accelerations are linear only.
"""

import math

import numpy as np

from modecontrol._kernels.jit import njit

PARENT, TURNS, ANCHOR = 0, 1, 2
AT_X, AT_Y, ANGLE, DIR_X, DIR_Y, MASS, COM_X, COM_Y, INERTIA, STIFFNESS, DAMPING, REST = range(12)
X, Y, RX, RY, COS, SIN, THETA, UX, UY = range(9)
OMEGA, VX, VY, ACC_X, ACC_Y = range(5)
LOWER, UPPER, STALL, NO_LOAD = range(4)


@njit
def place(nodes_i, nodes_f, q, pose):
    """Fill `pose` (n, 9) at `q`: see the module's table."""
    for i in range(q.shape[0]):
        p = nodes_i[i, PARENT]
        x, y, rx, ry, c, s, theta = 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0
        if p >= 0:
            x, y, rx, ry = pose[p, X], pose[p, Y], pose[p, RX], pose[p, RY]
            c, s, theta = pose[p, COS], pose[p, SIN], pose[p, THETA]
        dx = c * nodes_f[i, AT_X] - s * nodes_f[i, AT_Y]
        dy = s * nodes_f[i, AT_X] + c * nodes_f[i, AT_Y]
        turn = nodes_f[i, ANGLE]
        if nodes_i[i, TURNS] == 1:
            turn += q[i]
        if turn != 0.0:
            theta += turn
            c, s = math.cos(theta), math.sin(theta)
        ux, uy = 0.0, 0.0
        if nodes_i[i, TURNS] == 0:
            ux = c * nodes_f[i, DIR_X] - s * nodes_f[i, DIR_Y]
            uy = s * nodes_f[i, DIR_X] + c * nodes_f[i, DIR_Y]
            dx += ux * q[i]
            dy += uy * q[i]
        x += dx
        y += dy
        rx += dx
        ry += dy
        if nodes_i[i, ANCHOR] >= i:       # the anchor itself, and the slides of a planar root before it
            rx, ry = 0.0, 0.0
        pose[i, X], pose[i, Y], pose[i, RX], pose[i, RY] = x, y, rx, ry
        pose[i, COS], pose[i, SIN], pose[i, THETA] = c, s, theta
        pose[i, UX], pose[i, UY] = ux, uy


@njit
def move(nodes_i, pose, v, motion):
    """Fill `motion` (n, 5) at velocity `v`; needs `place` first.

    With `d` from the parent's origin to this one: `v_o = v_p + w_p perp(d) + u qd`,
    `a_o = a_p - w_p^2 d + 2 w_p perp(u) qd` at zero `qdd` (`u` = slide direction, absent for a turn).
    """
    for i in range(v.shape[0]):
        p = nodes_i[i, PARENT]
        w, vx, vy, ax, ay = 0.0, 0.0, 0.0, 0.0, 0.0
        if p >= 0:
            dx, dy = pose[i, RX] - pose[p, RX], pose[i, RY] - pose[p, RY]
            w = motion[p, OMEGA]
            vx, vy = motion[p, VX] - w * dy, motion[p, VY] + w * dx
            ax, ay = motion[p, ACC_X] - w * w * dx, motion[p, ACC_Y] - w * w * dy
        if nodes_i[i, TURNS] == 1:
            w += v[i]
        else:
            ux, uy = pose[i, UX] * v[i], pose[i, UY] * v[i]
            vx += ux
            vy += uy
            ax -= 2.0 * w * uy
            ay += 2.0 * w * ux
        motion[i, OMEGA], motion[i, VX], motion[i, VY] = w, vx, vy
        motion[i, ACC_X], motion[i, ACC_Y] = ax, ay


@njit
def inertias(nodes_f, pose, inertia):
    """Fill `inertia` (n, 4): mass, first moment (hx, hy) and second moment of each node about its origin."""
    for i in range(pose.shape[0]):
        m = nodes_f[i, MASS]
        cx = pose[i, COS] * nodes_f[i, COM_X] - pose[i, SIN] * nodes_f[i, COM_Y]
        cy = pose[i, SIN] * nodes_f[i, COM_X] + pose[i, COS] * nodes_f[i, COM_Y]
        inertia[i, 0], inertia[i, 1], inertia[i, 2] = m, m * cx, m * cy
        inertia[i, 3] = nodes_f[i, INERTIA] + m * (cx * cx + cy * cy)


@njit
def mass_matrix(nodes_i, nodes_f, pose, composite, M):
    """`M_ij = s_j . (I_i^c s_i)`, j an ancestor of i (Walker and Orin); `composite` (n, 4) is work space.

    `M` must hold zeros where nodes are on different branches; those entries are not written.
    """
    n = pose.shape[0]
    inertias(nodes_f, pose, composite)
    for i in range(n - 1, -1, -1):
        p = nodes_i[i, PARENT]
        m, hx, hy, second = composite[i, 0], composite[i, 1], composite[i, 2], composite[i, 3]
        if p >= 0:
            dx, dy = pose[i, RX] - pose[p, RX], pose[i, RY] - pose[p, RY]
            composite[p, 0] += m
            composite[p, 1] += hx + m * dx
            composite[p, 2] += hy + m * dy
            composite[p, 3] += second + 2.0 * (dx * hx + dy * hy) + m * (dx * dx + dy * dy)
        if nodes_i[i, TURNS] == 1:
            moment, fx, fy = second, -hy, hx
        else:
            ux, uy = pose[i, UX], pose[i, UY]
            moment, fx, fy = hx * uy - hy * ux, m * ux, m * uy
        j, x, y = i, pose[i, RX], pose[i, RY]
        while j >= 0:
            moment += (x - pose[j, RX]) * fy - (y - pose[j, RY]) * fx
            x, y = pose[j, RX], pose[j, RY]
            value = moment if nodes_i[j, TURNS] == 1 else pose[j, UX] * fx + pose[j, UY] * fy
            M[i, j] = value
            M[j, i] = value
            j = nodes_i[j, PARENT]


@njit
def bias_force(nodes_i, nodes_f, gravity, q, v, pose, motion, force, b):
    """`b = C v + g + K (q - rest) + D v` by Newton and Euler; `force` (n, 3) is work space.

    The force that keeps each centre of mass on its path at zero `qdd` is `m (a_c - gravity)`; spatial forces
    are summed tips to base.
    """
    n = q.shape[0]
    for i in range(n):
        m = nodes_f[i, MASS]
        cx = pose[i, COS] * nodes_f[i, COM_X] - pose[i, SIN] * nodes_f[i, COM_Y]
        cy = pose[i, SIN] * nodes_f[i, COM_X] + pose[i, COS] * nodes_f[i, COM_Y]
        w2 = motion[i, OMEGA] * motion[i, OMEGA]
        fx = m * (motion[i, ACC_X] - w2 * cx - gravity[0])
        fy = m * (motion[i, ACC_Y] - w2 * cy - gravity[1])
        force[i, 0], force[i, 1], force[i, 2] = cx * fy - cy * fx, fx, fy
    for i in range(n - 1, -1, -1):
        p = nodes_i[i, PARENT]
        moment, fx, fy = force[i, 0], force[i, 1], force[i, 2]
        if p >= 0:
            dx, dy = pose[i, RX] - pose[p, RX], pose[i, RY] - pose[p, RY]
            force[p, 0] += moment + dx * fy - dy * fx
            force[p, 1] += fx
            force[p, 2] += fy
        value = moment if nodes_i[i, TURNS] == 1 else pose[i, UX] * fx + pose[i, UY] * fy
        b[i] = (value + nodes_f[i, STIFFNESS] * (q[i] - nodes_f[i, REST]) + nodes_f[i, DAMPING] * v[i])


@njit
def torque_box(inputs_i, inputs_f, v, limits):
    """Fill `limits` (t, 2): the box within `abs(tau) <= stall (1 - abs(v) / no_load)`, never below zero."""
    for i in range(limits.shape[0]):
        lower, upper = inputs_f[i, LOWER], inputs_f[i, UPPER]
        if inputs_f[i, STALL] < np.inf:
            line = max(0.0, inputs_f[i, STALL] * (1.0 - abs(v[inputs_i[i]]) / inputs_f[i, NO_LOAD]))
            lower = min(max(lower, -line), line)
            upper = min(max(upper, -line), line)
        limits[i, 0], limits[i, 1] = lower, upper


@njit
def energies(nodes_i, nodes_f, gravity, q, v):
    """Kinetic energy, potential energy of gravity (zero at the world's origin) and of the springs."""
    n = q.shape[0]
    pose, motion = np.empty((n, 9)), np.empty((n, 5))
    place(nodes_i, nodes_f, q, pose)
    move(nodes_i, pose, v, motion)
    kinetic, weight, spring = 0.0, 0.0, 0.0
    for i in range(n):
        m, w = nodes_f[i, MASS], motion[i, OMEGA]
        cx = pose[i, COS] * nodes_f[i, COM_X] - pose[i, SIN] * nodes_f[i, COM_Y]
        cy = pose[i, SIN] * nodes_f[i, COM_X] + pose[i, COS] * nodes_f[i, COM_Y]
        vx, vy = motion[i, VX] - w * cy, motion[i, VY] + w * cx
        kinetic += 0.5 * (m * (vx * vx + vy * vy) + nodes_f[i, INERTIA] * w * w)
        weight -= m * (gravity[0] * (pose[i, X] + cx) + gravity[1] * (pose[i, Y] + cy))
        stretch = q[i] - nodes_f[i, REST]
        spring += 0.5 * nodes_f[i, STIFFNESS] * stretch * stretch
    return kinetic, weight, spring


@njit
def poses(nodes_i, nodes_f, q):
    """`pose` (n, 9) at `q`, newly allocated."""
    pose = np.empty((q.shape[0], 9))
    place(nodes_i, nodes_f, q, pose)
    return pose
