"""Operational-space compliance `L = J M^-1 J^T` without forming `M` or `J`: O(n) + O(rows^2).

Base to tips (Eq. (68) of the appendix of Jain 2014), from the factors of `articulated.py`,

    Y(k) = psi^T Y(parent) psi + s D^-1 s^T          psi f = shift(f - U (s . f) / D)

is the acceleration that a spatial force on node `k` gives node `k`. Two forces meet at their nearest common
ancestor `c` (Eq. (69)):  L(r, s) = (psi(c, i) w_r)^T Y(c) (psi(c, j) w_s).

A row (one direction of a contact, one equation of a pin) is a unit force on one node and, for disc against
disc and pins, the opposite one on another:

    row_node (m, 2)       the nodes, -1 for none
    row_force (m, 2, 3)   spatial forces about the origins of these nodes, world axes
"""

import numpy as np

from modecontrol._kernels.articulated import factor, workspace
from modecontrol._kernels.contacts import (
    DISCS,
    KIND,
    NODE,
    OTHER,
    OTHER_RADIUS,
    RADIUS,
    contact_frame,
    point_at,
)
from modecontrol._kernels.jit import njit
from modecontrol._kernels.tree import PARENT, RX, RY, TURNS, UX, UY, place


@njit
def _write(row, side, node, moment, fx, fy, rx, ry, pose, row_node, row_force):
    """A force at `(rx, ry)` from the anchor, plus a moment, as a spatial force about the node's origin."""
    row_node[row, side] = node
    if node >= 0:
        dx, dy = rx - pose[node, RX], ry - pose[node, RY]
        row_force[row, side, 0] = dx * fy - dy * fx + moment
        row_force[row, side, 1], row_force[row, side, 2] = fx, fy


@njit
def contact_forces(c, row, contacts_i, contacts_f, nodes_i, pose, frame, row_node, row_force):
    """Rows `row` (normal), `row + 1` (tangential) of contact `c`; `frame` (8,) is work; returns the gap."""
    gap = contact_frame(c, contacts_i, contacts_f, nodes_i, pose, frame)
    tx, ty, rx, ry, sx, sy = frame[0], frame[1], frame[2], frame[3], frame[4], frame[5]
    node, other = contacts_i[c, NODE], contacts_i[c, OTHER] if contacts_i[c, KIND] == DISCS else -1
    _write(row, 0, node, 0.0, -ty, tx, rx, ry, pose, row_node, row_force)
    _write(row, 1, other, 0.0, ty, -tx, sx, sy, pose, row_node, row_force)
    _write(row + 1, 0, node, contacts_f[c, RADIUS], tx, ty, rx, ry, pose, row_node, row_force)
    _write(row + 1, 1, other, contacts_f[c, OTHER_RADIUS], -tx, -ty, sx, sy, pose, row_node, row_force)
    return gap


@njit
def pin_forces(c, row, pins_i, pins_f, nodes_i, pose, row_node, row_force):
    """Rows `row` (x), `row + 1` (y) of pin `c`."""
    a, b = pins_i[c, 0], pins_i[c, 1]
    _, _, rx, ry = point_at(a, pins_f[c, 0], pins_f[c, 1], nodes_i, pose)
    _, _, sx, sy = point_at(b, pins_f[c, 2], pins_f[c, 3], nodes_i, pose)
    _write(row, 0, a, 0.0, 1.0, 0.0, rx, ry, pose, row_node, row_force)
    _write(row, 1, b, 0.0, -1.0, 0.0, sx, sy, pose, row_node, row_force)
    _write(row + 1, 0, a, 0.0, 0.0, 1.0, rx, ry, pose, row_node, row_force)
    _write(row + 1, 1, b, 0.0, 0.0, -1.0, sx, sy, pose, row_node, row_force)


@njit
def compliance_kernel(nodes_i, pose, U, D, Y):
    """Fill `Y` (n, 6): 00, 01, 02, 11, 12, 22 of the compliance of each node at its own origin."""
    for i in range(D.shape[0]):
        p = nodes_i[i, PARENT]
        y00, y01, y02, y11, y12, y22 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        turns, ux, uy = nodes_i[i, TURNS] == 1, pose[i, UX], pose[i, UY]
        z0, z1, z2 = 0.0, 0.0, 0.0
        if p >= 0:
            dx, dy = pose[i, RX] - pose[p, RX], pose[i, RY] - pose[p, RY]
            y00, y01, y02 = Y[p, 0], Y[p, 1], Y[p, 2]
            y11 = Y[p, 3] - 2.0 * dy * y01 + dy * dy * y00
            y12 = Y[p, 4] + dx * y01 - dy * y02 - dx * dy * y00
            y22 = Y[p, 5] + 2.0 * dx * y02 + dx * dx * y00
            y01 -= dy * y00
            y02 += dx * y00
            k0, k1, k2 = U[i, 0] / D[i], U[i, 1] / D[i], U[i, 2] / D[i]
            z0, z1, z2 = (y00 * k0 + y01 * k1 + y02 * k2, y01 * k0 + y11 * k1 + y12 * k2,
                          y02 * k0 + y12 * k1 + y22 * k2)
            own = 1.0 / D[i] + k0 * z0 + k1 * z1 + k2 * z2
        else:
            own = 1.0 / D[i]
        if turns:
            y00 += own - 2.0 * z0
            y01 -= z1
            y02 -= z2
        else:
            y01 -= ux * z0
            y02 -= uy * z0
            y11 += ux * (ux * own - 2.0 * z1)
            y12 += ux * uy * own - ux * z2 - uy * z1
            y22 += uy * (uy * own - 2.0 * z2)
        Y[i, 0], Y[i, 1], Y[i, 2], Y[i, 3], Y[i, 4], Y[i, 5] = y00, y01, y02, y11, y12, y22


