"""Mechanism -> `Tree`: tables of numbers for the compiled core, one node per degree of freedom, welds merged."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.dynamics.contact_entries import Entry, entries
from modecontrol.dynamics.contact_laws import ContactLaws
from modecontrol.dynamics.coupling_tables import (
    CLOSURE,
    PUSH,
    SPRING,
    closure_row,
    pin_row,
    push_row,
    spring_row,
)
from modecontrol.dynamics.mechanism import WORLD, Body, Contact, Mechanism
from modecontrol.dynamics.places import Place, Places, compose, find, point_of, table
from modecontrol.dynamics.shape_tables import ShapeCollector, ShapeTables

if TYPE_CHECKING:
    from modecontrol._core.compiled import dynamics as core

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
        ("armature", float),
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
        ("shape", np.int64),  # numbers in the tables of shapes and terrains, -1 for none
        ("other_shape", np.int64),
        ("terrain", np.int64),
        ("slot", np.int64),  # which of so many touches of its pair
        ("touches", np.int64),
        ("entry", np.int64),  # place in `ENTRIES`
        ("length", float),  # of a cable
        ("lower", float),
        ("upper", float),  # of stops
        ("hold", float),  # coefficient while it sticks, if larger
        ("pull", float),
        ("speed", float),
        ("way", np.int64),  # the only way it slides: 1 right, -1 left; 0 both
        ("least", float),
        ("most", float),  # tangential force of what has no normal row; of rolling, a length
        ("host", np.int64),  # the contact that a resistance to rolling belongs to
    ],
    align=True,
)
ENTRIES = ("contact", "", "cable", "stop", "dry", "drive", "rolling")
"""Kinds of entries by their codes in the core; contacts are of two kinds there."""
NO_CONTACT: dict[str, Any] = {
    **dict.fromkeys(CONTACT.names or (), 0.0),
    **dict.fromkeys(("centre", "origin", "other_centre"), (0.0, 0.0)),
    "discs": False,
    "other": -1,
    "shape": -1,
    "other_shape": -1,
    "terrain": -1,
    "host": -1,
    "touches": 1,
    "tangent": (1.0, 0.0),
    "stiffness": math.inf,
    "lower": -math.inf,
    "upper": math.inf,
}
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
    shapes
        Shapes of contacts, and terrain.
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
    shapes: ShapeTables
    bodies: tuple[Place, ...] = field(repr=False, default=())

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
            self.nodes,
            self.contacts,
            closures,
            self.inputs,
            self.gravity,
            self.springs,
            self.pushes,
            *self.shapes.all,
        )

    @cached_property
    def friction(self) -> np.ndarray:
        """Coulomb coefficient of each contact (k,)."""
        return self._of_contacts("friction")

    @cached_property
    def laws(self) -> ContactLaws | None:
        """What is not Coulomb's law alone; None where everything is."""
        c = self.contacts
        special = (c["entry"], c["pull"], c["way"], c["speed"], c["hold"] > c["friction"])
        if not any(column.any() for column in special):
            return None
        entry = c["entry"]
        kind = np.select(
            [entry == 0, (entry == 2) | (entry == 3), entry == 4, entry == 6], [0, 1, 2, 4], default=3
        )
        return ContactLaws(kind, c["hold"], c["pull"], c["way"], c["least"], c["most"], c["host"])

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
    places: Places = {WORLD: (-1, 0.0, 0.0, 0.0)}
    for body in mechanism.bodies:
        if body.parent not in places:
            raise ValueError(f"body {body.name!r} hangs on {body.parent!r}, which does not stand before it")
        places[body.name] = _hang(body, *places[body.parent], nodes)
        _load(body, places[body.name], nodes)
    coordinates = {name: i for i, name in enumerate(mechanism.coordinates)}
    actuation = np.zeros((len(coordinates), len(mechanism.inputs)))
    for column, item in enumerate(mechanism.inputs):
        for name, gain in zip(item.coordinates, item.gains, strict=True):
            actuation[find(coordinates, name, f"input {item.name!r}"), column] += gain
    collected = ShapeCollector(places, {ground.name: i for i, ground in enumerate(mechanism.terrains)})
    hosts = {contact.name: i for i, contact in enumerate(mechanism.contacts)}
    contacts = [
        {**_contact(each.part, places), **collected.columns(each.part)}
        if each.kind == "contact"
        else _entry(each, places, coordinates, hosts)
        for each in entries(mechanism)
    ]
    return Tree(
        nodes=table(NODE, nodes),
        contacts=table(CONTACT, contacts),
        closures=table(
            CLOSURE,
            [pin_row(p, places) for p in mechanism.pins]
            + [closure_row(c, places, coordinates) for c in mechanism.closures],
        ),
        inputs=table(
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
        springs=table(SPRING, [spring_row(s, places) for s in mechanism.springs]),
        pushes=table(PUSH, [push_row(p, places) for p in mechanism.pushes]),
        shapes=collected.tables(mechanism),
        bodies=tuple(places[body.name] for body in mechanism.bodies),
    )


def _hang(body: Body, node: int, x: float, y: float, angle: float, nodes: list[dict[str, Any]]) -> Place:
    """Append the nodes of a body's joint; where its frame then is: node and placement in the node's frame."""
    joint = body.joint
    x, y, angle = compose((x, y, angle), (*joint.at, joint.angle))  # type: ignore[arg-type]
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
                "armature": joint.armature,
            }
        )
        node, x, y, angle = len(nodes) - 1, 0.0, 0.0, 0.0
    return node, 0.0, 0.0, 0.0


