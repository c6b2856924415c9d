"""Vertices and rays: right, complete, and independent of cdd being right."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from random_sets import bounded, rows

from modecontrol.errors import UncheckedError
from modecontrol.polytopes import Polytope, hulls, vertices
from modecontrol.polytopes.exact.cones import extreme_rays
from modecontrol.polytopes.generators_check import are_generators


@settings(deadline=None, max_examples=60)
@given(bounded())
def test_vertices_of_bounded_sets_are_those_of_exact_double_description(P):
    found = extreme_rays(np.vstack([np.hstack([P.b[:, None], -P.A]), np.eye(1, P.n + 1)]))
    exact = sorted(tuple(float(Fraction(v, ray[0])) for v in ray[1:]) for ray in found if ray[0] > 0)
    assert len(P.vertices) == len(exact)
    assert P.vertices == pytest.approx(np.array(exact).reshape(-1, P.n), abs=1e-9)


@settings(deadline=None, max_examples=60)
@given(rows(most=4, most_rows=8))
def test_hull_of_the_generators_is_the_set(data):
    P = Polytope(*data)
    assume(not P.is_empty)
    assert Polytope.from_vertices(P.vertices, P.rays, P.lines) == P
    assert hulls._by_exact_cone(P.vertices, P.rays, P.lines) == P


def test_square_cut_twice_by_nearly_parallel_rows_has_no_ray():
    for gap in (1e-6, 1e-7, 1e-8):
        A = np.vstack([np.eye(2), -np.eye(2), [[1, 1], [1, 1 + gap]]])
        P = Polytope(A, [2.0, 2, 2, 2, 1, 1])
        assert P.is_bounded
        assert len(P.rays) == 0
        assert P.volume == pytest.approx(11.5, abs=1e-5)


def without_one(A, b):
    V, R = vertices._by_exact_cone(A, b)
    return V[1:], R


def with_a_ray(A, b):
    V, R = vertices._by_exact_cone(A, b)
    return V, np.vstack([R, np.ones((1, V.shape[1]))])


def moved(A, b):
    V, R = vertices._by_exact_cone(A, b)
    return V + 1e-4, R


def midpoint(A, b):
    V, R = vertices._by_exact_cone(A, b)
    return np.vstack([V, V[:2].mean(axis=0)]), R


@pytest.mark.parametrize("wrong", [without_one, with_a_ray, moved, midpoint, lambda A, b: None])
def test_wrong_answers_of_cdd_are_replaced(monkeypatch, wrong):
    monkeypatch.setattr(vertices, "_by_cdd", wrong)
    cube = Polytope.box([0] * 3, [1] * 3)
    assert len(cube.vertices) == 8
    assert len(cube.rays) == 0
    cone = Polytope([[1.0, 0, -1], [-1, 0, -1], [0, 1, -1], [0, -1, -1], [0, 0, -1]], [0, 0, 0, 0, -1])
    assert (len(cone.vertices), len(cone.rays)) == (4, 4)


def test_no_right_answer_is_an_error(monkeypatch):
    monkeypatch.setattr(vertices, "_by_cdd", moved)
    monkeypatch.setattr(vertices, "_by_exact_cone", lambda A, b: None)
    monkeypatch.setattr(vertices, "_by_cdd", lambda A, b: (np.zeros((1, 2)), np.zeros((0, 2))))
    with pytest.raises(UncheckedError, match="neither cdd") as caught:
        _ = Polytope.box([0, 0], [1, 1]).vertices
    assert set(caught.value.data) == {"A", "b", "C", "d"}


def test_check_knows_each_way_of_being_wrong():
    square = Polytope.box([-1, -1], [1, 1])
    corners = np.array([[-1.0, -1], [-1, 1], [1, -1], [1, 1]])
    none = np.zeros((0, 2))
    assert are_generators(square.A, square.b, corners, none)
    assert not are_generators(square.A, square.b, corners[:3], none)
    assert not are_generators(square.A, square.b, corners * 1.01, none)
    assert not are_generators(square.A, square.b, np.vstack([corners, [[0, 1]]]), none)
    assert not are_generators(square.A, square.b, none, none)


def test_five_vertices_of_a_pyramid_with_a_degenerate_top():
    A = [[1.0, 0, 1], [-1, 0, 1], [0, 1, 1], [0, -1, 1], [0, 0, -1]]
    P = Polytope(A, [1, 1, 1, 1, 0])
    assert [0, 0, 1] in P.vertices.tolist()
    assert len(P.vertices) == 5


def test_pointed_part_of_a_set_with_lines_is_square_to_them():
    strip = Polytope([[1.0, 1], [-1, -1]], [2, 0])
    assert strip.vertices == pytest.approx(np.array([[0.0, 0], [1, 1]]))
    assert np.abs(strip.lines @ [1, 1]).max() < 1e-12


class TestHulls:
    def test_points_inside_do_not_matter(self):
        rng = np.random.default_rng(0)
        corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
        inside = rng.dirichlet(np.ones(4), 20) @ corners
        P = Polytope.from_vertices(np.vstack([corners, inside, corners]))
        assert len(P.b) == 4
        assert P.volume == pytest.approx(1 / 6)

    def test_flat_hull(self):
        P = Polytope.from_vertices([[0, 0, 1], [1, 0, 1], [0, 1, 1.0]])
        assert P.dimension == 2
        assert P.volume == pytest.approx(0.5)

    def test_single_point_and_none(self):
        assert Polytope.from_vertices([[3.0, 4.0]]) == Polytope.box([3, 4], [3, 4])
        assert Polytope.from_vertices(np.zeros((0, 2))).is_empty

    def test_rays_and_lines(self):
        assert Polytope.from_vertices([[0, 0]], rays=[[1, 0], [0, 1]]) == Polytope(-np.eye(2), [0, 0])
        assert Polytope.from_vertices([[0, 0]], rays=[[1, 0], [-1, 0]]) == Polytope([], [], [[0.0, 1]], [0])
        assert Polytope.from_vertices([[0, 5.0]], lines=np.eye(2)) == Polytope.whole(2)

    def test_exact_arithmetic_is_asked_when_cdd_is_wrong(self, monkeypatch):
        monkeypatch.setattr(
            "modecontrol.polytopes.hulls.inequalities_by_cdd",
            lambda *g: (np.eye(2), np.ones(2), np.zeros((0, 2)), np.zeros(0)),
        )
        assert Polytope.from_vertices([[0, 0], [1, 0], [0, 1], [1, 1]]) == Polytope.box([0, 0], [1, 1])

    def test_no_method_left(self, monkeypatch):
        monkeypatch.setattr("modecontrol.polytopes.hulls._by_cdd", lambda *g: None)
        monkeypatch.setattr("modecontrol.polytopes.hulls._by_exact_cone", lambda *g: Polytope.whole(2))
        with pytest.raises(UncheckedError, match="hull"):
            Polytope.from_vertices([[0, 0], [1, 0], [0, 1]])

    def test_mixed_units(self):
        points = np.array([[0.0, 0], [1e6, 0], [0, 1e-6]])
        P = Polytope.from_vertices(points)
        assert P.volume == pytest.approx(0.5)
        assert len(P.b) == 3


def test_vertices_that_differ_in_one_small_coordinate_stay_apart():
    """Unbounded, magnitudes from 1e-5 to 1e9: every vertex by rational arithmetic over all choices of five
    rows.
    """
    A = np.array(
        [
            [-3 / 2048, 0, -3 / 1024, 0, 0],
            [0, 1, -1 / 128, 2048, 0],
            [-3 / 128, -2, 1 / 32, -12288, 0],
            [1536, -131072, -3072, 805306368, -131072],
            [-(2.0**-16), -3 / 1024, 2.0**-15, -12, -3 / 1024],
            [1 / 512, 0, 3 / 512, 1024, 3 / 8],
            [-(2.0**-17), -1 / 1024, 2.0**-17, 0, 0],
            [0, -65536, 0, -536870912, -196608],
        ]
    )
    b = np.array([-5.5, 8, -8, -2621440, 0, 14, 1 / 128, 0])
    expected = set()
    for chosen in combinations(range(8), 5):
        corner = exact_solution([[Fraction(x) for x in A[i]] + [Fraction(b[i])] for i in chosen])
        if corner is not None and all(
            sum(Fraction(a) * x for a, x in zip(row, corner, strict=True)) <= Fraction(h)
            for row, h in zip(A, b, strict=True)
        ):
            expected.add(tuple(map(float, corner)))
    found = Polytope(A, b).vertices
    assert len(found) == len(expected) == 15
    scale = np.abs(found).max(axis=0)
    for corner in expected:
        assert np.abs((found - corner) / scale).max(axis=1).min() < 1e-9


def exact_solution(rows):
    """Gauss-Jordan elimination in fractions of `[A | b]`; None when singular."""
    n = len(rows)
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k] != 0), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(n):
            if i != k and rows[i][k] != 0:
                rows[i] = [x - rows[i][k] * y for x, y in zip(rows[i], rows[k], strict=True)]
    return [row[n] for row in rows]
