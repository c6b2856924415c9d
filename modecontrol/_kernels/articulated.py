"""Articulated-body recursion: factor `M + diag(added)` in O(n), then solve with it in O(n).

`M = [1 + H phi K] D [1 + H phi K]^T` (Eq. (59) of Jain 2014): tips to base, the inertia `A_i` that a node
shows to its parent's motion when its own joint is free,

    U_i = A_i s_i        D_i = s_i . U_i        A_parent += shift(A_i - U_i U_i^T / D_i)

Forward dynamics is `solve` with `r = S tau - b` (`bias_force` of `tree.py` gives `b`). `added` puts terms on
the diagonal: zeros for plain dynamics, `h D + h^2 K` for a step implicit in joint dampers and springs.

    inertia (n, 10)   work: articulated 00, 01, 02, 11, 12, 22; composite mass, moments hx, hy, second moment
    U (n, 3), D (n,)  the factors
    force (n, 3)      spatial force on each node about its own origin, world axes
    accel (n, 3)      spatial acceleration (angular, linear of the node's origin), without its part at zero qdd
"""

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.jit import njit
from modecontrol._kernels.tree import (
    COM_X,
    COM_Y,
    COS,
    INERTIA,
    MASS,
    PARENT,
    RX,
    RY,
    SIN,
    TURNS,
    UX,
    UY,
    bias_force,
    move,
    place,
)

SINGULAR = tolerances.SINGULAR


@njit
def factor(nodes_i, nodes_f, pose, added, inertia, U, D):
    """Fill `U`, `D` from `pose`; returns -1, or the node whose joint moves nothing that has mass (`D` is
    zero).

    A joint counts as moving nothing when `D_i <= SINGULAR M_ii`: then `M` is singular, as with massless end
    links, and forward dynamics has no answer.
    """
    n = pose.shape[0]
    for i in range(n):
        m = nodes_f[i, MASS]
        cx = pose[i, COS] * nodes_f[i, COM_X] - pose[i, SIN] * nodes_f[i, COM_Y]
        cy = pose[i, SIN] * nodes_f[i, COM_X] + pose[i, COS] * nodes_f[i, COM_Y]
        second = nodes_f[i, INERTIA] + m * (cx * cx + cy * cy)
        inertia[i, 0], inertia[i, 1], inertia[i, 2] = second, -m * cy, m * cx
        inertia[i, 3], inertia[i, 4], inertia[i, 5] = m, 0.0, m
        inertia[i, 6], inertia[i, 7], inertia[i, 8], inertia[i, 9] = m, m * cx, m * cy, second
    for i in range(n - 1, -1, -1):
        a00, a01, a02 = inertia[i, 0], inertia[i, 1], inertia[i, 2]
        a11, a12, a22 = inertia[i, 3], inertia[i, 4], inertia[i, 5]
        if nodes_i[i, TURNS] == 1:
            u0, u1, u2, d, rigid = a00, a01, a02, a00, inertia[i, 9]
        else:
            ux, uy = pose[i, UX], pose[i, UY]
            u0, u1, u2 = a01 * ux + a02 * uy, a11 * ux + a12 * uy, a12 * ux + a22 * uy
            d, rigid = ux * u1 + uy * u2, inertia[i, 6]
        d += added[i]
        if not d > SINGULAR * (rigid + added[i]):
            return i
        U[i, 0], U[i, 1], U[i, 2], D[i] = u0, u1, u2, d
        p = nodes_i[i, PARENT]
        if p >= 0:
            k0, k1, k2 = u0 / d, u1 / d, u2 / d
            a00 -= u0 * k0
            a01 -= u0 * k1
            a02 -= u0 * k2
            a11 -= u1 * k1
            a12 -= u1 * k2
            a22 -= u2 * k2
            dx, dy = pose[i, RX] - pose[p, RX], pose[i, RY] - pose[p, RY]
            b01, b02 = a01 - dy * a11 + dx * a12, a02 - dy * a12 + dx * a22
            inertia[p, 0] += a00 - dy * a01 + dx * a02 - dy * b01 + dx * b02
            inertia[p, 1] += b01
            inertia[p, 2] += b02
            inertia[p, 3] += a11
            inertia[p, 4] += a12
            inertia[p, 5] += a22
            m, hx, hy = inertia[i, 6], inertia[i, 7], inertia[i, 8]
            inertia[p, 6] += m
            inertia[p, 7] += hx + m * dx
            inertia[p, 8] += hy + m * dy
            inertia[p, 9] += inertia[i, 9] + 2.0 * (dx * hx + dy * hy) + m * (dx * dx + dy * dy)
    return -1


