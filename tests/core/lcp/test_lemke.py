import numpy as np
import pytest
from contact_problems import assert_complementary, random_contact
from hypothesis import given, settings
from hypothesis import strategies as st

from modecontrol._core import layout
from modecontrol._core import lcp as core
from modecontrol.timestepping import solve_lcp
from modecontrol.tolerances import COMPLEMENTARY, REFINED

SEEDS = st.integers(0, 2**32 - 1)


def definite(rng, n):
    G = rng.normal(size=(n, n))
    return G @ G.T + 0.2 * np.eye(n) + G - G.T, rng.normal(size=n)


# Pivots ---------------------------------------------------------------------------------------------
@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, n=st.integers(1, 8))
def test_exchange_keeps_the_equations(seed, n):
    rng = np.random.default_rng(seed)
    T = rng.normal(size=(n, n + 2))
    r, c = int(rng.integers(n)), int(rng.integers(n + 1))
    nonbasic = rng.normal(size=n + 1)
    basic = T[:, -1] - T[:, :-1] @ nonbasic
    core.exchange(T, r, c)
    basic[r], nonbasic[c] = nonbasic[c], basic[r]
    np.testing.assert_allclose(basic, T[:, -1] - T[:, :-1] @ nonbasic, rtol=1e-6, atol=1e-6)


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, n=st.integers(1, 10))
def test_scaling_is_by_powers_of_two_and_evens_out(seed, n):
    rng = np.random.default_rng(seed)
    G = rng.normal(size=(n, n))
    D = 10 ** rng.uniform(-5, 5, n)
    M = D[:, None] * (G @ G.T + np.eye(n)) * D
    row, column = core.scales(M)
    assert set(np.frexp(row)[0]) | set(np.frexp(column)[0]) == {0.5}
    even = np.diag(row[:, None] * M * column)
    assert (even >= 0.25).all()
    assert (even <= 1).all()


def test_scaling_measures_friction_rows_by_the_rows_that_have_a_diagonal():
    M, _ = random_contact(np.random.default_rng(0), 3, 8)
    M[:9, :9] *= 1e6
    row, column = core.scales(M)
    largest = np.abs(row[:, None] * M * column).max(axis=0)
    assert (largest >= 0.25).all()
    assert (largest <= 16).all()


def test_scaling_of_zero_rows_and_columns_is_one():
    row, column = core.scales(np.zeros((3, 3)))
    assert row.tolist() == column.tolist() == [1, 1, 1]


# Bases ----------------------------------------------------------------------------------------------
def test_a_basis_is_solved_and_measured():
    rng = np.random.default_rng(2)
    M, q = definite(rng, 6)
    active = np.array([1, 0, 1, 1, 0, 0], bool)
    regular, z = core.solve_basis(M, q, active)
    assert regular
    np.testing.assert_allclose(z[active], np.linalg.solve(M[np.ix_(active, active)], -q[active]))
    assert not z[~active].any()


def test_a_singular_basis_is_refused():
    assert not core.solve_basis(np.ones((2, 2)), -np.ones(2), np.ones(2, bool))[0]


def test_the_measure_sees_every_kind_of_error():
    M, q = np.eye(2), np.array([-1.0, 2.0])

    def error(z, active):
        return core.measure(M, q, np.array(z), np.array(active))

    assert error([1.0, 0.0], [True, False]) == 0
    assert error([0.0, 0.0], [False, False]) > 0.1  # w negative
    assert error([1.0, 1.0], [True, True]) > 0.1  # w not zero where z is positive
    assert error([-1.0, 0.0], [True, False]) > 0.1  # z negative
    assert error([np.nan, 0.0], [True, False]) == np.inf
    assert error([np.inf, 0.0], [True, False]) == np.inf


# Lemke ----------------------------------------------------------------------------------------------
@settings(deadline=None, max_examples=60)
@given(seed=SEEDS, n=st.integers(1, 9))
def test_lemke_principal_pivoting_and_enumeration_agree(seed, n):
    M, q = definite(np.random.default_rng(seed), n)
    z, active, code, _, residual = core.lemke_path(M, q)
    assert code == layout.SOLVED
    assert residual <= REFINED
    assert_complementary(M, q, z)
    assert (z[~active] == 0).all()
    np.testing.assert_allclose(core.principal_pivoting(M, q)[0], z, atol=1e-9)
    found, kinds, _, _, tried, undecided = core.all_bases(M, q)
    assert (tried, undecided, kinds.tolist()) == (2**n, 0, [core.POINT])
    np.testing.assert_allclose(found[0], z, atol=1e-9)


