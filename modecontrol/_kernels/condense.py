"""`(M + diag(added))^-1` of a scene, by articulated bodies, divide and conquer or Cholesky: prepare, then use.

    prepare           factor at the present pose; `added = h D + h^2 K` makes joint dampers and springs implicit
    solve_impulse     x = (M + added)^-1 (r + rows^T p)
    compliance        L = rows (M + added)^-1 rows^T
    row_velocities    u = rows v
"""

import math

from modecontrol import tolerances
from modecontrol._kernels.articulated import factor, solve
from modecontrol._kernels.compliance import compliance_rows, contact_forces, pin_forces
from modecontrol._kernels.contacts import contact_rows, pin_rows
from modecontrol._kernels.divide_conquer import assemble, substitute
from modecontrol._kernels.jit import njit
from modecontrol._kernels.scene import ABA, DENSE
from modecontrol._kernels.tree import DAMPING, STIFFNESS, mass_matrix

SINGULAR = tolerances.SINGULAR


@njit
def cholesky(M, n, C):
    """`M = C C^T`, lower triangle; -1, or the row whose pivot is rounding compared with its diagonal."""
    for i in range(n):
        for j in range(i + 1):
            value = M[i, j]
            for k in range(j):
                value -= C[i, k] * C[j, k]
            if i == j:
                if not value > SINGULAR * M[i, i]:
                    return i
                C[i, i] = math.sqrt(value)
            else:
                C[i, j] = value / C[j, j]
    return -1


@njit
def lower_solve(C, n, x):
    """`x <- C^-1 x`."""
    for i in range(n):
        value = x[i]
        for k in range(i):
            value -= C[i, k] * x[k]
        x[i] = value / C[i, i]


@njit
def upper_solve(C, n, x):
    """`x <- C^-T x`."""
    for i in range(n - 1, -1, -1):
        value = x[i] / C[i, i]
        x[i] = value
        for k in range(i):
            x[k] -= C[i, k] * value


@njit
def prepare(scene, bench, dynamics, h):
    """Factor at `bench.pose`; -1, or the coordinate that moves nothing that has mass."""
    n = bench.q.shape[0]
    for i in range(n):
        bench.added[i] = h * (scene.nodes_f[i, DAMPING] + h * scene.nodes_f[i, STIFFNESS])
    if dynamics == ABA:
        return factor(scene.nodes_i, scene.nodes_f, bench.pose, bench.added, bench.inertia, bench.U, bench.D)
    if dynamics == DENSE:
        mass_matrix(scene.nodes_i, scene.nodes_f, bench.pose, bench.inertia, bench.M)
        for i in range(n):
            bench.M[i, i] += bench.added[i]
        return cholesky(bench.M, n, bench.C)
    return assemble(scene.groups, scene.members, scene.articles, scene.handles, scene.ops, scene.nodes_i,
                    scene.nodes_f, bench.pose, bench.phi, bench.base, bench.lock, bench.YJ, bench.PJ, bench.EJ)


@njit
def write_rows(scene, bench, dynamics, m):
    """Rows of all pins and of the `m` near contacts at `bench.pose` and `bench.motion`."""
    pins = scene.pins_i.shape[0]
    if dynamics == ABA:
        for c in range(pins):
            pin_forces(c, 2 * c, scene.pins_i, scene.pins_f, scene.nodes_i, bench.pose, bench.row_node, bench.row_force)
        for i in range(m):
            contact_forces(bench.near[i], 2 * (pins + i), scene.contacts_i, scene.contacts_f, scene.nodes_i, bench.pose,
                           bench.frame, bench.row_node, bench.row_force)
        return
    d, xd, residual = bench.drift[0], bench.drift[1], bench.drift[2]
    for c in range(pins):
        pin_rows(c, 2 * c, scene.pins_i, scene.pins_f, scene.nodes_i, bench.pose, bench.motion, bench.J, d, residual)
    for i in range(m):
        contact_rows(bench.near[i], 2 * (pins + i), scene.contacts_i, scene.contacts_f, scene.nodes_i, bench.pose,
                     bench.motion, bench.frame, bench.J, d, xd)


@njit
def solve_impulse(scene, bench, dynamics, R, p, x):
    """`x = (M + added)^-1 (r + rows^T p)` over the first `R` rows; `bench.r` is kept, `bench.accel` is `x` by node."""
    n = x.shape[0]
    if dynamics == ABA:
        for i in range(n):
            bench.force[i, 0], bench.force[i, 1], bench.force[i, 2] = 0.0, 0.0, 0.0
        for row in range(R):
            if p[row] != 0.0:
                for side in range(2):
                    node = bench.row_node[row, side]
                    if node >= 0:
                        for k in range(3):
                            bench.force[node, k] += p[row] * bench.row_force[row, side, k]
        solve(scene.nodes_i, bench.pose, bench.U, bench.D, bench.r, bench.force, bench.accel, x)
        return
    right = bench.trial
    for i in range(n):
        right[i] = bench.r[i]
    for row in range(R):
        if p[row] != 0.0:
            for i in range(n):
                right[i] += bench.J[row, i] * p[row]
    if dynamics == DENSE:
        for i in range(n):
            x[i] = right[i]
        lower_solve(bench.C, n, x)
        upper_solve(bench.C, n, x)
        return
    substitute(scene.groups, scene.members, scene.articles, scene.ops, bench.base, bench.YJ, bench.PJ, bench.EJ, right,
               bench.gJ, bench.betaJ, bench.bJ, bench.fJ, x)


@njit
def compliance(scene, bench, dynamics, R):
    """Fill the first `R` rows and columns of `bench.L`."""
    n = bench.q.shape[0]
    if dynamics == ABA:
        compliance_rows(scene.nodes_i, bench.pose, bench.U, bench.D, scene.common, R, bench.row_node, bench.row_force,
                        bench.Y, bench.W, bench.L)
        return
    left = bench.J
    for row in range(R):
        if dynamics == DENSE:
            for i in range(n):
                bench.Z[row, i] = bench.J[row, i]
            lower_solve(bench.C, n, bench.Z[row])
        else:
            substitute(scene.groups, scene.members, scene.articles, scene.ops, bench.base, bench.YJ, bench.PJ, bench.EJ,
                       bench.J[row], bench.gJ, bench.betaJ, bench.bJ, bench.fJ, bench.Z[row])
    if dynamics == DENSE:
        left = bench.Z
    for row in range(R):
        for column in range(row + 1):
            value = 0.0
            for i in range(n):
                value += left[row, i] * bench.Z[column, i]
            bench.L[row, column] = value
            bench.L[column, row] = value


@njit
def row_velocities(bench, dynamics, R, v, change):
    """`bench.u = rows v`. With articulated bodies `v` is that of `bench.motion`, plus `bench.accel` if `change`."""
    if dynamics == ABA:
        for row in range(R):
            value = 0.0
            for side in range(2):
                node = bench.row_node[row, side]
                if node >= 0:
                    for k in range(3):
                        speed = bench.motion[node, k] + (bench.accel[node, k] if change else 0.0)
                        value += bench.row_force[row, side, k] * speed
            bench.u[row] = value
        return
    for row in range(R):
        value = 0.0
        for i in range(v.shape[0]):
            value += bench.J[row, i] * v[i]
        bench.u[row] = value
