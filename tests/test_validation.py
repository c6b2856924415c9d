"""Hostile and extreme arguments: a sentence, never a crash, a bare error or another answer."""

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.validation import (
    as_path,
    as_vector,
    check_count,
    check_flag,
    check_margin,
    check_number,
    check_word,
    coefficients,
    did_you_mean,
    real_array,
    shown,
)

HUGE = 10**400
NO_MARGIN = [
    np.inf,
    -np.inf,
    np.nan,
    1e308,
    -1.0,
    True,
    np.True_,
    1 + 2j,
    "0.1",
    None,
    [0.1],
    np.array([0.1]),
    HUGE,
]


@pytest.fixture(scope="module")
def rhex():
    model = mc.load("rhex")
    return model, mc.dynamic_response(model.snapshot(model.start), task="body.normal >= 10")


@pytest.mark.parametrize("margin", NO_MARGIN, ids=lambda value: shown(value)[:12])
def test_what_is_no_margin_is_refused_everywhere(rhex, margin):
    model, response = rhex
    for ask in (
        lambda: mc.maximize(response, "alpha", margin=margin),
        lambda: response.unambiguous("FFFF", margin=margin),
        lambda: mc.design(response, margin=margin),
        lambda: mc.MaximalThrust(model, "alpha", margin=margin),
    ):
        with pytest.raises(ValueError, match=r"margin is .*expected one finite number >= 0"):
            ask()


@pytest.mark.parametrize("margin", [0, 0.0, np.float32(0.25), np.int64(1), np.array(0.5), 1e99])
def test_what_is_a_margin_is_taken(rhex, margin):
    assert check_margin(margin) == float(margin)
    assert isinstance(check_margin(margin), float)
    assert mc.maximize(rhex[1], "alpha", margin=margin).reason


@pytest.mark.parametrize(
    "tau",
    [[1j, 0, 0], [HUGE, 0, 0], ["a", 0, 0], [None, 0, 0], [1e308, 0, 0], [0, 0], 1.0, None, [[0, 0, 0]]],
)
def test_torques_that_are_none(rhex, tau):
    with pytest.raises(ValueError, match=r"tau is .*expected 3 finite numbers \(tau1, tau2, tau3\)"):
        rhex[1].modes_at(tau)


def test_numbers_beyond_double_precision(rhex):
    model, response = rhex
    digits = "9" * 400
    with pytest.raises(ValueError, match=r"a number in .*expected one finite number"):
        mc.maximize(response, f"{digits}*alpha")
    with pytest.raises(ValueError, match=r"a number in .*expected one finite number"):
        mc.dynamic_response(model.snapshot(model.start), task=f"body.normal >= {digits}")
    with pytest.raises(ValueError, match="objective is"):
        mc.maximize(response, [HUGE, 0, 0, 0, 0, 0])
    with pytest.raises(ValueError, match="objective is"):
        mc.maximize(response, np.array([1j, 0, 0, 0, 0, 0]))
    for q in ([HUGE] * 6, [1j] * 6):
        with pytest.raises(ValueError, match="q is no sequence of numbers"):
            model.snapshot(q)


@pytest.mark.parametrize("patience", [True, -1, 1.5, "many"])
def test_patience_is_a_number_of_programs(rhex, patience):
    with pytest.raises(ValueError, match="patience is"):
        mc.maximize(rhex[1], "alpha", patience=patience)


def test_ranges_and_words():
    assert check_number(np.inf, "limit", infinite=True) == np.inf
    with pytest.raises(ValueError, match=r"gap is 2; expected one finite number from 0 to 1 \(m\)"):
        check_number(2, "gap", least=0.0, greatest=1.0, unit="m")
    assert as_vector((1, 2), ("a", "b"), "x").tolist() == [1.0, 2.0]
    assert did_you_mean("alpah", ["alpha", "beta"]) == "; did you mean 'alpha'?"
    assert did_you_mean("gamma_ray", ["x"]) == ""
    assert shown("x" * 500).endswith("...")


def test_an_objective_beyond_double_precision_ends_no_process(rhex):
    """It did: a promise that was no number let the search take from an empty heap."""
    for text in ("1e400*alpha", "1e99*1e99*alpha", "1e308*alpha"):
        with pytest.raises(ValueError, match="expected one finite number"):
            mc.maximize(rhex[1], text)


def test_the_core_itself_refuses_what_double_cannot_hold(rhex):
    model, _ = rhex
    quick = model.snapshot(model.start, [1e90] * 6)
    for ask in (mc.dynamic_response, mc.kinematic_modes):
        with pytest.raises(ValueError, match=r"expected finite numbers up to 1e\+100|approach"):
            ask(quick, check_state=False)


