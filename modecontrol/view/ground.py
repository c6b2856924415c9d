"""What stands still and can be touched, as lines with a band on their solid side: walls, terrain, shapes of the world."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from modecontrol.dynamics.shapes import has_shape

if TYPE_CHECKING:
    from modecontrol.dynamics.model import Model

SHARP = 0.2
"""Bands of corners sharper than this (cosine of half the turn) are cut off rather than drawn to a point (pictures only)."""


class Surface(NamedTuple):
    """A line that can be touched (k, 2), free on the left of its direction, and whether it ends where it begins."""

    line: np.ndarray
    closed: bool = False

    def band(self, depth: float) -> np.ndarray:
        """Corners (m, 2) of a strip on the solid side of the line.

        Parameters
        ----------
        depth
            Its width; that of a closed line is filled as a whole.
        """
        if self.closed:
            return self.line
        along = np.diff(self.line, axis=0)
        along /= np.linalg.norm(along, axis=1)[:, None]
        normal = np.column_stack([along[:, 1], -along[:, 0]])
        before, after = np.vstack([normal[:1], normal]), np.vstack([normal, normal[-1:]])
        middle = before + after
        middle /= np.maximum(np.linalg.norm(middle, axis=1), SHARP)[:, None]
        stretch = np.maximum((middle * after).sum(axis=1), SHARP)
        return np.vstack([self.line, (self.line + depth * middle / stretch[:, None])[::-1]])


def surfaces(model: Model, box: np.ndarray, reach: float) -> list[Surface]:
    """Everything of the world that contacts touch, each once.

    Parameters
    ----------
    model
        A `Model`.
    box
        (2, 2) limits of x and y around the middle of which lines without end are drawn.
    reach
        How far they are drawn.
    """
    numbers: Any = model.numbers  # every entry a number
    middle = box.mean(axis=1)
    found = [Surface(_through(origin, t, middle, reach)) for origin, t in half_planes(numbers)]
    used = {contact.terrain for contact in numbers.contacts}
    for ground in numbers.terrains:
        if ground.name not in used:
            continue
        if ground.line:
            found.append(Surface(_drawn_out(np.array(ground.line, dtype=float), reach)))
        planes = [
            (np.array(origin, dtype=float), np.array([np.cos(tilt), np.sin(tilt)]))
            for origin, tilt in ground.half_planes
        ]
        found += _common_border(planes, middle, reach)
    shapes = {c.other_shape for c in numbers.contacts if c.other == "world" and len(c.other_shape) > 2}
    found += [Surface(np.array([*shape, shape[0]], dtype=float), closed=True) for shape in sorted(shapes)]
    return found


def half_planes(numbers: Any) -> list[tuple[np.ndarray, np.ndarray]]:
    """Origin and tangent of the half-planes of the world that contacts touch, each once.

    Parameters
    ----------
    numbers
        An evaluated mechanism.
    """
    found: dict[tuple[float, ...], tuple[np.ndarray, np.ndarray]] = {}
    for contact in numbers.contacts:
        other = has_shape(contact) and (contact.terrain or contact.other_shape)
        if contact.kind == "disc_disc" or contact.other != "world" or other:
            continue
        t = np.array([np.cos(contact.tilt), np.sin(contact.tilt)])
        n = np.array([-t[1], t[0]])
        origin = np.array(contact.origin, dtype=float)
        found.setdefault(tuple(np.round([*n, n @ origin], 9) + 0.0), (origin, t))
    return list(found.values())


def touching_shapes(model: Model) -> list[tuple[int, np.ndarray]]:
    """Body and corners in its frame of every touching shape that its outline does not show, each once."""
    numbers: Any = model.numbers  # every entry a number
    bodies = {body.name: i for i, body in enumerate(numbers.bodies)}
    found: dict[tuple[str, Any, float], None] = {}
    for c in numbers.contacts:
        for name, shape, radius in (
            (c.body, c.shape, c.radius),
            (c.other, c.other_shape, c.other_radius),
        ):
            if name in bodies and shape and (radius > 0 or shape != numbers.bodies[bodies[name]].outline):
                found[name, shape, float(radius)] = None
    return [(bodies[name], rounded(np.array(shape, dtype=float), r)) for name, shape, r in found]


def rounded(corners: np.ndarray, radius: float, steps: int = 8) -> np.ndarray:
    """Border of a convex polygon rounded by a radius (m, 2): an arc about each corner.

    Parameters
    ----------
    corners
        (k, 2), in either order; two are a capsule.
    radius
        Of the rounding.
    steps
        Sides of each arc.
    """
    if radius == 0.0:
        return corners
    x, y = corners.T
    if len(corners) > 2 and (x * np.roll(y, -1) - np.roll(x, -1) * y).sum() < 0:
        corners = corners[::-1]
    points = []
    for i, corner in enumerate(corners):
        before, after = corner - corners[i - 1], corners[(i + 1) % len(corners)] - corner
        first, last = (np.arctan2(-d[0], d[1]) for d in (before, after))
        turn = (last - first) % (2 * np.pi)
        for angle in first + turn * np.linspace(0, 1, steps):
            points.append(corner + radius * np.array([np.cos(angle), np.sin(angle)]))
    return np.array(points)


def _through(origin: np.ndarray, t: np.ndarray, middle: np.ndarray, reach: float) -> np.ndarray:
    foot = origin + t * (t @ (middle - origin))
    return np.array([foot - reach * t, foot + reach * t])


def _drawn_out(line: np.ndarray, reach: float) -> np.ndarray:
    first, last = line[0] - line[1], line[-1] - line[-2]
    line[0] += reach * first / np.linalg.norm(first)
    line[-1] += reach * last / np.linalg.norm(last)
    return line


def _common_border(
    planes: list[tuple[np.ndarray, np.ndarray]], middle: np.ndarray, reach: float
) -> list[Surface]:
    """The part of each half-plane's border that lies on the free side of all the others."""
    found = []
    for i, (origin, t) in enumerate(planes):
        foot = origin + t * (t @ (middle - origin))
        low, high = -reach, reach
        for k, (other, u) in enumerate(planes):
            n = np.array([-u[1], u[0]])
            height, slope = float(n @ (foot - other)), float(n @ t)
            if k == i or (abs(slope) < 1e-12 and height >= 0):
                continue
            if abs(slope) < 1e-12:
                low, high = 1.0, 0.0
            elif slope > 0:
                low = max(low, -height / slope)
            else:
                high = min(high, -height / slope)
        if low < high:
            found.append(Surface(np.array([foot + low * t, foot + high * t])))
    return found
