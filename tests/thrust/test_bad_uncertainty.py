"""What is wrongly said of friction, velocities and scenarios is refused with one clear line."""

from dataclasses import replace

import numpy as np
import pytest

import modecontrol as mc

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"mu_toe": (0.7, 0.5)}, r"uncertain mu_toe is \(0\.7, 0\.5\); expected 0 <= least <= greatest"),
        ({"mu_toe": (-0.1, 0.5)}, r"uncertain mu_toe is \(-0\.1, 0\.5\); expected 0 <= least"),
        ({"mu_toe": (NAN, 0.5)}, r"uncertain mu_toe is \(nan, 0\.5\)"),
        ({"mu_toe": (0.1, INF)}, "both finite"),
        ({"mu_toe": 0.5}, r"uncertain mu_toe is 0\.5; expected a pair"),
        ({"mu_toes": (0.1, 0.5)}, r"no parameter 'mu_toes' \(did you mean 'mu_toe'\?\)"),
        (
            {"l": (0.1, 0.2)},
            "used by 'leg1'; expected a parameter that only coefficients of friction depend on",
        ),
    ],
)
def test_intervals_of_parameters(given, line):
    with pytest.raises(ValueError, match=line) as refused:
        mc.load("rhex").uncertain(**given)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("ends", "line"),
    [
        ((0.5, 0.4), "expected 0 <= lo <= friction <= hi"),
        ((-0.5, 0.6), "expected 0 <= lo <= friction <= hi"),
        ((NAN, 0.6), "friction.* is nan"),
    ],
)
def test_intervals_of_contacts(ends, line):
    model = mc.load("rhex")
    snap = model.snapshot(model.start)
    with pytest.raises(ValueError, match=line) as refused:
        replace(snap, friction=[np.full(4, end) for end in ends])
    assert "\n" not in str(refused.value)


def test_scenarios_with_other_contacts_are_refused():
    responses = []
    for name in ("rhex", "block"):
        model = mc.load(name)
        responses.append(mc.dynamic_response(model.snapshot(model.start)))
    with pytest.raises(
        ValueError, match=r"a scenario has contacts left, right .* expected those of the first"
    ):
        mc.maximize_over_scenarios(responses, "alpha")
    with pytest.raises(ValueError, match="no scenarios; expected at least one"):
        mc.maximize_over_scenarios([], "alpha")


@pytest.mark.parametrize(
    "friction", [0.4, np.full(3, 0.4), mc.load("block").uncertain(mu=(0.1, 0.2)).friction_box]
)
def test_a_controller_needs_friction_of_its_own_contacts(friction):
    with pytest.raises(
        ValueError, match="expected a FrictionBox of the contacts body, rear, middle, front"
    ) as refused:
        mc.MaximalThrust(mc.load("rhex"), "alpha", friction=friction)
    assert "\n" not in str(refused.value)


def test_the_friction_of_a_contact_with_another_law_is_not_asked_for():
    from modecontrol.dynamics.contact_laws import ContactLaws

    model = mc.load("rhex")
    snap = replace(model.snapshot(model.start), laws=ContactLaws.of(4, pull=[0.0, 5.0, 0.0, 0.0]))
    response = mc.dynamic_response(snap)
    tau = np.full(3, -11.0)
    mode = response.modes_at(tau)[0]
    assert response.friction_interval(tau, mode, "body") is not None
    with pytest.raises(ValueError, match="contact 'rear' has another law than Coulomb's"):
        response.friction_interval(tau, mode, "rear")
