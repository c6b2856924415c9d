"""Answers beside singular friction, where some were wrong once: judged in exact rationals by z3 (`campaigns/singular.py`)."""

import sys
from pathlib import Path

import numpy as np
import pytest

import modecontrol as mc

sys.path.append(str(Path(__file__).resolve().parents[2] / "campaigns"))
from singular import Trial
from singular_systems import placed

WRONG_ONCE = [
    ("legs", 2, 0, 1e-8, "a thin set was placed beside itself: a mode was missed without inputs"),
    (
        "legs",
        2,
        0,
        -1e-7,
        "a wedge had shrunk to its tip; an outcome was promised where no mode has an answer",
    ),
    ("legs", 2, 0, 1e-6, "regions of one answer on the border of a mode that moves otherwise at once"),
    ("legs", 2, 0, -1e-4, "a zero that rounding had made 3e-16 let a torque set go on beyond the limits"),
    ("legs", 3, 0, 1e-8, "a mode was promised beside its inputs"),
    ("legs", 3, 1, 1e-7, "modes were named where they have no answer"),
    ("legs", 3, 1, -1e-7, "maximize and a controller on the border of a steep mode"),
    ("legs", 3, 2, -3e-9, "answer_at, maximize and a controller in a mode whose inputs are flat"),
    ("arms", 3, 3, 1e-10, "a mode with forces of 1e10 loads was taken for impossible"),
    ("arms", 3, 3, 1e-9, "a design promised an outcome there"),
]


def system_of(kind, seed, number):
    return placed(np.random.default_rng([seed, number]), kind)


@pytest.mark.parametrize(
    ("kind", "seed", "number", "beside"),
    [case[:4] for case in WRONG_ONCE],
    ids=[case[4] for case in WRONG_ONCE],
)
def test_no_answer_is_wrong(kind, seed, number, beside):
    faults, judged = [], []

    def note(what, fault):
        judged.append(what)
        if fault is not None and what != "unchecked":
            faults.append((what, *fault))

    Trial(system_of(kind, seed, number), beside, np.random.default_rng([seed, number, 7]), note).run()
    assert not faults
    assert {"list", "at"} <= set(judged)


def response_of(kind, seed, number, beside):
    system = system_of(kind, seed, number)
    return mc.dynamic_response(mc.Snapshot(**system.beside(beside)), torque_limits=system.box)


def test_a_zero_is_a_zero_where_inputs_are_answered_ten_thousand_times():
    mode = response_of("legs", 2, 0, -1e-4)["RRS"]
    assert not mode.is_steep
    assert mode.torques.maximize(np.array([1.0, 0.0])).value == pytest.approx(1.6e-4, rel=1e-3)
    assert not mode.allows([5.0, 0.0])


def test_a_thin_wedge_keeps_its_length():
    mode = response_of("legs", 2, 0, -1e-7)["RRF"]
    assert mode.thin
    assert mode.is_steep
    assert mode.allows([0.0, -0.75])
    assert not mode.allows([0.0, -7.0])


@pytest.mark.parametrize("beside", [1e-12, -1e-10, 1e-9, -1e-8])
def test_inputs_that_a_friction_all_but_restricts_are_free_on_one_side(beside):
    mode = response_of("arms", 3, 3, beside)["L"]
    assert mode.admissible == 2
    assert mode.is_steep
    assert mode.torques.dimension == 2


def test_no_friction_margin_without_one_answer():
    response = response_of("legs", 11, 0, 1e-10)
    assert response.answer_at([8.0]) is None
    assert response.friction_margin([8.0]) == 0.0


def test_a_mode_that_is_all_but_singular_counts_against_all_that_lies_beside_it():
    response = response_of("legs", 3, 2, -1e-7)
    steep = [mode for mode in response if response[mode].is_steep]
    assert steep
    for mode in steep:
        tau = response[mode].torques.chebyshev.centre
        assert mode in response.modes_at(tau)
        assert response.answer_at(tau) is None
