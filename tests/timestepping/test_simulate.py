"""The simulator against mechanics that is known in closed form, and against balances of momentum and energy."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes import ball, cradle, grid, hanging_chain, mass_on_spring, momentum_books, thrown_box

import modecontrol as mc
from modecontrol.timestepping import simulate

G = 9.81


def along(slope):
    return np.array([math.cos(slope), math.sin(slope), 0.0])


# Friction
# -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", [0.5, 0.999])
def test_block_below_the_friction_angle_does_not_move_in_ten_seconds(part):
    slope = part * math.atan(0.5)
    run = simulate(mc.load("block", slope=slope, mu=0.5), duration=10.0, step=1e-3)
    assert run.completed
    assert set(run.modes) == {"FF"}
    assert np.abs(run.q - run.q[0]).max() < 1e-15
    assert np.abs(run.v).max() < 1e-15


@pytest.mark.parametrize("slope", [0.5, 0.6, 0.9])
def test_block_above_the_friction_angle_slides_with_the_textbook_acceleration(slope):
    run = simulate(mc.load("block", slope=slope, mu=0.5), duration=0.5, step=1e-3)
    expected = -G * (math.sin(slope) - 0.5 * math.cos(slope))
    assert set(run.modes) == {"LL"}
    np.testing.assert_allclose(run.acceleration @ along(slope), expected, rtol=1e-11)
    assert np.abs(run.q[:, 2] - slope).max() < 1e-13


def test_pushed_block_sticks_then_slides_then_stops():
    model = mc.load("block", mu=0.3)
    weight = 2.0 * G
    run = simulate(model, controller=lambda t, q, v: [0.5 * weight if t < 0.2 else 0.0], duration=1.0)
    assert run.modes[0] == "RR"
    assert run.modes[-1] == "FF"
    slide = 0.2 * G * 0.2
    stop = 0.2 + slide / (0.3 * G)
    moving = np.abs(run.v[:, 0]) > 1e-12
    assert run.time[moving].max() == pytest.approx(stop, abs=2e-3)
    assert np.all(run.q[:, 0][run.time > stop + 2e-3] == run.q[-1, 0])


def test_rolling_ball_rolls_and_a_sliding_one_starts_to_roll():
    model = ball(mu=0.2)
    run = simulate(model, [0, 0.1, 0], [1.0, 0, 0], duration=0.5)
    # angular momentum about the point of contact is kept: v_end = v0 / (1 + I / (m r^2))
    assert run.modes[0] == "R"
    assert run.modes[-1] == "F"
    assert run.v[-1, 0] == pytest.approx(1.0 / 1.4, rel=1e-3)
    assert run.v[-1, 0] == pytest.approx(-0.1 * run.v[-1, 2], abs=1e-12)


def test_symmetric_scenes_stay_symmetric():
    model = mc.load("table")
    run = simulate(model, [0, 0.5, 0], [0, -1.0, 0], duration=0.5)
    assert run.completed
    assert np.abs(run.q[:, [0, 2]]).max() < 1e-12
    np.testing.assert_allclose(run.impulse[:, 0], run.impulse[:, 2], atol=1e-12)


# Collisions
# -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("restitution", [0.0, 0.5, 0.8, 1.0])
def test_bouncing_ball_follows_restitution_squared(restitution):
    step = 1e-4
    run = simulate(ball(restitution), [0, 0.6, 0], duration=1.2, step=step)
    y = run.q[:, 1] - 0.1
    assert y.min() > -1e-8
    tops = [y[0], *(y[i] for i in range(1, len(y) - 1) if y[i - 1] < y[i] >= y[i + 1] and y[i] > 1e-3)]
    assert len(tops) >= {0.0: 1, 0.5: 4, 0.8: 3, 1.0: 2}[restitution]
    for before, after in pairwise(tops):
        # semi-implicit Euler loses about g h of the speed in each flight
        rounding = 5 * G * step / math.sqrt(2 * G * before)
        assert after / before == pytest.approx(restitution**2, rel=rounding)
    if restitution == 0.0:
        assert np.abs(y[-1000:]).max() < 1e-8
        assert run.impacts.sum() == 1


def test_impact_is_located_within_the_step():
    for step in (1e-2, 1e-3):
        run = simulate(ball(0.5), [0, 0.6, 0], duration=0.4, step=step)
        i = int(np.flatnonzero(run.impacts)[0])
        fall = math.sqrt(2 * 0.5 / G)
        assert run.time[i] - step <= fall <= run.time[i + 1] + step
        assert run.gap.min() > -1e-8


@pytest.mark.parametrize("balls", [2, 3, 5])
def test_newtons_cradle_passes_the_velocity_on(balls):
    model = cradle(balls, 1e-6)
    q, v = np.zeros(balls), np.zeros(balls)
    q[0], v[0] = -0.01, 1.0
    run = simulate(model, q, v, duration=0.02)
    expected = np.zeros(balls)
    expected[-1] = 1.0
    np.testing.assert_allclose(run.v[-1], expected, atol=1e-12)
    assert run.impacts.sum() == balls - 1
    assert run.energy[-1] == pytest.approx(0.5, rel=1e-12)


def test_touching_balls_share_a_collision_by_poissons_law():
    """Three touching balls: compression to 1/3 each, the same impulses given back: (-1/3, 2/3, 2/3)."""
    q, v = np.array([-0.01, 0, 0]), np.array([1.0, 0, 0])
    run = simulate(cradle(3, 0.0), q, v, duration=0.02)
    np.testing.assert_allclose(run.v[-1], [-1 / 3, 2 / 3, 2 / 3], atol=1e-12)
    assert run.energy[-1] == pytest.approx(0.5, rel=1e-12)


def test_quick_discs_do_not_pass_through_each_other():
    """Elastic, without friction, equal masses: the struck disc takes the velocity along the line of centres,
    at any speed.

    At 1000 m/s a disc travels ten times the distance at which they touch within a step.
    """
    model = (
        mc.Builder("two", gravity=(0, 0))
        .body("a", parent="world", joint=mc.planar("xa", "ya", "ta"), mass=1, inertia=0.1)
        .body("b", parent="world", joint=mc.planar("xb", "yb", "tb"), mass=1, inertia=0.1)
        .contact(
            "hit",
            body="a",
            type="disc_disc",
            radius=0.05,
            other="b",
            other_radius=0.05,
            restitution=1.0,
            mu=0.0,
        )
        .build()
    )
    rng = np.random.default_rng(1)
    for speed in 10.0 ** rng.uniform(0, 4, size=60):
        x, y = -rng.uniform(0.2, 1.0), rng.uniform(-0.12, 0.12)
        run = simulate(model, [x, y, 0, 0, 0, 0], [speed, 0, 0, 0, 0, 0], duration=max(0.005, 1.5 / speed))
        struck = np.zeros(2)
        if abs(y) < 0.1:
            line = np.array([np.sqrt(0.01 - y * y), -y]) / 0.1
            struck = speed * line[0] * line
        np.testing.assert_allclose(run.v[-1, 3:5], struck, atol=1e-5 * speed)
        np.testing.assert_allclose(run.v[-1, :2], [speed - struck[0], -struck[1]], atol=1e-5 * speed)


def test_two_impacts_at_once_keep_their_symmetry():
    model = cradle(5, 1e-6)
    run = simulate(model, [-0.01, 0, 0, 0, 0.01], [1.0, 0, 0, 0, -1.0], duration=0.03)
    np.testing.assert_allclose(run.v[-1], [-1, 0, 0, 0, 1], atol=1e-9)


def test_restitution_of_one_contact_is_overridden_by_name():
    model = mc.load("table")
    run = simulate(model, [0, 0.5, 0], [0, -1.0, 0], duration=0.15, restitution={"left": 0.5})
    assert run.q[-1, 2] < -1e-3  # the left foot comes up


@settings(deadline=None, max_examples=60)
@given(
    st.floats(0, 3),
    st.floats(0.5, 1),
    st.floats(0, 1),
    st.floats(0.002, 0.05),
    st.floats(-3, 3),
    st.floats(-3, 3),
    st.floats(-3, -0.5),
    st.floats(-10, 10),
)
def test_collisions_with_friction_never_add_energy(mu, floor, wall, inertia, turn, across, down, spin):
    """Poisson's law with friction would: up to five times the energy in one collision."""
    model = thrown_box(mu, (floor, wall), inertia)
    run = simulate(model, [0, 0.6, turn], [across, down, spin], duration=0.7)
    assert run.completed
    assert np.all(np.diff(run.kinetic) <= 1e-11 * run.kinetic[0])


