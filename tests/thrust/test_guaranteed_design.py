"""Off-line design with promises over uncertain friction and disturbances: closed forms, raw programs, `maximize`."""

import numpy as np
import pytest
import reference

import modecontrol as mc
from modecontrol.dynamics.friction_box import FrictionBox

M, G, PUSH, LIMIT = 2.0, 9.81, 30.0, 20.0
LOW, HIGH = 0.3, 0.5


def pushed(task=(), friction=([LOW], [HIGH])):
    """A point mass on the floor, pushed along it; its friction known as an interval."""
    snap = mc.Snapshot(
        mass=M * np.eye(2),
        bias=[0.0, M * G],
        actuation=[[1.0], [0.0]],
        jacobian=[[0.0, 1.0], [1.0, 0.0]],
        drift=[0.0, 0.0],
        friction=friction,
        velocity=[0.0, 0.0],
        names={"coordinates": ("x", "y"), "inputs": ("push",), "contacts": ("foot",)},
    )
    return mc.dynamic_response(snap, torque_limits=[(-PUSH, PUSH)], task=task)


@pytest.mark.parametrize("guarantee", ["mode", "outcome"])
def test_the_smallest_push_that_surely_moves_it(guarantee):
    best = mc.design(pushed("x >= 1"), "effort", guarantee=guarantee)
    assert best.torque == pytest.approx([M + HIGH * M * G], rel=1e-4)
    assert best.value == pytest.approx(best.torque[0] ** 2)
    assert best.modes == ("R",)
    off = mc.Disturbance(torque_error=0.5, forces={"y": (-2.0, 1.0)})
    best = mc.design(pushed("x >= 1"), "effort", guarantee=guarantee, disturbance=off)
    assert best.torque == pytest.approx([M + 0.5 + HIGH * (M * G + 2.0)], rel=1e-4)
    hoped = mc.design(pushed("x >= 1"), "effort", guarantee="none")
    assert hoped.torque == pytest.approx([M + LOW * M * G], rel=1e-4)
    hoped = mc.design(pushed("x >= 1"), "effort", guarantee="none", disturbance=off)
    assert hoped.torque == pytest.approx([M - 0.5 + LOW * (M * G - 1.0)], rel=1e-4)


@pytest.mark.parametrize("guarantee", ["mode", "outcome"])
def test_tracking_stands_in_the_middle_of_what_friction_leaves(guarantee):
    best = mc.design(pushed(), "track", wanted={"x": 2.0}, guarantee=guarantee)
    half = 0.5 * (HIGH - LOW) * G
    assert best.torque == pytest.approx([2.0 * M + 0.5 * (LOW + HIGH) * M * G], rel=1e-4)
    assert best.value == pytest.approx(half**2, rel=1e-4)
    off = mc.Disturbance(relative_torque_error=0.1)
    best = mc.design(pushed(), "track", wanted={"x": 4.0}, guarantee=guarantee, disturbance=off)
    tau = (4.0 * M + 0.5 * (LOW + HIGH) * M * G) / 1.0
    assert best.torque == pytest.approx([tau], rel=1e-3)
    assert best.value == pytest.approx((half + 0.1 * tau / M) ** 2, rel=1e-3)


def test_an_outcome_may_stick_or_slide():
    """Wanted: an acceleration of 0.3, less than what the border between sticking and sliding sweeps."""
    outcome = mc.design(pushed(), "track", wanted={"x": 0.3}, guarantee="outcome")
    assert "F" in outcome.modes
    # sticking misses it by 0.3; sliding reaches from 0 to (tau - LOW N) / M, which misses it by as much at least
    assert outcome.value == pytest.approx(0.3**2, rel=1e-3)
    mode = mc.design(pushed(), "track", wanted={"x": 0.3}, guarantee="mode")
    assert mode.value >= outcome.value - 1e-6


def test_the_margin_is_half_of_what_is_sure():
    best = mc.design(pushed("x >= 1"), "margin", guarantee="outcome")
    least = M + HIGH * M * G
    assert best.value == pytest.approx((PUSH - least) / 2)
    assert best.torque == pytest.approx([(PUSH + least) / 2])
    mode = mc.design(pushed("x >= 1"), "margin", guarantee="mode")
    assert mode.value == pytest.approx(best.value)
    off = mc.Disturbance(torque_error=0.5)
    disturbed = mc.design(pushed("x >= 1"), "margin", guarantee="outcome", disturbance=off)
    assert disturbed.value == pytest.approx((PUSH - least - 0.5) / 2)


