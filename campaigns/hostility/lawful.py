"""Functions on mechanisms with laws, shapes and terrain, with sound arguments."""

from __future__ import annotations

from typing import Any

import numpy as np

import modecontrol as mc
from hostility.instants import Subject
from hostility.law_texts import CHAIN, GROUPS
from hostility.model_texts import LAWS, SHAPES
from modecontrol.dynamics.model import Model
from modecontrol.dynamics.model_file import parse
from modecontrol.validation import is_number


def made(text: str) -> Model:
    """The model of a text."""
    return Model(parse(text))


def lawful() -> list[Subject]:
    """Instants, responses, controllers and runs of models with laws and shapes."""
    laws, shapes, chain, groups = (made(text) for text in (LAWS, SHAPES, CHAIN, GROUPS))
    snapshot = laws.snapshot(laws.start)
    names = ("mass", "bias", "actuation", "jacobian", "drift", "friction", "velocity", "gap")
    arrays = {name: np.array(getattr(snapshot, name)) for name in names}
    columns = ("kind", "mu_static", "pull", "way", "least", "most")
    table = {name: np.array(getattr(snapshot.laws, name)) for name in columns}

    def answered(torque_limits: Any = None, task: Any = (), **words: Any) -> Any:
        law = mc.ContactLaws(**{key: words.pop(key) for key in columns})
        instant = mc.Snapshot(**words, laws=law)
        response = mc.dynamic_response(instant, torque_limits, task=task, check_state=False)
        best = mc.maximize(response, np.ones(instant.mass.shape[0]), patience=20)
        return response.modes, response.modes_at([0.1]), best.torque, mc.kinematic_modes(instant)

    def chosen(t: Any, q: Any, v: Any, **words: Any) -> Any:
        return mc.MaximalThrust(laws, "x", **words)(t, q, v)

    def moved(model: Any, **words: Any) -> Any:
        step = words.get("step")
        few = 0.003 if step is None or not is_number(step) else min(0.003, abs(100 * float(step)))
        return mc.simulate(model, **{"duration": few, "check_state": False, **words}).energy

    def stepped(tau: Any, **words: Any) -> Any:
        reading = mc.Stepper(groups, check_state=False, **words).step(tau)
        return reading.contact_force(groups.contacts[0]), reading.joint_reaction("box1")

    state = {"q0": np.array(shapes.start), "v0": np.zeros(6)}
    return [
        ("Snapshot (laws)", answered, {**arrays, **table, "torque_limits": [(-5.0, 5.0)]}),
        ("Snapshot (laws)", answered, {**arrays, **table, "task": "c2.normal >= 1"}),
        ("snapshot (laws)", laws.snapshot, {"q": np.array(laws.start), "v": np.zeros(5)}),
        ("snapshot (shapes)", shapes.snapshot, {"q": np.array(shapes.start), "v": np.zeros(6)}),
        ("snapshot (chain)", chain.snapshot, {"q": np.array(chain.start), "v": np.zeros(5)}),
        ("settle (shapes)", shapes.settle, {"q": np.array(shapes.start), "closed": ["stack.1"]}),
        (
            "MaximalThrust (laws)",
            chosen,
            {
                "t": 0.0,
                "q": np.array(laws.start),
                "v": np.zeros(5),
                "task": "heel.normal >= 1",
                "patience": 50,
            },
        ),
        ("simulate (laws)", lambda **k: moved(laws, **k), {"q0": np.array(laws.start), "v0": np.zeros(5)}),
        (
            "simulate (laws)",
            lambda **k: moved(laws, **k),
            {"integrator": "theta", "step": 1e-3, "controller": [0.1]},
        ),
        (
            "simulate (laws)",
            lambda **k: moved(laws, **k),
            {"drives": {"reach": 0.1}, "pushes": None, "rate": 500.0},
        ),
        ("simulate (shapes)", lambda **k: moved(shapes, **k), state),
        ("simulate (shapes)", lambda **k: moved(shapes, **k), {"formulation": "rmc", "restitution": 0.1}),
        ("simulate (groups)", lambda **k: moved(groups, **k), {"formulation": "nmc", "impact_speed": 0.1}),
        ("simulate (chain)", lambda **k: moved(chain, **k), {"formulation": "mc", "controller": [0.1, 0.1]}),
        ("Stepper (groups)", stepped, {"tau": [], "q": np.array(groups.start), "v": np.zeros(9)}),
    ]