def test_collision_that_would_add_energy_just_keeps_it_in_every_formulation():
    model = thrown_box(1.3, (1.0, 1.0), 0.01)
    start = [0, 0.6, 1.3], [2.8, -2.7, -2.0]
    reference = simulate(model, *start, duration=0.15)
    assert reference.impacts.sum() == 1
    assert reference.kinetic[-1] == pytest.approx(reference.kinetic[0], rel=2e-8)
    before = simulate(model, *start, duration=0.15, restitution=0.0)
    assert before.kinetic[-1] < 0.9 * before.kinetic[0]
    for formulation in ("mc", "rmc", "nmc/os"):
        run = simulate(model, *start, duration=0.15, formulation=formulation)
        np.testing.assert_allclose(run.v, reference.v, atol=1e-9)


# Painleve
# -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("speed", [-3.0, -1.0, 1.0, 3.0])
@pytest.mark.parametrize("mu", [0.5, 2.0, 5.0])
def test_painleve_rod_steps_through(mu, speed):
    model = mc.load("rod", mu=mu, theta=1.0)
    run = simulate(model, model.start, [speed, 0, 0], duration=0.2)
    assert run.completed
    assert run.gap.min() > -1e-6
    assert run.kinetic[1] <= run.kinetic[0] + 1e-9
    smooth = [i for i in grid(run, 5) if run.impacts[i] == 0]
    assert smooth
    for i in smooth:
        assert np.abs(momentum_books(run, i)).max() < 1e-11


