"""Hyperstatic piles of discs: rows between walls that resist like a toggle, ties and small pivots at once."""

from fractions import Fraction
from operator import mul

import numpy as np
import pytest
from contact_problems import assert_complementary, disc_pile
from exact_lemke import exact_lemke
from hypothesis import assume, example, given, settings
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


SMALL, EXACT = 28, 44
"""Rows of the piles that are always, and of the largest ones that are ever, solved in exact rationals."""


def exactly(row):
    return [Fraction(float(x)) for x in row]


def by_lemke(M, q):
    return solve_lcp(M, q, methods=["lemke", "precise"])


@settings(deadline=None, max_examples=60)
@given(seed=SEEDS)
@example(seed=157192)
def test_every_pile_is_solved(seed):
    """Unless rounding of the matrix leaves no answer: then the same method ends in a ray in exact rationals, too."""
    M, q = random_pile(seed)
    solution = by_lemke(M, q)
    if not solution.solved:
        assume(len(q) <= EXACT)
        assert exact_lemke(M, q) is None, solution.status
        return
    assert_complementary(M, q, solution.z, solution.w, tolerance=1e-7)


def test_hardly_any_pile_is_refused():
    """Three of ten thousand are: toggles whose impulses are too large for the last bits of the matrix."""
    refused = sum(not by_lemke(*random_pile(seed)).solved for seed in range(3000))
    assert refused <= 3


def test_answers_in_exact_rationals_are_answers():
    """Rounding of the matrix leaves some piles without: there doubles answer a problem that is all but the same."""
    piles = [random_pile(seed) for seed in range(80)]
    small = [(M, q) for M, q in piles if len(q) <= SMALL]
    answers = [(M, q, exact_lemke(M, q)) for M, q in small]
    found = [(M, q, z) for M, q, z in answers if z is not None]
    assert len(found) >= 5
    for M, q, z in found:
        w = [sum(map(mul, exactly(row), z), Fraction(float(level))) for row, level in zip(M, q, strict=True)]
        assert min(*z, *w) >= 0
        assert not any(map(mul, z, w))


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
