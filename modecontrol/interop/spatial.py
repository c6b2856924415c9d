"""A mechanism in space as files describe it: links, joints and shapes at the reference pose, in world axes.

The readers of URDF and MJCF fill these tables; `flattening.py` turns them into a planar mechanism. All places and
directions are those of the reference pose (every joint at its `reference`), so nothing here needs a tree of
frames.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True, eq=False)
class SpatialJoint:
    """One joint: its kind and where its axis is.

    Kinds: "turn" about `axis`, "slide" along it, "plane" (free in the plane with normal `axis`), "free" (six
    freedoms), "ball", "fixed".
    """

    name: str
    kind: str
    anchor: np.ndarray
    axis: np.ndarray
    reference: float = 0.0
    """Value of the coordinate at the reference pose."""
    lower: float = -np.inf
    upper: float = np.inf
    """Stops of the coordinate."""
    stiffness: float = 0.0
    damping: float = 0.0
    rest: float = 0.0
    """Spring and damper: force `-stiffness (q - rest) - damping v`."""
    friction: float = 0.0
    """Dry friction: the greatest force or torque that it holds."""
    armature: float = 0.0
    """Inertia that moves with the coordinate alone."""
    start: float | tuple[np.ndarray, np.ndarray] | None = None
    """Where to begin: a value, for "free" a place and a rotation (3, 3) from the reference pose; None: the
    reference.
    """


@dataclass(frozen=True, eq=False)
class Shape:
    """A convex shape.

    Kinds and sizes: "sphere" (radius), "capsule" and "cylinder" (radius, half length along the z axis of
    `turn`), "box" (three half lengths along the axes of `turn`), "hull" (none: the convex hull of `corners`).
    """

    name: str
    kind: str
    centre: np.ndarray
    turn: np.ndarray
    size: tuple[float, ...]
    touches: bool = True
    """Whether it can touch something; otherwise it is for pictures."""
    tag: int = 0
    """For `Assembly.friction`."""
    corners: np.ndarray | None = None
    """(m, 3): of a hull, in world axes."""


@dataclass(frozen=True, eq=False)
class SpatialDrag:
    """What a medium does to a link, at its centre of mass and along three axes at right angles (columns of `axes`).

    Along each, the force is `-(linear + quadratic abs(v)) v` and the moment `-(turning + turning_quadratic abs(w)) w`.
    """

    axes: np.ndarray
    linear: float
    quadratic: np.ndarray
    turning: float
    turning_quadratic: np.ndarray


@dataclass(frozen=True, eq=False)
class Link:
    """A rigid body with the joints that carry it, in the order in which they follow its parent."""

    name: str
    parent: str
    joints: tuple[SpatialJoint, ...]
    origin: np.ndarray
    mass: float
    centre: np.ndarray
    inertia: np.ndarray
    """(3, 3) about the centre of mass."""
    shapes: tuple[Shape, ...] = ()
    drag: SpatialDrag | None = None


@dataclass(frozen=True)
class Drive:
    """An input: the force `gain * u` on each of some joints, `lower <= u <= upper`."""

    name: str
    gains: tuple[tuple[str, float], ...]
    lower: float = -np.inf
    upper: float = np.inf


@dataclass(frozen=True, eq=False)
class Wall:
    """A half-space that shapes touch: a point of its surface and its outward normal."""

    name: str
    origin: np.ndarray
    normal: np.ndarray
    tag: int = 0


@dataclass(frozen=True, eq=False)
class Knot:
    """A loop: `point` of `link` and `other_point` of `other` are held together.

    With `turn`, the rotation that takes the link from the reference pose to where it is held relative to the other,
    the two are welded; without, they hinge.
    """

    name: str
    link: str
    other: str
    point: np.ndarray
    other_point: np.ndarray
    turn: np.ndarray | None = None


@dataclass(frozen=True)
class Gear:
    """Two joints that move together: `q = ratio * q_other + offset`, in the values of the file."""

    name: str
    joint: str
    other: str
    ratio: float
    offset: float


@dataclass(frozen=True, eq=False)
class Rope:
    """Two points on a line: a spring and damper along it, and no more than `most` apart."""

    name: str
    link: str
    other: str
    point: np.ndarray
    other_point: np.ndarray
    stiffness: float = 0.0
    damping: float = 0.0
    length: float = 0.0
    most: float = np.inf


@dataclass(frozen=True, eq=False)
class Lift:
    """A constant force at a point of a link."""

    name: str
    link: str
    point: np.ndarray
    force: np.ndarray


@dataclass(frozen=True, eq=False)
class Assembly:
    """All of it; links stand after their parents."""

    name: str
    links: tuple[Link, ...]
    drives: tuple[Drive, ...] = ()
    walls: tuple[Wall, ...] = ()
    standing: tuple[Shape, ...] = ()
    """Shapes that belong to the world."""
    knots: tuple[Knot, ...] = ()
    gears: tuple[Gear, ...] = ()
    ropes: tuple[Rope, ...] = ()
    lifts: tuple[Lift, ...] = ()
    gravity: np.ndarray = field(default_factory=lambda: np.array([0.0, 0.0, -9.81]))
    wind: np.ndarray = field(default_factory=lambda: np.zeros(3))
    """Velocity of the medium."""
    friction: Callable[[Shape, Wall], float | str | None] = lambda shape, wall: 0.0
    """Coefficient of a shape on a wall (a number or an expression); None when the two never touch."""
    pair_friction: Callable[[Shape, Shape], float | str | None] = lambda one, other: None
    """The same for two shapes of different bodies."""
    parameters: Mapping[str, float] = field(default_factory=dict)
    """Parameters that expressions use."""
    left_out: tuple[str, ...] = ()
    """What the file has and the tables have no place for, in sentences."""
    replaced: tuple[str, ...] = ()
    """What the file has and the mechanism has in another form, in sentences."""