@pytest.mark.parametrize(
    ("name", "torque", "options"),
    [
        ("four_bar", [-15.0], {}),
        ("four_bar", [-20.0], {"restitution": 0.5}),
        ("two_link", [-52.0], {"restitution": 1.0}),
        ("snake", [0.0, -10.0, -45.0, -62.0], {}),
    ],
)
def test_wedged_mechanisms_step_through(name, torque, options):
    """Contact forces that can grow without moving anything: penetration cannot be recovered, a step exists
    all the same.
    """
    parameters = {"two_link": {"mu": 3.0}, "snake": {"mu": 3.0, "n": 5}}.get(name, {})
    model = mc.load(name, **parameters)
    v = None if name == "four_bar" else 0.5 * np.sin(np.arange(1, len(model.coordinates) + 1))
    run = simulate(model, model.start, v, controller=torque, duration=0.4, **options)
    assert run.completed
    assert run.impulse.any()
    assert run.gap.min() > -5e-3
    assert run.residual.max() < 1e-8


# Balances
# ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options", "torque"),
    [
        ("block", {"slope": 0.4}, [1.0]),
        ("two_link", {"mu": 0.5}, [-10.0]),
        ("biped", {}, [0.0] * 6),
        ("four_bar", {}, [-2.0]),
        ("rhex_compliant", {}, [-5.0] * 3),
        ("snake", {"n": 3}, [-20.0, 20.0]),
    ],
)
def test_momentum_books_balance_each_smooth_step(name, options, torque):
    run = simulate(
        mc.load(name, **options), controller=torque, duration=0.1, step=1e-3 if "rhex" not in name else 1e-4
    )
    assert run.completed
    smooth = [i for i in grid(run, 12) if run.impacts[i] == 0]
    scale = max(np.abs(run.impulse).max(initial=0.0), run.step * 10)
    assert smooth
    for i in smooth:
        assert np.abs(momentum_books(run, i)).max() < 1e-10 * scale
    mu = run.model.tree.friction
    normal, tangential = run.impulse[:, 0::2], run.impulse[:, 1::2]
    assert normal.min() >= 0
    assert np.all(np.abs(tangential) <= mu * normal + 1e-12 * scale)


