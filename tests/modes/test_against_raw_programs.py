"""Enumeration, domains and torque sets against one linear program per mode in the raw unknowns."""

import numpy as np
import pytest
import reference

import modecontrol as mc

LIMITS = [(-20.0, 20.0)]


@pytest.mark.parametrize("seed", range(40))
def test_modes_are_those_with_a_strict_domain(seed):
    rng = np.random.default_rng(seed)
    s = reference.random_system(rng)
    limits = LIMITS * s["actuation"].shape[1]
    expected = {mode: reference.strictness(s, mode, limits) for mode in reference.candidate_modes(s)}
    found = mc.dynamic_response(mc.Snapshot(**s), torque_limits=limits).modes
    sure = {mode for mode, slack in expected.items() if slack > 1e-5}
    possible = {mode for mode, slack in expected.items() if slack > 1e-9}
    assert sure <= set(found) <= possible


@pytest.mark.parametrize("seed", range(25))
def test_modes_at_random_torques(seed):
    rng = np.random.default_rng(1000 + seed)
    s = reference.random_system(rng)
    limits = LIMITS * s["actuation"].shape[1]
    response = mc.dynamic_response(mc.Snapshot(**s), torque_limits=limits)
    for _ in range(4):
        tau = rng.uniform(-15, 15, size=len(limits))
        found = response.modes_at(tau)
        surely = [mode for mode in response.modes if reference.exists_at(s, mode, tau, limits, slack=-1e-6)]
        perhaps = [mode for mode in response.modes if reference.exists_at(s, mode, tau, limits, slack=1e-6)]
        assert set(surely) <= set(found) <= set(perhaps)


@pytest.mark.parametrize("seed", range(25))
def test_answers_satisfy_every_constraint(seed):
    rng = np.random.default_rng(2000 + seed)
    s = reference.random_system(rng)
    limits = LIMITS * s["actuation"].shape[1]
    response = mc.dynamic_response(mc.Snapshot(**s), torque_limits=limits)
    t = len(limits)
    for mode in response.modes:
        r = response[mode]
        point = r.domain.chebyshev.centre if np.isfinite(r.domain.chebyshev.radius) else r.domain._start.point
        tau, w = point[:t], point[t:]
        x = np.concatenate([r.acceleration.value(tau, w), r.force.value(tau, w), tau])
        A, b, C, e, _ = reference.raw_rows(s, mode, limits)
        size = 1 + np.abs(x).max()
        assert np.all(A @ x - b <= 1e-8 * size * (1 + np.abs(A).max()))
        assert np.all(np.abs(C @ x - e) <= 1e-8 * size * (1 + np.abs(C).max()))


@pytest.mark.parametrize("seed", range(20))
def test_unambiguous_means_exactly_one_mode(seed):
    rng = np.random.default_rng(3000 + seed)
    s = reference.random_system(rng, contacts=2)
    limits = LIMITS * s["actuation"].shape[1]
    response = mc.dynamic_response(mc.Snapshot(**s), torque_limits=limits)
    regions = {mode: response.unambiguous(mode) for mode in response.modes}
    nothing = response.inconsistent()
    for _ in range(4):
        tau = rng.uniform(-19, 19, size=len(limits))
        inside = [m for m in response.modes if reference.exists_at(s, m, tau, limits, slack=-1e-6)]
        near = [m for m in response.modes if reference.exists_at(s, m, tau, limits, slack=1e-6)]
        if inside != near:
            continue  # on a boundary
        assert [m for m in response.modes if regions[m].contains(tau)] == (inside if len(inside) == 1 else [])
        assert nothing.contains(tau) == (not inside)


@pytest.mark.parametrize("seed", range(15))
def test_units_and_order_of_contacts_change_only_labels(seed):
    rng = np.random.default_rng(4000 + seed)
    s = reference.random_system(rng, contacts=2)
    limits = LIMITS * s["actuation"].shape[1]
    plain = mc.dynamic_response(mc.Snapshot(**s), torque_limits=limits)
    # coordinates in other units: q = scale * q'
    scale = 10.0 ** rng.integers(-3, 4, size=len(s["bias"]))
    other = dict(
        s,
        mass=s["mass"] * np.outer(scale, scale),
        bias=s["bias"] * scale,
        actuation=s["actuation"] * scale[:, None],
        jacobian=1e3 * s["jacobian"] * scale,
        drift=1e3 * s["drift"],
        velocity=1e3 * s["velocity"],
    )
    assert mc.dynamic_response(mc.Snapshot(**other), torque_limits=limits).modes == plain.modes
    swap = np.array([2, 3, 0, 1])
    swapped = dict(
        s,
        jacobian=s["jacobian"][swap],
        drift=s["drift"][swap],
        velocity=s["velocity"][swap],
        friction=s["friction"][::-1],
    )
    assert (
        sorted(m[::-1] for m in mc.dynamic_response(mc.Snapshot(**swapped), torque_limits=limits).modes)
        == plain.modes
    )
