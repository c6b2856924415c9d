"""Formulation `nmc/os`, compiled: every body on its own, hinges as bilateral rows (Jain 2014, section 8).

    V+ = V_free + M^-1 (T^T lam + G^T lam' + J^T p)         M block diagonal: 1/I, 1/m, 1/m of each body
    rows of hinges `T`, pins `G`, contacts `J`:   u = rows V+        L = rows M^-1 rows^T

`L` has two rows for each hinge and is mostly zeros, but every solver for it works on the dense matrix. Two are
here: `eliminate_pins` takes the bilateral rows out by Cholesky's method, which knows that they are symmetric and
definite; `mixed_problem` hands the whole mixed complementarity problem to a pivoting solver that does not, as the
published comparison did. What remains for the contacts is the same small problem as in `os`.
"""

from typing import NamedTuple

import numpy as np

from modecontrol._kernels.contact_lcp import FAILED, build, eliminate_pins, pin_impulses, remember, solve_contacts
from modecontrol._kernels.jit import njit
from modecontrol._kernels.joint_space import waiting
from modecontrol._kernels.mixed import mixed_lemke
from modecontrol._kernels.scene import LCP_SIZE, METHOD, MU, NEAR, RESIDUAL, Rows
from modecontrol._kernels.stepper import ASK, FREE, SOFTER, advance, relax
from modecontrol._kernels.tree import ACC_X, ACC_Y, COM_X, COM_Y, COS, INERTIA, MASS, OMEGA, RX, RY, SIN, TURNS, UX, UY, VX, VY

BODY, BELOW = 0, 1
LEMKE = 3


class Independent(NamedTuple):
    """Tables and work space; bodies are called by their nodes.

    `owner` (n, 2): body that a coordinate moves, and the body below its joint (-1 the world); `hinges` (k,): nodes
    whose joint has one freedom and so two locked directions; `inverse`, `V` (n, 3); `com` (n, 2); `rows`: hinges,
    then pins, then near contacts, forces about centres of mass; `whole`: 1 for the pivoting solver.
    """

    owner: np.ndarray
    hinges: np.ndarray
    inverse: np.ndarray
    V: np.ndarray
    com: np.ndarray
    rows: Rows
    matrix: np.ndarray
    tableau: np.ndarray
    side: np.ndarray
    whole: int


def make_independent(owner, hinges, bench, pins, whole=0):
    """Work space beside a bench; `near`, `offset`, `softness`, `frame` are shared with it."""
    f, n, old = np.zeros, len(owner), bench.rows
    nb = 2 * (len(hinges) + pins)
    R = nb + 2 * len(old.near)
    rows = Rows(near=old.near, offset=old.offset, softness=old.softness, frame=old.frame, row_node=f((R, 2), np.int64),
                row_force=f((R, 2, 3)), L=f((R, R)), u=f(R), p=f(R), push=f(R), target=f(nb), chol=f((nb, nb)),
                T=f((nb, 2 * len(old.near) + 1)))
    N = nb + 4 * len(old.near) if whole else 0
    return Independent(owner, hinges, f((n, 3)), f((n, 3)), f((n, 2)), rows, f((N, N)), f((N, N + 2)), f((3, N + 2)), whole)


@njit
def free_bodies(scene, bench, work, h):
    """`V_free` of every body and the inverse masses; False where a body has no mass or inertia."""
    arms, nodes_f, owner = bench.arms, scene.nodes_f, work.owner
    pose, motion = arms.pose, arms.motion
    for i in range(owner.shape[0]):
        if owner[i, BODY] != i:
            continue
        if not (nodes_f[i, MASS] > 0.0 and nodes_f[i, INERTIA] > 0.0):
            return False
        cx = pose[i, COS] * nodes_f[i, COM_X] - pose[i, SIN] * nodes_f[i, COM_Y]
        cy = pose[i, SIN] * nodes_f[i, COM_X] + pose[i, COS] * nodes_f[i, COM_Y]
        work.com[i, 0], work.com[i, 1] = cx, cy
        work.inverse[i, 0] = 1.0 / nodes_f[i, INERTIA]
        work.inverse[i, 1] = work.inverse[i, 2] = 1.0 / nodes_f[i, MASS]
        w = motion[i, OMEGA]
        work.V[i, 0] = w
        work.V[i, 1] = motion[i, VX] - w * cy + h * (scene.gravity[0] - motion[i, ACC_X] + w * w * cx)
        work.V[i, 2] = motion[i, VY] + w * cx + h * (scene.gravity[1] - motion[i, ACC_Y] + w * w * cy)
    if h > 0.0:
        for k in range(owner.shape[0]):
            if bench.tau[k] != 0.0:
                for side in range(2):
                    i, sign = owner[k, side], 1.0 - 2.0 * side
                    if i >= 0:
                        m, fx, fy = joint_force(scene, arms.pose, work, k, owner[k, BODY], i)
                        f = sign * h * bench.tau[k]
                        work.V[i, 0] += f * m * work.inverse[i, 0]
                        work.V[i, 1] += f * fx * work.inverse[i, 1]
                        work.V[i, 2] += f * fy * work.inverse[i, 2]
    return True


