"""Controllers and searches on mechanisms with every law: compiled and not, and what is refused."""

from __future__ import annotations

import laws_in_motion as motion
import numpy as np
import pytest

import modecontrol as mc
from modecontrol.dynamics.builder import Builder
from modecontrol.dynamics.joints import planar, revolute

GOALS = {"leg": "hip", "static": "x", "pull": "y", "one_way": "x", "conveyor": "x", "crane": "s"}


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


def test_nothing_is_promised_for_uncertain_friction_with_another_law():
    made = Builder("block", parameters={"mu": 0.4}).body(
        "block", joint=planar("x", "y", "r"), mass=2, inertia=0.1
    )
    made.contact("left", "block", point=(-0.3, -0.1), mu="mu", pull=3.0).contact(
        "right", "block", point=(0.3, -0.1), mu="mu"
    )
    model = made.input("u", "x", lower=-9, upper=9).start(y=0.1).build().uncertain(mu=(0.3, 0.5))
    resp = mc.dynamic_response(model.snapshot(model.start))
    assert "FF" in resp.modes  # sets and modes are there
    with pytest.raises(
        ValueError, match="friction of contact 'left' is known as an interval, and the contact has"
    ):
        mc.maximize(resp, "x", guarantee="outcome")


def test_an_adhesive_contact_that_yields_is_refused():
    made = Builder("block").body("block", joint=planar("x", "y", "r"), mass=2, inertia=0.1)
    made.contact("left", "block", pull=3.0, stiffness=1e4)
    with pytest.raises(ValueError, match="contact 'left': found pull and stiffness"):
        made.mechanism()
