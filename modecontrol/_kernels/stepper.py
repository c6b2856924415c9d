"""The stepping loop: many steps of a scene without coming back to Python.

One step is a few *stages*. MOVE places the bodies and lists the near contacts; COMPRESS and DECOMPRESS are the
two halves of a collision (`h = 0`, Jain 2014 section 7); SMOOTH solves the contact problem over the rest of
the step and moves on to its end, or to the first impact inside it, where MOVE follows again.

A contact problem that the kernel cannot solve, or that the caller wants to solve in a formulation of its own,
makes `advance` return `ASK` with the problem on the bench; called again with `given`, it takes `v_plus` and
`p` from there and goes on in the same stage.
"""

import math

from modecontrol import tolerances
from modecontrol._kernels.condense import compliance, prepare, row_velocities, solve_impulse, write_rows
from modecontrol._kernels.contact_lcp import FAILED, eliminate_pins, pin_impulses, solve_contacts
from modecontrol._kernels.contacts import contact_frame, point_at
from modecontrol._kernels.detect import along, closing_time, fastest, refresh, travelled
from modecontrol._kernels.jit import njit
from modecontrol._kernels.runge_kutta import runge_kutta
from modecontrol._kernels.scene import (
    ABA,
    EVENTS,
    HITS,
    LCP_SIZE,
    METHOD,
    NEAR,
    POSITION,
    REMAINING,
    RK4,
    STAGE,
)
from modecontrol._kernels.tree import STIFFNESS, bias_force, move, place

TOUCH = tolerances.TOUCH
SLIP = tolerances.SLIP

DONE, ASK, MASSLESS, CROWDED, INFINITE = 0, 1, 2, 3, 4
MOVE, COMPRESS, DECOMPRESS, SMOOTH = 0, 1, 2, 3
S, L, R, F = 0, 1, 2, 3
MOST_EVENTS = 64
FREE = 0


@njit
def normal_speed(scene, bench, c):
    """`xd_n` of contact `c` at `bench.motion`, and its gap."""
    gap = contact_frame(c, scene.contacts_i, scene.contacts_f, scene.nodes_i, bench.pose, bench.frame)
    frame = bench.frame
    nx, ny = -frame[1], frame[0]
    node, other = scene.contacts_i[c, 1], scene.contacts_i[c, 2]
    rx, ry, sx, sy = frame[2], frame[3], frame[4], frame[5]
    ux, uy = 0.0, 0.0
    if node >= 0:
        w = bench.motion[node, 0]
        ux = bench.motion[node, 1] - w * (ry - bench.pose[node, 3])
        uy = bench.motion[node, 2] + w * (rx - bench.pose[node, 2])
    if scene.contacts_i[c, 0] == 1 and other >= 0:
        w = bench.motion[other, 0]
        ux -= bench.motion[other, 1] - w * (sy - bench.pose[other, 3])
        uy -= bench.motion[other, 2] + w * (sx - bench.pose[other, 2])
    return nx * ux + ny * uy, gap


@njit
def list_near(scene, bench, options, h):
    """Fill `near`, `offset`, `softness`; `(count, impact)`, count -1 when there is no room for all.

    | contact   | is near when                                              | offset                        |
    |-----------|-----------------------------------------------------------|-------------------------------|
    | compliant | `gap <= 0` or it closes within the step                   | `K gap / (h K + D)`           |
    | rigid     | closed, or at rest within `slack`                         | `max(gap, g_eps) / h`         |
    | rigid, position level or RK4 | it can be reached within the step      | `max(gap, g_eps) / h`         |
    """
    count, impact = 0, False
    everywhere = options.level == POSITION or options.integrator == RK4
    ahead = 2.0 * h * fastest(bench, options.reach) + TOUCH
    for c in range(bench.gap.shape[0]):
        soft = scene.stiffness[c] < math.inf
        within = max(ahead, 4.0 * options.slack) if everywhere else options.slack + TOUCH
        if bench.gap[c] > (ahead if soft else within):
            continue
        speed, gap = normal_speed(scene, bench, c)
        bench.gap[c] = bench.budget[c] = gap
        if soft:
            if gap > TOUCH and gap + h * speed > 0.0:
                continue
        elif everywhere:
            if gap > within:
                continue
        elif gap <= TOUCH:
            impact = impact or speed < -options.impact_speed
        elif gap > options.slack or abs(speed) > options.impact_speed:
            continue
        if count == bench.near.shape[0]:
            return -1, False
        bench.near[count] = c
        if soft:
            # a contact that closes within the step gets its damper from the next step on
            K, D = scene.stiffness[c], scene.damping[c] if gap <= TOUCH else 0.0
            if K == 0.0 and D == 0.0:
                continue
            bench.offset[count] = K * gap / (h * K + D)
            bench.softness[count] = 1.0 / (h * (h * K + D))
        else:
            # penetration is recovered at the pace of a whole step even when little of the step is left
            bench.offset[count] = gap / h if gap > 0.0 else max(gap, options.g_eps) / options.h
            bench.softness[count] = 0.0
        count += 1
    return count, impact


