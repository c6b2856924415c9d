import numpy as np
import pytest
from contact_problems import assert_complementary, random_contact
from hypothesis import given, settings
from hypothesis import strategies as st

from modecontrol._kernels.bases import equilibrate, measure, scratch, solve_basis
from modecontrol._kernels.enumeration import CONTINUUM, NOTHING, POINT, enumerate_bases, phase_one
from modecontrol._kernels.gauss_seidel import gauss_seidel
from modecontrol._kernels.lemke import LIMIT, RAY, SOLVED, exchange, lemke, lemke_core
from modecontrol._kernels.principal import principal
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
    exchange(T, n, n + 2, r, c, np.empty(n + 2), np.empty(n))
    basic[r], nonbasic[c] = nonbasic[c], basic[r]
    np.testing.assert_allclose(basic, T[:, -1] - T[:, :-1] @ nonbasic, rtol=1e-6, atol=1e-6)


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, n=st.integers(1, 10))
def test_scaling_is_by_powers_of_two_and_evens_out(seed, n):
    rng = np.random.default_rng(seed)
    G = rng.normal(size=(n, n))
    D = 10 ** rng.uniform(-5, 5, n)
    M = D[:, None] * (G @ G.T + np.eye(n)) * D
    row, column = np.empty(n), np.empty(n)
    equilibrate(M, n, row, column)
    assert set(np.frexp(row)[0]) | set(np.frexp(column)[0]) == {0.5}
    even = np.diag(row[:, None] * M * column)
    assert (even >= 0.25).all()
    assert (even <= 1).all()


def test_scaling_measures_friction_rows_by_the_rows_that_have_a_diagonal():
    M, _ = random_contact(np.random.default_rng(0), 3, 8)
    M[:9, :9] *= 1e6
    row, column = np.empty(12), np.empty(12)
    equilibrate(M, 12, row, column)
    largest = np.abs(row[:, None] * M * column).max(axis=0)
    assert (largest >= 0.25).all()
    assert (largest <= 16).all()


def test_scaling_of_zero_rows_and_columns_is_one():
    row, column = np.empty(3), np.empty(3)
    equilibrate(np.zeros((3, 3)), 3, row, column)
    assert row.tolist() == column.tolist() == [1, 1, 1]


# Bases ----------------------------------------------------------------------------------------------
def test_a_basis_is_solved_and_measured():
    rng = np.random.default_rng(2)
    M, q = definite(rng, 6)
    row, column, z = np.ones(6), np.ones(6), np.empty(6)
    active = np.array([1, 0, 1, 1, 0, 0], bool)
    order = np.empty((3, 6), np.int64)
    assert solve_basis(M, q, 6, row, column, active, z, np.empty((6, 6)), order, np.empty(6))
    np.testing.assert_allclose(z[active], np.linalg.solve(M[np.ix_(active, active)], -q[active]))
    assert not z[~active].any()


def test_a_singular_basis_is_refused():
    ones, order = np.ones(2), np.empty((3, 2), np.int64)
    M, active = np.ones((2, 2)), np.ones(2, bool)
    assert not solve_basis(M, -ones, 2, ones, ones, active, np.empty(2), np.empty((2, 2)), order, np.empty(2))


def test_the_measure_sees_every_kind_of_error():
    M, q, one = np.eye(2), np.array([-1.0, 2.0]), np.ones(2)
    index, w = np.empty(2, np.int64), np.empty(2)

    def error(z, active):
        return measure(M, q, 2, one, np.array(active), np.array(z), w, index)

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
    z, active, code, _, residual = lemke(M, q)
    assert code == SOLVED
    assert residual <= REFINED
    assert_complementary(M, q, z)
    assert (z[~active] == 0).all()
    np.testing.assert_allclose(principal(M, q)[0], z, atol=1e-9)
    found, kinds, _, _, tried, undecided = enumerate_bases(M, q)
    assert (tried, undecided, kinds.tolist()) == (2**n, 0, [POINT])
    np.testing.assert_allclose(found[0], z, atol=1e-9)


@settings(deadline=None, max_examples=60)
@given(seed=SEEDS, n=st.integers(1, 7), turn=st.integers(0, 3))
def test_ties_everywhere_never_cycle(seed, n, turn):
    rng = np.random.default_rng(seed)
    G = rng.integers(-1, 2, size=(n, n)).astype(float)
    M = G @ G.T
    q = -M @ rng.integers(0, 3, n).astype(float)  # feasible, and full of equal ratios
    z, _, code, pivots, _ = lemke(M, q, turn=turn)
    assert code == SOLVED
    assert pivots <= 2 ** (n + 1)
    assert_complementary(M, q, z)


def test_work_space_may_be_larger_than_the_problem_and_data_is_left_alone():
    rng = np.random.default_rng(7)
    tableau, order, rows = scratch(40)
    z, w, active = np.zeros(40), np.zeros(40), np.zeros(40, bool)
    for k in (1, 5, 3, 10, 2):
        n = 4 * k
        M, q = random_contact(rng, k, 2 * k + 1)
        big, long = np.full((40, 40), np.nan), np.full(40, np.nan)
        big[:n, :n], long[:n] = M, q
        code, _, residual = lemke_core(big, long, n, False, active, z, w, tableau, order, rows, 1000, 0)
        assert code == SOLVED
        assert residual <= COMPLEMENTARY
        assert_complementary(M, q, z[:n], w[:n])
        np.testing.assert_array_equal(big[:n, :n], M)
        np.testing.assert_array_equal(long[:n], q)


