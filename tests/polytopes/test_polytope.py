"""The class itself: what it accepts, what it refuses and how, labels, comparison, printing."""

import pickle

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.polytopes import Polytope
from modecontrol.polytopes.exact.sets import exact_dimension
from modecontrol.polytopes.labels import denied


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[1.0, np.nan]], [1]), r"A\[0, 1\] is nan"),
        (([[1.0, np.inf]], [1]), r"A\[0, 1\] is inf"),
        (([[1.0], [1.0]], [1, np.nan]), r"b\[1\] is nan"),
        (([[1.0]], [-np.inf]), r"b\[0\] is -inf"),
        (([[1.0]], [1, 2]), r"b has shape \(2,\); expected \(1,\)"),
        (([1.0, 2.0], [1]), "two dimensions"),
        (([[1.0], [1.0, 2.0]], [1, 2]), "not an array of numbers"),
        (([["a"]], [1]), "not an array of numbers"),
        (([[1.0]], [1], [[1.0, 2.0]], [1]), "C has 2 columns; expected 1"),
        (([[1.0]], [1], [[1.0]], [1, 2]), r"d has shape \(2,\); expected \(1,\)"),
        (([[1.0]], [1], [[1.0]], [np.inf]), r"d\[0\] is inf"),
        (([[1.0]], [1], [[1.0]]), "C is given without d"),
        (([[1.0]], [1], None, [1.0]), "d is given without C"),
        (([[1.0]], None), "A is given without b"),
        ((None, None), "Polytope.whole"),
        (([[1.0]], [1], None, None, ["a", "b"]), "labels has 2 entries; expected 1"),
        (([[1.0]], [1], None, None, "wall"), "single string"),
        (([[1.0]], [1], None, None, [{1}]), "expected a string"),
    ],
)
def test_what_is_refused_and_why(arguments, message):
    with pytest.raises(ValueError, match=message):
        Polytope(*arguments)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda P: P.contains([1.0]), r"x has shape \(1,\); expected \(2,\)"),
        (lambda P: P.contains([1.0, np.nan]), "NaN"),
        (lambda P: P.maximize([1.0]), r"objective c has shape \(1,\); expected \(2,\)"),
        (lambda P: P.maximize([1.0, np.inf]), r"objective c\[1\] is inf"),
        (lambda P: P.intersect(Polytope.whole(3)), "2 and 3 variables"),
        (lambda P: P.subtract(Polytope.whole(3)), "2 and 3 variables"),
        (lambda P: Polytope.whole(3) >= P, "2 and 3 variables"),
        (lambda P: P.translate([1.0]), "offset has shape"),
        (lambda P: P.scale([1.0, 2.0, 3.0]), "factors has shape"),
        (lambda P: P.image([[1.0]]), "1 columns; expected 2"),
        (lambda P: P.preimage([[1.0]]), "1 rows; expected 2"),
        (lambda P: P.distance([1.0]), "point x has shape"),
        (lambda P: Polytope.box([0], [1, 2]), "lower has shape"),
        (lambda P: Polytope.box([np.nan], [1]), r"lower\[0\] is nan; expected numbers"),
        (lambda P: Polytope.box([0], [1], labels=["a", "b"]), "one name per variable"),
        (lambda P: Polytope.from_vertices([1.0, 2.0]), "two dimensions"),
        (lambda P: Polytope.from_vertices([[1.0, 2.0]], rays=[[1.0]]), "rays has 1 columns"),
        (lambda P: Polytope.empty(2).frame, "no affine hull"),
    ],
)
def test_what_methods_refuse_and_why(call, message):
    with pytest.raises(ValueError, match=message):
        call(Polytope.box([0, 0], [1, 1]))


def test_infinite_bounds_are_no_bounds():
    P = Polytope([[1.0], [-1.0]], [np.inf, 0], labels=["roof", "floor"])
    assert P.labels == (frozenset({"floor"}),)
    assert not P.is_bounded
    assert Polytope.box([0, -np.inf], [np.inf, 1]) == Polytope([[-1.0, 0], [0, 1]], [0, 1])


def test_equalities_alone():
    P = Polytope(None, None, [[1.0, 1.0]], [1])
    assert P.A.shape == (0, 2)
    assert P.dimension == 1


def test_arrays_are_read_only_and_the_callers_stay_the_callers():
    A = np.eye(2)
    P = Polytope(A, [1, 1])
    A[0, 0] = 5
    assert P.A[0, 0] == 1
    for array in (P.A, P.b, P.C, P.d, P.vertices, P.minimal().A):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    with pytest.raises(AttributeError):
        P.A = A


def test_contains_many_points_and_margins():
    P = Polytope([[3.0, 4.0]], [5.0], [[1.0, -1.0]], [0])
    assert P.contains([0.0, 0.0]) is True
    assert P.contains([[0.0, 0.0], [1.0, 1.0], [0.0, 0.1]]).tolist() == [True, False, False]
    x = np.array([5 / 7, 5 / 7])
    assert P.contains(x)
    assert not P.contains(x, margin=1e-3)
    assert P.contains(x + 1e-3, margin=-2e-3)
    assert [0.0, 0.0] in P
    assert P.contains(np.zeros((0, 2))).shape == (0,)
    assert not P.contains([np.inf, np.inf])


