"""Parts of a step in the core against numpy, and mixed problems against the checked solver."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_mechanisms import random_mechanism, random_state

from modecontrol._core import layout
from modecontrol._core import lcp as core_lcp
from modecontrol._core import timestepping as core
from modecontrol.dynamics.model import Model
from modecontrol.timestepping import solve_lcp


@settings(deadline=None, max_examples=50)
@given(seed=st.integers(0, 2**32 - 1), bodies=st.integers(1, 8), pins=st.integers(0, 2))
def test_rows_of_forces_expand_to_the_jacobian(seed, bodies, pins):
    model = Model(random_mechanism(seed, bodies, contacts=3, pins=pins))
    q, v = random_state(model, seed)
    snap = model.snapshot(q, v)
    J = core.expanded_rows(model.tree.core, q, np.arange(len(model.contacts)))
    np.testing.assert_allclose(J, np.vstack((snap.loop_jacobian, snap.jacobian)), atol=1e-12)
    some = core.expanded_rows(model.tree.core, q, np.array([2, 0]))[len(snap.loop_jacobian) :]
    np.testing.assert_array_equal(some, J[len(snap.loop_jacobian) :][[4, 5, 0, 1]])


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_cholesky_solves(n):
    rng = np.random.default_rng(n)
    A = rng.normal(size=(n, n))
    M, added, x = A @ A.T + 0.1 * np.eye(n), rng.uniform(0, 2, n), rng.normal(size=n)
    expected = np.linalg.solve(M + np.diag(added), x)
    U = M.copy()
    assert core.cholesky(U, added) == -1
    core.cholesky_solve(U, x)
    np.testing.assert_allclose(x, expected, atol=1e-10 * np.abs(expected).max())


def test_cholesky_names_the_row_that_breaks_down():
    M = np.array([[2.0, 1.0, 1.0], [1.0, 0.5, 0.5], [1.0, 0.5, 3.0]])
    assert core.cholesky(M.copy(), np.zeros(3)) == 1
    assert core.cholesky(M.copy(), np.array([0.0, 1.0, 0.0])) == -1
    assert core.cholesky(np.zeros((2, 2)), np.zeros(2)) == 0


def test_arrays_that_are_worked_on_in_place_are_never_copied_silently():
    with pytest.raises(TypeError):
        core.cholesky(np.eye(2, dtype=int), np.zeros(2))
    with pytest.raises(TypeError):
        core.cholesky(np.asfortranarray(np.arange(4.0).reshape(2, 2)), np.zeros(2))


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 2**32 - 1),
    pins=st.integers(1, 8),
    contacts=st.integers(0, 6),
    redundant=st.booleans(),
)
def test_eliminated_pins_hold_whatever_the_contacts_do(seed, pins, contacts, redundant):
    """`u = u_free + L p` has the target in its first rows, for any impulses of the others; a repeated row
    takes nothing.
    """
    rng = np.random.default_rng(seed)
    n = pins + contacts + 3
    A = rng.normal(size=(pins + contacts, n))
    if redundant:
        A = np.vstack((A[:pins], A[pins - 1], A[pins:]))
    nb, rows = pins + redundant, len(A)
    L, u, p = A @ A.T, rng.normal(size=rows), np.zeros(rows)
    target = rng.normal(size=nb)
    if redundant:
        u[nb - 1], target[nb - 1] = u[nb - 2], target[nb - 2]
    elimination = core.PinElimination(nb, rows - nb)
    left, rest = L.copy(), u.copy()
    elimination.eliminate(left, rest, target, np.zeros(nb))
    p[nb:] = rng.normal(size=rows - nb)
    elimination.impulses(p)
    after, scale = u + L @ p, max(1.0, np.abs(L).max() * np.abs(p).max())
    np.testing.assert_allclose(after[:nb], target, atol=1e-11 * scale)
    np.testing.assert_allclose(after[nb:], rest[nb:] + left[nb:, nb:] @ p[nb:], atol=1e-11 * scale)
    assert not redundant or p[nb - 1] == 0


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 2**32 - 1),
    hinges=st.integers(0, 12),
    contacts=st.integers(0, 5),
    redundant=st.booleans(),
)
def test_mixed_problem_pivoted_whole_has_the_answer_of_the_checked_solver(seed, hinges, contacts, redundant):
    """Bilateral rows, frictionless contacts, one bilateral row given twice."""
    rng = np.random.default_rng(seed)
    n = hinges + contacts + 3
    A = rng.normal(size=(hinges + contacts, n))
    if redundant and hinges:
        A = np.vstack((A[:hinges], A[hinges - 1], A[hinges:]))
    nb = len(A) - contacts
    free = A @ rng.normal(size=n)
    L = A @ np.diag(1 / rng.uniform(0.5, 2, n)) @ A.T
    u, positive, status, _, residual = core_lcp.mixed_lemke(L, free, nb)
    expected = solve_lcp(L, free, equalities=nb)
    assert status == layout.SOLVED
    assert expected.solved
    assert residual < 1e-8
    z = np.concatenate((u, positive))
    scale = max(1.0, np.abs(expected.z).max(initial=0.0))
    np.testing.assert_allclose(
        A.T @ z, A.T @ expected.z, atol=1e-8 * scale
    )  # redundant rows may share differently
    np.testing.assert_allclose((L @ z + free)[:nb], 0, atol=1e-8 * scale)
