"""The control loop's promises over uncertain friction, attacked at exact friction by raw linear programs."""

import numpy as np
import pytest
import reference

import modecontrol as mc
from modecontrol._core import thrust
from modecontrol.dynamics.friction_box import FrictionBox
from modecontrol.modes.problem import core_instant
from modecontrol.thrust.objective import Objective
from modecontrol.thrust.prepared_rows import core_friction

LIMIT = 20.0


def promised(response, objective, cells=16):
    problem = response.problem
    goal = Objective.of(objective, response.snapshot)
    instant = core_instant(response.snapshot, problem.touching, goal.below(problem.physical, problem.task))
    free = np.tile([-np.inf, np.inf], (len(problem.names.inputs), 1))
    _, best, _, _ = thrust.PromisedInputs().solve(
        instant, problem.touching.states, core_friction(response.snapshot), free, (20_000, cells)
    )
    return best


def system(seed):
    rng = np.random.default_rng(seed)
    s = reference.random_system(rng, contacts=2)
    low = rng.choice([0.0, 0.2, 0.5], size=2)
    high = low + rng.choice([0.1, 0.3, 0.6], size=2)
    box = FrictionBox(("a", "b"), low, high, np.zeros(2), np.eye(2))
    if seed % 3 == 0:
        box = FrictionBox(("a",), low[:1], high[:1], np.zeros(2), np.ones((2, 1)))
    s["friction"] = box.middle
    return rng, s, box


def test_promises_hold_at_every_friction_whatever_the_mode():
    kept = 0
    for seed in range(24):
        rng, s, box = system(seed)
        limits = [(-LIMIT, LIMIT)] * s["actuation"].shape[1]
        response = mc.dynamic_response(mc.Snapshot(**s).with_friction(box), torque_limits=limits)
        objective = rng.normal(size=len(s["bias"]))
        found, _, tau, _, value = promised(response, objective)
        if not found:
            continue
        limits = [(-LIMIT - 1, LIMIT + 1)] * len(limits)  # inputs at their limits are inside, too
        points = [*box.corners(), *rng.uniform(box.low, box.high, size=(3, len(box.low)))]
        for mu in map(box.at, points):
            exact = {**s, "friction": mu}
            values = [
                reference.least_at(exact, mode, tau, limits, objective)
                for mode in reference.candidate_modes(s)
                if reference.exists_at(exact, mode, tau, limits, slack=-1e-6)
            ]
            anybody = values or [
                mode
                for mode in reference.candidate_modes(s)
                if reference.exists_at(exact, mode, tau, limits, slack=1e-6)
            ]
            assert anybody, f"seed {seed}: no answer at {mu}"
            worst = min((v for v in values if v is not None), default=np.inf)
            assert worst >= value - 1e-5 * (1 + abs(value)), f"seed {seed}: {worst} < {value} at {mu}"
            kept += 1
    assert kept > 60


def standing(model, pitch):
    from modecontrol.trials.rhex.observer import at_rest

    return at_rest(model, np.array([0.0, 0.0, pitch, -0.3, -0.3, -0.3]))


@pytest.mark.parametrize(("width", "value"), [(0.1, 85.36), (0.2, 84.48)])
def test_one_friction_for_all_toes_promises_what_was_calibrated(width, value):
    model = mc.load("rhex").uncertain(
        mu_toe=(0.6 * (1 - width), 0.6 * (1 + width)), mu_body=(0.2 * (1 - width), 0.2 * (1 + width))
    )
    response = mc.dynamic_response(model.snapshot(standing(model, 0.0)), task="body.normal >= 10")
    assert round(promised(response, "alpha")[4], 2) == value
    outcome = mc.maximize(response, "alpha", guarantee="outcome", patience=100)
    mode = mc.maximize(response, "alpha", guarantee="mode", patience=100)
    assert outcome.value >= mode.value - 1e-9