@settings(deadline=None, max_examples=60)
@given(seed=SEEDS, n=st.integers(1, 7), turn=st.integers(0, 3))
def test_ties_everywhere_never_cycle(seed, n, turn):
    rng = np.random.default_rng(seed)
    G = rng.integers(-1, 2, size=(n, n)).astype(float)
    M = G @ G.T
    q = -M @ rng.integers(0, 3, n).astype(float)  # feasible, and full of equal ratios
    z, _, code, pivots, _ = core.lemke_path(M, q, turn=turn)
    assert code == layout.SOLVED
    assert pivots <= 2 ** (n + 1)
    assert_complementary(M, q, z)


def test_work_space_may_be_larger_than_the_problem_and_data_is_left_alone():
    rng = np.random.default_rng(7)
    ws = core.Workspace(40)
    for k in (1, 5, 3, 10, 2):
        n = 4 * k
        M, q = random_contact(rng, k, 2 * k + 1)
        big, long = np.full((40, 40), np.nan), np.full(40, np.nan)
        big[:n, :n], long[:n] = M, q
        code, _, residual = core.lemke_into(ws, big, long, n)
        assert code == layout.SOLVED
        assert residual <= COMPLEMENTARY
        assert_complementary(M, q, ws.z[:n], ws.w[:n])
        np.testing.assert_array_equal(big[:n, :n], M)
        np.testing.assert_array_equal(long[:n], q)


def test_a_guess_saves_all_pivots():
    M, q = random_contact(np.random.default_rng(8), 6, 15)
    z, active, _, pivots, _ = core.lemke_path(M, q)
    again, same, code, none, _ = core.lemke_path(M, q, guess=active)
    assert pivots > none == 0
    assert code == layout.SOLVED
    np.testing.assert_allclose(again, z, atol=1e-12)
    np.testing.assert_array_equal(same, active)


def test_a_ray_proves_that_a_semidefinite_problem_is_infeasible():
    M, q = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([-1.0, 0.5])
    y, _, code, _, residual = core.lemke_path(M, q)
    assert (code, residual) == (layout.RAY, np.inf)
    assert (y >= 0).all()
    assert (M.T @ y <= 1e-12).all()
    assert q @ y < 0
    assert core.principal_pivoting(M, q)[2] == layout.RAY


def test_pivots_are_limited():
    M, q = random_contact(np.random.default_rng(9), 6, 15)
    assert core.lemke_path(M, q, limit=3)[2:4] == (layout.LIMIT, 3)
    assert core.principal_pivoting(M, q, limit=3)[2:4] == (layout.LIMIT, 3)


@pytest.mark.parametrize("scale", [1e-150, 1e-9, 1e9, 1e150])
def test_the_size_of_the_constant_does_not_matter(scale):
    M, q = random_contact(np.random.default_rng(10), 4, 10)
    np.testing.assert_allclose(
        core.lemke_path(M, scale * q)[0] / scale, core.lemke_path(M, q)[0], rtol=1e-9, atol=1e-12
    )


def test_an_ill_conditioned_basis_is_refined():
    n = 10
    H = 1.0 / (np.arange(n)[:, None] + np.arange(n) + 1)  # Hilbert, condition 1e13
    q = -H @ np.ones(n)
    z, _, code, _, residual = core.lemke_path(H, q)
    assert code == layout.SOLVED
    assert residual <= REFINED
    assert_complementary(H, q, z, tolerance=1e-11)


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, contacts=st.integers(1, 4), bilateral=st.integers(0, 4), redundant=st.booleans())
def test_a_mixed_problem_pivoted_whole_has_the_answer_of_the_checked_solver(
    seed, contacts, bilateral, redundant
):
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(bilateral + contacts, bilateral + contacts + 3))
    if redundant and bilateral:
        J = np.vstack((J[:bilateral], J[bilateral - 1], J[bilateral:]))
    nb, free = len(J) - contacts, J @ rng.normal(size=J.shape[1])
    M = J @ np.diag(1 / rng.uniform(0.5, 2, J.shape[1])) @ J.T
    u, z, status, _, residual = core.mixed_lemke(M, free, nb)
    expected = solve_lcp(M, free, equalities=nb)
    assert status == layout.SOLVED
    assert residual <= COMPLEMENTARY
    found = np.concatenate((u, z))
    # redundant rows may share their load differently: velocities are compared
    np.testing.assert_allclose(J.T @ found, J.T @ expected.z, atol=1e-7 * max(1.0, np.abs(expected.z).max()))


