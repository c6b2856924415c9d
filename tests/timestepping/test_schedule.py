"""Pushes and drives that change with time, events with their exact times, collisions that give back spin."""

import math

import numpy as np
import pytest

import modecontrol as mc

G = 9.81


def ball(gravity=(0, -G), **contact):
    made = mc.Builder("ball", gravity=gravity).body(
        "ball", joint=mc.planar("x", "y", "turn"), mass=1, inertia=0.005
    )
    return made.contact("floor", "ball", type="disc", radius=0.1, **contact).build()


@pytest.mark.parametrize(("integrator", "error"), [("euler", 1e-3), ("theta", 1e-6)])
def test_a_push_that_grows_with_time(integrator, error):
    made = mc.Builder("puck", gravity=(0, 0)).body(
        "puck", joint=mc.planar("x", "y", "t"), mass=2, inertia=0.5
    )
    model = made.push("wind", "puck").build()
    run = mc.simulate(model, duration=1, pushes={"wind": lambda t: (6 * t, 0.0, 0.5)}, integrator=integrator)
    assert run.v[-1, 0] == pytest.approx(1.5, abs=1e-12)
    assert run.q[-1, 0] == pytest.approx(0.5, abs=error)
    assert run.v[-1, 2] == pytest.approx(1.0, abs=1e-12)
    stepper = mc.Stepper(model, pushes={"wind": lambda t: (6 * t, 0.0, 0.5)}, integrator=integrator)
    for _ in range(1000):
        stepper.step()
    np.testing.assert_allclose(stepper.q, run.q[-1], rtol=0, atol=1e-12)
    stepper.place([0, 0, 0])
    assert stepper.step().v[0] == pytest.approx(3 * 1e-3**2 / 2, rel=1e-9)


def pendulum_on_a_cart():
    made = mc.Builder("cart").body("cart", joint=mc.prismatic("s"), mass=1)
    return made.body(
        "bob", joint=mc.revolute("q", angle=-math.pi / 2), mass=1, inertia=0.01, com=(0.5, 0)
    ).build()


def test_a_driven_support_is_followed_and_swings_the_pendulum():
    """Against the equation of motion of the bob alone, by scipy."""
    from scipy.integrate import solve_ivp

    def where(t):
        return 0.1 * math.sin(3 * t)

    def rate(t, y):
        return [
            y[1],
            (0.5 * 0.9 * math.sin(3 * t) * math.cos(y[0]) - 0.5 * G * math.sin(y[0])) / (0.01 + 0.25),
        ]

    sure = solve_ivp(rate, (0, 2), [0.0, 0.0], rtol=1e-10, atol=1e-12).y[0, -1]
    for integrator, error in (("euler", 2e-3), ("theta", 1e-5)):
        run = mc.simulate(
            pendulum_on_a_cart(), [0, 0], duration=2, drives={"s": where}, integrator=integrator
        )
        assert run.status == "completed"
        np.testing.assert_allclose(run.q[:, 0], 0.1 * np.sin(3 * run.time), atol=1e-8)
        assert run.q[-1, 1] == pytest.approx(sure, abs=error)
        assert run.header["names"]["loops"] == ["s.drive"]


def test_the_force_of_a_drive_is_what_it_takes():
    made = mc.Builder("mass", gravity=(0, 0)).body("m", joint=mc.prismatic("s"), mass=3)
    run = mc.simulate(made.build(), [0], duration=1, drives={"s": lambda t: 0.5 * t**2}, integrator="theta")
    np.testing.assert_allclose(run.loop_impulse[10:, 0] / run.step, 3.0, rtol=1e-6)
    steady = mc.simulate(made.build(), [0.2], duration=1, drives={"s": 0.7})
    assert steady.q[-1, 0] == pytest.approx(0.9, abs=1e-12)


