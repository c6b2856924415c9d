"""Controllers and searches on mechanisms with every law: compiled and not, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import laws_by_hand as hand
import laws_in_motion as motion
import numpy as np
import pytest

import modecontrol as mc
from modecontrol.dynamics.builder import Builder
from modecontrol.dynamics.joints import planar, revolute

GOALS = {
    "leg": "hip",
    "static": "x",
    "pull": "y",
    "one_way": "x",
    "conveyor": "x",
    "crane": "s",
    "wheel": "r",
}


@pytest.mark.parametrize("name", motion.MECHANISMS)
def test_a_controller_in_the_core_does_what_it_does_in_python(name):
    model = motion.MECHANISMS[name]()
    runs = []
    for controller in (mc.MaximalThrust(model, GOALS[name]), mc.MaximalThrust(model, GOALS[name])):
        asked = controller if not runs else lambda t, q, v, inner=controller: inner(t, q, v)
        runs.append(mc.simulate(model, controller=asked, duration=0.05))
    assert runs[0].q == pytest.approx(runs[1].q, abs=1e-12)
    assert runs[0].torque == pytest.approx(runs[1].torque, abs=1e-9)


@pytest.mark.parametrize("name", motion.MECHANISMS)
def test_the_controller_finds_what_the_search_over_all_modes_finds(name):
    model = motion.MECHANISMS[name]()
    best = mc.maximize(mc.dynamic_response(model.snapshot(model.start)), GOALS[name])
    controller = mc.MaximalThrust(model, GOALS[name], v0=1e-9)
    controller(0.0, np.array(model.start), np.zeros(len(model.coordinates)))
    assert controller.decisions[-1].value == pytest.approx(best.value, rel=1e-6)


def test_an_acceleration_that_is_told_is_what_happens_and_effort_limits_it():
    made = Builder("arm", gravity=(0, 0)).body(
        "a", joint=revolute("q", prescribed=True, effort=[-2, 2]), mass=1, inertia=0.5
    )
    made.body("b", joint=revolute("p"), parent="a", mass=1, inertia=0.5)
    snap = made.input("u", "p", lower=-9, upper=9).build().snapshot([0.0, 0.0])
    resp = mc.dynamic_response(snap.driven(q=3.0))
    assert resp.modes == ["F"]
    mode = resp["F"]
    assert mode.torques.contains([0.5])  # 0.5 * 3 = f + u's reaction: f = 1.5 + 0.5 within effort
    assert not mode.torques.contains([1.0])
    assert any("q.drive effort limit" in label for label in mode.torques.labels)
    with pytest.raises(ValueError, match="'p' is no prescribed joint; expected one of q"):
        snap.driven(p=1.0)


@pytest.mark.parametrize("law", ["static", "pull", "one_way", "mixed", "rolling"])
def test_promises_hold_for_every_friction_whatever_the_law(law):
    """What is promised over an interval, at its corners and inside it, by raw linear programs of the laws written down anew."""
    kept = modes = 0
    for seed in range(12):
        rng = np.random.default_rng([seed, hand.LAWS.index(law)])
        system = hand.random_system(rng, law)
        unsure = np.array([e.law != "rolling" for e in system.entries])
        low, high = ends = [unsure * [scale * e.mu for e in system.entries] for scale in (0.7, 1.3)]
        goal = rng.normal(size=len(system.M))
        resp = mc.dynamic_response(replace(system.snapshot(), friction=ends))
        for guarantee in ("mode", "outcome"):
            best = mc.maximize(resp, np.append(goal, np.zeros(resp_columns(resp, goal))), guarantee=guarantee)
            if not best:
                continue
            kept += 1
            modes += guarantee == "mode"
            for mu in (*map(np.array, product(*zip(low, high, strict=True))), rng.uniform(low, high)):
                for entry, value in zip(system.entries, mu, strict=True):
                    entry.mu = entry.mu if entry.law == "rolling" else float(value)
                every = ["".join(mode) for mode in product(*(entry.letters() for entry in system.entries))]
                values = [system.least(mode, best.torque, goal) for mode in every]
                assert min(values) < np.inf, (seed, guarantee, mu)
                assert min(values) >= best.value - 1e-5 * (1.0 + abs(best.value)), (seed, guarantee, mu)
    assert kept >= 12
    assert modes >= 5


def resp_columns(resp, goal):
    """Columns of an objective behind the accelerations: forces and inputs."""
    return 2 * resp.snapshot.contacts + len(resp.problem.names.inputs)


def test_how_adhesion_and_static_friction_are_promised_on_a_block():
    """A block on two feet that hold it down: without friction of its own the greatest push that surely does not move it."""
    made = Builder("block", parameters={"mu": 0.4}).body(
        "block", joint=planar("x", "y", "r"), mass=2, inertia=0.1
    )
    for name, place in (("left", -0.3), ("right", 0.3)):
        made.contact(name, "block", point=(place, 0.0), mu="mu", mu_static=0.5, pull=3.0)
    model = made.input("u", "x", lower=-40, upper=40).build().uncertain(mu=(0.3, 0.45))
    resp = mc.dynamic_response(model.snapshot(model.start))
    push = 0.5 * (2 * 9.81 + 2 * 3.0)  # mu_static times weight and adhesion, whatever mu is
    assert resp["FF"].sure_torques.bounding_box[1] == pytest.approx([push])
    off = mc.maximize(
        resp, "x", guarantee="outcome", margin=1e-3
    )  # slides whatever mu_static: braked by 0.45 at most
    assert off.torque == pytest.approx([40.0])
    assert off.value == pytest.approx((40.0 - 0.45 * (2 * 9.81 + 2 * 3.0)) / 2.0, rel=1e-6)
    between = 0.48 * (2 * 9.81 + 2 * 3.0)  # sticking on and sliding off are both answers
    assert set(resp.modes_at([between])) == {"FF", "RR"}
    assert mc.promised_value(resp, "x", [between]) == pytest.approx(0.0, abs=1e-9)


def test_an_adhesive_contact_that_yields_is_refused():
    made = Builder("block").body("block", joint=planar("x", "y", "r"), mass=2, inertia=0.1)
    made.contact("left", "block", pull=3.0, stiffness=1e4)
    with pytest.raises(ValueError, match="contact 'left': found pull and stiffness"):
        made.mechanism()
