"""Springs, rods, gears, welds, sliders and pushes in motion, against answers in closed form and against MuJoCo."""

import math

import numpy as np
import pytest

import modecontrol as mc

G = 9.81
SCHEMES = [("euler", 5e-3), ("theta", 2e-5)]


def floating(name, at, **kwargs):
    return mc.planar(f"x{name}", f"y{name}", f"t{name}", at=at, **kwargs)


def test_two_masses_on_a_spring_swing_with_their_period():
    made = mc.Builder("pair", gravity=(0, 0))
    made.body("a", parent="world", joint=floating("a", (0, 0)), mass=1, inertia=0.1)
    made.body("b", parent="world", joint=floating("b", (1, 0)), mass=3, inertia=0.1)
    model = made.spring("s", "b", other="a", stiffness=30.0, length=0.8).build()
    rate = math.sqrt(30.0 * (1 + 1 / 3))
    for integrator, error in SCHEMES:
        run = mc.simulate(model, duration=2.0, step=1e-3, integrator=integrator)
        length = np.hypot(1 + run.q[:, 3] - run.q[:, 0], run.q[:, 4] - run.q[:, 1])
        np.testing.assert_allclose(length, 0.8 + 0.2 * np.cos(rate * run.time), atol=error)
        np.testing.assert_allclose(run.v[:, 0] + 3 * run.v[:, 3], 0, atol=1e-12)


def test_a_damper_calms_as_it_should():
    made = mc.Builder("mass", gravity=(0, 0)).body("a", joint=floating("a", (1, 0)), mass=2, inertia=0.1)
    model = made.spring("s", "a", other="world", stiffness=50.0, damping=4.0, length=0.5).build()
    run = mc.simulate(model, duration=1.5, integrator="theta")
    decay, rate = 1.0, math.sqrt(25 - 1)
    exact = 0.5 + 0.5 * np.exp(-decay * run.time) * (
        np.cos(rate * run.time) + decay / rate * np.sin(rate * run.time)
    )
    np.testing.assert_allclose(1 + run.q[:, 0], exact, atol=2e-5)


def test_a_rod_makes_a_pendulum():
    ball = mc.Builder("rod").body("ball", joint=floating("b", (0.6, -0.8)), mass=1, inertia=0.01)
    rod = ball.closure("rod", "rod", body="ball", other="world", length=1.0).build()
    hinge = mc.Builder("hinge").body(
        "ball", joint=mc.revolute("q", angle=math.atan2(-0.8, 0.6)), mass=1, com=(1, 0)
    )
    sure = mc.simulate(hinge.build(), [0.0], duration=2.0, integrator="rk4", step=5e-4)
    angle = math.atan2(-0.8, 0.6) + sure.q[:, 0]
    for integrator, error in (("euler", 2e-2), ("theta", 1e-5), ("rk4", 1e-5)):
        run = mc.simulate(rod, duration=2.0, step=1e-3, integrator=integrator)
        np.testing.assert_allclose(0.6 + run.q[:, 0], np.cos(angle)[::2], atol=error)
        assert np.abs([rod.loop_residual(q) for q in run.q]).max() < 1e-5


@pytest.mark.parametrize("formulation", ["os", "rmc", "mc", "nmc", "nmc/os"])
def test_gears_turn_by_their_ratio(formulation):
    made = mc.Builder("gears", gravity=(0, 0))
    made.body("a", parent="world", joint=mc.revolute("q1"), mass=1, inertia=0.2)
    made.body("b", parent="world", joint=mc.revolute("q2", at=(1, 0)), mass=1, inertia=0.1)
    made.closure("gear", "gear", coordinate="q2", other_coordinate="q1", ratio=-3.0).input("tau", "q1")
    run = mc.simulate(made.build(), controller=[2.2], duration=0.5, formulation=formulation)
    np.testing.assert_allclose(run.v[:, 1], -3 * run.v[:, 0], atol=1e-12)
    assert run.v[-1, 0] == pytest.approx(2.2 / (0.2 + 9 * 0.1) * 0.5, abs=1e-9)


