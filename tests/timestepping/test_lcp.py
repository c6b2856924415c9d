import numpy as np
import pytest
from contact_problems import assert_complementary, condensed, feet, has_solution, kept, random_contact
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from modecontrol import tolerances
from modecontrol.timestepping import LCP, all_solutions, solve_lcp
from modecontrol.timestepping.lcp.branching import branching
from modecontrol.timestepping.lcp.certificates import infeasible, proves_infeasible
from modecontrol.timestepping.lcp.solve import METHODS

SEEDS = st.integers(0, 2**32 - 1)


def solved(M, q, equalities=0, **options):
    solution = solve_lcp(M, q, equalities=equalities, **options)
    assert solution.solved, solution.status
    assert_complementary(M, q, solution.z, solution.w, equalities)
    return solution


# Scales ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("power", [-1050, -1022, -300, 300, 900, 1019, 1021])
def test_units_that_are_powers_of_two_change_no_more_than_rounding(power):
    """Scales of rows and columns are read off the exponents of entries, subnormal and huge ones among them."""
    M = np.array([[2.0, 0, 0.5, 0], [0, 3, 1, 0], [-1, -2, 0, 0], [0, 0, 0, 1]])
    q = np.array([-1, -2, 1.5, -1])
    expected = solved(M, q).z
    scaled = solve_lcp(np.ldexp(M, power), np.ldexp(q, power))
    assert scaled.solved, scaled.status
    assert scaled.z == pytest.approx(expected, rel=1e-14)
    column = np.ldexp(1.0, [0, 0, np.clip(power, -1000, 1000), 0])
    assert solved(M * column, q).z * column == pytest.approx(expected, rel=1e-14)


# Textbook examples --------------------------------------------------------------------------------
@pytest.mark.parametrize("method", ["lemke", "enumeration", "branching"])
def test_murty_example_2_8(method):
    M = [[1, -1, -1, -1], [-1, 1, -1, -1], [1, 1, 2, 0], [1, 1, 0, 2]]
    solved(M, [3, 5, -9, -5], methods=[method])


def test_murty_example_2_9_has_no_solution():
    solution = solve_lcp([[-1, 0, -3], [1, -2, -5], [-2, -1, -2]], [-3, -2, -1])
    assert solution.status.startswith("no solution: ray termination")
    assert np.isnan(solution.z).all()
    assert solution.problem.q.tolist() == [-3, -2, -1]


def test_murty_example_2_11_depends_on_the_covering_vector():
    np.testing.assert_allclose(solved([[-1.5, 2], [-4, 4]], [-5, 17]).w, 0, atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_murty_chapter_1_triangular(method):
    solution = solved([[1, 0, 0], [2, 1, 0], [2, 2, 1]], [-8, -12, -14], methods=[method])
    np.testing.assert_allclose(solution.z, [8, 0, 0])
    np.testing.assert_allclose(solution.w, [0, 4, 2])
    assert solution.method == method


def test_cottle_pang_stone_4_4_7():
    solution = solved([[0, -1, 2], [2, 0, -2], [-1, 1, 0]], [-3, 6, -1])
    np.testing.assert_allclose(solution.z, [0, 1, 3])


def test_kostreva_1_cycles_without_a_rule_for_ties():
    M = [[1, 2, 0], [0, 1, 2], [2, 0, 1]]
    np.testing.assert_allclose(solved(M, [-1, -1, -1], methods=["lemke"]).z, 1 / 3)


def test_kostreva_2_cycles_without_a_rule_for_ties():
    M, q = [[1, -1, 3], [2, -1, 3], [-1, -2, 0]], [-1, -1, -1]
    assert solve_lcp(M, q).status.startswith("no solution")
    assert not has_solution(M, q)


def test_fathi_needs_exponentially_many_pivots_at_worst():
    n = 9
    L = np.tril(np.full((n, n), 2.0), -1) + np.eye(n)
    solved(L @ L.T, -np.ones(n), methods=["lemke"])


def test_symmetric_positive_definite_instance_that_breaks_other_codes():
    rng = np.random.RandomState(0)  # the instance as published (quantecon issue 768): z came out negative
    A = rng.standard_normal((10, 10))
    M, q = A.T @ A + np.eye(10), rng.standard_normal(10)
    for method in METHODS:
        solved(M, q, methods=[method])


def test_symmetric_two_by_two_with_equal_constants():
    M, q = np.array([[2.57023, -0.580137], [-0.580137, 2.59027]]), np.full(2, -0.938699)
    np.testing.assert_allclose(solved(M, q).z, np.linalg.solve(M, -q))


# Tiny and degenerate ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("m", "q", "z"), [(1, -9.8, 9.8), (1, 2, 0), (1, 0, 0), (0, 0, 0), (0, 3, 0), (-1, 1, 0)]
)
def test_one_by_one_with_solution(m, q, z):
    assert solved([[m]], [q]).z[0] == pytest.approx(z)


