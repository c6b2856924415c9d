"""Linear programs of the kernel against HiGHS and against their own certificates, in the original data."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from modecontrol._core.layout import INFEASIBLE, OPTIMAL, UNBOUNDED
from scipy.optimize import linprog

from modecontrol._core.polytopes import maximize, maximize_batch

WORDS = {0: OPTIMAL, 2: INFEASIBLE, 3: UNBOUNDED}


def check(c, A, b, C, e):
    """Verify the answer's certificate and return it."""
    answer = maximize(*(np.ascontiguousarray(x, dtype=float) for x in (c, A, b, C, e)))
    scale = 1 + max(np.abs(x).max(initial=0.0) for x in (c, A, b, C, e))
    if answer.status == OPTIMAL:
        size = scale * (1 + np.abs(answer.x).max(initial=0.0))
        assert np.all(A @ answer.x <= b + 1e-7 * size)
        assert np.allclose(C @ answer.x, e, atol=1e-7 * size)
        assert np.all(answer.y >= 0)
        dual = scale * (1 + np.abs(answer.y).max(initial=0.0) + np.abs(answer.z).max(initial=0.0))
        assert np.allclose(A.T @ answer.y + C.T @ answer.z, c, atol=1e-7 * dual)
        assert np.isclose(answer.value, b @ answer.y + e @ answer.z, rtol=1e-7, atol=1e-7 * dual)
    elif answer.status == INFEASIBLE:
        assert np.all(answer.y >= 0)
        assert np.allclose(A.T @ answer.y + C.T @ answer.z, 0.0, atol=1e-8 * scale)
        assert b @ answer.y + e @ answer.z < 0
    else:
        assert answer.status == UNBOUNDED
        assert np.all(A @ answer.ray <= 1e-8 * scale)
        assert np.allclose(C @ answer.ray, 0.0, atol=1e-8 * scale)
        assert c @ answer.ray > 0
    return answer


def integers(shape, low=-3, high=3):
    return st.lists(st.integers(low, high), min_size=int(np.prod(shape)), max_size=int(np.prod(shape))).map(
        lambda x: np.array(x, float).reshape(shape)
    )


@st.composite
def programs(draw):
    """Small integer data: degenerate, redundant, flat, empty and unbounded problems come by themselves."""
    m, p, d = draw(st.integers(0, 8)), draw(st.integers(0, 2)), draw(st.integers(1, 4))
    return (
        draw(integers((d,))),
        draw(integers((m, d))),
        draw(integers((m,))),
        draw(integers((p, d))),
        draw(integers((p,))),
    )


@settings(deadline=None, max_examples=100)
@given(programs())
def test_status_and_value_as_highs_has_them(program):
    c, A, b, C, e = program
    answer = check(*program)
    other = linprog(
        -c, A, b, C if len(C) else None, e if len(e) else None, bounds=(None, None), method="highs"
    )
    if other.status == 4 or (other.status == 2 and answer.status == UNBOUNDED):
        return  # HiGHS could not tell infeasible from unbounded; the certificate above has decided
    assert answer.status == WORDS[other.status]
    if answer.status == OPTIMAL:
        assert np.isclose(answer.value, -other.fun, atol=1e-7)


@settings(deadline=None, max_examples=50)
@given(programs(), st.integers(0, 2**31 - 1))
def test_units_and_order_of_rows_change_nothing(program, seed):
    c, A, b, C, e = program
    rng = np.random.default_rng(seed)
    plain = check(*program)
    rows, columns = 10.0 ** rng.integers(-6, 7, len(b)), 10.0 ** rng.integers(-3, 4, len(c))
    order = rng.permutation(len(b))
    other = maximize(c * columns, (A * rows[:, None] * columns)[order], (b * rows)[order], C * columns, e)
    assert other.status == plain.status
    if plain.status == OPTIMAL:
        assert np.isclose(other.value, plain.value, rtol=1e-7, atol=1e-7)