def test_a_planetary_gear_on_a_moving_carrier():
    """The four ends of a gear: joints of a chain, dense against articulated bodies and divide and conquer."""
    made = mc.Builder("chain")
    for i in range(1, 5):
        made.body(
            f"l{i}", joint=mc.revolute(f"q{i}", at=(min(i - 1, 1), 0)), mass=1, inertia=0.1, com=(0.5, 0)
        )
    model = made.closure(
        "gear", "gear", coordinate="q4", other_coordinate="q2", ratio=0.5, offset=0.1
    ).build()
    start = [0.3, 0.2, -0.4, 0.2]
    runs = [mc.simulate(model, start, duration=0.3, dynamics=d) for d in ("aba", "dense", "dca")]
    for run in runs:
        np.testing.assert_allclose(run.q, runs[0].q, rtol=0, atol=1e-10)
        np.testing.assert_allclose(run.q[:, 3], 0.5 * run.q[:, 1] + 0.1, atol=1e-9)


def four_bar(closing):
    made = mc.Builder("bars")
    made.body("crank", parent="world", joint=mc.revolute("a"), mass=1, inertia=0.1, com=(0.25, 0))
    made.body("rod", parent="crank", joint=mc.revolute("b", at=(0.5, 0)), mass=1, inertia=0.1, com=(0.5, 0))
    made.body("rocker", parent="world", joint=mc.revolute("c", at=(1, 0)), mass=1, inertia=0.1, com=(0.4, 0))
    if closing == "pin":
        return made.pin("loop", "rod", (1, 0), "rocker", (0.8, 0)).build()
    # a massive stub hinged at the rocker's end and welded to the rod
    made.body("stub", parent="rocker", joint=mc.revolute("d", at=(0.8, 0)), mass=1e-9, inertia=1e-9)
    return made.closure("loop", "weld", body="rod", point=(1, 0), other="stub", other_point=(0, 0)).build()


def test_a_four_bar_closed_by_a_weld_is_the_one_closed_by_a_pin():
    pinned, welded = four_bar("pin"), four_bar("weld")
    start = pinned.settle({"a": 1.2, "b": -0.8, "c": 1.5}).q
    turn = start[0] + start[1] - start[2]
    first = mc.simulate(pinned, start, duration=0.5, integrator="theta")
    second = mc.simulate(welded, [*start, turn], duration=0.5, integrator="theta")
    np.testing.assert_allclose(second.q[:, :3], first.q, atol=1e-6)


def test_a_slider_closure_is_a_prismatic_joint():
    cart = mc.Builder("joint").body("cart", joint=mc.prismatic("s", angle=0.3), mass=2, inertia=0.1)
    cart.body("bob", joint=mc.revolute("q"), mass=1, inertia=0.05, com=(0.5, 0))
    free = mc.Builder("closure").body("cart", joint=mc.planar("x", "y", "t"), mass=2, inertia=0.1)
    free.body("bob", joint=mc.revolute("q", angle=0.3), mass=1, inertia=0.05, com=(0.5, 0))
    free.closure("rail", "slider", body="cart", other="world", axis=0.3)
    for integrator in ("euler", "theta"):
        a = mc.simulate(cart.build(), [0, 0.2], duration=0.5, integrator=integrator)
        b = mc.simulate(free.build(), [0, 0, 0, 0.2], duration=0.5, integrator=integrator)
        np.testing.assert_allclose(b.q[:, 0], a.q[:, 0] * math.cos(0.3), atol=1e-9)
        np.testing.assert_allclose(b.q[:, 3], a.q[:, 1], atol=1e-9)


