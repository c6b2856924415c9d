"""A `LagrangianModel` is stepped like the same mechanism built from bodies."""

import math

import numpy as np
import pytest
import sympy as sp

import modecontrol as mc
from modecontrol.errors import SingularMassError
from modecontrol.timestepping import simulate

x, y, a, xdot, ydot, adot, m, l, g, mu = sp.symbols("x y a xdot ydot adot m l g mu")  # noqa: E741
VALUES = {"m": 1.5, "l": 0.8, "g": 9.81, "mu": 0.4}


def rods(**changes):
    """A uniform rod of half-length l over a floor: from its Lagrangian, and from a body."""
    values = {**VALUES, **changes}
    ends = {
        "low": (y - l * sp.sin(a), x - l * sp.cos(a), mu),
        "high": (y + l * sp.sin(a), x + l * sp.cos(a), mu),
    }
    mine = mc.LagrangianModel(
        (x, y, a),
        m * (xdot**2 + ydot**2) / 2 + m * l**2 / 6 * adot**2,
        m * g * y,
        contacts=ends,
        inputs={"push": x, "torque": {a: 1}},
        parameters=values,
        name="rod",
        start={"y": 0.8, "a": 1.2},
        torque_limits={"push": (-5, 7)},
    )
    half, mass = values["l"], values["m"]
    builder = mc.Builder("rod", gravity=(0, -values["g"]))
    builder = builder.body("rod", joint=mc.planar("x", "y", "a"), mass=mass, inertia=mass * half**2 / 3)
    for name, point in (("low", (-half, 0)), ("high", (half, 0))):
        builder = builder.contact(name, "rod", point=point, mu=values["mu"])
    return mine, builder.input("push", "x").input("torque", "a").build()


@pytest.mark.parametrize("formulation", ["os", "rmc", "mc"])
@pytest.mark.parametrize(("friction", "torque"), [(0.4, [0.0, 0.0]), (0.0, [0.0, 0.0]), (0.8, [4.0, 1.0])])
def test_falling_rod_is_that_of_a_tree(formulation, friction, torque):
    mine, tree = rods(mu=friction)
    start = [0, 0.8 * math.sin(1.2) + 0.05, 1.2], [0.3, 0, -1.0]
    run = simulate(mine, *start, controller=torque, duration=0.6, formulation=formulation)
    other = simulate(tree, *start, controller=torque, duration=0.6, level="position")
    assert run.completed
    assert len(set(run.modes)) > 2
    np.testing.assert_allclose(run.q, other.q, atol=1e-9)
    np.testing.assert_allclose(run.v, other.v, atol=1e-8)
    np.testing.assert_allclose(run.impulse, other.impulse, atol=1e-8)
    np.testing.assert_allclose(run.gap, other.gap, atol=1e-9)
    np.testing.assert_allclose(run.energy, other.energy, atol=1e-8)
    assert run.modes == other.modes
    assert run.header["settings"]["level"] == "position"


def test_loops_stay_closed():
    """A pendulum in Cartesian coordinates, its string a loop with one idle row."""
    string = {"string": (x**2 + y**2 - 1, sp.Integer(0))}
    bob = mc.LagrangianModel(
        (x, y),
        m * (xdot**2 + ydot**2) / 2,
        m * g * y,
        loops=string,
        parameters={"m": 1.0, "g": 9.81},
        start={"x": 1.0},
        name="bob",
    )
    run = simulate(bob, duration=1.0)
    assert run.completed
    assert np.abs(run.q[:, 0] ** 2 + run.q[:, 1] ** 2 - 1).max() < 0.01
    swing = simulate(
        mc.Builder("swing").body("bob", joint=mc.revolute("a"), mass=1, inertia=0, com=(1, 0)).build(),
        [0.0],
        duration=1.0,
        step=1e-4,
    )
    np.testing.assert_allclose(run.q[::100, 1], np.sin(swing.q[::1000, 0]), atol=0.02)


