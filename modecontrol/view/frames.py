"""Frames of the bodies of a mechanism on paper: where a point of a body is, and which way a direction of it points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.dynamics.mechanism import WORLD

if TYPE_CHECKING:
    from modecontrol.dynamics.model import Model
    from modecontrol.dynamics.protocol import State


def frames_by_name(model: Model, q: State) -> dict[str, np.ndarray]:
    """`(x, y, angle)` of every body, and of the world."""
    found = {body.name: pose for body, pose in zip(model.numbers.bodies, model.frames(q), strict=True)}
    return found | {WORLD: np.zeros(3)}


def turned(angle: float, point: Any) -> np.ndarray:
    """A vector in a frame at this angle, or one per row, in the world."""
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(point, dtype=float) @ np.array([[c, s], [-s, c]])


def placed(points: Any, frame: np.ndarray) -> np.ndarray:
    """A point of a body, or one per row, in the world."""
    return turned(frame[2], points) + frame[:2]
