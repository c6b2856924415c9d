"""Every public function and method with extreme and wrong arguments.

A subject is a function with sound arguments; a case stretches or replaces one or two of them. Methods are
found by looking at the objects, so a new one is in without being named here; only its sound arguments are
looked up by name.
"""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import modecontrol as mc
from hostility.judging import judge
from hostility.values import any_value, stretched

LEFT_OUT = frozenset(
    {"explore", "plot", "plot_ambiguity", "animate", "trusted", "to_xarray", "critical_friction"}
)
"""Those that open windows or servers, take no outside values, or take their time by nature."""
FOLDER = Path(tempfile.gettempdir()) / "hostile-campaign"


def _sound(model: Any, response: Any) -> dict[str, Any]:
    """Sound arguments by the name of the parameter."""
    q, v = np.array(model.start), np.zeros(len(model.coordinates))
    tau = np.full(len(model.inputs), 0.1)
    mode = response.modes[0]
    square = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    return {
        "q": q,
        "v": v,
        "q0": q,
        "v0": v,
        "Q": np.vstack([q, q]),
        "V": np.vstack([v, v]),
        "tau": tau,
        "mode": mode,
        "margin": 1e-3,
        "demand": "every",
        "contact": model.contacts[0],
        "name": "mu",
        "x": np.array([0.2, 0.3]),
        "c": np.array([1.0, 2.0]),
        "keep": [0],
        "values": {0: 0.5},
        "k": 1,
        "n": 2,
        "matrix": np.array([[1.0, 2.0], [3.0, 4.0]]),
        "offset": np.array([1.0, 2.0]),
        "factor": 2.0,
        "size": 3,
        "points": square,
        "rays": [[1.0, 0.0]],
        "lines": [],
        "lower": [0.0, 0.0],
        "upper": [1.0, 1.0],
        "rng": np.random.default_rng(0),
        "certify": False,
        "labels": None,
        "other": mc.Polytope.box([0, 0], [1, 1]),
        "zero_normal": [model.contacts[0]],
        "zero_tangential": [model.contacts[0]],
        "closed": [model.contacts[0]],
        "threads": 2,
        "snapshot": response.snapshot,
        "indent": 2,
        "key": mode,
        "default": None,
        "names": None,
        "friction": np.array(response.snapshot.friction),
        "t": 0.0,
        "steps": 3,
        "body": model.mechanism.bodies[0].name,
        "path": FOLDER / "out.npz",
        "model": None,
        "place": None,
        "rows": response.problem.physical,
        "instant": None,
        "loops": 0,
    }


