"""Where bodies are in the tree: a node and a frame in the frame of the node."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Frame = tuple[float, float, float]
"""x, y and angle of a frame in another."""
Place = tuple[int, float, float, float]
"""Node of a body, and x, y, angle of the body's frame in that of the node; node -1 is the world."""
Places = dict[str, Place]
"""By the names of the bodies."""


def compose(outer: Frame, inner: Frame) -> Frame:
    """A frame in a frame: `inner`, given in `outer`, as seen from where `outer` is given.

    Parameters
    ----------
    outer, inner
        The frames.
    """
    c, s = math.cos(outer[2]), math.sin(outer[2])
    if outer[2] == 0.0:
        c, s = 1.0, 0.0
    return outer[0] + c * inner[0] - s * inner[1], outer[1] + s * inner[0] + c * inner[1], outer[2] + inner[2]


def point_of(place: Place, point: Any) -> tuple[float, float]:
    """A point of a body, in the frame of its node.

    Parameters
    ----------
    place
        Where the body is.
    point
        In the body's frame.
    """
    return compose(place[1:], (*point, 0.0))[:2]


def find(table: dict[str, Any], name: str, who: str) -> Any:
    """What a table has under a name, or a sentence that says who asked.

    Parameters
    ----------
    table
        Values by name.
    name
        The name.
    who
        Who names it.
    """
    if name not in table:
        raise ValueError(f"{who} names {name!r}; expected one of {', '.join(map(str, table))}")
    return table[name]


def table(columns: np.dtype, rows: list[dict[str, Any]]) -> np.ndarray:
    """Rows as a structured array.

    Parameters
    ----------
    columns
        Its columns.
    rows
        One mapping per row, by column.
    """
    return np.array([tuple(row[name] for name in columns.names or ()) for row in rows], dtype=columns)
