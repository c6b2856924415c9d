"""A bounded polytope as something a pen can draw: points, a segment, a polygon, or the faces of a solid."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from modecontrol.polytopes import Polytope

TIGHT = 1e-7
"""A vertex lies on a face when it misses it by less than this, relative to the size of the set (pictures
only).
"""


class Shape(NamedTuple):
    """`dimension` -1 (empty), 0 point, 1 segment, 2 polygon, 3 solid; `points` in drawing order; `faces` of a
    solid.

    Each face is an array of corners in order; a polygon is its own only face.
    """

    dimension: int
    points: np.ndarray
    faces: tuple[np.ndarray, ...]


def shape_of(P: Polytope) -> Shape:
    """The shape of a bounded set of one, two or three variables.

    Parameters
    ----------
    P
        The set; clip it to a window first when it may be unbounded.
    """
    if P.is_empty:
        return Shape(-1, np.zeros((0, P.n)), ())
    points = _distinct(P.vertices)
    spread = _rank(points)
    if spread == 0:
        return Shape(0, points[:1], ())
    if spread == 1:
        along = points - points[0]
        line = along @ along[np.argmax(np.abs(along).sum(axis=1))]
        return Shape(1, points[[np.argmin(line), np.argmax(line)]], ())
    if spread == 2:
        ring = around(points)
        return Shape(2, ring, (ring,))
    return Shape(3, points, _faces(P, points))


def around(points: np.ndarray) -> np.ndarray:
    """Corners of a convex polygon in order, whatever plane they lie in.

    Parameters
    ----------
    points
        (k, 2) or (k, 3), all in one plane.
    """
    middle = points - points.mean(axis=0)
    size = np.abs(middle).max(axis=0)
    _, _, basis = np.linalg.svd(middle / np.where(size > 0, size, 1.0), full_matrices=False)
    plane = (middle / np.where(size > 0, size, 1.0)) @ basis[:2].T
    return points[np.argsort(np.arctan2(plane[:, 1], plane[:, 0]))]


def _faces(P: Polytope, points: np.ndarray) -> tuple[np.ndarray, ...]:
    small = P.minimal()
    norms = np.abs(small.A).max(axis=1)
    size = max(1.0, float(np.abs(points).max()))
    slack = (small.b - points @ small.A.T) / norms
    found = []
    for column in slack.T:
        corners = points[np.abs(column) <= TIGHT * size]
        if len(corners) >= 3 and _rank(corners) == 2:
            found.append(around(corners))
    return tuple(found)


def _distinct(points: np.ndarray) -> np.ndarray:
    """Points without near repetitions."""
    size = np.ptp(points, axis=0).max(initial=0.0) + 1e-9 * np.abs(points).max(initial=0.0)
    if size == 0.0 or len(points) == 1:
        return points[:1]
    _, first = np.unique(np.round(points / (1e-9 * size)), axis=0, return_index=True)
    return points[np.sort(first)]


def _rank(points: np.ndarray) -> int:
    """Dimension of the hull of the points, each axis measured by its own extent."""
    middle = points - points.mean(axis=0)
    extent = np.abs(middle).max(axis=0)
    scale = np.where(extent > TIGHT * max(1e-300, float(np.abs(points).max())), extent, np.inf)
    values = np.linalg.svd(middle / scale, compute_uv=False)
    return int(np.sum(values > TIGHT * max(1.0, values.max(initial=0.0))))