@pytest.mark.parametrize("m", [0, -1, -1e-9])
def test_one_by_one_without_solution(m):
    assert solve_lcp([[m]], [-1]).status.startswith("no solution")


def test_zero_matrix():
    assert solved(np.zeros((5, 5)), np.arange(5.0)).z.tolist() == [0] * 5
    solution = solve_lcp(np.zeros((5, 5)), [1, 0, -1e-3, 2, 3])
    assert solution.status.startswith("no solution")
    assert solution.method == ""


def test_empty_problem():
    assert solve_lcp(np.zeros((0, 0)), []).solved


def test_zero_constant_has_the_zero_answer():
    M = np.random.default_rng(0).normal(size=(6, 6))
    assert not solved(M, np.zeros(6)).z.any()


def test_feasible_inequalities_without_a_complementary_point():
    M, q = [[0, 0], [1, 0]], [0, -1]  # w_1 = 0 always, z_1 >= 1 needed, w_2 = 0 or z_2 = 0: z_1 = 1 does
    solved(M, q)
    M, q = [[1, -1], [1, -1]], [-1, -2]
    assert has_solution(M, q) == solve_lcp(M, q).solved


def test_linear_program_as_an_lcp():
    A, b, c = np.array([[1.0, 1], [1, 3]]), np.array([4.0, 6]), np.array([-3.0, -5])
    M = np.block([[np.zeros((2, 2)), A.T], [-A, np.zeros((2, 2))]])
    best = linprog(c, A_ub=A, b_ub=b)
    np.testing.assert_allclose(solved(M, np.concatenate([c, b])).z[:2], best.x, atol=1e-12)


# Contacts -----------------------------------------------------------------------------------------
MASS, GRAVITY, STEP, MU = 2.0, 10.0, 1e-2, 0.5


def one_point(vx, vy):
    J = np.array([[0.0, 1.0]]), np.array([[1.0, 0.0]])
    M, q, X = condensed(MASS * np.eye(2), *J, [MU], np.array([vx, vy]))
    z = solved(M, q).z
    return z, np.array([vx, vy]) + X.T @ z[:3] / MASS


def test_block_on_a_floor_sticks():
    z, v = one_point(0.03, -GRAVITY * STEP)
    np.testing.assert_allclose(v, 0, atol=1e-15)
    np.testing.assert_allclose([z[0], z[1] - z[2]], [MASS * GRAVITY * STEP, -MASS * 0.03])


@pytest.mark.parametrize("side", [-1, 1])
def test_block_on_a_floor_slides(side):
    z, v = one_point(side * 0.3, -GRAVITY * STEP)
    np.testing.assert_allclose(v, [side * (0.3 - MU * GRAVITY * STEP), 0], atol=1e-14)
    np.testing.assert_allclose(z[1] - z[2], -side * MU * MASS * GRAVITY * STEP)


def test_block_on_a_floor_separates():
    z, v = one_point(0.3, 0.1)
    assert not z[:3].any()
    np.testing.assert_allclose(v, [0.3, 0.1])


def test_exactly_at_the_friction_cone():
    _, v = one_point(MU * GRAVITY * STEP, -GRAVITY * STEP)
    np.testing.assert_allclose(v, 0, atol=1e-15)


