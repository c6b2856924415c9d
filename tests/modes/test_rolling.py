"""Resistance to rolling in mode analysis: letters, names, causes, what it asks of its host, and what is refused."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.dynamics.builder import Builder
from modecontrol.dynamics.contact_laws import COULOMB, ROLLING, ContactLaws
from modecontrol.dynamics.joints import planar, revolute

G, R, MASS, INERTIA, LENGTH = 9.81, 0.2, 2.0, 0.03, 0.05


def wheel(**law):
    law = {"mu": 0.8, "rolling": LENGTH, **law}
    made = Builder("wheel").body("wheel", joint=planar("x", "y", "r"), mass=MASS, inertia=INERTIA)
    made.contact("rim", "wheel", type="disc", radius=R, **law).start(y=R)
    made.input("u", "x", lower=-30, upper=30).input("lift", "y", lower=-30, upper=30)
    return made.input("w", "r", lower=-5, upper=5).build()


def two_wheels():
    made = Builder("two").body("low", joint=planar("x", "y", "r"), mass=1, inertia=0.02)
    made.body("arm", joint=revolute("q", at=(0.1, 0.2)), mass=0.5, inertia=0.01, com=(0.2, 0))
    made.body("high", joint=planar("X", "Y", "p"), parent="world", mass=1, inertia=0.02)
    made.contact("floor", "low", type="disc", radius=0.2, mu=0.5, rolling=0.01)
    law = {"other": "high", "other_radius": 0.1, "mu": 0.3, "rolling": "0.02*2"}
    made.contact("side", "arm", type="disc_disc", point=(0.4, 0), radius=0.1, **law)
    made.contact("own", "low", type="disc_disc", radius=0.05, other="arm", other_radius=0.05, rolling=0.01)
    return made.build()


def test_force_at_which_it_starts_is_that_of_the_formula():
    """A push at the axle rolls the disc off when its moment about the contact exceeds `rolling m g`."""
    model = wheel()
    response = mc.dynamic_response(model.snapshot(model.start))
    most = LENGTH * MASS * G / R
    assert response.modes_at([0.999 * most, 0, 0]) == ["FF"]
    assert response.modes_at([1.001 * most, 0, 0]) == ["FL"]
    assert response.modes_at([-1.001 * most, 0, 0]) == ["FR"]
    assert response.modes_at([2 * most, 0, 0]) == ["FL"]


def test_what_lifts_takes_from_the_moment():
    model = wheel()
    response = mc.dynamic_response(model.snapshot(model.start))
    half = 0.5 * MASS * G
    most = LENGTH * half / R
    assert response.modes_at([0.99 * most, half, 0]) == ["FF"]
    assert response.modes_at([1.01 * most, half, 0]) == ["FL"]
    assert response.modes_at([0, 1.1 * MASS * G, 0.1]) == ["SR"]
    assert "SF" in response.modes_at([0, 1.1 * MASS * G, 0.0])


def test_letters_follow_the_turning_and_the_gap():
    model = wheel()
    rolling = mc.dynamic_response(model.snapshot(model.start, [1.0, 0, -1.0 / R]))
    assert {mode[1] for mode in rolling.modes} == {"L"}
    open_ = mc.dynamic_response(model.snapshot({"y": R + 0.1}))
    assert open_.modes == ["SS"]


def test_names_and_causes():
    model = wheel()
    response = mc.dynamic_response(model.snapshot(model.start), physical="rim.rolling <= 0.3")
    assert "rim.rolling limit" in response.explain("FF").causes
    assert "rim.rolling rolls" in response.explain("FR").causes
    best = mc.maximize(response, "rim.rolling", margin=1e-3)
    assert best.value == pytest.approx(0.3, abs=2e-3)
    bound = mc.maximize(mc.dynamic_response(model.snapshot(model.start)), "rim.rolling")
    assert bound.value == pytest.approx(LENGTH * (MASS * G + 30.0))
    assert "rim.rolling has the letters F, L, R by its law, not S" in str(response.explain("FS"))
    with pytest.raises(ValueError, match=r"rim.roling"):
        mc.dynamic_response(model.snapshot(model.start), physical="rim.roling <= 1")


def test_symbols_and_recursions_agree():
    model, rng = two_wheels(), np.random.default_rng(3)
    for _ in range(5):
        q, v = rng.normal(size=(2, 7))
        snap, there = model.snapshot(q, v), model.equations.evaluate(q, v)
        assert snap.jacobian == pytest.approx(there["contact_jacobian"], abs=1e-10)
        assert snap.drift == pytest.approx(there["contact_drift"].ravel(), abs=1e-10)
        assert snap.gap == pytest.approx(there["contact_position"].ravel()[0::2], abs=1e-10)
        speed = snap.jacobian @ v
        turning = {"floor": v[2], "side": v[2] + v[3] - v[6], "own": -v[3]}
        for name, rate in turning.items():
            i = model.contacts.index(f"{name}.rolling")
            assert speed[2 * i + 1] == pytest.approx(rate, abs=1e-12)
            assert snap.velocity[2 * i : 2 * i + 2] == pytest.approx([0.0, rate], abs=1e-12)


def test_instants_from_arrays_have_it_too():
    laws = ContactLaws.of(2, kind=[COULOMB, ROLLING], most=[0, LENGTH], host=[-1, 0])
    snap = mc.Snapshot(
        mass=np.diag([MASS, MASS, INERTIA]),
        bias=[0, MASS * G, 0],
        actuation=np.eye(3),
        jacobian=[[0, 1, 0], [1, 0, R], [0, 0, 0], [0, 0, 1]],
        drift=np.zeros(4),
        friction=[0.8, 0.0],
        velocity=np.zeros(4),
        torque_limits=[[-30, 30], [-30, 30], [-5, 5]],
        laws=laws,
    )
    model = wheel()
    assert mc.dynamic_response(snap).modes == mc.dynamic_response(model.snapshot(model.start)).modes


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        (
            {"host": [-1, -1]},
            "laws: host[1] is -1; expected -1, or for ROLLING the place of a COULOMB contact",
        ),
        ({"host": [-1, 1]}, "laws: host[1] is 1; expected -1"),
        ({"host": [-1, 2]}, "laws: host[1] is 2; expected -1"),
        ({"host": [0, 0]}, "laws: host[0] is 0; expected -1"),
        ({"host": [-1, 0.5]}, "laws: host is"),
        ({"most": [0, -0.1], "least": [0, -0.2]}, "laws: most[1] is -0.1; expected a length >= 0"),
        ({"most": [0, math.inf]}, "laws: most[1] is inf; expected a length >= 0"),
        ({"kind": [COULOMB, 5]}, "laws: kind"),
    ],
)
def test_bad_laws_are_refused_in_one_line(columns, says):
    given = {"kind": [COULOMB, ROLLING], "most": [0, LENGTH], "host": [-1, 0], **columns}
    with pytest.raises(ValueError, match=re.escape(says)) as refused:
        ContactLaws.of(2, **given)
    assert "\n" not in str(refused.value)


def test_what_is_promised_for_every_friction_counts_the_moment():
    """A push that rolls a disc whatever friction is: the promise is the acceleration that the moment leaves."""
    made = Builder("wheel", parameters={"mu": 0.5}).body(
        "wheel", joint=planar("x", "y", "r"), mass=MASS, inertia=INERTIA
    )
    made.contact("rim", "wheel", type="disc", radius=R, mu="mu", rolling=0.01)
    model = made.input("u", "x", lower=-2, upper=2).start(y=R).build().uncertain(mu=(0.4, 0.6))
    response = mc.dynamic_response(model.snapshot(model.start))
    best = mc.maximize(response, "x", guarantee="outcome", margin=1e-6)
    rolls = (2.0 * R - 0.01 * MASS * G) / (MASS * R + INERTIA / R)
    assert best.value == pytest.approx(rolls, rel=1e-4)


def test_the_length_itself_is_known_exactly():
    made = Builder("wheel", parameters={"rho": 0.5}).body(
        "wheel", joint=planar("x", "y", "r"), mass=1, inertia=1
    )
    model = made.contact("rim", "wheel", type="disc", radius=R, rolling="rho").build()
    with pytest.raises(ValueError, match="uncertain rho is used by 'rim'"):
        model.uncertain(rho=(0.0, 0.1))
