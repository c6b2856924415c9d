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