@settings(deadline=None, max_examples=25)
@given(st.floats(-1.2, 1.2), st.floats(-3, 3), st.floats(-6, 6), st.floats(0.0, 1.5))
def test_contact_never_gives_energy(tilt, speed, spin, mu):
    """A tumbling box: each step's contact impulses take energy from the motion (up to `h` times what forces
    do).
    """
    model = mc.load("block", mu=mu)
    run = simulate(model, [0, 0.3, tilt], [speed, -1.0, spin], duration=0.3)
    assert run.completed
    for i in np.flatnonzero(run.impulse.any(axis=1))[:40]:
        if run.impacts[i]:
            continue
        snap = model.snapshot(run.q[i], run.v[i])
        after = snap.jacobian @ run.v[i + 1]
        assert after[1::2] @ run.impulse[i, 1::2] <= 1e-12  # friction opposes the sliding after the step


def test_energy_of_a_free_pendulum_stays_near_its_start():
    run = simulate(hanging_chain(1), [0.0], duration=5.0)
    assert np.abs(run.energy - run.energy[0]).max() < 0.02 * 9.81


def test_implicit_springs_are_stable_and_right():
    """x'' = -k x - d x' with `k h^2 >> 1` dies out; a soft one has the right period."""
    stiff = simulate(mass_on_spring(1e9, 1e4), [0.01], duration=0.1)
    assert abs(stiff.q[-1, 0]) < 1e-12
    soft = simulate(mass_on_spring(100.0), [0.01], duration=0.7, step=1e-5)
    np.testing.assert_allclose(soft.q[:, 0], 0.01 * np.cos(10 * soft.time), atol=1e-5)


def test_compliant_floor_carries_the_weight():
    run = simulate(ball(stiffness=1e4, damping=200.0), [0, 0.1, 0], duration=1.0)
    assert run.gap[-1, 0] == pytest.approx(-G / 1e4, rel=1e-6)
    assert run.force[-1, 0] == pytest.approx(G, rel=1e-9)
    assert run.potential[-1] == pytest.approx(G * run.q[-1, 1] + 0.5 * 1e4 * run.gap[-1, 0] ** 2)


def test_compliant_contact_has_true_stiction():
    floor = {"origin": (0, 0), "tilt": 0.2}
    run = simulate(
        ball(mu=0.5, stiffness=1e5, damping=1e3, wall=floor),
        [-0.1 * math.sin(0.2), 0.1 * math.cos(0.2), 0],
        duration=0.01,
    )
    assert run.modes[-1] == "F"  # it rolls without sliding
    snap = run.model.snapshot(run.q[-1], run.v[-1])
    assert abs(snap.velocity[1]) < 1e-12


# The flip's simulator
# --------------------------------------------------------------------------------------------


def test_compliant_rhex_converges_with_the_step():
    model = mc.load("rhex_compliant", mu_toe=0.39)
    times = []
    for step in (1e-4, 5e-5, 1e-5):
        run = simulate(model, controller=[-8.0, -8.0, -8.0], duration=0.12, step=step)
        assert run.completed
        times.append(float(np.interp(math.radians(20), run.q[:, 2], run.time)))
        assert set("".join(run.modes)) <= set("SLRF")
    assert abs(times[1] - times[2]) < 0.6 * abs(times[0] - times[2])
    assert abs(times[0] - times[2]) < 1e-4