def _joint_laws(words: dict[str, Any]) -> Any:
    made = mc.Builder("laws")
    made.body("base", joint=mc.planar("x", "y", "turn"), mass=1.0, inertia=0.1)
    keys = ("lower", "upper", "stop_restitution", "friction", "armature")
    made.body("arm", joint=mc.revolute("bend", **{key: words[key] for key in keys}), mass=1.0, inertia=0.1)
    slide = mc.prismatic("reach", prescribed=words["prescribed"], effort=words["effort"])
    made.body("hand", joint=slide, mass=0.5)
    made.input("tau", "turn", "bend", gains=words["gains"], stall=3.0, no_load=words["no_load"])
    keys = ("mu", "mu_static", "pull", "one_way", "speed", "tangential_restitution")
    made.contact("heel", "base", point=(-0.1, 0.0), **{key: words[key] for key in keys})
    made.cable("rope", "base", other="world", other_point=(0.0, 2.0), length=words["length"])
    made.pin("hinge", "hand", words["point"], "world", (0.0, 0.0))
    made.start(words["velocity"], x=words["x"])
    model = made.build()
    return mc.dynamic_response(model.snapshot(model.start), check_state=False).modes


def _shaped(words: dict[str, Any]) -> Any:
    made = mc.Builder("shapes", parameters={"l": words["parameter"]})
    made.terrain("ground", words["line"])
    made.terrain("cut", half_planes=words["half_planes"])
    corners = ((-0.3, -0.2), (0.3, -0.2), (0.3, 0.2), (-0.3, 0.2))
    for i in (1, 2):
        joint = mc.planar(f"x{i}", f"y{i}", f"a{i}")
        made.body(f"box{i}", parent="world", joint=joint, mass=1.0, inertia=0.1, outline=corners)
    made.group("boxes", *words["members"])
    made.contacts(*words["between"], mu=words["mu"], touches=words["touches"], radius=words["radius"])
    made.contact("disc", "box1", type="disc", radius=words["radius"], terrain="cut")
    made.contact("top", "box1", point=(0.0, 0.2), other="box2", other_shape=words["other_shape"])
    made.constraint("press", words["constraint"])
    made.output("height", words["output"])
    made.start(y1=1.0, y2=2.0)
    model = made.build()
    return model.snapshot(model.start).gap, mc.simulate(model, duration=0.002, check_state=False).energy


def built() -> list[Subject]:
    """The same words in the builder."""
    return [
        (
            "Builder (laws)",
            lambda **words: _joint_laws(words),
            {
                "lower": -1.0,
                "upper": 1.0,
                "stop_restitution": 0.2,
                "friction": 0.3,
                "armature": 0.02,
                "prescribed": True,
                "effort": (-20.0, 20.0),
                "gains": (1.0, -1.0),
                "no_load": 20.0,
                "mu": 0.5,
                "mu_static": 0.6,
                "pull": 1.0,
                "one_way": "left",
                "speed": 0.0,
                "tangential_restitution": 0.1,
                "length": 2.5,
                "point": (0.0, 0.0),
                "velocity": {"x": 0.0},
                "x": 0.1,
            },
        ),
        (
            "Builder (shapes)",
            lambda **words: _shaped(words),
            {
                "parameter": "2 * 3",
                "line": ((-3.0, 0.0), (1.0, 0.0), (1.0, 0.2), (2.0, 0.2)),
                "half_planes": [{"origin": (0.0, -1.0), "tilt": 0.1}, {"origin": (0.0, -1.0), "tilt": -0.1}],
                "members": ("box1", "box2"),
                "between": ("boxes", "ground"),
                "mu": 0.4,
                "touches": 2,
                "radius": 0.05,
                "other_shape": [(-0.3, -0.2), (0.3, -0.2), (0.0, 0.2)],
                "constraint": "top.normal >= 0",
                "output": "y1 + 2*y2",
            },
        ),
    ]
