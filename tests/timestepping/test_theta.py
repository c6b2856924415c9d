"""`integrator="theta"`: second order with exact stiction, against answers in closed form."""

import math

import numpy as np
import pytest

import modecontrol as mc

G = 9.81


def slopes(errors):
    return np.diff(np.log2(errors))


def ball(**contact):
    made = mc.Builder("ball").body("ball", joint=mc.planar("x", "y", "turn"), mass=1, inertia=0.004)
    return made.contact("floor", "ball", type="disc", radius=0.1, **contact).build()


@pytest.mark.parametrize("integrator", ["theta", "rk4"])
def test_an_elastic_ball_keeps_its_height(integrator):
    run = mc.simulate(ball(restitution=1.0), [0, 1.1, 0], [0.3, 0, 2], duration=60, integrator=integrator)
    assert run.status == "completed"
    height = (run.energy[-1] - run.energy[0]) / G
    assert abs(height) < 1e-9
    assert run.impacts.sum() == math.floor((60 / math.sqrt(2 / G) + 1) / 2)


def test_ballistic_flight_is_exact():
    run = mc.simulate(ball(), [0, 5, 0], [1, 3, 2], duration=0.5, step=0.05, integrator="theta")
    t = run.time
    np.testing.assert_allclose(run.q, np.c_[t, 5 + 3 * t - 0.5 * G * t**2, 2 * t], rtol=0, atol=1e-13)


def test_a_block_below_its_friction_angle_does_not_creep():
    run = mc.simulate(mc.load("block", slope=0.3, mu=0.35), duration=1, integrator="theta")
    assert run.modes[-1] == "FF"
    assert np.abs(run.q - run.q[0]).max() == 0.0


def test_a_block_above_its_friction_angle_slides_exactly():
    run = mc.simulate(mc.load("block", slope=0.3, mu=0.2), duration=0.5, step=0.01, integrator="theta")
    way = np.hypot(*(run.q[-1] - run.q[0])[:2])
    assert way == pytest.approx(0.5 * G * (math.sin(0.3) - 0.2 * math.cos(0.3)) * 0.25, abs=1e-12)


def test_free_links_are_of_second_order_and_rk4_agrees():
    made = mc.Builder("double").body("a", joint=mc.revolute("q1"), mass=1, inertia=0.1, com=(0.5, 0))
    made.body("b", joint=mc.revolute("q2", at=(1, 0)), mass=1, inertia=0.1, com=(0.5, 0))
    model = made.build()
    sure = mc.simulate(model, [0.3, 0.4], duration=1.024, step=1e-3, integrator="rk4").q[-1]
    errors = [
        np.abs(mc.simulate(model, [0.3, 0.4], duration=1.024, step=h, integrator="theta").q[-1] - sure).max()
        for h in (8e-3, 4e-3, 2e-3)
    ]
    assert np.all(np.abs(slopes(errors) + 2) < 0.1)


def test_joint_springs_keep_their_energy():
    made = mc.Builder("mass", gravity=(0, 0)).body("m", joint=mc.prismatic("x", stiffness=400.0), mass=1)
    run = mc.simulate(made.build(), [1.0], duration=10, step=5e-3, integrator="theta")
    assert np.ptp(run.energy) < 1e-10 * run.energy[0]


def coulomb(stiffness, mu, until):
    """Place of a mass that a spring pulls over a rough floor from x = 1, half swing by half swing."""
    rate, shift, x, t, side = math.sqrt(stiffness), mu * G / stiffness, 1.0, 0.0, 1
    while abs(x) > shift:
        centre = side * shift
        if t + math.pi / rate >= until:
            return centre + (x - centre) * math.cos(rate * (until - t))
        x, t, side = 2 * centre - x, t + math.pi / rate, -side
    return x


def test_friction_that_turns_round_keeps_second_order():
    made = mc.Builder("oscillator").body("slide", joint=mc.prismatic("x", stiffness=40.0))
    made.body("mass", joint=mc.prismatic("y", angle=math.pi / 2), mass=1, inertia=1)
    model = made.contact("floor", "mass", mu=0.2).build()
    runs = [
        (h, mc.simulate(model, [1.0, 0.0], duration=2.304, step=h, integrator="theta"))
        for h in (4e-3, 2e-3, 1e-3)
    ]
    errors = [abs(run.q[-1, 0] - coulomb(40.0, 0.2, 2.304)) for _, run in runs]
    assert np.all(np.abs(slopes(errors) + 2) < 0.15)
    end = mc.simulate(model, [1.0, 0.0], duration=12, step=2e-3, integrator="theta")
    assert end.modes[-1] == "F"
    assert abs(end.v[-1, 0]) < 1e-9
    assert end.q[-1, 0] == pytest.approx(coulomb(40.0, 0.2, 1e9), abs=1e-3)


def test_a_disc_that_slips_then_rolls():
    mu, v0, r, inertia = 0.3, 2.0, 0.1, 0.004
    run = mc.simulate(ball(mu=mu), [0, r, 0], [v0, 0, 0], duration=1.0, step=5e-3, integrator="theta")
    rolling = v0 / (1 + inertia / r**2)
    grip = (v0 - rolling) / (mu * G)
    way = v0 * grip - 0.5 * mu * G * grip**2 + rolling * (1 - grip)
    assert run.v[-1, 0] == pytest.approx(rolling, abs=1e-6)
    assert run.q[-1, 0] == pytest.approx(way, abs=1e-5)
    assert run.modes[-1] == "F"


def test_a_compliant_contact_swings_with_its_own_period():
    model = mc.Builder("soft").body("m", joint=mc.prismatic("y", angle=math.pi / 2), mass=1, inertia=1)
    model = model.contact("floor", "m", stiffness=1000.0).build()
    rest, rate = -G / 1000, math.sqrt(1000)
    errors = []
    for h in (2e-3, 1e-3, 5e-4):
        run = mc.simulate(model, [0.5 * rest], duration=1.0, step=h, integrator="theta")
        errors.append(np.abs(run.q[:, 0] - (rest - 0.5 * rest * np.cos(rate * run.time))).max())
    assert np.all(np.abs(slopes(errors) + 2) < 0.1)


def test_a_loop_stays_closed_and_dense_and_dca_agree():
    model = mc.load("four_bar")
    runs = [
        mc.simulate(model, controller=[-3.0], duration=0.2, integrator="theta", dynamics=d)
        for d in ("aba", "dense", "dca")
    ]
    assert np.abs(model.loop_residual(runs[0].q[-1])).max() < 1e-6
    for other in runs[1:]:
        np.testing.assert_allclose(other.q, runs[0].q, rtol=0, atol=1e-9)


def test_rk4_flies_and_theta_takes_over_on_the_floor():
    run = mc.simulate(ball(mu=0.3, restitution=0.4), [0, 0.5, 0], [1, 0, 0], duration=2, integrator="rk4")
    assert run.status == "completed"
    assert run.modes[-1] == "F"
    assert run.v[-1, 0] == pytest.approx(-0.1 * run.v[-1, 2], abs=1e-9)