def test_a_margin_beyond_all_inputs_is_like_their_extent():
    uncertain = mc.load("two_link", mu=0.8).uncertain(mu=(0.5, 0.9))
    response = mc.dynamic_response(uncertain.snapshot(uncertain.start), torque_limits=[(-5.0, 5.0)])
    least, most = (mc.maximize(response, "theta", margin=m, guarantee="outcome") for m in (20.0, 1e30))
    assert least.reason == most.reason
    assert least.value == most.value


def test_arrays_are_read_in_one_place():
    assert real_array([1, 2.5], "x").tolist() == [1.0, 2.5]
    assert real_array([1e300, -1e300], "x", infinite=True).tolist() == [np.inf, -np.inf]
    for wrong in ([1e300], [np.inf], [np.nan], [1j], ["1"], [True], [None], [10**400], [[1], [1, 2]]):
        with pytest.raises(ValueError, match="x"):
            real_array(wrong, "x")
    with pytest.raises(
        ValueError, match="a row of A holds no number beyond 1e-150; expected coefficients above 1e-100"
    ):
        coefficients([[1.0, 0.0], [0.0, 1e-150]], "A", by_row=True)
    assert coefficients([[1.0, 1e-150]], "A", by_row=True).tolist() == [[1.0, 0.0]]


def test_words_counts_flags_and_paths():
    assert check_word("os", "formulation", ("os", "mc")) == "os"
    with pytest.raises(ValueError, match=r"formulation is \[\]; expected one of os, mc"):
        check_word([], "formulation", ("os", "mc"))
    assert check_count(np.int64(3), "n") == 3
    for wrong in (-1, 1.5, True, None, 10**400, np.nan):
        with pytest.raises(ValueError, match="n is"):
            check_count(wrong, "n")
    with pytest.raises(ValueError, match="certify is 1; expected True or False"):
        check_flag(1, "certify")
    for wrong, kind in (("a\0b", ValueError), (3, TypeError), (None, TypeError)):
        with pytest.raises(kind, match="expected the name of a file"):
            as_path(wrong)


@pytest.mark.parametrize("words", [{"seed": 0.5}, {"seed": -1}, {"seed": [[]]}, {"progress": 3}], ids=str)
def test_random_inputs_with_a_hostile_seed_or_progress(rhex, words):
    with pytest.raises((ValueError, TypeError), match="; expected"):
        rhex[1].sampled_coverage(10, **words)


def test_a_seed_that_holds_itself_ends_no_process(rhex):
    circle = []
    circle.append(circle)
    with pytest.raises(ValueError, match="seed is"):
        rhex[1].sampled_coverage(10, seed=circle)


@pytest.mark.parametrize(
    "inputs",
    [np.nan, 1e100, [1.0], iter([1.0]), np.zeros((2, 2)), [[np.nan] * 3]],
    ids=["nan", "number", "list", "iterator", "two", "row"],
)
def test_many_inputs_that_are_none(rhex, inputs):
    with pytest.raises(ValueError, match="inputs"):
        rhex[1]["FFFF"].allows_each(inputs)


@pytest.mark.parametrize("torque", [1.0, 1e-9, 1e-12])
def test_one_input_alone_with_an_answer_in_any_unit(torque):
    snapshot = mc.Snapshot(
        mass=np.diag([1.0, 0.0]),
        bias=[0.0, -2.0],
        actuation=np.array([[0.0], [1.0]]) / torque,
        jacobian=np.array([[0.0, 0.0], [1.0, 0.0]]),
        drift=[0.0, 0.0],
        friction=[0.0],
        velocity=[0.0, 0.0],
    )
    response = mc.dynamic_response(snapshot, [(-20.0 * torque, 20.0 * torque)], velocity_tolerance=0)
    assert response.admissible.torques.dimension == 0
    assert response.coverage()["inconsistent"] == 0


@pytest.mark.parametrize("words", [{"stop": len}, {"stop": int}, {"callback": int}, {"callback": 3}], ids=str)
def test_functions_that_cannot_take_a_state(words):
    with pytest.raises(ValueError, match=r"expected a function \w+\(t, q, v\)"):
        mc.simulate(mc.load("block"), duration=0.01, **words)


def test_what_is_no_model_of_a_run(tmp_path):
    path = mc.simulate(mc.load("block"), duration=0.01).save(tmp_path / "run.npz")
    with pytest.raises(TypeError, match="model is"):
        mc.Trajectory.load(path, model=np.eye(2))


def test_numbers_of_other_kinds():
    block = mc.load("block")
    assert mc.simulate(block, duration=0.01, controller=[0.0], delay=np.float16(6e4))
    with pytest.raises(ValueError, match="lifted is"):
        mc.MaximalThrust(mc.load("rhex"), "alpha", lifted=np.ma.array([1.0, 2.0], mask=[True, False]))
    with pytest.raises(ValueError, match="lifted is"):
        mc.MaximalThrust(mc.load("rhex"), "alpha", lifted=np.zeros((2, 2, 2)))
