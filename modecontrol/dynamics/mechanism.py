"""A planar mechanism as data: bodies in a tree, joints, inputs, contacts, loop-closing pins, and the couplings of
`couplings.py`.

Lengths, masses and coefficients are plain numbers or `Expression`s in the mechanism's parameters, so that one
description serves both the symbolic equations and, after `evaluated()`, the numeric kernels.

Frames. The world has x to the right and y up; angles are counter-clockwise, in radians. Every body has a
frame; points of a body are given in it. A joint places the frame of its body in the frame of the parent:

| joint     | coordinates | origin of the body's frame in the parent's frame | turned by       |
|-----------|-------------|--------------------------------------------------|-----------------|
| planar    | x, y, turn  | at + rot(angle) (x, y)                           | angle + turn    |
| revolute  | turn        | at                                               | angle + turn    |
| prismatic | slide       | at + rot(angle) (slide, 0)                       | angle           |
| weld      | none        | at                                               | angle           |

Contacts. The frame `(t, n)` has `n` pointing out of the environment and `n` = `t` turned by +90 degrees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from modecontrol.dynamics.expressions import Expression
from modecontrol.validation import shown

if TYPE_CHECKING:
    from modecontrol.dynamics.couplings import Closure, Push, Spring
    from modecontrol.dynamics.drag import Drag
    from modecontrol.dynamics.shapes import Terrain

Scalar = float | Expression
Point = tuple[Scalar, Scalar]

WORLD = "world"
COORDINATES_OF = {"planar": 3, "revolute": 1, "prismatic": 1, "weld": 0}


@dataclass(frozen=True)
class Joint:
    """How a body hangs on its parent; a lumped spring and damper act on each coordinate of the joint.

    The generalised force of spring and damper is `-stiffness (q - rest) - damping v`. Stops keep the one coordinate of a
    revolute or prismatic joint in `lower <= q <= upper`; dry `friction` is the greatest force (or torque) that it
    holds or, once it moves, the one that brakes it. `armature` is inertia that turns (or slides) with the
    coordinate alone: it counts on the diagonal of `M` and nowhere else. A `prescribed` joint moves as it is told to, by whatever
    force within `effort` that takes.
    """

    kind: str
    coordinates: tuple[str, ...] = ()
    at: Point = (0.0, 0.0)
    angle: Scalar = 0.0
    stiffness: Scalar = 0.0
    damping: Scalar = 0.0
    rest: Scalar = 0.0
    lower: Scalar = float("-inf")
    upper: Scalar = float("inf")
    stop_restitution: Scalar = 0.0
    friction: Scalar = 0.0
    armature: Scalar = 0.0
    prescribed: bool = False
    effort: tuple[Scalar, Scalar] = (float("-inf"), float("inf"))


@dataclass(frozen=True)
class Body:
    """A rigid body; `mass` and `inertia` (about the centre of mass) may be zero: a massless link."""

    name: str
    parent: str
    joint: Joint
    mass: Scalar = 0.0
    inertia: Scalar = 0.0
    com: Point = (0.0, 0.0)
    outline: tuple[Point, ...] = ()
    """Corners in the body's frame, for pictures, and for contacts that ask for it."""
    drag: tuple[Drag, ...] = ()
    """What the medium does to it when it moves."""
    layer: str = ""
    """Bodies of different layers lie beside each other in depth and pass each other."""


@dataclass(frozen=True)
class Input:
    """One control input: a generalised force `gain * tau` on each named coordinate.

    Limits are a box `lower <= tau <= upper`, or a speed-torque line `abs(tau) <= stall (1 - abs(v)/no_load)`
    (never below zero) with the speed `v` of the first coordinate. Infinite means none.
    """

    name: str
    coordinates: tuple[str, ...]
    gains: tuple[Scalar, ...] = (1.0,)
    lower: Scalar = float("-inf")
    upper: Scalar = float("inf")
    stall: Scalar = float("inf")
    no_load: Scalar = float("inf")


@dataclass(frozen=True)
class Contact:
    """A place where the mechanism may touch.

    | kind      | touches                                                                                |
    |-----------|----------------------------------------------------------------------------------------|
    | point     | `point` of `body` against the half-plane through `origin` whose tangent has angle `tilt` |
    | disc      | disc of `radius` about `point` against that half-plane; `x_t` contains the rotation     |
    | disc_disc | that disc against the disc of `other_radius` about `other_point` of `other`             |
    | polygon   | the convex `shape` of `body`, rounded by `radius`, against that half-plane               |

    A point, disc or polygon touches `terrain` instead of the half-plane if that is named, or the convex `other_shape` of
    `other`, rounded by `other_radius`. What touches then depends on the state, and may be several
    `touches` at once: the contact stands in the mechanism once for each of them, which is its `slot`.

    For disc_disc the environment is `other`, so `n` points from the other centre to this one. The half-plane of
    point and disc stands in the frame of `other` too, by default the world.
    Friction is Coulomb's with coefficient `mu`, and `mu_static` for a contact that sticks (None: the same).
    Adhesion shifts the law: the normal force may fall to `-pull` before the contact lets go, and friction is that of
    the normal force plus `pull`. A contact with `one_way` "left" or "right" slides that way only; the other way it holds
    whatever comes, like a claw. `speed` is that of the touched surface along the tangent, as on a conveyor.
    `rolling` is a length: the moment that resists the turning of the two sides against each other is at most this times the
    normal force (plus `pull`), as dry friction of rolling.
    `restitution` is for collisions, and
    `tangential_restitution` the part of the tangential impulse that they give back, within the cone of friction.
    A finite `stiffness` makes
    the contact compliant in simulation: normal force `max(0, -stiffness gap - damping gap_rate)`.
    """

    name: str
    kind: str
    body: str
    point: Point = (0.0, 0.0)
    radius: Scalar = 0.0
    origin: Point = (0.0, 0.0)
    tilt: Scalar = 0.0
    other: str = WORLD
    other_point: Point = (0.0, 0.0)
    other_radius: Scalar = 0.0
    shape: tuple[Point, ...] | str = ()
    other_shape: tuple[Point, ...] | str = ()
    terrain: str = ""
    touches: int = 1
    slot: int = 0
    mu: Scalar = 0.0
    restitution: Scalar = 0.0
    tangential_restitution: Scalar = 0.0
    stiffness: Scalar = float("inf")
    damping: Scalar = 0.0
    mu_static: Scalar | None = None
    pull: Scalar = 0.0
    one_way: str = ""
    speed: Scalar = 0.0
    rolling: Scalar = 0.0