@njit
def _walk(node, side, row, nodes_i, pose, U, D, row_force, W):
    """Fill `W[row, side, k]` with `psi(k, node) w` for every `k` from the node to its root."""
    f0, f1, f2 = row_force[row, side, 0], row_force[row, side, 1], row_force[row, side, 2]
    i = node
    while i >= 0:
        W[row, side, i, 0], W[row, side, i, 1], W[row, side, i, 2] = f0, f1, f2
        p = nodes_i[i, PARENT]
        if p >= 0:
            u = (f0 if nodes_i[i, TURNS] == 1 else pose[i, UX] * f1 + pose[i, UY] * f2) / D[i]
            f0 -= U[i, 0] * u
            f1 -= U[i, 1] * u
            f2 -= U[i, 2] * u
            f0 += (pose[i, RX] - pose[p, RX]) * f2 - (pose[i, RY] - pose[p, RY]) * f1
        i = p


@njit
def compliance_rows(nodes_i, pose, U, D, common, m, row_node, row_force, Y, W, L):
    """Fill the first `m` rows and columns of `L`; `Y` (n, 6) and `W` (>= m, 2, n, 3) are work space.

    `common` (n, n) is the table of nearest common ancestors, -1 where nodes are in different trees.
    """
    compliance_kernel(nodes_i, pose, U, D, Y)
    for r in range(m):
        for side in range(2):
            if row_node[r, side] >= 0:
                _walk(row_node[r, side], side, r, nodes_i, pose, U, D, row_force, W)
    for r in range(m):
        for s in range(r + 1):
            total = 0.0
            for a in range(2):
                for b in range(2):
                    i, j = row_node[r, a], row_node[s, b]
                    if i < 0 or j < 0:
                        continue
                    c = common[i, j]
                    if c >= 0:
                        f0, f1, f2 = W[s, b, c, 0], W[s, b, c, 1], W[s, b, c, 2]
                        total += (W[r, a, c, 0] * (Y[c, 0] * f0 + Y[c, 1] * f1 + Y[c, 2] * f2)
                                  + W[r, a, c, 1] * (Y[c, 1] * f0 + Y[c, 3] * f1 + Y[c, 4] * f2)
                                  + W[r, a, c, 2] * (Y[c, 2] * f0 + Y[c, 4] * f1 + Y[c, 5] * f2))
            L[r, s] = total
            L[s, r] = total


@njit
def row_rates(m, row_node, row_force, twist, rate):
    """`rate = J x` for the first `m` rows, by virtual power: unit forces times the twists of their nodes.

    `twist` (n, >= 3) is `motion` for velocities (`J v`) or `accel` of `articulated.solve` (`J qdd`).
    """
    for r in range(m):
        total = 0.0
        for side in range(2):
            i = row_node[r, side]
            if i >= 0:
                total += (row_force[r, side, 0] * twist[i, 0] + row_force[r, side, 1] * twist[i, 1]
                          + row_force[r, side, 2] * twist[i, 2])
        rate[r] = total


@njit
def add_row_forces(m, row_node, row_force, p, force):
    """Add the row forces `p` (>= m,) to the spatial forces `force` (n, 3) of the nodes: `J^T p` for `solve`."""
    for r in range(m):
        for side in range(2):
            i = row_node[r, side]
            if i >= 0:
                for a in range(3):
                    force[i, a] += p[r] * row_force[r, side, a]


@njit
def compliance_matrix(nodes_i, nodes_f, contacts_i, contacts_f, pins_i, pins_f, common, q, added):
    """`L` of all contacts, then all pins, at `q`: `(bad node or -1, L)`. Allocates; for use outside loops."""
    n, k, loops = q.shape[0], contacts_i.shape[0], pins_i.shape[0]
    m = 2 * (k + loops)
    pose, _, inertia, U, D, _, _, _ = workspace(n)
    L = np.zeros((m, m))
    place(nodes_i, nodes_f, q, pose)
    bad = factor(nodes_i, nodes_f, pose, added, inertia, U, D)
    if bad < 0:
        row_node, row_force, frame = np.empty((m, 2), np.int64), np.zeros((m, 2, 3)), np.empty(8)
        for c in range(k):
            contact_forces(c, 2 * c, contacts_i, contacts_f, nodes_i, pose, frame, row_node, row_force)
        for c in range(loops):
            pin_forces(c, 2 * (k + c), pins_i, pins_f, nodes_i, pose, row_node, row_force)
        compliance_rows(nodes_i, pose, U, D, common, m, row_node, row_force, np.empty((n, 6)),
                        np.empty((m, 2, n, 3)), L)
    return bad, L