def test_beale_cycles_under_the_textbook_rule():
    c = np.array([0.75, -150.0, 0.02, -6.0])
    A = np.vstack([[0.25, -60, -0.04, 9], [0.5, -90, -0.02, 3], [0, 0, 1, 0], -np.eye(4)])
    answer = check(c, A, np.array([0, 0, 1, 0, 0, 0, 0.0]), np.zeros((0, 4)), np.zeros(0))
    assert np.isclose(answer.value, 0.05)


def test_kuhn_cycles_under_the_textbook_rule():
    c = np.array([2.0, 3.0, -1.0, -12.0])
    A = np.vstack([[-2, -9, 1, 9], [1 / 3, 1, -1 / 3, -2], -np.eye(4)])
    none = np.zeros((0, 4)), np.zeros(0)
    assert check(c, A, np.zeros(6), *none).status == UNBOUNDED
    answer = check(c, np.vstack([A, c]), np.append(np.zeros(6), 2.0), *none)
    assert np.isclose(answer.value, 2.0)


@pytest.mark.parametrize("d", [3, 6, 9])
def test_klee_minty(d):
    A = np.vstack([np.eye(d) + 2 * np.tril(10.0 ** (np.arange(d)[:, None] - np.arange(d)), -1), -np.eye(d)])
    b = np.concatenate([100.0 ** np.arange(d), np.zeros(d)])
    answer = check(10.0 ** np.arange(d - 1, -1, -1), A, b, np.zeros((0, d)), np.zeros(0))
    assert np.isclose(answer.value, 100.0 ** (d - 1))


def test_fourteen_variables_with_large_integers():
    rng = np.random.default_rng(14)
    A = rng.integers(-(10**6), 10**6, (40, 14)).astype(float)
    b = A @ rng.integers(-1000, 1000, 14) + rng.integers(1, 10**6, 40)
    A, b = np.vstack([A, np.eye(14), -np.eye(14)]), np.concatenate([b, np.full(28, 1e5)])
    c = rng.integers(-1000, 1000, 14).astype(float)
    answer = check(c, A, b, np.zeros((0, 14)), np.zeros(0))
    assert np.isclose(answer.value, -linprog(-c, A, b, bounds=(None, None)).fun, rtol=1e-7)


def test_no_rows_zero_rows_and_too_many_equalities():
    none = np.zeros((0, 2)), np.zeros(0)
    assert check(np.ones(2), *none, *none).status == UNBOUNDED
    assert check(np.zeros(2), *none, *none).status == OPTIMAL
    assert check(np.zeros(2), np.zeros((1, 2)), np.array([-1.0]), *none).status == INFEASIBLE
    assert check(np.zeros(2), np.zeros((1, 2)), np.array([1.0]), *none).status == OPTIMAL
    C = np.array([[1.0, 0], [0, 1], [1, 1]])
    assert check(np.ones(2), *none, C, np.array([1.0, 2, 3])).status == OPTIMAL
    assert check(np.ones(2), *none, C, np.array([1.0, 2, 4])).status == INFEASIBLE


def test_batch_gives_what_single_calls_give():
    rng = np.random.default_rng(3)
    sizes = [0, 3, 8, 5]
    A = rng.integers(-3, 4, (sum(sizes), 3)).astype(float)
    b = rng.integers(-1, 4, sum(sizes)).astype(float)
    c = rng.integers(-3, 4, (4, 3)).astype(float)
    start = np.concatenate([[0], np.cumsum(sizes)])
    batch = maximize_batch(c, A, b, np.zeros((0, 3)), np.zeros(0), start, np.zeros(5, np.int64))
    for i in range(4):
        rows = slice(start[i], start[i + 1])
        single = maximize(c[i], A[rows], b[rows], np.zeros((0, 3)), np.zeros(0))
        assert batch.status[i] == single.status
        assert np.array_equal(batch.x[i], single.x, equal_nan=True)
