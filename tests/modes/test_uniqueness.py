"""What is not unique within a mode, by the two-copy program; fragile modes; tasks of some and of every w."""

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.modes.within_mode import Ambiguity

G = 9.81


def table(**parameters):
    model = mc.load("table", **parameters)
    return model.snapshot(model.start)


def test_ambiguity_reads_like_a_set_of_names():
    nothing = Ambiguity()
    assert not nothing
    assert list(nothing) == []
    some = Ambiguity(("theta",), ("left.normal",))
    assert some
    assert "theta" in some
    assert "left.normal" in some
    assert "x" not in some
    assert list(some) == ["theta", "left.normal"]


def test_w_alone_proves_nothing_zero_friction_squeezes_it():
    # two contacts at the same point, without friction: w has a tangential direction that the cone closes
    # again
    fixed = mc.dynamic_response(table(mu=0.0))["FF"]
    assert fixed.ambiguity_variables == 1
    assert not fixed.ambiguity
    assert fixed.ambiguity.fragile
    opened = mc.dynamic_response(table(mu=1e-3))["FF"]
    assert opened.ambiguity.forces == ("left.tangent", "right.tangent")
    assert not opened.ambiguity.fragile


def test_a_physical_equality_can_make_forces_unique():
    response = mc.dynamic_response(table(), physical="left.tangent == right.tangent")
    assert response["FF"].ambiguity_variables == 0
    assert not response["FF"].ambiguity


def test_a_physical_inequality_can_make_forces_unique_but_fragile():
    response = mc.dynamic_response(
        table(), physical=["left.tangent >= right.tangent", "left.tangent <= right.tangent"]
    )
    assert response["FF"].ambiguity_variables == 1
    assert not response["FF"].ambiguity
    assert response["FF"].ambiguity.fragile


@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_names_do_not_depend_on_units(scale):
    model = mc.load("ball_bearing")
    s = model.snapshot(model.start, model.start_velocity)
    # lengths and angles in other units: q = scale q'
    n = np.array([1.0, 1.0, scale])
    other = mc.Snapshot(
        mass=s.mass * np.outer(n, n),
        bias=s.bias * n,
        actuation=s.actuation * n[:, None],
        jacobian=s.jacobian * n,
        drift=s.drift,
        friction=s.friction,
        velocity=s.velocity,
        names=s.names,
    )
    assert mc.dynamic_response(other)["RRRR"].ambiguity == mc.dynamic_response(s)["RRRR"].ambiguity


def test_maps_evaluate_many_points_and_check_shapes():
    fixed = mc.dynamic_response(table())["FF"]
    tau, w = np.linspace(-1, 1, 5)[:, None], np.zeros((5, 1))
    many = fixed.force.value(tau, w)
    assert many.shape == (5, 4)
    assert many[3] == pytest.approx(fixed.force.value(tau[3], w[3]))
    assert fixed.force["left.normal"].value([0.0]) == pytest.approx([49.05])
    with pytest.raises(KeyError, match="none of"):
        fixed.force["left.norm"]
    with pytest.raises(ValueError, match="expected 1 input"):
        fixed.force.value([0.0, 1.0])
    with pytest.raises(ValueError, match="1 ambiguity variables"):
        fixed.force.value([0.0], [0.0, 1.0])


# Tasks
# ----------------------------------------------------------------------------------------------------------


def test_task_of_some_w_and_of_every_w():
    """Left foot must push to the right with at least 5 N; the forces are ambiguous while both feet stick.

    Feet share `f_l + f_r = -push` with `|f| <= mu f_n`; normals shift with the push: `f_n = m g / 2 -+ 0.4
    push`.
    """
    response = mc.dynamic_response(table(), task="left.tangent >= 5")
    both = response["FF"]
    m, h, mu = 10.0, 0.4, 0.3

    def least_and_greatest(push):
        left, right = m * G / 2 - h * push, m * G / 2 + h * push
        return max(-mu * left, -push - mu * right), min(mu * left, -push + mu * right)

    some, every = both.task_torques("some"), both.task_torques("every")
    assert (every - some).is_empty
    for push in np.linspace(-29, 29, 59):
        least, greatest = least_and_greatest(push)
        assert some.contains([push]) == (greatest >= 5)
        assert every.contains([push]) == (least >= 5)
    assert not every.is_empty
    assert some.contains([0.0])
    assert not every.contains([0.0])


def test_task_without_w_is_a_plain_cut():
    response = mc.dynamic_response(table(), task="left.normal >= 55")
    every = response["FF"].task_torques("every")
    # f_n left = 49.05 - 0.4 push >= 55
    assert every.support([1.0]) == pytest.approx(-(55 - 49.05) / 0.4)
    assert every == response["FF"].task_torques("some")


def test_equality_task():
    response = mc.dynamic_response(table(), task="left.normal == 50")
    every = response["FF"].task_torques("every")
    assert every.dimension == 0
    assert every.contains([-(50 - 49.05) / 0.4])
    never = mc.dynamic_response(table(), task="left.tangent == 1")["FF"]
    assert never.task_torques("some").dimension == 1
    assert never.task_torques("every").dimension <= 0


def test_demand_is_checked():
    response = mc.dynamic_response(table())
    with pytest.raises(ValueError, match="expected 'some' or 'every'"):
        response["FF"].task_torques("all")
    with pytest.raises(ValueError, match="expected 'some' or 'every'"):
        response.unambiguous("FF", demand="all")
