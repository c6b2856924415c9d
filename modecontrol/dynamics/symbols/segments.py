"""Planar kinematics in symbols: every point is a chain of turned segments.

Read as a complex number, a point of the mechanism is a sum over the segments from the world to it,

    p = sum_s u_s exp(i theta_s)

where `u_s` is a fixed offset plus at most two slides and `theta_s` a sum of joint angles. With `w_s` the rate
of `theta_s` its derivatives are

    dp/dq_j  = sum_s (du_s/dq_j + i u_s dtheta_s/dq_j) exp(i theta_s)
    pdd      = dp/dq qdd + sum_s (2 i w_s ud_s - w_s^2 u_s) exp(i theta_s)

and an inner product of two such vectors contains only the *difference* of their angles. Results are therefore
compact as they come, `l1*l2*cos(q2)` and not four products of sines and cosines; nothing is simplified.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from modecontrol.dynamics.expressions import Expression
from modecontrol.dynamics.mechanism import WORLD, Mechanism, Point, Scalar

Vector = tuple[Any, Any]
"""A pair of symbolic components."""


@dataclass(frozen=True, eq=False)
class Segment:
    """`u exp(i angle)`, or with `sign = -1` its negative.

    `turns` are the indices of the coordinates that `angle` contains (each once), `slides` the indices of
    those that `u` contains, with the direction in which each moves it.
    """

    u: Vector
    angle: Any
    turns: tuple[int, ...]
    slides: tuple[tuple[int, Vector], ...] = ()
    sign: int = 1

    def derivatives(self) -> list[tuple[tuple[int, ...], Vector]]:
        """The distinct partial derivatives, each with the coordinates that it belongs to."""
        found: list[tuple[tuple[int, ...], Vector]] = [((j,), direction) for j, direction in self.slides]
        if self.turns:
            found.append((self.turns, (-self.u[1], self.u[0])))
        return found

    def reversed(self) -> Segment:
        """The segment walked backwards."""
        return Segment(self.u, self.angle, self.turns, self.slides, -self.sign)


@dataclass(frozen=True, eq=False)
class Frame:
    """A body's frame: its angle, the coordinates that turn it, the segments from the world to its origin."""

    angle: Any
    turns: tuple[int, ...]
    path: tuple[Segment, ...]


@dataclass(frozen=True, eq=False)
class Symbols:
    """The letters of a mechanism: coordinates, velocities and parameters, and `Scalar`s written with them."""

    coordinates: tuple[Any, ...]
    velocities: tuple[Any, ...]
    parameters: Mapping[str, Any]
    _read: dict[Scalar, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, mechanism: Mechanism) -> Symbols:
        """One plain symbol per name; a parameter named like a coordinate is written `name_`."""
        import sympy as sp

        q = tuple(sp.Symbol(name) for name in mechanism.coordinates)
        v = tuple(sp.Symbol(velocity_name(name)) for name in mechanism.coordinates)
        taken = {symbol.name for symbol in (*q, *v)}
        return cls(
            q, v, {name: sp.Symbol(f"{name}_" if name in taken else name) for name in mechanism.parameters}
        )

    def scalar(self, value: Scalar) -> Any:
        """A number or an expression of the mechanism as a sympy expression."""
        if value not in self._read:
            self._read[value] = self._expression(value) if isinstance(value, Expression) else exact(value)
        return self._read[value]

    def vector(self, point: Point) -> Vector:
        """Both components."""
        return self.scalar(point[0]), self.scalar(point[1])

    def angle(self, value: Scalar) -> Any:
        """As `scalar`, but a float that is a multiple of 15 degrees becomes that multiple of pi, exactly."""
        import sympy as sp

        if isinstance(value, Expression):
            return self.scalar(value)
        twelfths = round(12 * value / math.pi)
        return sp.Rational(twelfths, 12) * sp.pi if twelfths * math.pi / 12 == value else exact(value)

    def _expression(self, expression: Expression) -> Any:
        import sympy as sp

        functions = {
            "sin": sp.sin,
            "cos": sp.cos,
            "tan": sp.tan,
            "sqrt": sp.sqrt,
            "asin": sp.asin,
            "acos": sp.acos,
            "atan": sp.atan,
            "atan2": sp.atan2,
            "abs": sp.Abs,
            "min": sp.Min,
            "max": sp.Max,
            "exp": sp.exp,
            "log": sp.log,
        }
        return sp.sympify(expression.apply({"pi": sp.pi, **self.parameters}, functions, exact))

    def rate(self, turns: Iterable[int]) -> Any:
        """The angular velocity of something that these coordinates turn."""
        import sympy as sp

        return sp.Add(*(self.velocities[j] for j in turns))


