"""Mechanisms with hundreds of modes: every pair of motions is compared, the search for sure inputs ends."""

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import modecontrol as mc
from modecontrol import tolerances
from modecontrol._core import regions as core
from modecontrol.errors import TooMuchWorkError
from modecontrol.regions.ambiguity import motion_frame
from modecontrol.thrust.maximize import _compiled
from modecontrol.thrust.objective import Objective

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "campaigns"))
from modes import Examination, instant


@pytest.fixture(scope="module")
def snake():
    model = mc.load("snake")
    return mc.dynamic_response(model.snapshot(model.start))


@pytest.fixture(scope="module")
def biped():
    model = mc.load("biped")
    return mc.dynamic_response(model.snapshot(model.start))


@pytest.mark.parametrize(("name", "step"), [("biped", 1), ("snake", 151)])
def test_no_comparison_of_motions_stays_open(name, step, request):
    response = request.getfixturevalue(name)
    frame = motion_frame(response.problem)
    for mode in response.modes[::step]:
        codes = core.relations(response.packed[:3], frame, response._place[mode])
        assert not np.any(codes == core.UNKNOWN), mode


@pytest.mark.parametrize("margin", [0.0, 1e-3, 0.05])
def test_the_search_of_the_core_settles_a_braced_snake(snake, margin):
    """Every mode has the same best value, zero: a plateau of thousands of pieces with cuts through common corners."""
    found = _compiled(snake, Objective.of("q8", snake.snapshot), margin, "mode", None)
    assert found is not None
    assert found.value == pytest.approx(0.0, abs=1e-9)
    alone = [mode for mode in snake.modes_at(found.torque) if mode != found.mode]
    assert margin == 0 or alone == []
    assert margin == 0 or found.mode in snake
    if margin:
        off = [
            _distance(snake[mode].torques, found.torque)
            for mode in snake
            if mode != found.mode and not snake[mode].torques <= snake[found.mode].torques
        ]
        assert min(off) >= margin * (1 - 1e-9)


def test_patience_ends_a_search_with_an_answer(snake):
    for patience in (0, 30, 300, 3000):
        found = mc.maximize(snake, "q8", patience=patience)
        assert found or f"patience of {patience}" in found.reason


def _distance(T, tau):
    """By how much the most violated row is violated, rows of length one."""
    over = (T.A @ tau - T.b) / np.linalg.norm(T.A, axis=1)
    off = np.abs(T.C @ tau - T.d) / np.linalg.norm(T.C, axis=1)
    return max(over.max(initial=0.0), off.max(initial=0.0))


def test_a_region_of_too_many_pieces_is_given_up_and_says_what_still_answers(biped, monkeypatch):
    monkeypatch.setattr(tolerances, "REGION_WORK", 500)  # the same end as with the usual bound, sooner
    with pytest.raises(TooMuchWorkError, match="sampled_coverage says how many have none"):
        biped.inconsistent()
    found = biped.sampled_coverage(400, seed=3)
    assert found.samples == 400
    assert found.unambiguous + found.ambiguous + found.inconsistent == pytest.approx(1.0)
    assert found.error == pytest.approx(0.025)


def test_sampled_shares_agree_with_volumes():
    model = mc.load("rhex")
    response = mc.dynamic_response(model.snapshot(model.start))
    exact, drawn = response.coverage(), response.sampled_coverage(3000, seed=1)
    for name in ("unambiguous", "ambiguous", "inconsistent"):
        assert getattr(drawn, name) == pytest.approx(exact[name] / exact["whole"], abs=4 * drawn.error)


def test_a_torque_set_of_one_point_holds_its_point_to_rounding():
    """A massless leg in the air: no torque but zero, and rounding is zero."""
    s = {
        "mass": np.diag([1.0, 1.0, 0.5, 0.0]),
        "bias": np.array([0.0, 9.81, 0.0, 0.0]),
        "actuation": np.eye(4)[:, 3:],
        "jacobian": np.array([[0.0, 1.0, 0.3, 0.0], [1.0, 0.0, 0.2, 0.0]]),
        "drift": np.zeros(2),
        "friction": np.array([0.5]),
        "velocity": np.zeros(2),
    }
    response = mc.dynamic_response(mc.Snapshot(**s), torque_limits=[(-20.0, 20.0)])
    alone = [mode for mode in response if response.unambiguous(mode).contains([5e-16])]
    assert alone == response.modes_at([5e-16]) == response.modes_at([0.0]) != []
    assert not response.inconsistent().contains([5e-16])
    best = mc.maximize(response, "q1", margin=0.1)
    assert best
    assert response.unambiguous(best.mode, 0.1).contains(best.torque)


@pytest.mark.parametrize(("seed", "system"), [(7, 513), (7, 567), (9, 45)])
def test_fifty_modes_of_five_inputs_leave_nothing_within_the_bound(seed, system):
    """Systems of `campaigns/modes.py`: taken away in the order of the modes, their inputs come in too many pieces."""
    rng = np.random.default_rng([seed, system])
    response = Examination(instant(rng, "inputs everywhere"), rng, Counter(), [], system).response
    assert response.inconsistent().is_empty
    assert all(response.modes_at(tau) for tau in rng.uniform(-1.0, 1.0, size=(20, 5)))
