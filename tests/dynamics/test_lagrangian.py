"""Models from a user's own energies: against the tree, against textbooks, and with bad input."""

import pickle

import numpy as np
import pytest
import sympy as sp
from scipy.integrate import solve_ivp

from modecontrol.dynamics.expressions import Expression
from modecontrol.dynamics.mechanism import Body, Contact, Input, Joint, Mechanism
from modecontrol.dynamics.symbols.equations import equations_of
from modecontrol.dynamics.symbols.lagrangian_model import LagrangianModel

E = Expression
x, y, theta, xdot, ydot, thetadot = sp.symbols("x y theta xdot ydot thetadot")
m, l, g, mu = sp.symbols("m l g mu")  # noqa: E741
ROD = {"m": 1.5, "l": 0.8, "g": 9.81, "mu": 0.4}


def rod(**changes) -> LagrangianModel:
    """A uniform rod of half-length l with its lower end near the floor."""
    given = {
        "coordinates": (x, y, theta),
        "T": m * (xdot**2 + ydot**2) / 2 + m * l**2 / 6 * thetadot**2,
        "V": m * g * y,
        "contacts": {"tip": (y - l * sp.sin(theta), x - l * sp.cos(theta), mu)},
        "inputs": {"push": x, "torque": {theta: 1}},
        "parameters": ROD,
        "name": "rod",
        "start": {"y": 0.8, "theta": np.pi / 2},
        "torque_limits": {"push": (-5, 7)},
        "speed_torque": {"torque": (11, 40)},
    }
    return LagrangianModel(**{**given, **changes})


def test_equals_the_same_mechanism_as_a_tree():
    body = Body("rod", "world", Joint("planar", ("x", "y", "theta")), E("m"), E("m*l**2/3"))
    tree = equations_of(
        Mechanism(
            "rod",
            (body,),
            gravity=(0.0, E("-g")),
            parameters=ROD,
            contacts=(Contact("tip", "point", "rod", (E("-l"), 0.0), mu=E("mu")),),
            inputs=(Input("push", ("x",)), Input("torque", ("theta",))),
        )
    )
    mine = rod().equations
    for name in (
        "mass",
        "coriolis",
        "gravity",
        "actuation",
        "contact_position",
        "contact_jacobian",
        "contact_drift",
        "friction",
        "coriolis_matrix",
    ):
        difference = getattr(tree, name) - getattr(mine, name)
        assert sp.simplify(difference) == sp.zeros(*difference.shape), name
    assert tree.coordinates == mine.coordinates
    assert set(tree.parameters) == set(mine.parameters)


def test_snapshot_has_everything():
    model = rod()
    snap = model.snapshot({"y": 1.0, "theta": 0.5}, [0.3, 0.0, 20.0])
    assert model.coordinates == ("x", "y", "theta")
    assert (model.inputs, model.contacts, model.name) == (("push", "torque"), ("tip",), "rod")
    assert dict(model.parameters) == ROD
    np.testing.assert_allclose(snap.mass, np.diag([1.5, 1.5, 1.5 * 0.64 / 3]))
    np.testing.assert_allclose(snap.bias, [0, 1.5 * 9.81, 0])
    np.testing.assert_allclose(snap.gap, [1 - 0.8 * np.sin(0.5)])
    np.testing.assert_allclose(snap.velocity, [-0.8 * np.cos(0.5) * 20, 0.3 + 0.8 * np.sin(0.5) * 20])
    np.testing.assert_allclose(snap.drift, [0.8 * np.sin(0.5) * 400, 0.8 * np.cos(0.5) * 400])
    np.testing.assert_allclose(snap.torque_limits, [[-5, 7], [-5.5, 5.5]])
    np.testing.assert_allclose(snap.friction, [0.4])
    np.testing.assert_array_equal(model.start, [0, 0.8, np.pi / 2])
    for array in (snap.mass, snap.jacobian, snap.torque_limits, snap.q):
        assert not array.flags.writeable


def test_torque_limits_follow_the_speed():
    model = rod()
    np.testing.assert_allclose(model.torque_limits([0, 0, -40.0]), [[-5, 7], [0, 0]])
    np.testing.assert_allclose(model.torque_limits({"theta": 100}), [[-5, 7], [0, 0]])
    both = rod(torque_limits={"torque": (-2, 3)})
    np.testing.assert_allclose(both.torque_limits({})[1], [-2, 3])
    np.testing.assert_allclose(both.torque_limits({"theta": 40 * (1 - 2.5 / 11)})[1], [-2, 2.5])


