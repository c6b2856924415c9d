"""Joints of an assembly as joints of the plane.

Coordinates count counter-clockwise in the plane. A joint that turns the other way in the file has the sign -1
in `Imported.signs`: coordinate = sign * value in the file.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.joints import planar, prismatic, revolute
from modecontrol.dynamics.mechanism import Joint
from modecontrol.interop.flat import Flat
from modecontrol.interop.plane_axes import direction, pair
from modecontrol.interop.spatial import SpatialJoint

Step = tuple[Joint, np.ndarray, float]
"""A joint of the library, and origin and angle of its body's frame at the reference pose."""


def steps(flat: Flat, j: SpatialJoint, origin: np.ndarray, angle: float) -> list[Step]:
    """The joints of the library that make one joint of the file; all but the last carry no mass.

    Parameters
    ----------
    flat
        What is known so far.
    j
        The joint.
    origin, angle
        Frame of the body on which it hangs, at the reference pose.
    """
    if j.kind == "turn":
        return [_turn(flat, j, origin, angle)]
    if j.kind == "slide":
        return [_slide(flat, j, origin, angle)]
    if j.kind in ("plane", "free"):
        return _free(flat, j, origin, angle)
    raise ValueError(
        f"{_where(flat, j)} is a {j.kind} joint; expected one that turns about the normal of the plane "
        f"{flat.plane!r} or slides within it: name the joint in locked to hold it"
    )


def _where(flat: Flat, j: SpatialJoint) -> str:
    return f"{flat.assembly.name}: joint {j.name!r}"


def _laws(j: SpatialJoint, sign: int = 1, rest: float | None = None) -> dict[str, Any]:
    """Spring, damper, stops, dry friction and armature, as far as there are any."""
    words: dict[str, Any] = {"stiffness": j.stiffness, "damping": j.damping}
    words["rest"] = sign * j.rest if rest is None else rest
    ends = (j.lower, j.upper) if sign > 0 else (-j.upper, -j.lower)
    words.update({key: end for key, end in zip(("lower", "upper"), ends, strict=True) if math.isfinite(end)})
    words.update({key: getattr(j, key) for key in ("friction", "armature") if getattr(j, key) > 0})
    return words


def _turn(flat: Flat, j: SpatialJoint, origin: np.ndarray, angle: float) -> Step:
    sign = _sign(flat, j, "turns about")
    place = flat.flat @ j.anchor
    name = _coordinate(flat, j, sign)
    made = revolute(
        name, at=pair(place - origin, -angle), angle=-angle - sign * j.reference, **_laws(j, sign)
    )
    return made, place, 0.0


def _slide(flat: Flat, j: SpatialJoint, origin: np.ndarray, angle: float) -> Step:
    along = flat.flat @ j.axis
    if np.linalg.norm(along) < 1.0 - tolerances.ALIGNED or abs(flat.normal @ j.axis) > tolerances.ALIGNED:
        raise ValueError(
            f"{_where(flat, j)} slides along ({direction(j.axis)}), out of the plane {flat.plane!r}; expected "
            "a direction within the plane: choose another plane, or name the joint in locked"
        )
    way, place = math.atan2(along[1], along[0]), flat.flat @ j.anchor
    at = pair(place - j.reference * along - origin, -angle)
    return prismatic(_coordinate(flat, j, 1), at=at, angle=way - angle, **_laws(j)), place, way


def _free(flat: Flat, j: SpatialJoint, origin: np.ndarray, angle: float) -> list[Step]:
    """Three coordinates, counted from the world's origin, or the parent's frame, along the axes of the plane."""
    if j.kind == "plane":
        _sign(flat, j, "moves across")
    names = [flat.word("coordinate", f"{j.name}_{tail}") for tail in ("x", "y", "turn")]
    flat.signs.update(dict.fromkeys(names, 1))
    place = flat.flat @ j.anchor
    flat.builder.start(**dict(zip(names, _standing(flat, j, place - origin), strict=True)))
    if not (j.stiffness or j.damping or j.friction or j.armature):
        return [(planar(*names, angle=-angle), place, 0.0)]
    x, y, turn = names
    right, up = place - origin
    return [
        (prismatic(x, angle=-angle, **_laws(j, rest=right)), np.array([place[0], origin[1]]), 0.0),
        (prismatic(y, angle=math.pi / 2, **_laws(j, rest=up)), place, math.pi / 2),
        (revolute(turn, angle=-math.pi / 2, **_laws(j, rest=0.0)), place, 0.0),
    ]


def _sign(flat: Flat, j: SpatialJoint, does: str) -> int:
    along = float(flat.normal @ j.axis)
    if (
        abs(along) < 1.0 - tolerances.ALIGNED
        or np.linalg.norm(np.cross(flat.normal, j.axis)) > tolerances.ALIGNED
    ):
        raise ValueError(
            f"{_where(flat, j)} {does} ({direction(j.axis)}); expected the normal "
            f"({direction(flat.normal)}) of the plane {flat.plane!r}: choose another plane, or name the "
            "joint in locked"
        )
    return 1 if along > 0 else -1


def _coordinate(flat: Flat, j: SpatialJoint, sign: int) -> str:
    name = flat.word("coordinate", j.name)
    flat.coordinates[j.name], flat.signs[name] = name, sign
    if np.isfinite([j.lower, j.upper]).any():
        flat.ranges[name] = (j.lower, j.upper) if sign > 0 else (-j.upper, -j.lower)
        if j.lower > j.upper:
            raise ValueError(
                f"{_where(flat, j)} has the range {j.lower:g} to {j.upper:g}; expected lower <= upper"
            )
    wished = float(j.reference if j.start is None else j.start)  # type: ignore[arg-type]
    start = min(max(wished, j.lower), j.upper)
    if start != wished:
        flat.replaced.append(
            f"the joint {j.name!r} starts at its stop {start:g}: {wished:g} lies outside its range "
            f"({j.lower:g} to {j.upper:g})"
        )
    if start:
        flat.builder.start(**{name: sign * start})
    return name


def _standing(flat: Flat, j: SpatialJoint, place: np.ndarray) -> tuple[float, float, float]:
    """Where a free body begins, relative to the frame of its parent at the reference pose."""
    if j.start is None:
        return float(place[0]), float(place[1]), 0.0
    there, turn = j.start  # type: ignore[misc]
    if np.linalg.norm(turn @ flat.normal - flat.normal) > tolerances.ALIGNED:
        raise ValueError(
            f"{_where(flat, j)} starts turned out of the plane {flat.plane!r}; expected a start within it"
        )
    x, y = place + flat.flat @ (there - j.anchor)
    right = flat.flat @ turn @ flat.flat[0]
    return float(x), float(y), math.atan2(right[1], right[0])
