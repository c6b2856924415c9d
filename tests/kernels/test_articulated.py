import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_mechanisms import chain, random_mechanism, random_state

from modecontrol._kernels.articulated import articulated, factor, solve, workspace
from modecontrol._kernels.compliance import (
    add_row_forces,
    compliance_kernel,
    compliance_rows,
    contact_forces,
    pin_forces,
    row_rates,
)
from modecontrol._kernels.contacts import gaps
from modecontrol._kernels.tree import move, place
from modecontrol.dynamics.model import Model

SEEDS = st.integers(0, 2**32 - 1)


def factored(model, q, added=None):
    tree, n = model.tree, len(q)
    work = workspace(n)
    pose, _, inertia, U, D = work[:5]
    place(tree.nodes_i, tree.nodes_f, q, pose)
    bad = factor(tree.nodes_i, tree.nodes_f, pose, np.zeros(n) if added is None else added, inertia, U, D)
    return bad, pose, U, D


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, bodies=st.integers(1, 9))
def test_pivots_are_those_of_the_mass_matrix(seed, bodies):
    """The product of all `D` is the determinant of `M`: one factorisation, two ways."""
    model = Model(random_mechanism(seed, bodies))
    q, _ = random_state(model, seed)
    bad, _, _, D = factored(model, q)
    assert bad == -1
    assert np.log(D).sum() == pytest.approx(np.linalg.slogdet(model.snapshot(q).mass)[1], rel=1e-9, abs=1e-9)


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, bodies=st.integers(1, 9), implicit=st.booleans())
def test_solve_inverts_the_mass_matrix_with_added_diagonal_and_forces_on_nodes(seed, bodies, implicit):
    model = Model(random_mechanism(seed, bodies))
    q, r = random_state(model, seed)
    n, rng = len(q), np.random.default_rng(seed)
    added = rng.uniform(0, 2, n) * implicit
    bad, pose, U, D = factored(model, q, added)
    assert bad == -1
    force = rng.normal(size=(n, 3))
    generalised = spatial_jacobian(model, pose).T @ force.ravel()
    x, accel = np.empty(n), np.empty((n, 3))
    solve(model.tree.nodes_i, pose, U, D, r, force.copy(), accel, x)
    expected = np.linalg.solve(model.snapshot(q).mass + np.diag(added), r + generalised)
    np.testing.assert_allclose(x, expected, rtol=0, atol=1e-9 * max(1.0, np.abs(expected).max()))
    np.testing.assert_allclose(accel.ravel(), spatial_jacobian(model, pose) @ x,
                               atol=1e-9 * max(1.0, np.abs(expected).max()))


def spatial_jacobian(model, pose):
    """(3 n, n): angular velocity and velocity of the origin of each node per joint velocity."""
    nodes = model.tree.nodes_i
    n = len(nodes)
    J = np.zeros((3 * n, n))
    for i in range(n):
        j = i
        while j >= 0:
            dx, dy = pose[i, 2:4] - pose[j, 2:4]
            J[3 * i:3 * i + 3, j] = (1, -dy, dx) if nodes[j, 1] else (0, *pose[j, 7:9])
            j = nodes[j, 0]
    return J


@settings(deadline=None, max_examples=30)
@given(seed=SEEDS, bodies=st.integers(1, 8))
def test_compliance_kernel_is_each_nodes_own_block(seed, bodies):
    model = Model(random_mechanism(seed, bodies))
    q, _ = random_state(model, seed)
    _, pose, U, D = factored(model, q)
    Y = np.empty((len(q), 6))
    compliance_kernel(model.tree.nodes_i, pose, U, D, Y)
    J = spatial_jacobian(model, pose)
    full = J @ np.linalg.solve(model.snapshot(q).mass, J.T)
    for i, y in enumerate(Y):
        block = np.array([[y[0], y[1], y[2]], [y[1], y[3], y[4]], [y[2], y[4], y[5]]])
        np.testing.assert_allclose(block, full[3 * i:3 * i + 3, 3 * i:3 * i + 3], rtol=0,
                                   atol=1e-9 * max(1.0, np.abs(full).max()))