def test_a_guess_saves_all_pivots():
    M, q = random_contact(np.random.default_rng(8), 6, 15)
    z, active, _, pivots, _ = lemke(M, q)
    again, same, code, none, _ = lemke(M, q, guess=active)
    assert pivots > none == 0
    assert code == SOLVED
    np.testing.assert_allclose(again, z, atol=1e-12)
    np.testing.assert_array_equal(same, active)


def test_a_ray_proves_that_a_semidefinite_problem_is_infeasible():
    M, q = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([-1.0, 0.5])
    y, _, code, _, residual = lemke(M, q)
    assert (code, residual) == (RAY, np.inf)
    assert (y >= 0).all()
    assert (M.T @ y <= 1e-12).all()
    assert q @ y < 0
    assert principal(M, q)[2] == RAY


def test_pivots_are_limited():
    M, q = random_contact(np.random.default_rng(9), 6, 15)
    assert lemke(M, q, limit=3)[2:4] == (LIMIT, 3)
    assert principal(M, q, limit=3)[2:4] == (LIMIT, 3)


@pytest.mark.parametrize("scale", [1e-150, 1e-9, 1e9, 1e150])
def test_the_size_of_the_constant_does_not_matter(scale):
    M, q = random_contact(np.random.default_rng(10), 4, 10)
    np.testing.assert_allclose(lemke(M, scale * q)[0] / scale, lemke(M, q)[0], rtol=1e-9, atol=1e-12)


def test_an_ill_conditioned_basis_is_refined():
    n = 10
    H = 1.0 / (np.arange(n)[:, None] + np.arange(n) + 1)  # Hilbert, condition 1e13
    q = -H @ np.ones(n)
    z, _, code, _, residual = lemke(H, q)
    assert code == SOLVED
    assert residual <= REFINED
    assert_complementary(H, q, z, tolerance=1e-11)


# The other methods ----------------------------------------------------------------------------------
@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, n=st.integers(1, 12))
def test_gauss_seidel_agrees_on_dominant_diagonals(seed, n):
    rng = np.random.default_rng(seed)
    M = rng.normal(size=(n, n))
    M += np.diag(1 + np.abs(M).sum(axis=1) * 1.2 + np.abs(np.diag(M)))
    q = rng.normal(size=n)
    z, _, code, sweeps, _ = gauss_seidel(M, q)
    assert code == SOLVED
    assert 0 < sweeps <= 200
    np.testing.assert_allclose(z, lemke(M, q)[0], atol=1e-10)


def test_gauss_seidel_admits_failure():
    M, q = np.array([[0.0, 1.0], [-1.0, 0.0]]), np.array([-1.0, 1.0])
    z, _, code, _, _ = gauss_seidel(M, q, sweeps=3)
    assert code != SOLVED or np.allclose(z, [1, 1])
    assert gauss_seidel(-np.eye(2), -np.ones(2))[2] != SOLVED


def test_principal_pivoting_handles_zero_diagonals():
    A = np.array([[1.0, 2.0], [3.0, 1.0]])
    M = np.block([[np.zeros((2, 2)), A.T], [-A, np.zeros((2, 2))]])
    q = np.array([-1.0, -1.0, 4.0, 5.0])
    z, _, code, _, _ = principal(M, q)
    assert code == SOLVED
    assert_complementary(M, q, z)


def test_principal_pivoting_gives_up_cleanly_on_hopeless_matrices():
    rng = np.random.default_rng(11)
    for _ in range(200):
        n = int(rng.integers(1, 8))
        M, q = rng.integers(-2, 3, size=(n, n)).astype(float), rng.integers(-2, 3, size=n).astype(float)
        z, _, code, _, _ = principal(M, q)
        if code == SOLVED:
            assert_complementary(M, q, z)


def test_phase_one_measures_infeasibility():
    A, x = np.array([[1.0, 1.0], [1.0, -1.0]]), np.empty(2)
    assert phase_one(A, np.array([2.0, 0.0]), 2, 2, x) == pytest.approx(0)
    np.testing.assert_allclose(x, [1, 1])
    assert phase_one(A, np.array([-1.0, 0.0]), 2, 2, x) == pytest.approx(1)


def test_enumeration_tells_points_from_continua():
    kinds = enumerate_bases(np.zeros((1, 1)), np.zeros(1))[1]
    assert sorted(kinds) == [POINT, CONTINUUM]
    assert NOTHING not in kinds
    assert len(enumerate_bases(np.zeros((1, 1)), -np.ones(1))[0]) == 0
    found, _, _, _, tried, _ = enumerate_bases(np.eye(3), -np.ones(3), first=True)
    assert (len(found), tried) == (1, 8)
