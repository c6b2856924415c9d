"""Articulated bodies, compliance and rows of forces against dense matrices."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_mechanisms import chain, random_mechanism, random_state

from modecontrol._core import dynamics as core
from modecontrol.dynamics.model import Model

SEEDS = st.integers(0, 2**32 - 1)


def factored(model, q, added=None):
    return core.ArticulatedBodies(model.tree.core, q, np.zeros(len(q)) if added is None else added)


def spatial_jacobian(model, q):
    """(3 n, n): angular velocity and velocity of the origin of each node per joint velocity."""
    nodes, at = model.tree.nodes, core.Kinematics(model.tree.core, q, np.zeros(len(q)))
    n = len(nodes)
    J = np.zeros((3 * n, n))
    for i in range(n):
        j = i
        while j >= 0:
            dx, dy = at.rx[i] - at.rx[j], at.ry[i] - at.ry[j]
            J[3 * i : 3 * i + 3, j] = (1, -dy, dx) if nodes["turns"][j] else (0, at.ux[j], at.uy[j])
            j = nodes["parent"][j]
    return J


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, bodies=st.integers(1, 9))
def test_pivots_are_those_of_the_mass_matrix(seed, bodies):
    """The product of all `D` is the determinant of `M`: one factorisation, two ways."""
    model = Model(random_mechanism(seed, bodies))
    q, _ = random_state(model, seed)
    found = factored(model, q)
    assert found.bad == -1
    assert np.log(found.D).sum() == pytest.approx(
        np.linalg.slogdet(model.snapshot(q).mass)[1], rel=1e-9, abs=1e-9
    )


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, bodies=st.integers(1, 9))
def test_factors_are_articulated_inertia_times_joint_direction(seed, bodies):
    """A node at the end of a branch shows its own rigid inertia."""
    model = Model(random_mechanism(seed, bodies))
    q, _ = random_state(model, seed)
    nodes, at, found = (
        model.tree.nodes,
        core.Kinematics(model.tree.core, q, np.zeros(len(q))),
        factored(model, q),
    )
    tip = int(np.setdiff1d(np.arange(len(q)), nodes["parent"])[-1])
    m, (x, y) = nodes["mass"][tip], nodes["com"][tip]
    cx, cy = at.cos[tip] * x - at.sin[tip] * y, at.sin[tip] * x + at.cos[tip] * y
    inertia = np.array(
        [[nodes["inertia"][tip] + m * (cx * cx + cy * cy), -m * cy, m * cx], [-m * cy, m, 0], [m * cx, 0, m]]
    )
    s = np.array([1, 0, 0] if nodes["turns"][tip] else [0, at.ux[tip], at.uy[tip]])
    np.testing.assert_allclose(found.U[tip], inertia @ s, atol=1e-12)
    assert found.D[tip] == pytest.approx(s @ inertia @ s, rel=1e-12)


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, bodies=st.integers(1, 9), implicit=st.booleans())
def test_solve_inverts_the_mass_matrix_with_added_diagonal_and_forces_on_nodes(seed, bodies, implicit):
    model = Model(random_mechanism(seed, bodies))
    q, r = random_state(model, seed)
    n, rng = len(q), np.random.default_rng(seed)
    added = rng.uniform(0, 2, n) * implicit
    bodies_at, J = factored(model, q, added), spatial_jacobian(model, q)
    assert bodies_at.bad == -1
    force = rng.normal(size=(n, 3))
    x, accel = bodies_at.solve(r, force)
    expected = np.linalg.solve(model.snapshot(q).mass + np.diag(added), r + J.T @ force.ravel())
    scale = max(1.0, np.abs(expected).max())
    np.testing.assert_allclose(x, expected, rtol=0, atol=1e-9 * scale)
    np.testing.assert_allclose(accel.ravel(), J @ x, atol=1e-9 * scale)


@settings(deadline=None, max_examples=30)
@given(seed=SEEDS, bodies=st.integers(1, 8))
def test_compliance_of_a_node_is_its_own_block(seed, bodies):
    model = Model(random_mechanism(seed, bodies))
    q, _ = random_state(model, seed)
    J = spatial_jacobian(model, q)
    full = J @ np.linalg.solve(model.snapshot(q).mass, J.T)
    for i, y in enumerate(factored(model, q).node_compliance()):
        block = np.array([[y[0], y[1], y[2]], [y[1], y[3], y[4]], [y[2], y[4], y[5]]])
        np.testing.assert_allclose(
            block,
            full[3 * i : 3 * i + 3, 3 * i : 3 * i + 3],
            rtol=0,
            atol=1e-9 * max(1.0, np.abs(full).max()),
        )


@settings(deadline=None, max_examples=30)
@given(seed=SEEDS, bodies=st.integers(1, 8))
def test_unit_forces_of_rows_are_the_rows_of_the_jacobian(seed, bodies):
    model = Model(random_mechanism(seed, bodies, contacts=4, pins=2))
    q, v = random_state(model, seed)
    snap, J = model.snapshot(q, v), spatial_jacobian(model, q)
    nodes, forces = factored(model, q).rows(np.arange(len(model.contacts)))
    found = np.zeros((len(nodes), len(q)))
    for r, (ends, parts) in enumerate(zip(nodes, forces, strict=True)):
        for node, part in zip(ends, parts, strict=True):
            if node >= 0:
                found[r] += part @ J[3 * node : 3 * node + 3]
    np.testing.assert_allclose(found, np.vstack((snap.jacobian, snap.loop_jacobian)), atol=1e-11)


def test_a_subset_of_rows_gives_the_same_block():
    model = chain(6, free=True, discs=True)
    q, _ = random_state(model, 8)
    chosen = np.array([1, 4, 7])
    L = factored(model, q).compliance(chosen)
    snap = model.snapshot(q)
    rows = snap.jacobian.reshape(-1, 2, len(q))[chosen].reshape(6, len(q))
    np.testing.assert_allclose(L, rows @ np.linalg.solve(snap.mass, rows.T), atol=1e-10)


def test_what_is_given_is_not_written():
    model = chain(5)
    q, v = random_state(model, 2)
    n = len(q)
    tau, kept = np.arange(n, dtype=float), (q.copy(), v.copy())
    bad, qdd = core.accelerations(model.tree.core, q, v, tau, np.zeros(n))
    assert bad == -1
    snap = model.snapshot(q, v)
    np.testing.assert_allclose(snap.mass @ qdd + snap.bias, tau, atol=1e-11)
    np.testing.assert_array_equal((q, v), kept)
    np.testing.assert_array_equal(tau, np.arange(n))


@pytest.mark.parametrize("call", ["snapshot", "energies", "Kinematics", "ArticulatedBodies"])
def test_states_of_the_wrong_length_are_refused(call):
    model = chain(3)
    with pytest.raises(ValueError, match="one number per coordinate"):
        getattr(core, call)(model.tree.core, np.zeros(2), np.zeros(3))
