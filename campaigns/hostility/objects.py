"""Objects whose methods are called, and sound arguments by the names of parameters."""

from __future__ import annotations

import inspect
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import modecontrol as mc
from hostility.instants import Subject
from hostility.lawful import made
from hostility.model_texts import LAWS, SHAPES

LEFT_OUT = frozenset({"explore", "animate", "trusted", "to_xarray", "critical_friction", "choose"})
"""Those that open windows or servers, take no outside values, or take their time by nature; pictures are a kind of their own."""
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
        "configurations": np.vstack([q, q]),
        "V": np.vstack([v, v]),
        "tau": tau,
        "inputs": np.vstack([tau, tau]),
        "mode": mode,
        "margin": 1e-3,
        "demand": "every",
        "contact": model.contacts[0],
        "name": "mu" if "mu" in model.parameters else model.coordinates[0],
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


def _objects() -> list[tuple[str, Any, Any, Any]]:
    """Objects whose methods are called: name, the object, and the model and response for sound arguments."""
    model = mc.load("two_link", mu=0.8)
    response = mc.dynamic_response(model.snapshot(model.start), torque_limits=[(-5.0, 5.0)])
    unsure = model.uncertain(mu=(0.5, 0.9))
    loose = mc.dynamic_response(unsure.snapshot(unsure.start), torque_limits=[(-5.0, 5.0)])
    rhex = mc.load("rhex")
    wide = mc.dynamic_response(rhex.snapshot(rhex.start))
    block = mc.load("block", slope=0.3, mu=0.2)
    sliding = mc.dynamic_response(block.snapshot(block.start))
    run = mc.simulate(block, duration=0.01)
    stepper = mc.Stepper(block)
    square = mc.Polytope.box([0.0, 0.0], [1.0, 1.0])
    cut = square.subtract(mc.Polytope.box([0.2, 0.2], [0.5, 0.5]))
    controller = mc.MaximalThrust(rhex, "alpha")
    laws = made(LAWS)
    lawful = mc.dynamic_response(laws.snapshot(laws.start), torque_limits=[(-5.0, 5.0)])
    shapes = made(SHAPES)
    shaped = mc.dynamic_response(shapes.snapshot(shapes.start))
    standing = mc.Stepper(shapes)
    FOLDER.mkdir(exist_ok=True)
    return [
        ("Model", model, model, response),
        ("Model rhex", rhex, rhex, wide),
        ("Snapshot", response.snapshot, model, response),
        ("DynamicResponse", response, model, response),
        ("DynamicResponse rhex", wide, rhex, wide),
        ("DynamicResponse uncertain", loose, model, response),
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
        ("Model laws", laws, laws, lawful),
        ("Snapshot laws", lawful.snapshot, laws, lawful),
        ("DynamicResponse laws", lawful, laws, lawful),
        ("ModeResponse laws", lawful[lawful.modes[0]], laws, lawful),
        ("Model shapes", shapes, shapes, shaped),
        ("Stepper shapes", standing, shapes, shaped),
        ("Readings shapes", standing.step([]), shapes, shaped),
        ("Clash", (response.clashes() or [None])[0], model, response),
    ]


def methods() -> list[Subject]:
    """Methods of the objects with their sound arguments."""
    found = []
    kept = FOLDER / "kept.npz"
    for label, thing, model, response in _objects():
        if label == "Trajectory":
            thing.save(kept)
        sound = _sound(model, response)
        for name in dir(type(thing)):
            if name.startswith(("_", "plot")) or name in LEFT_OUT:
                continue
            method = getattr(thing, name) if callable(getattr(type(thing), name, None)) else None
            if method is None:
                continue
            words = {
                p.name: sound.get(p.name, p.default if p.default is not p.empty else None)
                for p in inspect.signature(method).parameters.values()
                if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
            }
            if name == "load":
                words["path"] = kept
            if words:
                found.append((f"{label}.{name}", method, words))
    return found
