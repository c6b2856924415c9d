"""The one rule of what is ambiguous, at the edges: thin rivals, lifted massless legs, flat torque sets;
against raw programs.
"""

import sys
from pathlib import Path

import numpy as np
import pytest
import reference
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import modecontrol as mc

LIMIT = 20.0


def with_lifted_front_leg(pitch):
    """RHex at rest on body and two toes, the front leg in the air."""
    height = 0.25 * np.sin(pitch) + 0.05 * np.cos(pitch)
    legs = [-np.arcsin((height + hip * np.sin(pitch)) / 0.17) - pitch for hip in (-0.19, 0.015)]
    return [0, height, pitch, *legs, -0.3 - pitch]


def motions(s, tau, limits):
    """Least and greatest `(M qdd, f)` over every mode that explains `tau`, by raw programs in `(qdd, f)`."""
    n, k = len(s["bias"]), len(s["friction"])
    seen = []
    for mode in reference.candidate_modes(s):
        A, b, C, e, _ = reference.raw_rows(s, mode, limits)
        lead = A.shape[1] - len(tau)
        rows = np.zeros((n + 2 * k, lead))
        rows[:n, :n], rows[n:, n : n + 2 * k] = s["mass"], np.eye(2 * k)
        ends = []
        for row in (*rows, *-rows):
            found = linprog(
                row,
                A[:, :lead],
                b - A[:, lead:] @ tau,
                C[:, :lead],
                e - C[:, lead:] @ tau,
                bounds=(None, None),
            )
            if found.status == 2:
                break
            ends.append(found.fun if found.status == 0 else -np.inf)
        else:
            seen.append((mode, np.array(ends[: n + 2 * k]), -np.array(ends[n + 2 * k :])))
    return seen


def one_motion(s, tau, limits):
    """Whether all modes that explain `tau` give the same single motion."""
    seen = motions(s, tau, limits)
    least = np.min([low for _, low, _ in seen], axis=0)
    greatest = np.max([high for _, _, high in seen], axis=0)
    return bool(np.all(greatest - least <= 1e-4 * (1.0 + np.abs(least))))


# Cases of the review
# ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def crossed():
    """Legs that only push; at tau2 = 0 the middle toe may lift, and the body turns."""
    model = mc.load("rhex", mu_toe=0.9, mu_body=0.45)
    return mc.dynamic_response(model.snapshot(with_lifted_front_leg(0.37)), torque_limits=[(-11, 0)] * 3)


@pytest.mark.parametrize("margin", [0.0, 1e-3, 0.1])
def test_no_optimum_on_a_thin_rival(crossed, margin):
    best = mc.maximize(crossed, "tau2 - 0.5*tau1", margin=margin)
    assert best.mode == "FFFS"
    assert crossed.modes_at(best.torque) == ["FFFS"]
    assert best.torque[1] <= -max(margin, 1e-6) * (1 - 1e-6)
    assert best.distance >= margin * (1 - 1e-6)
    assert best.value == pytest.approx(5.5 - margin, abs=1e-4)


def test_a_thin_rival_is_seen_by_all(crossed):
    tau = [-6.0, 0.0, 0.0]
    spin = {mode: found["alpha"] for mode, found in crossed.accelerations_at(tau).items()}
    assert spin["FFFS"] == pytest.approx((0.0, 0.0), abs=1e-9)
    assert spin["LFSS"][1] < -1.0
    closed = crossed.unambiguous("FFFS")
    assert closed.contains(tau)
    assert {crossing.mode for crossing in closed.crossings} == {"LFRS", "LFSS"}
    assert all(crossing.torques.contains(tau) for crossing in closed.crossings)
    kept = crossed.unambiguous("FFFS", margin=0.1)
    assert not kept.contains(tau)
    assert kept.crossings == ()
    assert kept.contains([-6.0, -0.11, 0.0])
    assert crossed.ambiguous().contains(tau)
    assert crossed.answer_at(tau) is None
    assert crossed.answer_at([-6.0, -0.5, 0.0]) == "FFFS"


def test_design_keeps_off_a_thin_rival(crossed):
    for goal, options in (("effort", {"modes": "FFFS"}), ("margin", {"modes": "FFFS"})):
        found = mc.design(crossed, goal, **options)
        assert found
        assert crossed.answer_at(found.torque) == "FFFS"
        assert not {"LFRS", "LFSS"} & set(crossed.modes_at(found.torque))


def test_a_lifted_massless_leg_makes_torques_inadmissible_not_inconsistent():
    response = mc.dynamic_response(mc.load("rhex").snapshot(with_lifted_front_leg(np.radians(20))))
    assert response.modes_at([-5, -5, 0]) == ["FFFS"]
    none = response.inconsistent()
    assert not none.contains([-5, -5, 0])
    assert not response.admissible.is_all
    assert len(response.admissible.causes) == 1
    assert response.admissible.causes[0].startswith("tau3 = 0")
    assert "phi3" in response.admissible.causes[0]
    share = response.coverage()
    assert share["whole"] == pytest.approx(22.0**2)
    assert share["unambiguous"] > 0
    assert share["unambiguous"] + share["ambiguous"] + share["inconsistent"] == pytest.approx(share["whole"])
    rng = np.random.default_rng(2)
    for tau in rng.uniform(-11, 11, size=(60, 3)) * [1, 1, 0]:
        assert none.contains(tau) == (not response.modes_at(tau))


