"""An assembly in space becomes a planar mechanism, or a line that says why it cannot.

A joint belongs to the plane when it turns about the plane's normal or slides within the plane. Masses count
as they are; of the inertia only the moment about the normal through the centre of mass acts. Body frames
stand at their joint and, at the reference pose, along the axes of the plane (a sliding body's frame: along
its direction).

Coordinates count counter-clockwise in the plane. A joint that turns the other way in the file has the sign -1
in `Imported.signs`: coordinate = sign * value in the file. Inputs keep the sign of the file.
"""

from __future__ import annotations

import fnmatch
import logging
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.builder import Builder, planar, prismatic, revolute, weld
from modecontrol.dynamics.mechanism import Joint
from modecontrol.dynamics.model import Model
from modecontrol.interop.plane_axes import direction, pair, plane_axes, turned, word
from modecontrol.interop.shapes import Touching, outline, slanted, touching
from modecontrol.interop.spatial import Assembly, Link, SpatialJoint, Wall


@dataclass(frozen=True, eq=False)
class Imported:
    """A planar mechanism that was read from a file, and what became of the parts of the file.

    Attributes
    ----------
    builder
        The mechanism, to which contacts, constraints or outputs can be added before `builder.build()`.
    signs
        By coordinate: 1, or -1 where the file counts clockwise in the plane; coordinate = sign * value in the
        file.
    ranges
        By coordinate: lower and upper end of its range in the file. The library has no joint stops.
    left_out
        What the file has and the mechanism has not, in sentences.
    """

    builder: Builder
    signs: Mapping[str, int]
    ranges: Mapping[str, tuple[float, float]]
    left_out: tuple[str, ...]

    @cached_property
    def model(self) -> Model:
        """The model; what was left out is logged as a warning."""
        for sentence in self.left_out:
            logging.getLogger("modecontrol.interop").warning("%s: %s", self.builder.name, sentence)
        return self.builder.build()


def chosen(patterns: Iterable[str], known: Iterable[str], what: str) -> frozenset[str]:
    """The names that are listed or match a pattern such as `"*_hip"`.

    Parameters
    ----------
    patterns
        Names and patterns; one text counts as a list of one.
    known
        All names there are.
    what
        Beginning of the message when something matches none of them.
    """
    found: set[str] = set()
    known = sorted(known)
    for pattern in (patterns,) if isinstance(patterns, str) else patterns:
        matching = fnmatch.filter(known, pattern)
        if not matching:
            raise ValueError(
                f"{what} {pattern!r}; expected names or patterns of: {', '.join(known) or 'none'}"
            )
        found.update(matching)
    return frozenset(found)


def flatten(
    assembly: Assembly, plane: str, locked: Iterable[str] = (), contacts: Iterable[str] | None = None
) -> Imported:
    """The planar mechanism of an assembly.

    Parameters
    ----------
    assembly
        What a reader found in a file.
    plane
        As in `plane_axes`.
    locked
        Joints that are held at the reference pose, whatever their axis: names or patterns.
    contacts
        Links and shapes that may touch walls: names or patterns; None means all.

    Raises
    ------
    ValueError
        Something does not belong to the plane; unknown names.
    """
    joints = {joint.name for link in assembly.links for joint in link.joints}
    shapes = {name for link in assembly.links for name in (link.name, *(s.name for s in link.shapes))}
    held = chosen(locked, joints, f"{assembly.name}: locked names")
    touching = None if contacts is None else chosen(contacts, shapes, f"{assembly.name}: contacts names")
    return _Flattening(assembly, plane, held, touching).result()


