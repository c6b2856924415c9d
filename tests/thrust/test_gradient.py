"""Sensitivities against differences; `campaigns/sensitivities.py` does the same on many more states."""

import math
import pickle

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.thrust.gradient import Gradient
from modecontrol.trials.rhex.observer import at_rest

TASK = "body.normal >= 10"


def best_of(rhex, alpha=None, margin=0.0, **changes):
    model = rhex.with_parameters(**changes) if changes else rhex
    q = np.array(model.start)
    q[2] = 0.2 if alpha is None else alpha
    return mc.maximize(
        mc.dynamic_response(model.snapshot(at_rest(model, q)), task=TASK), "alpha", margin=margin
    )


def key(best):
    return best.mode, best.active


def difference(value, x, size):
    """Central difference of fourth order with one extrapolation, and whether the optimum stays of one kind."""
    slopes, kinds = [], {key(value(x))}
    for step in (4e-4 * size, 2e-4 * size):
        found = [value(x + i * step) for i in (-2, -1, 1, 2)]
        kinds |= {key(best) for best in found}
        v = [best.value for best in found]
        slopes.append((v[0] - 8 * v[1] + 8 * v[2] - v[3]) / (12 * step))
    return (16 * slopes[1] - slopes[0]) / 15, len(kinds) == 1


@pytest.mark.parametrize(
    "name", ["l", "d", "h", "d1", "d2", "d3", "m", "I", "mu_toe", "mu_body", "stall", "no_load", "alpha"]
)
def test_rhex(name):
    rhex = mc.load("rhex", mu_toe=0.55)
    compared = 0
    for alpha, margin in ((0.07, 0.0), (0.31, 1e-3), (0.66, 0.3), (1.01, 0.0)):
        best = best_of(rhex, alpha, margin)
        found = best.gradient(name, place=at_rest)
        x = alpha if name == "alpha" else rhex.parameters[name]
        if name == "alpha":
            slope, regular = difference(lambda at, margin=margin: best_of(rhex, at, margin), x, x)
        else:
            slope, regular = difference(
                lambda at, alpha=alpha, margin=margin: best_of(rhex, alpha, margin, **{name: at}), x, x
            )
        if regular:
            assert found.status == "differentiable"
            assert float(found) == pytest.approx(slope, abs=1e-6 * max(abs(slope), abs(best.value) / x))
            compared += 1
    assert compared >= 2


@pytest.mark.parametrize(
    ("alpha", "name", "values"),
    [
        (
            0.19373645,
            "mu_toe",
            {"mu_toe": 0.73622685, "mu_body": 0.40186641, "stall": 6.39894588, "l": 0.1567332},
        ),
        (
            0.14790506,
            "I",
            {"mu_toe": 0.85458442, "mu_body": 0.12298937, "stall": 8.72678258, "l": 0.18146173},
        ),
    ],
)
def test_facets_that_keep_other_modes_away_move_with_their_margin(alpha, name, values):
    """The distance that is kept grows with the length of a normal, and its least part with the row."""
    rhex = mc.load("rhex", **values)
    x = rhex.parameters[name]
    found = best_of(rhex, alpha, 0.3).gradient(name, place=at_rest)
    slope, regular = difference(lambda at: best_of(rhex, alpha, 0.3, **{name: at}), x, x)
    assert regular
    assert float(found) == pytest.approx(slope, rel=1e-7)


def test_a_box_known_by_hand():
    """A block of mass m on a slope, pushed along x with at most F: sliding down, `x_dd = F/m cos s ... - mu`,
    linear in F.
    """
    model = mc.load("block", slope=0.0, mu=0.3)
    best = mc.maximize(mc.dynamic_response(model.snapshot(model.start), torque_limits=[(-20, 20)]), "x")
    m = model.parameters["m"]
    assert best.value == pytest.approx((20 - 0.3 * m * 9.81) / m)
    assert best.gradient("mu").value == pytest.approx(-9.81, rel=1e-9)
    assert best.gradient("m").value == pytest.approx(-20 / m**2, rel=1e-9)


def test_velocities_and_friction_of_a_moving_state():
    model = mc.load("rhex", mu_toe=0.5)
    q = at_rest(model, np.array([0, 0, 0.2, 0, 0, 0.0]))
    v = np.zeros(6)
    v[0] = 0.3
    v = model.settle_velocity(q, v, zero_normal=model.contacts)

    def best(x):
        return mc.maximize(mc.dynamic_response(model.snapshot(q, v * x), task=TASK), "alpha")

    found = best(1.0)
    total = sum(found.gradient(f"{name}_d").value * v[i] for i, name in enumerate(model.coordinates) if v[i])
    slope, regular = difference(best, 1.0, 1.0)
    assert regular
    assert total == pytest.approx(slope, abs=1e-6 * abs(found.value))


@pytest.mark.parametrize("goal", ["p2.normal", "p1.normal", "p3.normal - 0.3*tau"])
@pytest.mark.parametrize("name", ["mu", "elbow", "width"])
def test_worst_cases_over_forces_that_are_not_unique(name, goal):
    def best(x):
        model = mc.load("two_link", **{"mu": 0.7, name: x})
        return mc.maximize(
            mc.dynamic_response(model.snapshot(model.start), torque_limits=[(-30, 30)]), goal, margin=1e-3
        )

    x = mc.load("two_link", mu=0.7).parameters[name]
    found = best(x).gradient(name, place=lambda model, q: np.array(model.start))
    slope, regular = difference(best, x, x)
    assert regular
    assert (found.status, found.value) == (
        "differentiable",
        pytest.approx(slope, abs=1e-6 * max(abs(slope), 1.0)),
    )


