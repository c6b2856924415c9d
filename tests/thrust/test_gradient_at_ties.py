"""One-sided sensitivities at ties: by hand, and against differences of values on each side alone.

`campaigns/ties.py` does the same at a thousand ties; what it found wrong once is here, too.
"""

import math

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.thrust import tied_pieces
from modecontrol.trials.rhex.observer import at_rest

FIVE = np.array([-77, 214, -234, 122, -25]) / 12
"""Slope at zero of the polynomial through values at one to five steps."""
LIMITS = [(-60, 60)] * 6
BIPED = "{}*x + {}*y + {}*pitch + {}*left_hip + {}*left_knee + {}*left_ankle + {}*right_hip + {}*right_knee + {}*right_ankle"


def best_of(model, q, goal, margin=0.0, v=None, **options):
    return mc.maximize(mc.dynamic_response(model.snapshot(q, v), **options), goal, margin=margin)


def sides(value, x, h):
    """Slopes above and below `x` by values on one side each; `x` itself takes no part."""
    return [float(FIVE @ [value(x + i * s * h) for i in range(1, 6)]) / (s * h) for s in (1, -1)]


def agree(found, above, below, scale):
    assert found.status == "tie"
    assert math.isnan(found.value)
    assert abs(above - below) > 1e-4 * scale
    assert found.above == pytest.approx(above, abs=1e-6 * scale)
    assert found.below == pytest.approx(below, abs=1e-6 * scale)


# By hand
# ---------------------------------------------------------------------------------------------------------


def pushed(push=20.0, mu=0.3, **options):
    model = mc.load("block", slope=0.0, mu=mu)
    return model, mc.dynamic_response(model.snapshot(model.start), torque_limits=[(-push, push)], **options)


def test_a_task_just_met():
    """`V = min(F / m - mu g, c)`: flat below the tie, `-g` above it."""
    model, free = pushed()
    c = mc.maximize(free, "x").value
    _, bounded = pushed(task=f"x <= {c!r}")
    found = mc.maximize(bounded, "x").gradient("mu")
    assert (found.status, found.below, found.above) == (
        "tie",
        pytest.approx(0.0, abs=1e-9),
        pytest.approx(-9.81, rel=1e-9),
    )
    found = mc.maximize(bounded, "x").gradient("m")
    assert found.above == pytest.approx(-20 / model.parameters["m"] ** 2, rel=1e-9)
    assert found.below == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("also", [[], ["x <= 1000"], ["push <= 20", "2*push <= 40"]])
def test_several_constraints_that_meet(also):
    """`V = min(F / m - mu g, c, (F - m c') / m ...)`: the least slope counts above, the greatest below."""
    model, free = pushed()
    m, best = model.parameters["m"], mc.maximize(free, "x")
    rows = [f"x <= {best.value!r}", f"x + {model.coordinates[1]} <= {best.value!r}"]
    inputs = [row for row in also if "push" in row]
    _, bounded = pushed(task=rows + [row for row in also if "push" not in row], physical=inputs)
    found = mc.maximize(bounded, "x").gradient("m")
    assert (found.below, found.above) == (pytest.approx(0.0, abs=1e-9), pytest.approx(-20 / m**2, rel=1e-9))


def test_a_jump_is_named_and_the_other_side_known():
    """The box slides and just does not lean too hard on its front edge; with more friction it would, and has to stay."""
    model = mc.load("block", slope=0.0, mu=0.87)
    free = best_of(model, model.start, "x", torque_limits=[(-40, 40)])
    options = {"torque_limits": [(-40, 40)], "task": f"right.normal <= {float(free.force[2])!r}"}
    best = best_of(model, model.start, "x", 1e-3, **options)
    assert (best.mode, best.value) == ("RR", pytest.approx(20 - 0.87 * 9.81))
    beyond = best_of(model.with_parameters(mu=0.87 + 1e-6), model.start, "x", 1e-3, **options)
    assert (beyond.mode, beyond.value) == ("FF", 0.0)
    found = best.gradient("mu")
    assert found.status == "unsettled"
    assert found.reason.startswith("the value jumps above, by 11.5")
    assert math.isnan(found.above)
    assert found.below == pytest.approx(-9.81, rel=1e-9)


# A rival far from the inputs that were chosen, and rivals' facets that nearly coincide
# --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "x", "margin", "weights", "step"),
    [
        (
            "heel",
            0.05501431960889694,
            0.3,
            (0.365, -0.202, 0.791, -1.594, -0.078, 0.489, -0.514, -0.661, -0.995),
            2e-5,
        ),
        (
            "toe",
            0.145881515018459,
            1e-3,
            (-0.780, 0.228, -0.610, 0.086, 0.185, -1.554, 0.427, 0.166, -0.217),
            4e-5,
        ),
    ],
)
def test_the_other_end_of_an_optimal_edge_meets_a_rival(name, x, margin, weights, step):
    """All inputs of an edge are optimal at the tie; the far end is cut by a mode that the near end does not touch."""
    goal = BIPED.format(*weights)

    def best(at):
        model = mc.load("biped", **{name: at})
        return best_of(model, model.start, goal, margin, torque_limits=LIMITS)

    found = best(x).gradient(name, place=lambda model, q: np.array(model.start))
    above, below = sides(lambda at: best(at).value, x, step)
    agree(found, above, below, best(x).value / x)


