"""Many instants at once, on any number of threads, are the same to the last bit as one after the other."""

from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import numpy as np
import pytest

import modecontrol as mc


def instants(count=40):
    """Different mechanisms and states, so that threads work on different sizes."""
    rng = np.random.default_rng(7)
    models = [mc.load(name) for name in ("rhex", "two_link", "block", "rod")]
    for i in range(count):
        model = models[i % len(models)]
        yield model.snapshot(
            *model.settle(model.start + rng.uniform(-0.05, 0.05, size=len(model.coordinates)))
        )


def same(a, b):
    """Every array equal."""
    return all(
        np.array_equal(x, y) for x, y in zip((*a.leaves, *a.packed), (*b.leaves, *b.packed), strict=True)
    )


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_do_not_change_a_bit(threads):
    plain = [mc.dynamic_response(snapshot) for snapshot in instants()]
    found = list(mc.dynamic_responses(instants(), threads=threads))
    assert len(found) == len(plain)
    assert all(same(a, b) for a, b in zip(plain, found, strict=True))
    assert all(a.modes == b.modes for a, b in zip(plain, found, strict=True))


def test_callers_in_eight_threads_get_what_one_gets():
    snapshots = list(instants(64))
    plain = [mc.dynamic_response(snapshot) for snapshot in snapshots]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(mc.dynamic_response, snapshots))
    assert all(same(a, b) for a, b in zip(plain, found, strict=True))


def test_options_are_those_of_one_response():
    model = mc.load("two_link")
    options = dict(torque_limits=[(-1.0, 1.0)], physical=["p1.normal >= 0.5"], task=["p2.normal >= 1"])
    alone = mc.dynamic_response(model.snapshot(model.start), **options)
    (found,) = mc.dynamic_responses([model.snapshot(model.start)], **options)
    assert same(alone, found)
    assert len(found.problem.task.p) == 1


def test_answers_come_while_snapshots_last():
    taken = []

    def watched():
        for snapshot in instants(600):
            taken.append(snapshot)
            yield snapshot

    few = list(islice(mc.dynamic_responses(watched(), threads=2), 3))
    assert len(few) == 3
    assert len(taken) < 600


def test_an_impact_is_said_as_for_one():
    model = mc.load("block")
    falling = model.snapshot(model.start, np.full(len(model.coordinates), -1.0))
    with pytest.raises(mc.ImpactError, match="approaches"):
        list(mc.dynamic_responses([falling], threads=2))


@pytest.mark.parametrize("threads", [0, -1, 1.5, True, "two"])
def test_threads_are_a_number(threads):
    with pytest.raises(ValueError, match="threads"):
        mc.dynamic_responses([], threads=threads)


def test_none_is_none():
    assert list(mc.dynamic_responses([])) == []
