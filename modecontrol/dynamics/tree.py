"""Mechanism -> `Tree`: tables of numbers for the compiled core, one node per degree of freedom, welds merged."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.dynamics.couplings import Closure, Push, Spring
from modecontrol.dynamics.mechanism import WORLD, Body, Contact, Mechanism, Pin

if TYPE_CHECKING:
    from modecontrol._core.compiled import dynamics as core

Frame = tuple[float, float, float]
"""x, y and angle of a frame in another."""

# A table is a structured array: a row for each node (contact, pin, input), columns by name, which the core
# reads too.
NODE = np.dtype(
    [
        ("parent", np.int64),  # -1 is the world; parents come first
        ("anchor", np.int64),  # node from whose origin positions in the tree are measured: its root body
        ("turns", np.bool_),  # a turn about the origin, or a slide along `direction`
        ("at", float, 2),
        ("angle", float),  # placement in the parent's frame
        ("direction", float, 2),  # own frame
        ("mass", float),
        ("com", float, 2),
        ("inertia", float),  # inertia about the centre of mass
        ("stiffness", float),
        ("damping", float),
        ("rest", float),
    ],
    align=True,
)
CONTACT = np.dtype(
    [
        ("discs", np.bool_),  # disc against disc, or disc (a point has radius 0) against a half-plane
        ("node", np.int64),
        ("other", np.int64),
        ("centre", float, 2),
        ("radius", float),
        ("origin", float, 2),
        ("tangent", float, 2),  # of the half-plane, in the frame of `other`
        ("other_centre", float, 2),
        ("other_radius", float),
        ("friction", float),
        ("restitution", float),
        ("tangential_restitution", float),
        ("stiffness", float),
        ("damping", float),
    ],
    align=True,
)
CLOSURE = np.dtype(
    [
        ("kind", np.int64),  # place in `KINDS`
        ("node", np.int64),
        ("other", np.int64),
        ("point", float, 2),
        ("other_point", float, 2),
        ("angle", float),  # of the node in the other's frame; a gear's offset
        ("axis", float, 2),  # of a slider, in the other's frame
        ("length", float),
        ("ratio", float),
    ]
)
KINDS = ("pin", "weld", "slider", "rod", "gear", "drive")
SPRING = np.dtype(
    [
        ("node", np.int64),
        ("other", np.int64),
        ("point", float, 2),
        ("other_point", float, 2),
        ("stiffness", float),
        ("damping", float),
        ("length", float),
    ]
)
PUSH = np.dtype(
    [
        ("node", np.int64),
        ("point", float, 2),
        ("force", float, 2),  # in world axes, or in those of the node if it follows
        ("moment", float),
        ("follows", np.bool_),
    ],
    align=True,
)
INPUT = np.dtype(
    [("coordinate", np.int64), ("lower", float), ("upper", float), ("stall", float), ("no_load", float)]
)

STEPS = {
    "planar": ((False, (1.0, 0.0)), (False, (0.0, 1.0)), (True, (0.0, 0.0))),
    "revolute": ((True, (0.0, 0.0)),),
    "prismatic": ((False, (1.0, 0.0)),),
}
"""Nodes of each kind of joint: whether it turns, and the direction of a slide."""


@dataclass(frozen=True, eq=False)
class Tree:
    """The numbers of a mechanism as read-only tables.

    Parameters
    ----------
    nodes
        One row per degree of freedom (columns of `NODE`).
    contacts
        One row per contact (`CONTACT`).
    closures
        One row per loop closure, pins first (`CLOSURE`).
    inputs
        One row per input (`INPUT`).
    gravity
        Acceleration of gravity (2,).
    actuation
        `S` (n, t).
    springs
        One row per spring between bodies (`SPRING`).
    pushes
        One row per push (`PUSH`).
    bodies
        `(node, x, y, angle)` of each body's frame in the frame of its node; node -1 is the world.
    """

    nodes: np.ndarray
    contacts: np.ndarray
    closures: np.ndarray
    inputs: np.ndarray
    gravity: np.ndarray
    actuation: np.ndarray
    springs: np.ndarray
    pushes: np.ndarray
    bodies: tuple[tuple[int, float, float, float], ...] = field(repr=False, default=())

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                for column in value.dtype.names or (None,):
                    numbers = value if column is None else value[column]
                    if numbers.dtype == np.float64 and np.isnan(numbers).any():
                        where = name if column is None else f"{column} of {name}"
                        place = np.argwhere(np.isnan(numbers))[0].tolist()
                        raise ValueError(f"the mechanism's {where} is NaN at {place}; expected numbers")
                value.setflags(write=False)

    @cached_property
    def core(self) -> core.Mechanism:
        """The same numbers in the compiled core."""
        return self.core_with(self.closures)

    def core_with(self, closures: np.ndarray) -> Any:
        """The same numbers in the compiled core, with other loop closures.

        Parameters
        ----------
        closures
            A table with the columns of `CLOSURE`.
        """
        from modecontrol._core import dynamics

        return dynamics.Mechanism(
            self.nodes, self.contacts, closures, self.inputs, self.gravity, self.springs, self.pushes
        )

    @cached_property
    def friction(self) -> np.ndarray:
        """Coulomb coefficient of each contact (k,)."""
        return self._of_contacts("friction")

    @cached_property
    def restitution(self) -> np.ndarray:
        """Coefficient of restitution of each contact (k,)."""
        return self._of_contacts("restitution")

    @cached_property
    def stiffness(self) -> np.ndarray:
        """Stiffness of each contact (k,), infinite for a rigid one."""
        return self._of_contacts("stiffness")

    @cached_property
    def damping(self) -> np.ndarray:
        """Damping of each contact (k,)."""
        return self._of_contacts("damping")

    def _of_contacts(self, name: str) -> np.ndarray:
        column = self.contacts[name].copy()
        column.setflags(write=False)
        return column


def tree_of(mechanism: Mechanism) -> Tree:
    """Flatten an evaluated mechanism (parents before children).

    Parameters
    ----------
    mechanism
        From `Mechanism.evaluated()`: every entry a number.
    """
    nodes: list[dict[str, Any]] = []
    places: dict[str, tuple[int, float, float, float]] = {WORLD: (-1, 0.0, 0.0, 0.0)}
    for body in mechanism.bodies:
        if body.parent not in places:
            raise ValueError(f"body {body.name!r} hangs on {body.parent!r}, which does not stand before it")
        places[body.name] = _hang(body, *places[body.parent], nodes)
        _load(body, places[body.name], nodes)
    coordinates = {name: i for i, name in enumerate(mechanism.coordinates)}
    actuation = np.zeros((len(coordinates), len(mechanism.inputs)))
    for column, item in enumerate(mechanism.inputs):
        for name, gain in zip(item.coordinates, item.gains, strict=True):
            actuation[_find(coordinates, name, f"input {item.name!r}"), column] += gain
    return Tree(
        nodes=_table(NODE, nodes),
        contacts=_table(CONTACT, [_contact(c, places) for c in mechanism.contacts]),
        closures=_table(
            CLOSURE,
            [_pin(p, places) for p in mechanism.pins]
            + [_closure(c, places, coordinates) for c in mechanism.closures],
        ),
        inputs=_table(
            INPUT,
            [
                {
                    "coordinate": coordinates[i.coordinates[0]],
                    "lower": i.lower,
                    "upper": i.upper,
                    "stall": i.stall,
                    "no_load": i.no_load,
                }
                for i in mechanism.inputs
            ],
        ),
        gravity=np.array(mechanism.gravity, dtype=float),
        actuation=actuation,
        springs=_table(SPRING, [_spring(s, places) for s in mechanism.springs]),
        pushes=_table(PUSH, [_push(p, places) for p in mechanism.pushes]),
        bodies=tuple(places[body.name] for body in mechanism.bodies),
    )


def _hang(
    body: Body, node: int, x: float, y: float, angle: float, nodes: list[dict[str, Any]]
) -> tuple[int, float, float, float]:
    """Append the nodes of a body's joint; where its frame then is: node and placement in the node's frame."""
    joint = body.joint
    x, y, angle = _compose((x, y, angle), (*joint.at, joint.angle))  # type: ignore[arg-type]
    if joint.kind == "weld":
        return node, x, y, angle
    if joint.kind not in STEPS:
        raise ValueError(
            f"joint of body {body.name!r} is {joint.kind!r}; expected {', '.join(STEPS)} or weld"
        )
    anchor = nodes[node]["anchor"] if node >= 0 else len(nodes) + len(STEPS[joint.kind]) - 1
    for turns, direction in STEPS[joint.kind]:
        nodes.append(
            {
                "parent": node,
                "anchor": anchor,
                "turns": turns,
                "at": (x, y),
                "angle": angle,
                "direction": direction,
                "mass": 0.0,
                "com": (0.0, 0.0),
                "inertia": 0.0,
                "stiffness": joint.stiffness,
                "damping": joint.damping,
                "rest": joint.rest,
            }
        )
        node, x, y, angle = len(nodes) - 1, 0.0, 0.0, 0.0
    return node, 0.0, 0.0, 0.0


def _load(body: Body, place: tuple[int, float, float, float], nodes: list[dict[str, Any]]) -> None:
    """Merge the mass of a body into its node (parallel axes); what hangs on the world does not move."""
    if place[0] < 0:
        return
    node = nodes[place[0]]
    mass, (cx, cy) = body.mass, _point(place, body.com)
    before, (x, y) = node["mass"], node["com"]
    total = before + mass
    if total == 0:
        node["inertia"] += body.inertia
        return
    dx, dy = cx - x, cy - y
    node["inertia"] += body.inertia + before * mass / total * (dx * dx + dy * dy)
    node["com"] = x + mass / total * dx, y + mass / total * dy
    node["mass"] = total


def _contact(contact: Contact, places: dict[str, tuple[int, float, float, float]]) -> dict[str, Any]:
    here, there = (_find(places, name, f"contact {contact.name!r}") for name in (contact.body, contact.other))
    tilt = float(contact.tilt) + there[3]  # type: ignore[arg-type]
    return {
        "discs": contact.kind == "disc_disc",
        "node": here[0],
        "other": there[0],
        "centre": _point(here, contact.point),
        "radius": contact.radius if contact.kind != "point" else 0.0,
        "origin": _point(there, contact.origin),
        "tangent": (math.cos(tilt), math.sin(tilt)),
        "other_centre": _point(there, contact.other_point),
        "other_radius": contact.other_radius,
        "friction": contact.mu,
        "restitution": contact.restitution,
        "tangential_restitution": contact.tangential_restitution,
        "stiffness": contact.stiffness,
        "damping": contact.damping,
    }


NO_CLOSURE = {"kind": 0, "angle": 0.0, "axis": (1.0, 0.0), "length": 0.0, "ratio": 0.0}


def _pin(pin: Pin, places: dict[str, tuple[int, float, float, float]]) -> dict[str, Any]:
    return {**NO_CLOSURE, **_ends(pin, places)}


def _ends(pair: Any, places: dict[str, tuple[int, float, float, float]]) -> dict[str, Any]:
    here, there = (_find(places, name, repr(pair.name)) for name in (pair.body, pair.other))
    return {
        "node": here[0],
        "other": there[0],
        "point": _point(here, pair.point),
        "other_point": _point(there, pair.other_point),
    }


def _closure(
    closure: Closure, places: dict[str, tuple[int, float, float, float]], coordinates: dict[str, int]
) -> dict[str, Any]:
    made = {**NO_CLOSURE, "kind": KINDS.index(closure.kind), "length": closure.length, "ratio": closure.ratio}
    if closure.kind == "gear":
        made.update(point=(0.0, 0.0), other_point=(0.0, 0.0), angle=closure.offset)
        made["node"], made["other"] = coordinates[closure.coordinate], coordinates[closure.other_coordinate]
        return made
    made.update(_ends(closure, places))
    here, there = places[closure.body], places[closure.other]
    along = float(closure.axis) + there[3]  # type: ignore[arg-type]
    made.update(angle=float(closure.angle) + there[3] - here[3], axis=(math.cos(along), math.sin(along)))  # type: ignore[arg-type]
    return made


def drive(coordinate: int) -> np.ndarray:
    """A closure that makes one coordinate move as it is told to, as a table with one row.

    Parameters
    ----------
    coordinate
        Its number.
    """
    row = {**NO_CLOSURE, "kind": KINDS.index("drive"), "node": coordinate, "other": -1}
    return _table(CLOSURE, [{**row, "point": (0.0, 0.0), "other_point": (0.0, 0.0)}])


def _spring(spring: Spring, places: dict[str, tuple[int, float, float, float]]) -> dict[str, Any]:
    keys = ("stiffness", "damping", "length")
    return {**_ends(spring, places), **{key: getattr(spring, key) for key in keys}}


def _push(push: Push, places: dict[str, tuple[int, float, float, float]]) -> dict[str, Any]:
    here = _find(places, push.body, f"push {push.name!r}")
    force = _compose((0.0, 0.0, here[3]), (*push.force, 0.0))[:2] if push.follows else push.force  # type: ignore[arg-type]
    return {
        "node": here[0],
        "point": _point(here, push.point),
        "force": force,
        "moment": push.moment,
        "follows": push.follows,
    }


def _compose(outer: Frame, inner: Frame) -> Frame:
    c, s = math.cos(outer[2]), math.sin(outer[2])
    if outer[2] == 0.0:
        c, s = 1.0, 0.0
    return outer[0] + c * inner[0] - s * inner[1], outer[1] + s * inner[0] + c * inner[1], outer[2] + inner[2]


def _point(place: tuple[int, float, float, float], point) -> tuple[float, float]:
    """A point of a body, in the frame of its node."""
    return _compose(place[1:], (*point, 0.0))[:2]


def _find(table: dict, name: str, who: str):
    if name not in table:
        raise ValueError(f"{who} names {name!r}; expected one of {', '.join(map(str, table))}")
    return table[name]


def _table(columns: np.dtype, rows: list[dict[str, Any]]) -> np.ndarray:
    return np.array([tuple(row[name] for name in columns.names or ()) for row in rows], dtype=columns)
