"""Friction known as intervals: the domains are the exact unions over all coefficients in the box."""

import numpy as np
import pytest
import reference
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import modecontrol as mc

LIMIT = (-20.0, 20.0)


def systems(seed, spread):
    """A random system with exact friction, and the same with intervals around it."""
    rng = np.random.default_rng(seed)
    s = reference.random_system(rng, contacts=2)
    lo, hi = s["friction"] * (1 - spread), s["friction"] * (1 + spread)
    return rng, s, lo, hi


def respond(s, friction):
    return mc.dynamic_response(
        mc.Snapshot(**dict(s, friction=friction)), torque_limits=[LIMIT] * s["actuation"].shape[1]
    )


@settings(max_examples=40)
@given(seed=st.integers(0, 10_000), spread=st.sampled_from([0.1, 0.5, 1.0]))
def test_every_coefficient_of_the_box_is_covered(seed, spread):
    rng, s, lo, hi = systems(seed, spread)
    box = respond(s, (lo, hi))
    mu = rng.choice([lo, hi, rng.uniform(lo, hi)], axis=0)
    exact = respond(s, mu)
    assert set(exact.modes) <= set(box.modes)
    for mode in exact:
        inside = exact[mode].torques
        point = inside.chebyshev.centre if np.isfinite(inside.chebyshev.radius) else inside._start.point
        assert box[mode].torques.contains(point)


@settings(max_examples=40)
@given(seed=st.integers(0, 10_000), spread=st.sampled_from([0.1, 0.5, 1.0]))
def test_every_point_of_a_domain_names_its_coefficients(seed, spread):
    """T1: `mu_i = abs(f_t) / f_n` is a witness, where a contact slides; the mode exists at these inputs with
    it.
    """
    rng, s, lo, hi = systems(seed, spread)
    box = respond(s, (lo, hi))
    assume(len(box))
    mode = rng.choice(box.modes)
    r = box[mode]
    inputs = r.U.shape[1]
    assume(np.isfinite(r.domain.chebyshev.radius))
    x = r.domain.chebyshev.centre
    f = r.force.value(x[:inputs], x[inputs:]).reshape(-1, 2)
    mu = np.array(
        [
            abs(t) / n if letter in "LR" and n > 1e-6 else high
            for letter, (n, t), high in zip(mode, f, hi, strict=True)
        ]
    )
    assert np.all(mu >= lo - 1e-6)
    assert np.all(mu <= hi + 1e-6)
    assert reference.exists_at(dict(s, friction=mu), mode, x[:inputs], [LIMIT] * inputs, slack=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_an_interval_of_length_zero_is_exact_friction(seed):
    _, s, _, _ = systems(seed, 0.0)
    exact, box = respond(s, s["friction"]), respond(s, (s["friction"], s["friction"]))
    assert exact.modes == box.modes
    np.testing.assert_array_equal(exact.packed.numbers, box.packed.numbers)


def test_wider_intervals_allow_more():
    model = mc.load("two_link")
    plain = model.snapshot(model.start)
    arrays = {
        name: getattr(plain, name)
        for name in ("mass", "bias", "actuation", "jacobian", "drift", "velocity", "gap", "names")
    }
    narrow = mc.dynamic_response(mc.Snapshot(**arrays, friction=plain.friction))
    wide = mc.dynamic_response(mc.Snapshot(**arrays, friction=(0.8 * plain.friction, 1.2 * plain.friction)))
    sliding = [mode for mode in narrow if "R" in mode or "L" in mode]
    assert sliding
    for mode in sliding:
        assert narrow[mode].torques <= wide[mode].torques
        assert wide[mode].ambiguity_variables >= narrow[mode].ambiguity_variables


def test_explanations_read_the_same_rows():
    s = mc.Snapshot(**reference.point_mass(actuation=np.eye(2)[:, :1], friction=([0.2], [0.6])))
    response = mc.dynamic_response(s, physical="c1.tangent == -1")
    assert "R" not in response.modes
    assert "friction" in str(response.explain("R"))
    assert mc.dynamic_response(s, physical="c1.tangent == -3").modes == ["F", "R"]


@pytest.mark.parametrize(
    "friction", [([0.5], [0.4]), ([-0.1], [0.4]), ([0.1, 0.2], [0.3, 0.4]), ([np.nan], [0.4])]
)
def test_intervals_that_are_none_are_refused(friction):
    with pytest.raises(ValueError, match="friction"):
        mc.Snapshot(
            mass=np.eye(2),
            bias=np.zeros(2),
            actuation=np.eye(2),
            jacobian=np.eye(2),
            drift=np.zeros(2),
            friction=friction,
            velocity=np.zeros(2),
        )


def test_names_of_contacts_play_no_part():
    """The interval of one coefficient leaves out the friction of that contact, not of one whose name ends with its name."""
    found = []
    for names in (("left", "right"), ("left", "theleft"), ("a", "ba"), ("ba", "a")):
        made = mc.Builder("block").body("b", joint=mc.planar("x", "y", "r"), mass=2.0, inertia=0.05)
        for name, place in zip(names, (-0.2, 0.2), strict=True):
            made.contact(name, "b", point=(place, -0.15), mu=0.5)
        model = made.input("push", "x").start(y=0.15).build()
        resp = mc.dynamic_response(model.snapshot(model.start))
        found.append([resp.friction_interval([12.0], "RR", name) for name in names])
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], rtol=1e-9)
    assert np.isfinite(found[0]).all()
