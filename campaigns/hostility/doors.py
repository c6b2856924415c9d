"""Doors to other packages, parts of controllers, requests of the page, and every other public function of a room."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from typing import Any

import numpy as np

import modecontrol as mc
from hostility.instants import Subject
from hostility.objects import FOLDER
from hostility.robot_texts import EVERYTHING_MJCF, EVERYTHING_URDF, SIDES_MJCF
from modecontrol import dynamics, studies, thrust, timestepping
from modecontrol.page import Session
from modecontrol.trials.rhex.settings import FlipSettings


def doors() -> list[Subject]:
    """Files of robots with arguments, tables, requests."""
    from modecontrol import interop

    FOLDER.mkdir(exist_ok=True)
    urdf, mjcf, sides = FOLDER / "robot.urdf", FOLDER / "robot.xml", FOLDER / "sides.xml"
    urdf.write_text(EVERYTHING_URDF, encoding="utf-8")
    mjcf.write_text(EVERYTHING_MJCF, encoding="utf-8")
    sides.write_text(SIDES_MJCF, encoding="utf-8")
    model = mc.load("two_link", mu=0.8)
    response = mc.dynamic_response(model.snapshot(model.start), torque_limits=[(-5.0, 5.0)])
    run = mc.simulate(mc.load("block", slope=0.3, mu=0.2), duration=0.005)

    def standing(read: Any, path: Any, **words: Any) -> Any:
        imported = read(path, **words)
        return imported.standing(), imported.model.snapshot(imported.model.start)

    def read(**words: Any) -> Any:
        imported = interop.read_mjcf(words.pop("path"), **words)
        return imported.model.snapshot(imported.model.start), imported.left_out

    def asked(q: Any, v: Any, tau: Any, request: Any, **words: Any) -> Any:
        return Session(model, q, v, tau, **words).answer(request)

    of_urdf = {
        "path": urdf,
        "plane": "xz",
        "base": "floating",
        "floor": 0.0,
        "mu": 0.5,
        "actuated": ("knee",),
        "locked": (),
        "contacts": "foot*",
        "gravity": 9.81,
        "sagittal": False,
    }
    of_mjcf = {"path": mjcf, "plane": "xz", "locked": (), "contacts": None, "keyframe": 0, "sagittal": False}
    start = {"q": np.array(model.start), "v": np.zeros(4), "tau": [0.1], "request": {"ask": "show"}}
    return [
        ("read_urdf", partial(standing, interop.read_urdf), of_urdf),
        ("from_urdf", partial(interop.from_urdf, floor=0.0), {"path": urdf, "mu": 0.5, "gravity": 9.81}),
        ("read_mjcf", read, of_mjcf),
        ("read_mjcf", read, {**of_mjcf, "path": sides, "keyframe": None, "sagittal": True}),
        ("read_mjcf", partial(standing, interop.read_mjcf), {"path": sides, "sagittal": True}),
        ("from_mjcf", interop.from_mjcf, {"source": mjcf, "contacts": ("foot*",), "keyframe": "low"}),
        ("from_mjcf", interop.from_mjcf, {"source": mjcf, "locked": ("knee",)}),
        ("response_frame", interop.response_frame, {"response": response}),
        ("trajectory_dataset", interop.trajectory_dataset, {"trajectory": run}),
        ("Session", asked, {**start, "torque_limits": [(-5.0, 5.0)], "task": "theta >= 0", "physical": ()}),
    ]


def parts() -> list[Subject]:
    """Complementarity problems, feedback, maps of thrust, columns of studies, settings of the flip."""
    M, z = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]]), np.array([-1.0, 0.5, -2.0])
    rod, block = mc.load("rod"), mc.load("block", slope=0.3, mu=0.2)
    q, v = np.array(rod.start), np.zeros(3)
    table = studies.map_thrust(mc.MaximalThrust(rod, "phi"), {"phi": [0.7, 0.8]})
    columns = {each.name: getattr(table, each.name) for each in fields(table) if each.init}

    def mapped(q: Any, v: Any, **words: Any) -> Any:
        made = thrust.ThrustMap(**words)
        return made.point(q, v), made.state(made.point(q, v)), thrust.MappedThrust(rod, made)(0.0, q, v)

    def held(z: Any, **words: Any) -> Any:
        return timestepping.LCP(**words).check(z)

    def damped(gain: Any, first: Any, count: Any, coordinate: Any, level: Any) -> Any:
        stop = thrust.Passes(coordinate, level)
        controller = thrust.Damping(gain, first, count)
        return mc.simulate(block, duration=0.003, controller=controller, stop=stop).torque

    def counted(name: Any, columns: Any, settings: Any) -> Any:
        quantity = studies.Quantity(name, columns, lambda point, **more: 1.0, settings=settings)
        return mc.study(rod, {"mu": [0.4]}, [quantity], executor=1)

    def flipped(**words: Any) -> Any:
        settings = FlipSettings(**words)
        return settings.rows(), FlipSettings.from_dict(settings.to_dict())

    def mechanism(**words: Any) -> Any:
        made = dynamics.Model(dynamics.Mechanism(**words))
        return made.snapshot(made.start)

    parts_of = block.mechanism
    whole = ("name", "bodies", "inputs", "contacts", "gravity", "parameters", "start")
    return [
        ("all_solutions", timestepping.all_solutions, {"M": M, "q": z}),
        ("LCP", held, {"M": M, "q": z, "equalities": np.array([True, False, False]), "z": np.ones(3)}),
        (
            "lcp_size",
            timestepping.lcp_size,
            {"formulation": "os", "bodies": 3, "freedoms": 4, "contacts": 2, "loops": 0, "directions": 2},
        ),
        ("Damping", damped, {"gain": 0.1, "first": 0, "count": 1, "coordinate": 0, "level": 10.0}),
        ("Passes", damped, {"gain": 0.1, "first": 0, "count": 1, "coordinate": 0, "level": 10.0}),
        ("ThrustMap", mapped, {"q": q, "v": v, **columns}),
        ("MappedThrust", thrust.MappedThrust(rod, table), {"t": 0.0, "q": q, "v": v}),
        ("Quantity", counted, {"name": "x", "columns": {"x": "number"}, "settings": {"by": 2}}),
        (
            "FlipSettings",
            flipped,
            {
                "step": 1e-4,
                "rate": 1000.0,
                "duration": 1.2,
                "v0": (0.001, 0.08, 0.001, 0.001),
                "press": 10.0,
                "margin": 0.0,
                "filter_time": 0.02,
                "hold": (2.0, 0.05),
                "delay": 0.0,
                "noise": (0.0, 0.0),
                "seed": 0,
                "robot": {"mu_toe": 0.6},
                "uncertain": {"mu_toe": (0.3, 0.9)},
            },
        ),
        ("Mechanism", mechanism, {name: getattr(parts_of, name) for name in whole}),
    ]
