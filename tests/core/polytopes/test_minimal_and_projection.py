"""Minimal forms and projections of the kernels: known shapes, order and units, ancestors."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from modecontrol._core.layout import INFEASIBLE, OPTIMAL

from modecontrol._core.polytopes import minimal, project

NO = np.zeros((0, 3)), np.zeros(0)


def cube(d=3):
    return np.vstack([np.eye(d), -np.eye(d)]), np.ones(2 * d)


def test_cube_with_every_kind_of_superfluous_row():
    A, b = cube()
    extra = np.array([[1.0, 1, 1], [2, 0, 0], [1, 1, 0], [1e-6, 0, 0], [0, 0, 0]])
    level = np.array([9.0, 2, 2, 1, 5])  # beyond, repeated, touching an edge, far, empty truth
    found = minimal(np.vstack([A, extra]), np.concatenate([b, level]), *NO)
    assert found.status == OPTIMAL
    assert np.flatnonzero(found.keep).tolist() in ([0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 7])
    assert not found.implicit.any()


def test_hidden_equality():
    A, b = cube()
    A, b = np.vstack([A, [[1.0, 1, 0]], [[-1.0, -1, 0]]]), np.concatenate([b, [0.5, -0.5]])
    found = minimal(A, b, *NO)
    assert found.implicit.tolist() == [False] * 6 + [True, True]


def test_empty_set_has_a_proof():
    A, b = np.array([[1.0, 0, 0], [-1.0, 0, 0]]), np.array([0.0, -1.0])
    found = minimal(A, b, *NO)
    assert found.status == INFEASIBLE
    assert np.allclose(A.T @ found.y, 0)
    assert b @ found.y < 0
    assert project(A, b, *NO, np.array([True, False, False])).status == INFEASIBLE


def test_minkowski_sum_of_two_cubes_has_no_redundant_row():
    """`x = u + v` with two unit cubes, lifted to (x, u): projecting to x leaves exactly six rows."""
    A1, b1 = cube()
    lift = np.vstack([np.hstack([np.zeros((6, 3)), A1]), np.hstack([A1, -A1])])
    projection = project(lift, np.concatenate([b1, b1]), np.zeros((0, 6)), np.zeros(0), np.arange(6) < 3)
    assert projection.status == OPTIMAL
    assert projection.A.shape == (6, 3)
    assert np.allclose(projection.b / np.abs(projection.A).max(axis=1), 2.0)
    assert projection.ancestors.shape == (6, 12)
    assert projection.ancestors.any(axis=1).all()


def test_projection_of_cone_and_of_whole_space():
    A = np.array([[-1.0, 0, 1], [-1.0, 0, -1]])
    projection = project(A, np.zeros(2), *NO, np.array([True, True, False]))
    assert np.allclose(projection.A / np.abs(projection.A).max(), [[-1, 0]])
    whole = project(np.array([[0.0, 0, 1]]), np.ones(1), *NO, np.array([True, True, False]))
    assert len(whole.A) == len(whole.C) == 0


def integers(shape):
    return st.lists(st.integers(-3, 3), min_size=int(np.prod(shape)), max_size=int(np.prod(shape))).map(
        lambda x: np.array(x, float).reshape(shape)
    )


@settings(deadline=None, max_examples=60)
@given(
    st.integers(1, 12).flatmap(lambda m: st.tuples(integers((m, 3)), integers((m,)))),
    st.integers(0, 2**31 - 1),
)
def test_order_and_units_do_not_change_what_survives(rows, seed):
    A, b = rows
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(b))
    scale, columns = 10.0 ** rng.integers(-3, 4, len(b)), 10.0 ** rng.integers(-2, 3, 3)
    plain = minimal(A, b, *NO)
    other = minimal(np.ascontiguousarray((A * scale[:, None] * columns)[order]), (b * scale)[order], *NO)
    assert plain.status == other.status
    if (
        plain.status == OPTIMAL and not plain.implicit.any()
    ):  # on a flat set one facet can be written in several ways

        def facets(A, b, keep):
            size = np.abs(A[keep]).max(axis=1, initial=0.0)
            return {
                tuple(np.round(np.append(a, v) / s, 9))
                for a, v, s in zip(A[keep], b[keep], size, strict=True)
            }

        assert plain.keep.sum() == other.keep.sum()
        assert facets(A, b, plain.keep) == facets(A[order], b[order], other.keep)
