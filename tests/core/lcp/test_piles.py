"""Hyperstatic piles of discs: rows between walls that resist like a toggle, ties and small pivots at once."""

import numpy as np
import pytest
from contact_problems import assert_complementary, disc_pile
from hypothesis import given, settings
from hypothesis import strategies as st

from modecontrol._core import layout
from modecontrol._core import lcp as core
from modecontrol.timestepping import solve_lcp
from modecontrol.timestepping.lcp.branching import branching

SEEDS = st.integers(0, 2**32 - 1)


def random_pile(seed):
    rng = np.random.default_rng(seed)
    across, rows, noise = int(rng.integers(2, 6)), int(rng.integers(1, 5)), 10.0 ** rng.uniform(-12, -3)
    return disc_pile(rng, across, rows, noise)


@settings(deadline=None, max_examples=60)
@given(seed=SEEDS)
def test_every_pile_is_solved(seed):
    M, q = random_pile(seed)
    solution = solve_lcp(M, q, methods=["lemke", "precise"])
    assert solution.solved, solution.status
    assert_complementary(M, q, solution.z, solution.w, tolerance=1e-7)


# Which piles defeat doubles depends on the last bits of the matrix, and those on the machine's own products of matrices;
# so the piles below are the hard ones of one machine, and most of them must be hard on any.
HARD_TO_COVER = [7, 22, 26, 44, 75, 78]
HARD_FOR_DOUBLES = [82, 93, 97, 98, 128, 153, 198, 376]


@pytest.mark.parametrize("seed", HARD_TO_COVER)
def test_wide_ties_solve_hard_piles(seed):
    M, q = random_pile(seed)
    z, _, status, _, _ = core.lemke_path(M, q, wide=True)
    assert status == layout.SOLVED
    assert_complementary(M, q, z, tolerance=1e-7)


def test_wide_ties_solve_what_three_covering_vectors_do_not():
    piles = [random_pile(seed) for seed in HARD_TO_COVER]
    unsolved = [
        all(core.lemke_path(M, q, turn=turn)[2] != layout.SOLVED for turn in range(3)) for M, q in piles
    ]
    assert sum(unsolved) >= len(piles) // 2


@pytest.mark.parametrize("seed", HARD_FOR_DOUBLES)
def test_twice_the_precision_solves_hard_piles(seed):
    M, q = random_pile(seed)
    solution = solve_lcp(M, q, methods=["precise"])
    assert solution.solved
    w = M @ solution.z + q
    scale = np.abs(q).max()  # beside the velocities, not beside the terms of a self-stress
    assert w.min() >= -1e-7 * scale
    assert np.abs(w[solution.z > 0]).max() <= 1e-7 * scale


def test_twice_the_precision_solves_what_doubles_do_not():
    unsolved = [core.lemke(*random_pile(seed))[2] != layout.SOLVED for seed in HARD_FOR_DOUBLES]
    assert sum(unsolved) >= len(unsolved) // 2


def test_pivots_in_twice_the_precision_are_limited():
    M, q = random_pile(82)
    assert core.precise_lemke(M, q, limit=5)[2:4] == (layout.LIMIT, 5)


def test_branching_is_limited_in_nodes():
    M, q = random_pile(82)
    attempt = branching(M, q, most=20)
    assert attempt.z is None
    assert attempt.pivots <= 20
    assert not attempt.impossible