@njit
def keep_rigid(scene, bench, m):
    """Leave in `near` the closed rigid contacts, with no offsets: those that take part in a collision."""
    count = 0
    for i in range(m):
        c = bench.near[i]
        if scene.stiffness[c] == math.inf and bench.gap[c] <= TOUCH:
            bench.near[count] = c
            bench.offset[count] = 0.0
            bench.softness[count] = 0.0
            count += 1
    return count


@njit
def pin_targets(scene, bench, options, h):
    """Velocity at which each pin shall close: a part `correction` of its opening per step, none in a collision."""
    for c in range(scene.pins_i.shape[0]):
        ax, ay, rx, ry = point_at(scene.pins_i[c, 0], scene.pins_f[c, 0], scene.pins_f[c, 1], scene.nodes_i, bench.pose)
        bx, by, sx, sy = point_at(scene.pins_i[c, 1], scene.pins_f[c, 2], scene.pins_f[c, 3], scene.nodes_i, bench.pose)
        rate = -options.correction / options.h if h > 0.0 else 0.0
        bench.target[2 * c] = rate * ((ax - bx) + (rx - sx))
        bench.target[2 * c + 1] = rate * ((ay - by) + (ry - sy))


@njit
def contact_problem(scene, bench, options, h, m, push):
    """Solve one contact problem over `h` (0 in a collision) into `v_plus`, `p`; DONE, ASK or MASSLESS.

    `push` says that the impulses in `bench.push` act beforehand: the part of a collision that is recovered.
    """
    n, nb = bench.q.shape[0], 2 * scene.pins_i.shape[0]
    rows = nb + 2 * m
    pin_targets(scene, bench, options, h)
    if options.external:
        return ASK
    bad = prepare(scene, bench, options.dynamics, h)
    if bad >= 0:
        bench.count[STAGE] = bad
        return MASSLESS
    if rows > 0:
        write_rows(scene, bench, options.dynamics, m)
    if h > 0.0:
        bias_force(scene.nodes_i, scene.nodes_f, scene.gravity, bench.q, bench.v, bench.pose, bench.motion, bench.force,
                   bench.b)
        for i in range(n):
            stiff = h * h * scene.nodes_f[i, STIFFNESS]
            bench.r[i] = h * (bench.tau[i] - bench.b[i]) - stiff * bench.v[i]
    else:
        for i in range(n):
            bench.r[i] = 0.0
    if h > 0.0 or push:
        solve_impulse(scene, bench, options.dynamics, rows if push else 0, bench.push, bench.x)
        for i in range(n):
            bench.v_free[i] = bench.v[i] + bench.x[i]
    else:
        for i in range(n):
            bench.v_free[i] = bench.v[i]
    bench.count[METHOD] = FREE
    bench.count[LCP_SIZE] = 0
    if rows == 0:
        for i in range(n):
            bench.v_plus[i] = bench.v_free[i]
        return DONE
    row_velocities(bench, options.dynamics, rows, bench.v_free, h > 0.0 or push)
    compliance(scene, bench, options.dynamics, rows)
    if nb > 0:
        eliminate_pins(bench, nb, m)
    how = solve_contacts(scene, bench, options, nb, m, h > 0.0)
    if how == FAILED:
        return ASK
    bench.count[METHOD] = how
    size = nb
    for i in range(m):
        size += 4 if scene.mu[bench.near[i]] > 0.0 else 1
    bench.count[LCP_SIZE] = size
    if nb > 0:
        pin_impulses(bench, nb, m)
    finish(scene, bench, options, rows)
    return DONE


