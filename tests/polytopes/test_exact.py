"""Exact arithmetic: certificates that multiply out to the last digit, and textbook examples."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from random_sets import bounded, objective, rows
from scipy.optimize import linprog

from modecontrol.polytopes.exact.cones import extreme_rays
from modecontrol.polytopes.exact.program import ExactSet, exact_rank, integer_rows
from modecontrol.polytopes.exact.sets import exact_dimension, exact_implicit, exact_minimal, exact_project


def dot(row, x):
    return sum((Fraction(a) * v for a, v in zip(row, x, strict=True)), Fraction(0))


def assert_proved(c, A, b, C, d, answer):
    """Each status must carry its proof, checked without rounding."""
    n = len(c)
    if answer.x is not None:
        assert all(dot(A[i], answer.x) <= b[i] for i in range(len(A)))
        assert all(dot(C[i], answer.x) == d[i] for i in range(len(C)))
    if answer.y is not None:
        assert all(v >= 0 for v in answer.y)
        level = dot(b, answer.y) + dot(d, answer.z)
        mix = [dot(A[:, j], answer.y) + dot(C[:, j], answer.z) for j in range(n)]
        if answer.status == "infeasible":
            assert mix == [0] * n
            assert level < 0
        else:
            assert mix == [Fraction(v) for v in c]
            assert level == answer.value == dot(c, answer.x)
    if answer.status == "unbounded":
        assert all(dot(row, answer.ray) <= 0 for row in A)
        assert all(dot(row, answer.ray) == 0 for row in C)
        assert dot(c, answer.ray) > 0


@settings(deadline=None, max_examples=100)
@given(rows().flatmap(lambda data: objective(data[0].shape[1]).map(lambda c: (c, *data))))
def test_every_answer_is_proved_and_highs_agrees(problem):
    c, A, b, C, d = problem
    answer = ExactSet(A, b, C, d).maximize(c)
    assert_proved(c, A, b, C, d, answer)
    other = linprog(-c, A, b, C, d, bounds=(None, None))
    assert (other.status == 0) == (answer.status == "optimal")  # its presolve confuses the other two
    if other.status == 0:
        assert float(answer.value) == pytest.approx(-other.fun, abs=1e-7)


def test_klee_minty_cube():
    n = 7
    A = np.vstack([np.eye(n), -np.eye(n)]).astype(int)
    for i in range(n):
        A[i, :i] = [2 ** (i - j + 1) for j in range(i)]
    b = [5 ** (i + 1) for i in range(n)] + [0] * n
    answer = ExactSet(A, b).maximize([2 ** (n - 1 - i) for i in range(n)])
    assert answer.value == 5**n


def test_beale_does_not_cycle():
    A = [[0.25, -60, -0.04, 9], [0.5, -90, -0.02, 3], [0, 0, 1, 0], *(-np.eye(4)).tolist()]
    answer = ExactSet(A, [0, 0, 1, 0, 0, 0, 0]).maximize([0.75, -150, 0.02, -6])
    assert answer.status == "optimal"
    assert float(answer.value) == pytest.approx(1 / 20)


def test_fourteen_variables_with_large_integers():
    rng = np.random.default_rng(0)
    A = rng.integers(-(10**6), 10**6, (20, 14)).astype(object)
    x = rng.integers(-1000, 1000, 14).astype(object)
    b, c = A @ x + rng.integers(0, 2, 20).astype(object), A.sum(axis=0)
    answer = ExactSet(A, b).maximize(c)
    assert_proved(c, A, b, np.zeros((0, 14)), [], answer)
    assert answer.status == "optimal"
    assert answer.value >= c @ x


def test_integer_rows_keep_the_direction():
    integers, scales = integer_rows([[0.5, 0.75], [-6.0, 9.0]], [0.25, 3.0])
    assert integers.tolist() == [[2, 3, 1], [-2, 3, 1]]
    assert scales == [4, Fraction(1, 3)]


def test_rank_sees_what_floats_cannot():
    assert exact_rank([[1.0, 1.0], [1.0, 1.0 + 2.0**-52]]) == 2
    assert exact_rank([[1.0, 2.0], [2.0, 4.0]]) == 1
    assert exact_rank(np.zeros((3, 2))) == 0


@settings(deadline=None, max_examples=60)
@given(rows(most=3, most_rows=7))
def test_excess_and_room_are_the_programs_they_stand_for(data):
    A, b, C, d = data
    exact = ExactSet(A, b, C, d)
    assume(not exact.is_empty)
    for i in range(len(A)):
        relaxed = b.copy()
        relaxed[i] += 2
        best = ExactSet(A, relaxed, C, d).maximize(A[i])
        assert exact.excess(i, 2) == best.value - Fraction(b[i])
        least = ExactSet(A, b, C, d).maximize(-A[i])
        assert exact.room(i) == (None if least.status == "unbounded" else Fraction(b[i]) + least.value)


@settings(deadline=None, max_examples=60)
@given(rows(most=3, most_rows=8))
def test_minimal_rows_describe_the_same_set_and_none_can_go(data):
    A, b, C, d = data
    found = exact_minimal(A, b, C, d)
    if found is None:
        assert exact_dimension(A, b, C, d) == -1
        return
    keep, implicit = found
    assert not np.any(keep & implicit)
    assert np.array_equal(implicit, exact_implicit(A, b, C, d))
    hull, level = np.vstack([C, A[implicit]]), np.concatenate([d, b[implicit]])
    small = ExactSet(A[keep], b[keep], hull, level)
    for i in range(len(A)):
        best = small.maximize(A[i])
        assert best.status == "optimal"
        assert best.value <= b[i]
    for i in range(int(keep.sum())):
        others = np.delete(np.flatnonzero(keep), i)
        best = ExactSet(A[others], b[others], hull, level).maximize(A[keep][i])
        assert best.status == "unbounded" or best.value > b[keep][i]


@settings(deadline=None, max_examples=40)
@given(rows(least=2, most=4, most_rows=7))
def test_projection_holds_exactly_the_points_that_lift(data):
    A, b, C, d = data
    n = A.shape[1]
    keep = np.arange(n) < max(1, n - 2)
    projection = exact_project(A, b, C, d, keep)
    assert projection.is_empty == ExactSet(A, b, C, d).is_empty
    if projection.is_empty:
        return
    for point in product([-1, 0, Fraction(1, 2), 2], repeat=int(keep.sum())):
        inside = all(dot(a, point) <= h for a, h in zip(projection.A, projection.b, strict=True)) and all(
            dot(a, point) == h for a, h in zip(projection.C, projection.d, strict=True)
        )
        level, equal = b - A[:, keep] @ np.array(point), d - C[:, keep] @ np.array(point)
        assert inside != ExactSet(A[:, ~keep], level, C[:, ~keep], equal).is_empty


@settings(deadline=None, max_examples=40)
@given(bounded(n=3))
def test_double_description_finds_the_vertices_that_brute_force_finds(P):
    A, b = P.A, P.b
    found = extreme_rays(np.vstack([np.hstack([b[:, None], -A]), np.eye(1, 4)]))
    mine = {tuple(Fraction(v, ray[0]) for v in ray[1:]) for ray in found if ray[0] > 0}
    brute = set()
    for rows_ in combinations(range(len(A)), 3):
        square = A[list(rows_)]
        if exact_rank(square) == 3:
            point = ExactSet(np.zeros((0, 3)), [], square, b[list(rows_)]).point
            if all(dot(A[i], point) <= b[i] for i in range(len(A))):
                brute.add(tuple(point))
    assert mine == brute


def test_cone_with_a_line_has_no_extreme_rays():
    assert extreme_rays([[1, 0, 0], [0, 1, 0]]) is None


def test_limit_on_intermediate_rays_is_respected():
    cube = np.hstack([np.ones((8, 1)), np.vstack([np.eye(4), -np.eye(4)])])
    assert len(extreme_rays(cube)) == 16
    assert extreme_rays(cube, limit=5) is None