def test_pushes_accelerate_and_their_work_is_no_gain():
    made = mc.Builder("puck", gravity=(0, 0)).body(
        "puck", joint=mc.planar("x", "y", "t"), mass=2, inertia=0.5
    )
    steady = made.push("push", "puck", point=(0, 0.2), force=(4.0, 0.0), moment=0.3).build()
    run = mc.simulate(steady, duration=0.1, integrator="theta")
    assert run.v[-1, 0] == pytest.approx(4.0 / 2 * 0.1, abs=1e-12)
    assert run.v[-1, 2] == pytest.approx((0.3 - 4 * 0.2) / 0.5 * 0.1, rel=1e-3)
    long = mc.simulate(steady, duration=5.0)
    assert long.status == "completed"
    jet = mc.Builder("jet", gravity=(0, 0)).body("puck", joint=mc.planar("x", "y", "t"), mass=2, inertia=0.5)
    jet = jet.push("jet", "puck", force=(4.0, 0.0), follows=True).build()
    run = mc.simulate(jet, [0, 0, math.pi / 2], duration=0.1, integrator="theta")
    assert run.v[-1, 1] == pytest.approx(0.2, abs=1e-12)
    assert abs(run.v[-1, 0]) < 1e-12


def test_joint_reactions_balance_springs_pushes_and_closures():
    """A beam hinged at the world, held level by a rod and pushed: statics by hand."""
    made = mc.Builder("beam").body("beam", joint=mc.revolute("q"), mass=2, inertia=0.2, com=(0.5, 0))
    made.closure("rod", "rod", body="beam", point=(1, 0), other="world", other_point=(1, 2), length=2.0)
    made.spring(
        "spring", "beam", other="world", point=(0.5, 0), other_point=(0.5, -1), stiffness=10.0, length=1.5
    )
    stepper = mc.Stepper(made.push("push", "beam", point=(0.25, 0), force=(3.0, -4.0)).build(), [0.0])
    seen = stepper.step()
    rod = (2 * G * 0.5 + 4 * 0.25 - 5.0 * 0.5) / 1.0
    fx, fy, moment = seen.joint_reaction("beam")
    assert (fx, fy, moment) == pytest.approx((-3.0, 2 * G + 4.0 - 5.0 - rod, 0.0), abs=1e-9)
    assert seen.loop_force[0] == pytest.approx(-rod, abs=1e-9)


def test_couplings_are_those_of_mujoco():
    """A chain with a tendon spring, a joint equality (gear) and a connected end."""
    mujoco = pytest.importorskip("mujoco")
    text = """<mujoco><option timestep="1e-4" integrator="implicitfast" gravity="0 -9.81 0" solver="Newton"
     tolerance="1e-12"/><worldbody><site name="wall" pos="0.3 -0.6 0"/>
    <body name="a"><joint name="q1" type="hinge" axis="0 0 1"/><inertial pos=".5 0 0" mass="1" diaginertia=".1 .1 .1"/>
    <body name="b" pos="1 0 0"><joint name="q2" type="hinge" axis="0 0 1"/><inertial pos=".5 0 0" mass="1"
     diaginertia=".1 .1 .1"/><site name="tip" pos=".8 0 0"/>
    <body name="c" pos="1 0 0"><joint name="q3" type="hinge" axis="0 0 1"/><inertial pos=".5 0 0" mass="1"
     diaginertia=".1 .1 .1"/></body></body></body></worldbody>
    <tendon><spatial name="s" stiffness="40" damping="1.5" springlength="0.7"><site site="tip"/><site site="wall"/>
    </spatial></tendon>
    <equality><joint joint1="q3" joint2="q1" polycoef="0 0.5 0 0 0" solref="0.0005 1" solimp="0.9999 0.9999 0.001"/>
    </equality></mujoco>"""
    theirs = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(theirs)
    data.qpos[:] = [0.4, -0.3, 0.2]
    for _ in range(5000):
        mujoco.mj_step(theirs, data)
    made = mc.Builder("chain")
    for i in range(1, 4):
        made.body(
            f"l{i}", joint=mc.revolute(f"q{i}", at=(min(i - 1, 1), 0)), mass=1, inertia=0.1, com=(0.5, 0)
        )
    made.spring(
        "s",
        "l2",
        other="world",
        point=(0.8, 0),
        other_point=(0.3, -0.6),
        stiffness=40,
        damping=1.5,
        length=0.7,
    )
    made.closure("gear", "gear", coordinate="q3", other_coordinate="q1", ratio=0.5)
    ours = mc.simulate(made.build(), [0.4, -0.3, 0.2], duration=0.5, step=1e-3, integrator="theta")
    np.testing.assert_allclose(ours.q[-1], data.qpos, atol=2e-3)