def test_four_feet_share_the_weight_somehow():
    Jn, Jt = feet([[-1, -0.5], [-0.5, -0.5], [0.5, -0.5], [1, -0.5]])
    mass, free = np.diag([MASS, MASS, 0.4]), np.array([0.01, -GRAVITY * STEP, 0.0])
    M, q, X = condensed(mass, Jn, Jt, [MU] * 4, free)
    z = solved(M, q).z
    np.testing.assert_allclose(free + np.linalg.solve(mass, X.T @ z[:12]), 0, atol=1e-14)
    assert z[:4].sum() == pytest.approx(MASS * GRAVITY * STEP)


@pytest.mark.parametrize("k", [8, 16, 32])
def test_many_equal_contacts(k):
    Jn, Jt = feet([[0.2, -0.5]] * k)
    M, q, X = condensed(np.diag([1, 1, 0.1]), Jn, Jt, [0.3] * k, np.array([1.0, -1.0, 0.2]))
    v = np.array([1.0, -1.0, 0.2]) + np.linalg.solve(np.diag([1, 1, 0.1]), X.T @ solved(M, q).z[: 3 * k])
    M, q, X = condensed(np.diag([1, 1, 0.1]), Jn[:1], Jt[:1], [0.3], np.array([1.0, -1.0, 0.2]))
    alone = np.array([1.0, -1.0, 0.2]) + np.linalg.solve(np.diag([1, 1, 0.1]), X.T @ solved(M, q).z[:3])
    np.testing.assert_allclose(v, alone)


def painleve(mu, angle, b):
    """Normal acceleration of the sliding tip of a uniform rod: `(1 + 3 c (c - mu s)) f + b`, unit mass."""
    c, s = np.cos(angle), np.sin(angle)
    Jn, Jt = feet([[c, -s]])
    m = Jn @ np.linalg.solve(np.diag([1, 1, 1 / 3]), (Jn - mu * Jt).T)
    np.testing.assert_allclose(m[0, 0], 1 + 3 * c * (c - mu * s))
    return m, [b]


def test_painleve_rod_is_inconsistent_or_ambiguous_beyond_four_thirds():
    angle = np.arctan(2.0)  # where the critical friction 4/3 is attained
    assert solve_lcp(*painleve(1.3, angle, -1.0)).solved
    assert solve_lcp(*painleve(1.4, angle, -1.0)).status.startswith("no solution")
    twice = all_solutions(*painleve(1.4, angle, 1.0))
    assert len(twice.isolated) == 2
    assert twice.complete


def test_painleve_rod_always_steps():
    angle = np.arctan(2.0)
    Jn, Jt = feet([[np.cos(angle), -np.sin(angle)]])
    M, q, X = condensed(np.diag([1, 1, 1 / 3]), Jn, Jt, [2.0], np.array([1.0, -1e-3, 0.0]))
    v = np.array([1.0, -1e-3, 0.0]) + np.linalg.solve(np.diag([1, 1, 1 / 3]), X.T @ solved(M, q).z[:3])
    assert (Jn @ v)[0] >= -1e-12
    np.testing.assert_allclose(Jt @ v, 0, atol=1e-12)  # the impact without collision stops the tip


def massless_leg(motor):
    """A mass on a massless leg that a motor stretches: the toe carries exactly the motor's force."""
    momentum = [MASS * (-GRAVITY * STEP), motor * STEP]
    return kept(np.diag([MASS, 0.0]), np.array([[1.0, -1.0]]), np.zeros((1, 2)), [MU], momentum)


def test_massless_leg_carries_its_motor():
    M, q = massless_leg(30.0)
    z = solved(M, q, equalities=2).z
    assert z[2] == pytest.approx(30.0 * STEP)
    np.testing.assert_allclose(z[:2], (30 / MASS - GRAVITY) * STEP)


def test_massless_leg_that_pulls_is_inconsistent():
    M, q = massless_leg(-30.0)
    assert solve_lcp(M, q, equalities=2).status.startswith("no solution")


