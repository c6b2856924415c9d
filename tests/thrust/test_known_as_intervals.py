"""Intervals without width give the answers of exact friction, on every model that ships."""

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.dynamics.friction_box import FrictionBox

MODELS = [name for name in mc.models() if mc.load(name).contacts]


@pytest.mark.parametrize("name", MODELS)
def test_lo_equal_hi_is_exact_friction(name):
    model = mc.load(name)
    snap = model.snapshot(model.start)
    mu = snap.friction
    flat = snap.with_friction(FrictionBox.of_contacts(np.array([mu, mu]), snap.names.contacts))
    limits = None if np.all(np.isfinite(snap.torque_limits)) else [(-5.0, 5.0)] * len(snap.names.inputs)
    exact, known = (mc.dynamic_response(s, torque_limits=limits) for s in (snap, flat))
    assert exact.modes == known.modes
    np.testing.assert_allclose(exact.packed.numbers, known.packed.numbers, atol=1e-9)
    if not snap.names.inputs or len(exact.modes) > 150:
        return
    goal = snap.names.coordinates[-1]
    one, other = (mc.maximize(r, goal, guarantee="mode", patience=1000) for r in (exact, known))
    assert bool(one) == bool(other), (one.reason, other.reason)
    if one:
        assert other.value == pytest.approx(one.value, abs=1e-9 + 1e-9 * abs(one.value))