def test_effort_exists_as_long_as_the_value_can_be_promised():
    model = mc.load("rhex").uncertain(mu_toe=(0.55, 0.65))
    snap = model.snapshot(model.start)
    best = mc.maximize(mc.dynamic_response(snap, task="body.normal >= 10"), "alpha", guarantee="mode")
    for part, there in ((0.98, True), (1.01, False)):
        task = ["body.normal >= 10", f"alpha >= {part * best.value}"]
        found = mc.design(mc.dynamic_response(snap, task=task), "effort", guarantee="mode", modes=best.mode)
        assert bool(found) is there
        if there:
            assert found.mode == best.mode
            assert found.value <= float(best.torque @ best.torque) + 1e-6


@pytest.mark.parametrize("seed", range(8))
def test_errors_are_no_larger_at_any_friction_by_raw_programs(seed):
    rng = np.random.default_rng([23, seed])
    s = reference.random_system(rng, contacts=2, inputs=2)
    n, t = s["actuation"].shape
    low = rng.choice([0.0, 0.3], size=2)
    box = FrictionBox(("a", "b"), low, low + rng.choice([0.0, 0.2], size=2), np.zeros(2), np.eye(2))
    limits, wide = [(-LIMIT, LIMIT)] * t, [(-LIMIT - 1, LIMIT + 1)] * t
    response = mc.dynamic_response(mc.Snapshot(**s).with_friction(box), torque_limits=limits)
    wanted = {"q1": 1.0, "q2": -0.5}
    for guarantee in ("mode", "outcome"):
        best = mc.design(response, "track", wanted=wanted, guarantee=guarantee)
        if not best:
            continue
        for mu in [box.at(p) for p in (*box.corners(), *rng.uniform(box.low, box.high, size=(3, 2)))]:
            exact = {**s, "friction": mu}
            there = [
                m
                for m in reference.candidate_modes(s)
                if reference.exists_at(exact, m, best.torque, wide, slack=1e-6)
            ]
            assert there
            for mode in there:
                if not reference.exists_at(exact, mode, best.torque, wide, slack=-1e-5):
                    continue
                for angle in np.linspace(0.0, 2 * np.pi, 12):
                    # the farthest error along a direction is never beyond the promised radius
                    row = np.zeros(n)
                    row[:2] = -np.cos(angle), -np.sin(angle)
                    least = reference.least_at(exact, mode, best.torque, wide, row)
                    if least is not None:
                        along = -least - (np.cos(angle) * 1.0 - np.sin(angle) * 0.5)
                        assert along <= np.sqrt(best.value) + 1e-4 * (1 + np.sqrt(best.value))


def test_known_friction_is_what_it_was():
    response = pushed("x >= 1", friction=0.4)
    for goal, options in (("effort", {}), ("track", {"wanted": {"x": 2.0}}), ("margin", {})):
        mode = mc.design(response, goal, **options)
        outcome = mc.design(response, goal, guarantee="outcome", **options)
        assert outcome.value == pytest.approx(mode.value, rel=1e-4)


def test_misuse_is_explained():
    with pytest.raises(ValueError, match="expected None: any mode may happen"):
        mc.design(pushed(), "effort", guarantee="outcome", modes="R")
    either = mc.Snapshot(
        mass=np.eye(2),
        bias=[0.0, 9.81],
        actuation=[[1.0], [0.0]],
        jacobian=[[0.0, 1.0], [1.0, 0.0]],
        drift=[0.0, 0.0],
        friction=0.5,
        velocity=([0.0, -1.0], [0.0, 1.0]),
    )
    response = mc.dynamic_response(either, torque_limits=[(-5, 5)])
    with pytest.raises(ValueError, match="slides either way"):
        mc.design(response, "effort", guarantee="outcome")
    nothing = mc.design(pushed("x >= 100"), "effort", guarantee="outcome")
    assert not nothing
    assert np.isnan(nothing.value)
    assert "promise" in nothing.reason
