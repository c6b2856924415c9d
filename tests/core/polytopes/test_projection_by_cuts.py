"""Projection by cuts: the same sets as elimination and as exact arithmetic, where elimination cannot follow
too.
"""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from modecontrol._core.layout import INFEASIBLE, OPTIMAL, WORK_LIMIT
from rational_bounds import exact, supremum, with_equalities
from rational_bounds import project as exact_project
from scipy.optimize import linprog

from modecontrol._core.polytopes import minimal, project, project_batch
from modecontrol.polytopes import Polytope


def by_cuts(*arguments):
    return project(*arguments, eliminate=False)


def nothing(d):
    return np.zeros((0, d)), np.zeros(0)


def round_set(seed, m, d):
    """Rows around the origin: many vertices, no structure."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(m, d))
    return A / np.linalg.norm(A, axis=1, keepdims=True), 1 + rng.random(m)


@st.composite
def sets(draw):
    """Few small integers: cones, flat and unbounded sets, sets with lines come by themselves."""
    d, m, p = draw(st.integers(2, 4)), draw(st.integers(0, 7)), draw(st.sampled_from([0, 0, 1]))

    def matrix(shape, low, high):
        size = int(np.prod(shape))
        return np.array(draw(st.lists(st.integers(low, high), min_size=size, max_size=size)), float).reshape(
            shape
        )

    keep = np.array(draw(st.lists(st.booleans(), min_size=d, max_size=d)))
    return matrix((m, d), -2, 2), matrix((m,), -1, 2), matrix((p, d), -2, 2), matrix((p,), -1, 1), keep


def lift(row, keep):
    wide = np.zeros(keep.size)
    wide[keep] = row
    return exact([wide])[0]


@settings(deadline=None, max_examples=80)
@given(sets())
def test_rows_hold_touch_suffice_and_are_few(problem):
    A, b, C, e, keep = problem
    found = by_cuts(*problem)
    assume(found.status != INFEASIBLE)
    assert found.status == OPTIMAL
    rows = with_equalities(A, b, C, e)
    mine = with_equalities(found.A, found.b, found.C, found.e)
    for row, right in zip(found.A, found.b, strict=True):
        assert float(supremum(lift(row, keep), rows)) == pytest.approx(right, abs=1e-12)
    for *row, right in exact_project(rows, np.flatnonzero(~keep)):
        assert float(supremum([row[j] for j in np.flatnonzero(keep)], mine)) <= float(right) + 1e-12
    again = minimal(found.A, found.b, found.C, found.e)
    assert again.keep.all()


@settings(deadline=None, max_examples=80)
@given(sets())
def test_emptiness_and_number_of_rows_as_by_elimination(problem):
    cuts, plain = by_cuts(*problem), project(*problem)
    assert cuts.status == plain.status
    assert cuts.A.shape == plain.A.shape
    assert cuts.C.shape == plain.C.shape


@settings(deadline=None, max_examples=40)
@given(sets())
def test_ancestors_alone_imply_the_row(problem):
    A, b, C, e, keep = problem
    found = by_cuts(*problem)
    m = len(b)
    for row, level, mark in zip(found.A, found.b, found.ancestors, strict=False):
        cause = with_equalities(A[mark[:m]], b[mark[:m]], C[mark[m:]], e[mark[m:]])
        assert float(supremum(lift(row, keep), cause)) <= level + 1e-12


@pytest.mark.parametrize(("m", "d", "k"), [(30, 10, 2), (40, 12, 3), (24, 20, 2)])
def test_many_variables_go_and_a_small_set_stays(m, d, k):
    A, b = round_set(3, m, d)
    A, b = np.vstack([A, np.eye(d), -np.eye(d)]), np.concatenate([b, np.full(2 * d, 3.0)])
    found = project(A, b, *nothing(d), np.arange(d) < k)
    assert found.status == OPTIMAL
    rng = np.random.default_rng(1)
    for direction in rng.normal(size=(40, k)):
        whole = np.append(direction, np.zeros(d - k))
        far = linprog(-whole, A, b, bounds=(None, None)).fun
        near = linprog(-direction, found.A, found.b, bounds=(None, None)).fun
        assert near == pytest.approx(far, rel=1e-8)


def test_what_is_too_much_work_is_given_up_and_said():
    A, b = round_set(2, 40, 12)
    found = project(A, b, *nothing(12), np.arange(12) < 6, work=1e7)
    assert found.status == WORK_LIMIT
    assert found.A.shape == (0, 6)
    with pytest.raises(ArithmeticError, match="too much work"):
        Polytope(A, b).project(range(6))


def test_threads_give_the_same_bits():
    A, b = round_set(5, 12 * 200, 5)
    start, zero = np.arange(201) * 12, np.zeros(201, np.int64)
    keep = np.arange(5) < 3
    one, three = (project_batch(A, b, *nothing(5), keep, start, zero, threads=n) for n in (1, 3))
    for x, y in zip(one, three, strict=True):
        assert np.array_equal(x, y)
