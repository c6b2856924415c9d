"""Resistance to rolling in the sparse friction problem: its law written out again, all answers of small ones, its certificate."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rolling_by_hand import answers

from modecontrol import tolerances
from modecontrol._core import lcp as core

SEEDS = st.integers(0, 2**32 - 1)


def rolling_contacts(rng, m, bodies):
    """`A, free, mu, host` of discs that touch; behind the contacts a resistance to rolling for most of them."""
    rows, mu, host = [], [], []
    pairs = [rng.choice(bodies + 1, size=2, replace=False) for _ in range(m)]
    for one, two in pairs:
        angle = rng.uniform(0, 2 * np.pi)
        n, t = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        normal, tangent = np.zeros(3 * bodies), np.zeros(3 * bodies)
        for body, sign in ((one, 1.0), (two, -1.0)):
            if body < bodies:
                normal[3 * body : 3 * body + 2], tangent[3 * body : 3 * body + 2] = sign * n, sign * t
                tangent[3 * body + 2] = 0.1
        rows += [normal, tangent]
        mu.append(rng.uniform(0.0, 0.8) * (rng.random() > 0.2))
        host.append(-1)
    for i, (one, two) in enumerate(pairs):
        if rng.random() < 0.2:
            continue
        turning = np.zeros(3 * bodies)
        for body, sign in ((one, 1.0), (two, -1.0)):
            if body < bodies:
                turning[3 * body + 2] = sign
        rows += [np.zeros(3 * bodies), turning]
        mu.append(rng.uniform(0.001, 0.05))
        host.append(i)
    J = np.array(rows)
    mass = np.tile([1.0, 1.0, 0.005], bodies) * np.repeat(rng.uniform(0.5, 2.0, bodies), 3)
    v = rng.normal(size=3 * bodies) * np.tile([1.0, 1.0, 5.0], bodies)
    return (J / mass) @ J.T, J @ v, np.array(mu), np.array(host)


def law_errors(A, free, mu, host, p):
    """How far Coulomb's law, and that of rolling, are from holding, in velocities."""
    u, worst = free + A @ p, 0.0
    for i, of in enumerate(host):
        normal = p[2 * (of if of >= 0 else i)]
        if of < 0:
            worst = max(worst, -u[2 * i], min(abs(u[2 * i]), normal * A[2 * i, 2 * i]))
        else:
            assert p[2 * i] == normal
        turn, force, yields = u[2 * i + 1], p[2 * i + 1], A[2 * i + 1, 2 * i + 1]
        assert normal >= 0.0
        assert abs(force) <= mu[i] * normal * (1 + 1e-15)
        worst = max(worst, min(abs(turn), yields * (mu[i] * normal - abs(force))))
        worst = max(worst, min(abs(turn), abs(force) * yields) if turn * force > 0 else 0.0)
    return worst


@settings(deadline=None, max_examples=100)
@given(seed=SEEDS, inside=st.booleans())
def test_answers_obey_both_laws(seed, inside):
    rng = np.random.default_rng(seed)
    A, free, mu, host = rolling_contacts(rng, int(rng.integers(1, 25)), int(rng.integers(2, 15)))
    p, solved, residual, *_ = core.solve_friction(A, free, mu, np.zeros(len(free)), host, inside=inside)
    if solved:
        assert residual <= tolerances.SWEPT
        assert law_errors(A, free, mu, host, p) <= 2 * max(residual, 1e-13) * np.abs(free).max()
    assert core.friction_certificate(A, free, mu, p, host) == pytest.approx(residual, rel=1e-3, abs=1e-15)


def test_most_are_solved_and_warm_ones_at_once():
    rng, solved = np.random.default_rng(5), 0
    for _ in range(60):
        A, free, mu, host = rolling_contacts(rng, 12, 9)
        p, good, *_ = core.solve_friction(A, free, mu, np.zeros(len(free)), host)
        solved += good
        if good:
            again, still, *_ = core.solve_friction(A, free, mu, p, host)
            assert still
            assert np.abs(again - p).max() <= 1e-6 * np.abs(p).max(initial=1.0)
    assert solved >= 58


@pytest.mark.parametrize("seed", range(25))
def test_small_ones_have_the_answer_among_all_that_there_are(seed):
    rng = np.random.default_rng(seed)
    A, free, mu, host = rolling_contacts(rng, 2, 2)
    p, solved, *_ = core.solve_friction(A, free, mu, np.zeros(len(free)), host)
    found = answers(A, free, mu, host.tolist())
    assert solved
    assert min(np.abs(A @ (p - other)).max() for other in found) <= 1e-7


def test_the_certificate_sees_a_moment_that_is_missing_and_one_that_is_too_large():
    A, free = np.diag([1.0, 4.0, 0.0, 200.0]), np.array([-1.0, 0.0, 0.0, 3.0])
    mu, host = np.array([0.5, 0.01]), np.array([-1, 0])
    p, solved, residual, *_ = core.solve_friction(A, free, mu, np.zeros(4), host)
    assert solved
    assert p == pytest.approx([1.0, 0.0, 1.0, -0.01])
    assert residual < 1e-12
    assert core.friction_certificate(A, free, mu, np.array([1.0, 0.0, 1.0, 0.0]), host) == pytest.approx(
        2.0 / 3.0
    )
    assert core.friction_certificate(A, free, mu, np.array([1.0, 0.0, 1.0, -0.02]), host) == np.inf


@pytest.mark.parametrize("host", [[0, -1], [-1, 5], [-1, 1], [-1, -2], [-1]])
def test_a_host_comes_before_and_follows_none(host):
    with pytest.raises(ValueError, match="a host comes before its follower"):
        core.solve_friction(np.eye(4), np.ones(4), np.ones(2), np.zeros(4), np.array(host))


def test_most_are_solved_from_inside_the_cones():
    rng, solved = np.random.default_rng(3), 0
    for _ in range(100):
        A, free, mu, host = rolling_contacts(rng, 20, 12)
        _, _, residual, *_ = core.solve_friction(A, free, mu, np.zeros(len(free)), host, inside=True)
        solved += residual <= tolerances.NEWTON
    assert solved >= 95
