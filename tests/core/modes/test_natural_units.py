"""Natural units: whatever units a user takes, the scaled problem is the same."""

import numpy as np
import pytest
import reference

from modecontrol._core import modes as core


def units(s):
    none = np.zeros((0, len(s["bias"])))
    return core.natural_units(s["mass"], s["actuation"], s["jacobian"], none)


@pytest.mark.parametrize("seed", range(30))
def test_scaled_problem_does_not_depend_on_the_units(seed):
    rng = np.random.default_rng(seed)
    s = reference.random_system(rng)
    q = 10.0 ** rng.uniform(-3, 3, size=len(s["bias"]))
    length, torque = 10.0 ** rng.uniform(-3, 3, size=2)
    other = dict(
        s,
        mass=s["mass"] * np.outer(q, q),
        actuation=s["actuation"] * q[:, None] / torque,
        jacobian=length * s["jacobian"] * q,
    )
    plain, scaled = units(s), units(other)
    np.testing.assert_allclose(scaled[0], plain[0] / q, rtol=1e-9)
    np.testing.assert_allclose(scaled[1], plain[1] / length, rtol=1e-9)
    np.testing.assert_allclose(scaled[3], plain[3] * torque, rtol=1e-9)


@pytest.mark.parametrize("seed", range(30))
def test_scaled_rows_have_largest_entry_one(seed):
    s = reference.random_system(np.random.default_rng(seed))
    of_q, of_f, _, of_tau = units(s)
    heavy = np.diag(s["mass"]) > 0
    np.testing.assert_allclose(np.diag(s["mass"])[heavy] * of_q[heavy] ** 2, 1.0)
    rows = np.abs(s["jacobian"] * of_q * of_f[:, None]).reshape(-1, 2 * len(of_q)).max(axis=1)
    felt = np.abs(s["jacobian"]).reshape(-1, 2 * len(of_q)).max(axis=1) > 0
    np.testing.assert_allclose(rows[felt], 1.0)
    np.testing.assert_allclose(np.abs(of_q[:, None] * s["actuation"] * of_tau).max(axis=0), 1.0)


def test_wrong_shapes_are_refused():
    with pytest.raises(ValueError, match="shapes"):
        core.natural_units(np.eye(2), np.eye(3), np.zeros((2, 2)), np.zeros((0, 2)))
