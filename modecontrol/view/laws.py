"""Stops, cables and moving surfaces on paper."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from modecontrol.dynamics.contact_entries import CABLE, CONTACT, STOP, entries
from modecontrol.tolerances import GAP
from modecontrol.view import style as house
from modecontrol.view.frames import frames_by_name, placed, turned

TOUCHES = 1e-6
"""A joint this near to its end (rad, m) is drawn at its stop (pictures only)."""


def draw_laws(ax: Any, model: Any, q: np.ndarray, size: float) -> list[Any]:
    """Cables as lines (dashed while they are slack), stops as bars beside their joints, conveyors as arrows.

    `size` is that of the picture in metres; returns the artists.
    """
    made: list[Any] = []
    points = model.contact_points(q)
    for i, entry in enumerate(entries(model.numbers)):
        if entry.kind == CABLE:
            slack = points.gap[i] > GAP * size
            made += ax.plot(
                *np.array(cable_ends(model, entry.part, q)).T,
                color=house.INK,
                linewidth=1.4,
                linestyle=(0, (4, 3)) if slack else "-",
                zorder=3.5,
            )
        elif entry.kind == STOP:
            made += _draw_stop(ax, model, entry.part, q, size)
        elif entry.kind == CONTACT and entry.part.speed != 0.0:
            made.append(_draw_belt(ax, points, i, entry.part.speed, size))
    return made


def cable_ends(model: Any, cable: Any, q: np.ndarray) -> list[np.ndarray]:
    """World places of the two ends of a cable of `model.numbers`."""
    frames = frames_by_name(model, q)
    return [
        placed(cable.point, frames[cable.body]),
        placed(cable.other_point, frames[cable.other]),
    ]


class StopEnd(NamedTuple):
    """One end of a joint's way: a place, the direction of the bar that is drawn there, and whether the joint is there."""

    place: np.ndarray
    direction: np.ndarray
    touches: bool


def stop_ends(model: Any, joint: Any, q: np.ndarray) -> list[StopEnd]:
    """The finite ends of a joint: across the way of a slider, and where the body would point at the end of a hinge."""
    origin, angle = _joint_frame(model, joint, q)
    at, made = q[list(model.coordinates).index(joint.coordinates[0])], []
    for end in (joint.lower, joint.upper):
        if not np.isfinite(end):
            continue
        if joint.kind == "prismatic":
            place, direction = origin + turned(angle, (end, 0.0)), turned(angle, (0.0, 1.0))
        else:
            place, direction = origin, turned(angle + end, (1.0, 0.0))
        made.append(StopEnd(place, direction, bool(abs(at - end) <= TOUCHES)))
    return made


def joint_axis(model: Any, joint: Any, q: np.ndarray) -> np.ndarray:
    """The way of a slider in the world (2,)."""
    return turned(_joint_frame(model, joint, q)[1], (1.0, 0.0))


def _joint_frame(model: Any, joint: Any, q: np.ndarray) -> tuple[np.ndarray, float]:
    """Origin and angle of the frame in which a joint moves."""
    frames = frames_by_name(model, q)
    body = next(b for b in model.numbers.bodies if b.joint.coordinates == joint.coordinates)
    parent = frames[body.parent]
    return placed(joint.at, parent), parent[2] + joint.angle


def _draw_stop(ax: Any, model: Any, joint: Any, q: np.ndarray, size: float) -> list[Any]:
    """A bar at each finite end."""
    made = []
    first, last = (-0.05, 0.05) if joint.kind == "prismatic" else (0.03, 0.11)
    for end in stop_ends(model, joint, q):
        bar = end.place + size * np.outer((first, last), end.direction)
        colour = house.LINES[0] if end.touches else house.INK
        made += ax.plot(*bar.T, color=colour, linewidth=3.0, solid_capstyle="butt", zorder=5)
    return made


def _draw_belt(ax: Any, points: Any, i: int, speed: float, size: float) -> Any:
    """An arrow below the surface, the way it moves."""
    t, n = np.sign(speed) * points.t[i], points.n[i]
    foot = points.position[i] - points.gap[i] * n - 0.03 * size * n
    return ax.annotate(
        "",
        xy=foot + 0.09 * size * t,
        xytext=foot - 0.09 * size * t,
        arrowprops={"arrowstyle": "-|>", "color": house.LINES[1], "linewidth": 1.6},
        zorder=5,
    )
