"""Contact velocities known as intervals: the sound rows for an unknown sign."""

from dataclasses import fields

import numpy as np
import pytest
import reference

import modecontrol as mc

LIMIT = 20.0


def pushed(velocity, friction=0.4):
    """A point mass of 2 kg on the floor, pushed along it."""
    return mc.Snapshot(
        mass=2.0 * np.eye(2),
        bias=[0.0, 2.0 * 9.81],
        actuation=[[1.0], [0.0]],
        jacobian=[[0.0, 1.0], [1.0, 0.0]],
        drift=[0.0, 0.0],
        friction=friction,
        velocity=velocity,
    )


def test_one_sign_and_rest_are_what_they_were():
    for interval, same in [
        (([0, 0.1], [0, 0.3]), [0, 0.2]),
        (([0, -0.3], [0, -0.1]), [0, -0.2]),
        (([0, 0], [0, 0]), [0, 0]),
    ]:
        assert mc.dynamic_response(pushed(interval)).modes == mc.dynamic_response(pushed(same)).modes


def test_a_toe_that_slides_and_slows_down_has_any_acceleration():
    response = mc.dynamic_response(pushed(([0.0, -0.1], [0.0, 0.1])))
    assert response.modes == ["F", "L", "R"]
    # pushed left with 5 N it may slide right (and slow down), stick, or slide left
    assert response.modes_at([-5.0]) == ["F", "L", "R"]
    assert mc.dynamic_response(pushed([0.0, 0.0])).modes_at([-5.0]) == ["F"]


def test_the_outcome_is_the_worst_of_sliding_either_way_and_rest():
    response = mc.dynamic_response(pushed(([0.0, -0.1], [0.0, 0.1])), torque_limits=[(-12.0, 12.0)])
    best = mc.maximize(response, "q1", guarantee="outcome")
    assert best.value == pytest.approx((12.0 - 0.4 * 2 * 9.81) / 2.0)
    with pytest.raises(ValueError, match="expected 'outcome'"):
        mc.maximize(response, "q1")


def test_promises_over_signs_and_friction_hold_by_raw_programs():
    kept = 0
    for seed in range(32):
        rng = np.random.default_rng(900 + seed)
        k = 1 + (seed % 4 == 3)
        s = reference.random_system(rng, contacts=k)
        s["velocity"] = np.zeros(2 * k)
        around = np.array([0.0, 0.1, 0.0, rng.choice([0.0, 0.1])])[: 2 * k]
        low, high = np.full(k, 0.2), np.full(k, rng.choice([0.2, 0.5]))
        limits = [(-LIMIT, LIMIT)] * s["actuation"].shape[1]
        snap = mc.Snapshot(**{**s, "velocity": (-around, around), "friction": (low, high)})
        objective = rng.normal(size=len(s["bias"]))
        best = mc.maximize(mc.dynamic_response(snap, torque_limits=limits), objective, guarantee="outcome")
        if not best:
            continue
        limits = [(-LIMIT - 1, LIMIT + 1)] * len(limits)  # inputs at their limits are inside, too
        for _ in range(4):
            exact = {
                **s,
                "friction": rng.uniform(low, high),
                "velocity": around * rng.choice([-1.0, 0.0, 1.0], size=2 * k),
            }
            there = [
                m
                for m in reference.candidate_modes(exact)
                if reference.exists_at(exact, m, best.torque, limits, slack=1e-6)
            ]
            assert there, f"seed {seed}"
            for mode in there:
                if reference.exists_at(exact, mode, best.torque, limits, slack=-1e-6):
                    value = reference.least_at(exact, mode, best.torque, limits, objective)
                    assert value is None or value >= best.value - 1e-5 * (1 + abs(best.value)), f"seed {seed}"
                    kept += 1
    assert kept > 20


@pytest.mark.parametrize(
    ("velocity", "words"),
    [
        (([0.0, 0.2], [0.0, 0.1]), "lo <= hi"),
        (([-0.1, 0.0], [0.1, 0.0]), "only tangential"),
        (([0.0, np.nan], [0.0, 0.1]), "expected"),
        (([0.0], [0.1]), "expected"),
    ],
)
def test_intervals_that_are_none_are_one_clear_line(velocity, words):
    with pytest.raises(ValueError, match=words) as caught:
        pushed(velocity)
    assert "\n" not in str(caught.value)


def test_intervals_survive_other_friction():
    snap = pushed(([0.0, -0.1], [0.0, 0.1]))
    other = snap.with_friction(np.array([0.3]))
    assert np.array_equal(other.velocity_interval, snap.velocity_interval)
    assert "velocity_interval" in {f.name for f in fields(snap)}
