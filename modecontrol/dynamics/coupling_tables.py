"""Loop closures, springs and pushes of a mechanism as tables of numbers for the compiled core."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from modecontrol.dynamics.couplings import Closure, Push, Spring
from modecontrol.dynamics.mechanism import Pin
from modecontrol.dynamics.places import Places, compose, find, point_of, table

CLOSURE = np.dtype(
    [
        ("kind", np.int64),  # place in `KINDS`
        ("node", np.int64),
        ("other", np.int64),
        ("point", float, 2),
        ("other_point", float, 2),
        ("angle", float),  # of the node in the other's frame; a gear's offset
        ("axis", float, 2),  # of a slider, in the other's frame
        ("length", float),
        ("ratio", float),
    ]
)
KINDS = ("pin", "weld", "slider", "rod", "gear", "drive")
SPRING = np.dtype(
    [
        ("node", np.int64),
        ("other", np.int64),
        ("point", float, 2),
        ("other_point", float, 2),
        ("stiffness", float),
        ("damping", float),
        ("length", float),
    ]
)
PUSH = np.dtype(
    [
        ("node", np.int64),
        ("point", float, 2),
        ("force", float, 2),  # in world axes, or in those of the node if it follows
        ("moment", float),
        ("follows", np.bool_),
    ],
    align=True,
)
NO_CLOSURE = {"kind": 0, "angle": 0.0, "axis": (1.0, 0.0), "length": 0.0, "ratio": 0.0}


def pin_row(pin: Pin, places: Places) -> dict[str, Any]:
    """A pin as a row of the closures.

    Parameters
    ----------
    pin
        The pin.
    places
        Where the bodies are.
    """
    return {**NO_CLOSURE, **_ends(pin, places)}


def _ends(pair: Any, places: Places) -> dict[str, Any]:
    here, there = (find(places, name, repr(pair.name)) for name in (pair.body, pair.other))
    return {
        "node": here[0],
        "other": there[0],
        "point": point_of(here, pair.point),
        "other_point": point_of(there, pair.other_point),
    }


def closure_row(closure: Closure, places: Places, coordinates: dict[str, int]) -> dict[str, Any]:
    """A weld, slider, rod or gear as a row of the closures.

    Parameters
    ----------
    closure
        The closure.
    places
        Where the bodies are.
    coordinates
        Number of each coordinate by name.
    """
    made = {**NO_CLOSURE, "kind": KINDS.index(closure.kind), "length": closure.length, "ratio": closure.ratio}
    if closure.kind == "gear":
        made.update(point=(0.0, 0.0), other_point=(0.0, 0.0), angle=closure.offset)
        made["node"], made["other"] = coordinates[closure.coordinate], coordinates[closure.other_coordinate]
        return made
    made.update(_ends(closure, places))
    here, there = places[closure.body], places[closure.other]
    along = float(closure.axis) + there[3]  # type: ignore[arg-type]
    made.update(angle=float(closure.angle) + there[3] - here[3], axis=(math.cos(along), math.sin(along)))  # type: ignore[arg-type]
    return made


def drive(coordinate: int) -> np.ndarray:
    """A closure that makes one coordinate move as it is told to, as a table with one row.

    Parameters
    ----------
    coordinate
        Its number.
    """
    row = {**NO_CLOSURE, "kind": KINDS.index("drive"), "node": coordinate, "other": -1}
    return table(CLOSURE, [{**row, "point": (0.0, 0.0), "other_point": (0.0, 0.0)}])


def spring_row(spring: Spring, places: Places) -> dict[str, Any]:
    """A spring between bodies as a row.

    Parameters
    ----------
    spring
        The spring.
    places
        Where the bodies are.
    """
    keys = ("stiffness", "damping", "length")
    return {**_ends(spring, places), **{key: getattr(spring, key) for key in keys}}


def push_row(push: Push, places: Places) -> dict[str, Any]:
    """A push as a row; a force that follows its body is given in the axes of the node.

    Parameters
    ----------
    push
        The push.
    places
        Where the bodies are.
    """
    here = find(places, push.body, f"push {push.name!r}")
    force = compose((0.0, 0.0, here[3]), (*push.force, 0.0))[:2] if push.follows else push.force  # type: ignore[arg-type]
    return {
        "node": here[0],
        "point": point_of(here, push.point),
        "force": force,
        "moment": push.moment,
        "follows": push.follows,
    }