@njit
def finish(scene, bench, options, rows):
    """`v_plus = v_free + (M + added)^-1 rows^T p`."""
    loaded = False
    for i in range(rows):
        loaded = loaded or bench.p[i] != 0.0
    for i in range(bench.q.shape[0]):
        bench.v_plus[i] = bench.v_free[i]
        bench.r[i] = 0.0
    if loaded:
        solve_impulse(scene, bench, options.dynamics, rows, bench.p, bench.x)
        for i in range(bench.q.shape[0]):
            bench.v_plus[i] += bench.x[i]


@njit
def add_impulses(scene, bench, record, step, m, part, p):
    """Add `part` of the impulses `p` to the record of a step."""
    nb = 2 * scene.pins_i.shape[0]
    for i in range(nb):
        record.loop_impulse[step, i] += part * p[i]
    for i in range(m):
        c = bench.near[i]
        record.impulse[step, 2 * c] += part * p[nb + 2 * i]
        record.impulse[step, 2 * c + 1] += part * p[nb + 2 * i + 1]


@njit
def write_letters(scene, bench, options, record, step, m):
    """S, L, R, F of each contact at the end of the step, from its impulse and tangential velocity."""
    nb = 2 * scene.pins_i.shape[0]
    for c in range(record.letters.shape[1]):
        record.letters[step, c] = S
    if m == 0:
        return
    if options.dynamics != ABA or options.external:
        if options.external:
            write_rows(scene, bench, 0, m)
        row_velocities(bench, 0, nb + 2 * m, bench.v_plus, False)
    else:
        # node velocities of v_plus
        move(scene.nodes_i, bench.pose, bench.v_plus, bench.motion)
        row_velocities(bench, ABA, nb + 2 * m, bench.v_plus, False)
    for i in range(m):
        if bench.p[nb + 2 * i] > 0.0:
            speed = bench.u[nb + 2 * i + 1]
            letter = F if abs(speed) <= SLIP else (R if speed > 0.0 else L)
            record.letters[step, bench.near[i]] = letter


@njit
def settle(scene, bench, record, step, m, push):
    """Take over the velocities after a half of a collision; keep what decompression gives back in `push`."""
    nb = 2 * scene.pins_i.shape[0]
    bouncing = False
    for i in range(bench.q.shape[0]):
        bench.v[i] = bench.v_plus[i]
    add_impulses(scene, bench, record, step, m, 1.0, bench.p)
    if push:
        add_impulses(scene, bench, record, step, m, 1.0, bench.push)
    for i in range(nb + 2 * m):
        bench.push[i] = 0.0
    if not push:
        for i in range(m):
            bench.push[nb + 2 * i] = scene.restitution[bench.near[i]] * bench.p[nb + 2 * i]
            bouncing = bouncing or bench.push[nb + 2 * i] > 0.0
    move(scene.nodes_i, bench.pose, bench.v, bench.motion)
    return bouncing


