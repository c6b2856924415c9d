"""Promised values count accelerations of massless parts, which another mode may leave free on its border: promises keep off.

A cart of mass 1 on a rail (x) presses a massless leg (phi) on the floor with friction 0.5:

    x_dd = tau1 + f_t       0 = tau2 + f_n       a_n = phi_dd, a_t = x_dd

At `tau2 = 0` the leg may lift (S): forces and momenta are those of the border of sliding, and `phi_dd >= 0` is free. Every promise
is held against raw linear programs over all modes.
"""

import sys
from pathlib import Path

import numpy as np
import pytest
import reference
from controlled_instants import decide

import modecontrol as mc
from modecontrol.regions.ambiguity import motion_frame
from modecontrol.thrust.by_pieces import by_pieces
from modecontrol.thrust.objective import Objective

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "campaigns"))
import uncertainty

LIMITS = np.array([[-20.0, 20.0], [-20.0, 20.0]])
DOWN, UP = np.array([1.0, -1.0]), np.array([1.0, 1.0])
LEG = dict(
    mass=np.diag([1.0, 0.0]),
    bias=np.zeros(2),
    actuation=np.eye(2),
    jacobian=np.array([[0.0, 1.0], [1.0, 0.0]]),
    drift=np.zeros(2),
    friction=np.array([0.5]),
    velocity=np.zeros(2),
)
NAMES = dict(names=mc.Names(("x", "phi"), ("tau1", "tau2"), ("toe",)))


def leg(**options):
    return mc.dynamic_response(mc.Snapshot(**LEG, **NAMES), torque_limits=LIMITS, **options)


def least(s, tau, objective, limits=LIMITS):
    """The least value that any mode gives at the inputs, borders included, by raw programs; inf when no mode exists."""
    modes = [m for m in reference.candidate_modes(s) if reference.exists_at(s, m, tau, limits)]
    return min((reference.least_at(s, mode, tau, limits, objective) for mode in modes), default=np.inf)


def test_the_border_promises_nothing_by_raw_programs():
    border = np.array([20.0, 0.0])
    assert least(LEG, border, [1.0, 0.0]) == pytest.approx(20.0)
    assert least(LEG, border, DOWN) == -np.inf
    assert mc.promised_value(leg(), DOWN, border) == -np.inf


@pytest.mark.parametrize("objective", [DOWN, DOWN * [1.0, 1e-4]], ids=["much", "little"])
@pytest.mark.parametrize("margin", [0.0, 0.5])
def test_every_search_keeps_off_the_free_acceleration(objective, margin):
    response = leg()
    goal = Objective.of(objective, response.snapshot)
    found = {
        "maximize": mc.maximize(response, objective, margin=margin),
        "pieces": by_pieces(response, goal, margin, "mode", None),
        "controller": decide(response, objective, LIMITS, margin=margin),
    }
    for name, made in found.items():
        assert made.mode == "R", name
        assert made.torque[1] < -0.999 * max(margin, 1e-6), name
        assert made.value == pytest.approx(20.0 - 0.5 * margin, abs=1e-4), name
        assert least(LEG, made.torque, objective) >= made.value - 1e-9, name
    assert found["controller"].value == pytest.approx(found["maximize"].value, abs=1e-9)
    assert found["maximize"].distance >= margin


def test_a_mode_whose_free_acceleration_helps_is_promised():
    """The lifting leg shows what sliding does on its border, and more: its worst is a promise."""
    for made in (mc.maximize(leg(), UP), decide(leg(), UP, LIMITS)):
        assert made.mode == "S"
        assert made.value == pytest.approx(20.0)
        assert least(LEG, made.torque, UP) >= made.value - 1e-9


def test_outcomes_promise_no_less():
    for objective in (DOWN, UP):
        best = mc.maximize(leg(), objective, guarantee="outcome")
        assert best.value >= mc.maximize(leg(), objective).value - 1e-9
        assert least(LEG, best.torque, objective) >= best.value - 1e-9


