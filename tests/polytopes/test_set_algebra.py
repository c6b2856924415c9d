"""Differences, unions, measures: identities that must hold whatever the sets are."""

from math import comb, factorial

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_sets import bounded

from modecontrol.polytopes import Polytope, Region
from modecontrol.polytopes.difference import difference
from modecontrol.polytopes.merging import convex_union

PAIRS = st.integers(1, 3).flatmap(lambda n: st.tuples(bounded(n=n), bounded(n=n)))


def measure(region, dimension):
    """Volume of the pieces of the given dimension."""
    return sum(p.volume for p in region if p.dimension == dimension)


@settings(deadline=None, max_examples=80)
@given(PAIRS)
def test_volume_of_difference_and_intersection_add_up(pair):
    P, Q = pair
    both, left = P & Q, P - Q
    k = P.dimension
    shared = both.volume if both.dimension == k else 0.0
    assert P.volume == pytest.approx(measure(left, k) + shared, abs=1e-9)


@settings(deadline=None, max_examples=60)
@given(PAIRS)
def test_pieces_of_a_difference_are_disjoint_and_outside(pair):
    P, Q = pair
    pieces = difference(P, Q)
    for i, piece in enumerate(pieces):
        assert piece <= P
        assert piece.dimension == P.dimension
        assert (piece & Q).dimension < P.dimension
        for other in pieces[:i]:
            assert (piece & other).dimension < P.dimension


@settings(deadline=None, max_examples=40)
@given(PAIRS, st.integers(0, 2**31))
def test_membership_of_a_difference(pair, seed):
    P, Q = pair
    points = np.random.default_rng(seed).uniform(-2, 2, (50, P.n))
    clear = np.all(np.abs(points @ np.vstack([P.A, Q.A]).T - np.concatenate([P.b, Q.b])) > 1e-6, axis=1)
    points = points[clear]
    assume(P.dimension == P.n)
    assert np.array_equal((P - Q).contains(points), P.contains(points) & ~Q.contains(points))


@settings(deadline=None, max_examples=30)
@given(PAIRS)
def test_volume_of_a_union_counts_overlaps_once(pair):
    P, Q = pair
    both = P & Q
    assume(P.dimension == Q.dimension == P.n)
    shared = both.volume if both.dimension == P.n else 0.0
    union = Region([P, Q])
    assert union.volume == pytest.approx(P.volume + Q.volume - shared, abs=1e-9)
    assert union.disjoint().volume == pytest.approx(union.volume)


@settings(deadline=None, max_examples=30)
@given(PAIRS)
def test_merge_keeps_the_points(pair):
    P, Q = pair
    region = Region([*(P - Q), P & Q])
    merged = region.merge()
    assert merged == region
    assert len(merged) <= len(region)
    if P.dimension == P.n and not (P & Q).dimension < P.n:
        assert merged == Region([P])


def test_merge_puts_a_cut_cake_together():
    cake = Polytope.box([0, 0], [3, 3])
    hole = Polytope.box([1, 1], [2, 2])
    ring = cake - hole
    assert len(ring) == 4
    assert ring.volume == pytest.approx(8)
    assert len(Region([*ring, hole]).merge()) == 1
    assert len(ring.merge()) == 4


def test_convex_union_only_where_convex():
    left, right = Polytope.box([0, 0], [1, 1]), Polytope.box([1, 0], [2, 1])
    assert convex_union(left, right) == Polytope.box([0, 0], [2, 1])
    assert convex_union(left, Polytope.box([1, 0], [2, 2])) is None
    assert convex_union(left, Polytope.box([1.5, 0], [2, 1])) is None
    assert convex_union(left, Polytope.box([0.2, 0.2], [0.3, 0.3])) is left
    segment = Polytope.box([1, 0.5], [2, 0.5])
    assert convex_union(left, segment) is None
    assert convex_union(segment, Polytope.box([2, 0.5], [3, 0.5])) == Polytope.box([1, 0.5], [3, 0.5])
    assert convex_union(segment, Polytope.box([1, 0.6], [2, 0.6])) is None


def test_shared_facet_is_no_overlap():
    left, right = Polytope.box([0, 0], [1, 1]), Polytope.box([1, 0], [2, 1])
    assert difference(left, right) == [left]
    assert (left - right).pieces[0] is left


def test_lower_dimensional_set_takes_nothing_away():
    square, line = Polytope.box([0, 0], [1, 1]), Polytope([], [], [[1.0, -1.0]], [0])
    assert (square - line).volume == 1
    assert (line - square).dimension == 1
    assert len(line - square) == 2
    assert not (line - square).is_bounded


def test_unbounded_difference():
    plane, quadrant = Polytope.whole(2), Polytope(-np.eye(2), [0, 0])
    rest = plane - quadrant
    assert len(rest) == 2
    assert rest.contains([-1.0, 1.0])
    assert not rest.contains([1.0, 1.0])
    assert (quadrant - plane).is_empty


def test_difference_labels_say_which_row_was_broken():
    P = Polytope.box([0], [4], labels=["x"])
    Q = Polytope([[1.0], [-1.0]], [3, -1], labels=["upper", "lower"])
    words = {label for piece in P - Q for label in piece.labels}
    assert frozenset({"not upper"}) in words
    assert frozenset({"not lower"}) in words
    assert frozenset({"x >= 0"}) in words


