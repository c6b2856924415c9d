"""The compiled reading of a state against the same written in numpy from snapshots alone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import modecontrol as mc
from modecontrol import tolerances
from modecontrol._core import dynamics as core
from modecontrol.dynamics.model import INSTANT
from modecontrol.modes.letters import LETTERS, Touch
from modecontrol.thrust.instants import Thresholds


def nearest(M, J, A, v, mass):
    """Least change in the metric `W`, by a symmetric square root and a pseudo-inverse."""
    reach = np.abs(np.vstack((J, A))).max(axis=0, initial=0.0) ** 2
    extra = tolerances.LIGHT * ((mass if mass > 0 else 1.0) * reach + np.diag(M))
    W = M + np.diag(np.where(extra == 0, 1.0, extra))
    values, vectors = np.linalg.eigh(W)
    half = vectors / np.sqrt(values) @ vectors.T
    return v - half @ np.linalg.pinv(A @ half, rcond=1e-11) @ (A @ v)


@given(st.integers(1, 6), st.integers(0, 5), st.integers(0, 10_000), st.booleans())
@settings(deadline=None, max_examples=100)
def test_nearest_velocity(n, r, seed, doubled):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(n, n))
    M = root @ root.T + 0.1 * np.eye(n)
    light = rng.random(n) < 0.2
    M[light] = M[:, light] = 0.0
    J, A = rng.normal(size=(4, n)), rng.normal(size=(r, n))
    if doubled:
        A = np.vstack([A, A, np.zeros((1, n))])
    v = rng.normal(size=n)
    found = core.nearest_velocity(M, J, A, v, None, 2.0)
    np.testing.assert_allclose(found, nearest(M, J, A, v, 2.0), atol=1e-6)
    if r < n:
        np.testing.assert_allclose(A @ found, 0.0, atol=1e-9)


class Stranger:
    """A model that the kernels do not know: only snapshots and `settle_velocity`, as users may write one."""

    def __init__(self, model):
        self.contacts, self.coordinates, self.snapshot, self.settle_velocity = (
            model.contacts,
            model.coordinates,
            model.snapshot,
            model.settle_velocity,
        )


@pytest.mark.parametrize("name", ["rhex", "two_link", "snake", "four_bar", "block"])
def test_compiled_reading_equals_the_plain_one(name):
    model = mc.load(name)
    rng = np.random.default_rng(3)
    k = len(model.contacts)
    thresholds = Thresholds.of(k, rng.uniform(0, 0.3, k), 0.02, 0.2)
    for trial in range(40):
        q = model.start + 0.02 * rng.normal(size=len(model.start)) * (trial % 3 != 0)
        v = rng.choice([0.0, 0.1, 2.0]) * rng.normal(size=len(q))
        told = None if trial % 2 else rng.random(k) < 0.6
        quick, plain = thresholds.read(model, q, v, told), thresholds.read(Stranger(model), q, v, told)
        np.testing.assert_array_equal(quick.closed, plain.closed)
        np.testing.assert_array_equal(quick.touching.slip, plain.touching.slip)
        np.testing.assert_array_equal(quick.touching.free, plain.touching.free)
        for field in {*INSTANT, "q", "v"} - {"loop_opening"}:
            np.testing.assert_allclose(
                getattr(quick.snapshot, field), getattr(plain.snapshot, field), rtol=1e-9, atol=1e-9
            )
            assert not getattr(quick.snapshot, field).flags.writeable


def test_letters_that_a_judged_contact_may_take():
    touching = Touch(np.array([False, False, False, True, True]), np.array([-1, 0, 1, 0, 1]))
    letters = ["".join(LETTERS[j] for j in np.flatnonzero(row)) for row in touching.allowed]
    assert letters == ["LS", "FLRS", "RS", "S", "S"]
