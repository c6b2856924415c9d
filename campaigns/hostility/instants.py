"""Functions about models, instants, sets and chosen inputs, with sound arguments."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import modecontrol as mc

Subject = tuple[str, Callable[..., Any], dict[str, Any]]
"""A name, a function, and sound arguments."""


def subjects() -> list[Subject]:
    """Functions and constructors with their sound arguments."""
    model = mc.load("two_link", mu=0.8)
    snapshot = model.snapshot(model.start)
    rhex = mc.load("rhex")
    far = mc.dynamic_response(rhex.snapshot(rhex.start), task="body.normal >= 10")
    response = mc.dynamic_response(snapshot, torque_limits=[(-5.0, 5.0)])
    uncertain = mc.load("rod").uncertain(mu=(0.3, 0.5))
    loose = mc.dynamic_response(uncertain.snapshot(uncertain.start), torque_limits=[(-5.0, 5.0)] * 3)
    arrays = {
        name: np.array(getattr(snapshot, name))
        for name in ("mass", "bias", "actuation", "jacobian", "drift", "friction", "velocity", "gap")
    }
    A = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0], [1.0, 1.0]])
    b = np.array([1.0, 1.0, 1.0, 1.0, 1.5])

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

    return [
        ("load", partial(mc.load, "two_link"), {"mu": 0.8, "m": 1.0}),
        ("load path", lambda name: mc.load(name), {"name": "two_link"}),
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
                "task": "theta >= 0",
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
            {"objective": "phi", "margin": 0.1, "guarantee": "outcome", "patience": 5},
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
                "disturbance": None,
                "velocity": None,
                "guarantee": None,
                "lifted": None,
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
        ("Names", mc.Names, {"coordinates": ("a",), "inputs": ("b",), "contacts": ("c",)}),
        ("UncheckedError", lambda **k: str(mc.UncheckedError(**k)), {"message": "x"}),
    ]
