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


BLOCK = """
[parameters]
mu = 0.5
rough = "2*mu"
reach = 1.85
[[body]]
name = "block"
parent = "world"
joint = {type = "planar", coordinates = ["x", "y", "theta"], start = [0, 0.15, 0]}
mass = 2
inertia = 0.05
[[contact]]
name = "left"
body = "block"
point = [-0.2, -0.15]
mu = "LEFT"
[[contact]]
name = "right"
body = "block"
point = [0.2, -0.15]
mu = "mu"
[[cable]]
name = "rope"
body = "block"
other = "world"
other_point = [0, 2]
length = "LENGTH"
"""


def block(tmp_path, *, left="mu", length="reach", mu="0.5"):
    file = tmp_path / "model.toml"
    text = BLOCK.replace("LEFT", left).replace("LENGTH", length).replace("mu = 0.5", f"mu = {mu}")
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            {"length": "1.35 + mu"},
            "uncertain mu is used by 'rope'; expected a parameter that only coefficients",
        ),
        (
            {"left": "rough"},
            "uncertain mu decides the parameter 'rough'; expected a parameter that stands in",
        ),
        (
            {"left": "0.55 - mu"},
            r"lets the friction of contact 'left' \(0\.55 - mu\) fall to -0\.05; expected",
        ),
    ],
)
def test_what_a_parameter_decides_besides_friction(tmp_path, words, line):
    """Promises would hold for the value in the file alone: a cable that follows it, a parameter computed from it."""
    within = "{value = 0.5, within = [0.4, 0.6]}"
    for uncertain in (
        lambda: mc.load(block(tmp_path, **words)).uncertain(mu=(0.4, 0.6)),
        lambda: mc.load(block(tmp_path, **words, mu=within)),
    ):
        with pytest.raises(ValueError, match=line) as refused:
            uncertain()
        assert "\n" not in str(refused.value)


def test_a_parameter_that_decides_friction_alone(tmp_path):
    made = mc.load(block(tmp_path, left="0.7 - mu")).uncertain(mu=(0.4, 0.6))
    assert made.snapshot(made.start).friction_interval[:, 0] == pytest.approx([0.1, 0.3])
    margin = mc.dynamic_response(made.snapshot(made.start)).friction_margin(
        []
    )  # boxes of all sizes, none below zero
    assert 0.0 <= margin <= 1.0


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