def _load(body: Body, place: Place, nodes: list[dict[str, Any]]) -> None:
    """Merge the mass of a body into its node (parallel axes); what hangs on the world does not move."""
    if place[0] < 0:
        return
    node = nodes[place[0]]
    mass, (cx, cy) = body.mass, point_of(place, body.com)
    before, (x, y) = node["mass"], node["com"]
    total = before + mass
    if total == 0:
        node["inertia"] += body.inertia
        return
    dx, dy = cx - x, cy - y
    node["inertia"] += body.inertia + before * mass / total * (dx * dx + dy * dy)
    node["com"] = x + mass / total * dx, y + mass / total * dy
    node["mass"] = total


def _contact(contact: Contact, places: Places) -> dict[str, Any]:
    here, there = (find(places, name, f"contact {contact.name!r}") for name in (contact.body, contact.other))
    tilt = float(contact.tilt) + there[3]  # type: ignore[arg-type]
    return {
        **NO_CONTACT,
        "discs": contact.kind == "disc_disc",
        "node": here[0],
        "other": there[0],
        "centre": point_of(here, contact.point),
        "radius": contact.radius if contact.kind != "point" else 0.0,
        "origin": point_of(there, contact.origin),
        "tangent": (math.cos(tilt), math.sin(tilt)),
        "other_centre": point_of(there, contact.other_point),
        "other_radius": contact.other_radius,
        "friction": contact.mu,
        "restitution": contact.restitution,
        "tangential_restitution": contact.tangential_restitution,
        "stiffness": contact.stiffness,
        "damping": contact.damping,
        "hold": contact.mu if contact.mu_static is None else contact.mu_static,
        "pull": contact.pull,
        "speed": contact.speed,
        "way": {"left": -1, "right": 1}.get(contact.one_way, 0),
    }


def _entry(
    entry: Entry, places: Places, coordinates: dict[str, int], hosts: dict[str, int]
) -> dict[str, Any]:
    """The row of a stop, a dry joint, a cable, a prescribed joint or a resistance to rolling."""
    part = entry.part
    made = {**NO_CONTACT, "entry": ENTRIES.index(entry.kind)}
    if entry.kind == "cable":
        here, there = (find(places, name, f"cable {entry.name!r}") for name in (part.body, part.other))
        made.update(node=here[0], centre=point_of(here, part.point), length=part.length)
        made.update(other=there[0], other_centre=point_of(there, part.other_point))
        return made
    if entry.kind == "rolling":
        here, there = (find(places, name, f"contact {part.name!r}") for name in (part.body, part.other))
        made.update(node=here[0], other=there[0], host=hosts[part.name])
        made.update(least=-part.rolling, most=part.rolling, pull=part.pull)
        return made
    made["node"] = coordinates[entry.coordinate]
    if entry.kind == "stop":
        made.update(lower=part.lower, upper=part.upper, restitution=part.stop_restitution)
    elif entry.kind == "dry":
        made.update(least=-part.friction, most=part.friction)
    else:
        made.update(least=part.effort[0], most=part.effort[1])
    return made