@settings(deadline=None, max_examples=30)
@given(seed=SEEDS, bodies=st.integers(1, 8))
def test_unit_forces_of_rows_are_the_rows_of_the_jacobian(seed, bodies):
    model = Model(random_mechanism(seed, bodies, contacts=4, pins=2))
    q, v = random_state(model, seed)
    tree, snap = model.tree, model.snapshot(q, v)
    _, pose, _, _ = factored(model, q)
    k, loops = len(tree.contacts_i), len(tree.pins_i)
    nodes, forces = np.empty((2 * (k + loops), 2), np.int64), np.zeros((2 * (k + loops), 2, 3))
    for c in range(k):
        gap = contact_forces(c, 2 * c, tree.contacts_i, tree.contacts_f, tree.nodes_i, pose, np.empty(8),
                             nodes,
                             forces)
        assert gap == snap.gap[c]
    for c in range(loops):
        pin_forces(c, 2 * (k + c), tree.pins_i, tree.pins_f, tree.nodes_i, pose, nodes, forces)
    J = spatial_jacobian(model, pose)
    found = np.zeros((len(nodes), len(q)))
    for r, (ends, parts) in enumerate(zip(nodes, forces, strict=True)):
        for node, part in zip(ends, parts, strict=True):
            if node >= 0:
                found[r] += part @ J[3 * node:3 * node + 3]
    np.testing.assert_allclose(found, np.vstack((snap.jacobian, snap.loop_jacobian)), atol=1e-11)


@settings(deadline=None, max_examples=20)
@given(seed=SEEDS, bodies=st.integers(1, 8))
def test_rows_work_without_a_jacobian(seed, bodies):
    """`J v`, `M^-1 J^T p` and `J M^-1 J^T p` from unit forces alone, as a simulation uses them."""
    model = Model(random_mechanism(seed, bodies, contacts=4))
    q, v = random_state(model, seed)
    tree, snap, n, m = model.tree, model.snapshot(q, v), len(q), 8
    _, pose, U, D = factored(model, q)
    nodes, forces = np.empty((m, 2), np.int64), np.zeros((m, 2, 3))
    for c in range(4):
        contact_forces(c, 2 * c, tree.contacts_i, tree.contacts_f, tree.nodes_i, pose, np.empty(8), nodes, forces)
    motion, rate, p = np.empty((n, 5)), np.empty(m), np.random.default_rng(seed).normal(size=m)
    move(tree.nodes_i, pose, v, motion)
    row_rates(m, nodes, forces, motion, rate)
    np.testing.assert_allclose(rate, snap.velocity, atol=1e-11)
    force, accel, x = np.zeros((n, 3)), np.empty((n, 3)), np.empty(n)
    add_row_forces(m, nodes, forces, p, force)
    solve(tree.nodes_i, pose, U, D, np.zeros(n), force, accel, x)
    expected = np.linalg.solve(snap.mass, snap.jacobian.T @ p)
    scale = max(1.0, np.abs(expected).max())
    np.testing.assert_allclose(x, expected, atol=1e-9 * scale)
    row_rates(m, nodes, forces, accel, rate)
    np.testing.assert_allclose(rate, snap.jacobian @ expected, atol=1e-8 * scale)
    found = np.empty(4)
    gaps(tree.contacts_i, tree.contacts_f, tree.nodes_i, pose, found)
    np.testing.assert_array_equal(found, snap.gap)


def test_a_subset_of_rows_gives_the_same_block():
    model = chain(6, free=True, discs=True)
    q, _ = random_state(model, 8)
    tree = model.tree
    _, pose, U, D = factored(model, q)
    chosen = [1, 4, 7]
    nodes, forces = np.empty((6, 2), np.int64), np.zeros((6, 2, 3))
    for row, c in enumerate(chosen):
        contact_forces(c, 2 * row, tree.contacts_i, tree.contacts_f, tree.nodes_i, pose, np.empty(8), nodes,
                       forces)
    L = np.full((8, 8), np.nan)
    compliance_rows(tree.nodes_i, pose, U, D, tree.common, 6, nodes, forces, np.empty((len(q), 6)),
                    np.empty((6, 2, len(q), 3)), L)
    snap = model.snapshot(q)
    rows = snap.jacobian.reshape(-1, 2, len(q))[chosen].reshape(6, len(q))
    np.testing.assert_allclose(L[:6, :6], rows @ np.linalg.solve(snap.mass, rows.T), atol=1e-10)
    assert np.isnan(L[6:]).all()


def test_work_space_is_all_that_is_written():
    model = chain(5)
    q, v = random_state(model, 2)
    tree, n = model.tree, len(q)
    tau, kept = np.arange(n, dtype=float), (q.copy(), v.copy())
    qdd = np.empty(n)
    assert articulated(tree.nodes_i, tree.nodes_f, tree.gravity, q, v, tau, np.zeros(n), *workspace(n),
                       qdd) == -1
    snap = model.snapshot(q, v)
    np.testing.assert_allclose(snap.mass @ qdd + snap.bias, tau, atol=1e-11)
    np.testing.assert_array_equal((q, v), kept)
    np.testing.assert_array_equal(tau, np.arange(n))
