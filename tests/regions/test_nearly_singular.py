"""Modes that are singular, or all but singular: what exists, and what is called sure, by linear programs in the raw unknowns."""

import numpy as np
import pytest
import reference

import modecontrol as mc
from modecontrol.trials.rhex.observer import at_rest

CURVE = 0.22642642642642644, 0.47567567567567565
"""Friction of RHex's toes and pitch (rad) at which the equations of LRRS are singular but for 1e-7."""
BESIDE = [0.0, 1e-12, 1e-10, -1e-9, 1e-8, 1e-6]


def standing(mu, pitch):
    """RHex at rest with its front leg in the air, as a response and as raw arrays."""
    model = mc.load("rhex", mu_toe=mu)
    q = np.array(model.start, float)
    q[2] = pitch
    snap = model.snapshot(at_rest(model, q))
    velocity = np.array(snap.velocity)
    velocity[0::2][snap.gap > 1e-9] = 1.0  # an open contact separates, whatever happens
    names = ("mass", "bias", "actuation", "jacobian", "drift", "friction")
    s = {name: np.array(getattr(snap, name)) for name in names} | {"velocity": velocity}
    return mc.dynamic_response(snap, task="body.normal >= 10"), s, snap.torque_limits


def leg(beside, box):
    """A body on a massless leg that lies along the edge of its friction cone, but for a part of the coefficient."""
    return dict(
        mass=np.diag([2.0, 2.0, 0.25, 0.0]),
        bias=np.array([4.0, 20.0, 2.0, 0.0]),
        actuation=np.array([[0.0], [0.0], [0.0], [1.0]]),
        jacobian=np.array([[0.0, 1.0, 0.0, -1.0], [1.0, 0.0, -0.5, -1.0]]),
        drift=np.zeros(2),
        friction=np.array([1.0 + beside]),
        velocity=np.zeros(2),
    ), [box]


def answered(s, box):
    return mc.dynamic_response(mc.Snapshot(**s), torque_limits=box)


@pytest.mark.parametrize("beside", BESIDE)
def test_modes_of_a_robot_with_a_lifted_leg_where_one_is_all_but_singular(beside):
    response, s, limits = standing(CURVE[0] + beside, CURVE[1])
    rooms = {mode: reference.strictness(s, mode, limits) for mode in reference.candidate_modes(s)}
    assert response.modes == sorted(mode for mode, room in rooms.items() if room > 1e-6)


@pytest.mark.parametrize("beside", BESIDE)
def test_its_best_sure_thrust_is_that_of_the_states_around(beside):
    response, _, _ = standing(CURVE[0] + beside, CURVE[1])
    best = mc.maximize(response, "alpha")
    assert best.mode == "RRLS"
    assert abs(best.value - (61.4005993147 - 113.75 * beside)) < 1e-6


@pytest.mark.parametrize("beside", [1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4])
def test_nothing_is_sure_of_a_leg_without_torque_on_the_edge_of_its_cone(beside):
    s, box = leg(beside, (0.0, 0.0))
    here = [mode for mode in "FLRS" if reference.exists_at(s, mode, np.zeros(1), box)]
    response = answered(s, box)
    assert {"F", "S"} <= set(here)  # it may hold, and it may lift
    assert not mc.maximize(response, "q2")
    assert response.answer_at([0.0]) is None
    assert not any(response.unambiguous(mode) for mode in response.modes)


@pytest.mark.parametrize("beside", [0.0, 1e-12, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-2])
@pytest.mark.parametrize("goal", ["q2", "tau1", "c1.normal", "q3"])
def test_sure_torques_of_that_leg_have_one_motion_by_raw_programs(beside, goal):
    s, box = leg(beside, (-8.0, 8.0))
    best = mc.maximize(answered(s, box), goal)
    least = {mode: reference.least_at(s, mode, best.torque, box, [0.0, 1.0, 0.0, 0.0]) for mode in "FLRS"}
    shown = {mode: value for mode, value in least.items() if value is not None}
    assert best.mode in shown
    assert all(abs(value - shown[best.mode]) < 1e-4 for value in shown.values())


def test_a_steep_mode_counts_against_others_and_is_never_the_one_answer():
    s, box = leg(1e-7, (-8.0, 8.0))
    response = answered(s, box)
    assert [mode for mode in response.modes if response[mode].is_steep] == ["R"]
    assert not response.unambiguous("R")
    sliver = response["R"].torques
    middle = sliver.maximize(np.zeros(1)).point
    assert "R" in response.modes_at(middle)
    assert response.answer_at(middle) != "R"


def test_friction_of_an_open_contact_is_told_at_inputs_of_rounding_size():
    s, box = leg(0.5, (-8.0, 8.0))
    response = answered(s | {"velocity": np.array([1.0, 0.0])}, box)
    for tau in (0.0, 1.3e-14, -2.5e-16):
        assert response.modes_at([tau]) == ["S"]
        assert response.friction_interval([tau], "S", "c1") == (0.0, np.inf)