@dataclass
class _Flattening:
    assembly: Assembly
    plane: str
    locked: frozenset[str]
    touching: frozenset[str] | None = None
    """Links and shapes that may touch walls; None means all."""
    words: dict[str, set[str]] = field(default_factory=dict)
    frames: dict[str, tuple[str, np.ndarray, float]] = field(default_factory=dict)
    """By link: name of its body, origin and angle of the body's frame at the reference pose."""
    coordinates: dict[str, str] = field(default_factory=dict)
    """By joint with one freedom: its coordinate."""
    signs: dict[str, int] = field(default_factory=dict)
    ranges: dict[str, tuple[float, float]] = field(default_factory=dict)

    def result(self) -> Imported:
        a = self.assembly
        axes = plane_axes(self.plane)
        self.flat, self.normal = axes[:2], axes[2]
        self.left_out = list(a.left_out)
        for name in a.parameters:
            self._word("coordinate", name)  # coordinates and inputs may not have it
        pull = self.flat @ a.gravity
        if np.abs(a.gravity).max() > 0 and abs(self.normal @ a.gravity) > tolerances.ALIGNED * np.linalg.norm(
            a.gravity
        ):
            self.left_out.append(
                "gravity across the plane acts on nothing that can move; only its part within the plane is kept"
            )
        self.builder = Builder(a.name, gravity=tuple(pull), parameters=a.parameters)
        self.frames["world"] = "world", np.zeros(2), 0.0
        for link in a.links:
            self._link(link)
        self._drives()
        self._contacts()
        for knot in a.knots:
            (body, here), (other, there) = (
                self._local(link, self.flat @ knot.point) for link in (knot.link, knot.other)
            )
            self.builder.pin(self._word("pin", knot.name), body, here, other, there)
        if self.ranges:
            self.left_out.append(
                "joint ranges are not enforced (the library has no joint stops): " + ", ".join(self.ranges)
            )
        return Imported(self.builder, self.signs, self.ranges, tuple(self.left_out))

    # Bodies and joints -----------------------------------------------------------------------------

    def _link(self, link: Link) -> None:
        parent, origin, angle = self.frames[link.parent]
        moving = [j for j in link.joints if j.kind != "fixed" and j.name not in self.locked]
        for j in moving[:-1]:  # all but the last joint carry a body without mass
            body = self._word("body", f"{link.name}_{j.name}")
            made, place, way = self._joint(j, origin, angle)
            self.builder.body(body, parent=parent, joint=made, outline=[(0.0, 0.0)])  # nothing to be seen
            parent, origin, angle = body, place, way
        if moving:
            made, place, way = self._joint(moving[-1], origin, angle)
        else:
            place, way = self.flat @ link.origin, 0.0
            made = weld(at=pair(place - origin, -angle), angle=-angle)
        body = self._word("body", link.name)
        self.frames[link.name] = body, place, way
        seen = [s for s in link.shapes if not slanted(s, self.flat)]
        shapes = [touching(s, self.flat) for s in seen]
        local = [Touching(turned(s.points - place, -way), s.radius) for s in shapes]
        self.builder.body(
            body,
            parent=parent,
            joint=made,
            mass=link.mass,
            inertia=max(0.0, float(self.normal @ link.inertia @ self.normal)),
            com=pair(self.flat @ link.centre - place, -way),
            outline=outline(local).tolist(),
        )

    def _joint(self, j: SpatialJoint, origin: np.ndarray, angle: float) -> tuple[Joint, np.ndarray, float]:
        """The joint of the library, and the frame of its body at the reference pose."""
        spring = {"stiffness": j.stiffness, "damping": j.damping}
        if j.kind == "turn":
            sign = self._sign(j, "turns about")
            at = pair(self.flat @ j.anchor - origin, -angle)
            name = self._coordinate(j, sign)
            return (
                revolute(name, at=at, angle=-angle - sign * j.reference, rest=sign * j.rest, **spring),
                self.flat @ j.anchor,
                0.0,
            )
        if j.kind == "slide":
            along = self.flat @ j.axis
            if (
                np.linalg.norm(along) < 1.0 - tolerances.ALIGNED
                or abs(self.normal @ j.axis) > tolerances.ALIGNED
            ):
                raise ValueError(
                    f"{self._where(j)} slides along ({direction(j.axis)}), out of the plane {self.plane!r}; expected "
                    "a direction within the plane: choose another plane, or name the joint in locked"
                )
            way = math.atan2(along[1], along[0])
            place = self.flat @ j.anchor
            at = pair(place - j.reference * along - origin, -angle)
            return (
                prismatic(self._coordinate(j, 1), at=at, angle=way - angle, rest=j.rest, **spring),
                place,
                way,
            )
        if j.kind in ("plane", "free"):
            if j.kind == "plane":
                self._sign(j, "moves across")
            if j.stiffness or j.damping:
                self.left_out.append(
                    f"spring and damper of the joint {j.name!r}, which has more than one freedom"
                )
            names = [self._word("coordinate", f"{j.name}_{tail}") for tail in ("x", "y", "turn")]
            self.signs.update(dict.fromkeys(names, 1))
            # counted from the world's origin, or the parent's frame, along the axes of the plane
            place = self.flat @ j.anchor
            self.builder.start(**dict(zip(names, self._standing(j, place - origin), strict=True)))
            return planar(*names, angle=-angle), place, 0.0
        raise ValueError(
            f"{self._where(j)} is a {j.kind} joint; expected one that turns about the normal of the plane "
            f"{self.plane!r} or slides within it: name the joint in locked to hold it"
        )

    def _sign(self, j: SpatialJoint, does: str) -> int:
        along = float(self.normal @ j.axis)
        if (
            abs(along) < 1.0 - tolerances.ALIGNED
            or np.linalg.norm(np.cross(self.normal, j.axis)) > tolerances.ALIGNED
        ):
            raise ValueError(
                f"{self._where(j)} {does} ({direction(j.axis)}); expected the normal "
                f"({direction(self.normal)}) of the plane {self.plane!r}: choose another plane, or name the "
                "joint in locked"
            )
        return 1 if along > 0 else -1

    def _coordinate(self, j: SpatialJoint, sign: int) -> str:
        name = self._word("coordinate", j.name)
        self.coordinates[j.name], self.signs[name] = name, sign
        if np.isfinite([j.lower, j.upper]).any():
            self.ranges[name] = (j.lower, j.upper) if sign > 0 else (-j.upper, -j.lower)
        start = j.reference if j.start is None else j.start
        if start:
            self.builder.start(**{name: sign * float(start)})  # type: ignore[arg-type]
        return name

    def _standing(self, j: SpatialJoint, place: np.ndarray) -> tuple[float, float, float]:
        """Where a free body begins, relative to the frame of its parent at the reference pose."""
        if j.start is None:
            return float(place[0]), float(place[1]), 0.0
        there, turn = j.start  # type: ignore[misc]
        if np.linalg.norm(turn @ self.normal - self.normal) > tolerances.ALIGNED:
            raise ValueError(
                f"{self._where(j)} starts turned out of the plane {self.plane!r}; expected a start within it"
            )
        x, y = place + self.flat @ (there - j.anchor)
        right = self.flat @ turn @ self.flat[0]
        return float(x), float(y), math.atan2(right[1], right[0])

    def _where(self, j: SpatialJoint) -> str:
        return f"{self.assembly.name}: joint {j.name!r}"

    # What acts on them -----------------------------------------------------------------------------

    def _drives(self) -> None:
        for drive in self.assembly.drives:
            if drive.joint not in self.coordinates:
                if drive.joint not in self.locked:
                    self.left_out.append(
                        f"the drive {drive.name!r}: its joint {drive.joint!r} does not move in the plane by one coordinate"
                    )
                continue
            coordinate = self.coordinates[drive.joint]
            self.builder.input(
                self._word("input", drive.name),
                coordinate,
                gains=(self.signs[coordinate] * drive.gain,),
                lower=drive.lower,
                upper=drive.upper,
            )

    def _contacts(self) -> None:
        walls = [wall for wall in self.assembly.walls if self._upright(wall)]
        still = self._still()
        for link in self.assembly.links:
            if link.name in still:
                continue
            for shape in link.shapes:
                wanted = self.touching is None or not self.touching.isdisjoint((link.name, shape.name))
                if not (shape.touches and wanted):
                    continue
                if slanted(shape, self.flat):
                    self.left_out.append(f"the cylinder {shape.name!r}, which lies at a slant to the plane")
                    continue
                self._touch(link, shape, touching(shape, self.flat), walls)

    def _touch(self, link: Link, shape: Any, seen: Touching, walls: list[Wall]) -> None:
        for wall in walls:
            mu = self.assembly.friction(shape, wall)
            if mu is None:
                continue
            n = self.flat @ wall.normal
            words: dict[str, Any] = {
                "wall": {
                    "origin": tuple((self.flat @ wall.origin).tolist()),
                    "tilt": math.atan2(-n[0], n[1]) + 0.0,
                },
                "mu": mu,
            }
            if seen.radius > 0:
                words.update(type="disc", radius=seen.radius)
            for i, point in enumerate(seen.points):
                name = shape.name if len(walls) == 1 else f"{shape.name}_{wall.name}"
                body, local = self._local(link.name, point)
                self.builder.contact(
                    self._word("contact", name if len(seen.points) == 1 else f"{name}_{i + 1}"),
                    body,
                    point=local,
                    **words,
                )

    def _upright(self, wall: Wall) -> bool:
        if abs(self.normal @ wall.normal) > tolerances.ALIGNED:
            self.left_out.append(
                f"the wall {wall.name!r}, whose normal ({direction(wall.normal)}) points out of the plane"
            )
            return False
        return True

    def _still(self) -> set[str]:
        """Links that nothing moves."""
        still = {"world"}
        for link in self.assembly.links:
            if link.parent in still and all(j.kind == "fixed" or j.name in self.locked for j in link.joints):
                still.add(link.name)
        return still

    # Words and places ------------------------------------------------------------------------------

    def _local(self, link: str, point: np.ndarray) -> tuple[str, tuple[float, float]]:
        body, place, angle = self.frames[link]
        return body, pair(point - place, -angle)

    def _word(self, kind: str, text: str) -> str:
        """A name that the library takes, used once; coordinates and inputs share theirs."""
        return word(kind, text, self.words.setdefault("coordinate" if kind == "input" else kind, set()))
