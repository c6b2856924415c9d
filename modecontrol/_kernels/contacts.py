"""Contact and loop kinematics of a tree: gap, Jacobian, drift and velocity, row by row.

    contacts_i (k, 3)    KIND (PLANE or DISCS), NODE, OTHER (nodes; -1 is the world)
    contacts_f (k, 10)   PX, PY (centre in the node's frame), RADIUS, OX, OY (a point of the half-plane),
                         TX, TY (its tangent), QX, QY (centre in the other node's frame), OTHER_RADIUS
    pins_i (l, 2)        NODE_A, NODE_B
    pins_f (l, 4)        AX, AY, BX, BY: the two points that coincide, each in its node's frame

A point is a disc of radius zero. Rows come normal first, and `n` is `t` turned by +90 degrees.
"""

import math

import numpy as np

from modecontrol._kernels.jit import njit
from modecontrol._kernels.tree import (
    ACC_X,
    ACC_Y,
    ANCHOR,
    COS,
    OMEGA,
    PARENT,
    RX,
    RY,
    SIN,
    TURNS,
    UX,
    UY,
    VX,
    VY,
    X,
    Y,
    bias_force,
    mass_matrix,
    move,
    place,
    torque_box,
)

PLANE, DISCS = 0, 1
KIND, NODE, OTHER = 0, 1, 2
PX, PY, RADIUS, OX, OY, TX, TY, QX, QY, OTHER_RADIUS = range(10)


@njit
def point_at(node, px, py, nodes_i, pose):
    """`(ax, ay, rx, ry)`: the anchor of the node's tree in the world, and the point from that anchor."""
    if node < 0:
        return 0.0, 0.0, px, py
    anchor = nodes_i[node, ANCHOR]
    return (pose[anchor, X], pose[anchor, Y],
            pose[node, RX] + pose[node, COS] * px - pose[node, SIN] * py,
            pose[node, RY] + pose[node, SIN] * px + pose[node, COS] * py)


@njit
def point_motion(node, rx, ry, pose, motion):
    """`(omega, vx, vy, ax, ay)` at zero `qdd` of the point of a node at `(rx, ry)` from the anchor."""
    if node < 0:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    w = motion[node, OMEGA]
    dx, dy = rx - pose[node, RX], ry - pose[node, RY]
    return (w, motion[node, VX] - w * dy, motion[node, VY] + w * dx,
            motion[node, ACC_X] - w * w * dx, motion[node, ACC_Y] - w * w * dy)


@njit
def add_rows(a, b, rx, ry, sx, sy, ux, uy, wx, wy, spin_a, spin_b, nodes_i, pose, J, row):
    """Write the velocity rows of point `r` of node `a` less that of point `s` of node `b`, along `u` and `w`.

    Points are from their anchors. Row `row` is `u.(p_a - p_b)'`; row `row + 1` is `w.(p_a - p_b)'` plus
    `spin_a` times the turning of `a` plus `spin_b` times that of `b`. Above the nearest common ancestor both
    points move with the same body, so the two parts are joined before they are written.
    """
    for j in range(J.shape[1]):
        J[row, j] = 0.0
        J[row + 1, j] = 0.0
    while a != b:
        if a > b:
            if nodes_i[a, TURNS] == 1:
                dx, dy = rx - pose[a, RX], ry - pose[a, RY]
                J[row, a] = dx * uy - dy * ux
                J[row + 1, a] = dx * wy - dy * wx + spin_a
            else:
                J[row, a] = pose[a, UX] * ux + pose[a, UY] * uy
                J[row + 1, a] = pose[a, UX] * wx + pose[a, UY] * wy
            a = nodes_i[a, PARENT]
        else:
            if nodes_i[b, TURNS] == 1:
                dx, dy = pose[b, RX] - sx, pose[b, RY] - sy
                J[row, b] = dx * uy - dy * ux
                J[row + 1, b] = dx * wy - dy * wx + spin_b
            else:
                J[row, b] = -(pose[b, UX] * ux + pose[b, UY] * uy)
                J[row + 1, b] = -(pose[b, UX] * wx + pose[b, UY] * wy)
            b = nodes_i[b, PARENT]
    if a >= 0:
        dx, dy = rx - sx, ry - sy
        along, across = dx * uy - dy * ux, dx * wy - dy * wx + spin_a + spin_b
        while a >= 0:
            if nodes_i[a, TURNS] == 1:
                J[row, a] = along
                J[row + 1, a] = across
            a = nodes_i[a, PARENT]