def test_massless_leg_in_the_air():
    mass = np.diag([1.0, 0.0])
    assert solve_lcp(mass, [1.0, 0.0], equalities=2).solved
    driven = solve_lcp(mass, [1.0, 0.5], equalities=2)
    assert driven.status == "no solution: the bilateral rows contradict each other"


# Bilateral rows -----------------------------------------------------------------------------------
def test_equalities_alone_are_a_linear_system():
    rng = np.random.default_rng(3)
    M, q = rng.normal(size=(7, 7)), rng.normal(size=7)
    np.testing.assert_allclose(solve_lcp(M, q, equalities=7).z, np.linalg.solve(M, -q))


def test_a_mask_means_the_same_as_a_permutation():
    rng = np.random.default_rng(4)
    G = rng.normal(size=(8, 8))
    M, q = G @ G.T + G - G.T, rng.normal(size=8)
    mask = np.array([0, 1, 0, 1, 1, 0, 0, 0], bool)
    order = np.concatenate([np.flatnonzero(mask), np.flatnonzero(~mask)])
    first = solved(M[np.ix_(order, order)], q[order], equalities=3)
    other = solve_lcp(M, q, equalities=mask)
    np.testing.assert_allclose(other.z[order], first.z, atol=1e-12)
    assert not other.w[mask].any()


def test_redundant_bilateral_rows():
    # a bead on two equal wires above a floor
    J = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    M = np.block([[np.eye(2), -J.T], [J, np.zeros((3, 3))]])
    solution = solved(M, np.array([-3.0, 2.0, 0, 0, 0]), equalities=4)
    np.testing.assert_allclose(solution.z[[0, 1, 4]], [0, 0, 2], atol=1e-12)
    assert solution.z[2] + solution.z[3] == pytest.approx(-3.0)


def test_contradicting_bilateral_rows():
    assert solve_lcp([[1, 1], [1, 1]], [-1, -2], equalities=2).status.startswith("no solution: the bilateral")


@settings(deadline=None, max_examples=60)
@given(seed=SEEDS, n=st.integers(2, 6), k=st.integers(1, 5))
def test_kept_and_condensed_velocities_agree(seed, n, k):
    rng = np.random.default_rng(seed)
    G = rng.normal(size=(n, n))
    mass, J, mu = G @ G.T + 0.2 * np.eye(n), rng.normal(size=(2 * k, n)), rng.uniform(0, 1, k)
    free = rng.normal(size=n)
    M, q, X = condensed(mass, J[:k], J[k:], mu, free)
    v = free + np.linalg.solve(mass, X.T @ solved(M, q).z[: 3 * k])
    M, q = kept(mass, J[:k], J[k:], mu, mass @ free)
    mixed = solved(M, q, equalities=n)
    again = free + np.linalg.solve(mass, X.T @ mixed.z[n : n + 3 * k])
    np.testing.assert_allclose(mixed.z[:n], again, atol=1e-9)
    if k == 1 and mu[0] < 0.1:  # then the answer is unique
        np.testing.assert_allclose(mixed.z[:n], v, atol=1e-8)


# Classes of matrices ------------------------------------------------------------------------------
@settings(deadline=None, max_examples=80)
@given(seed=SEEDS, n=st.integers(1, 12))
def test_p_matrices_have_one_answer_whatever_the_method(seed, n):
    rng = np.random.default_rng(seed)
    G = rng.normal(size=(n, n))
    M, q = G @ G.T + 0.3 * np.eye(n) + (G - G.T), rng.normal(size=n)
    answers = [solved(M, q, methods=[method]).z for method in ("lemke", "principal", "branching")]
    for z in answers[1:]:
        np.testing.assert_allclose(z, answers[0], atol=1e-8)
    if n <= 8:
        everything = all_solutions(M, q)
        assert everything.unique
        np.testing.assert_allclose(everything.isolated[0].z, answers[0], atol=1e-8)


