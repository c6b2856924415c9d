import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modecontrol.dynamics.names import Names
from modecontrol.dynamics.snapshot import Snapshot

SOUND = {
    "mass": np.eye(2),
    "bias": np.zeros(2),
    "actuation": np.eye(2)[:, :1],
    "jacobian": np.array([[0.0, 1.0], [1.0, 0.0]]),
    "drift": np.zeros(2),
    "friction": 0.5,
    "velocity": np.zeros(2),
}


def test_defaults_are_filled_in():
    snap = Snapshot(**SOUND)
    np.testing.assert_array_equal(snap.friction, [0.5])
    np.testing.assert_array_equal(snap.gap, [0.0])
    assert snap.loop_jacobian.shape == (0, 2)
    np.testing.assert_array_equal(snap.torque_limits, [[-np.inf, np.inf]])
    assert snap.names == Names(("q1", "q2"), ("tau1",), ("c1",))
    assert snap.contacts == 1
    assert repr(snap) == "Snapshot(2 coordinates, 1 input, 1 contact: c1)"


def test_arrays_are_copied_and_read_only():
    M = np.eye(2)
    snap = Snapshot(**{**SOUND, "mass": M})
    M[0, 0] = 5.0
    assert snap.mass[0, 0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        snap.bias[0] = 1.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mass": np.eye(3)[:, :2]}, r"mass has shape \(3, 2\); expected a square matrix"),
        ({"mass": [[1.0, 0.1], [0.0, 1.0]]}, r"not symmetric: mass\[0, 1\] = 0.1 but mass\[1, 0\] = 0.0"),
        ({"mass": np.diag([1.0, -1.0])}, "mass is indefinite"),
        ({"mass": [[1.0, 2.0], [2.0, 1.0]]}, "mass is indefinite"),
        ({"mass": [[0.0, 1.0], [1.0, 1.0]]}, "mass is indefinite"),
        ({"mass": "heavy"}, "mass is not an array of numbers"),
        ({"bias": np.zeros(3)}, r"bias has shape \(3,\); expected \(2,\)"),
        ({"bias": [0.0, np.nan]}, r"bias\[1\] is nan"),
        ({"bias": np.zeros((2, 1))}, "bias has 2 dimensions"),
        ({"actuation": np.zeros((3, 1))}, "actuation has shape"),
        ({"jacobian": np.zeros((3, 2))}, "expected two per contact, normal first"),
        ({"jacobian": np.zeros((2, 3))}, r"jacobian has shape \(2, 3\)"),
        ({"drift": np.zeros(4)}, "drift has shape"),
        ({"friction": -0.1}, "friction of contact 'c1' is -0.1"),
        ({"friction": [0.1, 0.2]}, "friction has shape"),
        ({"velocity": np.zeros(1)}, "velocity has shape"),
        ({"gap": np.zeros(2)}, "gap has shape"),
        ({"loop_jacobian": np.zeros((1, 3))}, "loop_jacobian has shape"),
        ({"loop_drift": np.zeros(1)}, "loop_drift has shape"),
        ({"torque_limits": [[1.0, -1.0]]}, "lower <= upper"),
        ({"torque_limits": [[np.nan, 1.0]]}, r"torque_limits\[0, 0\] is nan"),
        ({"names": {"joints": ["a"]}}, r"unknown keys \['joints'\]"),
        ({"names": (("a",), ("t",), ("c",))}, "names.coordinates has 1 entries"),
        ({"names": {"contacts": "c"}}, "is the string 'c'"),
        ({"names": {"coordinates": ["a", "a"]}}, "every name may stand once"),
    ],
)
def test_unsound_arrays_are_refused_with_the_reason(change, message):
    with pytest.raises(ValueError, match=message):
        Snapshot(**{**SOUND, **change})


def test_names_can_be_given_as_mapping_or_tuple():
    assert Snapshot(**SOUND, names={"contacts": ["toe"]}).names.contacts == ("toe",)
    assert Snapshot(**SOUND, names=(("x", "y"), ("push",), ("toe",))).names.inputs == ("push",)


def test_no_contacts_no_inputs():
    snap = Snapshot(np.zeros((1, 1)), [0.0], np.zeros((1, 0)), np.zeros((0, 1)), [], [], [])
    assert snap.contacts == 0
    assert snap.torque_limits.shape == (0, 2)


@settings(deadline=None, max_examples=50)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 6), rank=st.integers(0, 6), units=st.integers(-6, 6))
def test_positive_semidefinite_masses_of_any_rank_and_units_are_accepted(seed, n, rank, units):
    rng = np.random.default_rng(seed)
    R = rng.normal(size=(rank, n)) * 10.0 ** rng.integers(-3, 3, size=n) * 10.0**units
    snap = Snapshot(R.T @ R, np.zeros(n), np.zeros((n, 0)), np.zeros((0, n)), [], [], [])
    assert snap.mass.shape == (n, n)
