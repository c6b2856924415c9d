"""Between rest and motion there is no gap: contacts that count as at rest do rest, so that tolerances open no
holes.
"""

import dataclasses

import numpy as np
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st

import modecontrol as mc
from modecontrol.modes.letters import touch
from modecontrol.modes.settling import settled
from modecontrol.trials.rhex.observer import RHexObserver

V0 = (0.001, 0.08, 0.001, 0.001)
PUSHING = [(-11.0, 0.0)] * 3


def rising(rate, pitch=0.1):
    """RHex with its corner and three toes on the ground, at a pitch rate."""
    model = mc.load("rhex")
    q, v = np.array(model.start), np.zeros(6)
    q[2], v[2] = pitch, rate
    q, v, _ = RHexObserver.of(model)(0.0, q, v)
    return dataclasses.replace(model.snapshot(q, v), gap=np.zeros(4))


@pytest.mark.parametrize("rate", [1e-5, 1e-4, 2e-4, 3e-4, 5e-4, 1e-3, 2e-3, 4e-3])
def test_nearly_resting_rhex_has_an_answer_to_every_push(rate):
    response = mc.dynamic_response(rising(rate), PUSHING, velocity_tolerance=V0)
    torques = np.random.default_rng(0).uniform(-11.0, 0.0, size=(400, 3))
    assert all(response.modes_at(tau) for tau in torques)
    shares = response.coverage()
    assert shares["inconsistent"] <= 1e-9 * shares["whole"]


@pytest.mark.parametrize("rate", [3e-4, 1e-3, 2e-3])
def test_nearly_resting_is_resting(rate):
    """All contacts below their thresholds: the modes, and nearly the sets, of the robot at rest."""
    moving, resting = (mc.dynamic_response(rising(r), PUSHING, velocity_tolerance=V0) for r in (rate, 0.0))
    assert moving.modes == resting.modes
    torques = np.random.default_rng(1).uniform(-11.0, 0.0, size=(200, 3))
    assert sum(moving.modes_at(tau) != resting.modes_at(tau) for tau in torques) <= 2
    assert mc.kinematic_modes(rising(rate), velocity_tolerance=V0) == mc.kinematic_modes(rising(0.0))


def test_the_instant_of_the_response_is_settled():
    measured = rising(1e-3)
    response = mc.dynamic_response(measured, velocity_tolerance=V0)
    assert np.abs(measured.velocity).max() > 1e-4
    np.testing.assert_array_equal(response.snapshot.velocity, 0.0)
    np.testing.assert_allclose(response.snapshot.jacobian @ response.snapshot.v, 0.0, atol=1e-12)
    assert response.snapshot.friction is measured.friction


def test_sliding_contacts_go_on_sliding():
    measured = rising(4e-3)
    found = settled(measured, touch(measured, V0))
    assert found.velocity[7] == measured.velocity[7] < -V0[3]
    np.testing.assert_array_equal(found.velocity[:7], 0.0)


def test_what_rests_already_is_left_alone():
    model = mc.load("rhex")
    snapshot = model.snapshot(model.start)
    assert settled(snapshot, touch(snapshot)) is snapshot


@settings(max_examples=60)
@given(seed=st.integers(0, 100_000))
def test_resting_rows_can_be_met_together(seed):
    """`A qdd + d' = 0` has a solution, `d'` differs from `d` by what no acceleration makes, and settling
    twice changes nothing.
    """
    rng = np.random.default_rng(seed)
    s = reference.random_system(rng, contacts=3)
    s["velocity"] = 1e-3 * rng.normal(size=6)
    s["velocity"][0::2] = np.abs(s["velocity"][0::2])
    s["drift"] = rng.normal(size=6)
    snapshot = mc.Snapshot(**s)
    touching = touch(snapshot, 1.0)
    found = settled(snapshot, touching)
    left = np.linalg.lstsq(snapshot.jacobian, -found.drift, rcond=1e-10)
    residual = snapshot.jacobian @ left[0] + found.drift
    assert np.abs(residual).max() <= 1e-8 * max(1.0, np.abs(left[0]).max() * np.abs(snapshot.jacobian).max())
    again = settled(found, touching)
    np.testing.assert_allclose(again.drift, found.drift, atol=1e-9)