@njit
def joint_force(scene, pose, work, k, body, i):
    """Unit force of coordinate `k`, whose joint ends in the origin of `body`, about the centre of mass of body `i`."""
    if scene.nodes_i[k, TURNS] == 1:
        return 1.0, 0.0, 0.0
    dx, dy = pose[body, RX] - pose[i, RX] - work.com[i, 0], pose[body, RY] - pose[i, RY] - work.com[i, 1]
    return dx * pose[k, UY] - dy * pose[k, UX], pose[k, UX], pose[k, UY]


@njit
def write_row(pose, work, row, body, below, fx, fy, moment):
    """A force at the origin of `body`, and a moment, on `body` and opposite on the body `below`."""
    rows = work.rows
    for side in range(2):
        i, sign = (body, 1.0) if side == 0 else (below, -1.0)
        rows.row_node[row, side] = i
        if i >= 0:
            dx, dy = pose[body, RX] - pose[i, RX] - work.com[i, 0], pose[body, RY] - pose[i, RY] - work.com[i, 1]
            rows.row_force[row, side, 0] = sign * (dx * fy - dy * fx + moment)
            rows.row_force[row, side, 1], rows.row_force[row, side, 2] = sign * fx, sign * fy


@njit
def body_rows(scene, bench, work, nb, m):
    """Rows of all hinges, and those of pins and contacts on the bench moved to the centres of mass."""
    pose, rows, old = bench.arms.pose, work.rows, bench.rows
    joints = 2 * work.hinges.shape[0]
    for j in range(work.hinges.shape[0]):
        k = work.hinges[j]
        below = work.owner[k, BELOW]
        if scene.nodes_i[k, TURNS] == 1:
            write_row(pose, work, 2 * j, k, below, 1.0, 0.0, 0.0)
            write_row(pose, work, 2 * j + 1, k, below, 0.0, 1.0, 0.0)
        else:
            write_row(pose, work, 2 * j, k, below, 0.0, 0.0, 1.0)
            write_row(pose, work, 2 * j + 1, k, below, -pose[k, UY], pose[k, UX], 0.0)
        rows.target[2 * j] = rows.target[2 * j + 1] = 0.0
    for i in range(nb):
        rows.target[joints + i] = old.target[i]
    for r in range(nb + 2 * m):
        for side in range(2):
            i = old.row_node[r, side]
            rows.row_node[joints + r, side] = i
            if i >= 0:
                fx, fy = old.row_force[r, side, 1], old.row_force[r, side, 2]
                rows.row_force[joints + r, side, 0] = (old.row_force[r, side, 0] - work.com[i, 0] * fy
                                                       + work.com[i, 1] * fx)
                rows.row_force[joints + r, side, 1], rows.row_force[joints + r, side, 2] = fx, fy


@njit
def add_impulse(work, row, p):
    """`V += M^-1 row^T p`."""
    for side in range(2):
        i = work.rows.row_node[row, side]
        if i >= 0:
            for k in range(3):
                work.V[i, k] += p * work.inverse[i, k] * work.rows.row_force[row, side, k]


@njit
def body_compliance(work, R):
    """`u = rows V` and `L = rows M^-1 rows^T`."""
    rows = work.rows
    for r in range(R):
        value = 0.0
        for a in range(2):
            i = rows.row_node[r, a]
            if i >= 0:
                for k in range(3):
                    value += rows.row_force[r, a, k] * work.V[i, k]
        rows.u[r] = value
        for s in range(r + 1):
            value = 0.0
            for a in range(2):
                i = rows.row_node[r, a]
                for b in range(2):
                    if i >= 0 and rows.row_node[s, b] == i:
                        for k in range(3):
                            value += rows.row_force[r, a, k] * work.inverse[i, k] * rows.row_force[s, b, k]
            rows.L[r, s] = rows.L[s, r] = value