@settings(deadline=None, max_examples=80)
@given(seed=SEEDS, n=st.integers(1, 10), rank=st.integers(0, 6))
def test_semidefinite_problems_are_solved_exactly_when_feasible(seed, n, rank):
    rng = np.random.default_rng(seed)
    G, K = rng.integers(-2, 3, size=(n, rank)), rng.integers(-1, 2, size=(n, n))
    M, q = (G @ G.T + K - K.T).astype(float), rng.integers(-2, 3, size=n).astype(float)
    feasible = linprog(np.zeros(n), A_ub=-M, b_ub=q, method="highs").status == 0
    for methods in (METHODS, ["lemke"]):
        solution = solve_lcp(M, q, methods=methods)
        assert solution.solved == feasible, solution.status
        assert feasible or solution.status.startswith("no solution")
        if feasible:
            assert_complementary(M, q, solution.z, solution.w)
    principal = solve_lcp(M, q, methods=["principal"])
    if principal.solved:
        assert_complementary(M, q, principal.z, principal.w)
    else:  # nothing but a proof may be called "no solution"
        assert principal.status.startswith("not solved" if feasible else "no solution")


@settings(deadline=None, max_examples=80)
@given(seed=SEEDS, n=st.integers(1, 15))
def test_strictly_copositive_problems_always_have_an_answer(seed, n):
    rng = np.random.default_rng(seed)
    G, N = rng.normal(size=(n, n // 2 + 1)), rng.uniform(0, 2, size=(n, n))
    M = G @ G.T + N + N.T + 0.1 * np.eye(n)
    solved(M, rng.normal(size=n), methods=["lemke"])


@settings(deadline=None, max_examples=50)
@given(seed=SEEDS, n=st.integers(1, 4))
def test_any_small_problem_is_decided_rightly(seed, n):
    rng = np.random.default_rng(seed)
    M, q = rng.integers(-2, 3, size=(n, n)).astype(float), rng.integers(-2, 3, size=n).astype(float)
    expected = has_solution(M, q)
    for methods in (METHODS, ["enumeration"], ["branching"]):
        solution = solve_lcp(M, q, methods=methods)
        assert solution.status.startswith("solved" if expected else "no solution"), (solution.status, M, q)
        if expected:
            assert_complementary(M, q, solution.z, solution.w)
    everything = all_solutions(M, q)
    assert everything.complete
    assert bool(everything.isolated or everything.continua) == expected


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, k=st.integers(1, 12), n=st.integers(3, 20))
def test_contact_problems_of_any_redundancy(seed, k, n):
    solution = solved(*random_contact(np.random.default_rng(seed), k, n))
    assert solution.method == "lemke"


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, n=st.integers(1, 10))
def test_units_and_order_do_not_matter(seed, n):
    rng = np.random.default_rng(seed)
    G = rng.normal(size=(n, n))
    M, q = G @ G.T + 0.3 * np.eye(n), rng.normal(size=n)
    R, C, order = 10 ** rng.uniform(-6, 6, n), 10 ** rng.uniform(-6, 6, n), rng.permutation(n)
    plain = solved(M, q).z
    changed = (R[:, None] * M * C)[np.ix_(order, order)], (1e5 * R * q)[order]
    solution = solve_lcp(*changed)
    assert solution.solved
    np.testing.assert_allclose(solution.z * C[order] / 1e5, plain[order], atol=1e-8 * max(1, plain.max()))


# All solutions ------------------------------------------------------------------------------------
def test_all_solutions_of_minus_identity_are_the_corners_of_a_cube():
    everything = all_solutions(-np.eye(4), np.ones(4))
    assert sorted(tuple(s.z) for s in everything.isolated) == sorted(np.ndindex(2, 2, 2, 2))
    assert not everything.continua
    assert everything.complete


def test_all_solutions_finds_a_segment_and_no_point_of_it_alone():
    everything = all_solutions([[1, 1], [1, 1]], [-1, -1])  # z_1 + z_2 = 1
    assert not everything.isolated
    assert [s.active.tolist() for s in everything.continua] == [[True, True]]


def test_all_solutions_finds_a_half_line():
    everything = all_solutions([[0, 0], [0, 1]], [0, -2])
    assert not everything.isolated
    assert everything.continua[0].z[1] == pytest.approx(2)


