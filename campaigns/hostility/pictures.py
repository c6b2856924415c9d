"""Pictures: every plot with hostile numbers, names and windows; none is shown, all are closed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import modecontrol as mc
from hostility.calls import told, unsound
from hostility.instants import Subject
from hostility.judging import judge
from hostility.lawful import made
from hostility.model_texts import SHAPES
from hostility.objects import FOLDER
from hostility.values import any_value, stretched
from modecontrol import studies

SLOWEST = 0.01
"""Speed of the slowest film that is asked for."""


def plots() -> list[Subject]:
    """Functions that draw, with sound arguments."""
    from modecontrol.view import domains, mechanism, stroboscope, timeline, trajectory
    from modecontrol.view.animation import animate
    from modecontrol.view.camera import Camera

    model, shapes = mc.load("two_link", mu=0.8), made(SHAPES)
    response = mc.dynamic_response(model.snapshot(model.start), torque_limits=[(-5.0, 5.0)])
    rhex = mc.load("rhex")
    wide = mc.dynamic_response(rhex.snapshot(rhex.start), torque_limits=[(-3.0, 3.0)] * 3)
    unsure = model.uncertain(mu=(0.5, 0.9))
    loose = mc.dynamic_response(unsure.snapshot(unsure.start), torque_limits=[(-5.0, 5.0)])
    square = mc.Polytope.box([0.0, 0.0], [1.0, 1.0])
    cube = mc.Polytope.box([0.0] * 3, [1.0] * 3)
    cut = square.subtract(mc.Polytope.box([0.2, 0.2], [0.5, 0.5]))
    run = mc.simulate(mc.load("block", slope=0.3, mu=0.2), duration=0.01)
    study = mc.study(model, {"mu": [0.3, 0.5]}, ["modes"], executor=1)
    price = mc.price_of_robustness(loose, "theta", widths=(0.0, 0.1), patience=20)
    found = studies.parameter_map(
        model, ("mu", [0.3, 0.5]), ("m", [1.0, 2.0]), quantities=["modes"], executor=1
    )
    q = np.array(model.start)
    window = [(-1.0, 1.0), (-1.0, 1.0)]

    def shot(q: Any, mode: Any, text: Any, **words: Any) -> Any:
        return Camera(model, np.array(model.start), **words).picture(q, mode, text)

    return [
        ("Polytope.plot", square.plot, {"window": window, "names": ("x", "y"), "color": "red", "alpha": 0.5}),
        ("Polytope.plot", cube.plot, {"slice": {2: 0.5}, "window": None}),
        ("Polytope.plot", cube.plot, {"project": [0, 1]}),
        ("Region.plot", cut.plot, {"window": window, "names": ("x", "y")}),
        ("response.plot", response.plot, {"modes": response.modes[:2], "window": None, "explode": 0.1}),
        ("response.plot", wide.plot, {"slice": {"tau1": 0.0}, "legend": True, "labels": True}),
        ("plot_ambiguity", response.plot_ambiguity, {"window": None, "legend": True}),
        ("plot_ambiguity", wide.plot_ambiguity, {"slice": {"tau1": 0.0}, "labels": True}),
        (
            "plot_domain",
            partial(domains.plot_domain, response[response.modes[0]]),
            {"variables": None, "window": None, "at": None, "colour": "red", "label": "x"},
        ),
        (
            "plot_domains",
            partial(domains.plot_domains, response),
            {"modes": response.modes[:2], "window": None},
        ),
        ("plot_sure", loose.plot_sure, {"mode": loose.modes[0], "window": None, "slice": None}),
        ("plot_friction", loose.plot_friction, {"tau": [0.1], "points": 3}),
        ("plot_price", price.plot, {"ax": None}),
        (
            "plot_mechanism",
            partial(mechanism.plot_mechanism, model),
            {"q": q, "frames": True, "forces": None, "force_scale": None, "modes": "FFF", "alpha": 1.0},
        ),
        (
            "plot_mechanism",
            partial(mechanism.plot_mechanism, shapes),
            {"q": np.array(shapes.start), "walls": True},
        ),
        (
            "plot_study",
            study.plot,
            {"quantity": "modes", "x": "mu", "y": None, "at": None, "contours": False},
        ),
        ("plot_map", found.plot if hasattr(found, "plot") else partial(_map, found), {"quantity": "modes"}),
        ("plot_trajectory", run.plot, {"what": "q", "names": ("x",)}),
        ("plot_energy", partial(trajectory.plot_energy, run), {"ax": None}),
        (
            "plot_acceleration",
            partial(trajectory.plot_acceleration, run),
            {"names": ("x",), "predicted": None},
        ),
        ("plot_timeline", partial(timeline.plot_timeline, run), {"contacts": None, "letters": True}),
        ("plot_stroboscope", partial(stroboscope.plot_stroboscope, run), {"frames": 3, "times": None}),
        (
            "animate",
            partial(animate, run, FOLDER / "film.gif"),
            {"fps": 25.0, "speed": 0.1, "size": (2.0, 1.5), "dpi": 20},
        ),
        ("Camera", shot, {"q": q, "mode": "FFF", "text": "x", "size": (2.0, 1.5), "dpi": 20}),
    ]


def _map(found: Any, quantity: Any) -> Any:
    from modecontrol.view.parameter_map import plot_map

    return plot_map(found, quantity)


def _is_slow(speed: Any) -> bool:
    """A film of so many pictures is work that was asked for, with progress and a bound; it is no hang."""
    return isinstance(speed, int | float) and 0 < speed < SLOWEST


def prepare(seed: int) -> Callable[[int], str | None]:
    """A function that runs the case with a number and judges it."""
    from matplotlib import pyplot

    chosen = plots()
    wrong = []
    for name, function, sound in chosen:
        found = unsound(name, function, sound)
        wrong += [(name, found)] if found else []
        pyplot.close("all")
    if wrong:
        raise ValueError(
            f"arguments that should be sound are not, so that hostile ones test nothing: {wrong}"
        )

    def case(index: int) -> str | None:
        rng = np.random.default_rng([seed, 8, index])
        name, function, sound = chosen[rng.integers(len(chosen))]
        words = dict(sound)
        key = list(words)[rng.integers(len(words))]
        words[key] = stretched(rng, words[key]) if rng.random() < 0.6 else any_value(rng)
        if name == "animate" and _is_slow(words["speed"]):
            words["speed"] = SLOWEST
        found = judge(partial(function, **words))
        pyplot.close("all")
        return None if found is None else f"{name}({told(words, sound)}): {found}"

    return case