class TestRegion:
    region = Region([Polytope.box([0, 0], [1, 1]), Polytope.box([2, 0], [4, 1]), Polytope.empty(2)])

    def test_empty_pieces_are_left_out(self):
        assert len(self.region) == 2
        assert list(self.region) == list(self.region.pieces)
        assert Region([], 3).is_empty
        assert not Region([Polytope.empty(3)])
        assert Region([], 3).dimension == -1
        assert Region([], 3).volume == 0

    def test_contains_and_margin(self):
        points = [[0.5, 0.5], [1.5, 0.5], [3.0, 0.05]]
        assert self.region.contains(points).tolist() == [True, False, True]
        assert self.region.contains(points, margin=0.1).tolist() == [True, False, False]
        assert self.region.contains([0.5, 0.5]) is True

    def test_maximize_says_where(self):
        best = self.region.maximize([1.0, 0.0])
        assert (best.value, best.piece) == (4.0, 1)
        assert self.region.support([-1.0, 0.0]) == 0
        assert Region([], 2).maximize([1.0, 0.0]).status == "infeasible"
        assert Region([Polytope.whole(1)]).maximize([1.0]).status == "unbounded"

    def test_algebra(self):
        middle = Polytope.box([0.5, 0], [3, 1])
        assert (self.region & middle).volume == pytest.approx(1.5)
        assert (self.region - middle).volume == pytest.approx(1.5)
        assert (self.region | middle).volume == pytest.approx(4)
        assert (middle & self.region).volume == pytest.approx(1.5)
        assert (middle - self.region).volume == pytest.approx(1)
        assert (self.region | middle) == Polytope.box([0, 0], [4, 1])
        assert self.region != middle

    def test_distance(self):
        assert self.region.distance([1.25, 0.5]) == pytest.approx(0.25)
        assert Region([], 2).distance([0, 0]) == np.inf

    def test_pieces_in_different_spaces(self):
        with pytest.raises(ValueError, match=r"\[1, 2\] variables"):
            Region([Polytope.whole(1), Polytope.whole(2)])
        with pytest.raises(ValueError, match="no piece and no n"):
            Region([])
        with pytest.raises(TypeError, match="list"):
            self.region.subtract([1, 2])
        with pytest.raises(ValueError, match="2 and 3 variables"):
            self.region.intersect(Polytope.whole(3))

    def test_prints(self):
        assert repr(self.region) == "<Region in R^2: 2 pieces, dimension 2>"
        assert "\nor\n" in str(self.region)
        assert r"\cup" in self.region._repr_latex_()
        assert str(Region([], 2)) == "the empty region in R^2"
        assert Region([], 2)._repr_latex_() == r"$\emptyset$"

    def test_hollow_volume_in_several_dimensions(self):
        mixed = Region([Polytope.box([0, 0], [1, 1]), Polytope.box([0, 5], [9, 5])])
        assert mixed.dimension == 2
        assert mixed.volume == 1


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_volume_of_simplices_and_cross_polytopes(n):
    simplex = Polytope(np.vstack([-np.eye(n), np.ones(n)]), [0.0] * n + [1])
    assert simplex.volume == pytest.approx(1 / factorial(n))
    signs = np.array(np.meshgrid(*[[-1, 1]] * n)).reshape(n, -1).T
    cross = Polytope(signs, np.ones(2**n))
    assert cross.volume == pytest.approx(2**n / factorial(n))
    assert len(cross.vertices) == 2 * n


def test_hypersimplex():
    n, k = 5, 2
    P = Polytope.box([0] * n, [1] * n) & Polytope([], [], np.ones((1, n)), [k])
    assert P.dimension == n - 1
    assert len(P.vertices) == comb(n, k)


def test_uniform_samples_fill_the_set_evenly():
    triangle = Polytope([[-1.0, 0], [0, -1], [1, 1]], [0, 0, 1])
    points = triangle.sample(np.random.default_rng(0), 4000)
    assert points.mean(axis=0) == pytest.approx([1 / 3, 1 / 3], abs=0.02)
    assert np.mean(points[:, 0] < 0.5) == pytest.approx(0.75, abs=0.03)
    cube = Polytope.box([0] * 7, [1] * 7)
    walked = cube.sample(np.random.default_rng(0), 300)
    assert np.all(cube.contains(walked))
    assert walked.mean(axis=0) == pytest.approx(np.full(7, 0.5), abs=0.1)
    assert np.array_equal(
        triangle.sample(np.random.default_rng(7), 3), triangle.sample(np.random.default_rng(7), 3)
    )


@settings(deadline=None, max_examples=60)
@given(bounded(), st.integers(0, 2**31))
def test_nearest_point_satisfies_the_variational_inequality(P, seed):
    assume(not P.is_empty)
    x = np.random.default_rng(seed).normal(0, 5, P.n)
    y = P.nearest(x)
    assert P.contains(y, margin=-1e-7)
    assert np.max((P.vertices - y) @ (x - y)) <= 1e-6


@settings(deadline=None, max_examples=40)
@given(bounded(), st.integers(0, 2**31))
def test_images_of_points_lie_in_the_image(P, seed):
    assume(not P.is_empty)
    rng = np.random.default_rng(seed)
    M, t = rng.integers(-2, 3, (2, P.n)), rng.integers(-2, 3, 2)
    image = P.image(M, t)
    assert np.all(image.contains(P.vertices @ M.T + t))
    for vertex in image.vertices:
        assert not (P & Polytope([], [], M, vertex - t)).is_empty
    assert np.all(P.preimage(np.eye(P.n), np.zeros(P.n)).contains(P.vertices))