def test_a_driven_platform_throws_a_disc():
    """A disc on a platform that moves up and down leaves it when it goes down faster than free fall: never below g."""
    made = mc.Builder("shaker").body(
        "platform", joint=mc.prismatic("h", angle=math.pi / 2), mass=1, inertia=1
    )
    made.body("disc", parent="world", joint=mc.planar("x", "y", "t"), mass=1, inertia=0.005)
    made.contact("top", "disc", type="disc_disc", radius=0.1, other="platform", other_radius=0.5)
    model = made.build()
    for amplitude, leaves in ((0.008, False), (0.015, True)):
        run = mc.simulate(
            model,
            {"y": 0.6},
            duration=0.5,
            integrator="theta",
            drives={"h": lambda t, a=amplitude: a * (1 - math.cos(30 * t))},
        )
        assert run.status == "completed"
        assert (run.gap[:, 0].max() > 1e-4) == leaves


def block_on_a_table(joint, mu):
    made = mc.Builder("table").body("table", parent="world", joint=joint, mass=5, inertia=1)
    made.body("block", parent="world", joint=mc.planar("x", "y", "t"), mass=1, inertia=0.02)
    for name, x in (("left", -0.1), ("right", 0.1)):
        made.contact(name, "block", point=(x, -0.05), mu=mu, wall={"body": "table", "origin": (0, 0)})
    return made.start(y=0.05).build()


@pytest.mark.parametrize("integrator", ["euler", "theta"])
def test_a_shaken_table_carries_what_grips(integrator):
    """Shaken with a sin(w t): a block grips as long as the acceleration a w^2 stays below mu g."""
    for mu, grips in ((0.5, True), (0.3, False)):
        model = block_on_a_table(mc.prismatic("s"), mu)
        drives = {"s": lambda t: 0.1 * (1 - math.cos(6.4 * t))}  # up to 4.1 m/s2
        run = mc.simulate(model, duration=1.0, drives=drives, integrator=integrator)
        assert run.status == "completed"
        apart = np.abs(run.q[:, 1] - run.q[:, 0]).max()
        assert apart < 1e-6 if grips else apart > 1e-2
        assert np.abs(run.gap).max() < 1e-5


def test_a_table_that_tilts_lets_go_at_the_friction_angle():
    model = block_on_a_table(mc.revolute("tilt"), 0.4)
    run = mc.simulate(model, duration=5.0, drives={"tilt": 0.1}, integrator="theta")
    slides = next(i for i, mode in enumerate(run.modes) if mode == "LL")
    assert run.q[slides, 0] == pytest.approx(math.atan(0.4), abs=0.01)
    assert np.abs(run.gap).max() < 1e-4


@pytest.mark.parametrize("formulation", ["os", "mc", "nmc", "rmc", "nmc/os"])
def test_formulations_agree_on_a_wall_that_a_body_carries(formulation):
    model = block_on_a_table(mc.revolute("tilt", stiffness=30.0, damping=1.0), 0.4)
    start, speed = [0.0, 0.05, 0.05, 0.0], [0.3, 0.0, 0.0, 0.0]
    sure = mc.simulate(model, start, speed, duration=0.2, dynamics="dense", check_state=False)
    run = mc.simulate(model, start, speed, duration=0.2, formulation=formulation, check_state=False)
    np.testing.assert_allclose(run.q, sure.q, rtol=0, atol=1e-8)


def test_a_wall_that_moves_hits_a_ball_away():
    made = mc.Builder("bat", gravity=(0, 0)).body(
        "bat", parent="world", joint=mc.prismatic("s"), mass=1, inertia=1
    )
    made.body("ball", parent="world", joint=mc.planar("x", "y", "t"), mass=0.1, inertia=1e-3)
    wall = {"body": "bat", "tilt": -math.pi / 2}
    model = made.contact("hit", "ball", type="disc", radius=0.05, restitution=1.0, wall=wall).build()
    run = mc.simulate(model, {"x": 0.5}, duration=1.0, drives={"s": 0.8}, integrator="theta")
    assert run.v[-1, 1] == pytest.approx(1.6, abs=1e-9)
    assert run.collisions[0].time == pytest.approx(0.45 / 0.8, abs=1e-8)


