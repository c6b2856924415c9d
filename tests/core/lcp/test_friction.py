"""The sparse friction problem: its answers by Coulomb's law written out again, its islands, its certificate."""

import numpy as np
import pytest
from contact_problems import disc_pile
from hypothesis import given, settings
from hypothesis import strategies as st

from modecontrol import tolerances
from modecontrol._core import lcp as core

SEEDS = st.integers(0, 2**32 - 1)


def contacts(rng, m, bodies):
    """`A, free, mu` of `m` contacts between planar bodies, each of which feels few others."""
    J = np.zeros((2 * m, 3 * bodies))
    for i in range(m):
        one, two = rng.choice(bodies + 1, size=2, replace=False)
        angle = rng.uniform(0, 2 * np.pi)
        n, t = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        for body, sign in ((one, 1.0), (two, -1.0)):
            if body < bodies:
                J[2 * i, 3 * body : 3 * body + 2], J[2 * i + 1, 3 * body : 3 * body + 2] = sign * n, sign * t
                J[2 * i + 1, 3 * body + 2] = 0.1
    mass = np.tile([1.0, 1.0, 0.005], bodies) * np.repeat(rng.uniform(0.5, 2.0, bodies), 3)
    v = rng.normal(size=3 * bodies) * np.tile([1.0, 1.0, 5.0], bodies)
    return (J / mass) @ J.T, J @ v, rng.uniform(0.0, 0.8, m) * (rng.random(m) > 0.2)


def law_errors(A, free, mu, p):
    """How far Coulomb's law is from holding, contact by contact, in velocities."""
    u = free + A @ p
    pn, pt, un, ut = p[0::2], p[1::2], u[0::2], u[1::2]
    errors = [np.maximum(-un, 0.0), np.minimum(np.abs(un), pn * np.diag(A)[0::2])]
    assert (pn >= 0).all()
    assert (np.abs(pt) <= mu * pn * (1 + 1e-15)).all()
    room = np.diag(A)[1::2] * (mu * pn - np.abs(pt))
    errors += [
        np.minimum(np.abs(ut), room),
        np.where(ut * pt > 0, np.minimum(np.abs(ut), np.abs(pt) * np.diag(A)[1::2]), 0.0),
    ]
    return np.max(errors)


@settings(deadline=None, max_examples=80)
@given(seed=SEEDS)
def test_answers_obey_coulombs_law(seed):
    rng = np.random.default_rng(seed)
    A, free, mu = contacts(rng, int(rng.integers(1, 40)), int(rng.integers(2, 20)))
    p, solved, residual, *_ = core.solve_friction(A, free, mu, np.zeros(len(free)))
    if solved:
        assert residual <= tolerances.SWEPT
        assert law_errors(A, free, mu, p) <= 2 * max(residual, 1e-13) * np.abs(free).max()
    assert core.friction_certificate(A, free, mu, p) == pytest.approx(residual, rel=1e-3, abs=1e-15)


def test_most_are_solved_and_warm_ones_at_once():
    rng, solved = np.random.default_rng(4), 0
    for _ in range(100):
        A, free, mu = contacts(rng, 30, 15)
        p, good, *_ = core.solve_friction(A, free, mu, np.zeros(len(free)))
        solved += good
        again = core.solve_friction(A, free, mu, p)
        if good and again[2] <= tolerances.NEWTON:
            assert again[3] == again[4] == 0
            assert np.array_equal(again[0], p)
    assert solved >= 95


@settings(deadline=None, max_examples=80)
@given(seed=SEEDS)
def test_answers_from_inside_the_cones_obey_coulombs_law(seed):
    rng = np.random.default_rng(seed)
    A, free, mu = contacts(rng, int(rng.integers(1, 60)), int(rng.integers(2, 30)))
    p, solved, residual, *_ = core.solve_friction(A, free, mu, np.zeros(len(free)), inside=True)
    assert core.friction_certificate(A, free, mu, p) == pytest.approx(residual, rel=1e-3, abs=1e-15)
    if solved:
        assert law_errors(A, free, mu, p) <= 2 * max(residual, 1e-13) * np.abs(free).max()


