"""Hostile and extreme arguments: a sentence, never a crash, a bare error or another answer."""

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.validation import as_vector, check_margin, check_number, did_you_mean, shown

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
    with pytest.raises(ValueError, match=r"a number in .*expected one number"):
        mc.maximize(response, f"{digits}*alpha")
    with pytest.raises(ValueError, match=r"a number in .*expected one number"):
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
    with pytest.raises(ValueError, match=r"gap is 2; expected one finite number >= 0 <= 1 \(m\)"):
        check_number(2, "gap", least=0.0, greatest=1.0, unit="m")
    assert as_vector((1, 2), ("a", "b"), "x").tolist() == [1.0, 2.0]
    assert did_you_mean("alpah", ["alpha", "beta"]) == "; did you mean 'alpha'?"
    assert did_you_mean("gamma_ray", ["x"]) == ""
    assert shown("x" * 500).endswith("...")
