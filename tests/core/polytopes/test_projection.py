"""Projections against exact arithmetic: the same projection, no row too many, ancestors that suffice."""

from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from modecontrol._core.layout import INFEASIBLE, OPTIMAL
from random_sets import matrix
from rational_bounds import exact, supremum, with_equalities
from rational_bounds import project as exact_project

from modecontrol._core.polytopes import minimal, project, project_batch


@st.composite
def projections(draw):
    d, m, p = draw(st.integers(2, 3)), draw(st.integers(0, 6)), draw(st.sampled_from([0, 0, 1]))
    keep = np.array(draw(st.lists(st.booleans(), min_size=d, max_size=d)))
    keep[draw(st.integers(0, d - 1))] = False
    return (
        matrix(draw, (m, d)),
        matrix(draw, (m,), -1, 2),
        matrix(draw, (p, d)),
        matrix(draw, (p,), -1, 1),
        keep,
    )


def lift(row, keep):
    """A row in the kept variables as a row in all of them."""
    wide = np.zeros(keep.size)
    wide[keep] = row
    return exact([wide])[0]


@settings(deadline=None, max_examples=60)
@given(projections())
def test_shadow_is_the_exact_one(problem):
    A, b, C, e, keep = problem
    found = project(A, b, C, e, keep)
    rows = with_equalities(A, b, C, e)
    if supremum(lift(np.zeros(keep.sum()), keep), rows) == -inf:
        assert found.status == INFEASIBLE
        assert found.A.shape == (0, keep.sum())
        return
    assert found.status == OPTIMAL
    for row, right in zip(found.A, exact([found.b])[0], strict=True):  # nothing outside it, nothing loose
        assert supremum(lift(row, keep), rows) == right
    for row, right in zip(found.C, exact([found.e])[0], strict=True):
        assert supremum(lift(row, keep), rows) == right == -supremum(lift(-row, keep), rows)
    mine = with_equalities(found.A, found.b, found.C, found.e)
    for *row, right in exact_project(rows, np.flatnonzero(~keep)):  # nothing missing
        assert supremum([row[j] for j in np.flatnonzero(keep)], mine) <= right
    again = minimal(found.A, found.b, found.C, found.e)  # nothing superfluous
    assert again.keep.all()
    assert np.linalg.matrix_rank(found.C) == len(found.C)


@settings(deadline=None, max_examples=60)
@given(projections())
def test_ancestors_alone_imply_the_row(problem):
    A, b, C, e, keep = problem
    found = project(A, b, C, e, keep)
    m = len(b)
    rows, right = np.vstack([found.A, found.C]), exact([np.concatenate([found.b, found.e])])[0]
    assert found.ancestors.shape == (len(rows), m + len(e))
    for row, level, mark in zip(rows, right, found.ancestors, strict=True):
        cause = with_equalities(A[mark[:m]], b[mark[:m]], C[mark[m:]], e[mark[m:]])
        assert supremum(lift(row, keep), cause) <= level


def test_a_hidden_equality_has_both_its_sides_for_ancestors():
    """`x <= y` with `y = 0` hidden in two rows: that `x <= 0` is due to `y <= 0`, not to `-y <= 0`."""
    A = np.array([[0.0, -1], [1, -1], [0, 1]])
    found = project(A, np.zeros(3), np.zeros((0, 2)), np.zeros(0), np.array([True, False]))
    assert found.A.tolist() == [[1.0]]
    assert found.ancestors[0, 1:].all()


def test_cyclic_polytope_through_many_eliminations():
    """The dual of a cyclic polytope has the most facets there can be; its projections agree with those of a
    second order.
    """
    t = np.linspace(-1, 1, 11)
    A = np.vander(t, 6, increasing=True)[:, 1:]
    A = A - A.mean(axis=0)
    keep = np.array([True, True, False, False, False])
    found = project(A, np.ones(11), np.zeros((0, 5)), np.zeros(0), keep)
    steps = project(A, np.ones(11), np.zeros((0, 5)), np.zeros(0), np.array([True, True, True, True, False]))
    steps = project(steps.A, steps.b, np.zeros((0, 4)), np.zeros(0), np.array([True, True, True, False]))
    steps = project(steps.A, steps.b, np.zeros((0, 3)), np.zeros(0), np.array([True, True, False]))
    assert found.status == steps.status == OPTIMAL

    def ordered(projection):
        rows = np.column_stack([projection.A, projection.b]) / np.linalg.norm(projection.A, axis=1)[:, None]
        return rows[np.argsort(np.arctan2(rows[:, 1], rows[:, 0]))]

    assert np.allclose(ordered(found), ordered(steps), atol=1e-7)


