"""Shapes and terrain of a mechanism as tables of numbers for the compiled core."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from modecontrol.dynamics.mechanism import Contact, Mechanism
from modecontrol.dynamics.places import Place, Places, find, point_of, table
from modecontrol.dynamics.polygons import counter_clockwise
from modecontrol.dynamics.shapes import has_shape

SHAPE = np.dtype([("first", np.int64), ("count", np.int64), ("radius", float)])
"""A convex shape: so many corners from the first on, rounded by a radius."""
TERRAIN = np.dtype([("first", np.int64), ("count", np.int64), ("planes", np.bool_)], align=True)
"""Terrain: the corners of a line, or two points of each half-plane."""
NO_SHAPE = {"shape": -1, "other_shape": -1, "terrain": -1, "slot": 0, "touches": 1}


@dataclass(frozen=True, eq=False)
class ShapeTables:
    """Shapes with their corners in the frames of their nodes, terrains with their points in the world."""

    shapes: np.ndarray
    corners: np.ndarray
    terrains: np.ndarray
    lines: np.ndarray

    @property
    def all(self) -> tuple[np.ndarray, ...]:
        """In the order in which the core takes them."""
        return self.shapes, self.corners, self.terrains, self.lines


@dataclass
class ShapeCollector:
    """Collects the shapes of contacts; touches of one contact share their shapes."""

    places: Places
    terrains: dict[str, int]
    known: dict[Any, int] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)
    corners: list[tuple[float, float]] = field(default_factory=list)

    def columns(self, contact: Contact) -> dict[str, int]:
        """What the row of a contact says about its shapes.

        Parameters
        ----------
        contact
            Of an evaluated mechanism.
        """
        if not has_shape(contact):
            return dict(NO_SHAPE)
        who = f"contact {contact.name!r}"
        corners: Any = contact.shape if contact.kind == "polygon" else (contact.point,)
        radius: Any = 0.0 if contact.kind == "point" else contact.radius
        found = {"shape": self._number(find(self.places, contact.body, who), corners, radius)}
        other: Any = contact.other_shape
        there = find(self.places, contact.other, who)
        found["other_shape"] = self._number(there, other, contact.other_radius) if other else -1
        found["terrain"] = find(self.terrains, contact.terrain, who) if contact.terrain else -1
        return {**found, "slot": contact.slot, "touches": contact.touches}

    def _number(self, place: Place, corners: Any, radius: Any) -> int:
        placed = tuple(point_of(place, corner) for corner in counter_clockwise(corners))
        key = (place[0], placed, radius)
        if key not in self.known:
            self.known[key] = len(self.rows)
            self.rows.append({"first": len(self.corners), "count": len(placed), "radius": radius})
            self.corners += placed
        return self.known[key]

    def tables(self, mechanism: Mechanism) -> ShapeTables:
        """The tables of everything collected, and of the terrains of a mechanism.

        Parameters
        ----------
        mechanism
            Evaluated.
        """
        rows: list[dict[str, Any]] = []
        points: list[Any] = []
        for ground in mechanism.terrains:
            made: list[Any] = list(ground.line)
            for (x, y), tilt in ground.half_planes:
                made += [(x, y), (x + math.cos(tilt), y + math.sin(tilt))]  # type: ignore[arg-type, operator]
            rows.append({"first": len(points), "count": len(made), "planes": bool(ground.half_planes)})
            points += made
        return ShapeTables(
            table(SHAPE, self.rows),
            np.array(self.corners, dtype=float).reshape(-1, 2),
            table(TERRAIN, rows),
            np.array(points, dtype=float).reshape(-1, 2),
        )