@dataclass(frozen=True)
class Cable:
    """`point` of `body` and `other_point` of `other` are never farther apart than `length`: it only pulls."""

    name: str
    body: str
    point: Point = (0.0, 0.0)
    other: str = WORLD
    other_point: Point = (0.0, 0.0)
    length: Scalar = 0.0


@dataclass(frozen=True)
class Pin:
    """Closes a loop: `point` of `body` and `other_point` of `other` coincide (two equations)."""

    name: str
    body: str
    point: Point
    other: str
    other_point: Point


@dataclass(frozen=True)
class Mechanism:
    """All of it, with the values of its parameters."""

    name: str
    bodies: tuple[Body, ...]
    inputs: tuple[Input, ...] = ()
    contacts: tuple[Contact, ...] = ()
    pins: tuple[Pin, ...] = ()
    closures: tuple[Closure, ...] = ()
    springs: tuple[Spring, ...] = ()
    pushes: tuple[Push, ...] = ()
    terrains: tuple[Terrain, ...] = ()
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Names of bodies that contacts may be declared between, by the name of the group."""
    cables: tuple[Cable, ...] = ()
    gravity: Point = (0.0, -9.81)
    wind: Point = (0.0, 0.0)
    """Velocity of the medium that bodies with `drag` move in."""
    parameters: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    constraints: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Named constraints of the user, as text ("body.normal >= 10")."""
    outputs: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Named linear outputs of the user, as text ("alpha", "2*rear.normal - tau1")."""
    start: Mapping[str, Scalar] = field(default_factory=lambda: MappingProxyType({}))
    """A sensible configuration to look at first, by coordinate name; coordinates not named are zero."""
    start_velocity: Mapping[str, Scalar] = field(default_factory=lambda: MappingProxyType({}))
    """Velocities that go with `start`, by coordinate name; coordinates not named are at rest."""
    within: Mapping[str, tuple[float, float]] = field(default_factory=lambda: MappingProxyType({}))
    """Parameters of friction that are known as intervals only (least, greatest)."""
    assumed: tuple[str, ...] = ()
    """Contact modes that a blind controller assumes one after the other."""
    about: str = ""
    source: str = ""

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            kind = _KINDS.get(f.name)
            if kind is not None and not (
                isinstance(value, tuple) and all(isinstance(x, kind) for x in value)
            ):
                raise TypeError(f"{f.name} is {shown(value)}; expected a tuple of parts of that kind")
            if f.name in _NAMED and not isinstance(value, Mapping):
                raise TypeError(f"{f.name} is {shown(value)}; expected values by name")
            if f.name in ("gravity", "wind") and (not isinstance(value, tuple | list) or len(value) != 2):
                raise TypeError(f"{f.name} is {shown(value)}; expected a pair of numbers")
            if f.name in ("name", "about", "source") and not isinstance(value, str):
                raise TypeError(f"{f.name} is {shown(value)}; expected a text")

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the generalised coordinates, in the order of the bodies."""
        return tuple(name for body in self.bodies for name in body.joint.coordinates)

    def evaluated(self) -> Mechanism:
        """The same mechanism with every expression replaced by its value."""
        return replace(
            self,
            **{
                f.name: _evaluate(getattr(self, f.name), self.parameters)
                for f in fields(self)
                if f.name not in ("name", "parameters", "within")
            },
        )

    def __getstate__(self) -> dict[str, Any]:
        # read-only mappings cannot be pickled; plain ones can, and sweeps send mechanisms to other processes
        return {
            key: dict(value) if isinstance(value, Mapping) else value for key, value in vars(self).items()
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, MappingProxyType(value) if isinstance(value, dict) else value)


_KINDS: dict[str, type] = {
    "bodies": Body,
    "inputs": Input,
    "contacts": Contact,
    "pins": Pin,
    "cables": Cable,
    "assumed": str,
}
_NAMED = ("groups", "parameters", "constraints", "outputs", "start", "start_velocity", "within")


def _evaluate(thing: Any, parameters: Mapping[str, float]) -> Any:
    if isinstance(thing, Expression):
        return thing.evaluate(parameters)
    if isinstance(thing, tuple):
        return tuple(_evaluate(item, parameters) for item in thing)
    if isinstance(thing, Mapping):
        return MappingProxyType({key: _evaluate(value, parameters) for key, value in thing.items()})
    if is_dataclass(thing) and not isinstance(thing, type):
        values = {f.name: _evaluate(getattr(thing, f.name), parameters) for f in fields(thing)}
        return replace(thing, **values)
    return thing
