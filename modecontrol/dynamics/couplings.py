"""What couples bodies beside joints and contacts: springs, pushes and loop closures, as data and as words.

| closure  | rows         | what holds                                                                            |
|----------|--------------|---------------------------------------------------------------------------------------|
| `weld`   | x, y, turn   | `point` of `body` stays at `other_point` of `other`, turned by `angle` against it      |
| `slider` | across, turn | the same, but the point may move along the axis of `other` that has the angle `axis`   |
| `rod`    | along        | `point` and `other_point` stay `length` apart: a massless rod with a hinge at each end |
| `gear`   | gear         | `coordinate = ratio * other_coordinate + offset`                                       |

A pin (`[[pin]]`) is the closure with the rows x and y.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from modecontrol.dynamics import words
from modecontrol.dynamics.expressions import Expression

Scalar = float | Expression
Point = tuple[Scalar, Scalar]

WORLD = "world"
ROWS = {"weld": ("x", "y", "turn"), "slider": ("across", "turn"), "rod": ("along",), "gear": ("gear",)}
"""Rows of each kind of closure, by name."""
PIN_ROWS = ("x", "y")

_PAIR = ("body", "point", "other", "other_point")
CLOSURE_KEYS = {
    "weld": ("name", "type", *_PAIR, "angle"),
    "slider": ("name", "type", *_PAIR, "angle", "axis"),
    "rod": ("name", "type", *_PAIR, "length"),
    "gear": ("name", "type", "coordinate", "other_coordinate", "ratio", "offset"),
}
SPRING_KEYS = ("name", *_PAIR, "stiffness", "damping", "length")
PUSH_KEYS = ("name", "body", "point", "force", "moment", "follows")


@dataclass(frozen=True)
class Closure:
    """A loop closure of one of the types that `[[closure]]` names."""

    name: str
    kind: str
    body: str = WORLD
    point: Point = (0.0, 0.0)
    other: str = WORLD
    other_point: Point = (0.0, 0.0)
    angle: Scalar = 0.0
    axis: Scalar = 0.0
    length: Scalar = 0.0
    coordinate: str = ""
    other_coordinate: str = ""
    ratio: Scalar = 1.0
    offset: Scalar = 0.0

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of its equations."""
        return ROWS[self.kind]


@dataclass(frozen=True)
class Spring:
    """Spring and damper between two points: the force `-stiffness (l - length) - damping l'` along their line.

    Where the two points meet the line has no direction; there is no force then.
    """

    name: str
    body: str
    point: Point = (0.0, 0.0)
    other: str = WORLD
    other_point: Point = (0.0, 0.0)
    stiffness: Scalar = 0.0
    damping: Scalar = 0.0
    length: Scalar = 0.0


@dataclass(frozen=True)
class Push:
    """A force at a point of a body and a moment on it, in world axes or, with `follows`, in those of the body."""

    name: str
    body: str
    point: Point = (0.0, 0.0)
    force: Point = (0.0, 0.0)
    moment: Scalar = 0.0
    follows: bool = False


def closure(table: Mapping[str, Any]) -> Closure:
    """A closure from its words.

    Parameters
    ----------
    table
        Words of an entry `[[closure]]`.
    """
    kind = words.one_of("type", words.needed(table, "type", f"one of {', '.join(ROWS)}"), ROWS)
    words.known(table, CLOSURE_KEYS[kind])
    if kind == "gear":
        return Closure(
            name=words.name_of(table),
            kind=kind,
            coordinate=words.text("coordinate", words.needed(table, "coordinate", "a coordinate's name")),
            other_coordinate=words.text(
                "other_coordinate", words.needed(table, "other_coordinate", "a coordinate's name")
            ),
            **words.scalars(table, "ratio", "offset"),
        )
    if kind == "rod":
        words.needed(table, "length", "the distance of its ends")
    return Closure(**_pair(table), kind=kind, **words.scalars(table, "angle", "axis", "length"))


def spring(table: Mapping[str, Any]) -> Spring:
    """A spring from its words.

    Parameters
    ----------
    table
        Words of an entry `[[spring]]`.
    """
    words.known(table, SPRING_KEYS)
    return Spring(**_pair(table), **words.scalars(table, "stiffness", "damping", "length"))


def push(table: Mapping[str, Any]) -> Push:
    """A push from its words.

    Parameters
    ----------
    table
        Words of an entry `[[push]]`.
    """
    words.known(table, PUSH_KEYS)
    follows = table.get("follows", False)
    if not isinstance(follows, bool):
        raise ValueError(f"follows: found {follows!r}; true or false was expected")
    return Push(
        name=words.name_of(table),
        body=words.text("body", words.needed(table, "body", "a body's name")),
        follows=follows,
        **words.points(table, "point", "force"),
        **words.scalars(table, "moment"),
    )


def loop_names(mechanism: Any) -> tuple[str, ...]:
    """Names of all loop closures, pins first."""
    return tuple(each.name for each in mechanism.pins) + tuple(each.name for each in mechanism.closures)


def loop_rows(mechanism: Any) -> tuple[str, ...]:
    """Names of all loop-closing equations, pins first: "hinge.x", "hinge.y", "brace.along", ..."""
    pins = [f"{pin.name}.{row}" for pin in mechanism.pins for row in PIN_ROWS]
    return tuple(pins + [f"{each.name}.{row}" for each in mechanism.closures for row in each.rows])


def _pair(table: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": words.name_of(table),
        "body": words.text("body", words.needed(table, "body", "a body's name")),
        "other": words.text("other", words.needed(table, "other", "'world' or a body's name")),
        **words.points(table, "point", "other_point"),
    }