def test_all_solutions_keeps_a_point_beside_a_segment():
    M, q = np.diag([-1.0, 1.0, 1.0]), np.array([1.0, -1.0, -1.0])
    M[1:, 1:] = 1.0
    everything = all_solutions(M, q)
    assert {round(s.z[0], 9) for s in everything.continua} == {0.0, 1.0}
    assert not everything.isolated


def test_a_singular_basis_with_a_single_point_is_isolated():
    everything = all_solutions([[0, 1], [-1, 0]], [0, 0])  # z_2 = 0 unless z_1 = 0, and the other way round
    assert everything.complete
    M, q = [[1, 0], [0, 0]], [-1, 1]
    assert all_solutions(M, q).unique


def test_sticking_leaves_room_between_the_two_friction_directions():
    M, q, _ = condensed(np.eye(2), np.array([[0.0, 1]]), np.array([[1.0, 0]]), [0.5], np.array([0.1, -1.0]))
    everything = all_solutions(M, q)
    assert everything.continua
    for answer in everything.continua:
        assert_complementary(M, q, answer.z, answer.w)
        np.testing.assert_allclose([answer.z[0], answer.z[1] - answer.z[2]], [1.0, -0.1])


def test_all_solutions_refuses_large_problems():
    with pytest.raises(ValueError, match="17 rows; all solutions can be listed up to 16"):
        all_solutions(np.eye(17), -np.ones(17))


# Guesses, proofs, misuse --------------------------------------------------------------------------
def test_the_previous_basis_is_taken_when_it_is_right():
    M, q = random_contact(np.random.default_rng(5), 4, 12)
    first = solved(M, q)
    again = solved(M, 1.01 * q, guess=first)
    assert first.pivots > 0
    assert again.pivots == 0
    np.testing.assert_allclose(again.z, 1.01 * first.z, atol=1e-12)


def test_a_wrong_guess_does_no_harm():
    M, q = random_contact(np.random.default_rng(6), 4, 12)
    guess = ~solved(M, q).active
    np.testing.assert_allclose(solved(M, q, guess=guess).z, solved(M, q).z)


def test_a_guess_with_bilateral_rows():
    M, q = kept(np.eye(3), np.eye(3)[1:2], np.eye(3)[:1], [0.3], [1.0, -1.0, 0.0])
    first = solved(M, q, equalities=3)
    assert solved(M, 2 * q, equalities=3, guess=first).pivots == 0


def test_branching_decides_what_pivoting_cannot():
    M, q = np.array([[0.0, 1, 0], [0, 0, 1], [-1, 0, 0]]), np.array([-1.0, -1, 1])
    attempt = branching(M, q)
    assert attempt.impossible != has_solution(M, q)
    assert branching(M, q, most=0).reason == "undecided after 0 nodes"


def test_a_certificate_is_believed_only_when_it_proves():
    M, q = np.array([[-1.0, 0], [0, 1]]), np.array([-1.0, 1])
    assert proves_infeasible(M, q, np.array([1.0, 0]))
    assert not proves_infeasible(M, q, np.array([1.0, 1]))  # M^T y has a positive entry
    assert not proves_infeasible(M, q, np.array([0.0, 0]))
    assert not proves_infeasible(M, q, np.array([-1.0, 0]))
    assert infeasible(M, q)
    assert not infeasible(np.eye(2), q)


def test_methods_that_fail_are_named():
    M = random_contact(np.random.default_rng(1), 5, 4)
    solution = solve_lcp(M[0], M[1], methods=["enumeration"])
    assert solution.status == "not solved: enumeration: 20 rows are too many, 16 at most"
    assert solution.problem.M.shape == (20, 20)
    assert solve_lcp(M[0], M[1], methods=[]).status == "not solved: no method was asked for"


def test_answers_are_read_only():
    solution = solve_lcp(np.eye(2), [-1, 1])
    for array in (solution.z, solution.w, solution.problem.M, solution.problem.q):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_a_candidate_is_checked_without_the_solvers():
    problem = LCP(np.eye(2), [-1.0, 1.0])
    assert problem.check([1.0, 0.0])[2] == 0
    assert problem.check([1.0, 0.5])[2] > 0.1
    assert problem.check([0.5, 0.0])[2] > 0.1
    assert problem.check([np.nan, 0.0])[2] == np.inf