def test_functions_of_time():
    """dynamicsymbols, as sympy's mechanics has them."""
    from sympy.physics.mechanics import dynamicsymbols

    a, b = dynamicsymbols("a b")
    t = dynamicsymbols._t
    M = sp.Symbol("M")
    u, w = a.diff(t), b.diff(t)
    T = M * u**2 / 2 + m * ((u + l * w * sp.cos(b)) ** 2 + (l * w * sp.sin(b)) ** 2) / 2
    model = LagrangianModel(
        [a, b],
        T,
        -m * g * l * sp.cos(b),
        inputs={"push": a},
        forces={b: -b.diff(t) / 10},
        contacts={"bob": (2 - l * sp.cos(b), a.diff(t) + l * sp.cos(b) * b.diff(t), 0)},
        parameters={"M": 2, "m": 1, "l": 0.5, "g": 9.81},
    )
    assert model.coordinates == ("a", "b")
    snap = model.snapshot([0.1, 0.2], [0.3, 0.4])
    np.testing.assert_allclose(snap.mass, [[3, 0.5 * np.cos(0.2)], [0.5 * np.cos(0.2), 0.25]])
    np.testing.assert_allclose(snap.bias, [-0.5 * 0.16 * np.sin(0.2), 9.81 * 0.5 * np.sin(0.2) + 0.04])
    # A tangential velocity that happens to be the rate of a position has the drift of that position.
    np.testing.assert_allclose(snap.drift, [0.5 * np.cos(0.2) * 0.16, -0.5 * np.sin(0.2) * 0.16])
    assert model.equations.contact_position[1] is sp.nan


def test_rolling_velocity_that_no_position_has():
    """A knife edge: the sideways velocity of a skate is `-sin(theta) xdot + cos(theta) ydot`."""
    skate = LagrangianModel(
        (x, y, theta),
        m * (xdot**2 + ydot**2 + thetadot**2) / 2,
        contacts={"edge": (x * 0, -sp.sin(theta) * xdot + sp.cos(theta) * ydot, 1)},
        parameters={"m": 1},
    )
    snap = skate.snapshot([0, 0, 0.3], [1.0, 2.0, 3.0])
    np.testing.assert_allclose(snap.jacobian[1], [-np.sin(0.3), np.cos(0.3), 0])
    np.testing.assert_allclose(snap.drift[1], -3 * (np.cos(0.3) * 1.0 + np.sin(0.3) * 2.0))


def test_kinetic_energy_with_linear_terms():
    """A bead on a rotating straight wire, `T = m (rd^2 + r^2 w^2 + 2 a w rd) / 2`: centrifugal force only."""
    r, rdot, w, a = sp.symbols("r rdot w a")
    bead = LagrangianModel(
        [r], m * (rdot**2 + r**2 * w**2 + 2 * a * w * rdot) / 2, parameters={"m": 2, "w": 3, "a": 1}
    )
    snap = bead.snapshot([0.5], [7.0])
    np.testing.assert_allclose(snap.mass, [[2.0]])
    np.testing.assert_allclose(snap.bias, [-2 * 0.5 * 9])


def test_loops_and_drift():
    """A bead on a circle, written with two constraints of which one is trivial."""
    bead = LagrangianModel(
        (x, y),
        m * (xdot**2 + ydot**2) / 2,
        m * g * y,
        loops={"ring": (x**2 + y**2 - 1, 0)},
        parameters={"m": 1, "g": 9.81},
    )
    snap = bead.snapshot([0.6, 0.8], [0.8, -0.6])
    np.testing.assert_allclose(snap.loop_jacobian, [[1.2, 1.6], [0, 0]])
    np.testing.assert_allclose(snap.loop_drift, [2.0, 0.0])
    assert snap.names.pins == ("ring",)


def test_energy_is_conserved_along_free_motion():
    phi, phidot = sp.symbols("phi phidot")
    model = LagrangianModel(
        (theta, phi),
        m
        * l**2
        * (thetadot**2 + (thetadot + phidot) ** 2 / 2 + thetadot * (thetadot + phidot) * sp.cos(phi)),
        -m * g * l * (2 * sp.cos(theta) + sp.cos(theta + phi)),
        parameters={"m": 0.7, "l": 0.9, "g": 9.81},
    )

    def rate(_, state):
        snap = model.snapshot(state[:2], state[2:])
        return np.concatenate((state[2:], np.linalg.solve(snap.mass, -snap.bias)))

    start = np.array([1.5, -0.7, 0.3, 2.0])
    end = solve_ivp(rate, (0, 1.0), start, rtol=1e-10, atol=1e-12, method="DOP853").y[:, -1]
    energies = [model.kinetic_energy(s[:2], s[2:]) + model.potential_energy(s[:2]) for s in (start, end)]
    np.testing.assert_allclose(energies[0], energies[1], rtol=1e-8)
    assert np.linalg.norm(end - start) > 0.5


def test_settle_stops_the_contact():
    model = rod()
    q, v = {"y": 0.4, "theta": 0.6}, [0.2, 0.3, 1.0]
    settled = model.settle_velocity(q, v, zero_normal=["tip"], zero_tangential="tip")
    np.testing.assert_allclose(model.snapshot(q, settled).velocity, [0, 0], atol=1e-9)
    with pytest.raises(ValueError, match="no contact 'tipp'; did you mean 'tip'"):
        model.settle_velocity(q, v, zero_normal=["tipp"])


