"""Stops, dry and prescribed joints, cables, drag, and what contacts have beside Coulomb's law, on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from modecontrol.dynamics.contact_entries import CABLE, CONTACT, DRIVE, DRY, STOP, entries
from modecontrol.tolerances import GAP, NOTHING_THERE
from modecontrol.view import palette
from modecontrol.view.frames import frames_by_name, placed, turned

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from modecontrol.dynamics.model import Model

TOUCHES = 1e-6
"""A joint this near to its end (rad, m) is drawn at its stop (pictures only)."""


def draw_laws(ax: Axes, model: Model, q: np.ndarray, size: float) -> list[Artist]:
    """Signs of the laws of a model; `size` is that of the picture in metres; returns the artists.

    | law                | sign                                                          |
    |--------------------|---------------------------------------------------------------|
    | cable              | a line, dashed while it is slack                              |
    | stop               | a bar where the joint ends                                    |
    | dry joint          | two brake shoes                                               |
    | prescribed joint   | an arrow around it, or along its way                          |
    | static friction    | dashed sides of the cone within which the contact sticks      |
    | adhesion           | a cup at the contact                                          |
    | claw               | a tooth, upright where it holds                               |
    | conveyor           | an arrow below the surface                                    |
    | rolling resistance | a bar along the surface, over which the normal force can move |
    | drag of a medium   | two waves across the point where it acts                      |
    """
    made: list[Artist] = []
    points = model.contact_points(q)
    for i, entry in enumerate(entries(model.numbers)):
        if entry.kind == CABLE:
            slack = points.gap[i] > GAP * size
            made += ax.plot(
                *np.array(cable_ends(model, entry.part, q)).T,
                color=palette.INK,
                linewidth=1.4,
                linestyle=(0, (4, 3)) if slack else "-",
                zorder=3.5,
            )
        elif entry.kind == STOP:
            made += _draw_stop(ax, model, entry.part, q, size)
        elif entry.kind == DRY:
            made += _draw_brake(ax, model, entry.part, q, size)
        elif entry.kind == DRIVE:
            made += _draw_drive(ax, model, entry.part, q, size)
        elif entry.kind == CONTACT and points.gap[i] < NOTHING_THERE / 2:
            made += _draw_contact(ax, points, i, entry.part, size)
    for body in model.numbers.bodies:
        for drag in body.drag:
            made += _draw_drag(ax, model, body, drag, q, size)
    return made


def cable_ends(model: Model, cable: Any, q: np.ndarray) -> list[np.ndarray]:
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


def stop_ends(model: Model, joint: Any, q: np.ndarray) -> list[StopEnd]:
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


def joint_axis(model: Model, joint: Any, q: np.ndarray) -> np.ndarray:
    """The way of a slider in the world (2,)."""
    return turned(_joint_frame(model, joint, q)[1], (1.0, 0.0))


def _joint_frame(model: Model, joint: Any, q: np.ndarray) -> tuple[np.ndarray, float]:
    """Origin and angle of the frame in which a joint moves."""
    frames = frames_by_name(model, q)
    body = next(b for b in model.numbers.bodies if b.joint.coordinates == joint.coordinates)
    parent = frames[body.parent]
    return placed(joint.at, parent), parent[2] + joint.angle


def _draw_stop(ax: Axes, model: Model, joint: Any, q: np.ndarray, size: float) -> list[Artist]:
    """A bar at each finite end."""
    made: list[Artist] = []
    first, last = (-0.05, 0.05) if joint.kind == "prismatic" else (0.03, 0.11)
    for end in stop_ends(model, joint, q):
        bar = end.place + size * np.outer((first, last), end.direction)
        colour = palette.LINES[0] if end.touches else palette.INK
        made += ax.plot(*bar.T, color=colour, linewidth=3.0, solid_capstyle="butt", zorder=5)
    return made


def _draw_contact(ax: Axes, points: Any, i: int, contact: Any, size: float) -> list[Artist]:
    """Signs of one contact: those of static friction and of adhesion where it touches."""
    from matplotlib.patches import Polygon, Wedge

    p, t, n = points.position[i], points.t[i], points.n[i]
    made: list[Artist] = []
    if contact.speed != 0.0:
        made.append(_draw_belt(ax, points, i, contact.speed, size))
    if contact.one_way:
        way, high = (1.0 if contact.one_way == "right" else -1.0), 0.06 * size
        tooth = [p, p + high * n, p + high * n + 0.8 * high * way * t]
        made.append(ax.add_patch(Polygon(tooth, facecolor=palette.INK, edgecolor="none", zorder=5.5)))
    if points.gap[i] > GAP * size:
        return made
    if contact.rolling > 0.0:
        reach = max(contact.rolling, 0.03 * size)
        bar = p + reach * np.outer((-1.0, 1.0), t)
        made += ax.plot(*bar.T, color=palette.INK, linewidth=3.0, solid_capstyle="butt", zorder=5.2)
    if contact.pull > 0.0:
        up = float(np.degrees(np.arctan2(n[1], n[0])))
        cup = Wedge(
            p, 0.045 * size, up - 90.0, up + 90.0, width=0.015 * size, facecolor=palette.INK, zorder=5.5
        )
        made.append(ax.add_patch(cup))
    if contact.mu_static is not None and contact.mu_static > contact.mu:
        high = 0.09 * size / np.hypot(1.0, contact.mu_static)
        for side in (1.0, -1.0):
            end = p + high * (n + side * contact.mu_static * t)
            made += ax.plot(
                *np.array([p, end]).T, color=palette.INK, linewidth=0.9, linestyle=(0, (4, 3)), zorder=4.2
            )
    return made


def _draw_brake(ax: Axes, model: Model, joint: Any, q: np.ndarray, size: float) -> list[Artist]:
    """Two shoes: on both sides of a hinge, or of the way of a slider."""
    origin, angle = _joint_frame(model, joint, q)
    at = float(q[list(model.coordinates).index(joint.coordinates[0])])
    made: list[Artist] = []
    for side in (1.0, -1.0):
        if joint.kind == "prismatic":
            along = np.array([at - 0.03 * size, at + 0.03 * size])
            shoe = np.array([origin + turned(angle, (x, side * 0.03 * size)) for x in along])
        else:
            middle = angle + at + side * 0.5 * np.pi
            shoe = np.array(
                [origin + turned(middle + x, (0.045 * size, 0.0)) for x in np.linspace(-0.7, 0.7, 9)]
            )
        made += ax.plot(*shoe.T, color=palette.INK, linewidth=3.0, solid_capstyle="butt", zorder=5.2)
    return made


def _draw_drive(ax: Axes, model: Model, joint: Any, q: np.ndarray, size: float) -> list[Artist]:
    """An arrow around a hinge, or along the way of a slider."""
    origin, angle = _joint_frame(model, joint, q)
    at = float(q[list(model.coordinates).index(joint.coordinates[0])])
    if joint.kind == "prismatic":
        way = np.array([origin + turned(angle, (at + x * size, 0.04 * size)) for x in (-0.06, 0.06)])
    else:
        way = np.array(
            [origin + turned(angle + at + x, (0.055 * size, 0.0)) for x in np.linspace(0.6, 5.2, 25)]
        )
    head = {"arrowstyle": "-|>", "color": palette.LINES[1], "linewidth": 1.6}
    made = ax.plot(*way.T, color=palette.LINES[1], linewidth=1.6, zorder=5)
    return [*made, ax.annotate("", xy=way[-1], xytext=way[-2], arrowprops=head, zorder=5)]


def _draw_drag(ax: Axes, model: Model, body: Any, drag: Any, q: np.ndarray, size: float) -> list[Any]:
    """Two waves along the first axis of the drag, one on each side of its point."""
    frame = np.asarray(frames_by_name(model, q)[body.name])
    at, angle = placed(body.com if drag.at is None else drag.at, frame), frame[2] + float(drag.angle)
    along = np.linspace(-0.09, 0.09, 37) * size
    made: list[Any] = []
    for side in (-0.06, 0.06):
        across = side * size + 0.012 * size * np.sin(along / (0.06 * size) * 2 * np.pi)
        wave = np.array([at + turned(angle, point) for point in zip(along, across, strict=True)])
        made += ax.plot(*wave.T, color=palette.LINES[1], linewidth=1.4, zorder=5)
    return made


def _draw_belt(ax: Axes, points: Any, i: int, speed: float, size: float) -> Any:
    """An arrow below the surface, the way it moves."""
    t, n = np.sign(speed) * points.t[i], points.n[i]
    foot = points.position[i] - points.gap[i] * n - 0.03 * size * n
    return ax.annotate(
        "",
        xy=foot + 0.09 * size * t,
        xytext=foot - 0.09 * size * t,
        arrowprops={"arrowstyle": "-|>", "color": palette.LINES[1], "linewidth": 1.6},
        zorder=5,
    )
