"""Possible and surely possible torques of small instants, decided over the reals by z3."""

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np

import modecontrol as mc
from modecontrol.modes.surely_possible import sure_torques

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "campaigns"))
import small_by_z3


def test_z3_agrees():
    decided = 0
    for seed in range(40):
        rng = np.random.default_rng([7, seed])
        s, box = small_by_z3.instant(rng)
        response = mc.dynamic_response(mc.Snapshot(**s, friction=box.middle).with_friction(box))
        if not response.modes:
            continue
        mode, tau = str(rng.choice(response.modes)), int(rng.integers(-12, 13))
        possible = small_by_z3.ask(s, box, mode, [Fraction(tau)], False, 2000)
        unsure = small_by_z3.ask(s, box, mode, [Fraction(tau)], True, 2000)
        assert possible in (None, response[mode].torques.contains([float(tau)]))
        assert unsure in (None, not sure_torques(response.problem, mode).contains([float(tau)]))
        decided += (possible is not None) + (unsure is not None)
    assert decided > 60