def test_controller_limits_saving_and_pictures(tmp_path):
    mine, _ = rods()
    run = simulate(mine, {"y": 3.0}, controller=lambda t, q, v: {"push": 100.0}, duration=0.05, clip=True)
    assert set(run.torque[:, 0]) == {7.0}
    again = mc.Trajectory.load(run.save(tmp_path / "rod"))
    np.testing.assert_array_equal(again.gap, run.gap)
    np.testing.assert_array_equal(again.energy, run.energy)
    assert len(run.to_csv(tmp_path / "rod.csv").read_text().splitlines()) == 52


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"formulation": "nmc/os"}, "no bodies to take apart"),
        ({"dynamics": "aba"}, "only its mass matrix"),
        ({"level": "velocity"}, "not located"),
        ({"integrator": "rk4"}, "use 'euler'"),
        ({"restitution": 0.5}, "no collisions"),
        ({"restitution": {"low": 0.5}}, "no collisions"),
        ({"g_eps": 1.0}, "not positive"),
        ({"eps": -1.0}, "not negative"),
        ({"loop_correction": 2.0}, "between 0 and 1"),
        ({"q0": {"y": 0.1, "a": 1.5}}, "contact 'low' is"),
        ({"step": -1.0}, "step is"),
    ],
)
def test_what_is_not_known_is_refused_with_the_way_out(options, words):
    mine, _ = rods()
    with pytest.raises(ValueError, match=words):
        simulate(mine, **options)


def test_massless_coordinates_need_the_velocities_kept():
    light = mc.LagrangianModel((x, y), m * xdot**2 / 2, 0, parameters={"m": 1.0})
    with pytest.raises(SingularMassError, match=r"'y' move nothing.*formulation='mc'"):
        simulate(light, duration=0.01)
    assert simulate(light, [0, 0], [1.0, 0], duration=0.01, formulation="mc").v[-1, 0] == 1.0


# The energy book
# -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("formulation", ["os", "rmc", "mc"])
@pytest.mark.parametrize("stiffness", [1e2, 1e4, 1e6, 1e8, 1e10, 1e14])
def test_springs_of_any_stiffness_explode_neither_in_silence_nor_at_all(stiffness, formulation):
    """Two masses on a spring that the step follows, follows in parts, or cannot follow; it went on to 1e300 J."""
    spring = mc.LagrangianModel(
        (x, y),
        m * (xdot**2 + 2 * ydot**2) / 2,
        sp.Symbol("k") * (x - y) ** 2 / 2,
        parameters={"m": 1.0, "k": stiffness},
        start={"x": 0.1},
    )
    run = simulate(spring, duration=0.02, formulation=formulation)
    assert run.completed == (stiffness <= 1e8)
    assert run.completed or "gains" in run.status
    assert run.energy.max() <= 1.2 * run.energy[0]
    assert run.gained <= 0.5 * run.energy[0]
    assert np.isfinite(run.q).all()


@pytest.mark.parametrize("damper", [10.0, 3e3, 2e4, 1e6, 1e10])
def test_a_damper_that_is_too_strong_for_the_step_does_not_explain_what_it_makes(damper):
    """`v+ = (1 - h c / m) v`: by the force at the beginning alone the work would be just what appears."""
    slow = mc.LagrangianModel(
        (x,), m * xdot**2 / 2, forces={x: -sp.Symbol("c") * xdot}, parameters={"m": 1.0, "c": damper}
    )
    run = simulate(slow, [0.0], [1.0], duration=0.1)
    assert run.completed == (damper < 5e4)
    assert run.kinetic.max() <= 0.5
    if damper == 10.0:
        assert run.v[-1, 0] == pytest.approx((1 - 1e-2) ** 100, rel=1e-9)


