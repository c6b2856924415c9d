"""What the page has to know of a model once: names, units, ranges of the sliders, what can be maximised."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol import __version__
from modecontrol.dynamics.expressions import Expression
from modecontrol.page.laws import described, ends_of
from modecontrol.page.scene import has_bodies
from modecontrol.page.units import units_of
from modecontrol.view import palette

if TYPE_CHECKING:
    from modecontrol.dynamics.protocol import PlanarModel

SPEEDS = {"rad": 10.0, "m": 3.0, "": 3.0}
"""Ends of the sliders of velocities (rad/s, m/s)."""


def describe(model: PlanarModel) -> dict[str, Any]:
    """Names, units and ranges."""
    units = units_of(model)
    start = start_of(model)
    reaches = [
        np.pi / 2 if unit == "rad" else size
        for unit, size in zip(units.coordinates, sizes(model), strict=True)
    ]
    mechanism = getattr(model, "mechanism", None)
    friction = friction_of(model)
    return {
        "version": __version__,
        "name": getattr(model, "name", "mechanism"),
        "about": mechanism.about if mechanism is not None else "",
        "coordinates": [
            {
                "name": name,
                "unit": unit,
                "low": low,
                "high": high,
                "speed": SPEEDS[unit],
            }
            for name, unit, q, reach in zip(model.coordinates, units.coordinates, start, reaches, strict=True)
            for low, high in [_way(ends_of(model, name), float(q), float(reach))]
        ],
        "inputs": [
            {"name": name, "unit": unit} for name, unit in zip(model.inputs, units.inputs, strict=True)
        ],
        "contacts": [
            {"name": name, "friction": sorted(friction.get(name, ())), **entry}
            for name, entry in zip(model.contacts, described(model), strict=True)
        ],
        "parameters": [
            {
                "name": name,
                "value": float(value),
                "low": low,
                "high": high,
                "friction": any(name in names for names in friction.values()),
            }
            for name, value in model.parameters.items()
            if movable(model, name)
            for low, high in [_range(float(value), any(name in names for names in friction.values()))]
        ],
        "objectives": objectives(model),
        "tasks": [
            {"name": name, "text": rule}
            for name, rule in (mechanism.constraints if mechanism else {}).items()
        ],
        "letters": {
            letter: {"colour": palette.letter_colour(letter), "word": palette.LETTER_WORDS[letter]}
            for letter in palette.LETTER_WORDS
        },
    }


def sizes(model: PlanarModel) -> np.ndarray:
    """Natural size of each coordinate: 1 for an angle, the mechanism's size for a length."""
    from modecontrol.view.bodies import extent

    units = units_of(model).coordinates
    size = float(np.ptp(extent(model, [model.start]), axis=1).max()) if has_bodies(model) else 1.0
    return np.array([size if unit == "m" else 1.0 for unit in units], dtype=float)


def start_of(model: PlanarModel) -> np.ndarray:
    """The model's start; zero where it has none."""
    return np.array(getattr(model, "start", np.zeros(len(model.coordinates))), dtype=float)


def friction_of(model: PlanarModel) -> dict[str, frozenset[str]]:
    """Parameters on which the friction coefficient of each contact depends.

    Parameters
    ----------
    model
        A model; one without a mechanism has none.
    """
    mechanism = getattr(model, "mechanism", None)
    if mechanism is None:
        return {}
    return {
        contact.name: contact.mu.names if isinstance(contact.mu, Expression) else frozenset()
        for contact in mechanism.contacts
    }


def movable(model: PlanarModel, name: str) -> bool:
    """Whether a parameter may take a value between the whole numbers: a number of links cannot.

    Parameters
    ----------
    model
        A model.
    name
        One of its parameters.
    """
    value = float(model.parameters[name])
    try:
        beside = model.with_parameters(**{name: value + 0.001 * (abs(value) + 1.0)})
        return beside.coordinates == model.coordinates
    except (ValueError, ArithmeticError):
        return False


def objectives(model: PlanarModel) -> list[dict[str, str]]:
    """What can be maximised: named outputs first, then accelerations, then normal forces."""
    mechanism = getattr(model, "mechanism", None)
    outputs: Mapping[str, str] = mechanism.outputs if mechanism is not None else {}
    units = dict(zip(model.coordinates, units_of(model).coordinates, strict=True))
    found = {text: f"{name} ({text})" if name != text else name for name, text in outputs.items()}
    for name in model.coordinates:
        found.setdefault(name, f"acceleration of {name}")
        found.setdefault(f"-{name}", f"acceleration of {name}, backwards")
    rates = {"rad": "rad/s²", "m": "m/s²", "": ""}
    unit = {text: rates.get(units.get(text.removeprefix("-"), ""), "") for text in found}
    for name, entry in zip(model.contacts, described(model), strict=True):
        normal, tangent = entry["forces"]
        if entry["kind"] == "contact":
            found.setdefault(normal, f"normal force of {name}")
        else:
            found.setdefault(
                normal or tangent, f"{'torque' if entry['unit'] == 'N m' else 'force'} of {name}"
            )
        unit[normal or tangent] = entry["unit"]
    return [{"text": text, "label": label, "unit": unit[text]} for text, label in found.items()]


def _way(ends: tuple[float, float], start: float, reach: float) -> tuple[float, float]:
    """Ends of a coordinate's slider: its joint's stops, and as far as it reaches where there is none."""
    low, high = ends
    if math.isfinite(low) and math.isfinite(high):
        return low, high
    return max(low, start - reach), min(high, start + reach)


def _range(value: float, friction: bool) -> tuple[float, float]:
    if friction:
        return 0.0, max(1.5, 2.0 * value)
    if value == 0.0:
        return -1.0, 1.0
    return (0.1 * value, 2.5 * value) if value > 0 else (2.5 * value, 0.1 * value)
