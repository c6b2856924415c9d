"""Guarantees over uncertain friction: calibrated values, raw programs at exact friction, and what must always
hold.
"""

from itertools import pairwise

import numpy as np
import pytest
import reference

import modecontrol as mc
from modecontrol.dynamics.friction_box import FrictionBox
from modecontrol.modes.surely_possible import sure_torques

BODY, LEG, HIPS = (0.25, 0.05), 0.17, (-0.19, 0.015, 0.22)


def standing(pitch):
    """RHex at rest on its corner, toes on the ground where they reach it."""
    z = BODY[0] * np.sin(pitch) + BODY[1] * np.cos(pitch)
    reach = [(z + hip * np.sin(pitch)) / LEG for hip in HIPS]
    return [0.0, z, pitch, *((-np.arcsin(r) if r < 0.985 else -0.3) - pitch for r in reach)]


def independent(snap, width):
    """The same instant with an interval of its own for each contact."""
    return snap.with_friction(
        FrictionBox.of_contacts(
            np.array([snap.friction * (1 - width), snap.friction * (1 + width)]), snap.names.contacts
        )
    )


@pytest.mark.parametrize(
    ("degrees", "width", "value"),
    [
        (0, 0.0, 86.26),
        (0, 0.05, 85.80),
        (0, 0.1, 79.30),
        (0, 0.2, 62.93),
        (20, 0.0, 23.70),
        (20, 0.05, 22.30),
        (20, 0.1, 20.96),
        (20, 0.2, 18.44),
    ],
)
def test_guaranteed_thrust_of_rhex_with_independent_coefficients(degrees, width, value):
    model = mc.load("rhex")
    snap = model.snapshot(standing(np.radians(degrees)))
    response = mc.dynamic_response(independent(snap, width) if width else snap, task="body.normal >= 10")
    best = mc.maximize(response, "alpha", guarantee="mode")
    assert round(best.value, 2) == value
    assert best.mode == ("RFLL" if degrees == 0 else "RRLS")
    outcome = mc.maximize(response, "alpha", guarantee="outcome", patience=12)
    assert outcome.value >= best.value - 1e-9


@pytest.mark.parametrize(("width", "value"), [(0.1, 85.4), (0.2, 84.5)])
def test_contacts_that_share_a_parameter_promise_more(width, value):
    model = mc.load("rhex").uncertain(
        mu_toe=(0.6 * (1 - width), 0.6 * (1 + width)), mu_body=(0.2 * (1 - width), 0.2 * (1 + width))
    )
    response = mc.dynamic_response(model.snapshot(model.start), task="body.normal >= 10")
    best = mc.maximize(response, "alpha", guarantee="mode")
    assert round(best.value, 1) == value
    assert not best.exact
    assert "corner theorem" in best.existence


def test_with_exact_friction_the_outcome_is_the_worst_case_over_ambiguous_modes():
    model = mc.load("two_link", mu=0.8)
    response = mc.dynamic_response(model.snapshot(model.start), torque_limits=[(-30.0, 10.0)])
    mode = mc.maximize(response, "tau", guarantee="mode")
    outcome = mc.maximize(response, "tau", guarantee="outcome")
    assert mode.value == pytest.approx(-4.905, abs=1e-5)
    assert outcome.value == pytest.approx(10.0)
    assert len(outcome.modes) > 1
    assert outcome.modes == tuple(response.modes_at(outcome.torque))


def test_mode_and_unambiguous_are_the_same_word():
    model = mc.load("rhex")
    response = mc.dynamic_response(model.snapshot(model.start), task="body.normal >= 10")
    assert mc.maximize(response, "alpha", guarantee="mode").value == mc.maximize(response, "alpha").value


def system(seed):
    rng = np.random.default_rng(seed)
    s = reference.random_system(rng, contacts=2)
    low = rng.choice([0.0, 0.2, 0.5], size=2)
    box = FrictionBox(("a", "b"), low, low + rng.choice([0.1, 0.3, 0.6], size=2), np.zeros(2), np.eye(2))
    s["friction"] = box.middle
    return rng, s, box


@pytest.mark.parametrize("seed", range(12))
def test_sure_and_impossible_torques_by_raw_programs(seed):
    rng, s, box = system(seed)
    limits = [(-20.0, 20.0)] * s["actuation"].shape[1]
    response = mc.dynamic_response(mc.Snapshot(**s).with_friction(box), torque_limits=limits)
    frictions = [box.at(p) for p in (*box.corners(), *rng.uniform(box.low, box.high, size=(3, 2)))]
    for mode in response.modes[:4]:
        sure = sure_torques(response.problem, mode)
        torques = [*rng.uniform(-20, 20, size=(3, len(limits)))]
        torques += [] if sure.is_empty else [sure.maximize(np.ones(len(limits))).point]
        for tau in torques:
            there = [
                reference.exists_at({**s, "friction": mu}, mode, tau, limits, slack=1e-6) for mu in frictions
            ]
            strictly = [
                reference.exists_at({**s, "friction": mu}, mode, tau, limits, slack=-1e-6) for mu in frictions
            ]
            assert not sure.contains(tau) or all(there)
            assert response[mode].torques.contains(tau) or not any(strictly)


@pytest.mark.parametrize("seed", range(6))
def test_the_promised_mode_is_the_only_one_at_every_friction(seed):
    rng, s, box = system(100 + seed)
    limits = [(-20.0, 20.0)] * s["actuation"].shape[1]
    response = mc.dynamic_response(mc.Snapshot(**s).with_friction(box), torque_limits=limits)
    best = mc.maximize(response, rng.normal(size=len(s["bias"])), guarantee="mode", patience=60)
    frictions = [box.at(p) for p in (*box.corners(), *rng.uniform(box.low, box.high, size=(3, 2)))]
    broken = []
    for mu in frictions if best else ():
        exact = {**s, "friction": mu}
        if not reference.exists_at(exact, best.mode, best.torque, limits, slack=1e-6):
            broken.append("missing")
        broken += [
            m
            for m in reference.candidate_modes(s)
            if m != best.mode and reference.exists_at(exact, m, best.torque, limits, slack=-1e-5)
        ]
    assert broken == []


