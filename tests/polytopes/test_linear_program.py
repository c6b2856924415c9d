"""The kernel, HiGHS and exact arithmetic must tell the same story, and a failed check must never go
unnoticed.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from random_sets import objective, rows

from modecontrol._core import layout
from modecontrol._core import polytopes as core
from modecontrol.errors import UncheckedError
from modecontrol.polytopes import Polytope, linear_program
from modecontrol.polytopes.linear_program import feasible_point, optimum, optimum_by_highs, optimum_exactly

PROBLEMS = rows().flatmap(lambda data: objective(data[0].shape[1]).map(lambda c: (c, *data)))


def assert_proved(c, A, b, C, d, answer):
    if answer.status == "optimal":
        y, z = answer.certificate
        assert np.all(y >= 0)
        assert A.T @ y + C.T @ z == pytest.approx(c, abs=1e-7)
        assert b @ y + d @ z == pytest.approx(answer.value, abs=1e-7)
    elif answer.status == "infeasible":
        y, z = answer.certificate
        assert np.all(y >= 0)
        assert A.T @ y + C.T @ z == pytest.approx(np.zeros(len(c)), abs=1e-7)
        assert b @ y + d @ z < 0
    else:
        assert np.all(A @ answer.ray <= 1e-9)
        assert C @ answer.ray == pytest.approx(np.zeros(len(d)), abs=1e-9)
        assert c @ answer.ray > 0
    if answer.point is not None:
        assert np.all(A @ answer.point <= b + 1e-8)
        assert C @ answer.point == pytest.approx(d, abs=1e-8)


@settings(deadline=None, max_examples=60)
@given(PROBLEMS)
def test_three_methods_agree_and_prove_it(problem):
    answers = [method(*problem) for method in (optimum, optimum_by_highs, optimum_exactly)]
    assert len({answer.status for answer in answers}) == 1
    for answer in answers:
        assert answer.value == pytest.approx(answers[0].value, abs=1e-8)
        assert_proved(*problem, answer)


@settings(deadline=None, max_examples=60)
@given(rows())
def test_feasible_point_or_certificate(data):
    answer = feasible_point(*data)
    assert_proved(np.zeros(data[0].shape[1]), *data, optimum_exactly(np.zeros(data[0].shape[1]), *data))
    assert (answer.status == "infeasible") == (
        optimum_exactly(np.zeros(data[0].shape[1]), *data).status == "infeasible"
    )
    if answer.point is not None:
        assert Polytope(*data).contains(answer.point)


def undecided(c, A, b, C, d):
    nothing = np.full(A.shape[1], np.nan)
    return core.Program(
        layout.UNDECIDED, np.nan, nothing, nothing, np.full(len(b), np.nan), np.full(len(d), np.nan)
    )


@pytest.mark.parametrize(
    ("c", "status"), [([1.0, 0.0], "optimal"), ([0.0, 1.0], "unbounded"), ([1.0, 1.0], "unbounded")]
)
def test_highs_is_asked_when_the_kernel_declines(monkeypatch, c, status):
    monkeypatch.setattr(core, "maximize", undecided)
    P = Polytope([[1.0, 0.0], [-1.0, 0.0]], [2, 1])
    answer = P.maximize(c)
    assert answer.status == status
    assert_proved(np.array(c), *P.rows, answer)


def test_exact_arithmetic_is_asked_when_highs_fails_too(monkeypatch):
    monkeypatch.setattr(core, "maximize", undecided)
    monkeypatch.setattr(linear_program, "optimum_by_highs", lambda *problem: None)
    assert Polytope.box([0, 0], [2, 3]).support([1.0, 1.0]) == 5


def test_no_method_left_is_an_error_that_carries_the_problem(monkeypatch):
    monkeypatch.setattr(core, "maximize", undecided)
    monkeypatch.setattr(linear_program, "optimum_by_highs", lambda *problem: None)
    monkeypatch.setattr(linear_program, "EXACT_SIZE", 0)
    with pytest.raises(UncheckedError, match="no method") as caught:
        Polytope.box([0, 0], [2, 3]).support([1.0, 1.0])
    assert caught.value.data["A"].shape == (4, 2)


def test_a_wrong_answer_of_highs_is_refused(monkeypatch):
    honest = linear_program._linprog

    def wrong(*args):
        result = honest(*args)
        if result.x is not None:
            result.x = result.x + 1e-3
        return result

    monkeypatch.setattr(linear_program, "_linprog", wrong)
    P = Polytope.box([0.0, 0.0], [1.0, 1.0])
    assert optimum_by_highs(np.array([1.0, 2.0]), *P.rows) is None


def test_optimum_is_true_only_when_there_is_one():
    assert Polytope.box([0], [1]).maximize([1])
    assert not Polytope.whole(1).maximize([1])
    assert not Polytope.empty(1).maximize([1])
