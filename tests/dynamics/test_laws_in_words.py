"""Words of stops, dry joints, armature, adhesion, claws, conveyors and cables: what is refused, and what armature does."""

from __future__ import annotations

import numpy as np
import pytest

from modecontrol.dynamics import forward_dynamics
from modecontrol.dynamics.builder import Builder
from modecontrol.dynamics.contact_entries import entries
from modecontrol.dynamics.joints import planar, prismatic, revolute
from modecontrol.dynamics.model_file import parse
from modecontrol.errors import ModelFileError

BODY = """
[[body]]
name = "arm"
parent = "world"
joint = {type = "revolute", coordinate = "knee", WORDS}
mass = 1.0
inertia = 0.1
com = [0.5, 0.0]
"""


def joint(words):
    return BODY.replace("WORDS", words)


def contact(words):
    return joint("start = 0.0") + f'[[contact]]\nname = "foot"\nbody = "arm"\npoint = [1, 0]\n{words}\n'


def cable(words, name="rope"):
    return joint("start = 0.0") + _cable(words, name)


def _cable(words, name):
    return f'[[cable]]\nname = "{name}"\nbody = "arm"\npoint = [1, 0]\nother = "world"\n{words}\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (joint("lower = 0.2"), "body 'arm': joint starts at knee = 0, beyond its stops [0.2, inf]"),
        (
            joint("upper = 1, start = 1.1"),
            "body 'arm': joint starts at knee = 1.1, beyond its stops [-inf, 1]",
        ),
        (joint("lower = 2, upper = 1"), "body 'arm': joint lower = 2 and upper = 1; lower < upper"),
        (joint("lower = 0, upper = 0"), "lower < upper was expected"),
        (joint("friction = -1"), "body 'arm': joint friction = -1; a number that is not negative"),
        (joint("armature = -1"), "body 'arm': joint armature = -1"),
        (joint("lower = 0, stop_restitution = 1.5"), "joint stop_restitution = 1.5; a number from 0 to 1"),
        (joint("effort = [0, 1]"), "found effort; only a joint with prescribed = true has one"),
        (joint("prescribed = true, effort = [2, 1]"), "joint effort = [2.0, 1.0]; [least, greatest]"),
        (joint("prescribed = 1"), "prescribed: found 1 (int); true or false was expected"),
        (contact("pull = -3"), "contact 'foot': pull = -3; a number that is not negative"),
        (contact("mu = 0.5\nmu_static = 0.4"), "contact 'foot': mu_static = 0.4 is below mu = 0.5"),
        (contact('one_way = "up"'), "'foot': one_way: found 'up' (str); one of left, right was expected"),
        (
            contact("rolling = 0.1"),
            "contact 'foot': rolling = 0.1; a contact that resists rolling was expected to be round",
        ),
        (contact("rolling = -1"), "contact 'foot': rolling = -1; a length that is not negative was expected"),
        (contact("rolling = nan"), "'foot': rolling: found nan (float); a number was expected"),
        (contact("speed = inf"), "contact 'foot': speed = inf; a finite number was expected"),
        (cable("length = 0.9"), "cable 'rope': its ends start 1 apart, more than its length 0.9"),
        (cable("length = 0"), "cable 'rope': length is 0; a positive length was expected"),
        (cable(""), "'rope': length is missing"),
    ],
)
def test_bad_laws_are_refused_in_one_line_that_names_the_place(text, says):
    with pytest.raises(ModelFileError) as refused:
        parse(text)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_planar_joint_has_no_stops():
    words = 'name = "a"\nparent = "world"\njoint = {type = "planar", coordinates = ["x", "y", "r"], lower = 0}\nmass = 1'
    with pytest.raises(ModelFileError, match="found lower; a planar joint has none"):
        parse(f"[[body]]\n{words}")


def test_a_cable_and_a_contact_have_different_names():
    with pytest.raises(ModelFileError, match="cable 'foot': a contact has this name too"):
        parse(contact("") + _cable("length = 2", "foot"))


def test_letters_come_in_the_order_contacts_stops_dry_joints_cables_rolling():
    made = (
        Builder("order")
        .body("a", joint=revolute("qa", friction=0.5, upper=1), mass=1)
        .body("b", joint=prismatic("qb", at=(1, 0), lower=-1), mass=1)
        .body("c", joint=revolute("qc", friction="0*2"), mass=1)
        .cable("rope", "b", other="world", length=5)
        .contact("foot", "c", mu=0.3)
        .contact("wheel", "c", type="disc", point=(9, 0), radius=0.1, rolling="0.01*1")
        .mechanism()
    )
    named = ["foot", "wheel", "qa.stop", "qb.stop", "qa.friction", "rope", "wheel.rolling"]
    assert [entry.name for entry in entries(made)] == named
    assert [entry.name for entry in entries(made.evaluated())] == [entry.name for entry in entries(made)]


def _geared(armature):
    return (
        Builder("geared")
        .body("base", joint=planar("x", "y", "r"), mass=2, inertia=0.3, com=(0.1, 0.2))
        .body("arm", joint=revolute("a", at=(1, 0), armature=armature), mass=1, inertia=0.05, com=(0.4, 0))
        .body(
            "rail",
            joint=prismatic("s", at=(0.5, 0), angle=0.3, armature=2 * armature),
            mass=0.7,
            inertia=0.02,
        )
        .body("hand", joint=revolute("h", at=(0.2, 0.1)), mass=0.3, inertia=0.01, com=(0.1, 0))
        .input("u", "x", "y", "r", "a", "s", "h", gains=(1.0, 2.0, -0.5, 0.3, 0.7, -0.2))
        .build()
    )


def test_armature_is_on_the_diagonal_of_the_mass_matrix_alone():
    with_it, without = _geared(0.8), _geared(0.0)
    q, v = np.array([0.1, 0.2, 0.5, -0.7, 0.3, 1.1]), np.array([0.3, -0.2, 0.9, 1.4, -0.6, 0.2])
    here, there = with_it.snapshot(q, v), without.snapshot(q, v)
    assert np.allclose(here.mass - there.mass, np.diag([0, 0, 0, 0.8, 1.6, 0]), atol=1e-14)
    assert np.array_equal(here.bias, there.bias)
    assert with_it.kinetic_energy(q, v) == pytest.approx(0.5 * v @ here.mass @ v, rel=1e-13)


@pytest.mark.parametrize("method", ["aba", "dca", "dense"])
def test_armature_counts_in_every_forward_dynamics(method):
    model = _geared(0.8)
    q, v = np.array([0.1, 0.2, 0.5, -0.7, 0.3, 1.1]), np.array([0.3, -0.2, 0.9, 1.4, -0.6, 0.2])
    snap = model.snapshot(q, v)
    force = np.array([1.0, 2.0, -0.5, 0.3, 0.7, -0.2])
    found, _ = forward_dynamics.forward_dynamics(model, q, v, [1.0], method=method)
    assert np.allclose(found, np.linalg.solve(snap.mass, force - snap.bias), rtol=1e-10)


def test_symbols_know_armature():
    model = _geared(0.8)
    q, v = np.array([0.1, 0.2, 0.5, -0.7, 0.3, 1.1]), np.array([0.3, -0.2, 0.9, 1.4, -0.6, 0.2])
    snap, there = model.snapshot(q, v), model.equations.evaluate(q, v)
    assert np.allclose(snap.mass, there["mass"], atol=1e-12)
    assert there["kinetic_energy"] == pytest.approx(model.kinetic_energy(q, v), rel=1e-12)
