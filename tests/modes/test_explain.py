"""`explain`: the stage at which a mode fails, the constraints that clash there, and the causes of facets."""

import numpy as np
import pytest

import modecontrol as mc

G = 9.81


@pytest.fixture(scope="module")
def table():
    model = mc.load("table")
    return model.snapshot(model.start)


def test_velocity():
    model = mc.load("table")
    sliding = model.snapshot(model.start, [0.5, 0, 0])
    answer = mc.dynamic_response(sliding).explain("LF")
    assert answer.stage == "velocity"
    assert answer.causes == (
        "left slides right at 0.5 m/s, so it cannot be L",
        "right slides right at 0.5 m/s, so it cannot be F",
    )
    lifted = model.snapshot({"y": 0.6})
    assert "left is open by 0.2 m" in str(mc.dynamic_response(lifted).explain("FS"))
    leaving = model.snapshot(model.start, [0, 0.25, 0])
    assert "right leaves at 0.25 m/s and can only separate (S), not R" in str(
        mc.dynamic_response(leaving).explain("SR")
    )


def test_kinematics(table):
    answer = mc.dynamic_response(table).explain("LF")
    assert (answer.possible, answer.stage) == (False, "kinematics")
    assert "left slides left" in answer.causes
    assert "right sticks" in answer.causes


def test_forces(table):
    answer = mc.dynamic_response(table).explain("SS")
    assert answer.stage == "forces"
    assert (
        answer.causes == ("dynamics of y", "left no normal force", "left separates", "right no normal force")
        or "dynamics of y" in answer.causes
    )
    assert str(answer).startswith("SS cannot happen (forces): ")


def test_physical_constraints(table):
    answer = mc.dynamic_response(table, physical="x <= 1").explain("RR")
    assert answer.possible
    answer = mc.dynamic_response(table, physical="left.normal >= 60").explain("RR")
    assert answer.stage == "physical constraints"
    assert "left.normal >= 60" in answer.causes
    named = mc.Constraint("left.normal >= 60", name="keep the left foot loaded")
    assert "keep the left foot loaded" in mc.dynamic_response(table, physical=named).explain("RR").causes


def test_torque_limits(table):
    answer = mc.dynamic_response(table, torque_limits=[(-10, 10)]).explain("RR")
    assert answer.stage == "torque limits"
    assert "push upper limit" in answer.causes


def test_a_constraint_named_like_a_contact_row_is_still_a_physical_one(table):
    odd = mc.Constraint("left.normal >= 60", name="left normal force")
    answer = mc.dynamic_response(table, physical=odd).explain("RR")
    assert answer.stage == "physical constraints"


def test_clash_is_irreducible(table):
    """Without any one of the named rows the rest has a point."""
    response = mc.dynamic_response(table)
    answer = response.explain("LF")
    system = response.problem.system("LF")
    rows = [
        (system.G[i], system.e[i], label) for i, label in enumerate(system.labels) if label in answer.causes
    ]
    equal = [
        (system.A[i], system.c[i], label)
        for i, label in enumerate(system.equality_labels)
        if label in answer.causes
    ]

    def empty(without):
        A = np.array([-g for g, _, label in rows if label != without]).reshape(-1, system.G.shape[1])
        b = np.array([-e - 1e-3 * system.strict.any() for _, e, label in rows if label != without])
        C = np.array([a for a, _, label in equal if label != without]).reshape(-1, system.G.shape[1])
        d = np.array([c for _, c, label in equal if label != without])
        return mc.Polytope(A, b, C, d).is_empty

    assert empty(None)
    assert not any(empty(cause) for cause in answer.causes)


def test_feasible_modes_say_what_bounds_them(table):
    response = mc.dynamic_response(table, torque_limits=[(-100, 100)])
    fixed = response.explain("FF")
    assert fixed.possible
    assert fixed.stage == ""
    assert "left friction, right friction" in fixed.causes
    assert "push <= 29.43" in str(fixed)
    sliding = response.explain("RR")
    assert set(sliding.causes) == {"left slides", "push upper limit"}
    free = mc.dynamic_response(mc.load("two_link", mu=0.7).snapshot(mc.load("two_link").start)).explain("FFF")
    assert "any input can produce it" in str(free)


def test_equalities_of_the_dynamics_are_named():
    model = mc.load("rhex")
    text = str(mc.dynamic_response(model.snapshot(model.start)).explain("RRLS"))
    assert "tau3 = 0   [dynamics]" in " ".join(text.split()).replace("[", "  [")
    assert "torque restricted" in text


def test_facets_are_really_due_to_their_causes():
    """Moving the named limit moves the facet."""
    model = mc.load("table")
    for mu in (0.2, 0.3, 0.4):
        response = mc.dynamic_response(mc.load("table", mu=mu).snapshot(model.start))
        assert response["FF"].torques.support([1.0]) == pytest.approx(mu * 10 * G)
        assert response["FF"].torques.labels[0] == frozenset({"left friction", "right friction"})


def test_a_cause_with_several_rows_makes_no_other_spare():
    """Both sides of a friction cone have one name, and together they press: the normal force is then no cause of its own."""
    snapshot = mc.Snapshot(
        mass=[[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 1, 0.25], [0, 0, 0.25, 0.5]],
        bias=[-4, 20, 0, -2],
        actuation=[[1], [0], [0], [0]],
        jacobian=[[0, 1, 0, 0], [1, 0, 0.5, 0], [0, 1, 1, 1], [1, 0, 0.5, 1]],
        drift=np.zeros(4),
        friction=[0.5, 0.5],
        velocity=np.zeros(4),
    )
    resp = mc.dynamic_response(snapshot, torque_limits=[(-8, 8)])
    # q4 has c2 alone to hold it, -2 = n + t with |t| <= n/2, and neither contact lets anything move
    assert set(resp.explain("FF").causes) == {
        "c1 stays on the surface",
        "c1 sticks",
        "c2 stays on the surface",
        "c2 sticks",
        "c2 friction",
        "dynamics of q4",
    }
