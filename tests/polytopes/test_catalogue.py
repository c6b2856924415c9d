"""Every operation on every shape of the catalogue, against what is known about it."""

import numpy as np
import pytest
from catalogue import NONEMPTY, SHAPES

from modecontrol.polytopes import Polytope, Region
from modecontrol.polytopes.exact.program import ExactSet
from modecontrol.polytopes.exact.sets import exact_dimension

each = pytest.mark.parametrize("shape", SHAPES, ids=str)
each_with_points = pytest.mark.parametrize("shape", NONEMPTY, ids=str)


@each
def test_facts(shape):
    P = shape.set
    assert P.is_empty == (shape.dimension < 0)
    assert P.dimension == shape.dimension
    assert P.is_bounded == shape.bounded
    assert P.volume == pytest.approx(shape.volume, rel=1e-6)


@each
def test_generators(shape):
    P = shape.set
    assert (len(P.vertices), len(P.rays), len(P.lines)) == (shape.vertices, shape.rays, shape.lines)
    assert P.vertices.shape[1] == P.rays.shape[1] == P.lines.shape[1] == P.n
    assert np.all(P.contains(P.vertices))
    for ray in [*P.rays, *P.lines, *-P.lines]:
        assert np.all(P.contains(P.vertices + 7 * ray))


@each_with_points
def test_minimal(shape):
    P = shape.set
    small = P.minimal()
    assert len(small.b) == shape.facets
    assert len(small.d) == P.n - shape.dimension
    assert small == P
    assert small.minimal() is small
    assert P.minimal() is small


@each
def test_emptiness_is_proved(shape):
    P = shape.set
    if shape.dimension >= 0:
        assert P.farkas() is None
        assert P.clash == []
        return
    y, z = P.farkas()
    assert np.all(y >= 0)
    assert P.A.T @ y + P.C.T @ z == pytest.approx(np.zeros(P.n), abs=1e-9)
    assert P.b @ y + P.d @ z < -1e-9
    rows = P.minimal()
    assert rows.is_empty
    for i in range(len(rows.b)):
        assert not rows._select(np.delete(np.arange(len(rows.b)), i), np.arange(len(rows.d))).is_empty
    for i in range(len(rows.d)):
        assert not rows._select(np.arange(len(rows.b)), np.delete(np.arange(len(rows.d)), i)).is_empty
    assert len(P.clash) == len(rows.b) + len(rows.d)


@each
def test_exact_arithmetic_agrees(shape):
    P = shape.set
    assert (P.farkas(certify=True) is not None) == P.is_empty
    if "hidden in six rows" not in shape.name:  # turned by a rotation: flat up to rounding only
        assert ExactSet(*P.rows).is_empty == P.is_empty
        assert exact_dimension(*P.rows) == shape.dimension
    P.minimal(certify=True)


@each
def test_projection_on_each_variable_is_its_range(shape):
    P = shape.set
    low, high = P.bounding_box
    for j in range(P.n):
        projection = P.project([j])
        assert projection.is_empty == P.is_empty
        if not P.is_empty:
            assert projection.support([1.0]) == pytest.approx(high[j], rel=1e-7, abs=1e-9)
            assert -projection.support([-1.0]) == pytest.approx(low[j], rel=1e-7, abs=1e-9)
            assert len(projection.b) + 2 * len(projection.d) == int(np.isfinite([low[j], high[j]]).sum())


@each
def test_projection_on_nothing_and_on_everything(shape):
    P = shape.set
    assert P.project([]).is_empty == P.is_empty
    assert P.project([]).n == 0
    assert P.project(np.ones(P.n, dtype=bool)) == P


@each_with_points
def test_hull_of_generators_is_the_set(shape):
    P = shape.set
    assert Polytope.from_vertices(P.vertices, P.rays, P.lines) == P


@each
def test_maximize_in_every_axis_proves_its_answer(shape):
    P = shape.set
    for c in [*np.eye(P.n), *-np.eye(P.n)]:
        best = P.maximize(c)
        if P.is_empty:
            assert best.status == "infeasible"
            assert best.value == -np.inf
        elif best.status == "unbounded":
            assert best.value == np.inf
            assert c @ best.ray > 0
            assert P.contains(best.point)
            assert P.contains(best.point + best.ray)
        else:
            y, z = best.certificate
            assert P.contains(best.point)
            assert c @ best.point == pytest.approx(best.value)
            assert P.A.T @ y + P.C.T @ z == pytest.approx(c, abs=1e-7)
            assert P.b @ y + P.d @ z == pytest.approx(best.value, rel=1e-7, abs=1e-7)
            assert np.array_equal(best.active, np.flatnonzero(y))


