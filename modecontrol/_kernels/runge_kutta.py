"""One Runge-Kutta step of fourth order with the contact forces held (section 4.1 of Bhalerao).

The complementarity problem of the step has given the impulses `p`; the forces `f = p / h`, fixed in the world's
axes at the contacts' points, act through all four stages. Sound without friction only: with it nothing makes
the held forces dissipate. Pins are kept by accelerations,  G qdd + Gdot v = -2 a G v - a^2 residual,
`a = correction / h` (Baumgarte).
"""

from modecontrol._kernels.articulated import factor
from modecontrol._kernels.compliance import contact_forces, pin_forces
from modecontrol._kernels.condense import compliance, solve_impulse
from modecontrol._kernels.contact_lcp import eliminate_pins, pin_impulses
from modecontrol._kernels.contacts import pin_rows
from modecontrol._kernels.detect import refresh, travelled
from modecontrol._kernels.jit import njit
from modecontrol._kernels.scene import ABA
from modecontrol._kernels.tree import bias_force, move, place


@njit
def acceleration(scene, bench, options, m, q, v, qdd):
    """`M qdd + b = S tau + J^T f + G^T lam` at a stage; -1, or the coordinate that moves nothing that has mass."""
    n, nb = q.shape[0], 2 * scene.pins_i.shape[0]
    h = options.h
    place(scene.nodes_i, scene.nodes_f, q, bench.pose)
    move(scene.nodes_i, bench.pose, v, bench.motion)
    bias_force(scene.nodes_i, scene.nodes_f, scene.gravity, q, v, bench.pose, bench.motion, bench.force, bench.b)
    bad = factor(scene.nodes_i, scene.nodes_f, bench.pose, bench.added, bench.inertia, bench.U, bench.D)
    if bad >= 0:
        return bad
    for i in range(n):
        bench.r[i] = bench.tau[i] - bench.b[i]
    for c in range(scene.pins_i.shape[0]):
        pin_forces(c, 2 * c, scene.pins_i, scene.pins_f, scene.nodes_i, bench.pose, bench.row_node, bench.row_force)
        bench.push[2 * c] = bench.push[2 * c + 1] = 0.0
    for i in range(m):
        row = nb + 2 * i
        contact_forces(bench.near[i], row, scene.contacts_i, scene.contacts_f, scene.nodes_i, bench.pose, bench.frame,
                       bench.row_node, bench.row_force)
        bench.push[row], bench.push[row + 1] = bench.p[row] / h, bench.p[row + 1] / h
    solve_impulse(scene, bench, ABA, nb + 2 * m, bench.push, qdd)
    if nb == 0:
        return -1
    rate = options.correction / h
    for c in range(scene.pins_i.shape[0]):
        pin_rows(c, 2 * c, scene.pins_i, scene.pins_f, scene.nodes_i, bench.pose, bench.motion, bench.J, bench.drift[0],
                 bench.drift[2])
    for row in range(nb):
        bench.u[row], speed = 0.0, 0.0
        for i in range(n):
            bench.u[row] += bench.J[row, i] * qdd[i]
            speed += bench.J[row, i] * v[i]
        bench.target[row] = -bench.drift[0, row] - 2.0 * rate * speed - rate * rate * bench.drift[2, row]
    compliance(scene, bench, ABA, nb)
    eliminate_pins(bench, nb, 0)
    pin_impulses(bench, nb, 0)
    for i in range(n):
        bench.r[i] = 0.0
    solve_impulse(scene, bench, ABA, nb, bench.p, bench.x)
    for i in range(n):
        qdd[i] += bench.x[i]
    return -1


@njit
def runge_kutta(scene, bench, options, m):
    """Advance `bench.q`, `bench.v` by `h` with the contact impulses `bench.p` of `near`; -1 or a massless coordinate."""
    n, h = bench.q.shape[0], options.h
    bench.pose_trial[:] = bench.pose
    q, v, sum_q, sum_v, a = bench.stages[0], bench.stages[1], bench.stages[2], bench.stages[3], bench.stages[4]
    for i in range(n):
        bench.added[i] = 0.0
        q[i], v[i], sum_q[i], sum_v[i] = bench.q[i], bench.v[i], 0.0, 0.0
    for stage in range(4):
        bad = acceleration(scene, bench, options, m, q, v, a)
        if bad >= 0:
            return bad
        weight = 1.0 if stage == 0 or stage == 3 else 2.0
        ahead = 0.5 * h if stage < 2 else h
        for i in range(n):
            sum_q[i] += weight * v[i]
            sum_v[i] += weight * a[i]
            q[i] = bench.q[i] + ahead * v[i]
            v[i] = bench.v[i] + ahead * a[i]
    for i in range(n):
        bench.q[i] += h / 6.0 * sum_q[i]
        bench.v[i] += h / 6.0 * sum_v[i]
    place(scene.nodes_i, scene.nodes_f, bench.q, bench.pose)
    refresh(scene, bench, bench.pose, travelled(bench.pose_trial, bench.pose, options.reach), options.slack)
    return -1