@njit
def contact_frame(c, contacts_i, contacts_f, nodes_i, pose, frame):
    """Gap of contact `c`; `frame` (8,) receives its geometry.

    Tangent, the two centres from their anchors, the distance of centres:
    `frame = (tx, ty, rx, ry, sx, sy, distance, 0)`; the distance is infinite against a half-plane (no
    curvature). Concentric discs have no direction: the normal is then taken upwards and the curvature as
    zero.
    """
    node = contacts_i[c, NODE]
    ax, ay, rx, ry = point_at(node, contacts_f[c, PX], contacts_f[c, PY], nodes_i, pose)
    frame[2], frame[3] = rx, ry
    if contacts_i[c, KIND] == PLANE:
        tx, ty = contacts_f[c, TX], contacts_f[c, TY]
        frame[0], frame[1], frame[4], frame[5], frame[6] = tx, ty, 0.0, 0.0, np.inf
        height = tx * ((ay - contacts_f[c, OY]) + ry) - ty * ((ax - contacts_f[c, OX]) + rx)
        return height - contacts_f[c, RADIUS]
    bx, by, sx, sy = point_at(contacts_i[c, OTHER], contacts_f[c, QX], contacts_f[c, QY], nodes_i, pose)
    frame[4], frame[5] = sx, sy
    nx, ny = (ax - bx) + (rx - sx), (ay - by) + (ry - sy)
    distance = math.hypot(nx, ny)
    if distance > 0.0:
        frame[0], frame[1], frame[6] = ny / distance, -nx / distance, distance
    else:
        frame[0], frame[1], frame[6] = 1.0, 0.0, np.inf
    return distance - contacts_f[c, RADIUS] - contacts_f[c, OTHER_RADIUS]


@njit
def gaps(contacts_i, contacts_f, nodes_i, pose, gap):
    """Fill `gap` (k,) only: the broad phase of a simulation."""
    frame = np.empty(8)
    for c in range(gap.shape[0]):
        gap[c] = contact_frame(c, contacts_i, contacts_f, nodes_i, pose, frame)


@njit
def contact_rows(c, row, contacts_i, contacts_f, nodes_i, pose, motion, frame, J, d, xd):
    """Rows `row` (normal) and `row + 1` (tangential) of contact `c` into `J`, `d`, `xd`; returns the gap.

    Against a half-plane: `xd_n = n.cd`, `xd_t = t.cd + r w` (the material point is `c - r n`).
    Disc against disc, `u = cd_1 - cd_2`: `xd_n = n.u`, `xd_t = t.u + r_1 w_1 + r_2 w_2`, and because the
    frame turns at the rate `t.u / distance`, `d_n = n.a + (t.u)^2 / distance`, `d_t = t.a - (t.u)(n.u) /
    distance`.
    """
    gap = contact_frame(c, contacts_i, contacts_f, nodes_i, pose, frame)
    tx, ty, rx, ry = frame[0], frame[1], frame[2], frame[3]
    nx, ny = -ty, tx
    node, r = contacts_i[c, NODE], contacts_f[c, RADIUS]
    discs = contacts_i[c, KIND] == DISCS
    other, r2, sx, sy = -1, 0.0, 0.0, 0.0
    if discs:
        other, r2, sx, sy = contacts_i[c, OTHER], contacts_f[c, OTHER_RADIUS], frame[4], frame[5]
    add_rows(node, other, rx, ry, sx, sy, nx, ny, tx, ty, r, r2, nodes_i, pose, J, row)
    w, ux, uy, ax, ay = point_motion(node, rx, ry, pose, motion)
    spin = r * w
    if discs:
        w2, vx2, vy2, ax2, ay2 = point_motion(other, sx, sy, pose, motion)
        ux, uy, ax, ay = ux - vx2, uy - vy2, ax - ax2, ay - ay2
        spin += r2 * w2
    un, ut = nx * ux + ny * uy, tx * ux + ty * uy
    turn = ut / frame[6]
    d[row] = nx * ax + ny * ay + ut * turn
    d[row + 1] = tx * ax + ty * ay - un * turn
    xd[row] = un
    xd[row + 1] = ut + spin
    return gap


