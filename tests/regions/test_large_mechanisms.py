"""Mechanisms with hundreds of modes: every pair of motions is compared, the search for sure inputs ends."""

import numpy as np
import pytest

import modecontrol as mc
from modecontrol._core import regions as core
from modecontrol.regions.ambiguity import motion_frame
from modecontrol.thrust.maximize import _compiled
from modecontrol.thrust.objective import Objective


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
