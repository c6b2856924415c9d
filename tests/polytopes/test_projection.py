"""Shadows of sets, against exact arithmetic, cdd and examples that other libraries stumble over."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from random_sets import rows

from modecontrol._core import layout
from modecontrol._core import polytopes as core
from modecontrol.errors import UncheckedError
from modecontrol.polytopes import Polytope
from modecontrol.polytopes.exact.certify import certify_projection
from modecontrol.polytopes.exact.sets import exact_project
from modecontrol.polytopes.projection import is_projection
from modecontrol.polytopes.vertices import project_by_blocks, project_by_generators


@settings(deadline=None, max_examples=60)
@given(rows(least=2, most=5, most_rows=8))
def test_exact_elimination_gives_the_same_set(data):
    P = Polytope(*data)
    keep = np.arange(P.n) % 2 == 0
    exact = exact_project(*data, keep)
    projection = P.project(keep)
    assert projection.is_empty == exact.is_empty
    if not exact.is_empty:
        twin = Polytope(
            *(
                np.array(part, dtype=float).reshape(part.shape)
                for part in (exact.A, exact.b, exact.C, exact.d)
            )
        )
        assert projection == twin
        assert (len(projection.b), len(projection.d)) == (len(twin.b), len(twin.d))


@settings(deadline=None, max_examples=60)
@given(rows(least=2, most=5, most_rows=8))
def test_methods_of_cdd_give_the_same_set(data):
    P = Polytope(*data)
    assume(not P.is_empty)
    chosen = np.arange(0, P.n, 2)
    assert project_by_blocks(P, chosen) == P.project(chosen)
    assert project_by_generators(P, chosen) == P.project(chosen)


@settings(deadline=None, max_examples=30)
@given(rows(least=2, most=4, most_rows=6))
def test_certified(data):
    P = Polytope(*data)
    projection = P.project([0], certify=True)
    assert projection.n == 1


def minkowski_lift(P, Q):
    """`{(z, x) : x in P, z - x in Q}`, whose projection on z is the Minkowski sum."""
    n = P.n
    A = np.block([[np.zeros((len(P.b), n)), P.A], [Q.A, -Q.A]])
    return Polytope(A, np.concatenate([P.b, Q.b]))


def test_minkowski_sum_of_two_cubes_has_six_rows():
    cube = Polytope.box([-1] * 3, [1] * 3)
    total = minkowski_lift(cube, cube).project([0, 1, 2])
    assert len(total.b) == 6
    assert total == Polytope.box([-2] * 3, [2] * 3)


def test_minkowski_sum_of_cube_and_octahedron():
    cube = Polytope.box([-1] * 3, [1] * 3)
    signs = np.array(np.meshgrid(*[[-1, 1]] * 3)).reshape(3, -1).T
    octahedron = Polytope(signs, np.ones(8))
    total = minkowski_lift(cube, octahedron).project([0, 1, 2])
    assert len(total.b) == 6 + 8 + 12  # facets of both, and one for each edge of the cube
    corners = (cube.vertices[:, None] + octahedron.vertices[None]).reshape(-1, 3)
    assert total == Polytope.from_vertices(corners)


def test_unbounded_sets_project_as_readily():
    cone = Polytope([[1.0, -1, 0], [-1, -1, 0], [0, 1, -1]], [0, 0, 0])
    assert cone.project([0, 1]) == Polytope([[1.0, -1], [-1, -1]], [0, 0])
    assert cone.project([0]) == Polytope.whole(1)
    assert cone.project([2]) == Polytope([[-1.0]], [0])


def sorted_rows(rows):
    """In one order, with 1 or -1 in the first column."""
    return sorted((rows / abs(rows[:, :1])).tolist())


def test_shadow_far_thinner_than_it_is_far_away():
    """A triangle from 768 to 1024 that is 1e-4 wide: rows as exact elimination says, borders seen to 1e-9 of 1024."""
    A = [[2.0**-7, 2.0**-7, 6144], [-6 * 2.0**-20, -(2.0**-20), -0.5], [0, -0.25, 0], [12 * 2.0**-20, 0, -2]]
    b = np.array([22, 2.0**-11, -192, -12 * 2.0**-10])
    shadow = Polytope(A, b).project([1, 2])
    exact = exact_project(np.array(A), b, np.zeros((0, 3)), np.zeros(0), np.array([False, True, True]))
    expected = np.column_stack([exact.A, exact.b]).astype(float)
    found = np.column_stack([shadow.A, shadow.b])
    assert np.allclose(sorted_rows(found), sorted_rows(expected), rtol=1e-12, atol=0)
    for share in (1e-8, 1e-6, 1e-4):
        assert not shadow.contains([768 * (1 - share), 0.0031])
        assert shadow.contains([768 * (1 + share), 0.0031])
    assert shadow.contains([768 * (1 - 1e-10), 0.0031])


def test_order_of_indices_is_the_order_of_the_result():
    box = Polytope.box([0, 10, 20], [1, 12, 23])
    assert box.project([2, 0]) == Polytope.box([20, 0], [23, 1])
    assert box.project([-1]) == Polytope.box([20], [23])
    mask = np.array([True, False, True])
    assert box.project(mask) == Polytope.box([0, 20], [1, 23])


def test_labels_of_a_shadow_name_every_row_it_comes_from():
    P = Polytope(
        [[1.0, 1], [0, -1], [-1, 0], [0, 1]], [4, 1, 0, 9], labels=["limit", "floor", "wall", "roof"]
    )
    projection = P.project([0])
    assert set(projection.labels) == {frozenset({"limit", "floor"}), frozenset({"wall"})}
    Q = Polytope([[-1.0, 0.0]], [0], [[1.0, 1.0]], [1], labels=["wall"], equality_labels=["balance"])
    assert Q.project([1]).labels == (frozenset({"wall", "balance"}),)


def test_shadow_of_the_empty_set_names_the_clash():
    P = Polytope([[1.0, 0], [-1, 0], [0, 1]], [0, -1, 5], labels=["below", "above", "bystander"])
    projection = P.project([1])
    assert projection.is_empty
    assert projection.clash == ["above", "below"]


def test_mixed_units():
    rng = np.random.default_rng(4)
    sets = [Polytope(rng.normal(size=(10, 4)), np.ones(10)) for _ in range(10)]
    bounded = [P for P in sets if P.is_bounded]
    assert bounded
    for P in bounded:
        units = 10.0 ** rng.integers(-4, 5, 4)
        assert P.scale(units).project([0, 2]).scale(1 / units[[0, 2]]) == P.project([0, 2])


def declining(*arguments, **settings):
    none = np.zeros((0, 0))
    return core.Projection(layout.UNDECIDED, none, np.zeros(0), none, np.zeros(0), none.astype(bool))


def test_cdd_is_asked_when_the_kernel_declines(monkeypatch):
    monkeypatch.setattr(core, "project", declining)
    P = Polytope([[1.0, 1], [0, -1], [-1, 0]], [4, 1, 0], labels=["limit", "floor", "wall"])
    projection = P.project([0])
    assert projection == Polytope.box([0], [5])
    assert set(projection.labels) == {frozenset({"limit", "floor"}), frozenset({"wall"})}


def test_wrong_projections_are_noticed(monkeypatch):
    P = Polytope.box([0] * 3, [1] * 3)
    chosen = np.array([0, 1])
    assert is_projection(P, Polytope.box([0, 0], [1, 1]), chosen)
    assert not is_projection(P, Polytope.box([0, 0], [1, 1.001]), chosen)
    assert not is_projection(P, Polytope.box([0, 0], [1, 0.999]), chosen)
    assert not is_projection(P, Polytope([[1.0, 0], [-1, 0]], [1, 0]), chosen)
    with pytest.raises(UncheckedError, match="row of the projection"):
        certify_projection(P, Polytope.box([0, 0], [1, 0.999]), chosen)
    with pytest.raises(UncheckedError, match="vertex of the projection"):
        certify_projection(P, Polytope.box([0, 0], [1, 1.001]), chosen)
    with pytest.raises(UncheckedError, match="ray of the projection"):
        certify_projection(Polytope.box([0, 0, 0], [1, 1, np.inf]), Polytope.box([0, 0], [1, np.inf]), chosen)
    monkeypatch.setattr(core, "project", declining)
    for method in ("project_by_blocks", "project_by_generators"):
        monkeypatch.setattr(
            f"modecontrol.polytopes.vertices.{method}", lambda P, chosen: Polytope.box([0, 0], [1, 2])
        )
    with pytest.raises(UncheckedError, match="neither") as caught:
        P.project([0, 1])
    assert np.array_equal(caught.value.data["keep"], [0, 1])


@pytest.mark.parametrize(
    ("keep", "message"),
    [
        ([0, 3], "variable 3"),
        ([0, 0], "at most once"),
        ([True, False], "one bool"),
        ([0.5], "variable numbers"),
        ([[0]], "variable numbers"),
    ],
)
def test_keep_that_makes_no_sense(keep, message):
    with pytest.raises(ValueError, match=message):
        Polytope.whole(3).project(keep)