@njit
def pin_rows(c, row, pins_i, pins_f, nodes_i, pose, motion, G, e, residual):
    """Rows `row`, `row + 1` of pin `c`, world axes: `residual = p_a - p_b`, `G v` its rate, `e = Gdot v`."""
    a, b = pins_i[c, 0], pins_i[c, 1]
    ax, ay, rx, ry = point_at(a, pins_f[c, 0], pins_f[c, 1], nodes_i, pose)
    bx, by, sx, sy = point_at(b, pins_f[c, 2], pins_f[c, 3], nodes_i, pose)
    add_rows(a, b, rx, ry, sx, sy, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, nodes_i, pose, G, row)
    _, _, _, accx, accy = point_motion(a, rx, ry, pose, motion)
    _, _, _, accx2, accy2 = point_motion(b, sx, sy, pose, motion)
    e[row], e[row + 1] = accx - accx2, accy - accy2
    residual[row], residual[row + 1] = (ax - bx) + (rx - sx), (ay - by) + (ry - sy)


@njit
def contact_points(nodes_i, nodes_f, contacts_i, contacts_f, q):
    """`(k, 5)`: world position of each contact's material point `c - r n`, its tangent `t`, its gap."""
    n, k = q.shape[0], contacts_i.shape[0]
    pose, frame, found = np.empty((n, 9)), np.empty(8), np.empty((k, 5))
    place(nodes_i, nodes_f, q, pose)
    for c in range(k):
        gap = contact_frame(c, contacts_i, contacts_f, nodes_i, pose, frame)
        ax, ay, rx, ry = point_at(contacts_i[c, NODE], contacts_f[c, PX], contacts_f[c, PY], nodes_i, pose)
        found[c, 0] = ax + rx + contacts_f[c, RADIUS] * frame[1]
        found[c, 1] = ay + ry - contacts_f[c, RADIUS] * frame[0]
        found[c, 2], found[c, 3], found[c, 4] = frame[0], frame[1], gap
    return found


@njit
def snapshot_arrays(nodes_i, nodes_f, contacts_i, contacts_f, pins_i, pins_f, inputs_i, inputs_f, gravity,
                    q, v):
    """All of one instant: `(M, b, J, d, xd, gap, G, e, residual, limits)`."""
    n, k, loops, t = q.shape[0], contacts_i.shape[0], pins_i.shape[0], inputs_i.shape[0]
    pose, motion = np.empty((n, 9)), np.empty((n, 5))
    place(nodes_i, nodes_f, q, pose)
    move(nodes_i, pose, v, motion)
    M, b = np.zeros((n, n)), np.empty(n)
    mass_matrix(nodes_i, nodes_f, pose, np.empty((n, 4)), M)
    bias_force(nodes_i, nodes_f, gravity, q, v, pose, motion, np.empty((n, 3)), b)
    J, d, xd, gap = np.empty((2 * k, n)), np.empty(2 * k), np.empty(2 * k), np.empty(k)
    frame = np.empty(8)
    for c in range(k):
        gap[c] = contact_rows(c, 2 * c, contacts_i, contacts_f, nodes_i, pose, motion, frame, J, d, xd)
    G, e, residual = np.empty((2 * loops, n)), np.empty(2 * loops), np.empty(2 * loops)
    for c in range(loops):
        pin_rows(c, 2 * c, pins_i, pins_f, nodes_i, pose, motion, G, e, residual)
    limits = np.empty((t, 2))
    torque_box(inputs_i, inputs_f, v, limits)
    return M, b, J, d, xd, gap, G, e, residual, limits