def _functions() -> list[tuple[str, Callable[..., Any], dict[str, Any]]]:
    """Functions and constructors with their sound arguments."""
    model = mc.load("two_link", mu=0.8)
    snapshot = model.snapshot(model.start)
    rhex = mc.load("rhex")
    far = mc.dynamic_response(rhex.snapshot(rhex.start), task="body.normal >= 10")
    response = mc.dynamic_response(snapshot, torque_limits=[(-5.0, 5.0)])
    block = mc.load("block", slope=0.3, mu=0.2)
    rod = mc.load("rod")
    uncertain = mc.load("two_link", mu=0.8).uncertain(mu=(0.5, 0.9))
    loose = mc.dynamic_response(uncertain.snapshot(uncertain.start), torque_limits=[(-5.0, 5.0)])
    arrays = {
        name: np.array(getattr(snapshot, name))
        for name in ("mass", "bias", "actuation", "jacobian", "drift", "friction", "velocity", "gap")
    }
    A = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0], [1.0, 1.0]])
    b = np.array([1.0, 1.0, 1.0, 1.0, 1.5])
    M, z = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]]), np.array([-1.0, 0.5, -2.0])

    def answers(task: Any = (), physical: Any = (), **words: Any) -> Any:
        made = mc.dynamic_response(mc.Snapshot(**words), physical=physical, task=task, check_state=False)
        return made.modes_at([0.1]), made.coverage(), mc.maximize(made, 0 * np.ones(4) + 1.0), made.summary()

    def sets(**words: Any) -> Any:
        P = mc.Polytope(**words)
        return (
            P.is_empty,
            P.is_bounded,
            P.dimension,
            P.minimal(),
            P.contains([0.0, 0.0]),
            P.bounding_box,
            P.vertices,
        )

    def projected(**words: Any) -> Any:
        P = mc.Polytope(**words)
        return (
            P.project([0]),
            P.subtract(mc.Polytope.box([0, 0], [1, 1])),
            P.volume,
            P.chebyshev,
            P.nearest([0.0, 0.0]),
        )

    def run(model: Any, **words: Any) -> Any:
        return mc.simulate(model, **{"duration": 0.004, **words}).energy

    def fallen(**words: Any) -> Any:
        return mc.load("pendulum", n=2, **words).snapshot([0.1, 0.2])

    def built(**words: Any) -> Any:
        made = mc.Builder("b", gravity=words["gravity"])
        made.body(
            "a",
            joint=mc.planar("x", "y", "turn", at=words["at"]),
            mass=words["mass"],
            inertia=words["inertia"],
        )
        made.body(
            "arm",
            parent="a",
            joint=mc.revolute("bend", stiffness=words["stiffness"]),
            mass=1.0,
            com=words["com"],
        )
        made.contact("foot", "arm", point=words["point"], friction=words["friction"])
        made.input("tau", "bend", lower=words["lower"], upper=words["upper"])
        model = made.build()
        return mc.dynamic_response(model.snapshot([0.0, 1.0, 0.1, 0.2])).modes

    return [
        ("load", partial(mc.load, "two_link"), {"mu": 0.8, "m1": 1.0}),
        ("load path", lambda name: mc.load(name), {"name": "two_link"}),
        ("pendulum", fallen, {"m": 1.0, "l": 1.0}),
        ("snapshot", model.snapshot, {"q": np.array(model.start), "v": np.zeros(4)}),
        ("rhex.snapshot", rhex.snapshot, {"q": np.array(rhex.start), "v": np.zeros(6)}),
        ("uncertain", model.uncertain, {"mu": (0.5, 0.9)}),
        ("with_parameters", model.with_parameters, {"mu": 0.5}),
        ("Snapshot", answers, arrays),
        ("Snapshot", answers, {**arrays, "torque_limits": [(-5.0, 5.0)], "task": "q1 >= 0"}),
        ("Snapshot(names)", mc.Snapshot, {**arrays, "names": {"contacts": ("a", "b", "c")}}),
        (
            "kinematic_modes",
            mc.kinematic_modes,
            {"snapshot": snapshot, "velocity_tolerance": 1e-9, "check_state": True},
        ),
        (
            "dynamic_response",
            mc.dynamic_response,
            {
                "snapshot": snapshot,
                "torque_limits": [(-5.0, 5.0)],
                "physical": "tau >= -3",
                "task": "q1 >= 0",
                "velocity_tolerance": 1e-9,
                "normal_tolerance": 1e-9,
                "check_state": True,
            },
        ),
        (
            "dynamic_responses",
            lambda **k: list(mc.dynamic_responses(**k)),
            {"snapshots": [snapshot] * 2, "threads": 2},
        ),
        ("Constraint", mc.Constraint, {"rule": "1 <= tau <= 2", "name": "n"}),
        (
            "Constraint(matrix)",
            lambda **k: mc.Constraint(**k).rows(snapshot),
            {
                "acceleration": np.ones((1, 4)),
                "force": np.ones((1, 6)),
                "torque": np.ones((1, 1)),
                "at_least": [1.0],
            },
        ),
        (
            "quantity",
            lambda name, by, plus: mc.quantity(name) * by + plus >= 3,
            {"name": "tau", "by": 2.0, "plus": 1.0},
        ),
        ("Polytope", sets, {"A": A, "b": b, "C": np.zeros((0, 2)), "d": np.zeros(0)}),
        ("Polytope", projected, {"A": A, "b": b}),
        ("Polytope(flat)", sets, {"A": A, "b": b, "C": np.ones((1, 2)), "d": np.ones(1)}),
        ("Polytope.box", mc.Polytope.box, {"lower": [0.0, 0.0], "upper": [1.0, 1.0], "labels": ("x", "y")}),
        ("Region", mc.Region, {"pieces": (mc.Polytope.box([0, 0], [1, 1]),), "n": 2}),
        (
            "maximize",
            mc.maximize,
            {"response": far, "objective": "alpha", "margin": 1e-3, "guarantee": "mode", "patience": 50},
        ),
        ("maximize", partial(mc.maximize, far), {"objective": "2*alpha - body.normal", "margin": 0.0}),
        ("maximize", partial(mc.maximize, response), {"objective": np.ones(4), "margin": 0.1}),
        (
            "maximize(outcome)",
            partial(mc.maximize, loose),
            {"objective": "theta", "margin": 0.1, "guarantee": "outcome"},
        ),
        (
            "design",
            partial(mc.design, response),
            {"goal": "effort", "weights": [1.0], "margin": 0.0, "modes": None},
        ),
        (
            "MaximalThrust",
            lambda t, q, v, **k: mc.MaximalThrust(rhex, "alpha", **k)(t, q, v),
            {
                "t": 0.0,
                "q": np.array(rhex.start),
                "v": np.zeros(6),
                "task": "body.normal >= 10",
                "physical": (),
                "v0": 1e-3,
                "gap": 1e-3,
                "leaving": np.inf,
                "margin": 0.0,
                "patience": 100,
                "rest": None,
            },
        ),
        (
            "BlindThrust",
            lambda t, q, v, **k: mc.BlindThrust(rhex, **k)(t, q, v),
            {
                "objective": "alpha",
                "modes": ("RRLL", "RFLL"),
                "filter_time": 0.02,
                "threshold": 15.0,
                "ignore": 0.04,
                "t": 0.0,
                "q": np.array(rhex.start),
                "v": np.zeros(6),
            },
        ),
        (
            "simulate",
            partial(run, block),
            {
                "q0": np.array(block.start),
                "v0": np.zeros(3),
                "controller": [0.0],
                "step": 1e-3,
                "formulation": "os",
                "duration": 0.004,
                "restitution": 0.1,
                "impact_speed": 0.1,
                "g_eps": 1e-3,
                "loop_correction": 0.2,
                "eps": 0.0,
                "friction_scaling": False,
                "rate": 500.0,
                "delay": 0.0,
                "record_every": 1,
            },
        ),
        (
            "simulate",
            partial(run, rod),
            {
                "controller": lambda t, q, v: [0.0],
                "noise": 0.0,
                "rng": np.random.default_rng(0),
                "clip": True,
                "integrator": "euler",
                "level": None,
                "dynamics": None,
                "check_state": True,
                "callback": None,
                "stop": None,
            },
        ),
        (
            "Stepper",
            lambda tau, **k: mc.Stepper(block, **k).step(tau),
            {
                "tau": [0.0],
                "q": np.array(block.start),
                "v": np.zeros(3),
                "step": 1e-3,
                "period": 1e-3,
                "clip": True,
            },
        ),
        ("solve_lcp", mc.solve_lcp, {"M": M, "q": z}),
        (
            "solve_lcp",
            mc.solve_lcp,
            {"M": M, "q": z, "equalities": 1, "guess": None, "methods": ("lemke", "principal")},
        ),
        (
            "study",
            partial(mc.study, model),
            {"points": {"mu": [0.3, 0.5]}, "quantities": ("modes",), "executor": 1, "seed": 0},
        ),
        (
            "Builder",
            built,
            {
                "gravity": (0.0, -9.81),
                "at": (0.0, 0.0),
                "mass": 1.0,
                "inertia": 1.0,
                "com": (0.5, 0.0),
                "stiffness": 1.0,
                "point": (1.0, 0.0),
                "friction": 0.5,
                "lower": -1.0,
                "upper": 1.0,
            },
        ),
        ("Names", mc.Names, {"coordinates": ("a",), "inputs": ("b",), "contacts": ("c",)}),
        ("UncheckedError", lambda **k: str(mc.UncheckedError(**k)), {"message": "x"}),
    ]