def test_a_wide_interval_promises_the_outcome_where_no_mode_can_be():
    model = mc.load("rhex").uncertain(mu_toe=(0.3, 0.9), mu_body=(0.1, 0.3))
    response = mc.dynamic_response(model.snapshot(model.start), task="body.normal >= 10")
    outcome = mc.maximize(response, "alpha", guarantee="outcome", patience=60)
    assert outcome.modes == ("RFLL", "RRLL")
    assert "sticks and slides in turn" in outcome.existence
    rng = np.random.default_rng(0)
    for toe, body in rng.uniform([0.3, 0.1], [0.9, 0.3], size=(12, 2)):
        exact = mc.dynamic_response(mc.load("rhex", mu_toe=toe, mu_body=body).snapshot(model.start))
        for mode in exact.modes_at(outcome.torque):
            at = exact[mode].acceleration.value(outcome.torque, np.zeros(exact[mode].ambiguity_variables))
            assert exact[mode].ambiguity_variables == 0
            assert at[2] >= outcome.value - 1e-6


def test_the_controller_keeps_its_promise_on_the_rigid_model():
    uncertain = mc.load("rhex").uncertain(mu_toe=(0.5, 0.7), mu_body=(0.15, 0.25))
    controller = mc.MaximalThrust(uncertain, "alpha", task="body.normal >= 10")
    assert controller.guarantee == "outcome"
    rng, promises = np.random.default_rng(1), 0
    for pitch in np.radians([0.0, 5.0, 12.0, 20.0, 40.0]):
        q = standing(uncertain, pitch)
        tau = controller(0.0, q, np.zeros(6))
        decision = controller.decisions[-1]
        if decision.fallback:
            continue
        promises += 1
        for toe, body in rng.uniform([0.5, 0.15], [0.7, 0.25], size=(4, 2)):
            exact = mc.dynamic_response(mc.load("rhex", mu_toe=toe, mu_body=body).snapshot(q))
            happens = exact.modes_at(tau)
            assert happens
            for mode in happens:
                at = exact[mode].acceleration.value(tau, np.zeros(exact[mode].ambiguity_variables))
                assert at[2] >= decision.value - 1e-6
    assert promises >= 4


def test_with_known_friction_the_outcome_controller_is_the_usual_one():
    model = mc.load("rhex")
    usual = mc.MaximalThrust(model, "alpha", task="body.normal >= 10")
    outcome = mc.MaximalThrust(model, "alpha", task="body.normal >= 10", guarantee="outcome")
    for pitch in np.radians([0.0, 8.0, 20.0]):
        q = standing(model, pitch)
        np.testing.assert_allclose(outcome(0.0, q, np.zeros(6)), usual(0.0, q, np.zeros(6)), atol=1e-6)
        assert outcome.decisions[-1].value == pytest.approx(usual.decisions[-1].value, abs=1e-6)


def test_promises_are_kept_in_simulations_too():
    """The compiled control loop does not know promises over friction; it must leave them alone."""
    from modecontrol.thrust.compiled import plan_of

    model = mc.load("rhex")
    assert plan_of(mc.MaximalThrust(model, "alpha")) is not None
    for controller in (
        mc.MaximalThrust(model, "alpha", guarantee="outcome"),
        mc.MaximalThrust(model.uncertain(mu_toe=(0.5, 0.7)), "alpha"),
    ):
        assert plan_of(controller) is None


def test_a_flip_that_knows_friction_as_an_interval():
    from modecontrol.trials.rhex.flip import fly

    flip = fly("sure", 0.5, uncertain={"mu_toe": (0.4, 0.7)}, duration=0.05)
    assert flip.controller.guarantee == "outcome"
    assert all(d.mode is not None for d in flip.controller.decisions)
    with pytest.raises(ValueError, match="needs intervals"):
        fly("sure", 0.5)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"guarantee": "sure"}, "expected one of mode"),
        ({"guarantee": "mode"}, "friction is uncertain"),
        ({"margin": 0.1}, "any mode may happen"),
    ],
)
def test_promises_that_a_controller_cannot_make_are_one_clear_line(options, words):
    with pytest.raises(ValueError, match=words) as caught:
        mc.MaximalThrust(mc.load("rhex").uncertain(mu_toe=(0.5, 0.7)), "alpha", **options)
    assert "\n" not in str(caught.value)
