"""The user's units decide nothing: the same modes, and the same modes at every torque, from 1e-12 to 1e12 of
each unit.
"""

import numpy as np
import pytest
import reference

import modecontrol as mc

SYSTEMS = range(24)
POWERS = (-12, -9, -7, 7, 9, 12)


def in_units(s, mass=1.0, length=1.0, time=1.0, torque=1.0):
    """The arrays of a system in other units."""
    acceleration = length / time**2
    force = mass * acceleration
    return dict(
        s,
        mass=s["mass"] * mass,
        bias=s["bias"] * force,
        drift=s["drift"] * acceleration,
        velocity=s["velocity"] * length / time,
        actuation=s["actuation"] * force / torque,
    )


def respond(s, limit):
    return mc.dynamic_response(
        mc.Snapshot(**s), [(-limit, limit)] * s["actuation"].shape[1], velocity_tolerance=0
    )


@pytest.mark.parametrize("power", POWERS)
@pytest.mark.parametrize("unit", ["torque", "mass", "length", "time"])
def test_units_decide_nothing(unit, power):
    c = 10.0**power
    torque = c**-2 if unit == "time" else c
    for seed in SYSTEMS:
        s = reference.random_system(np.random.default_rng(seed))
        other = in_units(s, **{unit: c, "torque": torque})
        plain, scaled = respond(s, 20.0), respond(other, 20.0 * torque)
        assert scaled.modes == plain.modes
        for tau in np.random.default_rng(seed).uniform(-20, 20, size=(5, s["actuation"].shape[1])):
            assert scaled.modes_at(torque * tau) == plain.modes_at(tau)
        assert mc.kinematic_modes(mc.Snapshot(**other), velocity_tolerance=0) == mc.kinematic_modes(
            mc.Snapshot(**s), velocity_tolerance=0
        )


@pytest.mark.parametrize("limit", [1e6, 1e8, 1e10, 1e13, 1e20, 1e300])
def test_limits_far_away_are_as_good_as_none(limit):
    for seed in SYSTEMS:
        s = reference.random_system(np.random.default_rng(seed))
        free, far = respond(s, np.inf), respond(s, limit)
        assert far.modes == free.modes
        for tau in np.random.default_rng(seed).uniform(-20, 20, size=(5, s["actuation"].shape[1])):
            assert far.modes_at(tau) == free.modes_at(tau)


@pytest.mark.parametrize("limit", [1e5, 1e7])
def test_limits_far_away_still_bound(limit):
    """A point mass pushed along a floor: its inputs end where the limit is, however far."""
    s = mc.Snapshot(**reference.point_mass(actuation=np.eye(2)[:, :1]))
    response = mc.dynamic_response(s, [(-limit, limit)])
    assert response.modes == ["F", "L", "R"]
    assert response["R"].torques.support(np.ones(1)) == pytest.approx(limit)
    assert response.modes_at([0.9 * limit]) == ["R"]
    assert response.modes_at([1.1 * limit]) == []


def test_small_loads_do_not_hide_the_limits():
    """Hardly any load beside ordinary limits: they are many loads away and hold all the same."""
    s = mc.Snapshot(
        mass=np.eye(2),
        bias=[0.0, 1e-6],
        actuation=np.eye(2)[:, :1],
        jacobian=[[0.0, 1.0], [1.0, 0.0]],
        drift=np.zeros(2),
        friction=0.5,
        velocity=np.zeros(2),
    )
    response = mc.dynamic_response(s, [(-10.0, 10.0)])
    assert response.modes_at([9.0]) == ["R"]
    assert response.modes_at([11.0]) == []
    assert response["R"].torques.support(np.ones(1)) == pytest.approx(10.0)
