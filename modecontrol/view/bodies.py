"""Where the bodies of a mechanism are, and their outlines on paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.dynamics.shapes import has_shape
from modecontrol.view import palette
from modecontrol.view.frames import frames_by_name, placed
from modecontrol.view.ground import touching_shapes
from modecontrol.view.laws import cable_ends

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from modecontrol.dynamics.model import Model
    from modecontrol.dynamics.protocol import State


LOST = 1000
"""Spacings of double precision that a mechanism has to span where it lies, to be drawn."""


def draw_bodies(
    ax: Axes,
    model: Model,
    q: State,
    *,
    colour: str = palette.BODY,
    alpha: float = 1.0,
    edge: str = palette.INK,
    zorder: float = 2.0,
) -> list[Artist]:
    """Outlines of all bodies, with a bar where a body has none; returns the artists."""
    from matplotlib.patches import Circle, Polygon

    made: list[Artist] = []
    for i, points in enumerate(outlines(model, q)):
        if len(points) > 2:
            made.append(
                ax.add_patch(
                    Polygon(
                        points,
                        closed=True,
                        facecolor=colour,
                        edgecolor=edge,
                        linewidth=1.1,
                        alpha=alpha,
                        zorder=zorder + 0.01 * i,
                        joinstyle="round",
                    )
                )
            )
        elif len(points):
            made += ax.plot(
                *points.T, color=edge, linewidth=2.5, alpha=alpha, solid_capstyle="round", zorder=zorder
            )
    radius = 0.008 * float(np.ptp(extent(model, [q]), axis=1).max())
    for centre, r in discs(model, q):
        made.append(
            ax.add_patch(
                Circle(
                    (float(centre[0]), float(centre[1])),
                    r,
                    facecolor="none",
                    edgecolor=edge,
                    linewidth=0.9,
                    alpha=alpha,
                    zorder=zorder + 0.5,
                )
            )
        )
    for points in shapes(model, q):
        ring = Polygon(
            points, closed=True, fill=False, edgecolor=edge, linewidth=0.9, alpha=alpha, zorder=zorder + 0.5
        )
        made.append(ax.add_patch(ring))
    for x, y in joints(model, q):
        made.append(
            ax.add_patch(
                Circle(
                    (x, y),
                    radius,
                    facecolor="white",
                    edgecolor=edge,
                    linewidth=1.0,
                    alpha=alpha,
                    zorder=zorder + 0.6,
                )
            )
        )
    return made


def outlines(model: Model, q: State) -> list[np.ndarray]:
    """World corners of each body (k, 2); a body without an outline gets the bar from its joint to its
    farthest point.
    """
    return [
        placed(points, pose) for points, pose in zip(outlines_in_body(model), model.frames(q), strict=True)
    ]


def outlines_in_body(model: Model) -> list[np.ndarray]:
    """The same corners in the frame of each body."""
    found = []
    for body in model.numbers.bodies:
        points = np.array(body.outline, dtype=float).reshape(-1, 2)
        if not len(points):
            points = np.array([(0.0, 0.0), *_marks(model, body.name)], dtype=float)
            points = points[[0, int(np.argmax(np.linalg.norm(points, axis=1)))]]
        found.append(points)
    return found


def shapes(model: Model, q: State) -> list[np.ndarray]:
    """World corners of the touching shapes that the outlines do not show."""
    poses = model.frames(q)
    return [placed(points, poses[body]) for body, points in touching_shapes(model)]


def extent(model: Model, configurations: Sequence[Any], padding: float = 0.12) -> np.ndarray:
    """(2, 2): lower and upper x, then y, of the bodies and touching places over some configurations.

    Parameters
    ----------
    model
        A `Model`.
    configurations
        Configurations.
    padding
        Part of the larger side that is added all round.
    """
    points = [np.zeros((0, 2))]
    for q in configurations:
        points += outlines(model, q)
        points += shapes(model, q)
        points += [np.array(cable_ends(model, cable, q)) for cable in model.numbers.cables]
        points += [np.array([centre]) + r * np.array([(-1, -1), (1, 1)]) for centre, r in discs(model, q)]
    corners = np.vstack(points)
    if not len(corners):
        return np.array([[-1.0, 1.0], [-1.0, 1.0]])
    low, high = corners.min(axis=0), corners.max(axis=0)
    side = max(float((high - low).max()), 1e-3)
    place = float(np.abs(corners).max())
    if not side > LOST * np.spacing(place):
        raise ValueError(
            f"the mechanism lies at {place:.3g} m, where double precision cannot tell its parts apart; expected coordinates "
            "of a size that a picture can show"
        )
    pad = padding * side
    thin = np.maximum(0.0, 0.18 * side - (high - low) / 2)
    return np.column_stack([low - pad - thin, high + pad + thin])


def _marks(model: Model, name: str) -> list[tuple[float, float]]:
    """Points of a body that matter: its centre, joints of its children, contacts and pins."""
    m: Any = model.numbers  # every entry a number
    found = [body.com for body in m.bodies if body.name == name]
    found += [body.joint.at for body in m.bodies if body.parent == name]
    found += [c.point for c in m.contacts if c.body == name] + [
        c.other_point for c in m.contacts if c.other == name
    ]
    found += [c.point for c in m.cables if c.body == name] + [
        c.other_point for c in m.cables if c.other == name
    ]
    found += [p.point for p in m.pins if p.body == name] + [p.other_point for p in m.pins if p.other == name]
    return [(float(x), float(y)) for x, y in found]


def discs(model: Model, q: State) -> list[tuple[np.ndarray, float]]:
    """Centre and radius of every touching disc, each once."""
    m: Any = model.numbers  # every entry a number
    frames = frames_by_name(model, q)
    found: dict[tuple[str, float, float, float], np.ndarray] = {}
    for c in m.contacts:
        for body, point, r in ((c.body, c.point, c.radius), (c.other, c.other_point, c.other_radius)):
            if (r > 0 and not has_shape(c)) or (r > 0 and c.kind == "disc" and point is c.point):
                found[body, *point, r] = placed(point, frames[body])
    return [(centre, key[3]) for key, centre in found.items()]


def joints(model: Model, q: State) -> list[np.ndarray]:
    """Places of the revolute joints and pins."""
    m: Any = model.numbers  # every entry a number
    frames = frames_by_name(model, q)
    found = [placed(b.joint.at, frames[b.parent]) for b in m.bodies if b.joint.kind == "revolute"]
    found += [placed(p.point, frames[p.body]) for p in m.pins]
    return found
