"""Mechanism -> `Tree`: flat tables for the kernels, one node per degree of freedom, welds merged.

The columns are those of `modecontrol/_kernels/tree.py` and `contacts.py`, which are not imported here so that
describing a mechanism does not start the compiler.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from modecontrol.dynamics.mechanism import WORLD, Body, Mechanism

PLANE, DISCS = 0, 1
Frame = tuple[float, float, float]
"""x, y and angle of a frame in another."""


@dataclass(frozen=True, eq=False)
class Tree:
    """The numbers of a mechanism as read-only tables.

    Parameters
    ----------
    nodes_i, nodes_f
        One row per degree of freedom: parent, turns, anchor; placement, slide direction, mass, centre of
        mass, inertia, spring, damper, rest.
    contacts_i, contacts_f
        One row per contact: kind, node, other node; point, radius, half-plane, other point, other radius.
    pins_i, pins_f
        One row per loop-closing pin: its two nodes; its two points.
    inputs_i, inputs_f
        One row per input: first coordinate; lower, upper, stall, no-load speed.
    gravity
        Acceleration of gravity (2,).
    actuation
        `S` (n, t).
    friction, restitution, stiffness, damping
        Per contact (k,).
    bodies
        `(node, x, y, angle)` of each body's frame in the frame of its node; node -1 is the world.
    """

    nodes_i: np.ndarray
    nodes_f: np.ndarray
    contacts_i: np.ndarray
    contacts_f: np.ndarray
    pins_i: np.ndarray
    pins_f: np.ndarray
    inputs_i: np.ndarray
    inputs_f: np.ndarray
    gravity: np.ndarray
    actuation: np.ndarray
    friction: np.ndarray
    restitution: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray
    bodies: tuple[tuple[int, float, float, float], ...] = field(repr=False, default=())

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                if value.dtype == np.float64 and np.isnan(value).any():
                    place = np.argwhere(np.isnan(value))[0].tolist()
                    raise ValueError(f"the mechanism's {name} hold NaN at {place}; expected numbers")
                value.setflags(write=False)

    @cached_property
    def common(self) -> np.ndarray:
        """(n, n): nearest common ancestor of two nodes, a node being one of itself; -1 when there is none."""
        n = len(self.nodes_i)
        table = np.full((n, n), -1, dtype=np.int64)
        for i, (parent, _, _) in enumerate(self.nodes_i.tolist()):
            if parent >= 0:
                table[i, :i] = table[:i, i] = table[parent, :i]
            table[i, i] = i
        table.setflags(write=False)
        return table

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """The leading arguments of the kernel `snapshot_arrays`, in its order."""
        return (self.nodes_i, self.nodes_f, self.contacts_i, self.contacts_f, self.pins_i, self.pins_f,
                self.inputs_i, self.inputs_f, self.gravity)


def tree_of(mechanism: Mechanism) -> Tree:
    """Flatten an evaluated mechanism (parents before children).

    Parameters
    ----------
    mechanism
        From `Mechanism.evaluated()`: every entry a number.
    """
    nodes: list[list[float]] = []
    links: list[list[int]] = []
    places: dict[str, tuple[int, float, float, float]] = {WORLD: (-1, 0.0, 0.0, 0.0)}
    for body in mechanism.bodies:
        if body.parent not in places:
            raise ValueError(f"body {body.name!r} hangs on {body.parent!r}, which does not stand before it")
        places[body.name] = _hang(body, *places[body.parent], nodes, links)
        _load(body, places[body.name], nodes)
    coordinates = {name: i for i, name in enumerate(mechanism.coordinates)}
    n, t = len(coordinates), len(mechanism.inputs)
    actuation = np.zeros((n, t))
    for column, item in enumerate(mechanism.inputs):
        for name, gain in zip(item.coordinates, item.gains, strict=True):
            actuation[_find(coordinates, name, f"input {item.name!r}"), column] += gain
    contacts = mechanism.contacts
    touching = [tuple(_find(places, name, f"contact {c.name!r}") for name in (c.body, c.other))
                for c in contacts]
    pinned = [tuple(_find(places, name, f"pin {p.name!r}") for name in (p.body, p.other))
              for p in mechanism.pins]
    return Tree(
        nodes_i=_table(links, 3, np.int64),
        nodes_f=_table(nodes, 12),
        contacts_i=_table([[DISCS if c.kind == "disc_disc" else PLANE, sides[0][0], sides[1][0]]
                           for c, sides in zip(contacts, touching, strict=True)], 3, np.int64),
        contacts_f=_table([[*_point(sides[0], c.point), c.radius if c.kind != "point" else 0.0, *c.origin,
                            *_tangent(c.tilt), *_point(sides[1], c.other_point), c.other_radius]
                           for c, sides in zip(contacts, touching, strict=True)], 10),
        pins_i=_table([[a[0], b[0]] for a, b in pinned], 2, np.int64),
        pins_f=_table([[*_point(a, p.point), *_point(b, p.other_point)]
                       for p, (a, b) in zip(mechanism.pins, pinned, strict=True)], 4),
        inputs_i=np.array([coordinates[item.coordinates[0]] for item in mechanism.inputs], dtype=np.int64),
        inputs_f=_table([[i.lower, i.upper, i.stall, i.no_load] for i in mechanism.inputs], 4),
        gravity=np.array(mechanism.gravity, dtype=float),
        actuation=actuation,
        friction=np.array([c.mu for c in contacts], dtype=float),
        restitution=np.array([c.restitution for c in contacts], dtype=float),
        stiffness=np.array([c.stiffness for c in contacts], dtype=float),
        damping=np.array([c.damping for c in contacts], dtype=float),
        bodies=tuple(places[body.name] for body in mechanism.bodies),
    )


def _hang(body: Body, node: int, x: float, y: float, angle: float,
          nodes: list[list[float]], links: list[list[int]]) -> tuple[int, float, float, float]:
    """Append the nodes of a body's joint; where its frame then is: node and placement in the node's frame."""
    joint = body.joint
    at_x, at_y, at_angle = _compose((x, y, angle), (*joint.at, joint.angle))  # type: ignore[arg-type]
    if joint.kind == "weld":
        return node, at_x, at_y, at_angle
    steps = {"planar": ((0, 1.0, 0.0), (0, 0.0, 1.0), (1, 0.0, 0.0)),
             "revolute": ((1, 0.0, 0.0),), "prismatic": ((0, 1.0, 0.0),)}
    if joint.kind not in steps:
        raise ValueError(f"joint of body {body.name!r} is {joint.kind!r}; "
                         f"expected {', '.join(steps)} or weld")
    anchor = links[node][2] if node >= 0 else len(nodes) + len(steps[joint.kind]) - 1
    for turns, dir_x, dir_y in steps[joint.kind]:
        links.append([node, turns, anchor])
        nodes.append([at_x, at_y, at_angle, dir_x, dir_y, 0.0, 0.0, 0.0, 0.0,
                      joint.stiffness, joint.damping, joint.rest])  # type: ignore[list-item]
        node, at_x, at_y, at_angle = len(nodes) - 1, 0.0, 0.0, 0.0
    return node, 0.0, 0.0, 0.0


def _load(body: Body, place: tuple[int, float, float, float], nodes: list[list[float]]) -> None:
    """Merge the mass of a body into its node (parallel axes); what hangs on the world does not move."""
    node = place[0]
    if node < 0:
        return
    row = nodes[node]
    mass, (cx, cy), inertia = body.mass, _point(place, body.com), body.inertia
    total = row[5] + mass  # type: ignore[operator]
    if total == 0:
        row[8] += inertia  # type: ignore[operator]
        return
    dx, dy = cx - row[6], cy - row[7]
    row[8] += inertia + row[5] * mass / total * (dx * dx + dy * dy)  # type: ignore[operator]
    row[6] += mass / total * dx  # type: ignore[operator]
    row[7] += mass / total * dy  # type: ignore[operator]
    row[5] = total


def _compose(outer: Frame, inner: Frame) -> Frame:
    c, s = math.cos(outer[2]), math.sin(outer[2])
    if outer[2] == 0.0:
        c, s = 1.0, 0.0
    return outer[0] + c * inner[0] - s * inner[1], outer[1] + s * inner[0] + c * inner[1], outer[2] + inner[2]


def _point(place: tuple[int, float, float, float], point) -> tuple[float, float]:
    """A point of a body, in the frame of its node."""
    return _compose(place[1:], (*point, 0.0))[:2]


def _tangent(tilt) -> tuple[float, float]:
    return math.cos(tilt), math.sin(tilt)


def _find(table: dict, name: str, who: str):
    if name not in table:
        raise ValueError(f"{who} names {name!r}; expected one of {', '.join(map(str, table))}")
    return table[name]


def _table(rows: list, columns: int, dtype: type = np.float64) -> np.ndarray:
    return np.array(rows, dtype=dtype).reshape(len(rows), columns)