# Modes
# ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options", "torques"),
    [
        ("block", {"slope": 0.2}, [[0.0], [30.0], [-30.0], [6.0]]),
        ("table", {}, [[0.0], [40.0], [-29.0], [-45.0]]),
        ("two_link", {"mu": 0.2}, [[-30.0], [-10.0], [0.0], [5.0]]),
    ],
)
def test_mode_of_each_smooth_step_is_among_those_the_torque_can_produce(name, options, torques):
    model = mc.load(name, **options)
    for torque in torques:
        run = simulate(model, controller=torque, duration=0.01)
        compared = 0
        for i in range(len(run)):
            snap = model.snapshot(run.q[i], run.v[i])
            if run.impacts[i] or np.abs(snap.gap).max() > 1e-9:
                break
            possible = mc.dynamic_response(snap, velocity_tolerance=1e-9).modes_at(torque)
            assert run.modes[i] in possible, (torque, i)
            compared += 1
        assert compared > 0


# Integrators, levels
# ---------------------------------------------------------------------------------------------


def test_runge_kutta_keeps_energy_six_orders_better():
    """Fig. 7 of Bhalerao: a pendulum of 8 rods from the horizontal."""
    model = hanging_chain(8)
    drift = {}
    for integrator in ("euler", "rk4"):
        run = simulate(model, np.zeros(8), duration=2.0, integrator=integrator)
        drift[integrator] = np.abs(run.energy - run.energy[0]).max()
    assert drift["rk4"] < 1e-6 * drift["euler"]


def falling_chain(duration=2.0, **options):
    """Three frictionless rods of Bhalerao's Fig. 8: the run, and how far its centre of mass goes sideways."""
    model, tilt = mc.load("chain", n=3), -math.pi / 6
    q = [-0.5 * math.cos(tilt), 2.3 - 0.5 * math.sin(tilt), tilt, 0, 0]
    run = simulate(model, q, duration=duration, **options)
    frames = np.array([model.frames(row) for row in run.q[::20]])
    x = (frames[:, :, 0] + 0.5 * np.cos(frames[:, :, 2])).mean(axis=1)
    return run, np.abs(x - x[0]).max()


def speed_after_the_first_hit(run):
    """Rate of the gap at Q, three to six steps after it first carries load (m/s)."""
    first = int(np.flatnonzero(run.impulse[:, 2])[0])
    return (run.gap[first + 6, 1] - run.gap[first + 3, 1]) / (3 * run.step)


def depths_on_the_floor(run, contact, at_least=100):
    """Gaps four steps after the start and at the end of each time of at least so many steps that a contact
    carries load.
    """
    loaded = np.concatenate(([0], run.impulse[:, 2 * contact] > 0, [0])).astype(int)
    begin, end = np.flatnonzero(np.diff(loaded) == 1), np.flatnonzero(np.diff(loaded) == -1)
    return [
        (run.gap[b + 4, contact], run.gap[e - 1, contact])
        for b, e in zip(begin, end, strict=True)
        if e - b >= at_least
    ]