def test_a_second_covering_vector_is_tried_and_a_proof_ends_the_search():
    M, q = np.array([[0.0, 1.0, -2.0], [2.0, -2.0, 0.0], [2.0, -2.0, -2.0]]), np.array([-1.0, -2.0, 0.0])
    paths = [core.lemke_path(M, q, turn=turn) for turn in range(3)]
    assert [path[2] for path in paths] == [layout.RAY, layout.RAY, layout.SOLVED]
    z, _, status, pivots, _ = core.lemke(M, q, covers=3)
    assert status == layout.SOLVED
    assert pivots == sum(path[3] for path in paths) + core.lemke_path(M, q, wide=True)[3]
    assert_complementary(M, q, z)
    assert core.lemke(M, q, covers=2)[2] == layout.RAY
    M, q = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([-1.0, 0.5])  # infeasible: the first ray says so
    assert core.lemke(M, q, covers=4)[2:4] == core.lemke_path(M, q)[2:4]


@pytest.mark.parametrize("threads", [1, 3])
def test_a_batch_gives_the_same_bits_as_one_problem_after_the_other(threads):
    rng = np.random.default_rng(12)
    problems = [random_contact(rng, 3, 5) for _ in range(50)]
    M, q = np.array([M for M, _ in problems]), np.array([q for _, q in problems])
    z, active, status, pivots, residual = core.lemke_batch(M, q, threads=threads)
    for k in range(50):
        expected = core.lemke(M[k], q[k])
        np.testing.assert_array_equal(z[k], expected[0])
        np.testing.assert_array_equal(active[k], expected[1])
        assert (status[k], pivots[k], residual[k]) == expected[2:]
    with pytest.raises(ValueError, match="threads"):
        core.lemke_batch(M, q, threads=0)


# The other methods ----------------------------------------------------------------------------------
@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, n=st.integers(1, 12))
def test_gauss_seidel_agrees_on_dominant_diagonals(seed, n):
    rng = np.random.default_rng(seed)
    M = rng.normal(size=(n, n))
    M += np.diag(1 + np.abs(M).sum(axis=1) * 1.2 + np.abs(np.diag(M)))
    q = rng.normal(size=n)
    z, _, code, sweeps, _ = core.gauss_seidel(M, q)
    assert code == layout.SOLVED
    assert 0 < sweeps <= 200
    np.testing.assert_allclose(z, core.lemke_path(M, q)[0], atol=1e-10)


def test_gauss_seidel_admits_failure():
    M, q = np.array([[0.0, 1.0], [-1.0, 0.0]]), np.array([-1.0, 1.0])
    z, _, code, _, _ = core.gauss_seidel(M, q, sweeps=3)
    assert code != layout.SOLVED or np.allclose(z, [1, 1])
    assert core.gauss_seidel(-np.eye(2), -np.ones(2))[2] != layout.SOLVED


def test_principal_pivoting_handles_zero_diagonals():
    A = np.array([[1.0, 2.0], [3.0, 1.0]])
    M = np.block([[np.zeros((2, 2)), A.T], [-A, np.zeros((2, 2))]])
    q = np.array([-1.0, -1.0, 4.0, 5.0])
    z, _, code, _, _ = core.principal_pivoting(M, q)
    assert code == layout.SOLVED
    assert_complementary(M, q, z)


def test_principal_pivoting_gives_up_cleanly_on_hopeless_matrices():
    rng, solved = np.random.default_rng(11), 0
    for _ in range(200):
        n = int(rng.integers(1, 8))
        M, q = rng.integers(-2, 3, size=(n, n)).astype(float), rng.integers(-2, 3, size=n).astype(float)
        z, _, code, _, _ = core.principal_pivoting(M, q)
        if code == layout.SOLVED:
            assert_complementary(M, q, z)
            solved += 1
    assert 0 < solved < 200


def test_phase_one_measures_infeasibility():
    A = np.array([[1.0, 1.0], [1.0, -1.0]])
    distance, x = core.phase_one(A, np.array([2.0, 0.0]))
    assert distance == pytest.approx(0)
    np.testing.assert_allclose(x, [1, 1])
    assert core.phase_one(A, np.array([-1.0, 0.0]))[0] == pytest.approx(1)


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, columns=st.integers(1, 8), more=st.integers(0, 3), rank=st.integers(0, 8))
def test_extreme_singular_values_are_those_of_lapack(seed, columns, more, rank):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(columns + more, columns))
    if rank < columns:
        A = A[:, :rank] @ rng.normal(size=(rank, columns))
    values = np.linalg.svd(A, compute_uv=False)
    np.testing.assert_allclose(
        core.extreme_singular_values(A), (values[-1], values[0]), atol=1e-13 * max(values[0], 1.0)
    )


def test_enumeration_tells_points_from_continua():
    kinds = core.all_bases(np.zeros((1, 1)), np.zeros(1))[1]
    assert sorted(kinds) == [core.POINT, core.CONTINUUM]
    assert core.NOTHING not in kinds
    assert len(core.all_bases(np.zeros((1, 1)), -np.ones(1))[0]) == 0
    found, _, _, _, tried, _ = core.all_bases(np.eye(3), -np.ones(3), first=True)
    assert (len(found), tried) == (1, 8)