def test_intervals_travel_to_other_processes():
    import pickle

    model = mc.load("rhex").uncertain(mu_toe=(0.5, 0.7))
    again = pickle.loads(pickle.dumps(model))
    assert dict(again.intervals) == {"mu_toe": (0.5, 0.7)}
    assert np.array_equal(
        again.snapshot(again.start).friction_high, model.snapshot(model.start).friction_high
    )


def test_widening_never_raises_the_value():
    model = mc.load("rhex")
    snap = model.snapshot(standing(np.radians(20)))
    values = [
        mc.maximize(
            mc.dynamic_response(independent(snap, w), task="body.normal >= 10"), "alpha", guarantee="mode"
        ).value
        for w in (0.0, 0.02, 0.1, 0.3)
    ]
    assert all(b <= a + 1e-6 for a, b in pairwise(values))


@pytest.mark.parametrize(
    ("intervals", "words"),
    [
        ({"mu_toe": (0.7, 0.5)}, "least <= greatest"),
        ({"mu_toe": (-0.1, 0.5)}, "0 <= least"),
        ({"mu_toe": (float("nan"), 0.5)}, "both finite"),
        ({"mu_toe": 0.5}, "expected a pair"),
        ({"mu_too": (0.1, 0.5)}, "did you mean 'mu_toe'"),
        ({"m": (8.0, 9.0)}, "scenarios"),
    ],
)
def test_bad_intervals_are_one_clear_line(intervals, words):
    with pytest.raises(ValueError, match=words.replace("(", r"\(")) as caught:
        mc.load("rhex").uncertain(**intervals)
    assert "\n" not in str(caught.value)


def test_friction_intervals_of_a_point_mass_that_is_pushed():
    mass, push = 2.0, 5.0
    snap = mc.Snapshot(
        mass=mass * np.eye(2),
        bias=[0.0, mass * 9.81],
        actuation=[[1.0], [0.0]],
        jacobian=[[0.0, 1.0], [1.0, 0.0]],
        drift=[0.0, 0.0],
        friction=[0.4],
        velocity=[0.0, 0.0],
    )
    response = mc.dynamic_response(snap)
    needed = push / (mass * 9.81)
    assert response.friction_interval([push], "F", "c1") == pytest.approx((needed, np.inf))
    assert response.friction_interval([push], "R", "c1") == pytest.approx((0.0, needed), abs=1e-9)
    assert response.friction_interval([push], "L", "c1") is None
    assert response.friction_interval([push], "S", "c1") is None
    with pytest.raises(ValueError, match="expected one of c1"):
        response.friction_interval([push], "F", "toe")


def test_friction_margin_is_where_the_promise_ends():
    model = mc.load("rhex")
    response = mc.dynamic_response(model.snapshot(model.start), task="body.normal >= 10")
    tau = [-11.0, -8.0, -11.0]
    rho = response.friction_margin(tau)
    assert 0.01 < rho < 0.5
    for part, kept in ((0.95, True), (1.05, False)):
        box = independent(response.snapshot, part * rho)
        there = mc.dynamic_response(box)
        alone = there.modes_at(tau)
        surely = len(alone) == 1 and sure_torques(there.problem, alone[0]).contains(tau)
        assert surely is kept


def test_sure_torques_shrink_and_possible_torques_grow():
    model = mc.load("rhex")
    snap = model.snapshot(model.start)
    exact, wide = mc.dynamic_response(snap), mc.dynamic_response(independent(snap, 0.1))
    mine = wide["RFLL"]
    assert mine.sure_torques <= exact["RFLL"].torques
    assert exact["RFLL"].torques <= mine.torques


@pytest.mark.parametrize("guarantee", ["mode", "outcome"])
def test_a_promise_stands_beside_the_most_that_some_friction_gives(guarantee):
    model = mc.load("rhex").uncertain(mu_toe=(0.45, 0.75))
    response = mc.dynamic_response(model.snapshot(model.start), task="body.normal >= 10")
    promised = mc.maximize(response, "alpha", guarantee=guarantee)
    hoped = mc.maximize(response, "alpha", guarantee="none")
    assert (promised.ambiguous_mode, promised.ambiguous_value) == (hoped.mode, hoped.value)
    assert promised.value < promised.ambiguous_value


@pytest.mark.parametrize("goal", ["-x", "y", "-pitch", "-upper_knee", "lower_hip"])
def test_a_promised_outcome_meets_the_task_to_rounding_however_steep_the_task_is(goal):
    """A torque of 1 N m turns the light thigh of the climber by a thousand rad/s2: slack in torques is no slack of the task."""
    climber = mc.load("climber")
    snap = climber.snapshot(climber.start)
    response = mc.dynamic_response(snap, task="upper_hip <= 2")
    best = mc.maximize(response, goal, guarantee="outcome")
    place = climber.coordinates.index("upper_hip")
    there = response.forces_at(best.torque)
    assert there
    for forces in there.values():  # by the equations of motion, from the forces at either end
        ends = np.array(list(forces.values()))
        for f in ends.T:
            pushed = snap.actuation @ best.torque + snap.jacobian.T @ f - snap.bias
            assert np.linalg.solve(snap.mass, pushed)[place] <= 2.0 + 1e-6
    assert best.value >= mc.maximize(response, goal).value * (1 - 1e-6) - 1e-6