def test_a_normal_velocity_has_a_tolerance_of_its_own():
    s = reference.random_system(np.random.default_rng(2), contacts=2)
    s.update(velocity=np.array([0.01, 0.5, 0.0, 0.0]), drift=np.zeros(4))
    snapshot = mc.Snapshot(**s)
    assert touch(snapshot, 1.0).free.tolist() == [False, False]
    assert touch(snapshot, 1.0, normal_tolerance=1e-3).free.tolist() == [True, False]
    assert all(
        mode[0] == "S"
        for mode in mc.dynamic_response(snapshot, velocity_tolerance=1.0, normal_tolerance=1e-3)
    )
    assert {
        mode[0] for mode in mc.kinematic_modes(snapshot, velocity_tolerance=1.0, normal_tolerance=1e-3)
    } == {"S"}
    falling = dataclasses.replace(snapshot, velocity=-snapshot.velocity)
    with pytest.raises(mc.ImpactError, match=r"tolerance 0\.001"):
        mc.dynamic_response(falling, velocity_tolerance=1.0, normal_tolerance=1e-3)
    with pytest.raises(ValueError, match="normal_tolerance"):
        mc.dynamic_response(snapshot, normal_tolerance=[1.0, 2.0, 3.0])


def test_drifts_that_do_not_fit_open_no_corner_without_an_answer():
    """A foot that could leave with 1e-8 m/s2 only, where all inputs press, is no hole of the inputs."""
    snapshot = mc.Snapshot(
        mass=np.diag([2.0, 2.0, 0.5]),
        bias=[0, 20, 0],
        actuation=[[1, 1, 1], [1, 0, 1], [1, 0, 0]],
        jacobian=[[0, 1, 0.5], [1, 0, 0.5], [-1, 0, -0.5], [0, 1, 1]],
        friction=[0.25, 2],
        drift=[
            -9.374124901864969e-08,
            -1.8958773736993453e-07,
            -3.2300416135970427e-07,
            -2.4442034119548555e-07,
        ],
        velocity=[4.8e-4, -5.4e-4, 6.2e-4, -3.6e-5],
    )
    resp = mc.dynamic_response(snapshot, torque_limits=[(0, 8), (-8, 8), (-8, 8)], velocity_tolerance=1e-3)
    assert resp.inconsistent().is_empty
    assert resp.coverage()["inconsistent"] == 0


def test_a_mode_left_with_one_input_beside_those_of_others_is_not_alone():
    """FFF is possible where the input is 4e-9, the limit is zero, and other modes end there: that is the same input."""
    snapshot = mc.Snapshot(
        mass=[[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 0.25, 0.25], [0, 0, 0.25, 0.5]],
        bias=[4, 20, 2, 0],
        actuation=[[1], [1], [0], [1]],
        jacobian=[
            [0, 1, 1, 0],
            [1, 0, 0.5, 0],
            [0, 1, -0.5, 0],
            [1, 0, 0.5, 0],
            [0, 1, 0, 0],
            [1, 0, 0.5, -1],
        ],
        friction=[1, 2, 0],
        drift=[1.36e-08, -2.36e-10, -6.20e-09, -2.36e-10, 4.03e-10, 1.45e-08],
        velocity=np.zeros(6),
    )
    resp = mc.dynamic_response(snapshot, torque_limits=[(-8, 0)])
    (only,) = resp["FFF"].torques.vertices
    assert 0 < only[0] < 1e-8
    assert {"FFF", "LLL"} <= set(resp.modes_at(only))
    assert resp.answer_at(only) is None
    assert resp.unambiguous("FFF").is_empty


@pytest.mark.parametrize("size", [1e-9, 1e-8, 1e-7, 1e-6, 5e-6])
def test_drifts_that_velocities_near_zero_leave_open_no_hole_between_rest_and_motion(size):
    """A block without friction on two floor contacts, beside a wall that it leaves: too slowly to separate, too fast to stay."""
    snapshot = mc.Snapshot(
        mass=np.diag([2.0, 2.0, 1.0]),
        bias=[0, 20, 0],
        actuation=[[0, 0], [0, 0], [1, 1]],
        jacobian=[[0, 1, 0], [1, 0, 0.5], [0, 1, 0.5], [1, 0, 0.5], [1, 0, -0.5], [0, -1, -0.5]],
        friction=[0, 0, 0.25],
        drift=size * np.array([0.39, 0.99, 0.42, 0.99, 0.91, -0.42]),
        velocity=[6.3e-9, 1.8e-8, 1.5e-8, 1.8e-8, 1.9e-8, 8.0e-10],
    )
    resp = mc.dynamic_response(snapshot, torque_limits=[(-8, 0), (-8, 8)], velocity_tolerance=1e-3)
    assert resp.inconsistent().is_empty
    for tau in ([-0.4, -7.9], [-1.9, -2.5], [-3.7, -5.0], [0.0, -0.1]):
        assert len(resp.modes_at(tau)) == 1
