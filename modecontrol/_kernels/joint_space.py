"""The contact problem of a step in joint coordinates, with any solver for the mass matrix: `dense` and `dca`.

    X = (r; J) W^-1         v_free = v + X_0         u = J v_free         L = J X_J^T         v+ = v_free + p X_J

`stepper.advance` with `external` set leaves the problem of each stage on the bench and returns `ASK`; here it is
answered without coming back to Python. `dense` factors the composite-rigid-body mass matrix (O(n^3)), `dca`
assembles handle equations over a balanced tree (O(n)); the articulated bodies of `stepper.py` need neither `J` nor
`X`. All three give the same numbers, so these two are for comparison.
"""

import math
from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.contact_lcp import FAILED, eliminate_pins, pin_impulses, solve_contacts
from modecontrol._kernels.divide_conquer import assemble, substitute
from modecontrol._kernels.jit import njit
from modecontrol._kernels.scene import LCP_SIZE, METHOD, MU, NEAR, REMAINING, RESIDUAL, STAGE
from modecontrol._kernels.stepper import ASK, DECOMPRESS, FREE, SMOOTH, SOFTER, advance, relax
from modecontrol._kernels.tree import DAMPING, PARENT, RX, RY, STIFFNESS, TURNS, UX, UY, bias_force, mass_matrix

SINGULAR = tolerances.SINGULAR


class JointSpace(NamedTuple):
    """Work space: rows `J` (R, n), solutions `X` (R + 1, n), mass matrix `M` (n, n), `composite` (n, 4)."""

    J: np.ndarray
    X: np.ndarray
    M: np.ndarray
    composite: np.ndarray


class Halves(NamedTuple):
    """The plan and the work space of divide and conquer: see `handles.py`."""

    groups: np.ndarray
    members: np.ndarray
    articles: np.ndarray
    handles: np.ndarray
    ops: np.ndarray
    phi: np.ndarray
    base: np.ndarray
    lock: np.ndarray
    Y: np.ndarray
    P: np.ndarray
    E: np.ndarray
    g: np.ndarray
    beta: np.ndarray
    b: np.ndarray
    f: np.ndarray


def make_joint_space(n, R, dense):
    """Work space for `n` coordinates and up to `R` rows; the matrix only if it is needed."""
    size = n if dense else 0
    return JointSpace(np.zeros((R, n)), np.zeros((R + 1, n)), np.zeros((size, size)), np.zeros((size, 4)))


def make_halves(plan):
    """Work space for a plan of `modecontrol.dynamics.assembly`."""
    bodies, joins, handles = len(plan.groups), len(plan.ops), len(plan.handles)
    f = np.zeros
    return Halves(plan.groups, plan.members, plan.articles, plan.handles, plan.ops, f(plan.entries),
                  f((bodies, 3, 3)), f((bodies, 2, 3)), f((joins, 3, 3)), f((joins, 3, 3)), f((handles, 3, 3)),
                  f((joins, 3)), f((joins, 3)), f((handles, 3)), f((handles, 3)))


@njit
def waiting(bench):
    """The problem on the bench: the time over which forces act, and whether `rows.push` acts beforehand."""
    stage = bench.tally[STAGE]
    return (bench.clock[REMAINING] if stage == SMOOTH else 0.0), stage == DECOMPRESS


@njit
def expand(nodes_i, pose, R, row_node, row_force, J):
    """Rows of unit spatial forces as generalised forces: `J` (R, n), by walking to the root."""
    for row in range(R):
        for k in range(J.shape[1]):
            J[row, k] = 0.0
        for side in range(2):
            k = row_node[row, side]
            if k < 0:
                continue
            moment, fx, fy = row_force[row, side, 0], row_force[row, side, 1], row_force[row, side, 2]
            x, y = pose[k, RX], pose[k, RY]
            while k >= 0:
                moment += (x - pose[k, RX]) * fy - (y - pose[k, RY]) * fx
                x, y = pose[k, RX], pose[k, RY]
                J[row, k] += moment if nodes_i[k, TURNS] == 1 else pose[k, UX] * fx + pose[k, UY] * fy
                k = nodes_i[k, PARENT]


@njit
def known_impulse(scene, bench, J, R, h, push, r):
    """`r = h (tau - b) - h^2 K v + J^T push`, and the diagonal `h D + h^2 K` into `arms.added`."""
    arms, nodes_f = bench.arms, scene.nodes_f
    n = r.shape[0]
    if h > 0.0:
        bias_force(scene.nodes_i, nodes_f, scene.gravity, bench.q, bench.v, arms.pose, arms.motion, arms.force, arms.b)
    for i in range(n):
        arms.added[i] = h * (nodes_f[i, DAMPING] + h * nodes_f[i, STIFFNESS])
        r[i] = h * (bench.tau[i] - arms.b[i] - h * nodes_f[i, STIFFNESS] * bench.v[i]) if h > 0.0 else 0.0
    if push:
        for row in range(R):
            for i in range(n):
                r[i] += bench.rows.push[row] * J[row, i]


