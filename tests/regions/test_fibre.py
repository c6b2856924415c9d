"""Ranges over the ambiguity variables at inputs where many modes meet: rounding there says nothing about the range."""

from dataclasses import fields, replace

import numpy as np
import pytest
import reference
from scipy.optimize import linprog

import modecontrol as mc
from modecontrol.regions.fibre import loosened

CORNER = {"y": -2.7483295816433575, "z": -1.8820726888033845, "alpha": 0.06621415452380885}
LEGS = {"phi1": -1.37797816433571, "phi2": -2.7911233926209174, "phi3": -2.0431557200898736}
LIMITS = [(-10.0, 10.0)] * 3


@pytest.fixture(scope="module")
def response():
    """RHex lying on body and toes as if all touched; the best inputs for its massless rear leg are a corner of eight modes."""
    snapshot = mc.load("rhex").snapshot(CORNER | LEGS)
    return mc.dynamic_response(replace(snapshot, gap=np.zeros(4)), torque_limits=LIMITS)


def raw_range(response, mode, tau, row):
    """Least and greatest `row x` of a mode at one torque, by HiGHS in the raw unknowns."""
    s = {f.name: getattr(response.snapshot, f.name) for f in fields(response.snapshot)}
    A, b, C, e, _ = reference.raw_rows(s, mode, LIMITS)
    lead = A.shape[1] - len(tau)
    cost = np.zeros(lead)
    cost[: len(row)] = row
    ends = []
    for sign in (1.0, -1.0):
        found = linprog(
            sign * cost,
            A[:, :lead],
            b - A[:, lead:] @ tau,
            C[:, :lead],
            e - C[:, lead:] @ tau,
            bounds=(None, None),
        )
        assert found.status in (0, 3), mode
        ends.append(sign * found.fun if found.status == 0 else -sign * np.inf)
    return ends


def test_ranges_at_a_corner_of_many_modes_are_those_of_raw_programs(response):
    best = mc.maximize(response, "phi1")
    modes = response.modes_at(best.torque)
    assert len(modes) >= 4
    assert any(response[mode].ambiguity_variables for mode in modes)
    n = len(response.snapshot.names.coordinates)
    accelerations, forces = response.accelerations_at(best.torque), response.forces_at(best.torque)
    for mode in modes:
        found = np.array([*accelerations[mode].values(), *forces[mode].values()])
        expected = np.array([raw_range(response, mode, best.torque, row) for row in np.eye(n + 8)])
        np.testing.assert_allclose(found, expected, atol=1e-4, err_msg=mode)


def test_rows_without_w_are_no_rows_of_the_fibre():
    assert loosened(mc.Polytope([[0.0], [-2.0]], [-1e-15, 1e-16])).support(np.array([-1.0])) == pytest.approx(
        0.0, abs=1e-9
    )
    assert loosened(mc.Polytope([[0.0]], [-1e-15])) == mc.Polytope.whole(1)
