"""Facets by ray shooting, rows that touch and crossings that are confirmed, against one HiGHS program per
row.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from modecontrol._core.layout import OPTIMAL
from scipy.optimize import linprog

from modecontrol._core.polytopes import facets_from_origin, minimal, tight_rows


def nothing(d):
    return np.zeros((0, d)), np.zeros(0)


def excess(A, b, i):
    """How far the other rows let row i be exceeded, by HiGHS; the set has a point, so no answer means for
    ever.
    """
    rest = np.arange(len(b)) != i
    found = linprog(-A[i], A[rest], b[rest], bounds=(None, None))
    return np.inf if found.fun is None else -found.fun - b[i]


@st.composite
def around_the_origin(draw):
    m, d = draw(st.integers(1, 12)), draw(st.integers(1, 4))
    entries = draw(st.lists(st.integers(-3, 3), min_size=m * d, max_size=m * d))
    level = draw(st.lists(st.integers(1, 4), min_size=m, max_size=m))
    return np.array(entries, float).reshape(m, d), np.array(level, float)


@settings(deadline=None, max_examples=80)
@given(around_the_origin())
def test_what_a_shot_proves_is_a_facet(data):
    A, b = data
    inside, marked = facets_from_origin(A, b)
    assert inside
    for i in np.flatnonzero(marked):
        assert excess(A, b, i) > 1e-9


def test_of_equal_rows_and_of_rows_that_only_touch_none_is_proved():
    A = np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1], [1, 0], [1, 1]])
    inside, marked = facets_from_origin(
        A, np.array([1.0, 1, 1, 1, 1, 2])
    )  # the first row twice; the last meets a corner
    assert inside
    assert marked.tolist() == [False, True, True, True, False, False]


@pytest.mark.parametrize(("m", "d"), [(20, 5), (27, 3)])
def test_most_facets_of_round_sets_need_no_program(m, d):
    rng = np.random.default_rng(6)
    proved = total = 0
    for _ in range(20):
        A, b = rng.normal(size=(m, d)), np.ones(m)
        keep = minimal(A, b, *nothing(d)).keep
        _, marked = facets_from_origin(A, b)
        assert not np.any(marked & ~keep)
        proved, total = proved + marked.sum(), total + keep.sum()
    assert proved > 0.8 * total


@pytest.mark.parametrize("offset", [1.0, 0.0, -1.0])
def test_an_origin_outside_or_on_the_border_sees_nothing(offset):
    inside, marked = facets_from_origin(
        np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1]]), np.array([offset, 2.0 - offset, 1, 1])
    )
    assert inside == (offset > 0)
    assert marked.all() == (offset > 0)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**31 - 1))
def test_facets_do_not_depend_on_where_the_origin_is(seed):
    rng = np.random.default_rng(seed)
    d = int(rng.integers(2, 6))
    A, b = rng.normal(size=(4 * d, d)), 1 + rng.random(4 * d)
    here, there = minimal(A, b, *nothing(d)), minimal(A, b + A @ (5 * rng.normal(size=d)), *nothing(d))
    assert here.status == there.status == OPTIMAL
    assert np.array_equal(here.keep, there.keep)
    for i in range(4 * d):
        gap = excess(A, b, i)
        if abs(gap) > 1e-7:
            assert here.keep[i] == (gap > 0)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**31 - 1))
def test_tight_rows_are_those_whose_maximum_is_their_level(seed):
    rng = np.random.default_rng(seed)
    d = int(rng.integers(2, 5))
    A = np.vstack([rng.integers(-3, 4, (6, d)), np.eye(d), -np.eye(d)]).astype(float)
    b = np.concatenate([rng.integers(0, 4, 6), np.full(2 * d, 3)]).astype(float)
    names = np.sort(rng.permutation(d)[:2])
    rows = rng.normal(size=(8, 2))
    rows /= np.abs(rows).max(axis=1, keepdims=True)
    lifted = np.zeros((8, d))
    lifted[:, names] = rows
    most = np.array([-linprog(-c, A, b, bounds=(None, None)).fun for c in lifted])
    away = rng.random(8) < 0.5
    tight, sure = tight_rows(A, b, *nothing(d), rows, most + 0.1 * away, names)
    assert sure
    assert np.array_equal(tight, ~away)
    _, sure = tight_rows(A, b, *nothing(d), rows, most - 0.1, names)  # rows that cut the set are noticed
    assert not sure
