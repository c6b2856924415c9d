"""Compliance by junctions of the tree against dense matrices, and against pairs of rows taken alone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_mechanisms import random_mechanism, random_state

from modecontrol._core import dynamics as core
from modecontrol.dynamics.mechanism import WORLD, Body, Contact, Joint, Mechanism
from modecontrol.dynamics.model import Model

SEEDS = st.integers(0, 2**32 - 1)


def comb(parents, points):
    """Hinged rods, each on the one that `parents` names (-1: the world), with point contacts at the ends of
    some.
    """
    bodies = tuple(
        Body(
            f"b{i}",
            WORLD if p < 0 else f"b{p}",
            Joint("revolute", (f"q{i}",), at=(0.0, 0.0) if p < 0 else (1.0, 0.0)),
            mass=1.0,
            inertia=1 / 12,
            com=(0.5, 0.0),
        )
        for i, p in enumerate(parents)
    )
    return Model(
        Mechanism(
            "comb",
            bodies,
            contacts=tuple(Contact(f"c{c}", "point", f"b{i}", (1.0, 0.1 * c)) for c, i in enumerate(points)),
        )
    )


def compliance(model, q, contacts):
    return core.ArticulatedBodies(model.tree.core, q, np.zeros(len(q))).compliance(
        np.array(contacts, dtype=np.int64)
    )


def dense(model, q):
    snap = model.snapshot(q)
    A = np.vstack((snap.jacobian, snap.loop_jacobian))
    return A @ np.linalg.solve(snap.mass, A.T)


@settings(deadline=None, max_examples=60)
@given(seed=SEEDS, bodies=st.integers(1, 12), contacts=st.integers(0, 12), pins=st.integers(0, 2))
def test_compliance_of_random_forests(seed, bodies, contacts, pins):
    model = Model(random_mechanism(seed, bodies, contacts=contacts, pins=pins))
    q, _ = random_state(model, seed)
    expected = dense(model, q)
    found = compliance(model, q, range(contacts))
    np.testing.assert_allclose(
        found, expected, rtol=0, atol=1e-9 * max(1.0, np.abs(expected).max(initial=0.0))
    )
    np.testing.assert_array_equal(found, found.T)


CHAIN = list(range(-1, 79))
TWO_ARMS = [*CHAIN[:30], 9, *range(30, 70)]  # a second arm leaves the chain at rod 9
TWO_TREES = [*CHAIN[:40], -1, *range(40, 79)]


@pytest.mark.parametrize(
    ("parents", "points"),
    [
        (CHAIN, (79, 78, 77, 76, 75)),  # all at the tip: nobody walks to the root
        (CHAIN, (5, 25, 45, 79, 79, 79, 79)),  # long ways that many forces take
        (CHAIN, (79, 79, 79, 79, 0)),
        (TWO_ARMS, (29, 29, 29, 70, 70, 70, 69)),  # meet where the arms meet, between the contacts
        (TWO_TREES, (39, 38, 39, 39, 79, 79, 60)),  # nothing in common
    ],
)
def test_long_ways(parents, points):
    model = comb(parents, points)
    rng = np.random.default_rng(len(points))
    q = 0.4 * rng.normal(size=len(parents))
    L, expected = compliance(model, q, range(len(points))), dense(model, q)
    np.testing.assert_allclose(L, expected, rtol=0, atol=1e-9 * np.abs(expected).max())
    for i in range(len(points)):  # two contacts alone are carried step by step
        for j in range(i):
            block = np.ix_([2 * i, 2 * i + 1, 2 * j, 2 * j + 1], [2 * i, 2 * i + 1, 2 * j, 2 * j + 1])
            np.testing.assert_allclose(
                compliance(model, q, (i, j)), L[block], rtol=0, atol=1e-13 * np.abs(L).max()
            )


def test_work_space_serves_one_set_of_rows_after_the_other():
    model = comb(CHAIN, (79, 40, 3, 60))
    q = 0.4 * np.random.default_rng(1).normal(size=len(CHAIN))
    bodies = core.ArticulatedBodies(model.tree.core, q, np.zeros(len(q)))
    for chosen in ([0], [0, 1, 2, 3], [], [3, 2], [1, 1], [0, 1, 2, 3]):
        np.testing.assert_array_equal(
            bodies.compliance(np.array(chosen, dtype=np.int64)), compliance(model, q, chosen)
        )


@pytest.mark.parametrize("contact", [-1, 4])
def test_an_unknown_contact_is_refused(contact):
    model = comb(CHAIN, (79, 40, 3, 60))
    with pytest.raises(ValueError, match="no such contact"):
        compliance(model, np.zeros(len(CHAIN)), [contact])


@settings(deadline=None, max_examples=30)
@given(seed=SEEDS, bodies=st.integers(1, 40), threads=st.sampled_from([2, 8]))
def test_divide_and_conquer_does_not_depend_on_the_number_of_threads(seed, bodies, threads):
    rng = np.random.default_rng(seed)
    parents = [-1] + [int(rng.integers(max(i - 3, 0), i)) for i in range(1, bodies)]
    model = comb(parents, ())
    q, R, added = (
        rng.normal(size=bodies),
        rng.normal(size=(2, bodies)),
        rng.uniform(0, 1, bodies) * rng.integers(0, 2),
    )
    alone = core.solve_many_by_halves(model.tree.core, model.plan.core, q, added, R, 1)
    together = core.solve_many_by_halves(model.tree.core, model.plan.core, q, added, R, threads)
    assert alone[0] == together[0] == -1
    np.testing.assert_array_equal(alone[1], together[1])
    expected = np.linalg.solve(model.snapshot(q).mass + np.diag(added), R.T).T
    np.testing.assert_allclose(alone[1], expected, rtol=0, atol=1e-8 * np.abs(expected).max())
