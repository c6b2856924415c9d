"""Do the shapes of a mechanism make sense? Convex polygons, terrain that does not cross itself, names that exist."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

from modecontrol import tolerances
from modecontrol.dynamics.mechanism import Contact, Mechanism, Point
from modecontrol.dynamics.name_checks import declared_name
from modecontrol.dynamics.polygons import area, crossing, ends_crossing, why_not_convex
from modecontrol.dynamics.shapes import Terrain
from modecontrol.dynamics.value_checks import at, check_exists, check_value


def check_shapes(mechanism: Mechanism) -> None:
    """Check terrain, groups, and the shapes of contacts.

    Parameters
    ----------
    mechanism
        With its contacts expanded.

    Raises
    ------
    ValueError
        On the first thing wrong, in one line that begins with the entry it concerns.
    """
    values = mechanism.parameters
    for terrain in mechanism.terrains:
        with at(f"terrain '{terrain.name}'"):
            _check_terrain(terrain, values)
    bodies = {body.name for body in mechanism.bodies}
    for name, members in mechanism.groups.items():
        with at(f"group '{name}'"):
            if not members:
                raise ValueError("found no body; names of bodies were expected")
            for member in members:
                check_exists("body", member, bodies)
    terrains = [terrain.name for terrain in mechanism.terrains]
    for contact in mechanism.contacts:
        if contact.slot == 0:
            with at(f"contact '{declared_name(contact)}'"):
                _check_contact(contact, terrains, values)


def _corners(key: str, points: tuple[Point, ...], values: Mapping[str, float]) -> list[tuple]:
    return [tuple(check_value(key, x, values, "a finite number") for x in point) for point in points]


def _check_terrain(terrain: Terrain, values: Mapping[str, float]) -> None:
    if terrain.half_planes:
        planes = []
        for origin, tilt in terrain.half_planes:
            (x, y), angle = (
                _corners("origin", (origin,), values)[0],
                check_value("tilt", tilt, values, "an angle"),
            )
            planes.append((x, y, angle))
        if not has_free_side(planes):
            raise ValueError(
                "its half-planes leave nothing free; planes with a common free side were expected"
            )
        return
    line = _corners("line", terrain.line, values)
    if len(line) < 2:
        raise ValueError(f"its line has {len(line)} corners; at least two were expected")
    for a, b in itertools.pairwise(line):
        if a == b:
            raise ValueError(f"corner ({a[0]:g}, {a[1]:g}) is given twice; different corners were expected")
    found, ends = crossing(line), ""
    if found is None:
        found, ends = ends_crossing(line), ", whose first and last segment go on for ever,"
    if found is not None:
        first, second = (
            f"({line[i][0]:g}, {line[i][1]:g}) to ({line[i + 1][0]:g}, {line[i + 1][1]:g})" for i in found
        )
        raise ValueError(
            f"its line{ends} crosses itself: {first} meets {second}; a line without crossings was expected"
        )


def has_free_side(planes: Sequence[tuple[float, float, float]]) -> bool:
    """Whether some point is above all planes `(x, y, tilt)`: a large square is cut by one after the other.

    Parameters
    ----------
    planes
        Origins and tilts.
    """
    size = 1e3 * (1.0 + max(math.hypot(x, y) for x, y, _ in planes))
    left = [(-size, -size), (size, -size), (size, size), (-size, size)]
    for x, y, tilt in planes:
        s, c = math.sin(tilt), math.cos(tilt)
        above = [c * (b - y) - s * (a - x) for a, b in left]
        kept = []
        for i in range(len(left)):
            (a, b), (u, v), here, there = left[i - 1], left[i], above[i - 1], above[i]
            if here * there < 0.0:
                part = here / (here - there)
                kept.append((a + part * (u - a), b + part * (v - b)))
            if there >= 0.0:
                kept.append((u, v))
        left = kept
    return len(left) > 2 and area(left) > tolerances.CORNER * size


def _check_contact(contact: Contact, terrains: list[str], values: Mapping[str, float]) -> None:
    if contact.terrain:
        check_exists("terrain", contact.terrain, terrains)
    for key, rounding in (("shape", "radius"), ("other_shape", "other_radius")):
        shape = getattr(contact, key)
        if isinstance(shape, str):
            raise ValueError(f"{key} is still '{shape}'; expected corners (see shapes.with_shapes)")
        if not shape and not (key == "shape" and contact.kind == "polygon"):
            continue
        corners = _corners(key, shape, values)
        radius = check_value(rounding, getattr(contact, rounding), values, "a radius that is not negative")
        _check_polygon(key, corners, radius, least=2 if radius > 0 or contact.kind == "disc" else 3)


def _check_polygon(key: str, corners: list[tuple], radius: float, least: int) -> None:
    if len(corners) < least:
        what = "with a radius" if radius > 0 else "without a radius"
        raise ValueError(
            f"{key} has {len(corners)} corners; a polygon {what} was expected to have at least {least}"
        )
    if len(corners) == 2:
        if corners[0] == corners[1]:
            raise ValueError(
                f"{key}: both corners are ({corners[0][0]:g}, {corners[0][1]:g}); two different ones were expected"
            )
        return
    wrong = why_not_convex(corners)
    if wrong:
        hint = ' (shape = "hull" takes the convex hull of an outline)' if "convex" in wrong else ""
        raise ValueError(f"{key}: {wrong}; a convex polygon was expected{hint}")