def _objects() -> list[tuple[str, Any, Any, Any]]:
    """Objects whose methods are called: name, the object, and the model and response for sound arguments."""
    model = mc.load("two_link", mu=0.8)
    response = mc.dynamic_response(model.snapshot(model.start), torque_limits=[(-5.0, 5.0)])
    rhex = mc.load("rhex")
    wide = mc.dynamic_response(rhex.snapshot(rhex.start))
    block = mc.load("block", slope=0.3, mu=0.2)
    sliding = mc.dynamic_response(block.snapshot(block.start))
    run = mc.simulate(block, duration=0.01)
    stepper = mc.Stepper(block)
    square = mc.Polytope.box([0.0, 0.0], [1.0, 1.0])
    cut = square.subtract(mc.Polytope.box([0.2, 0.2], [0.5, 0.5]))
    controller = mc.MaximalThrust(rhex, "alpha")
    FOLDER.mkdir(exist_ok=True)
    return [
        ("Model", model, model, response),
        ("Model rhex", rhex, rhex, wide),
        ("Snapshot", response.snapshot, model, response),
        ("DynamicResponse", response, model, response),
        ("DynamicResponse rhex", wide, rhex, wide),
        ("ModeResponse", response[response.modes[0]], model, response),
        ("Polytope", square, model, response),
        ("Polytope flat", mc.Polytope(square.A, square.b, [[1.0, 1.0]], [1.0]), model, response),
        ("Polytope cone", mc.Polytope([[1.0, -1.0], [-1.0, -1.0]], [0.0, 0.0]), model, response),
        ("Region", cut, model, response),
        (
            "Thrust",
            mc.maximize(response, "theta" if "theta" in model.coordinates else model.coordinates[0]),
            model,
            response,
        ),
        ("Controller", controller, rhex, wide),
        ("Trajectory", run, block, sliding),
        ("Stepper", stepper, block, sliding),
        ("Readings", stepper.step([0.0]), block, sliding),
        ("Clash", (response.clashes() or [None])[0], model, response),
    ]


