"""What a collision gives back (Jain 2014, section 7), and never more than it took.

Decompression returns the part `restitution` of each normal impulse of compression (Poisson's law). Together with
friction, or with unlike coefficients, that law can add energy. Then the returned impulses are cut, all by the same
factor `s`, until the collision just keeps its energy: `T(0)`, after compression, is never more than the kinetic energy
before the collision, `T(1)` is more, and regula falsi, every third turn a bisection, finds where `T(s)` meets it.
"""

from modecontrol import tolerances
from modecontrol._kernels.jit import njit
from modecontrol._kernels.scene import BEFORE, CUTS, GAIN, HIGH, LOSS, LOW, PART, RESTITUTION
from modecontrol._kernels.tree import COM_X, COM_Y, COS, INERTIA, MASS, OMEGA, SIN, VX, VY, move

ROUNDING = tolerances.REFINED
CLOSE = tolerances.COMPLEMENTARY
MOST_CUTS = 30


@njit
def recover(laws, rows, nb, m, after):
    """Impulses that decompression gives back, `restitution pn`, into `push`; none `after` it. True if there are any."""
    bouncing = False
    for i in range(nb + 2 * m):
        rows.push[i] = 0.0
    if not after:
        for i in range(m):
            rows.push[nb + 2 * i] = laws[rows.near[i], RESTITUTION] * rows.p[nb + 2 * i]
            bouncing = bouncing or rows.push[nb + 2 * i] > 0.0
    return bouncing


@njit
def kinetic_energy(nodes_i, nodes_f, pose, v, motion):
    """Kinetic energy at velocity `v`; fills `motion`."""
    move(nodes_i, pose, v, motion)
    total = 0.0
    for i in range(v.shape[0]):
        m, w = nodes_f[i, MASS], motion[i, OMEGA]
        cx = pose[i, COS] * nodes_f[i, COM_X] - pose[i, SIN] * nodes_f[i, COM_Y]
        cy = pose[i, SIN] * nodes_f[i, COM_X] + pose[i, COS] * nodes_f[i, COM_Y]
        vx, vy = motion[i, VX] - w * cy, motion[i, VY] + w * cx
        total += 0.5 * (m * (vx * vx + vy * vy) + nodes_f[i, INERTIA] * w * w)
    return total


@njit
def weigh_compression(scene, bench):
    """Note the kinetic energy before the collision and what compression took; `bench.v` is before, `v_plus` after."""
    arms, clock = bench.arms, bench.clock
    after = kinetic_energy(scene.nodes_i, scene.nodes_f, arms.pose, bench.v_plus, arms.motion)
    clock[BEFORE] = kinetic_energy(scene.nodes_i, scene.nodes_f, arms.pose, bench.v, arms.motion)
    clock[LOSS] = max(clock[BEFORE] - after, 0.0)
    clock[PART], clock[LOW], clock[HIGH] = 1.0, 0.0, 1.0
    bench.tally[CUTS] = 0


@njit
def cut_back(scene, bench, nb, m):
    """True if decompression has to be solved again, with less (or more) in `push`, because energy was added.

    `arms.motion` is that of `bench.v`, the velocity after compression, as `contact_problem` needs it.
    """
    arms, clock, rows, cuts = bench.arms, bench.clock, bench.rows, bench.tally[CUTS]
    after = kinetic_energy(scene.nodes_i, scene.nodes_f, arms.pose, bench.v_plus, arms.motion)
    move(scene.nodes_i, arms.pose, bench.v, arms.motion)
    before, part = clock[BEFORE], clock[PART]
    gain = after - before
    if cuts > MOST_CUTS or (gain <= ROUNDING * before and (cuts == 0 or gain >= -CLOSE * before)):
        return False
    if gain > 0.0:
        clock[HIGH], clock[GAIN] = part, gain
    else:
        clock[LOW], clock[LOSS] = part, -gain
    low, high = clock[LOW], clock[HIGH]
    goal = (low * clock[GAIN] + high * clock[LOSS]) / (clock[GAIN] + clock[LOSS])
    if cuts % 3 == 2:
        goal = 0.5 * (low + high)
    if cuts >= MOST_CUTS or not low < goal < high:
        goal = low
        bench.tally[CUTS] = MOST_CUTS
    bench.tally[CUTS] += 1
    clock[PART] = goal
    for i in range(nb + 2 * m):
        rows.push[i] *= goal / part
    return True
