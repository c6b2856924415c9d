"""The Python builder: the same mechanisms and the same complaints as model files."""

import math

import numpy as np
import pytest

from modecontrol.dynamics import Builder, load, planar, prismatic, revolute, weld


def chain(n):
    made = Builder("chain")
    for i in range(1, n + 1):
        hinge = revolute(f"q{i}", at=(min(i - 1, 1), 0))
        made.body(f"link{i}", joint=hinge, mass=1, inertia=1 / 12, com=(0.5, 0))
    return made


def test_an_n_link_chain_in_three_lines():
    made = chain(5).mechanism()
    assert made.coordinates == ("q1", "q2", "q3", "q4", "q5")
    assert [body.parent for body in made.bodies] == ["world", "link1", "link2", "link3", "link4"]
    assert made.bodies[0].joint.at == (0.0, 0.0)
    assert made.bodies[4].joint.at == (1.0, 0.0)


def test_the_chain_moves_as_a_double_pendulum():
    """Mass matrix of the double pendulum of uniform rods, in relative angles."""
    q = np.array([0.3, -1.1])
    mass = chain(2).build().snapshot(q).mass
    c = math.cos(q[1])
    expected = [[1 / 3 + 4 / 3 + c, 1 / 3 + c / 2], [1 / 3 + c / 2, 1 / 3]]
    assert np.allclose(mass, expected, atol=1e-12)


def test_the_same_model_as_the_file():
    """The two-link mechanism of models/two_link, said in Python."""
    built = Builder("two_link", parameters={"l": "sqrt(1 + 0.6**2)", "m": 1.0})
    for name, joint in (("lower", planar("xc", "yc", "theta")), ("upper", revolute("gamma", at=("l", 0)))):
        built.body(name, joint=joint, mass="m", inertia="m*l**2/12", com=("l/2", 0))
    right, left = ({"origin": (1, 0), "tilt": "pi/2"}, {"origin": (0, 0), "tilt": "-pi/2"})
    built.contact("p1", "upper", point=("l", 0), wall=right, mu=0.2)
    built.contact("p2", "lower", point=("l", 0), wall=left, mu=0.2)
    built.contact("p3", "lower", point=(0, 0), wall=right, mu=0.2)
    built.input("tau", "gamma")
    a, b = built.build(), load("two_link")
    assert a.names == b.names
    rng = np.random.default_rng(1)
    q, v = rng.normal(size=(2, 4))
    one, other = a.snapshot(q, v), b.snapshot(q, v)
    for field in ("mass", "bias", "actuation", "jacobian", "drift", "friction", "velocity", "gap"):
        assert np.allclose(getattr(one, field), getattr(other, field), atol=1e-12), field


def test_all_the_words():
    built = (
        Builder("all", gravity=(0, -1.6), parameters={"k": 3, "twice": "2*k"})
        .body("cart", joint=prismatic("s", angle="pi/6", stiffness="k", damping=1, rest=0.2), mass=1)
        .body("mast", joint=weld(at=(0, 1), angle=0.1), mass=1, outline=[(0, 0), (0, 1)])
        .body("bob", parent="cart", joint=revolute("turn"), mass=2, com=(0.1, 0))
        .input("drive", "s", "turn", gains=(1, "k"), lower=-1, upper="twice")
        .input("motor", "turn", stall=2, no_load=5)
        .contact("rim", "bob", type="disc", radius=0.2, wall={"origin": (0, -1)}, mu=0.3)
        .contact("bump", "bob", type="disc_disc", radius=0.2, other="mast", other_radius=0.1)
        .pin("hook", "bob", (0, 0.5), "world", (0, 0.5))
        .constraint("press", "rim.normal >= 1")
        .output("sum", "s + turn")
        .start({"s": 0.1}, turn="pi/2")
    )
    made = built.mechanism()
    assert made.gravity == (0.0, -1.6)
    assert dict(made.parameters) == {"k": 3.0, "twice": 6.0}
    assert made.coordinates == ("s", "turn")
    assert made.evaluated().inputs[0].gains == (1.0, 3.0)
    assert made.evaluated().inputs[0].upper == 6.0
    assert made.contacts[1].other == "mast"
    assert made.pins[0].other == "world"
    assert dict(made.evaluated().start) == {"turn": pytest.approx(math.pi / 2)}
    assert dict(made.start_velocity) == {"s": 0.1}
    assert dict(made.constraints) == {"press": "rim.normal >= 1"}
    assert built.build().coordinates == ("s", "turn")