def velocity_name(coordinate: str) -> str:
    """`theta -> thetadot`, `phi1 -> phidot1`, `x_a -> xdot_a`: names that are typeset with a dot."""
    stem = coordinate.split("_")[0].rstrip("0123456789") or coordinate
    return f"{stem}dot{coordinate[len(stem) :]}"


def exact(value: float) -> Any:
    """Whole numbers and simple fractions exactly (0.5 is 1/2), any other number as it is."""
    import sympy as sp

    if not math.isfinite(value):
        return sp.sympify(value)
    top, bottom = Fraction(value).as_integer_ratio()
    return sp.Rational(top, bottom) if bottom <= 16 else sp.Float(value)


def inner(a: Vector, angle_a: Any, b: Vector, angle_b: Any) -> Any:
    """`Re(conj(a) b exp(i (angle_b - angle_a)))`, the inner product of two turned vectors."""
    import sympy as sp

    apart = angle_b - angle_a
    along = a[0] * b[0] + a[1] * b[1]
    across = a[1] * b[0] - a[0] * b[1]
    return (along * sp.cos(apart) if along != 0 else 0) + (across * sp.sin(apart) if across != 0 else 0)


def frames_of(mechanism: Mechanism, symbols: Symbols) -> dict[str, Frame]:
    """The frame of every body, and of the world."""
    import sympy as sp

    frames = {WORLD: Frame(sp.S.Zero, (), ())}
    index = 0
    for body in mechanism.bodies:
        joint, parent = body.joint, frames[body.parent]
        own = tuple(range(index, index + len(joint.coordinates)))
        index += len(own)
        at, turned = symbols.vector(joint.at), symbols.angle(joint.angle)
        slides: tuple[tuple[int, Vector], ...] = ()
        turns = parent.turns
        angle = parent.angle + turned
        base = angle
        if joint.kind in ("planar", "prismatic"):
            axes = ((sp.S.One, sp.S.Zero), (sp.S.Zero, sp.S.One))
            slides = tuple(zip(own[:2], axes, strict=False))
        if joint.kind in ("planar", "revolute"):
            turns = (*turns, own[-1])
            angle = angle + symbols.coordinates[own[-1]]
        slid = (
            symbols.coordinates[own[0]] if slides else sp.S.Zero,
            symbols.coordinates[own[1]] if len(slides) == 2 else sp.S.Zero,
        )
        if turned == 0:
            added = [Segment((at[0] + slid[0], at[1] + slid[1]), base, parent.turns, slides)]
        else:
            added = [Segment(at, parent.angle, parent.turns), Segment(slid, base, parent.turns, slides)]
        frames[body.name] = Frame(angle, turns, (*parent.path, *(s for s in added if not _is_nothing(s))))
    return frames


def point_of(frame: Frame, offset: Vector) -> tuple[Segment, ...]:
    """The segments from the world to a point of a body."""
    last = Segment(offset, frame.angle, frame.turns)
    return frame.path if _is_nothing(last) else (*frame.path, last)


def between(start: tuple[Segment, ...], end: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """The segments from one point to another: what both have in common is left out."""
    shared = 0
    while shared < min(len(start), len(end)) and start[shared] is end[shared]:
        shared += 1
    return (*(s.reversed() for s in start[shared:]), *end[shared:])


def _is_nothing(segment: Segment) -> bool:
    return segment.u == (0, 0)