def test_most_are_solved_from_inside_the_cones_in_few_turns():
    rng, solved, turns = np.random.default_rng(6), 0, []
    for _ in range(200):
        A, free, mu = contacts(rng, 60, 30)
        _, _, residual, _, made, islands = core.solve_friction(A, free, mu, np.zeros(len(free)), inside=True)
        solved += residual <= tolerances.NEWTON
        turns.append(made / islands)
    assert solved >= 195
    assert np.median(turns) <= 25


def test_what_cannot_be_entered_is_left_as_it_was():
    """A contact that nothing moves, and one that an impulse cannot separate: no numbers that are none."""
    A, mu = np.diag([0.0, 0.0, 1.0, 1.0]), np.array([0.5, 0.5])
    A[0, 2] = A[2, 0] = 1e-3
    p, solved, residual, *_ = core.solve_friction(
        A, np.array([-1.0, 0.0, -1.0, 0.2]), mu, np.zeros(4), inside=True
    )
    assert np.isfinite(p).all()
    assert solved == (residual <= tolerances.SWEPT)
    assert core.friction_certificate(A, np.array([-1.0, 0.0, -1.0, 0.2]), mu, p) == pytest.approx(residual)


def test_islands_are_solved_as_if_alone():
    rng = np.random.default_rng(5)
    parts = [contacts(rng, 6, 4) for _ in range(3)]
    A = np.zeros((36, 36))
    for k, (block, _, _) in enumerate(parts):
        A[12 * k : 12 * k + 12, 12 * k : 12 * k + 12] = block
    free, mu = np.concatenate([part[1] for part in parts]), np.concatenate([part[2] for part in parts])
    together = core.solve_friction(A, free, mu, np.zeros(36))
    alone = [core.solve_friction(*part, np.zeros(12)) for part in parts]
    assert together[5] == sum(one[5] for one in alone) >= 3
    assert np.array_equal(together[0], np.concatenate([one[0] for one in alone]))


def test_a_pile_that_stands_is_carried_as_lemke_carries_it():
    M, q = disc_pile(np.random.default_rng(8), 4, 4, 1e-6)
    k = len(q) // 4
    rows = np.concatenate(
        [np.arange(k)[:, None], k + np.arange(k)[:, None]], axis=1
    ).ravel()  # normal, p1 of each
    A, free = M[np.ix_(rows, rows)], q[rows]
    mu = M[3 * k :, :k].diagonal()
    p, solved, residual, *_ = core.solve_friction(A, free, mu, np.zeros(2 * k))
    assert solved
    assert law_errors(A, free, mu, p) <= 10 * max(residual, 1e-13) * np.abs(free).max()


def test_the_certificate_sees_every_kind_of_lie():
    A, free, mu = np.diag([1.0, 2.0]), np.array([-1.0, 0.5]), np.array([0.5])
    right, *_ = core.solve_friction(A, free, mu, np.zeros(2))
    assert core.friction_certificate(A, free, mu, right) <= tolerances.REFINED
    for wrong in ([0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [1.0, 0.25]):
        assert core.friction_certificate(A, free, mu, np.array(wrong)) > 0.1
    assert core.friction_certificate(A, free, mu, np.array([1.0, 0.6])) == np.inf  # outside of the cone
    assert core.friction_certificate(A, free, mu, np.array([-1.0, 0.0])) == np.inf


def test_bad_shapes_are_refused():
    with pytest.raises(ValueError, match="two rows"):
        core.solve_friction(np.eye(4), np.zeros(2), np.zeros(1), np.zeros(2))
    with pytest.raises(ValueError, match="as many entries"):
        core.solve_friction(np.eye(2), np.zeros(2), np.zeros(1), np.zeros(3))