def test_what_forces_inputs_and_turning_frames_put_in_is_no_gain():
    k, w = sp.symbols("k w")
    pushed = mc.LagrangianModel(
        (x,), m * xdot**2 / 2, forces={x: k * xdot}, inputs={"u": x}, parameters={"m": 1.0, "k": 4.0}
    )
    run = simulate(pushed, [0.0], [0.5], controller=[3.0], duration=1.0)
    assert run.completed
    assert run.v[-1, 0] == pytest.approx(0.5 * math.exp(4) + 3 / 4 * (math.exp(4) - 1), rel=0.02)
    assert run.kinetic[-1] > 1e3 * run.kinetic[0]
    bead = mc.LagrangianModel((x,), m * (xdot**2 + w**2 * x**2) / 2, parameters={"m": 1.0, "w": 5.0})
    run = simulate(bead, [0.1], [0.0], duration=0.5)  # on a wire that turns: `T2 - T0` is kept
    assert run.completed
    assert run.q[-1, 0] == pytest.approx(0.1 * math.cosh(2.5), rel=0.02)
    kept = 0.5 * run.v[:, 0] ** 2 - 12.5 * run.q[:, 0] ** 2
    assert run.gained == pytest.approx((kept - np.minimum.accumulate(kept)).max(), rel=1e-6)


@pytest.mark.parametrize(("formulation", "duration"), [("os", 0.4), ("rmc", 0.4), ("mc", 0.04)])
@pytest.mark.parametrize(("depth", "g_eps"), [(0.0, None), (0.01, None), (0.1, -1e-3)])
def test_a_rod_that_starts_inside_the_floor_gains_as_little_as_that_of_a_tree(
    depth, g_eps, formulation, duration
):
    mine, tree = rods()
    start = [0, 0.8 * math.sin(0.4) - depth, 0.4], [0.3, -1.0, 2.0]
    options = {"duration": duration, "g_eps": g_eps, "check_state": False}
    run = simulate(mine, *start, formulation=formulation, **options)
    other = simulate(tree, *start, level="position", **options)
    risen = float((run.energy - np.minimum.accumulate(run.energy)).max())
    assert run.completed
    assert other.completed
    assert risen <= 0.06 * (run.kinetic[0] + np.ptp(run.potential))
    assert run.gained == pytest.approx(risen, abs=1e-6 + 0.02 * risen)
    if depth == 0.0:
        np.testing.assert_allclose(run.q, other.q, atol=1e-8)
        assert run.gained == pytest.approx(other.gained, abs=1e-8)


@pytest.mark.parametrize("step", [1e-3, 1e-2])
@pytest.mark.parametrize("turning", [30.0, 400.0])
def test_fast_turning_pendulums_do_not_explode(turning, step):
    """Two rods that turn against each other, by up to four radians in a step."""
    b, bdot = sp.symbols("b bdot")
    both = mc.LagrangianModel(
        (a, b),
        m * l**2 * (2 * adot**2 + bdot**2 + 2 * adot * bdot * sp.cos(a - b)) / 2,
        -m * g * l * (2 * sp.cos(a) + sp.cos(b)),
        parameters={"m": 1.0, "l": 0.5, "g": 9.81},
    )
    run = simulate(both, [1.0, 2.0], [turning, -turning], duration=20 * step, step=step)
    assert run.completed or "gain" in run.status
    at_hand = run.kinetic[0] + np.ptp(run.potential)
    assert run.energy.max() <= run.energy[0] + 0.3 * at_hand
    assert (run.energy - np.minimum.accumulate(run.energy)).max() <= 0.5 * at_hand


def test_the_stepper_of_a_lagrangian_keeps_its_book_and_forgets_it_when_placed():
    mine, _ = rods()
    stepper = mc.Stepper(mine, {"y": 2.0}, {"a": 3.0})
    for _ in range(20):
        assert stepper.step([0.0, 100.0])
    run = simulate(mine, {"y": 2.0}, {"a": 3.0}, controller=[0.0, 100.0], duration=0.02)
    np.testing.assert_array_equal(stepper.q, run.q[-1])
    stepper.place({"y": 3.0})
    assert stepper.step()
