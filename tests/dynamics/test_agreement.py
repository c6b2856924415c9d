"""Two ways to the same numbers: symbols with generated code, and recursion over the tree."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modecontrol.dynamics.mechanism import Body, Contact, Input, Joint, Mechanism, Pin
from modecontrol.dynamics.model import Model
from modecontrol.dynamics.symbols.equations import equations_of

AGREE = 1e-10
SHIPPED = sorted(path.parent.name for path in Path(__file__).parents[2].glob("models/*/model.toml"))


def check(model: Model, q: np.ndarray, v: np.ndarray) -> None:
    """Every array of the snapshot, relative to its largest entry (at least one)."""
    snap = model.snapshot(q, v)
    symbols = model.with_features(q).equations
    found = symbols.evaluate(q, v)
    pairs = {
        "mass": snap.mass,
        "bias": snap.bias,
        "actuation": snap.actuation,
        "contact_jacobian": snap.jacobian,
        "contact_drift": snap.drift,
        "gap": snap.gap,
        "loop_jacobian": snap.loop_jacobian,
        "loop_drift": snap.loop_drift,
        "loop": model.loop_residual(q),
        "friction": snap.friction,
        "kinetic_energy": model.kinetic_energy(q, v),
        # Energies count from anywhere: bodies welded to the world may be in or out.
        "potential_energy": model.potential_energy(q) - model.potential_energy(q + 0.1),
    }
    elsewhere = symbols.evaluate(q + 0.1)["potential_energy"]
    found["potential_energy"] = found["potential_energy"] - elsewhere
    for name, expected in pairs.items():
        scale = max(1.0, float(np.abs(expected).max(initial=0.0)))
        np.testing.assert_allclose(found[name], expected, rtol=0, atol=AGREE * scale, err_msg=name)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_model(name):
    from modecontrol.dynamics.library import load

    model = load(name)
    rng = np.random.default_rng(7)
    n = len(model.coordinates)
    check(model, model.start, np.zeros(n))
    for _ in range(5):
        check(model, model.start + rng.normal(size=n) * 0.7, rng.normal(size=n) * 2)


@pytest.mark.parametrize("q", [(0.3, -1.1, 0.2, 0.9), (-2.0, 0.4, 3.0, -0.5)])
def test_loop_spring_and_discs(q):
    """A planar base with a turned slide, a spring, a loop and both kinds of disc contact."""
    mechanism = Mechanism(
        "mixed",
        (
            Body(
                "base",
                "world",
                Joint("prismatic", ("s",), at=(0.1, 0.2), angle=0.4, stiffness=30.0, damping=2.0, rest=0.1),
                mass=2.0,
                com=(0.05, -0.1),
            ),
            Body(
                "arm",
                "base",
                Joint("revolute", ("a",), at=(0.3, -0.2), angle=-0.7, damping=0.3),
                mass=1.0,
                inertia=0.2,
                com=(0.4, 0.1),
            ),
            Body(
                "plate",
                "arm",
                Joint("weld", at=(0.8, 0.1), angle=1.1),
                mass=0.3,
                inertia=0.01,
                com=(0.1, 0.0),
            ),
            Body(
                "wheel",
                "plate",
                Joint("revolute", ("b",), at=(0.2, 0.3), stiffness=4.0, rest=0.5),
                mass=0.5,
                inertia=0.05,
            ),
            Body("other", "base", Joint("revolute", ("c",), at=(-0.4, 0.0)), com=(0.6, 0.0)),
        ),
        inputs=(Input("tau", ("a",)), Input("force", ("s", "b"), (2.0, -0.5))),
        contacts=(
            Contact("toe", "point", "plate", (0.3, 0.1), tilt=0.3, origin=(0.2, -0.5), mu=0.4),
            Contact("tyre", "disc", "wheel", (0.1, 0.0), 0.25, tilt=-2.0, origin=(1.0, 1.0), mu=0.7),
            Contact(
                "pair",
                "disc_disc",
                "wheel",
                (0.05, 0.1),
                0.2,
                other="other",
                other_point=(0.9, 0.1),
                other_radius=0.3,
                mu=0.1,
            ),
            Contact(
                "post", "disc_disc", "wheel", (0.05, 0.1), 0.2, other_point=(3.0, -2.0), other_radius=0.3
            ),
        ),
        pins=(
            Pin("closing", "other", (1.0, 0.2), "plate", (0.0, 0.4)),
            Pin("ground", "wheel", (0.2, 0.0), "world", (1.0, 1.0)),
        ),
    )
    check(Model(mechanism), np.array(q), np.array([0.7, -1.3, 2.1, 0.4]))


lengths = st.floats(-1.0, 1.0).map(lambda x: round(x, 3))


@st.composite
def mechanisms(draw):
    """Random trees with every kind of joint, contact and pin, massless bodies among them."""
    bodies, count = [], 0
    for i in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["revolute", "revolute", "prismatic", "planar", "weld"]))
        size = {"planar": 3, "weld": 0}.get(kind, 1)
        names = tuple(f"q{count + j + 1}" for j in range(size))
        count += size
        joint = Joint(
            kind,
            names,
            at=(draw(lengths), draw(lengths)),
            angle=draw(st.sampled_from([0.0, 0.5, np.pi / 2])),
            stiffness=draw(st.sampled_from([0.0, 3.0])),
            damping=draw(st.sampled_from([0.0, 0.2])),
            rest=draw(lengths),
        )
        parent = draw(st.sampled_from(["world", *(body.name for body in bodies)]))
        bodies.append(
            Body(
                f"b{i}",
                parent,
                joint,
                mass=draw(st.sampled_from([0.0, 1.0, 2.5])),
                inertia=draw(st.sampled_from([0.0, 0.1])),
                com=(draw(lengths), draw(lengths)),
            )
        )
    names = [body.name for body in bodies]
    contacts = []
    for i in range(draw(st.integers(0, 2))):
        kind = draw(st.sampled_from(["point", "disc", "disc_disc"]))
        body = draw(st.sampled_from(names))
        # The second disc stands far off, so that centres do not coincide.
        contacts.append(
            Contact(
                f"c{i}",
                kind,
                body,
                (draw(lengths), draw(lengths)),
                radius=0.3,
                origin=(draw(lengths), draw(lengths)),
                tilt=draw(lengths),
                mu=0.5,
                other=draw(st.sampled_from(["world", *(n for n in names if n != body)])),
                other_point=(20.0, draw(lengths)),
                other_radius=0.2,
            )
        )
    pins = tuple(
        Pin(f"p{i}", draw(st.sampled_from(names)), (draw(lengths), draw(lengths)), "world", (0.5, 0.5))
        for i in range(draw(st.integers(0, 1)))
    )
    return Mechanism("random", tuple(bodies), contacts=tuple(contacts), pins=pins, gravity=(1.0, -9.81))


@given(mechanisms(), st.integers(0, 2**31))
@settings(deadline=None, max_examples=40)
def test_random_tree(mechanism, seed):
    rng = np.random.default_rng(seed)
    model = Model(mechanism)
    n = len(model.coordinates)
    check(model, rng.normal(size=n), rng.normal(size=n))


def test_symbols_of_an_evaluated_mechanism_are_numbers():
    mechanism = Mechanism("rod", (Body("rod", "world", Joint("planar", ("x", "y", "theta")), 2.0, 0.5),))
    equations = equations_of(mechanism.evaluated())
    assert equations.parameters == ()
    np.testing.assert_array_equal(equations.evaluate([0, 0, 0])["mass"], np.diag([2.0, 2.0, 0.5]))