@njit
def solve(nodes_i, pose, U, D, r, force, accel, x):
    """`x = (M + diag(added))^-1 (r + J^T f)` with `f` the spatial forces in `force`, which is overwritten.

    `accel` receives the spatial acceleration `x` gives each node. For a generalised right-hand side alone
    pass zeros in `force`.
    """
    n = r.shape[0]
    for i in range(n - 1, -1, -1):
        f0, f1, f2 = force[i, 0], force[i, 1], force[i, 2]
        u = r[i] + (f0 if nodes_i[i, TURNS] == 1 else pose[i, UX] * f1 + pose[i, UY] * f2)
        x[i] = u
        p = nodes_i[i, PARENT]
        if p >= 0:
            u /= D[i]
            f0 -= U[i, 0] * u
            f1 -= U[i, 1] * u
            f2 -= U[i, 2] * u
            dx, dy = pose[i, RX] - pose[p, RX], pose[i, RY] - pose[p, RY]
            force[p, 0] += f0 + dx * f2 - dy * f1
            force[p, 1] += f1
            force[p, 2] += f2
    for i in range(n):
        p = nodes_i[i, PARENT]
        w, ax, ay = 0.0, 0.0, 0.0
        if p >= 0:
            dx, dy = pose[i, RX] - pose[p, RX], pose[i, RY] - pose[p, RY]
            w = accel[p, 0]
            ax, ay = accel[p, 1] - w * dy, accel[p, 2] + w * dx
        value = (x[i] - U[i, 0] * w - U[i, 1] * ax - U[i, 2] * ay) / D[i]
        x[i] = value
        if nodes_i[i, TURNS] == 1:
            w += value
        else:
            ax += pose[i, UX] * value
            ay += pose[i, UY] * value
        accel[i, 0], accel[i, 1], accel[i, 2] = w, ax, ay


@njit
def workspace(n):
    """`(pose, motion, inertia, U, D, force, accel, b)` for a tree of `n` nodes."""
    return (np.empty((n, 9)), np.empty((n, 5)), np.empty((n, 10)), np.empty((n, 3)), np.empty(n),
            np.empty((n, 3)), np.empty((n, 3)), np.empty(n))


@njit
def articulated(nodes_i, nodes_f, gravity, q, v, tau, added, pose, motion, inertia, U, D, force, accel, b,
                qdd):
    """`qdd = (M + diag(added))^-1 (tau - b)` with `tau` (n,) generalised forces; all else is work space.

    Returns -1, or the node where `factor` failed. Nothing is allocated; `pose`, `motion`, `U`, `D` stay valid
    for `solve` and for the compliance recursion at the same state.
    """
    place(nodes_i, nodes_f, q, pose)
    move(nodes_i, pose, v, motion)
    bias_force(nodes_i, nodes_f, gravity, q, v, pose, motion, force, b)
    bad = factor(nodes_i, nodes_f, pose, added, inertia, U, D)
    if bad >= 0:
        return bad
    for i in range(q.shape[0]):
        b[i] = tau[i] - b[i]
        force[i, 0], force[i, 1], force[i, 2] = 0.0, 0.0, 0.0
    solve(nodes_i, pose, U, D, b, force, accel, qdd)
    return -1


@njit
def solve_many(nodes_i, nodes_f, q, added, R):
    """`X = (M + diag(added))^-1 R` for right-hand sides in the rows of `R` (m, n); `(bad node or -1, X)`."""
    m, n = R.shape
    pose, _, inertia, U, D, force, accel, _ = workspace(n)
    X = np.empty((m, n))
    place(nodes_i, nodes_f, q, pose)
    bad = factor(nodes_i, nodes_f, pose, added, inertia, U, D)
    if bad < 0:
        for k in range(m):
            force[:] = 0.0
            solve(nodes_i, pose, U, D, R[k], force, accel, X[k])
    return bad, X
