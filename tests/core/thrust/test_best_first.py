"""The compiled best-first search against the one over `Polytope` pieces, which shares no code with it."""

import numpy as np
import pytest
import reference

import modecontrol as mc
from modecontrol.thrust.by_pieces import by_pieces
from modecontrol.thrust.maximize import _compiled
from modecontrol.thrust.objective import Objective

GOALS = ("q1", "tau1", "c1.normal", "q1 - 0.5 * q2 + c1.tangent")
TASKS = ((), "c1.normal >= 1", "q1 >= -1", ("c1.normal >= 0.5", "q1 <= 3"))


def both(response, goal, margin=0.0, guarantee="unambiguous", patience=None):
    goal = Objective.of(goal, response.snapshot)
    return (
        _compiled(response, goal, margin, guarantee, patience),
        by_pieces(response, goal, margin, guarantee, patience),
    )


def agree(quick, slow):
    assert bool(quick) == bool(slow)
    assert quick.ambiguous_value == pytest.approx(slow.ambiguous_value, rel=1e-7, abs=1e-7)
    if slow:
        assert quick.value == pytest.approx(slow.value, rel=1e-7, abs=1e-7)
    else:
        assert quick.reason == slow.reason


@pytest.mark.parametrize("seed", range(24))
def test_random_systems(seed):
    rng = np.random.default_rng(900 + seed)
    s = reference.random_system(rng, contacts=int(rng.integers(1, 4)))
    snapshot = mc.Snapshot(**s)
    limits = [(-20.0, 20.0)] * s["actuation"].shape[1]
    settled = 0
    for task in TASKS:
        response = mc.dynamic_response(snapshot, torque_limits=limits, task=task)
        for margin in (0.0, 0.3):
            quick, slow = both(response, GOALS[seed % len(GOALS)], margin)
            if quick is not None:
                agree(quick, slow)
                settled += 1
    assert settled > 0


def test_most_questions_are_settled_by_the_compiled_search():
    rng = np.random.default_rng(5)
    settled = []
    for _ in range(30):
        s = reference.random_system(rng, contacts=2)
        response = mc.dynamic_response(
            mc.Snapshot(**s), torque_limits=[(-20.0, 20.0)] * s["actuation"].shape[1]
        )
        settled.append(
            _compiled(response, Objective.of("q1", response.snapshot), 0.0, "unambiguous", None) is not None
        )
    assert np.mean(settled) > 0.8


@pytest.mark.parametrize("mu_toe", [0.39, 0.6, 1.2])
@pytest.mark.parametrize("margin", [0.0, 0.5])
def test_rhex_at_rest(mu_toe, margin):
    model = mc.load("rhex", mu_toe=mu_toe)
    response = mc.dynamic_response(model.snapshot(model.start), task="body.normal >= 10")
    settled = 0
    for goal in ("alpha", "-alpha", "y", "rear.normal"):
        quick, slow = both(response, goal, margin)
        if quick is not None:
            agree(quick, slow)
            if quick:
                others = [m for m in response if m != quick.mode and response[m].torques.dimension == 3]
                assert all(response[m].torques.distance(quick.torque) >= margin - 1e-7 for m in others)
                settled += 1
    assert settled > 0


def test_a_task_that_only_some_w_meets_is_cut_away():
    """How the legs of a table share the friction is not unique, so a bound on one share has to hold for every
    share.
    """
    model = mc.load("table")
    response = mc.dynamic_response(
        model.snapshot(model.start), torque_limits=[(-25.0, 25.0)], task="left.tangent >= -5"
    )
    assert response.modes == ["FF"]
    quick, slow = both(response, "push")
    assert quick is not None
    agree(quick, slow)
    assert quick.torque[0] < -5.0 < quick.ambiguous_value
    least, _ = response.forces_at(quick.torque)["FF"]["left.tangent"]
    assert least == pytest.approx(-5.0, abs=1e-4)


def test_no_guarantee_is_the_plain_optimum():
    model = mc.load("rhex", mu_toe=0.6)
    response = mc.dynamic_response(model.snapshot(model.start), task="body.normal >= 10")
    quick, slow = both(response, "alpha", guarantee="none")
    assert quick.value == pytest.approx(slow.value, rel=1e-9)
    assert quick.mode == slow.mode


def test_patience_ends_the_search_with_its_reason():
    model = mc.load("rhex", mu_toe=0.6)
    response = mc.dynamic_response(model.snapshot(model.start), task="body.normal >= 10")
    found = _compiled(response, Objective.of("alpha", response.snapshot), 0.0, "unambiguous", 0)
    assert not found
    assert found.reason == "no guaranteed answer within a patience of 0"


def test_an_objective_without_bound_is_said_to_be_one():
    model = mc.load("rod")
    response = mc.dynamic_response(
        model.snapshot(model.start), torque_limits=[(-np.inf, np.inf)] * len(model.inputs)
    )
    for found in both(response, model.inputs[0]):
        assert found.value == np.inf
        assert found.torque is None
        assert "unbounded" in found.reason