def test_a_border_has_an_answer():
    """The closed pieces of the inconsistent region share their border with modes; no input there is
    inconsistent.
    """
    model = mc.load("rod", mu=2.5)
    response = mc.dynamic_response(
        model.snapshot(model.start, [-1, 0, 0]), torque_limits=[(-20, 20), (-15, 15), (-10, 10)]
    )
    none = response.inconsistent()
    assert not none.is_empty
    corners = np.vstack([piece.vertices for piece in none])
    answered = [corner for corner in corners if response.modes_at(corner)]
    assert answered
    assert not any(none.contains(corner) for corner in answered)


# Random systems
# -----------------------------------------------------------------------------------------------

systems = st.integers(0, 10**6)


def system(seed, lift=False):
    """A random instant; with `lift` the last coordinate has no mass and an input of its own, as a leg has."""
    rng = np.random.default_rng(seed)
    s = reference.random_system(rng, contacts=int(rng.integers(1, 3)), inputs=2)
    if lift:
        n = len(s["bias"])
        s["mass"] = s["mass"].copy()
        s["mass"][-1] = s["mass"][:, -1] = 0.0
        s["bias"][-1] = 0.0
        s["actuation"] = np.eye(n)[:, [0, n - 1]]
        s["jacobian"][:-2, -1] = 0.0
    return s, [(-LIMIT, LIMIT)] * s["actuation"].shape[1], rng


@settings(deadline=None, max_examples=40)
@given(systems, st.booleans(), st.sampled_from([0.0, 0.3]))
def test_a_sure_torque_has_one_motion_by_raw_programs(seed, lift, margin):
    s, limits, rng = system(seed, lift)
    response = mc.dynamic_response(mc.Snapshot(**s), torque_limits=limits)
    best = mc.maximize(response, rng.normal(size=len(s["bias"])), margin=margin)
    assume(bool(best))
    assume(response[best.mode].ambiguity_variables == 0)
    assert one_motion(s, np.clip(best.torque, -LIMIT, LIMIT), limits)


@settings(deadline=None, max_examples=40)
@given(systems, st.booleans())
def test_regions_and_modes_agree_at_random_torques(seed, lift):
    s, limits, rng = system(seed, lift)
    response = mc.dynamic_response(mc.Snapshot(**s), torque_limits=limits)
    assume(len(response) > 0)
    regions = {mode: response.unambiguous(mode) for mode in response}
    several, none, inputs = response.ambiguous(), response.inconsistent(), response.admissible.torques
    points = rng.uniform(-LIMIT, LIMIT, size=(12, len(limits)))
    if inputs.dimension < inputs.n:
        points = np.array(
            [point - np.linalg.pinv(inputs.C) @ (inputs.C @ point - inputs.d) for point in points]
        )
    for tau in points:
        found = response.modes_at(tau)
        answer = response.answer_at(tau)
        assert none.contains(tau) == (not found)
        assert several.contains(tau) == (bool(found) and answer is None)
        assert answer is None or regions[answer].contains(tau)


@pytest.mark.parametrize("inputs", [0, 1, 2])
def test_no_inputs_no_contacts_and_limits_that_leave_one_torque(inputs):
    n = 3
    s = {
        "mass": np.eye(n),
        "bias": np.array([0.0, 9.81, 0.0]),
        "actuation": np.eye(n)[:, :inputs],
        "drift": np.zeros(0),
        "friction": np.zeros(0),
        "velocity": np.zeros(0),
        "jacobian": np.zeros((0, n)),
    }
    response = mc.dynamic_response(mc.Snapshot(**s), torque_limits=[(1.5, 1.5)] * inputs)
    tau = np.full(inputs, 1.5)
    assert response.modes == [""]
    assert response.answer_at(tau) == ""
    assert response.inconsistent().is_empty
    assert response.ambiguous().is_empty
    best = mc.maximize(response, np.array([1.0, 0.0, 0.0]))
    assert best.torque == pytest.approx(tau)
    assert best.value == pytest.approx(1.5 if inputs else 0.0)


def test_limits_that_leave_a_leg_no_torque_make_no_clash():
    """With tau3 fixed at zero the front toe may lift without load: nothing that has mass moves."""
    model = mc.load("rhex")
    response = mc.dynamic_response(model.snapshot(model.start), torque_limits=[(-11, 11), (-11, 11), (0, 0)])
    assert response.inconsistent().contains([-1.0, -1.0, 0.0]) == (not response.modes_at([-1.0, -1.0, 0.0]))
    share = response.coverage()
    assert share["unambiguous"] + share["ambiguous"] + share["inconsistent"] == pytest.approx(share["whole"])
    best = mc.maximize(response, "alpha")
    assert best.torque[2] == pytest.approx(0.0, abs=1e-9)


def test_a_task_for_every_w_is_not_missed():
    model = mc.load("table")
    response = mc.dynamic_response(
        model.snapshot(model.start), torque_limits=[(-25.0, 25.0)], task="left.tangent >= -5"
    )
    best = mc.maximize(response, "push")
    least, _ = response.forces_at(best.torque)["FF"]["left.tangent"]
    assert least >= -5 - 1e-8
    assert least == pytest.approx(-5.0, abs=1e-6)


def test_no_optimum_on_the_border_of_a_mode_that_clashes():
    """All inputs of SRL belong to SRS, too. At a corner both give the same motion, beside it they do not: it is not chosen."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "campaigns"))
    from modes import instant

    for kind, seed in (("high friction", [2, 148]), ("one body", [2, 6]), ("no load", [2, 10])):
        case = instant(np.random.default_rng(seed), kind)
        response = mc.dynamic_response(mc.Snapshot(**case.s), torque_limits=case.limits)
        for goal in ("tau1", "-tau1", "q1", "-q1", "c1.normal"):
            best = mc.maximize(response, goal)
            assert not best or response.unambiguous(best.mode).contains(best.torque), (kind, goal)