@njit
def cholesky(M, added):
    """`M + diag(added) = U^T U`, `U` in the upper triangle of `M`; -1, or the row where it breaks down.

    Row by row, so that the inner loop runs along rows of the matrix and is vectorised.
    """
    n = M.shape[0]
    for i in range(n):
        M[i, i] += added[i]
        M[i, 0] = M[i, i]     # the lower triangle is free: keeps the diagonal for the test below
    for k in range(n):
        if not M[k, k] > SINGULAR * M[k, 0]:
            return k
        root = math.sqrt(M[k, k])
        for j in range(k, n):
            M[k, j] /= root
        for i in range(k + 1, n):
            f = M[k, i]
            if f != 0.0:
                for j in range(i, n):
                    M[i, j] -= f * M[k, j]
    return -1


@njit
def cholesky_solve(U, x):
    """`x <- (U^T U)^-1 x`."""
    n = U.shape[0]
    for k in range(n):
        x[k] /= U[k, k]
        f = x[k]
        for j in range(k + 1, n):
            x[j] -= f * U[k, j]
    for k in range(n - 1, -1, -1):
        value = x[k]
        for j in range(k + 1, n):
            value -= U[k, j] * x[j]
        x[k] = value / U[k, k]


@njit
def settle(scene, bench, options, J, X, h, m):
    """Impulses and `v_plus` of the waiting problem from `X`; False when Lemke's method finds no answer."""
    rows, n, nb = bench.rows, bench.q.shape[0], 2 * scene.pins_i.shape[0]
    R = nb + 2 * m
    for i in range(n):
        bench.v_free[i] = bench.v_plus[i] = bench.v[i] + X[0, i]
    bench.tally[METHOD], bench.tally[LCP_SIZE], bench.clock[RESIDUAL] = FREE, nb, 0.0
    if R == 0:
        return True
    how, residual = FREE, 0.0
    for attempt in range(3):
        if attempt == 1 and not relax(rows, nb, m):
            continue
        for r in range(R):
            value = 0.0
            for i in range(n):
                value += J[r, i] * bench.v_free[i]
            rows.u[r] = value
            for s in range(r + 1):
                value = 0.0
                for i in range(n):
                    value += J[r, i] * X[1 + s, i]
                rows.L[r, s] = rows.L[s, r] = value
        if nb > 0:
            eliminate_pins(rows.L, rows.u, rows.target, rows.chol, rows.T, nb, m)
        if m == 0:
            break
        how, residual = solve_contacts(scene.laws, rows, bench.basis, nb, m, options.eps + SOFTER * (attempt == 2),
                                       options.scaling, h > 0.0)
        if how != FAILED:
            break
    if how == FAILED:
        return False
    if nb > 0:
        pin_impulses(rows.chol, rows.T, rows.p, nb, m)
    bench.tally[METHOD], bench.clock[RESIDUAL] = how, residual
    for i in range(m):
        bench.tally[LCP_SIZE] += 4 if scene.laws[rows.near[i], MU] > 0.0 else 1
    for r in range(R):
        if rows.p[r] != 0.0:
            for i in range(n):
                bench.v_plus[i] += rows.p[r] * X[1 + r, i]
    return True


@njit
def advance_dense(scene, bench, options, record, space, first, last, given):
    """`advance` with the mass matrix and its Cholesky factor; ASK only for what this cannot solve."""
    while True:
        code, first = advance(scene, bench, options, record, first, last, given)
        if code != ASK:
            return code, first
        h, push = waiting(bench)
        m = bench.tally[NEAR]
        R = 2 * scene.pins_i.shape[0] + 2 * m
        expand(scene.nodes_i, bench.arms.pose, R, bench.rows.row_node, bench.rows.row_force, space.J)
        known_impulse(scene, bench, space.J, R, h, push, space.X[0])
        for i in range(space.M.shape[0]):
            for j in range(space.M.shape[0]):
                space.M[i, j] = 0.0
        mass_matrix(scene.nodes_i, scene.nodes_f, bench.arms.pose, space.composite, space.M)
        if cholesky(space.M, bench.arms.added) >= 0:
            return ASK, first
        for r in range(R):
            for i in range(space.M.shape[0]):
                space.X[1 + r, i] = space.J[r, i]
        for r in range(R + 1):
            cholesky_solve(space.M, space.X[r])
        given = settle(scene, bench, options, space.J, space.X, h, m)
        if not given:
            return ASK, first


@njit
def advance_halves(scene, bench, options, record, space, plan, first, last, given):
    """`advance` by divide and conquer; ASK only for what this cannot solve."""
    arms = bench.arms
    while True:
        code, first = advance(scene, bench, options, record, first, last, given)
        if code != ASK:
            return code, first
        h, push = waiting(bench)
        m = bench.tally[NEAR]
        R = 2 * scene.pins_i.shape[0] + 2 * m
        expand(scene.nodes_i, arms.pose, R, bench.rows.row_node, bench.rows.row_force, space.J)
        known_impulse(scene, bench, space.J, R, h, push, arms.r)
        if assemble(plan.groups, plan.members, plan.articles, plan.handles, plan.ops, scene.nodes_i, scene.nodes_f,
                    arms.pose, arms.added, plan.phi, plan.base, plan.lock, plan.Y, plan.P, plan.E) >= 0:
            return ASK, first
        for r in range(R + 1):
            substitute(plan.groups, plan.members, plan.articles, plan.ops, plan.base, plan.Y, plan.P, plan.E,
                       arms.r if r == 0 else space.J[r - 1], plan.g, plan.beta, plan.b, plan.f, space.X[r])
        given = settle(scene, bench, options, space.J, space.X, h, m)
        if not given:
            return ASK, first
