"""Velocities, gaps and misuse: what is left of the letters, and errors that name the contact."""

import numpy as np
import pytest
import reference

import modecontrol as mc
from modecontrol.modes.letters import codes, spell, touch

G = 9.81


NAMES = {"coordinates": ["x", "y"], "inputs": ["fx", "fy"], "contacts": ["foot"]}


def point(**changes):
    return mc.Snapshot(**reference.point_mass(**({"names": NAMES} | changes)))


@pytest.mark.parametrize(
    ("velocity", "expected"),
    [
        ([0, 0], ["F", "L", "R", "S"]),
        ([0, 1], ["R", "S"]),
        ([0, -1], ["L", "S"]),
        ([1, 0], ["S"]),
        ([1, -1], ["S"]),
    ],
)
def test_table_3_of_greenfield_2005(velocity, expected):
    assert mc.kinematic_modes(point(velocity=velocity)) == expected
    assert mc.dynamic_response(point(velocity=velocity)).modes == expected


def test_leaving_by_velocity_needs_no_acceleration():
    # pressed down, but already on its way up: S all the same
    assert mc.dynamic_response(point(velocity=[1, 0])).modes_at([0, -100]) == ["S"]
    assert mc.dynamic_response(point()).modes_at([0, -100]) == ["F"]


def test_open_gap_keeps_its_place_with_s():
    assert mc.kinematic_modes(point(gap=[0.1])) == ["S"]
    # approaching without touching is no impact
    assert mc.dynamic_response(point(gap=[0.1], velocity=[-1, 0])).modes == ["S"]


def test_velocity_tolerance_keeps_all_letters():
    noisy = point(velocity=[1e-4, -1e-4])
    assert mc.kinematic_modes(noisy) == ["S"]
    assert mc.kinematic_modes(noisy, velocity_tolerance=1e-3) == ["F", "L", "R", "S"]
    assert mc.dynamic_response(noisy, velocity_tolerance=[1e-3]).modes == ["F", "L", "R", "S"]


def test_velocity_tolerance_is_per_contact():
    two = mc.Snapshot(
        mass=np.eye(2),
        bias=[0, G],
        actuation=np.eye(2),
        jacobian=[[0, 1.0], [1, 0]] * 2,
        drift=np.zeros(4),
        friction=[0.5, 0.5],
        velocity=[0, 0.01, 0, 0.01],
    )
    found = touch(two, [0.1, 0.001])
    assert found.slip.tolist() == [0, 1]
    assert not found.free.any()
    # contact 1 counts as at rest, contact 2 slides to the right: in sliding, the point accelerates to the
    # left or not
    assert "LR" in mc.kinematic_modes(two, velocity_tolerance=[0.1, 0.001])


def test_approaching_contact_is_named():
    with pytest.raises(mc.ImpactError, match=r"contact 'foot' approaches at 0\.25 m/s"):
        mc.dynamic_response(point(velocity=[-0.25, 0]))
    with pytest.raises(mc.ImpactError, match="foot"):
        mc.kinematic_modes(point(velocity=[-0.25, 0]))
    assert mc.kinematic_modes(point(velocity=[-0.25, 0]), velocity_tolerance=0.3) == ["F", "L", "R", "S"]


@pytest.mark.parametrize("tolerance", [-1.0, [0.1, 0.1], np.nan, [[0.1]], "slow"])
def test_bad_velocity_tolerance(tolerance):
    with pytest.raises(ValueError, match="velocity_tolerance"):
        mc.dynamic_response(point(), velocity_tolerance=tolerance)


def test_negative_friction_names_the_contact():
    with pytest.raises(ValueError, match=r"friction of contact 'foot' is -0\.1"):
        point(friction=[-0.1])


def test_not_a_number_and_shapes_are_named():
    with pytest.raises(ValueError, match=r"bias\[1\] is nan"):
        point(bias=[0, np.nan])
    with pytest.raises(ValueError, match="drift has shape"):
        point(drift=[0.0])


@pytest.mark.parametrize("mode", ["", "FF", "X", "f"])
def test_bad_mode_strings(mode):
    response = mc.dynamic_response(point())
    with pytest.raises(ValueError, match="is not a contact mode; expected 1 letter out"):
        response[mode]
    with pytest.raises(ValueError, match="is not a contact mode"):
        response.explain(mode)
    with pytest.raises(ValueError, match="is not a contact mode"):
        response.unambiguous(mode)
    assert mode not in response


def test_impossible_mode_is_a_key_error_with_a_hint():
    response = mc.dynamic_response(point(velocity=[0, 1.0]))
    with pytest.raises(KeyError, match=r"explain\('L'\) says why"):
        response["L"]
    assert response.get("L") is None


def test_letters_and_codes_are_inverse():
    assert spell(codes("FSLR", 4)) == "FSLR"


def test_a_model_is_no_snapshot():
    model = mc.load("table")
    for ask in (mc.kinematic_modes, mc.dynamic_response):
        with pytest.raises(TypeError, match=r"expected a Snapshot.*model\.snapshot\(q, v\) makes one"):
            ask(model)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (dict(torque_limits=[(np.inf, np.inf), (0, 1)]), "torque_limits is .*expected 2 pairs"),
        (dict(torque_limits=[(-np.inf, -np.inf), (0, 1)]), "torque_limits is .*expected 2 pairs"),
        (dict(torque_limits="ab"), "torque_limits is not an array of numbers"),
        (dict(friction="rough"), "friction is not an array of numbers"),
    ],
)
def test_limits_and_friction_of_a_snapshot_are_numbers(changes, message):
    with pytest.raises(ValueError, match=message):
        point(**changes)