@each
def test_chebyshev_ball_fits(shape):
    P = shape.set
    ball = P.chebyshev
    if P.is_empty:
        assert ball.centre is None
        assert ball.radius == -np.inf
        return
    assert P.contains(ball.centre)
    if P.dimension == 0:
        assert ball.radius == 0
    elif np.isfinite(ball.radius):
        assert ball.radius > 0
        for direction in P.frame.orthonormal.T:
            assert P.contains(ball.centre + 0.999999 * ball.radius * direction)
            assert P.contains(ball.centre - 0.999999 * ball.radius * direction)
    else:
        assert not P.is_bounded


@each
def test_nearest_point_beats_the_generators(shape):
    P = shape.set
    x = 3.0 + np.arange(P.n)
    if P.is_empty:
        assert P.distance(x) == np.inf
        with pytest.raises(ValueError, match="empty"):
            P.nearest(x)
        return
    y = P.nearest(x)
    assert P.contains(y)
    size = 1.0 + np.abs(P.vertices).max(initial=0.0)
    for ahead in [*(P.vertices - y), *P.rays, *P.lines, *-P.lines]:  # no way of coming closer
        assert (x - y) @ ahead <= 1e-7 * size * max(1.0, np.linalg.norm(x - y))
    assert P.distance(y) == pytest.approx(0, abs=1e-9)


@each
def test_samples_lie_inside(shape):
    P = shape.set
    rng = np.random.default_rng(0)
    if P.is_empty or not P.is_bounded:
        with pytest.raises(ValueError, match=r"empty|unbounded"):
            P.sample(rng, 3)
        return
    points = P.sample(rng, 20)
    assert points.shape == (20, P.n)
    assert np.all(P.contains(points))


@each
def test_difference_with_itself_and_with_nothing(shape):
    P = shape.set
    assert P.subtract(P).is_empty
    assert P.subtract(Polytope.empty(P.n)) == Region([P])
    assert P.subtract(Polytope.whole(P.n)).is_empty
    assert (P & Polytope.whole(P.n)) == P
    assert (P & Polytope.empty(P.n)).is_empty


@each
def test_there_and_back(shape):
    P = shape.set
    n = P.n
    lower, upper = P.bounding_box
    extent = np.where(np.isfinite(upper - lower) & (upper > lower), upper - lower, 1.0)
    # A shear and a step in units of the set: one that mixes metres with micrometres flattens it.
    there = np.eye(n) + np.diag(np.full(max(n - 1, 0), 0.5), 1)[:n, :n] * extent[:, None] / extent
    t = np.arange(n, dtype=float) * extent
    assert P.translate(t).translate(-t) == P
    assert P.scale(-2.0).scale(-0.5) == P
    assert P.image(there, t).preimage(there, t) == P
    assert P.image(there, t).dimension == P.dimension


@each
def test_results_do_not_depend_on_row_order_or_row_size(shape):
    P = shape.set
    rng = np.random.default_rng(5)
    order = rng.permutation(len(P.b))
    size = 10.0 ** rng.integers(-6, 7, len(P.b))
    other = Polytope(P.A[order] * size[:, None], P.b[order] * size, P.C[::-1] * -3, P.d[::-1] * -3)
    assert other.dimension == P.dimension
    assert other.is_bounded == P.is_bounded
    assert len(other.minimal().b) == len(P.minimal().b) or P.is_empty
    assert other == P
    assert len(other.vertices) == len(P.vertices)


@each
def test_results_do_not_depend_on_units(shape):
    P = shape.set
    units = 10.0 ** np.array([3, -3, 3, -3, 3, -3][: P.n])
    other = P.scale(units)
    assert other.dimension == P.dimension
    assert other.is_bounded == P.is_bounded
    assert len(other.minimal().b) == len(P.minimal().b) or P.is_empty
    assert (len(other.vertices), len(other.rays)) == (len(P.vertices), len(P.rays))
    if P.n:
        assert other.project([0]).scale(1e-3) == P.project([0])


@each
def test_prints(shape):
    P = shape.set
    assert repr(P).startswith(f"<Polytope in R^{P.n}")
    assert str(P).count("\n") == max(0, len(P.b) + len(P.d) - 1)
    assert P._repr_latex_().startswith("$")
