import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_mechanisms import chain, random_mechanism, random_state
from twin import twin_snapshot

from modecontrol.dynamics.mechanism import WORLD, Body, Contact, Joint, Mechanism
from modecontrol.dynamics.model import Model

SEEDS = st.integers(0, 2**32 - 1)
ARRAYS = ("mass", "bias", "jacobian", "drift", "velocity", "gap", "loop_jacobian", "loop_drift")


@settings(deadline=None, max_examples=60)
@given(seed=SEEDS, bodies=st.integers(1, 8), massless=st.booleans())
def test_random_forests_agree_with_the_slow_twin(seed, bodies, massless):
    mechanism = random_mechanism(seed, bodies, massless, contacts=5, pins=2)
    model = Model(mechanism)
    q, v = random_state(model, seed)
    snap, twin = model.snapshot(q, v), twin_snapshot(mechanism, q, v)
    for name in ARRAYS:
        expected = twin[name]
        scale = max(1.0, np.abs(expected).max(initial=0.0))
        np.testing.assert_allclose(getattr(snap, name), expected, rtol=0, atol=1e-11 * scale, err_msg=name)
    np.testing.assert_allclose(model.loop_residual(q), twin["residual"], rtol=0, atol=1e-11)
    assert model.kinetic_energy(q, v) == pytest.approx(twin["kinetic"], rel=1e-11, abs=1e-11)
    assert model.potential_energy(q) == pytest.approx(twin["potential"], rel=1e-10, abs=1e-10)


@settings(deadline=None, max_examples=30)
@given(seed=SEEDS, bodies=st.integers(1, 8))
def test_mass_is_symmetric_positive_semidefinite_and_gives_the_kinetic_energy(seed, bodies):
    model = Model(random_mechanism(seed, bodies, massless=True))
    q, v = random_state(model, seed)
    M = model.snapshot(q, v).mass
    np.testing.assert_array_equal(M, M.T)
    assert np.linalg.eigvalsh(M).min() >= -1e-12 * max(1.0, np.abs(M).max())
    assert 0.5 * v @ M @ v == pytest.approx(model.kinetic_energy(q, v), rel=1e-9, abs=1e-12)


def test_nothing_is_lost_far_from_the_origin():
    model = chain(6, free=True)
    q, v = random_state(model, 3)
    near = model.snapshot(q, v)
    away = q.copy()
    away[0] += 2.0**30
    far = model.snapshot(away, v)
    for name in ("mass", "bias", "jacobian", "drift", "velocity", "gap"):
        np.testing.assert_array_equal(getattr(far, name), getattr(near, name))


def test_nothing_is_lost_at_high_speed():
    model = chain(6, free=True)
    q, v = random_state(model, 4)
    slow = model.snapshot(q, v)
    v[:2] += 1e9
    fast = model.snapshot(q, v)
    np.testing.assert_array_equal(fast.bias, slow.bias)
    np.testing.assert_array_equal(fast.drift, slow.drift)


def test_welded_bodies_count_as_one():
    arm = Body("arm", WORLD, Joint("revolute", ("a",), at=(0.3, 0.1)), mass=2.0, inertia=0.1, com=(0.5, 0.0))
    knob = Body(
        "knob", "arm", Joint("weld", at=(1.0, 0.2), angle=0.7), mass=1.0, inertia=0.02, com=(0.1, 0.0)
    )
    at = complex(1.0, 0.2) + np.exp(0.7j) * 0.1
    both = complex((2.0 * 0.5 + at.real) / 3, at.imag / 3)
    inertia = 0.12 + 2.0 * abs(both - 0.5) ** 2 + abs(both - at) ** 2
    merged = Body("arm", WORLD, arm.joint, mass=3.0, inertia=inertia, com=(both.real, both.imag))
    two, one = Model(Mechanism("two", (arm, knob))), Model(Mechanism("one", (merged,)))
    a, b = two.snapshot([0.4], [1.3]), one.snapshot([0.4], [1.3])
    np.testing.assert_allclose(a.mass, b.mass, rtol=1e-14)
    np.testing.assert_allclose(a.bias, b.bias, rtol=1e-13)


def test_what_is_welded_to_the_world_carries_others_and_has_no_coordinate():
    post = Body("post", WORLD, Joint("weld", at=(1.0, 2.0), angle=np.pi / 2), mass=5.0)
    arm = Body("arm", "post", Joint("revolute", ("a",), at=(0.5, 0.0)), mass=1.0, com=(1.0, 0.0))
    model = Model(Mechanism("post", (post, arm), contacts=(Contact("tip", "point", "arm", (1.0, 0.0)),)))
    np.testing.assert_allclose(model.frames([0.0]), [[1, 2, np.pi / 2], [1, 2.5, np.pi / 2]], atol=1e-15)
    snap = model.snapshot([0.0], [0.0])
    assert snap.mass == pytest.approx(1.0)
    assert snap.gap[0] == pytest.approx(3.5)


def test_no_coordinates_contacts_or_inputs_at_all():
    snap = Model(Mechanism("rock", (Body("rock", WORLD, Joint("weld"), mass=1.0),))).snapshot([], [])
    assert snap.mass.shape == (0, 0)
    assert snap.jacobian.shape == (0, 0)
    assert snap.torque_limits.shape == (0, 2)


def test_rolling_disc_has_a_resting_contact_point():
    wheel = Body("wheel", WORLD, Joint("planar", ("x", "y", "a")), mass=1.0, inertia=0.5)
    model = Model(Mechanism("wheel", (wheel,), contacts=(Contact("rim", "disc", "wheel", radius=0.5),)))
    rolling = model.snapshot([0, 0.5, 0.3], [1.0, 0, -2.0])  # to the right, turning clockwise
    np.testing.assert_allclose(rolling.velocity, [0, 0], atol=1e-15)
    assert rolling.gap[0] == pytest.approx(0)
    assert model.snapshot([0, 0.5, 0.3], [0, 0, 1.0]).velocity[1] == pytest.approx(0.5)


def test_gears_that_mesh_do_not_slip():
    wheels = tuple(
        Body(name, WORLD, Joint("revolute", (name,), at=at), inertia=1.0)
        for name, at in (("a", (0.0, 0.0)), ("b", (1.0, 1.0)))
    )
    teeth = Contact("teeth", "disc_disc", "b", radius=0.4, other="a", other_radius=2**0.5 - 0.4)
    model = Model(Mechanism("gears", wheels, contacts=(teeth,)))
    speed = 0.4 / (2**0.5 - 0.4)
    snap = model.snapshot([0.2, 0.4], [-speed, 1.0])
    np.testing.assert_allclose(snap.velocity, [0, 0], atol=1e-15)
    np.testing.assert_allclose(snap.gap, [0], atol=1e-15)


def test_concentric_discs_are_finite():
    disc = Body("disc", WORLD, Joint("planar", ("x", "y", "a")), mass=1.0)
    contact = Contact("in", "disc_disc", "disc", radius=0.5, other_radius=0.5)
    snap = Model(Mechanism("disc", (disc,), contacts=(contact,))).snapshot([0, 0, 0], [1, 2, 3])
    assert snap.gap[0] == -1.0
    assert np.isfinite(snap.drift).all()
    np.testing.assert_allclose(snap.velocity, [2, 1 + 1.5])
