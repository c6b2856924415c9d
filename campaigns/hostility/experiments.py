"""Functions that build, simulate, observe and study, with sound arguments."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import modecontrol as mc
from hostility.instants import Subject
from modecontrol import studies


def runs() -> list[Subject]:
    """Simulation, contact problems and studies."""
    model = mc.load("two_link", mu=0.8)
    block, rod = mc.load("block", slope=0.3, mu=0.2), mc.load("rod")
    M, z = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]]), np.array([-1.0, 0.5, -2.0])
    ranges = {"mu": (0.3, 0.5), "m": (1.0, 2.0)}

    def run(model: Any, **words: Any) -> Any:
        return mc.simulate(model, **{"duration": 0.004, **words}).energy

    return [
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
                "g_eps": -1e-3,
                "loop_correction": 0.2,
                "eps": 0.0,
                "friction_scaling": False,
                "rate": 500.0,
                "delay": 0.0,
                "record_every": 1,
                "pushes": None,
                "drives": None,
                "events": None,
            },
        ),
        (
            "simulate",
            partial(run, rod),
            {
                "controller": lambda t, q, v: [0.0, 0.0, 0.0],
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
            "simulate_many",
            mc.simulate_many,
            {"runs": [{"model": block, "duration": 0.002}], "threads": 1, "step": 1e-3},
        ),
        ("grid", studies.grid, {"values": {"mu": [0.3, 0.5]}}),
        ("table", studies.table, {"columns": {"mu": [0.3, 0.5], "m": [1.0, 2.0]}}),
        ("latin_hypercube", studies.latin_hypercube, {"ranges": ranges, "points": 3, "seed": 0}),
        ("sobol", studies.sobol, {"ranges": ranges, "points": 4, "seed": 0}),
        (
            "Touching",
            lambda contacts, coordinates, q: studies.Touching(contacts, coordinates)(block, q),
            {"contacts": block.contacts, "coordinates": ("y", "theta"), "q": np.array(block.start)},
        ),
        (
            "parameter_map",
            partial(studies.parameter_map, model),
            {
                "x": ("mu", [0.3, 0.5]),
                "y": ("m", [1.0]),
                "quantities": ("modes",),
                "executor": 1,
                "chunksize": 8,
            },
        ),
        (
            "estimate",
            partial(studies.estimate, model),
            {"points": {"mu": [0.3, 0.5]}, "workers": 1, "sample": 2, "longest": 1.0},
        ),
        ("with_columns", studies.with_columns, {"columns": {"a": "number"}, "name": "x", "objective": False}),
    ]


def observations() -> list[Subject]:
    """Guarantees over friction, scenarios, observers, maps of thrust, doors to other packages."""
    uncertain = mc.load("two_link", mu=0.8).uncertain(mu=(0.5, 0.9))
    loose = mc.dynamic_response(uncertain.snapshot(uncertain.start), torque_limits=[(-5.0, 5.0)])
    still = np.zeros(len(uncertain.coordinates))
    slipping = mc.load("rod").uncertain(mu=(0.3, 0.5))
    quick = mc.dynamic_response(slipping.snapshot(slipping.start), torque_limits=[(-5.0, 5.0)] * 3)
    block, rod = mc.load("block", slope=0.3, mu=0.2), mc.load("rod")
    seen = {"t": 0.0, "tau": np.zeros(1), "q": np.array(uncertain.start), "v": still, "value": [0.1]}
    options = {"measured": "theta", "noise": 0.5, "torque_error": 0.1}

    def observe(kind: Any, t: Any, tau: Any, q: Any, v: Any, value: Any, measured: Any, **words: Any) -> Any:
        return kind(uncertain, measured, **words)(t, tau, (q, v, value))

    def mapped(q: Any, v: Any, base: Any, **words: Any) -> Any:
        return studies.map_thrust(mc.MaximalThrust(rod, "phi"), q, v, base, **words)

    def environment(action: Any, **words: Any) -> Any:
        from modecontrol.interop import Environment

        made = Environment(block, **words)
        made.reset(seed=1)
        return made.step(action)

    def system(**words: Any) -> Any:
        from modecontrol.interop import control_system

        return control_system(block, **words)

    def disturbed(objective: Any, **words: Any) -> Any:
        return mc.promised_value(loose, objective, [0.1], disturbance=mc.Disturbance(**words))

    return [
        (
            "Disturbance",
            disturbed,
            {
                "objective": "theta",
                "torque_error": 0.1,
                "relative_torque_error": 0.05,
                "forces": {"xc": (-0.1, 0.1)},
                "along": None,
            },
        ),
        (
            "ContactLaws",
            mc.ContactLaws,
            {
                "kind": [0, 2],
                "mu_static": [0.5, 0.0],
                "pull": [1.0, 0.0],
                "way": [0, 1],
                "least": [0.0, -1.0],
                "most": [0.0, 1.0],
            },
        ),
        (
            "Disturbance (set)",
            mc.Disturbance,
            {"forces": mc.Polytope.box([-1.0], [1.0]), "along": [[1.0], [0.0]]},
        ),
        (
            "price_of_robustness",
            partial(mc.price_of_robustness, loose),
            {"objective": "theta", "widths": (0.0, 0.1), "guarantee": "outcome", "patience": 5},
        ),
        ("promised_value", partial(mc.promised_value, loose), {"objective": "theta", "tau": [0.1]}),
        (
            "maximize_over_scenarios",
            mc.maximize_over_scenarios,
            {"responses": [quick, quick], "objective": "phi", "patience": 5},
        ),
        ("ModeObserver", partial(observe, mc.ModeObserver), {**seen, **options}),
        ("FrictionObserver", partial(observe, mc.FrictionObserver), {**seen, **options}),
        (
            "map_thrust",
            mapped,
            {"q": {"phi": [0.7, 0.8]}, "v": None, "base": None, "chunk": 8, "threads": 1},
        ),
        (
            "Environment",
            environment,
            {
                "action": [0.0],
                "duration": 1.0,
                "start": None,
                "limits": [(-1.0, 1.0)],
                "period": 0.01,
                "step": 1e-3,
            },
        ),
        (
            "control_system",
            system,
            {"mode": None, "outputs": ("x",), "step": 1e-3, "clip": False, "name": "s"},
        ),
    ]


def constructions() -> list[Subject]:
    """Mechanisms made in Python."""

    def built(**words: Any) -> Any:
        made = mc.Builder("b", gravity=words["gravity"])
        made.body(
            "a",
            joint=mc.planar("x", "y", "turn", at=words["at"], angle=words["angle"]),
            mass=words["mass"],
            inertia=words["inertia"],
            outline=words["outline"],
        )
        made.body(
            "arm",
            parent="a",
            joint=mc.revolute("bend", stiffness=words["stiffness"]),
            mass=1.0,
            com=words["com"],
        )
        made.contact("foot", "arm", point=words["point"], mu=words["mu"])
        made.input("tau", "bend", lower=words["lower"], upper=words["upper"])
        model = made.build()
        return mc.dynamic_response(model.snapshot([0.0, 1.0, 0.1, 0.2])).modes

    def coupled(closure: Any, length: Any, **words: Any) -> Any:
        made = mc.Builder("c")
        made.body("cart", joint=mc.prismatic("x", damping=words["damping"], rest=words["rest"]), mass=1.0)
        made.body("mast", parent="cart", joint=mc.weld(at=words["at"], angle=words["angle"]), mass=1.0)
        made.body("pole", parent="mast", joint=mc.revolute("theta"), mass=1.0, inertia=0.1)
        made.spring(
            "s", "pole", point=words["point"], other="world", stiffness=words["stiffness"], length=0.5
        )
        made.push("p", "cart", force=words["force"], moment=words["moment"])
        made.closure(
            "k", closure, body="pole", point=(0.5, 0.0), other="world", other_point=(1.0, 0.5), length=length
        )
        model = made.build()
        return mc.simulate(model, duration=0.002, check_state=False).energy

    def lagrangian(**words: Any) -> Any:
        import sympy

        x = sympy.Symbol("x")
        given = {"coordinates": (x,), "T": sympy.Symbol("xdot") ** 2 / 2, "V": 9.81 * x, "inputs": {"u": x}}
        return mc.LagrangianModel(**{**given, **words}).snapshot([0.1], [0.2])

    def fallen(**words: Any) -> Any:
        return mc.load("pendulum", n=2, **words).snapshot([0.1, 0.2])

    return [
        (
            "Builder",
            built,
            {
                "gravity": (0.0, -9.81),
                "at": (0.0, 0.0),
                "angle": 0.1,
                "mass": 1.0,
                "inertia": 1.0,
                "outline": ((0.0, 0.0), (1.0, 0.0), (0.5, 0.5)),
                "com": (0.5, 0.0),
                "stiffness": 1.0,
                "point": (1.0, 0.0),
                "mu": 0.5,
                "lower": -1.0,
                "upper": 1.0,
            },
        ),
        (
            "Builder (couplings)",
            coupled,
            {
                "closure": "rod",
                "length": 0.4,
                "damping": 0.1,
                "rest": 0.0,
                "at": (0.0, 0.1),
                "angle": 0.2,
                "point": (0.5, 0.0),
                "stiffness": 10.0,
                "force": (1.0, 0.0),
                "moment": 0.1,
            },
        ),
        ("revolute", mc.revolute, {"coordinate": "q", "at": (0.0, 0.0), "angle": 0.0, "rest": 0.0}),
        ("prismatic", mc.prismatic, {"coordinate": "q", "at": (0.0, 0.0), "angle": 0.0, "damping": 0.0}),
        ("LagrangianModel", lagrangian, {"name": "m", "torque_limits": {"u": (-1.0, 1.0)}, "start": [0.0]}),
        ("pendulum", fallen, {"m": 1.0, "length": 1.0}),
    ]
