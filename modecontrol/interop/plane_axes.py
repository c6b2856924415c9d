"""A plane in space: its axes, turned vectors, and names that the library takes."""

from __future__ import annotations

import math
import re

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.expressions import CONSTANTS, FUNCTIONS

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def plane_axes(plane: str) -> np.ndarray:
    """(3, 3): the axes to the right, up, and the normal (towards the reader) of a plane.

    Parameters
    ----------
    plane
        Two axes of the file, to the right and up: `"xz"`, `"xy"`, or `"-xz"` to look from the other side.
    """
    words = re.fullmatch(r"([+-]?)([xyz])([+-]?)([xyz])", str(plane))
    if words is None or words[2] == words[4]:
        raise ValueError(
            f"plane is {plane!r}; expected two different axes, to the right and up, such as 'xz' or '-xz'"
        )
    right, up = (
        np.array(AXES[axis]) * (-1.0 if sign == "-" else 1.0)
        for sign, axis in (words.groups()[:2], words.groups()[2:])
    )
    return np.array([right, up, np.cross(right, up)])


def turned(points: np.ndarray, angle: float) -> np.ndarray:
    """Plane vectors (..., 2) turned by an angle; by multiples of a right angle exactly.

    Parameters
    ----------
    points
        Vectors.
    angle
        Counter-clockwise (rad).
    """
    c, s = math.cos(angle), math.sin(angle)
    if abs(round(2 * angle / math.pi) * math.pi / 2 - angle) < tolerances.RIGHT_ANGLE:
        c, s = float(round(c)), float(round(s))
    return np.asarray(points) @ np.array([[c, s], [-s, c]])


def pair(point: np.ndarray, angle: float) -> tuple[float, float]:
    """One plane vector turned by an angle, as two numbers.

    Parameters
    ----------
    point
        The vector.
    angle
        Counter-clockwise (rad).
    """
    x, y = turned(point, angle)
    return float(x) + 0.0, float(y) + 0.0


def direction(values: np.ndarray) -> str:
    """A direction as messages show it.

    Parameters
    ----------
    values
        Components.
    """
    return ", ".join(f"{round(float(x), 6) + 0.0:g}" for x in values)


def word(kind: str, text: str, taken: set[str]) -> str:
    """A name that the library takes: letters, digits and _, not reserved, used once; it is added to those
    taken.

    Parameters
    ----------
    kind
        What is named, "joint" or so.
    text
        The name in a file.
    taken
        Names that are used up.
    """
    name = re.sub(r"\W", "_", text) or kind
    if name[0].isdigit() or name.startswith("__"):
        name = f"{kind}_{name.lstrip('_')}"
    if name in {*FUNCTIONS, *CONSTANTS, "world"}:
        name = f"{name}_{kind}"
    found, i = name, 2
    while found in taken:
        found, i = f"{name}_{i}", i + 1
    taken.add(found)
    return found