def test_a_task_that_has_to_hold_whatever_the_forces_are():
    """The table's feet share their tangential forces freely; the push is bounded by the worst share."""

    def best(x):
        model = mc.load("table", mu=x)
        response = mc.dynamic_response(
            model.snapshot(model.start), torque_limits=[(-200, 200)], task="left.tangent >= -20"
        )
        return mc.maximize(response, model.inputs[0], margin=1e-3)

    first = best(0.3)
    slope, regular = difference(best, 0.3, 0.3)
    assert regular
    assert first.gradient("mu").value == pytest.approx(slope, abs=1e-6 * max(abs(slope), abs(first.value)))


# Ties
# ---------------------------------------------------------------------------------------------------------


def tie(best, derivative, a, c):
    """Where the tangents of two neighbouring kinds of optimum meet."""
    first = key(best(a))
    assert key(best(c)) != first
    for _ in range(12):
        x = (a + c) / 2
        a, c = (x, c) if key(best(x)) == first else (a, x)
    a, c = a - (c - a), c + (c - a)
    for _ in range(6):
        left, right = (best(a).value, derivative(a).value), (best(c).value, derivative(c).value)
        x = a + (right[0] - left[0] - right[1] * (c - a)) / (left[1] - right[1])
        found = derivative(x)
        if found.status != "differentiable":
            return x, found
        a, c = (x, 2 * x - a) if key(best(x)) == first else (2 * x - c, x)
    raise AssertionError("no tie was found")


@pytest.mark.parametrize(
    ("name", "alpha", "margin", "low", "high"),
    [
        ("mu_toe", 0.2, 0.0, 0.86, 0.92),
        ("stall", 0.6, 0.0, 9.4, 10.0),
        ("h", 1.0, 0.0, 0.057, 0.061),
        ("l", 1.0, 1e-3, 0.162, 0.172),
    ],
)
def test_one_sided_values_at_ties(name, alpha, margin, low, high):
    rhex = mc.load("rhex")

    def best(x):
        return best_of(rhex, alpha, margin, **{name: x})

    def derivative(x):
        return best(x).gradient(name, place=at_rest)

    x, found = tie(best, derivative, low, high)
    assert found.status == "tie"
    assert not found
    assert math.isnan(found.value)
    assert "one-sided" in found.reason
    scale = max(abs(found.above), abs(found.below), abs(best(x).value) / x)
    assert abs(found.above - found.below) > 1e-4 * scale
    for sign, expected in ((1, found.above), (-1, found.below)):
        beside = derivative(x + sign * 1e-6 * x)
        assert beside.status == "differentiable"
        assert beside.value == pytest.approx(expected, abs=1e-4 * scale)


def test_two_equal_rows_are_no_tie():
    """The same limit twice: several multipliers, one derivative."""
    model = mc.load("rhex")
    snap = model.snapshot(model.start)
    twice = mc.maximize(
        mc.dynamic_response(snap, task=TASK, physical=["tau1 >= -11", "tau1 >= -11.0", "2*tau1 >= -22"]),
        "alpha",
    )
    once = mc.maximize(mc.dynamic_response(snap, task=TASK), "alpha")
    assert twice.gradient("mu_body").status == "differentiable"
    assert twice.gradient("mu_body").value == pytest.approx(once.gradient("mu_body").value, rel=1e-9)


# What cannot be said
# --------------------------------------------------------------------------------------------


def test_no_answer_has_no_derivative():
    model = mc.load("block")
    best = mc.maximize(mc.dynamic_response(model.snapshot(model.start), task="left.normal >= 1e6"), "x")
    found = best.gradient("mu")
    assert (bool(found), found.status) == (False, "unsettled")
    assert found.reason.startswith(
        "there is no best value to differentiate (no contact mode can meet the task"
    )


def test_names_models_and_places_are_checked():
    rhex = mc.load("rhex")
    best = best_of(rhex)
    with pytest.raises(ValueError, match="'ll' is no parameter, coordinate or velocity of 'rhex'"):
        best.gradient("ll")
    with pytest.raises(ValueError, match="place moves the present configuration by"):
        best.gradient("l", place=lambda model, q: q + 0.1)
    travelled = pickle.loads(pickle.dumps(best))
    with pytest.raises(ValueError, match="give model="):
        travelled.gradient("l")
    assert travelled.gradient("l", model=rhex, place=at_rest).value == best.gradient("l", place=at_rest).value


def test_a_gradient_is_a_number_and_a_truth_value():
    found = Gradient("l", 2.5, 2.5, 2.5, "differentiable", "")
    assert (float(found), bool(found)) == (2.5, True)


def test_plain_optima_have_gradients_too():
    def best(x):
        model = mc.load("rhex", mu_toe=x)
        q = np.array(model.start)
        q[2] = 0.31
        return mc.maximize(
            mc.dynamic_response(model.snapshot(at_rest(model, q)), task=TASK), "alpha", guarantee="none"
        )

    slope, regular = difference(best, 0.5, 0.5)
    assert regular
    assert abs(slope) > 1.0
    assert best(0.5).gradient("mu_toe").value == pytest.approx(slope, rel=1e-6)
