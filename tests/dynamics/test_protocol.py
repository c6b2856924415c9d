"""Both kinds of model are a `PlanarModel`, and answer alike."""

import numpy as np
import pytest
import sympy as sp

import modecontrol as mc


@pytest.fixture(scope="module")
def pendulum():
    m, length, g, theta, thetadot = sp.symbols("m l g theta thetadot")
    return mc.LagrangianModel(
        [theta],
        T=m * length**2 * thetadot**2 / 2,
        V=-m * g * length * sp.cos(theta),
        inputs={"tau": theta},
        parameters={"m": 1.0, "l": 0.5, "g": 9.81},
        speed_torque={"tau": (2.0, 10.0)},
    )


def test_both_models_are_planar_models(pendulum):
    assert isinstance(pendulum, mc.PlanarModel)
    assert isinstance(mc.load("rhex"), mc.PlanarModel)
    assert not isinstance(pendulum.snapshot([0.0]), mc.PlanarModel)


def test_a_tree_of_bodies_or_none(pendulum):
    assert pendulum.tree is None
    assert mc.load("block").tree is not None


def test_limits_follow_speed_where_there_is_a_line(pendulum):
    assert pendulum.limits_follow_speed
    assert mc.load("rhex").limits_follow_speed
    assert not mc.load("block").limits_follow_speed
    np.testing.assert_allclose(pendulum.torque_limits([5.0], [0.3]), [[-1.0, 1.0]])
    rhex = mc.load("rhex")
    v = np.full(len(rhex.coordinates), 0.1)
    np.testing.assert_array_equal(rhex.torque_limits(v), rhex.torque_limits(v, rhex.start))


def test_unknown_contacts_are_named_by_both(pendulum):
    for model in (pendulum, mc.load("rhex")):
        with pytest.raises(ValueError, match=f"model '{model.name}' has no contact 'bodi'"):
            model.settle_velocity(model.start, model.start_velocity, zero_normal=["bodi"])
