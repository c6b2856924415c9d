"""Operators, names, slices and extensions: the same on convex sets and on unions of them."""

import pickle

import numpy as np
import pytest
from hypothesis import assume, given, settings
from random_sets import rows

import modecontrol as mc
from modecontrol import Polytope, Region

SQUARE = Polytope.box([-1, -1], [1, 1], labels=["u", "v"])
LEFT = Polytope([[1.0, 0.0]], [0.0])
RIGHT_HALF = SQUARE - LEFT


def test_points_in_sets():
    assert [0.0, 0.0] in SQUARE
    assert [2.0, 0.0] not in SQUARE
    assert [0.5, 0.0] in RIGHT_HALF
    assert [-0.5, 0.0] not in RIGHT_HALF
    assert [[0.5, 0.0], [0.7, 0.1]] in RIGHT_HALF
    assert [[0.5, 0.0], [-0.7, 0.1]] not in RIGHT_HALF
    with pytest.raises(ValueError, match="shape"):
        assert [1.0] in RIGHT_HALF
    with pytest.raises(TypeError, match="<="):
        assert SQUARE in RIGHT_HALF


def test_truth_is_having_a_point():
    assert SQUARE
    assert RIGHT_HALF
    assert not Polytope.empty(2)
    assert not (SQUARE - SQUARE)
    assert Polytope.whole(2)


@pytest.mark.parametrize("P", [SQUARE, RIGHT_HALF])
@pytest.mark.parametrize("Q", [LEFT, RIGHT_HALF, SQUARE.translate([0.5, 0.5])])
def test_operators_are_methods(P, Q):
    assert P.intersect(Q) == (P & Q)
    assert P.union(Q) == (P | Q)
    assert P.subtract(Q) == (P - Q)
    assert isinstance(P | Q, Region)
    assert isinstance(P - Q, Region)
    points = np.random.default_rng(0).uniform(-2, 2, (200, 2))
    assert np.array_equal((P & Q).contains(points), P.contains(points) & Q.contains(points))
    assert np.array_equal((P | Q).contains(points), P.contains(points) | Q.contains(points))
    assert np.array_equal((P - Q).contains(points), P.contains(points) & ~Q.contains(points))


def test_inclusion_of_both_kinds():
    assert RIGHT_HALF <= SQUARE
    assert SQUARE >= RIGHT_HALF
    assert not SQUARE <= RIGHT_HALF
    assert SQUARE <= (RIGHT_HALF | (SQUARE & LEFT))
    assert not (RIGHT_HALF | Polytope.empty(2)) >= SQUARE
    assert Polytope.empty(2) <= (SQUARE - SQUARE)
    assert not SQUARE <= (SQUARE - SQUARE)


@pytest.mark.parametrize("operator", ["__and__", "__or__", "__sub__", "__le__", "__ge__"])
@pytest.mark.parametrize("P", [SQUARE, RIGHT_HALF])
def test_nothing_but_sets(P, operator):
    assert getattr(P, operator)(3) is NotImplemented
    with pytest.raises(TypeError, match="expected a Polytope or a Region"):
        P.intersect([1, 2])


def test_bounding_boxes():
    assert np.allclose(RIGHT_HALF.bounding_box, [[0, -1], [1, 1]])
    assert np.allclose((RIGHT_HALF | SQUARE.translate([3, 0])).bounding_box, [[0, -1], [4, 1]])
    lower, upper = (SQUARE - SQUARE).bounding_box
    assert np.all(lower == np.inf)
    assert np.all(upper == -np.inf)


@settings(deadline=None, max_examples=40)
@given(rows(least=2, most=4, most_rows=6))
def test_slice_and_extend(data):
    P = Polytope(*data)
    assume(not P.is_empty)
    x = P.maximize(np.zeros(P.n)).point
    assert P.slice({0: x[0]}).contains(x[1:])
    wide = P.extend(2)
    assert wide.n == P.n + 2
    assert wide.slice({-1: 7.0, P.n: -3.0}) == P
    assert wide.project(range(P.n)) == P


def test_names_go_where_variables_go():
    P = Polytope.box([0, 0, 0], [1, 2, 3], labels=["a", "b", "c"])
    assert P.names == ("a", "b", "c")
    assert P.slice({"b": 1.0}).names == ("a", "c")
    assert P.project(["c", "a"]).names == ("c", "a")
    assert np.allclose(P.project(["c", "a"]).bounding_box[1], [3, 1])
    assert (P & Polytope.whole(3)).names == (P - Polytope.box([0] * 3, [1] * 3)).names == P.names
    assert P.minimal().names == P.translate([1, 1, 1]).names == P.scale(2.0).names == P.names
    assert P.extend(1, ["w"]).names == ("a", "b", "c", "w")
    assert P.extend(1).names is None
    assert pickle.loads(pickle.dumps(P)).names == P.names
    assert (P | P).names == P.names


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: SQUARE.slice({"w": 1.0}), "no variable"),
        (lambda: SQUARE.slice({5: 1.0}), "0 to 1"),
        (lambda: SQUARE.slice({True: 1.0}), "no variable True"),
        (lambda: SQUARE.slice({"u": np.nan}), "finite"),
        (lambda: SQUARE.slice({"u": 1.0, 0: 2.0}), "twice"),
        (lambda: LEFT.slice({"u": 1.0}), "no names"),
        (lambda: SQUARE.extend(-1), "whole number"),
        (lambda: SQUARE.extend(1.5), "whole number"),
        (lambda: SQUARE.extend(1, ["u"]), "distinct"),
        (lambda: SQUARE & Polytope.box([0, 0], [1, 1], labels=["v", "u"]), "same order"),
        (lambda: Polytope([[1.0, 0.0]], [0.0], names=["a", "a"]), "distinct"),
    ],
)
def test_what_is_refused(ask, words):
    with pytest.raises(ValueError, match=words):
        ask()


def test_torques_know_their_inputs():
    model = mc.load("two_link")
    response = mc.dynamic_response(model.snapshot(model.start), torque_limits=[(-5, 5)] * len(model.inputs))
    for mode in response.modes:
        assert response[mode].torques.names == tuple(model.inputs)
        assert response[mode].domain.names[: len(model.inputs)] == tuple(model.inputs)
