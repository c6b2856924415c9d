"""Gaps and energies along a run are those of one state after the other, to the last bit, on any number of threads."""

import numpy as np
import pytest
from random_mechanisms import random_mechanism

import modecontrol as mc
from modecontrol._core import dynamics as core
from modecontrol.dynamics.model import Model


def states(model, count, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(2, count, len(model.coordinates)))


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.parametrize("name", ["rhex_compliant", "snake", "random"])
def test_many_states_give_the_bits_of_one_after_the_other(name, threads):
    model = Model(random_mechanism(4, 7, contacts=5, pins=2)) if name == "random" else mc.load(name)
    Q, V = states(model, 100)
    gaps = core.gaps_along(model.tree.core, Q, threads)
    energies = core.energies_along(model.tree.core, Q, V, threads)
    for i, (q, v) in enumerate(zip(Q, V, strict=True)):
        np.testing.assert_array_equal(gaps[i], core.gaps(model.tree.core, q))
        np.testing.assert_array_equal(energies[i], core.energies(model.tree.core, q, v))
    np.testing.assert_array_equal(gaps[17], model.snapshot(Q[17]).gap)


def test_no_states_give_no_rows_and_one_thread_is_the_least():
    model = mc.load("rod")
    nothing = np.zeros((0, len(model.coordinates)))
    assert core.gaps_along(model.tree.core, nothing, 4).shape == (0, len(model.contacts))
    assert core.energies_along(model.tree.core, nothing, nothing, 4).shape == (0, 3)
    with pytest.raises(ValueError, match="at least one thread"):
        core.gaps_along(model.tree.core, nothing, 0)
    with pytest.raises(ValueError, match="at least one thread"):
        core.energies_along(model.tree.core, nothing, nothing, 0)
