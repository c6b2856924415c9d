"""Contacts of an assembly in the plane: shapes against walls, and shapes against each other.

Seen along the normal a sphere is a disc, a capsule a line rounded by its radius, a box a polygon. Against a straight
wall the ends of a capsule and the corners of a polygon are contacts of their own; two shapes of different bodies make one
contact, with two touches where sides meet.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.interop.flat import Flat
from modecontrol.interop.plane_axes import direction
from modecontrol.interop.shapes import Touching, across, level, slanted, touching
from modecontrol.interop.spatial import Link, Shape, Wall


def add_contacts(flat: Flat, chosen: frozenset[str] | None) -> None:
    """All contacts.

    Parameters
    ----------
    flat
        With all its bodies.
    chosen
        Links and shapes that may touch anything, beside what stands still; None means all.
    """
    a = flat.assembly
    walls = [wall for wall in a.walls if _upright(flat, wall)]
    solid = [
        (link, shape)
        for link in a.links
        for shape in link.shapes
        if shape.touches
        and (
            chosen is None
            or flat.rigid[link.name] == "world"
            or not chosen.isdisjoint((link.name, shape.name))
        )
    ]
    moving = [(link, shape) for link, shape in solid if flat.rigid[link.name] != "world"]
    odd = {shape.name for _, shape in solid if slanted(shape, flat.flat)}
    for name in sorted(odd):
        flat.left_out.append(f"the cylinder {name!r}, which lies at a slant to the plane")
    moving = [(link, shape) for link, shape in moving if shape.name not in odd]
    for link, shape in moving:
        for wall in walls:
            _against_wall(flat, link, shape, wall, len(walls))
    still = [(link.name, shape) for link, shape in solid if flat.rigid[link.name] == "world"]
    still += [("world", shape) for shape in a.standing]
    still = [(link, shape) for link, shape in still if not slanted(shape, flat.flat)]
    for i, (link, shape) in enumerate(moving):
        others = [(other.name, two) for other, two in moving[i + 1 :]]
        for other, two in (*still, *others):
            if flat.rigid[other] != flat.rigid[link.name]:
                _against_shape(flat, link.name, shape, other, two)


def _upright(flat: Flat, wall: Wall) -> bool:
    if abs(flat.normal @ wall.normal) <= tolerances.ALIGNED:
        return True
    shapes = [shape for link in flat.assembly.links for shape in link.shapes if shape.touches]
    if any(flat.assembly.friction(shape, wall) is not None for shape in shapes):
        flat.left_out.append(
            f"the wall {wall.name!r}, whose normal ({direction(wall.normal)}) points out of the plane"
        )
    return False


def _against_wall(flat: Flat, link: Link, shape: Shape, wall: Wall, walls: int) -> None:
    mu = flat.assembly.friction(shape, wall)
    if mu is None:
        return
    seen, n = touching(shape, flat.flat), flat.flat @ wall.normal
    words: dict[str, Any] = {
        "wall": {
            "origin": tuple((flat.flat @ wall.origin).tolist()),
            "tilt": math.atan2(-n[0], n[1]) + 0.0,
        },
        "mu": mu,
    }
    if seen.radius > 0:
        words.update(type="disc", radius=seen.radius)
    name = shape.name if walls == 1 else f"{shape.name}_{wall.name}"
    for i, point in enumerate(seen.points):
        body, local = flat.local(link.name, point)
        flat.builder.contact(
            flat.word("contact", name if len(seen.points) == 1 else f"{name}_{i + 1}"),
            body,
            point=local,
            **words,
        )


def _against_shape(flat: Flat, link: str, shape: Shape, other: str, two: Shape) -> None:
    mu = flat.assembly.pair_friction(shape, two)
    if mu is None:
        return
    spans = [across(each, flat.normal) for each in (shape, two)]
    if max(low for low, _ in spans) >= min(high for _, high in spans):
        return  # side by side in space: they pass each other
    if not level(shape, two, flat.normal):
        flat.replaced.append(
            f"{shape.name!r} and {two.name!r} touch where their outlines do, which in space do not lie at one height"
        )
    one, another = (touching(each, flat.flat) for each in (shape, two))
    if len(one.points) == 1 and len(another.points) > 1:
        pass
    elif len(another.points) == 1 and len(one.points) > 1 and other != "world":
        link, other, one, another, shape, two = other, link, another, one, two, shape
    (body, here), (there, corners) = _corners(flat, link, one), _corners(flat, other, another)
    words: dict[str, Any] = {"other": there, "mu": mu}
    if len(here) == 1 and len(corners) == 1:
        words.update(type="disc_disc", point=here[0], radius=one.radius)
        words.update(other_point=corners[0], other_radius=another.radius)
    elif len(here) == 1:
        words.update(type="disc", point=here[0], radius=one.radius, other_shape=corners)
        words.update(other_radius=another.radius)
    elif len(corners) == 1:  # a disc of the world, which cannot be the first body
        words.update(
            type="polygon", shape=here, radius=one.radius, other_shape=_dot(corners[0], another.radius)
        )
        words.update(other_radius=another.radius)
    else:
        words.update(type="polygon", shape=here, radius=one.radius)
        words.update(other_shape=corners, other_radius=another.radius)
    flat.builder.contact(flat.word("contact", f"{shape.name}_{two.name}"), body, **words)


def _corners(flat: Flat, link: str, seen: Touching) -> tuple[str, list[tuple[float, float]]]:
    placed = [flat.local(link, point) for point in seen.points]
    return placed[0][0], [point for _, point in placed]


def _dot(point: tuple[float, float], radius: float) -> list[tuple[float, float]]:
    """A disc as the shortest line that still has two ends, rounded by the radius."""
    half = tolerances.SAME_POINT * max(radius, float(np.hypot(*point)))
    return [(point[0] - half, point[1]), (point[0] + half, point[1])]