def test_with_parameters_and_pickle():
    model = rod().with_parameters(m=3)
    np.testing.assert_allclose(model.snapshot({}).mass[0, 0], 3.0)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(
        copy.snapshot([1, 2, 3], [4, 5, 6]).drift, model.snapshot([1, 2, 3], [4, 5, 6]).drift
    )
    with pytest.raises(ValueError, match="unknown parameter 'mm'; did you mean 'm'"):
        model.with_parameters(mm=1)


def test_symbols_with_assumptions_are_the_same_symbols():
    positive = sp.Symbol("m", positive=True)
    model = LagrangianModel(
        ["theta"], positive * sp.Symbol("thetadot", real=True) ** 2 / 2, parameters={"m": 3.0}
    )
    np.testing.assert_allclose(model.snapshot([0]).mass, [[3.0]])


def test_frozen_and_readable():
    model = rod()
    with pytest.raises(AttributeError):
        model.name = "other"
    assert repr(model) == "LagrangianModel('rod': coordinates x, y, theta; inputs push, torque; contacts tip)"
    assert "[tip.normal] -l*sin(theta) + y" in str(model.equations)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"T": m * xdot**3},
            r"T is .*; expected a polynomial of degree two in the velocities xdot, ydot, thetadot",
        ),
        ({"T": sp.sqrt(xdot**2 + 1)}, "expected a polynomial of degree two"),
        ({"T": "m*xdot**2"}, "T is the text"),
        ({"T": sp.Symbol("M") * xdot**2}, "T contains M; expected coordinates, velocities and parameters"),
        ({"V": m * g * ydot}, "V is .*; expected a function of the coordinates, without velocities"),
        ({"coordinates": ()}, r"coordinates is \(\); expected a sequence"),
        ({"coordinates": (x, x, theta)}, "all different"),
        ({"velocities": (xdot, ydot)}, "expected as many velocities as coordinates"),
        ({"parameters": {**ROD, "m": "heavy"}}, "parameter m is 'heavy'; expected a finite number"),
        ({"parameters": {**ROD, "m": np.nan}}, "parameter m is nan"),
        ({"parameters": {**ROD, "x": 1.0}}, "x is a coordinate or a velocity"),
        ({"inputs": {"push": {"z": 1}}}, "input 'push' acts on 'z'; expected a coordinate"),
        ({"inputs": {"push": (1, 0)}}, "input 'push' has 2 entries; expected 3"),
        ({"inputs": {"push": (xdot, 0, 0)}}, "input 'push' is xdot"),
        ({"contacts": {"tip": (y, x)}}, r"contact 'tip' is \(y, x\); expected \(normal, tangential, mu\)"),
        ({"contacts": {"tip": (ydot, x, mu)}}, "normal of contact 'tip' is ydot"),
        ({"contacts": {"tip": (y, xdot**2, mu)}}, "a velocity must be linear"),
        ({"contacts": {"tip": (y, xdot + 1, mu)}}, "a velocity must be linear"),
        ({"loops": {"ring": x**2 + y**2}}, "loop 'ring' is .*; expected two expressions"),
        ({"torque_limits": {"puhs": (0, 1)}}, "torque_limits: unknown input 'puhs'; did you mean 'push'"),
        ({"torque_limits": {"push": (1, 0)}}, "torque_limits of 'push': lower exceeds upper"),
        ({"torque_limits": {"push": 3}}, "torque_limits of 'push' is 3; expected a pair"),
        ({"speed_torque": {"torque": (1, 0)}}, "no_load > 0"),
        ({"start": {"z": 1}}, "start names the unknown coordinate 'z'"),
    ],
)
def test_bad_input_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        rod(**changes)


@pytest.mark.parametrize(
    ("q", "v", "message"),
    [
        ([0, 0], None, "q has 2 numbers; expected 3 numbers"),
        ({"thet": 1}, None, "did you mean 'theta'"),
        ([0, 0, np.nan], None, "q of 'theta' is nan"),
        ([0, 0, 0], [0], "v has 1 number; expected 3 numbers"),
    ],
)
def test_bad_states_are_refused(q, v, message):
    with pytest.raises(ValueError, match=message):
        rod().snapshot(q, v)


def test_indefinite_mass_and_singular_states_are_refused():
    wrong = LagrangianModel((x, y), xdot**2 / 2 - ydot**2 / 2)
    with pytest.raises(ValueError, match="mass is indefinite"):
        wrong.snapshot([0, 0])
    singular = LagrangianModel((x,), xdot**2 / 2, 1 / x)
    with pytest.raises(ValueError, match=r"the equations have no value at q = \[0\.0\]"):
        singular.snapshot([0])
