"""Decisions of controllers at random instants of every kind: what they promise has one motion, by the rule and by raw programs."""

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import modecontrol as mc

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "campaigns"))
from decisions import LITTLE, PLENTY, Decisions
from modes import KINDS, instant
from thrust import Trial


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "five contacts"])
def test_promises_have_one_motion(kind):
    tally, wrong = Counter(), []
    rng = np.random.default_rng([5, KINDS.index(kind)])
    for patience in (PLENTY, LITTLE):
        trial = Decisions(instant(rng, kind), rng, tally, wrong, kind)
        trial.free(patience)
        trial.pinned()
    assert not wrong
    assert tally["decisions"] >= 2


@pytest.mark.parametrize(
    ("kind", "system", "turn"),
    [
        ("high friction", 158, 1),  # inside a rival by less than strictness and more than rounding
        ("plain", 272, 1),  # at the corner of three modes that clash next to it
        ("loops", 292, 1),  # on the border of a mode that clashes inside
        ("massless", 461, 1),  # a better value on such a border
        ("no input", 254, 0),  # nothing to keep a margin with
    ],
)
def test_promises_at_borders_are_those_of_maximize(kind, system, turn):
    rng = np.random.default_rng([1, system])
    case, wrong = instant(rng, kind), []
    for at in range(turn + 1):
        trial = Decisions(case, rng, Counter(), wrong, (kind, system))
        trial.free(LITTLE if at == 2 else PLENTY)
        if at < turn:
            trial.pinned()
    assert not wrong


def test_a_steep_task_is_met_up_to_its_border():
    """A task whose least value over `w` is 46 times as steep as the inputs: rows loosened by rounding must not cost inputs."""
    rng = np.random.default_rng([2, 241])
    trial = Trial(instant(rng, "redundant"), rng, Counter(), [], "steep")
    found = mc.maximize(trial.response, "tau1")
    (border,) = trial.response["FFF"].task_torques("every")
    assert found.value == pytest.approx(border.maximize([1.0]).value, rel=1e-9)
