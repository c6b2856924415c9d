"""A sparse basis of the eliminated variables: the same projection, fewer entries."""

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import modecontrol as mc
from modecontrol import Polytope
from modecontrol._core.polytopes import sparsify

SMALL = st.integers(-3, 3)


@st.composite
def rows(draw):
    m, first, w = draw(st.integers(1, 10)), draw(st.integers(0, 3)), draw(st.integers(0, 4))
    entries = draw(st.lists(SMALL, min_size=m * (first + w), max_size=m * (first + w)))
    return np.array(entries, dtype=float).reshape(m, first + w), first


@given(rows())
@settings(deadline=None, max_examples=100)
def test_only_the_basis_of_the_eliminated_variables_changes(case):
    A, first = case
    X = A.copy()
    sparsify(X, first)
    assert np.array_equal(X[:, :first], A[:, :first])
    # the columns span the same space: the same null space of the transpose
    rank = np.linalg.matrix_rank(A[:, first:]) if A[:, first:].size else 0
    if A[:, first:].size:
        assert np.linalg.matrix_rank(X[:, first:], tol=1e-9) == rank
        assert np.linalg.matrix_rank(np.hstack([X[:, first:], A[:, first:]]), tol=1e-9) == rank


@given(rows())
@example((np.array([[1.0, 2.0], [-1.0, -3.0]]), 0))
@settings(deadline=None, max_examples=100)
def test_as_many_unit_rows_as_the_rank_allows(case):
    A, first = case
    X = A.copy()
    sparsify(X, first)
    W = X[:, first:]
    alone = {int(np.flatnonzero(row)[0]) for row in W if np.count_nonzero(row) == 1}
    assert len(alone) == (np.linalg.matrix_rank(A[:, first:]) if W.size else 0)


@given(rows(), st.integers(0, 10_000))
@settings(deadline=None, max_examples=60)
def test_the_projection_stays(case, seed):
    A, first = case
    assume(first > 0)
    b = np.random.default_rng(seed).integers(0, 4, len(A)).astype(float)
    X = A.copy()
    sparsify(X, first)
    assert Polytope(A, b).project(range(first)) == Polytope(X, b).project(range(first))


def test_a_hidden_block_structure_is_found():
    rng = np.random.default_rng(5)
    blocks = np.kron(np.eye(5), rng.normal(size=(4, 1)))
    X = blocks @ rng.normal(size=(5, 5))
    sparsify(X, 0)
    assert np.count_nonzero(X) == np.count_nonzero(blocks)


@pytest.mark.parametrize("mode", ["FFFFFFFFF", "FFFFFFFFS", "SFFFFFFFF", "SSFFFFFFS"])
def test_long_snake_has_its_torque_sets(mode):
    """Nine contacts, seven inputs, up to eight ambiguity variables: once too much for elimination."""
    model = mc.load("snake", n=8)
    response = mc.dynamic_response(model.snapshot(model.start))
    answer = response[mode]
    rng = np.random.default_rng(1)
    for direction in rng.normal(size=(12, 7)):
        lifted = np.append(direction, np.zeros(answer.domain.n - 7))
        far, near = answer.domain.maximize(lifted), answer.torques.maximize(direction)
        assert far.status == near.status
        if np.isfinite(far.value):
            assert near.value == pytest.approx(far.value, rel=1e-7, abs=1e-7)