@njit
def go_on(scene, bench, options, record, step, m):
    """Move to the end of the step or to the first impact; True when the step is over."""
    n = bench.q.shape[0]
    h = bench.clock[REMAINING]
    along(bench, h, h)
    place(scene.nodes_i, scene.nodes_f, bench.trial, bench.pose_trial)
    end = h
    locate = options.level != POSITION and bench.count[EVENTS] < MOST_EVENTS
    for i in range(m):
        bench.budget[bench.near[i]] = -math.inf
    distance = travelled(bench.pose, bench.pose_trial, options.reach)
    # gaps at the end; those at the start are still needed by `closing_time`, so they are not overwritten
    first = -1
    for c in range(bench.gap.shape[0]):
        way = 2.0 * distance if scene.contacts_i[c, 0] == 1 else distance
        if locate and scene.stiffness[c] == math.inf and bench.gap[c] - way < -TOUCH and bench.budget[c] > -math.inf:
            g = contact_frame(c, scene.contacts_i, scene.contacts_f, scene.nodes_i, bench.pose_trial, bench.frame)
            if g < -TOUCH:
                end = closing_time(scene, bench, c, h, end, g)
                first = c
                along(bench, h, end)
                place(scene.nodes_i, scene.nodes_f, bench.trial, bench.pose_trial)
    for i in range(m):
        bench.budget[bench.near[i]] = bench.gap[bench.near[i]]
    part = end / h
    add_impulses(scene, bench, record, step, m, part, bench.p)
    if part == 1.0:
        for i in range(n):
            bench.v[i] = bench.v_plus[i]
    else:
        for i in range(n):
            bench.v[i] += part * (bench.v_plus[i] - bench.v[i])
    for i in range(n):
        bench.q[i] = bench.trial[i]
    distance = travelled(bench.pose, bench.pose_trial, options.reach)
    bench.pose[:] = bench.pose_trial
    refresh(scene, bench, bench.pose, distance, options.slack + 2.0 * TOUCH)
    if first >= 0:
        bench.count[EVENTS] += 1
        bench.count[HITS] = 0
        bench.clock[REMAINING] = h - end
        return not bench.clock[REMAINING] > 1e-12 * options.h
    bench.clock[REMAINING] = 0.0
    return True


@njit
def advance(scene, bench, options, record, first, last, given):
    """Steps `first` to `last - 1` from the state on the bench: `(code, step)`.

    DONE: `step` is `last`. ASK: the contact problem of `step` waits on the bench (see the head of this file).
    MASSLESS: coordinate `count[STAGE]` moves nothing that has mass. CROWDED: more contacts are near than the
    bench has room for. INFINITE: the state after `step` is not finite.
    """
    n = bench.q.shape[0]
    for step in range(first, last):
        if not given and bench.count[STAGE] == MOVE and bench.clock[REMAINING] == 0.0:
            bench.clock[REMAINING] = options.h
            bench.count[EVENTS] = bench.count[HITS] = 0
            record.method[step] = 0
        while True:
            h = bench.clock[REMAINING]
            if bench.count[STAGE] == MOVE:
                move(scene.nodes_i, bench.pose, bench.v, bench.motion)
                m, impact = list_near(scene, bench, options, h)
                if m < 0:
                    return CROWDED, step
                if impact and bench.count[HITS] < 2:
                    m = keep_rigid(scene, bench, m)
                    bench.count[STAGE] = COMPRESS
                    bench.count[HITS] += 1
                else:
                    bench.count[STAGE] = SMOOTH
                bench.count[NEAR] = m
            m, stage = bench.count[NEAR], bench.count[STAGE]
            if not given:
                code = contact_problem(scene, bench, options, h if stage == SMOOTH else 0.0, m, stage == DECOMPRESS)
                if code != DONE:
                    return code, step
            given = False
            record.size[step] = max(record.size[step], bench.count[LCP_SIZE])
            record.method[step] = max(record.method[step], bench.count[METHOD])
            record.residual[step] = max(record.residual[step], bench.numbers[0])
            bench.numbers[0] = 0.0
            if stage != SMOOTH:
                bouncing = settle(scene, bench, record, step, m, stage == DECOMPRESS)
                record.impacts[step] += stage == COMPRESS
                bench.count[STAGE] = DECOMPRESS if bouncing else MOVE
                continue
            bench.count[STAGE] = MOVE
            if options.integrator == RK4:
                add_impulses(scene, bench, record, step, m, 1.0, bench.p)
                write_letters(scene, bench, options, record, step, m)
                bad = runge_kutta(scene, bench, options, m)
                if bad >= 0:
                    bench.count[STAGE] = bad
                    return MASSLESS, step
                bench.clock[REMAINING] = 0.0
                over = True
            else:
                write_letters(scene, bench, options, record, step, m)
                over = go_on(scene, bench, options, record, step, m)
            if over:
                break
        bench.clock[REMAINING] = 0.0
        total = 0.0
        for i in range(n):
            record.q[step + 1, i] = bench.q[i]
            record.v[step + 1, i] = bench.v[i]
            total += bench.q[i] * 0.0 + bench.v[i] * 0.0
        if total != 0.0:
            return INFINITE, step
    return DONE, last
