"""`prepare` and `solve_again`: one set, many objectives, each from where the last one ended."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from modecontrol._core.layout import INFEASIBLE, OPTIMAL, UNBOUNDED
from scipy.optimize import linprog

from modecontrol._core.polytopes import Workspace, prepare, solve_again, solve_into

WORDS = {0: OPTIMAL, 2: INFEASIBLE, 3: UNBOUNDED}


@st.composite
def sets(draw):
    """Rows of small integers around a point of the set: cones, flat and unbounded sets come by themselves."""
    m, p, d = draw(st.integers(1, 9)), draw(st.integers(0, 2)), draw(st.integers(1, 4))

    def matrix(*shape, low=-3):
        size = int(np.prod(shape))
        return np.array(draw(st.lists(st.integers(low, 3), min_size=size, max_size=size)), float).reshape(
            shape
        )

    A, C, x = matrix(m, d), matrix(p, d), matrix(d)
    return A, A @ x + matrix(m, low=0), C, C @ x, matrix(6, d)


def check_answer(ws, status, value, c, rows):
    """The answer is proved by its own multipliers or ray, and HiGHS has the same."""
    A, b, C, e = rows
    d = len(c)
    x, y, z = ws.x[:d], ws.y[: len(b)], ws.z[: len(e)]
    assert np.all(A @ x <= b + 1e-7)
    assert np.allclose(C @ x, e, atol=1e-7)
    if status == OPTIMAL:
        assert np.all(y >= 0)
        assert np.allclose(A.T @ y + C.T @ z, c, atol=1e-7)
        assert np.isclose(c @ x, value, atol=1e-6)
        assert np.isclose(b @ y + e @ z, value, atol=1e-6)
    else:
        ray = ws.ray[:d]
        assert np.all(A @ ray <= 1e-8)
        assert np.allclose(C @ ray, 0.0, atol=1e-8)
        assert c @ ray > 0
    other = linprog(-c, A, b, C if len(e) else None, e if len(e) else None, bounds=(None, None))
    if other.status in WORDS:  # HiGHS cannot always tell unbounded from infeasible
        assert status == WORDS[other.status] or (other.status == 2 and status == UNBOUNDED)
    if other.status == 0:
        assert np.isclose(value, -other.fun, atol=1e-6)


@settings(deadline=None, max_examples=60)
@given(sets())
def test_every_objective_of_a_chain_is_answered_as_if_it_were_the_first(problem):
    A, b, C, e, objectives = problem
    ws = Workspace(len(b), len(e), A.shape[1])
    assert prepare(ws, A, b, C, e) == OPTIMAL
    for c in objectives:
        status, value = solve_again(ws, c)
        check_answer(ws, status, value, c, (A, b, C, e))


@settings(deadline=None, max_examples=40)
@given(sets())
def test_a_program_may_be_the_start_and_the_workspace_larger_than_the_set(problem):
    A, b, C, e, objectives = problem
    ws = Workspace(len(b) + 3, len(e) + 2, A.shape[1] + 2)
    status, value = solve_into(ws, objectives[0], A, b, C, e)
    check_answer(ws, status, value, objectives[0], (A, b, C, e))
    for c in objectives[1:]:
        status, value = solve_again(ws, c)
        check_answer(ws, status, value, c, (A, b, C, e))


def test_long_chains_do_not_gather_rounding():
    rng = np.random.default_rng(4)
    A, b = rng.normal(size=(14, 5)), rng.random(14) + 0.1
    A, b = np.vstack([A, np.eye(5), -np.eye(5)]), np.concatenate([b, np.full(10, 3.0)])
    none = np.zeros((0, 5)), np.zeros(0)
    ws, once = Workspace(24, 0, 5), Workspace(24, 0, 5)
    assert prepare(ws, A, b, *none) == OPTIMAL
    worst = 0.0
    for c in rng.normal(size=(2000, 5)):
        status, value = solve_again(ws, c)
        assert status == OPTIMAL
        worst = max(worst, abs(value - solve_into(once, c, A, b, *none)[1]))
    assert worst < 1e-10


def test_empty_sets_have_no_start():
    A = np.array([[1.0, 0], [-1, 0]])
    ws = Workspace(2, 0, 2)
    assert prepare(ws, A, np.array([0.0, -1.0]), np.zeros((0, 2)), np.zeros(0)) == INFEASIBLE
    assert np.allclose(ws.y, 1.0)