def test_units_and_order_of_rows_do_not_matter():
    rng = np.random.default_rng(8)
    for _ in range(40):
        A, b = rng.integers(-3, 4, (10, 4)).astype(float), rng.integers(0, 4, 10).astype(float)
        keep = np.array([True, False, True, False])
        order, rows, columns = (
            rng.permutation(10),
            10.0 ** rng.uniform(-6, 6, 10),
            10.0 ** rng.integers(-3, 4, 4),
        )
        plain = project(A, b, np.zeros((0, 4)), np.zeros(0), keep)
        other = project(
            np.ascontiguousarray((A * rows[:, None] * columns)[order]),
            (b * rows)[order],
            np.zeros((0, 4)),
            np.zeros(0),
            keep,
        )
        assert plain.status == other.status
        assert plain.A.shape == other.A.shape
        assert plain.C.shape == other.C.shape
        size = np.abs(other.A / columns[keep]).max(axis=1, initial=0)[:, None]
        back = np.column_stack([other.A / columns[keep], other.b]) / size
        if len(plain.C) == 0:  # on a flat set one facet can be written in several ways
            front = np.column_stack([plain.A, plain.b])
            assert all(np.abs(back - row).max(axis=1).min() < 1e-7 for row in front)


@pytest.mark.parametrize("seed", [31, 41, 113, 168, 190, 226])
def test_units_do_not_decide_which_of_many_rows_touch_only_in_an_edge(seed):
    rng = np.random.default_rng(seed)  # unbounded: slopes of rounding size lead for ever
    A, b = rng.normal(size=(17, 6)), rng.random(17) + 0.2
    columns, rows = 10.0 ** rng.integers(-3, 4, 6), 10.0 ** rng.integers(-4, 5, 17)
    keep = np.arange(6) < 3
    plain = project(A, b, np.zeros((0, 6)), np.zeros(0), keep)
    other = project(A * rows[:, None] * columns, b * rows, np.zeros((0, 6)), np.zeros(0), keep)
    assert plain.status == other.status == OPTIMAL
    assert plain.A.shape == other.A.shape
    back = other.A / columns[:3]
    back = np.column_stack([back, other.b]) / np.abs(back).max(axis=1, keepdims=True)
    assert all(np.abs(back - row).max(axis=1).min() < 1e-7 for row in np.column_stack([plain.A, plain.b]))


def test_keeping_everything_is_the_minimal_form_and_keeping_nothing_asks_for_emptiness():
    A, b = np.vstack([np.eye(2), -np.eye(2), np.ones((1, 2))]), np.array([1.0, 1, 1, 1, 5])
    none = np.zeros((0, 2)), np.zeros(0)
    assert project(A, b, *none, np.array([True, True])).A.shape == (4, 2)
    found = project(A, b, *none, np.array([False, False]))
    assert (found.status, found.A.shape, found.C.shape) == (OPTIMAL, (0, 0), (0, 0))
    assert project(A, np.array([1.0, 1, -2, 1, 5]), *none, np.array([False, False])).status == INFEASIBLE


def test_batch_gives_what_single_calls_give():
    rng = np.random.default_rng(6)
    sizes, equalities = np.array([6, 0, 9, 3, 12]), np.array([1, 0, 0, 2, 0])
    A, C = rng.integers(-2, 3, (sizes.sum(), 4)).astype(float), rng.integers(-2, 3, (3, 4)).astype(float)
    b, e = rng.integers(-1, 3, sizes.sum()).astype(float), rng.integers(-1, 2, 3).astype(float)
    start, first = np.append(0, sizes.cumsum()), np.append(0, equalities.cumsum())
    keep = np.array([True, False, False, True])
    batch = project_batch(A, b, C, e, keep, start, first)
    for k in range(sizes.size):
        rows, lines = slice(start[k], start[k + 1]), slice(first[k], first[k + 1])
        single = project(A[rows], b[rows], C[lines], e[lines], keep)
        mine, equal = slice(*batch.row_start[k : k + 2]), slice(*batch.equality_start[k : k + 2])
        assert batch.status[k] == single.status
        assert np.array_equal(batch.A[mine], single.A)
        assert np.array_equal(batch.b[mine], single.b)
        assert np.array_equal(batch.C[equal], single.C)
        assert np.array_equal(batch.e[equal], single.e)
        own = np.vstack([batch.ancestors[mine], batch.equality_ancestors[equal]])
        assert np.array_equal(own[:, : single.ancestors.shape[1]], single.ancestors)
        assert not own[:, single.ancestors.shape[1] :].any()
