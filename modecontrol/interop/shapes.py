"""Shapes in space seen along the normal of a plane: discs and corners that touch, and outlines for pictures."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol.interop.spatial import Shape

ROUND = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)


class Touching(NamedTuple):
    """What of a shape can touch a straight wall: centres (p, 2) of discs of one radius; radius 0 are points."""

    points: np.ndarray
    radius: float


def touching(shape: Shape, plane: np.ndarray) -> Touching:
    """The discs or corners of a shape that meet every straight wall of the plane first.

    Parameters
    ----------
    shape
        The shape in space.
    plane
        (2, 3): the axes of the plane.
    """
    centre = plane @ shape.centre
    if shape.kind == "sphere":
        return Touching(centre[None], shape.size[0])
    if shape.kind in ("capsule", "cylinder"):
        radius, half = shape.size
        along = half * (plane @ shape.turn[:, 2])
        if np.linalg.norm(along) <= tolerances.SAME_POINT * max(half, radius):
            return Touching(centre[None], radius)
        if shape.kind == "capsule":
            return Touching(np.array([centre + along, centre - along]), radius)
        # a cylinder seen from the side is a rectangle; one seen at a slant is refused by the caller
        across = radius * np.array([-along[1], along[0]]) / np.linalg.norm(along)
        return Touching(
            np.array([centre + i * along + j * across for i, j in ((1, 1), (-1, 1), (-1, -1), (1, -1))]), 0.0
        )
    if shape.kind == "hull":
        return Touching(hull(np.asarray(shape.corners) @ plane.T), 0.0)
    corners = centre + np.array(
        [
            plane @ (shape.turn @ (np.array(signs) * shape.size))
            for signs in itertools.product((1, -1), repeat=3)
        ]
    )
    return Touching(hull(corners), 0.0)


def across(shape: Shape, normal: np.ndarray) -> tuple[float, float]:
    """Least and greatest coordinate of a shape along the normal.

    Parameters
    ----------
    shape
        The shape in space.
    normal
        Of the plane, of length one.
    """
    middle, along = float(normal @ shape.centre), np.abs(normal @ shape.turn)
    if shape.kind == "hull":
        seen = np.asarray(shape.corners) @ normal
        return float(seen.min()), float(seen.max())
    if shape.kind == "box":
        half = float(along @ shape.size)
    else:
        half = shape.size[0]
        if shape.kind == "capsule":
            half += shape.size[1] * float(along[2])
        elif shape.kind == "cylinder":
            half = shape.size[0] * float(np.hypot(along[0], along[1])) + shape.size[1] * float(along[2])
    return middle - half, middle + half


def level(one: Shape, other: Shape, normal: np.ndarray) -> bool:
    """Whether two shapes touch in space exactly where their outlines do in the plane.

    That is so when the two widest sections are at the same height over the plane: round shapes bulge in the middle,
    boxes that stand upright and cylinders along the normal are as wide everywhere.
    """
    spans = [_widest(shape, normal) for shape in (one, other)]
    scale = max(1.0, *(abs(end) for span in spans for end in span))
    return max(spans[0][0], spans[1][0]) <= min(spans[0][1], spans[1][1]) + tolerances.ALIGNED * scale


def _widest(shape: Shape, normal: np.ndarray) -> tuple[float, float]:
    """Where along the normal a shape is as wide as its outline; an empty interval if nowhere as a whole."""
    middle, along = float(normal @ shape.centre), np.abs(normal @ shape.turn)
    ends = across(shape, normal)
    if shape.kind == "sphere" or (
        shape.kind != "hull" and along[2] <= tolerances.ALIGNED and shape.kind != "box"
    ):
        return middle, middle
    if shape.kind in ("capsule", "cylinder") and along[2] >= 1.0 - tolerances.ALIGNED:
        return middle - shape.size[1], middle + shape.size[1]
    if shape.kind == "box" and along.max() >= 1.0 - tolerances.ALIGNED:
        return ends
    return np.inf, -np.inf


def slanted(shape: Shape, plane: np.ndarray) -> bool:
    """Whether a cylinder lies neither in the plane nor along its normal: then its outline is no rectangle.

    Parameters
    ----------
    shape
        The shape in space.
    plane
        (2, 3): the axes of the plane.
    """
    if shape.kind != "cylinder":
        return False
    seen = float(np.linalg.norm(plane @ shape.turn[:, 2]))
    return tolerances.ALIGNED < seen < 1.0 - tolerances.ALIGNED


def outline(shapes: list[Touching]) -> np.ndarray:
    """Corners (m, 2) of the hull of some shapes, for pictures; empty when there is none.

    Parameters
    ----------
    shapes
        Discs and corners, in one frame.
    """
    rim = np.column_stack([np.cos(ROUND), np.sin(ROUND)])
    cloud = [
        (p.points[:, None] + p.radius * rim).reshape(-1, 2) if p.radius > 0 else p.points for p in shapes
    ]
    return hull(np.vstack(cloud)) if cloud else np.zeros((0, 2))


def hull(points: np.ndarray) -> np.ndarray:
    """Corners of the convex hull, counter-clockwise; two when all lie on a line, one when all are the same.

    Parameters
    ----------
    points
        (m, 2), m >= 1.
    """
    tiny = tolerances.SAME_POINT * max(float(np.ptp(points, axis=0).max()), tolerances.TINY)
    ordered = points[np.lexsort((points[:, 1], points[:, 0]))]
    # coordinates that agree up to rounding must not decide the order
    with np.errstate(over="ignore"):
        ordered = ordered[np.lexsort((np.round(ordered[:, 1] / tiny), np.round(ordered[:, 0] / tiny)))]
    ordered = np.array(
        [p for i, p in enumerate(ordered) if i == 0 or np.abs(p - ordered[i - 1]).max() > tiny]
    )
    if len(ordered) < 3:
        return ordered
    lower, upper = _chain(ordered, tiny), _chain(ordered[::-1], tiny)
    return np.array(lower[:-1] + upper[:-1])


def _chain(points: np.ndarray, tiny: float) -> list[np.ndarray]:
    """Half of Andrew's monotone chain."""
    found: list[np.ndarray] = []
    for p in points:
        while len(found) > 1:
            a, b = found[-1] - found[-2], p - found[-2]
            if a[0] * b[1] - a[1] * b[0] > tiny * float(np.linalg.norm(b)):
                break
            found.pop()
        found.append(p)
    return found