def test_order_of_sets():
    small, large = Polytope.box([0, 0], [1, 1]), Polytope.box([-1, -1], [2, 2])
    assert small <= large
    assert large >= small
    assert not large <= small
    assert Polytope.empty(2) <= small
    assert Polytope.empty(2) == Polytope([[1.0, 0], [-1, 0]], [0, -1])
    assert small != large
    assert small != "a square"
    assert small == Polytope([[2.0, 0], [0, 3], [-1, 0], [0, -1], [1, 1]], [2, 3, 0, 0, 5])
    assert small != Polytope.box([0], [1])
    with pytest.raises(TypeError):
        hash(small)


def test_equality_survives_rounding_but_not_more():
    P = Polytope.box([0, 0], [1, 1])
    assert Polytope.box([0, 0], [1 + 1e-12, 1]) == P
    assert Polytope.box([0, 0], [1 + 1e-6, 1]) != P


class TestLabels:
    def test_intersection_keeps_both(self):
        P = Polytope([[1.0]], [1], labels=["roof"]) & Polytope(
            [[-1.0]], [0], [[0.0]], [0], ["floor"], ["nothing"]
        )
        assert P.labels == (frozenset({"roof"}), frozenset({"floor"}))
        assert P.equality_labels == (frozenset({"nothing"}),)

    def test_hidden_equality_names_everything_that_forces_it(self):
        P = Polytope([[1.0, 1], [-1, 0], [0, -1], [1, 0]], [0, 0, 0, 5], labels=["a", "b", "c", "d"])
        small = P.minimal()
        assert len(small.d) == 2
        assert all(label <= {"a", "b", "c"} for label in small.equality_labels)
        assert frozenset().union(*small.equality_labels) == {"a", "b", "c"}

    def test_clash_by_name_and_by_number(self):
        P = Polytope([[1.0], [-1.0], [1.0]], [0, -1, 7], labels=["left", None, "right"])
        assert P.clash == ["left", "row 1"]
        Q = Polytope([[1.0]], [0], [[1.0]], [2])
        assert Q.clash == ["equality 0", "row 0"]

    def test_maps_keep_them(self):
        P = Polytope.box([0, 0], [1, 1], labels=["x", "y"])
        for Q in (P.translate([1, 1]), P.scale(2.0), P.preimage(np.eye(2)), P.image([[1, 1], [0, 1]])):
            assert Q.labels == P.labels
        assert P.labels[0] == frozenset({"x <= 1"})

    def test_denial(self):
        assert denied(frozenset()) == frozenset()
        assert denied(frozenset({"a"})) == frozenset({"not a"})
        assert denied(frozenset({"not a"})) == frozenset({"a"})
        assert denied(frozenset({"a", "b"})) == frozenset({"not a and b"})


def test_printing():
    P = Polytope([[1.0, 2], [0, -0.5]], [3, 0], [[1.0, -1]], [0.25], ["front friction", None], ["balance"])
    assert str(P).splitlines() == [
        "x1 - x2 = 0.25   [balance]",
        "x1 + 2 x2 <= 3   [front friction]",
        "-0.5 x2 <= 0",
    ]
    assert repr(P) == "<Polytope in R^2: 2 inequalities, 1 equality>"
    assert str(Polytope.whole(2)) == "all of R^2"
    assert str(Polytope.empty(2)) == "0 <= -1"
    assert r"\text{front friction}" in P._repr_latex_()
    assert "more rows" in str(Polytope(np.ones((99, 1)), np.ones(99)))
    named = Polytope([[1.0, -2]], [3], names=["tau_1", "push"])
    assert str(named) == "tau_1 - 2 push <= 3"
    assert r"\text{tau\_1} - 2\,\text{push} &\le 3" in named._repr_latex_()


def test_pickle_keeps_the_set_frozen():
    P = Polytope([[1.0, 2]], [3], labels=["a"])
    Q = pickle.loads(pickle.dumps(P))
    assert Q == P
    assert Q.labels == P.labels
    assert not Q.A.flags.writeable


def test_public_names():
    assert mc.Polytope is Polytope
    assert mc.Region.__module__ == "modecontrol.polytopes.region"


def test_scale_by_zero_flattens():
    P = Polytope.box([0, 0], [1, 1]).scale([2.0, 0.0])
    assert Polytope.box([0, 0], [2, 0]) == P


def test_fourteen_variables_with_large_integers():
    rng = np.random.default_rng(2)
    A = rng.integers(-(10**6), 10**6, (30, 14)).astype(float)
    x = rng.integers(-1000, 1000, 14)
    P = Polytope(np.vstack([A, -A]), np.concatenate([A @ x + 5e5, 5e5 - A @ x]))
    assert P.contains(x)
    assert P.dimension == 14
    assert P.is_bounded
    best = P.maximize(np.ones(14))
    assert best.status == "optimal"
    assert P.contains(best.point)
    flat = Polytope(A, A @ x, -A[:1], -A[:1] @ x)
    assert flat.contains(x)
    assert flat.dimension == exact_dimension(*flat.rows)


def test_a_plane_far_beyond_the_set_loosens_no_other():
    """`-2.9e-6 x <= 2` lies 700,000 away; the border at 0.9999986 stays as sharp as without it."""
    A, b = [[-4.0], [2.0000028610229492], [-2.86102294921875e-06]], [5.0, 2.0, 2.0]
    for P in (Polytope(A, b), Polytope(A[:2], b[:2])):
        assert P.contains([0.9999985])
        assert not P.contains([0.9999987])
        assert not P.contains([-1.2500001])
