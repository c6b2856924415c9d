"""Modes of instants with every law against raw linear programs written for the test."""

from __future__ import annotations

import laws_by_hand as hand
import numpy as np
import pytest

import modecontrol as mc


@pytest.mark.parametrize("law", hand.LAWS)
@pytest.mark.parametrize("seed", range(25))
def test_modes_are_those_of_raw_programs(law, seed):
    rng = np.random.default_rng([seed, hand.LAWS.index(law)])
    system = hand.random_system(rng, law)
    response = mc.dynamic_response(system.snapshot())
    sure, unsure = system.modes()
    assert sure <= set(response.modes) <= sure | unsure
    for tau in rng.uniform(system.box[:, 0], system.box[:, 1], size=(2, len(system.box))):
        sure, unsure = system.modes(tau)
        assert sure <= set(response.modes_at(tau)) <= sure | unsure