@pytest.mark.parametrize("integrator", ["euler", "theta"])
def test_events_are_located_within_the_step(integrator):
    tests = {"apex": lambda t, q, v: v[1], "half": lambda t, q, v: q[1] - 0.6}
    run = mc.simulate(ball(restitution=1.0), [0, 1.1, 0], duration=2, integrator=integrator, events=tests)
    fall, half = math.sqrt(2 / G), math.sqrt(1 / G)
    sure = [half, 2 * fall - half, 2 * fall, 2 * fall + half, 4 * fall - half, 4 * fall]
    assert [e.name for e in run.events] == ["half", "half", "apex", "half", "half", "apex"]
    exact = integrator == "theta"
    np.testing.assert_allclose([e.time for e in run.events], sure, atol=1e-12 if exact else 1e-2)
    np.testing.assert_allclose(
        [c.time for c in run.collisions], [fall, 3 * fall], atol=1e-9 if exact else 1e-2
    )
    assert run.collisions[0].contact == "floor"
    assert run.collisions[0].impulse == pytest.approx(math.sqrt(2 * G), rel=1e-2)


def test_a_terminal_event_ends_the_run():
    def low(t, q, v):
        return q[1] - 0.6

    low.terminal = True
    run = mc.simulate(ball(), [0, 1.1, 0], duration=2, integrator="theta", events={"low": low})
    assert "by the event 'low'" in run.status
    assert run.events[-1].time == pytest.approx(math.sqrt(1 / G), abs=1e-12)
    assert run.time[-1] - run.events[-1].time < 1e-3


@pytest.mark.parametrize("spin", [0.0, 3.0, -20.0])
def test_a_superball_turns_its_spin_round(spin):
    """Garwin: the velocity of the point of contact is reversed, and energy is kept."""
    model = ball(gravity=(0, 0), mu=5.0, restitution=1.0, tangential_restitution=1.0)
    run = mc.simulate(model, [0, 0.2, 0], [1.0, -1.0, spin], duration=0.3)
    slip, after = 1.0 + 0.1 * spin, run.v[-1, 0] + 0.1 * run.v[-1, 2]
    assert after == pytest.approx(-slip, abs=1e-9)
    assert run.v[-1, 1] == pytest.approx(1.0, abs=1e-12)
    assert run.energy[-1] == pytest.approx(run.energy[0], rel=1e-9)
    angular = 0.005 * run.v[-1, 2] - 0.1 * run.v[-1, 0]  # about the point of contact
    assert angular == pytest.approx(0.005 * spin - 0.1 * 1.0, abs=1e-9)


def test_what_is_given_back_stays_in_the_cone_of_friction():
    model = ball(gravity=(0, 0), mu=0.1, restitution=1.0, tangential_restitution=1.0)
    run = mc.simulate(model, [0, 0.2, 0], [3.0, -1.0, 0.0], duration=0.3)
    assert run.v[-1, 0] == pytest.approx(3.0 - 0.1 * 2.0, abs=1e-9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pushes": {"wnd": (1, 0)}}, "unknown push 'wnd'"),
        ({"drives": {"z": 1.0}}, "unknown coordinate 'z'"),
        ({"drives": {"s": lambda t: 1.0}}, "starts at 0 and its drive at 1"),
        ({"drives": {"s": lambda t: math.nan}}, "no finite number"),
        ({"drives": {"s": 1.0}, "integrator": "rk4"}, "use integrator='theta' or 'euler'"),
        ({"events": [1]}, "a dict of functions"),
        ({"events": {"a": lambda t, q, v: 1.0}, "integrator": "rk4"}, "'euler' or 'theta'"),
    ],
)
def test_what_makes_no_sense_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        mc.simulate(pendulum_on_a_cart(), [0, 0], duration=0.1, **options)
