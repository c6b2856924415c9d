"""Rigid pieces of an assembly, and whether two of them are mirror images across a plane."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from modecontrol import tolerances
from modecontrol.interop.shapes import slanted, touching
from modecontrol.interop.spatial import Assembly, Drive, Link, SpatialJoint


@dataclass(eq=False)
class Piece:
    """Links without motion between them, named after the first; places are counted from the middle plane."""

    name: str
    parent: str
    joints: tuple[SpatialJoint, ...]
    axes: np.ndarray
    origin: np.ndarray
    members: list[str] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)

    @property
    def mass(self) -> float:
        """Mass of all links."""
        return sum(link.mass for link in self.links)

    @property
    def centre(self) -> np.ndarray:
        """Centre of mass, from the origin of the robot; that of the first link where there is no mass."""
        if self.mass == 0.0:
            return self.links[0].origin - self.origin
        return sum(link.mass * link.centre for link in self.links) / self.mass - self.origin

    @property
    def place(self) -> np.ndarray:
        """(2,): the centre of mass in the plane."""
        return self.axes[:2] @ self.centre

    @property
    def beside(self) -> float:
        """How far the centre of mass is from the middle plane, with a sign."""
        return float(self.axes[2] @ self.centre)

    @property
    def inertia(self) -> float:
        """Moment of inertia about the normal through the centre of mass."""
        n, centre = self.axes[2], self.centre + self.origin
        total = 0.0
        for link in self.links:
            arm = self.axes[:2] @ (link.centre - centre)
            total += float(n @ link.inertia @ n) + link.mass * float(arm @ arm)
        return total

    def outlines(self) -> list[np.ndarray]:
        """What can touch: rows of points with their radius."""
        found = []
        for link in self.links:
            for shape in link.shapes:
                if shape.touches and not slanted(shape, self.axes[:2]):
                    seen = touching(shape, self.axes[:2])
                    points = seen.points[np.lexsort(np.round(seen.points.T, 6))]
                    found.append(np.append(points.ravel(), seen.radius))
        return found


def pieces(assembly: Assembly, axes: np.ndarray, locked: frozenset[str]) -> dict[str, Piece]:
    """The rigid pieces that move, by name, parents first.

    Parameters
    ----------
    assembly
        The robot.
    axes
        (3, 3): to the right, up, and the normal of the middle plane, which goes through the first link's origin.
    locked
        Joints that are held.
    """
    origin = assembly.links[0].origin if assembly.links else np.zeros(3)
    root: dict[str, str] = {"world": "world"}
    found: dict[str, Piece] = {}
    for link in assembly.links:
        moving = tuple(j for j in link.joints if j.kind != "fixed" and j.name not in locked)
        root[link.name] = link.name if moving else root[link.parent]
        if moving:
            found[link.name] = Piece(link.name, root[link.parent], moving, axes, origin)
        if root[link.name] in found:
            found[root[link.name]].members.append(link.name)
            found[root[link.name]].links.append(link)
    return found


def difference(assembly: Assembly, one: Piece, other: Piece, scale: float) -> str | None:
    """In what two pieces are no mirror images of each other; None when they are.

    Parameters
    ----------
    assembly
        The robot, for its drives.
    one, other
        Two pieces.
    scale
        Length (m) by which distances are judged.
    """
    return next(_differences(assembly, one, other, scale), None)


def _differences(assembly: Assembly, one: Piece, other: Piece, scale: float) -> Iterator[str]:
    small = tolerances.MIRRORED
    if [j.kind for j in one.joints] != [j.kind for j in other.joints]:
        yield "their joints are of different kinds"
        return
    for what, a, b, size, unit in (
        ("mass", one.mass, other.mass, max(one.mass, other.mass), "kg"),
        ("height over the middle plane", one.beside, -other.beside, scale, "m"),
        ("inertia", one.inertia, other.inertia, max(one.inertia, other.inertia), "kg m2"),
    ):
        if abs(a - b) > small * size:
            yield f"{what} {a:g} against {b:g} {unit}"
    if np.abs(one.place - other.place).max() > small * scale:
        yield f"centres of mass {_pair(one.place)} against {_pair(other.place)} m"
    for left, right in zip(one.joints, other.joints, strict=True):
        yield from _joints(assembly, one, left, right, scale)
    yield from _outlines(one, other, scale)


def _joints(
    assembly: Assembly, piece: Piece, a: SpatialJoint, b: SpatialJoint, scale: float
) -> Iterator[str]:
    axes, small = piece.axes, tolerances.MIRRORED
    names = f"joints {a.name!r} and {b.name!r}"
    here, there = axes[:2] @ a.anchor, axes[:2] @ b.anchor
    if np.abs(here - there).max() > small * scale:
        yield f"{names} at {_pair(here)} against {_pair(there)} m"
    seen = (
        (axes[2] @ a.axis, axes[2] @ b.axis) if a.kind == "turn" else (axes[:2] @ a.axis, axes[:2] @ b.axis)
    )
    ways = [
        sign for sign in (1, -1) if np.abs(np.subtract(seen[0], sign * np.asarray(seen[1]))).max() <= small
    ]
    if not ways:
        yield f"{names} have axes in other directions"
        return
    sign = ways[0]
    ends = (b.lower, b.upper) if sign > 0 else (-b.upper, -b.lower)
    numbers = [("lower stop", a.lower, ends[0]), ("upper stop", a.upper, ends[1])]
    numbers += [
        (key, getattr(a, key), getattr(b, key)) for key in ("stiffness", "damping", "friction", "armature")
    ]
    numbers += [("reference", a.reference, sign * b.reference), ("rest", a.rest, sign * b.rest)]
    for what, x, y in numbers:
        if x != y and not abs(x - y) <= small * max(1.0, abs(x), abs(y)):
            yield f"{what} of {names}: {x:g} against {y:g}"
    yield from _drives(assembly, a, b, sign)


def _drives(assembly: Assembly, a: SpatialJoint, b: SpatialJoint, sign: int) -> Iterator[str]:
    here, there = ([d for d in assembly.drives if any(j == x.name for j, _ in d.gains)] for x in (a, b))
    if len(here) != len(there):
        yield f"{len(here)} drives of joint {a.name!r} against {len(there)} of {b.name!r}"
        return
    for one, two in zip(here, there, strict=True):
        if len(one.gains) != 1 or len(two.gains) != 1:
            yield f"the drives {one.name!r} and {two.name!r} act on several joints"
        elif np.abs(np.subtract(_forces(one, 1), _forces(two, sign))).max() > tolerances.MIRRORED * max(
            1.0, *(abs(x) for x in _forces(one, 1))
        ):
            yield f"forces of the drives {one.name!r} and {two.name!r} differ"


def _forces(drive: Drive, sign: int) -> tuple[float, float]:
    """Least and greatest force of a drive; those without bounds count as the largest number there is."""
    gain = sign * drive.gains[0][1]
    most = tolerances.LARGEST
    ends = sorted(
        gain * end if np.isfinite(end) else np.sign(gain * end) * most for end in (drive.lower, drive.upper)
    )
    return float(ends[0]), float(ends[1])


def _outlines(one: Piece, other: Piece, scale: float) -> Iterator[str]:
    here, there = one.outlines(), other.outlines()
    for row in here:
        equal = [
            i
            for i, each in enumerate(there)
            if len(each) == len(row) and np.abs(each - row).max() <= tolerances.MIRRORED * scale
        ]
        if not equal:
            yield f"a shape of {one.name!r} has no equal on {other.name!r}"
            return
        del there[equal[0]]
    if there:
        yield f"{other.name!r} has {len(there)} more shapes"


def _pair(place: np.ndarray) -> str:
    return f"({place[0]:g}, {place[1]:g})"
