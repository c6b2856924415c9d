"""Springs, pushes and loop closures: recursion against symbols and finite differences, words and refusals."""

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.dynamics.forward_dynamics import compliance
from modecontrol.dynamics.model_file import parse
from modecontrol.errors import ModelFileError


def rich():
    """Every coupling once, on trees with slides, welds and a planar root."""
    b = mc.Builder("rich")
    b.body("a", joint=mc.planar("x", "y", "t"), mass=1, inertia=0.2, com=(0.1, 0.2))
    b.body("b", joint=mc.revolute("p", at=(1, 0.2), angle=0.3), mass=0.7, inertia=0.1, com=(0.3, -0.1))
    b.body("s", joint=mc.prismatic("d", at=(0.2, 0.1), angle=0.4), mass=0.5, inertia=0.05, com=(0.2, 0))
    b.body("w", joint=mc.weld(at=(0.3, 0.1), angle=0.5), mass=0.2, inertia=0.02)
    b.body("c", parent="world", joint=mc.revolute("r", at=(2, 1)), mass=1, inertia=0.1, com=(0.5, 0))
    ends = {"point": (0.1, 0.3), "other_point": (0.2, -0.1)}
    b.closure("rod", "rod", body="b", other="c", length=1.1, **ends)
    b.closure("welded", "weld", body="w", other="c", angle=0.3, **ends)
    b.closure("slide", "slider", body="a", other="w", angle=-0.2, axis=0.7, **ends)
    b.closure("rail", "slider", body="c", other="world", axis=0.4, **ends)
    b.closure("gear", "gear", coordinate="r", other_coordinate="p", ratio=1.7, offset=0.2)
    b.closure("rack", "gear", coordinate="d", other_coordinate="t", ratio=-0.7, offset=0.1)
    b.pin("pin", "c", (0.1, 0.1), "a", (0.2, 0.3))
    b.spring("spring", "w", other="a", stiffness=30, damping=2, length=0.4, **ends)
    b.spring("tether", "c", other="world", stiffness=10, damping=1, length=0.3, **ends)
    b.push("push", "s", point=(0.1, 0.2), force=(3, -2), moment=0.4)
    b.push("jet", "w", point=(0.1, 0.2), force=(1, 2), moment=0.1, follows=True)
    b.contact("floor", "w", point=(0.2, 0.1), mu=0.3)
    b.contact(
        "tray",
        "c",
        type="disc",
        point=(0.3, 0.1),
        radius=0.2,
        wall={"body": "b", "origin": (0.1, 0.3), "tilt": 0.4},
    )
    b.contact("ledge", "a", point=(0.3, 0.1), wall={"body": "w", "origin": (0.1, 0.3), "tilt": -0.7}, mu=0.2)
    return b.build()


@pytest.fixture(scope="module")
def model():
    return rich()


@pytest.mark.parametrize("seed", range(4))
def test_recursion_symbols_and_differences_agree(model, seed):
    rng = np.random.default_rng(seed)
    q, v, small = rng.uniform(-1, 1, 6), rng.uniform(-1, 1, 6), 1e-6
    snap, said = model.snapshot(q, v), model.equations.evaluate(q, v)
    for name, word in (
        ("bias", "bias"),
        ("loop_jacobian", "loop_jacobian"),
        ("loop_drift", "loop_drift"),
        ("jacobian", "contact_jacobian"),
        ("drift", "contact_drift"),
        ("gap", "gap"),
    ):
        np.testing.assert_allclose(getattr(snap, name), said[word], rtol=0, atol=1e-10)
    np.testing.assert_allclose(snap.velocity, snap.jacobian @ v, rtol=0, atol=1e-12)
    gaps = [
        (model.snapshot(q + small * d).gap - model.snapshot(q - small * d).gap) / (2 * small)
        for d in np.eye(6)
    ]
    np.testing.assert_allclose(np.transpose(gaps), snap.jacobian[::2], rtol=0, atol=1e-8)
    turned = model.snapshot(q + small * v, v).jacobian - model.snapshot(q - small * v, v).jacobian
    np.testing.assert_allclose(turned @ v / (2 * small), snap.drift, rtol=0, atol=1e-7)
    apart = model.loop_residual(q) - said["loop"]
    np.testing.assert_allclose(np.remainder(apart + 1, 2 * np.pi) - 1, 0, atol=1e-12)
    assert model.potential_energy(q) == pytest.approx(float(said["potential_energy"]), abs=1e-10)
    rows = [
        (model.loop_residual(q + small * d) - model.loop_residual(q - small * d)) / (2 * small)
        for d in np.eye(6)
    ]
    np.testing.assert_allclose(np.transpose(rows), snap.loop_jacobian, rtol=0, atol=1e-8)
    turned = model.snapshot(q + small * v, v).loop_jacobian - model.snapshot(q - small * v, v).loop_jacobian
    np.testing.assert_allclose(turned @ v / (2 * small), snap.loop_drift, rtol=0, atol=1e-7)
    A = np.vstack((snap.jacobian, snap.loop_jacobian))
    np.testing.assert_allclose(compliance(model, q), A @ np.linalg.solve(snap.mass, A.T), rtol=0, atol=1e-12)


