"""The bodies of a mechanism as nodes, one per degree of freedom: what a weld holds belongs to the node that carries it."""

from __future__ import annotations

from typing import Any

import numpy as np

from modecontrol.dynamics.mechanism import Body
from modecontrol.dynamics.places import Place, compose, point_of

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
STEPS = {
    "planar": ((False, (1.0, 0.0)), (False, (0.0, 1.0)), (True, (0.0, 0.0))),
    "revolute": ((True, (0.0, 0.0)),),
    "prismatic": ((False, (1.0, 0.0)),),
}
"""Nodes of each kind of joint: whether it turns, and the direction of a slide."""


def hang(body: Body, parent: Place, nodes: list[dict[str, Any]]) -> Place:
    """Append the nodes of a body's joint; where its frame then is: node and placement in the node's frame.

    Parameters
    ----------
    body
        The body, its numbers evaluated.
    parent
        Where its parent is.
    nodes
        Rows so far.
    """
    joint, node = body.joint, parent[0]
    x, y, angle = compose(parent[1:], (*joint.at, joint.angle))  # type: ignore[arg-type]
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


def load(body: Body, place: Place, nodes: list[dict[str, Any]]) -> None:
    """Merge the mass of a body into its node (parallel axes); what hangs on the world does not move.

    Parameters
    ----------
    body
        The body, its numbers evaluated.
    place
        Where it is.
    nodes
        Rows so far.
    """
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