@pytest.mark.parametrize(
    ("name", "weights", "options", "status"),
    [
        (
            "m_foot",
            (-0.012, 0.830, 0.329, -0.404, 0.378, -0.813, -0.030, -0.912, -0.231),
            {
                "task": ["right_toe.normal >= 0.0", "left_knee <= 455.72975858059584"],
                "physical": ["tau_left_hip >= 33.17379022813161"],
            },
            "tie",
        ),
        (
            "I_thigh",
            (0.407, -1.909, -0.527, -0.794, -1.663, -0.863, -1.149, 1.974, -0.269),
            {"task": ["left_heel.normal >= 0.0", "left_toe.normal >= 1.6185992779882148"]},
            "differentiable",
        ),
    ],
)
def test_inputs_that_are_let_into_a_rival_by_a_little(name, weights, options, status):
    """The search takes inputs that lie a millionth inside what is kept off; the value bends where they stop doing so."""
    model, goal = mc.load("biped"), BIPED.format(*weights)
    x = model.parameters[name]

    def best(at):
        here = model.with_parameters(**{name: at})
        return best_of(here, model.start, goal, 0.3, torque_limits=LIMITS, **options)

    found = best(x).gradient(name, place=lambda model, q: np.array(model.start))
    above, below = sides(lambda at: best(at).value, x, 1e-4 * x)
    scale = abs(best(x).value) / x
    assert found.status == status
    assert found.above == pytest.approx(above, abs=1e-6 * scale)
    assert found.below == pytest.approx(below, abs=1e-6 * scale)


def test_work_that_ends_is_no_answer(monkeypatch):
    """A search for pieces that is cut short vouches for nothing by itself; what it returns is confirmed beside the point."""
    monkeypatch.setattr(tied_pieces.tolerances, "TIED_PIECES", 0)
    _, response = pushed()
    found = mc.maximize(response, "x").gradient("mu")
    assert found.value == pytest.approx(-9.81, rel=1e-6)
    assert found.reason == "by differences of values: no multipliers could be followed"


# Sets without an interior, limits that bend
# -----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rhex():
    model = mc.load("rhex", mu_toe=0.6)
    q = np.array(model.start)
    q[2] = 0.9
    return model, at_rest(model, q)


@pytest.mark.parametrize("name", ["d1", "l", "I"])
@pytest.mark.parametrize("row", ["tau3 >= 0", "tau3 <= 0", "tau2 >= 0", "front.normal <= 0"])
def test_rows_that_hold_with_equality_here_and_beside(rhex, name, row):
    """A massless leg in the air has no torque: `tau >= 0` leaves its mode no interior, and rounding must not end it."""
    model, q = rhex
    task = ["body.normal >= 10"]
    more = {"task": task, "physical": [row]} if row.startswith("tau") else {"task": [*task, row]}

    def best(at):
        here = model.with_parameters(**{name: at})
        return best_of(here, at_rest(here, q), "alpha", 0.3, **more)

    x = model.parameters[name]
    found = best(x).gradient(name, place=at_rest)
    above, below = sides(lambda at: best(at).value, x, 1e-4 * x)
    scale = max(abs(best(x).value) / x, abs(above), abs(below))
    assert found.above == pytest.approx(above, abs=1e-6 * scale)
    assert found.below == pytest.approx(below, abs=1e-6 * scale)


@pytest.mark.parametrize("leg", [0, 1, 2])
def test_limits_of_a_motor_bend_at_rest(leg):
    """The greatest torque falls with speed, on both sides of rest: two derivatives, which no central difference sees."""
    model = mc.load("rhex", mu_toe=0.5)
    q = at_rest(model, np.array([0, 0, 0.2, 0, 0, 0.0]))
    options = {"task": "body.normal >= 10", "velocity_tolerance": 10.0}

    def best(speed):
        v = np.zeros(6)
        v[3 + leg] = speed
        return best_of(model, q, "alpha", 0.0, v, **options)

    found = best(0.0).gradient(f"phi{leg + 1}_d", place=at_rest)
    above, below = sides(lambda at: best(at).value, 0.0, 1e-3)
    agree(found, above, below, max(abs(above), abs(below)))


def test_worst_cases_on_a_single_point_go_by_values():
    """The limits leave one torque, and the goal is a worst case over forces: no multipliers, but a derivative."""
    model = mc.load("two_link", mu=0.7)
    options = {"torque_limits": [(-30, 30)], "physical": ["tau <= -30"]}

    def best(at):
        return best_of(model.with_parameters(mu=at), model.start, "p2.normal", **options)

    assert best(0.7)
    found = best(0.7).gradient("mu", place=lambda model, q: np.array(model.start))
    above, below = sides(lambda at: best(at).value, 0.7, 1e-3)
    scale = abs(best(0.7).value)
    assert found.above == pytest.approx(above, abs=1e-6 * scale)
    assert found.below == pytest.approx(below, abs=1e-6 * scale)
    assert found.status in ("differentiable", "tie")


def test_a_leg_that_leaves_the_floor_close_by_hides_no_derivative():
    """At a length 1e-5 to 1e-4 below, the middle leg no longer reaches the floor, and the value jumps."""

    def best(length):
        model = mc.load("rhex", mu_toe=0.39, stall=9.0, l=length, d1=-0.15, d2=0.015, d3=0.24)
        q = np.array(model.start)
        q[2] = np.radians(16.0)
        return best_of(model, at_rest(model, q), "alpha", task="body.normal >= 10")

    found = best(0.186).gradient("l", place=at_rest)
    assert found.status == "differentiable"
    assert found.value == pytest.approx(
        (best(0.186 + 1e-7).value - best(0.186 - 1e-7).value) / 2e-7, rel=1e-6
    )
    assert best(0.186 - 1e-4).value < best(0.186).value - 50
