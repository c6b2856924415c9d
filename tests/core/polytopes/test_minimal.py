"""Minimal forms against exact arithmetic: facets, hidden equalities, proofs of emptiness."""

from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from modecontrol._core.layout import INFEASIBLE, OPTIMAL
from random_sets import matrix
from rational_bounds import exact, supremum, with_equalities

from modecontrol._core.polytopes import feasible_point, minimal, minimal_batch


@st.composite
def sets(draw):
    """Few small integers: empty and flat sets, cones, repeated and zero rows come by themselves."""
    d, m, p = draw(st.integers(1, 3)), draw(st.integers(0, 6)), draw(st.sampled_from([0, 0, 0, 1]))
    return matrix(draw, (m, d)), matrix(draw, (m,), -1, 2), matrix(draw, (p, d)), matrix(draw, (p,), -1, 1)


@settings(deadline=None, max_examples=80)
@given(sets())
def test_minimal_form_is_minimal_and_the_same_set_exactly(rows):
    A, b, C, e = rows
    found = minimal(A, b, C, e)
    all_rows = with_equalities(A, b, C, e)
    zero = exact([np.zeros(A.shape[1])])[0]
    if supremum(zero, all_rows) == -inf:
        assert found.status == INFEASIBLE
        y, z = exact([found.y])[0], exact([found.z])[0]
        columns = exact(np.vstack([A, C]).T)
        assert all(v >= 0 for v in y)
        assert all(sum(a * v for a, v in zip(column, y + z, strict=True)) == 0 for column in columns)
        assert sum(v * w for v, w in zip(exact([np.concatenate([b, e])])[0], y + z, strict=True)) < 0
        return
    assert found.status == OPTIMAL
    for i, row in enumerate(exact(A)):  # equalities: no point lies off the row
        least = -supremum([-v for v in row], all_rows)
        hidden = least == exact([[b[i]]])[0][0]
        assert found.implicit[i] == (hidden and A[i].any())
    equal = np.vstack([C, A[found.implicit]]), np.concatenate([e, b[found.implicit]])
    kept = with_equalities(A[found.keep], b[found.keep], *equal)
    for i in np.flatnonzero(~found.keep):  # the others follow from what is kept
        assert supremum(exact(A)[i], kept) <= exact([[b[i]]])[0][0]
    for i in np.flatnonzero(found.keep):  # and no kept row from the other kept rows
        rest = found.keep.copy()
        rest[i] = False
        assert supremum(exact(A)[i], with_equalities(A[rest], b[rest], *equal)) > exact([[b[i]]])[0][0]


@settings(deadline=None, max_examples=60)
@given(sets())
def test_feasible_point_is_one(rows):
    A, b, C, e = rows
    status, x, y, z = feasible_point(A, b, C, e)
    if status == OPTIMAL:
        assert np.all(A @ x <= b + 1e-9)
        assert np.allclose(C @ x, e, atol=1e-9)
    else:
        assert status == INFEASIBLE
        assert np.allclose(A.T @ y + C.T @ z, 0, atol=1e-12)
        assert b @ y + e @ z < 0


def test_of_parallel_rows_the_tightest_stays_and_of_equal_ones_the_first():
    A = np.array([[1.0, 0], [3, 0], [0, 2], [0, 1], [-1, 0], [0, -1], [0, -7]])
    b = np.array([1.0, 3, 4, 1, 1, 1, 7])
    found = minimal(A, b, np.zeros((0, 2)), np.zeros(0))
    assert found.keep.tolist() == [True, False, False, True, True, True, False]


def test_tighter_by_less_than_the_tolerance_still_wins():
    A = np.array([[1.0], [1.0], [-1.0]])
    for b in ([1.0, 1 - 1e-10, 1.0], [1 - 1e-10, 1.0, 1.0]):
        found = minimal(A, np.array(b), np.zeros((0, 1)), np.zeros(0))
        assert found.keep.tolist() == [b[0] < b[1], b[1] < b[0], True]


def test_point_written_with_inequalities_alone():
    A = np.vstack([np.eye(3), -np.eye(3), np.ones((1, 3))])
    b = np.array([1.0, 2, 3, -1, -2, -3, 6])
    found = minimal(A, b, np.zeros((0, 3)), np.zeros(0))
    assert found.implicit.all()
    assert not found.keep.any()


def test_redundancy_is_judged_on_the_affine_hull():
    """On `x = y` the rows `x <= 1` and `y <= 1` say the same."""
    A = np.array([[1.0, 0], [0, 1], [-1, 0]])
    found = minimal(A, np.ones(3), np.array([[1.0, -1]]), np.zeros(1))
    assert found.keep.tolist() == [True, False, True]


def test_units_and_order_leave_the_facets_of_cones_alone():
    """At the apex every row is active, and rounding in its slack must not look like room."""
    rng = np.random.default_rng(2)
    for _ in range(300):
        m, d = rng.integers(3, 14), rng.integers(2, 6)
        A, none = rng.integers(-3, 4, (m, d)).astype(float), (np.zeros((0, d)), np.zeros(0))
        order, rows, columns = (
            rng.permutation(m),
            10.0 ** rng.uniform(-6, 6, m),
            10.0 ** rng.integers(-3, 4, d),
        )
        plain = minimal(A, np.zeros(m), *none)
        other = minimal(np.ascontiguousarray((A * rows[:, None] * columns)[order]), np.zeros(m), *none)
        assert plain.status == other.status == OPTIMAL
        assert np.array_equal(plain.implicit[order], other.implicit)
        assert plain.keep.sum() == other.keep.sum()


def test_nothing_at_all():
    found = minimal(np.zeros((0, 2)), np.zeros(0), np.zeros((0, 2)), np.zeros(0))
    assert found.status == OPTIMAL
    assert found.keep.shape == (0,)
    found = minimal(np.zeros((2, 0)), np.array([1.0, 0]), np.zeros((0, 0)), np.zeros(0))
    assert found.status == OPTIMAL
    assert not (found.keep | found.implicit).any()


@pytest.mark.parametrize("b", [[0.0, -1e-6, 1], [0, -1, 1e6]])
def test_a_gap_that_is_small_beside_another_row_is_still_a_gap(b):
    A = np.array([[1.0, 0], [-1, 0], [0, 1]])
    assert minimal(A, np.array(b), np.zeros((0, 2)), np.zeros(0)).status == INFEASIBLE


def test_batch_gives_what_single_calls_give():
    rng = np.random.default_rng(5)
    sizes, equalities = np.array([0, 5, 9, 3, 12, 7]), np.array([1, 0, 1, 2, 0, 0])
    A, C = rng.integers(-2, 3, (sizes.sum(), 3)).astype(float), rng.integers(-2, 3, (4, 3)).astype(float)
    b, e = rng.integers(-1, 3, sizes.sum()).astype(float), rng.integers(-1, 2, 4).astype(float)
    start, first = np.append(0, sizes.cumsum()), np.append(0, equalities.cumsum())
    batch = minimal_batch(A, b, C, e, start, first)
    assert {OPTIMAL, INFEASIBLE} == set(batch.status.tolist())
    for k in range(sizes.size):
        rows, lines = slice(start[k], start[k + 1]), slice(first[k], first[k + 1])
        single = minimal(A[rows], b[rows], C[lines], e[lines])
        assert batch.status[k] == single.status
        assert np.array_equal(batch.keep[rows], single.keep)
        assert np.array_equal(batch.implicit[rows], single.implicit)
        assert np.array_equal(batch.y[rows], single.y, equal_nan=True)
        assert np.array_equal(batch.z[lines], single.z, equal_nan=True)