@njit
def mixed_problem(laws, rows, basis, work, nb, m, eps, scaling, warm):
    """`solve_contacts` with the bilateral rows in the same problem: `(how, residual)`."""
    size = build(rows.L, rows.u, laws, rows.near, rows.offset, rows.softness, nb, m, eps, scaling, basis.A, basis.a)
    A = work.matrix
    N = nb + size
    for i in range(nb):
        work.side[0, i] = rows.u[i] - rows.target[i]
        for j in range(nb):
            A[i, j] = rows.L[i, j]
    fi = m
    for c in range(m):
        n, t = nb + 2 * c, nb + 2 * c + 1
        for i in range(nb):
            A[i, nb + c] = A[nb + c, i] = rows.L[i, n]
        if laws[rows.near[c], MU] > 0.0:
            for i in range(nb):
                A[i, nb + fi] = A[nb + fi, i] = rows.L[i, t]
                A[i, nb + fi + 1] = A[nb + fi + 1, i] = -rows.L[i, t]
                A[i, nb + fi + 2] = A[nb + fi + 2, i] = 0.0
            fi += 3
    for i in range(size):
        work.side[0, nb + i] = basis.a[i]
        for j in range(size):
            A[nb + i, nb + j] = basis.A[i, j]
    if warm:
        remember(laws, rows.near, m, True, basis.active, basis.memory)
    solved, residual = mixed_lemke(A, work.side[0], nb, N, warm, work.tableau, work.side, basis, rows.p)
    if not solved:
        return FAILED, residual
    fi = m
    for c in range(m):
        rows.p[nb + 2 * c], rows.p[nb + 2 * c + 1] = basis.z[c], 0.0
        if laws[rows.near[c], MU] > 0.0:
            rows.p[nb + 2 * c + 1] = basis.z[fi] - basis.z[fi + 1]
            fi += 3
    if warm:
        remember(laws, rows.near, m, False, basis.active, basis.memory)
    return LEMKE, residual


@njit
def answer_independent(scene, bench, options, work):
    """Solve the problem on the bench with independent bodies; False when it has to be solved elsewhere."""
    rows, old, m, pins = work.rows, bench.rows, bench.tally[NEAR], 2 * scene.pins_i.shape[0]
    h, push = waiting(bench)
    if not free_bodies(scene, bench, work, h):
        return False
    body_rows(scene, bench, work, pins, m)
    joints = 2 * work.hinges.shape[0]
    nb = joints + pins
    R = nb + 2 * m
    if push:
        for r in range(pins + 2 * m):
            add_impulse(work, joints + r, old.push[r])
    how, residual = FREE, 0.0
    for attempt in range(3):
        if attempt == 1 and not relax(rows, nb, m):
            continue
        body_compliance(work, R)
        if work.whole == 1:
            how, residual = mixed_problem(scene.laws, rows, bench.basis, work, nb, m,
                                          options.eps + SOFTER * (attempt == 2), options.scaling, h > 0.0)
        else:
            eliminate_pins(rows.L, rows.u, rows.target, rows.chol, rows.T, nb, m)
            if m > 0:
                how, residual = solve_contacts(scene.laws, rows, bench.basis, nb, m,
                                               options.eps + SOFTER * (attempt == 2), options.scaling, h > 0.0)
            if how != FAILED:
                pin_impulses(rows.chol, rows.T, rows.p, nb, m)
        if how != FAILED:
            break
    if how == FAILED:
        return False
    for r in range(R):
        if rows.p[r] != 0.0:
            add_impulse(work, r, rows.p[r])
    read_off(scene, bench, work)
    for r in range(pins + 2 * m):
        old.p[r] = rows.p[joints + r]
    bench.tally[METHOD], bench.clock[RESIDUAL], bench.tally[LCP_SIZE] = how if m > 0 else FREE, residual, nb
    for i in range(m):
        bench.tally[LCP_SIZE] += 4 if scene.laws[rows.near[i], MU] > 0.0 else 1
    return True


@njit
def read_off(scene, bench, work):
    """Joint velocities of the bodies' velocities, into `v_plus`."""
    pose, owner, V = bench.arms.pose, work.owner, work.V
    for k in range(owner.shape[0]):
        value = 0.0
        for side in range(2):
            i, sign = owner[k, side], 1.0 - 2.0 * side
            if i >= 0:
                moment, fx, fy = joint_force(scene, pose, work, k, owner[k, BODY], i)
                value += sign * (moment * V[i, 0] + fx * V[i, 1] + fy * V[i, 2])
        bench.v_plus[k] = value


@njit
def advance_independent(scene, bench, options, record, work, first, last, given):
    """`advance` with independent bodies; ASK only for what this cannot solve."""
    while True:
        code, first = advance(scene, bench, options, record, first, last, given)
        if code != ASK:
            return code, first
        given = answer_independent(scene, bench, options, work)
        if not given:
            return ASK, first