def test_bodies_may_come_before_their_parents():
    made = Builder("x").body("b", parent="a", joint=revolute("qb"))
    made.body("a", parent="world", joint=revolute("qa"))
    assert [body.name for body in made.mechanism().bodies] == ["a", "b"]


def test_a_builder_can_go_on_after_it_has_built():
    made = chain(1)
    first = made.mechanism()
    made.body("link2", joint=revolute("q2"))
    assert len(first.bodies) == 1
    assert len(made.mechanism().bodies) == 2


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (
            lambda b: b.body("link1", joint=revolute("z")),
            "builder 'chain': body 'link1': the name is used twice",
        ),
        (lambda b: b.body("c", joint=revolute("q1")), "coordinate 'q1': the name is used twice"),
        (lambda b: b.body("c", joint=revolute("z"), mass=-1), "body 'c': mass = -1"),
        (lambda b: b.body("c", joint=revolute("z"), mass="rho"), "body 'c': mass: .* unknown name 'rho'"),
        (lambda b: b.body("c", joint=revolute("z"), mass="open('f')"), "body 'c': mass: .* not allowed"),
        (lambda b: b.body("c", joint="revolute"), "body 'c': joint: found 'revolute'"),
        (lambda b: b.body("c", parent="lnk1", joint=revolute("z")), r"'lnk1' does not exist \(did you mean"),
        (lambda b: b.body("c", joint=revolute("z"), com=(1, 2, 3)), "body 'c': com: found"),
        (lambda b: b.input("tau", "q7"), "input 'tau': coordinate 'q7' does not exist"),
        (lambda b: b.input("tau"), "input 'tau': coordinate is missing"),
        (lambda b: b.input("tau", "q1", gains=(1, 2)), "input 'tau': found 2 gains"),
        (lambda b: b.contact("c", "link1", mu=-1), "contact 'c': mu = -1"),
        (lambda b: b.contact("c", "link1", friction=1), "contact 'c': unknown key 'friction'"),
        (lambda b: b.contact("c", "nobody"), "contact 'c': body 'nobody' does not exist"),
        (
            lambda b: b.contact("c", "link1", type="disc_disc", radius=1, other="link1", other_radius=1),
            "both",
        ),
        (lambda b: b.pin("p", "link1", (0, 0), "link1", (0, 0)), "pin 'p': body and other are both"),
        (lambda b: b.start(q9=1), "start: coordinate 'q9' does not exist"),
        (lambda b: b.output("o", "tip.normal"), "output 'o': 'tip.normal' does not exist"),
    ],
)
def test_one_clear_line(spoil, message):
    with pytest.raises(ValueError, match=message) as caught:
        spoil(chain(2)).mechanism()
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("builder 'chain'")


def test_joints_check_their_own_words():
    with pytest.raises(ValueError, match="at: found"):
        revolute("q", at=(1, 2, 3))
    with pytest.raises(ValueError, match="coordinates: found 3"):
        planar("x", "y", 3)


def test_nothing_at_all():
    with pytest.raises(ValueError, match="at least one"):
        Builder("empty").mechanism()


@pytest.mark.parametrize("gravity", [9.81, "down", (0.0,)])
def test_gravity_has_two_numbers(gravity):
    with pytest.raises(ValueError, match=r"gravity: found .*two numbers"):
        Builder("x", gravity=gravity)
