"""Many snapshots in one call, on any number of threads, are those of one call after the other, to the last
bit.
"""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from random_mechanisms import random_mechanism

import modecontrol as mc
from modecontrol.dynamics.model import INSTANT, Model

FIELDS = (*INSTANT, "q", "v", "actuation", "friction")


def states(model, count, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(count, len(model.coordinates))), rng.normal(size=(count, len(model.coordinates)))


def assert_same(a, b):
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)


@pytest.mark.parametrize("threads", [1, 2, 8])
@pytest.mark.parametrize("name", ["rhex", "four_bar", "two_link"])
def test_a_batch_equals_one_call_after_the_other(name, threads):
    model = mc.load(name)
    Q, V = states(model, 100)
    batch = model.snapshots(Q, V, threads=threads)
    assert len(batch) == 100
    for i in (0, 1, 15, 16, 17, 63, 99, -1):
        assert_same(batch[i], model.snapshot(Q[i], V[i]))


def test_eight_threads_at_once_give_the_same_bits():
    model = mc.load("biped")
    Q, V = states(model, 400)
    alone = [model.snapshot(q, v) for q, v in zip(Q, V, strict=True)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(model.snapshot, Q, V))
        batches = list(pool.map(lambda _: model.snapshots(Q, V, threads=2), range(8)))
    for i, snap in enumerate(alone):
        assert_same(together[i], snap)
    for batch in batches:
        assert_same(batch, model.snapshots(Q, V))


def test_a_batch_has_a_first_axis_over_the_states_and_can_be_cut():
    model = Model(random_mechanism(3, 6, contacts=5, pins=2))
    Q, V = states(model, 7)
    batch = model.snapshots(Q, V)
    n = len(model.coordinates)
    assert batch.mass.shape == (7, n, n)
    assert batch.gap.shape == (7, 5)
    assert batch.loop_opening.shape == (7, 4)
    assert not batch.mass.flags.writeable
    assert_same(batch[2:5][1], batch[3])
    assert_same(pickle.loads(pickle.dumps(batch))[6], batch[6])
    assert [snap.contacts for snap in batch] == [5] * 7
    with pytest.raises(IndexError):
        batch[7]
    with pytest.raises(AttributeError, match="no attribute 'masss'"):
        _ = batch.masss


def test_states_at_rest_and_no_states_at_all():
    model = mc.load("block")
    Q, _ = states(model, 3)
    assert_same(model.snapshots(Q)[1], model.snapshot(Q[1]))
    assert len(model.snapshots(np.zeros((0, 3)))) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0.0, 1.0]],), r"Q has shape \(1, 2\); expected rows of 3"),
        (([[0.0, 1.0, np.nan]],), r"Q\[0\] of 'theta' is nan"),
        ((["abc"],), "Q is not an array of numbers"),
        (([[0.0, 0.0, 0.0]], np.zeros((2, 3))), "V has 2 rows; expected 1"),
    ],
)
def test_bad_states_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        mc.load("block").snapshots(*arguments)


@pytest.mark.parametrize("threads", [0, -1, 1.5, "two"])
def test_threads_are_a_positive_number(threads):
    with pytest.raises(ValueError, match="threads"):
        mc.load("block").snapshots(np.zeros((1, 3)), threads=threads)
