"""Exact rationals at given inputs: rows that no motion can change are asked, too."""

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.modes.exact_modes import has_answer

SLACKS = [0.0, 1e-9, 1e-4]


@pytest.fixture
def answers():
    """One coordinate that a force pushes; its contact is dragged to the right whatever it does."""
    snapshot = mc.Snapshot(
        mass=[[2.0]],
        bias=[3.0],
        actuation=[[1.0]],
        jacobian=[[1.0], [0.0]],
        drift=[0.0, 1.5],
        friction=[0.5],
        velocity=[0.0, 0.0],
    )
    return mc.dynamic_response(snapshot, torque_limits=[(-5.0, 4.0)])


@pytest.mark.parametrize("slack", SLACKS)
def test_a_sliding_that_nothing_turns_round_has_no_answer(answers, slack):
    assert answers.modes == ["R", "S"]
    assert has_answer(answers.problem.system("R"), np.array([-2.0]), slack)
    assert not has_answer(answers.problem.system("L"), np.array([-2.0]), slack)
    assert not has_answer(answers.problem.system("F"), np.array([-2.0]), slack)


@pytest.mark.parametrize("slack", SLACKS)
def test_inputs_beyond_their_limits_have_no_answer(answers, slack):
    system = answers.problem.system("S")
    assert has_answer(system, np.array([4.0]), slack)
    assert not has_answer(system, np.array([4.0 + 1e-6]), slack)