@pytest.mark.parametrize("seed", range(20))
def test_the_check_of_the_core_agrees_with_numpy(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 12))
    M = rng.normal(size=(n, n)) * 10.0 ** rng.uniform(-6, 6, size=(n, 1))
    q = rng.normal(size=n) * rng.choice([0.0, 1e-6, 1.0, 1e6], size=n)
    bilateral = rng.random(n) < 0.3
    z = rng.normal(size=n) * rng.choice([0.0, 1.0, 1e3], size=n)
    problem = LCP(M, q, bilateral)
    raised = np.where(bilateral, z, np.maximum(z, 0.0))
    value = M @ raised + q
    slack = np.where(bilateral | (raised > 0.0), 0.0, np.maximum(value, 0.0))
    size = np.abs(M) @ np.abs(raised) + np.abs(q)
    row = problem.scales[0]
    expected = np.max(np.abs(value - slack) / (size + tolerances.ROW_FLOOR * np.max(row * size) / row))
    found = problem.check(z)
    np.testing.assert_array_equal(found[0], raised)
    np.testing.assert_allclose(found[1], slack, rtol=1e-12, atol=1e-12 * size.max())
    assert found[2] == pytest.approx(expected, rel=1e-9, abs=1e-13)


@pytest.mark.parametrize(
    ("M", "q", "options", "message"),
    [
        ([[1, 2]], [1], {}, r"M has shape \(1, 2\); a square matrix"),
        (np.eye(2), [1], {}, r"q has shape \(1,\), but M has 2 rows"),
        ([[np.nan]], [1], {}, r"M\[0, 0\] is nan"),
        ([[1]], [np.inf], {}, r"q\[0\] is inf"),
        ([[1e-300]], [-1e300], {}, "choose other units"),
        (np.eye(2), [1, 1], {"equalities": 3}, "equalities is 3"),
        (np.eye(2), [1, 1], {"equalities": [True]}, "a mask of 2 booleans"),
        (np.eye(2), [1, 1], {"equalities": -1}, "equalities is -1"),
        (np.eye(2), [1, 1], {"methods": ["newton"]}, "newton"),
        (np.eye(2), [1, 1], {"methods": "lemke"}, "sequence"),
        (np.eye(2), [1, 1], {"guess": [0, 1]}, "a mask of 2 booleans"),
    ],
)
def test_misuse_says_what_was_expected(M, q, options, message):
    with pytest.raises(ValueError, match=message):
        solve_lcp(M, q, **options)


def test_complex_numbers_are_refused():
    with pytest.raises(ValueError, match=r"M is not an array of numbers: \[\[1j\]\]"):
        solve_lcp([[1j]], [1])


def test_a_larger_diagonal_makes_up_no_answer():
    """With a diagonal larger by 1e-12 this problem has an answer of 1e11; as it stands it has none."""
    M, q = np.array([[2.0, -1.0, -1.0], [-2.0, 1.0, 2.0], [2.0, 2.0, 2.0]]), np.array([-2.0, 1.0, 1.0])
    assert not has_solution(M, q)
    assert not solve_lcp(M, q, methods=["precise"]).solved
    assert solve_lcp(M, q).status.startswith("no solution")


def test_rounding_in_a_column_without_diagonal_sets_no_scale():
    """A friction-like column whose only entry beside a diagonal row is noise used to make every tolerance
    infinite.
    """
    M = np.array([[1.0, 0.0, 1e-18], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    q = np.array([-1.0, -1.0, 1.0])
    found = solve_lcp(M, q)
    assert found.solved
    assert np.allclose(found.z, [1.0, 1.0, 1.0])
    wrong = solve_lcp(M, np.array([-1.0, -1.0, -1.0]))  # w2 = -z1 - 1 < 0 whatever z is
    assert not wrong.solved
