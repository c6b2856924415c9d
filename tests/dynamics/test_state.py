import numpy as np
import pytest

from modecontrol.dynamics.state import read_state

NAMES = ("x", "y", "theta")


@pytest.mark.parametrize(
    "values", [[1, 2, 3], (1.0, 2.0, 3.0), np.array([1, 2, 3]), {"theta": 3, "y": 2, "x": 1}]
)
def test_sequence_or_dict(values):
    array = read_state(values, NAMES, "q")
    assert array.dtype == float
    np.testing.assert_array_equal(array, [1.0, 2.0, 3.0])


def test_coordinates_not_named_are_zero():
    np.testing.assert_array_equal(read_state({"theta": 1.5}, NAMES, "q"), [0, 0, 1.5])
    np.testing.assert_array_equal(read_state({}, NAMES, "q"), [0, 0, 0])


def test_never_shares_memory():
    given = np.zeros(3)
    read_state(given, NAMES, "q")[0] = 1.0
    assert given[0] == 0.0


def test_single_number_for_single_coordinate():
    np.testing.assert_array_equal(read_state(0.5, ("x",), "q"), [0.5])


def test_large_finite_numbers_are_fine():
    np.testing.assert_array_equal(read_state([1e100, -1e100, 0], NAMES, "q"), [1e100, -1e100, 0])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1, 1e308, 0], r"q of 'y' is 1e\+308; expected a number up to 1e\+100 in size"),
        ([1, 2], r"q has 2 numbers; expected 3 numbers \(x, y, theta\)"),
        ([[1, 2, 3]], r"q has shape \(1, 3\); expected 3 numbers"),
        (5.0, r"q has shape \(\); expected 3 numbers"),
        ("1 2 3", "q is '1 2 3'; expected 3 numbers"),
        (None, "q is None; expected 3 numbers"),
        ([1, "a", 3], "q is no sequence of numbers"),
        ([1, 2j, 3], "q is no sequence of numbers"),
        ([1, float("nan"), 3], "q of 'y' is nan; expected a finite number"),
        ({"theta": float("inf")}, "q of 'theta' is inf; expected a finite number"),
        ({"thet": 1}, "q names the unknown coordinate 'thet'; did you mean 'theta'"),
        ({3: 1}, "q names the unknown coordinate 3"),
        ({"x": "one"}, "q of 'x' is 'one'; expected a number"),
        ({"x": [1, 2]}, "q of 'x' is"),
    ],
)
def test_bad_states(values, message):
    with pytest.raises(ValueError, match=message):
        read_state(values, NAMES, "q")
