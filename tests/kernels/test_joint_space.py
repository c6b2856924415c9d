"""Kernels of the compared dynamics against numpy, and mixed problems against the checked solver."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_mechanisms import random_mechanism, random_state

from modecontrol._kernels.bounce import kinetic_energy
from modecontrol._kernels.compliance import contact_forces, pin_forces
from modecontrol._kernels.joint_space import cholesky, cholesky_solve, expand
from modecontrol._kernels.mixed import mixed_lemke
from modecontrol._kernels.scene import make_bench
from modecontrol._kernels.tree import poses
from modecontrol.dynamics.model import Model
from modecontrol.timestepping import solve_lcp


@settings(deadline=None, max_examples=50)
@given(seed=st.integers(0, 2**32 - 1), bodies=st.integers(1, 8), pins=st.integers(0, 2))
def test_rows_of_forces_expand_to_the_jacobian(seed, bodies, pins):
    model = Model(random_mechanism(seed, bodies, contacts=3, pins=pins))
    q, v = random_state(model, seed)
    tree, k, l = model.tree, len(model.contacts), len(model.names.pins)  # noqa: E741
    rows = 2 * (k + l)
    pose, node, force, frame = poses(tree.nodes_i, tree.nodes_f, q), np.full((rows, 2), -1), np.zeros((rows, 2, 3)), np.zeros(8)
    for c in range(k):
        contact_forces(c, 2 * c, tree.contacts_i, tree.contacts_f, tree.nodes_i, pose, frame, node, force)
    for c in range(l):
        pin_forces(c, 2 * (k + c), tree.pins_i, tree.pins_f, tree.nodes_i, pose, node, force)
    J = np.full((rows, len(q)), np.nan)
    expand(tree.nodes_i, pose, rows, node, force, J)
    snap = model.snapshot(q, v)
    np.testing.assert_allclose(J, np.vstack((snap.jacobian, snap.loop_jacobian)), atol=1e-12)
    energy = kinetic_energy(tree.nodes_i, tree.nodes_f, pose, v, np.empty((len(q), 5)))
    assert energy == pytest.approx(0.5 * v @ snap.mass @ v, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_cholesky_solves(n):
    rng = np.random.default_rng(n)
    A = rng.normal(size=(n, n))
    M, added, x = A @ A.T + 0.1 * np.eye(n), rng.uniform(0, 2, n), rng.normal(size=n)
    expected = np.linalg.solve(M + np.diag(added), x)
    U = M.copy()
    assert cholesky(U, added) == -1
    cholesky_solve(U, x)
    np.testing.assert_allclose(x, expected, atol=1e-10 * np.abs(expected).max())


def test_cholesky_names_the_row_that_breaks_down():
    M = np.array([[2.0, 1.0, 1.0], [1.0, 0.5, 0.5], [1.0, 0.5, 3.0]])
    assert cholesky(M.copy(), np.zeros(3)) == 1
    assert cholesky(M.copy(), np.array([0.0, 1.0, 0.0])) == -1
    assert cholesky(np.zeros((2, 2)), np.zeros(2)) == 0


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32 - 1), hinges=st.integers(0, 12), contacts=st.integers(0, 5), redundant=st.booleans())
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
    N = len(A)
    basis, u = make_bench(1, 2, 0, 2).basis, np.zeros(nb)
    solved, residual = mixed_lemke(L, free, nb, N, False, np.zeros((N, N + 2)), np.zeros((3, N + 2)), basis, u)
    expected = solve_lcp(L, free, equalities=nb)
    assert solved
    assert expected.solved
    assert residual < 1e-8
    z = np.concatenate((u, basis.z[:contacts]))
    scale = max(1.0, np.abs(expected.z).max(initial=0.0))
    np.testing.assert_allclose(A.T @ z, A.T @ expected.z, atol=1e-8 * scale)     # redundant rows may share differently
    np.testing.assert_allclose((L @ z + free)[:nb], 0, atol=1e-8 * scale)
