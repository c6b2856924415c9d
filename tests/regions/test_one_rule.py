"""One definition of ambiguity: everybody who decides says the same at random inputs of every kind."""

import sys
from pathlib import Path

import numpy as np
import pytest
from one_rule import Judges

import modecontrol as mc

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "campaigns"))
from modes import KINDS, instant

SKIPPED = ("five contacts", "no input")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in SKIPPED])
def test_all_judges_agree(kind):
    asked = 0
    for seed in range(3):
        rng = np.random.default_rng([77, KINDS.index(kind), seed])
        case = instant(rng, kind)
        judges = Judges(case.s, case.limits, velocity_tolerance=case.velocity_tolerance)
        for turn in range(5):
            tau = case.draw(rng)
            if tau is None:
                continue
            said = judges.verdicts(tau, design=turn == 0, picture=0.0 not in tau and case.tie is None)
            if not judges.response.admissible.torques.contains(tau):
                assert said["rule"] == "none"
                continue
            assert len(set(said.values())) == 1, (seed, tau, said)
            asked += 1
    assert asked > 0


def test_the_controller_says_the_same():
    """RHex with a leg in the air: sure at most inputs, not where the middle toe carries no torque."""
    pitch = 0.37
    height = 0.25 * np.sin(pitch) + 0.05 * np.cos(pitch)
    legs = [-np.arcsin((height + hip * np.sin(pitch)) / 0.17) - pitch for hip in (-0.19, 0.015)]
    q = np.array([0, height, pitch, *legs, -0.3 - pitch])
    model = mc.load("rhex", mu_toe=0.9, mu_body=0.45)
    rng = np.random.default_rng(4)
    seen = set()
    for middle in (0.0, 0.0, *rng.uniform(-10, -0.1, size=4)):
        tau = [float(rng.uniform(-10, -0.1)), float(middle), 0.0]
        pin = [f"tau{i + 1} == {value!r}" for i, value in enumerate(tau)]
        response = mc.dynamic_response(model.snapshot(q))
        control = mc.MaximalThrust(model, "alpha", physical=pin)
        assert control(0.0, q, np.zeros(6)) == pytest.approx(tau, abs=1e-6)
        sure = not control.decisions[-1].ambiguous
        assert sure == (response.answer_at(tau) is not None), tau
        seen.add(sure)
    assert seen == {True, False}