def _methods() -> list[tuple[str, Callable[..., Any], dict[str, Any]]]:
    found = []
    for label, thing, model, response in _objects():
        sound = _sound(model, response)
        for name in dir(type(thing)):
            if name.startswith("_") or name in LEFT_OUT:
                continue
            method = getattr(thing, name) if callable(getattr(type(thing), name, None)) else None
            if method is None:
                continue
            words = {
                p.name: sound.get(p.name, p.default if p.default is not p.empty else None)
                for p in inspect.signature(method).parameters.values()
                if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
            }
            if words:
                found.append((f"{label}.{name}", method, words))
    return found


def prepare(seed: int) -> Callable[[int], str | None]:
    """A function that runs the case with a number and judges it."""
    subjects = _functions() * 3 + _methods()

    def case(index: int) -> str | None:
        rng = np.random.default_rng([seed, 1, index])
        name, function, sound = subjects[rng.integers(len(subjects))]
        words = dict(sound)
        for key in rng.choice(list(words), size=min(len(words), 1 + int(rng.random() < 0.3)), replace=False):
            words[key] = stretched(rng, words[key]) if rng.random() < 0.6 else any_value(rng)
        found = judge(partial(function, **words))
        return None if found is None else f"{name}({_told(words, sound)}): {found}"

    return case


def _told(words: dict[str, Any], sound: dict[str, Any]) -> str:
    """The arguments that were changed."""
    parts = []
    for key, value in words.items():
        if value is not sound[key]:
            try:
                text = repr(value)
            except Exception:
                text = f"a {type(value).__name__}"
            parts.append(f"{key}={text[:160]}")
    return ", ".join(parts)