def test_forces_are_the_slope_of_their_energy(model):
    """Without velocity, dampers and pushes, the bias is the gradient of the potential energy."""
    bare = mc.Model(mc.dynamics.mechanism.replace(model.mechanism, pushes=()))
    q, small = np.random.default_rng(5).uniform(-1, 1, 6), 1e-6
    slope = [
        (bare.potential_energy(q + small * d) - bare.potential_energy(q - small * d)) / (2 * small)
        for d in np.eye(6)
    ]
    np.testing.assert_allclose(bare.snapshot(q).bias, slope, rtol=0, atol=1e-7)


def test_names_of_rows_and_of_what_is_open(model):
    assert model.names.loop_rows[:5] == ("pin.x", "pin.y", "rod.along", "welded.x", "welded.y")
    assert len(model.names.loop_rows) == len(model.loop_residual(model.start))
    with pytest.raises(mc.ImpossibleStateError, match=r"rod|welded|slide|gear|pin"):
        mc.simulate(model, duration=0.01)
    assert "gear" in str(model.equations)


FILE = """
[parameters]
k = 20.0
[[body]]
name = "a"
parent = "world"
joint = {type = "revolute", coordinate = "q1"}
mass = 1
inertia = 0.1
[[body]]
name = "b"
parent = "world"
joint = {type = "revolute", coordinate = "q2", at = [1, 0]}
mass = 1
inertia = 0.1
[[closure]]
name = "teeth"
type = "gear"
coordinate = "q1"
other_coordinate = "q2"
ratio = "-k/10"
[[spring]]
name = "pull{i}"
repeat = 2
body = "a"
point = ["0.1*1", 0.5]
other = "b"
stiffness = "k"
[[push]]
name = "wind"
body = "b"
force = [1, "k/4"]
"""


def test_a_model_file_has_the_same_words():
    made = mc.Model(parse(FILE))
    assert made.numbers.closures[0].ratio == -2.0
    assert [s.name for s in made.mechanism.springs] == ["pull1", "pull2"]
    np.testing.assert_allclose(made.snapshot([0.0, 0.0]).loop_jacobian, [[1.0, 2.0]])
    assert made.numbers.pushes[0].force == (1.0, 5.0)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('type = "gear"', 'type = "belt"', "one of weld, slider, rod, gear"),
        ('other_coordinate = "q2"', 'other_coordinate = "q1"', "two different ones"),
        ('other_coordinate = "q2"', 'other_coordinate = "q3"', "coordinate 'q3' does not exist"),
        ('stiffness = "k"', 'stiffness = "-k"', "not negative"),
        ('other = "b"', 'other = "a"', "two different bodies"),
        ('force = [1, "k/4"]', "force = 3", "two numbers"),
        (
            'force = [1, "k/4"]',
            "forces = [1, 2]",
            "unknown key 'forces'; did you mean 'force'|unknown key 'forces' ",
        ),
        ('body = "b"\nforce', 'body = "c"\nforce', "body 'c' does not exist"),
    ],
)
def test_what_makes_no_sense_is_refused(old, new, message):
    assert FILE.count(old) == 1
    with pytest.raises(ModelFileError, match=message):
        parse(FILE.replace(old, new))
