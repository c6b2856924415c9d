"""Regions over intervals of friction: what is called one answer is one for every coefficient."""

import numpy as np
import pytest
import reference

import modecontrol as mc


def ends(region):
    """Least and greatest input of a region with one input."""
    boxes = [piece.bounding_box for piece in region]
    return min(box[0][0] for box in boxes), max(box[1][0] for box in boxes)


def test_a_block_between_sticking_and_sliding():
    """Friction of 0.4 to 0.6: up to 0.4 it surely sticks, from 0.6 on it surely slides, in between neither is promised."""
    model = mc.load("block").uncertain(mu=(0.4, 0.6))
    resp = mc.dynamic_response(model.snapshot(model.start), torque_limits=[(-15.0, 15.0)])
    weight = 2.0 * 9.81
    assert ends(resp.unambiguous("FF")) == pytest.approx((-0.4 * weight, 0.4 * weight))
    assert ends(resp.unambiguous("RR")) == pytest.approx((0.6 * weight, 15.0))
    assert ends(resp.unambiguous("RR", margin=0.1)) == pytest.approx((0.6 * weight + 0.1, 15.0))
    assert [resp.answer_at([part * weight]) for part in (0.3, 0.5, 0.7)] == ["FF", None, "RR"]
    share = resp.coverage()
    assert share["unambiguous"] == pytest.approx(30.0 - 0.4 * weight)
    assert share["ambiguous"] == pytest.approx(0.4 * weight)
    assert resp.sampled_coverage(200).unambiguous == pytest.approx(1 - 0.4 * weight / 30.0, abs=0.1)


def test_one_mode_alone_is_alone_at_every_friction():
    seen = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        s = reference.random_system(rng, contacts=2)
        low, high = 0.7 * s["friction"], 1.3 * s["friction"]
        snapshot = mc.Snapshot(**{**s, "friction": (low, high)})
        limits = [(-20.0, 20.0)] * s["actuation"].shape[1]
        resp = mc.dynamic_response(snapshot, torque_limits=limits)
        corners = [np.array([a, b]) for a in (low[0], high[0]) for b in (low[1], high[1])]
        exact = [
            mc.dynamic_response(snapshot.with_friction(mu), torque_limits=limits)
            for mu in (*corners, *rng.uniform(low, high, size=(3, 2)))
        ]
        for mode in resp:
            for piece in resp.unambiguous(mode, margin=1e-3).pieces[:4]:
                tau = piece.chebyshev.centre
                assert [there.modes_at(tau) for there in exact] == [[mode]] * len(exact)
                assert resp.answer_at(tau) == mode
                seen += 1
    assert seen >= 15