def test_what_carries_mass_is_promised_on_the_border_as_before():
    best = mc.maximize(leg(), "x")
    assert best.torque == pytest.approx([20.0, 0.0], abs=1e-9)
    assert least(LEG, best.torque, [1.0, 0.0]) >= best.value - 1e-9
    assert decide(leg(), "x", LIMITS).torque == pytest.approx(best.torque, abs=1e-9)


def test_a_task_on_the_free_acceleration_is_met_whatever_the_mode():
    task = ["phi <= 0.5"]
    response = leg(task=task)
    found = {
        "maximize": mc.maximize(response, "x"),
        "controller": decide(response, "x", LIMITS, task=task),
        "effort": mc.design(leg(task=[*task, "x >= 19"]), "effort"),
    }
    for name, made in found.items():
        assert made.mode == "R", name
        assert least(LEG, made.torque, [0.0, -1.0]) >= -0.5, name
    region = response.unambiguous("R")
    assert any(c.mode == "S" and c.torques.contains([20.0, 0.0]) for c in region.crossings)
    assert not leg().unambiguous("R").crossings


def test_a_tracked_acceleration_is_that_of_every_mode():
    made = mc.design(leg(), "track", wanted={"x": 20.0, "phi": 0.0})
    assert made.torque[1] < 0.0
    for row in ([0.0, 1.0], [0.0, -1.0]):
        assert least(LEG, made.torque, row) == pytest.approx(0.0, abs=1e-9)


def test_a_massless_part_hidden_in_the_coordinates_counts():
    """The same leg in coordinates of which none is massless: `x = a + b`, `phi = a - b`."""
    T = np.array([[1.0, 1.0], [1.0, -1.0]])
    mass, actuation = T.T @ LEG["mass"] @ T, T.T @ LEG["actuation"]
    s = LEG | {"mass": mass, "actuation": actuation, "jacobian": LEG["jacobian"] @ T}
    response = mc.dynamic_response(mc.Snapshot(**s), torque_limits=LIMITS)
    made = mc.maximize(response, DOWN @ T)
    assert made.value == pytest.approx(20.0, abs=1e-4)
    assert made.torque[1] < -0.999e-6
    assert least(s, made.torque, DOWN @ T) >= made.value - 1e-9
    border = mc.maximize(response, np.array([1.0, 0.0]) @ T)
    assert border.torque == pytest.approx([20.0, 0.0], abs=1e-9)


def test_accelerations_with_mass_add_nothing():
    """RHex: body accelerations follow from momenta, whatever the pitch; those of its massless legs do not."""
    model = mc.load("rhex")
    for pitch in (0.0, 0.4, 1.3):
        q = model.start.copy()
        q[2] = pitch
        problem = mc.dynamic_response(model.snapshot(q), check_state=False).problem
        rows = {
            name: len(motion_frame(problem, Objective.of(name, problem.snapshot).row[None, :])[-1])
            for name in ("alpha", "z - 2*y + alpha", "body.normal", "phi1", "alpha + 1e-6*phi1")
        }
        assert list(rows.values()) == [0, 0, 0, 1, 1], (pitch, rows)


def test_a_random_system_keeps_its_promise():
    """System 15160 of `campaigns/uncertainty.py`: sliding (R) was promised where lifting (S) leaves a massless part free."""
    rng = np.random.default_rng([1, 15160])
    s, box = uncertainty.instant(rng)
    uncertainty.frictions(box, rng)
    objective = rng.normal(size=3)
    response = mc.dynamic_response(mc.Snapshot(**s), torque_limits=LIMITS)
    border = mc.maximize(response, objective, guarantee="none")
    assert least(s, border.torque, objective) == -np.inf
    for made in (mc.maximize(response, objective), decide(response, objective, LIMITS)):
        assert made.mode == "R"
        assert made.value == pytest.approx(border.value, abs=1e-5)
        assert least(s, made.torque, objective) >= made.value - 1e-9
