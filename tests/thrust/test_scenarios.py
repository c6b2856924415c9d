"""Promises at given inputs, for listed scenarios, and against the width of the intervals."""

import numpy as np
import pytest

import modecontrol as mc

PRESS = "body.normal >= 10"


def at_rest(**parameters):
    model = mc.load("rhex", **parameters).uncertain(mu_toe=(0.54, 0.66))
    return mc.dynamic_response(model.snapshot(model.start), task=PRESS)


def test_what_is_promised_at_the_best_inputs_is_its_value():
    response = at_rest()
    best = mc.maximize(response, "alpha", guarantee="outcome", patience=20)
    assert mc.promised_value(response, "alpha", best.torque) == pytest.approx(best.value, abs=1e-6)
    assert mc.promised_value(response, "alpha", [5.0, 5.0, 5.0]) == -np.inf  # no mode explains these
    with pytest.raises(ValueError, match="expected 3 finite"):
        mc.promised_value(response, "alpha", [1.0])


def test_every_listed_scenario_keeps_the_promise():
    responses = [at_rest(m=m) for m in (8.0, 9.0)]
    best = mc.maximize_over_scenarios(responses, "alpha", patience=20)
    alone = [mc.maximize(response, "alpha", guarantee="outcome", patience=20).value for response in responses]
    assert best.value <= min(alone) + 1e-6
    assert best.value > 0.9 * min(alone)
    assert "2 listed scenarios" in best.existence
    for response in responses:
        assert mc.promised_value(response, "alpha", best.torque) >= best.value - 1e-9


def test_a_scenario_with_other_contacts_is_one_clear_line():
    block = mc.load("block")
    other = mc.dynamic_response(block.snapshot(block.start))
    with pytest.raises(ValueError, match="expected those of the first") as caught:
        mc.maximize_over_scenarios([at_rest(), other], "alpha")
    assert "\n" not in str(caught.value)
    with pytest.raises(ValueError, match="at least one"):
        mc.maximize_over_scenarios([], "alpha")


def test_the_price_of_robustness_never_falls_back(tmp_path):
    model = mc.load("rhex").uncertain(mu_toe=(0.54, 0.66), mu_body=(0.18, 0.22))
    response = mc.dynamic_response(model.snapshot(model.start), task=PRESS)
    price = mc.price_of_robustness(response, "alpha", widths=(0.0, 0.1, 0.2), patience=10)
    assert price.values[0] == pytest.approx(86.2608, abs=1e-3)
    assert price.values[1] == pytest.approx(85.3559, abs=1e-3)
    assert np.all(np.diff(price.values) <= 1e-9)
    axes = price.plot()
    np.testing.assert_allclose(axes.lines[0].get_xdata(), [0.0, 10.0, 20.0])
    np.testing.assert_allclose(axes.lines[0].get_ydata(), price.values)
    with pytest.raises(ValueError, match="from 0 to 1"):
        mc.price_of_robustness(response, "alpha", widths=(2.0,))