def test_chain_of_three_has_the_four_behaviours_of_fig_8():
    euler, euler_drift = falling_chain(level="position")
    bouncing, bouncing_drift = falling_chain(integrator="rk4", level="position", g_eps=-math.inf)
    flat, flat_drift = falling_chain(integrator="rk4", level="velocity")
    capped, capped_drift = falling_chain(integrator="rk4", level="position", g_eps=-1e-5)
    # (a) stays on the floor, but drifts
    assert abs(speed_after_the_first_hit(euler)) < 0.1
    assert euler.gap.min() > -1e-4
    assert euler_drift > 0.1
    # (b) bounces although the contact is inelastic
    assert speed_after_the_first_hit(bouncing) > 1.0
    # (c) does not bounce, and stays where the first hit left it: two orders deeper than (a)
    assert abs(speed_after_the_first_hit(flat)) < 0.1
    assert -1e-2 < flat.gap.min() < 20 * euler.gap.min()
    stays = depths_on_the_floor(flat, 1)
    assert min(start for start, _ in stays) < -2e-3
    for start, end in stays:
        assert end == pytest.approx(start, abs=2e-4)
    # (d) comes up by itself
    for start, end in depths_on_the_floor(capped, 1):
        assert end > min(0.02 * start, start + 3e-3) - 1e-5
    for drift in (bouncing_drift, flat_drift, capped_drift):
        assert drift < 1.5e-4 * euler_drift


def test_drift_of_the_centre_of_mass_is_first_and_third_order():
    """Halving the step halves the drift of Euler's scheme; with Runge-Kutta it falls by more than three."""
    for options, least in (({"level": "position"}, 1.8), ({"integrator": "rk4", "level": "velocity"}, 3.0)):
        coarse, fine = (falling_chain(step=step, duration=1.0, **options)[1] for step in (1e-3, 5e-4))
        assert coarse / fine > least


def test_runge_kutta_contact_of_a_turning_rod_stays_on_the_floor():
    """A rod slides and topples: the gap's own acceleration `Jndot v` belongs to the prediction (4e-6 m
    without it).
    """
    model = mc.load("rod", mu=0.0, theta=1.2)
    run = simulate(model, model.start, [0, 0, 0], duration=0.25, integrator="rk4")
    assert np.abs(run.v[:, 2]).max() > 2.0
    assert set(run.modes) == {"L"}
    assert np.abs(run.gap).max() < 2e-7


def test_runge_kutta_keeps_a_loop_closed():
    model = mc.load("four_bar").with_parameters(mu=0.0)
    run = simulate(model, controller=[-3.0], duration=0.2, integrator="rk4")
    assert run.completed
    assert max(np.abs(model.loop_residual(q)).max() for q in run.q[::20]) < 1e-7
    work = -3.0 * (run.q[:, 0] - run.q[0, 0])
    np.testing.assert_allclose(run.energy - run.energy[0], work, atol=2e-6)


def test_loop_drift_stays_small_over_many_turns():
    model = mc.load("four_bar")
    run = simulate(model, controller=[-3.0], duration=2.0)
    openings = [np.abs(model.loop_residual(q)).max() for q in run.q[::100]]
    assert max(openings) < 1e-3


def test_position_level_closes_the_gap_without_penetration():
    run = simulate(ball(), [0, 0.6, 0], duration=0.6, level="position")
    assert run.gap.min() > -1e-12
    assert run.gap[-1, 0] == pytest.approx(0.0, abs=1e-12)


def test_pendulum_collides_with_floor_wall_and_itself():
    model = mc.load("pendulum", n=8, collide=1)
    run = simulate(model, duration=3.0)
    assert run.completed
    assert run.gap.min() > -1e-4
    touched = {
        model.contacts[c].rstrip("0123456789_") for c in np.flatnonzero(run.impulse[:, 0::2].any(axis=0))
    }
    assert {"floor", "wall"} <= touched
    assert run.energy[-1] < run.energy[0]
    assert run.residual.max() < 1e-8


def test_a_controller_that_cannot_be_asked_is_refused_before_the_first_step():
    model = mc.load("two_link")
    with pytest.raises(ValueError, match=r"expected a function controller\(t, q, v\)"):
        simulate(model, controller=lambda t: [0.0], duration=0.01)
    assert simulate(model, controller=lambda t, q, v, *, readings: [0.0], duration=0.01)
    with pytest.raises(ValueError, match=r"unknown input 'tua'; did you mean 'tau'\? \(inputs: tau\)"):
        simulate(model, controller=lambda t, q, v: {"tua": 0.0}, duration=0.01)
