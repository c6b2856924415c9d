"""The mechanism as independent bodies: non-minimal coordinates, joints as constraints (Jain 2014, section 3).

    V = (omega, velocity of the centre of mass) of every body      V = B(q) v       v = P V       T V = 0

`T` are the joints, three rows less the freedoms of each; `P` reads the joint velocities off the bodies, so
joint torques, springs and dampers act on the bodies as `P^T`. The accelerations that the motion causes by
itself, `Bdot v`, are known, and the unknown of a step is the part `B v+` of the new velocities.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from modecontrol.dynamics.tree import Tree
from modecontrol.timestepping.contact_problem import ContactProblem

ROUNDING = 1e-14
"""A lever arm that cancels to this part of its terms is zero: a force through the centre of mass."""


@dataclass(frozen=True, eq=False)
class Bodies:
    """Arrays of one contact problem in the coordinates of its bodies.

    Attributes
    ----------
    mass
        `W` of the bodies: block diagonal inertias, plus what implicit joint springs and dampers add.
    v
        `B v` (3 per body).
    r
        Impulse of all that is known.
    joints
        `T`: rows that joints keep at zero.
    loops
        Rows of the pins.
    contacts
        Rows of the contacts that take part.
    read
        `P` (n, 3 per body): joint velocities of body velocities.
    """

    mass: np.ndarray
    v: np.ndarray
    r: np.ndarray
    joints: np.ndarray
    loops: np.ndarray
    contacts: np.ndarray
    read: np.ndarray


def bodies_of(problem: ContactProblem) -> Bodies:
    """Take the mechanism of a contact problem apart.

    Parameters
    ----------
    problem
        The contact problem.
    """
    from modecontrol._core import dynamics as core

    tree, q, v = problem.model.tree, problem.q, problem.v
    table, at = tree.nodes, core.Kinematics(tree.core, q, v)
    parents, turns, parts = table["parent"].tolist(), table["turns"].tolist(), table["com"]
    nodes = sorted({node for node, *_ in tree.bodies if node >= 0})
    number = {node: i for i, node in enumerate(nodes)}
    size = 3 * len(nodes)
    com = np.column_stack(
        (at.cos * parts[:, 0] - at.sin * parts[:, 1], at.sin * parts[:, 0] + at.cos * parts[:, 1])
    )
    origins, slides = np.column_stack((at.x, at.y)), np.column_stack((at.ux, at.uy))
    centre = origins + com

    def row(node: int, point: np.ndarray, direction: np.ndarray, spin: float = 0.0) -> np.ndarray:
        """Velocity of a point (world) of a node's body along a direction, plus `spin` times its turning."""
        found = np.zeros(size)
        if node >= 0:
            i, (dx, dy) = 3 * number[node], point - centre[node]
            arm, terms = (
                dx * direction[1] - dy * direction[0],
                abs(dx * direction[1]) + abs(dy * direction[0]),
            )
            found[i : i + 3] = (arm if abs(arm) > ROUNDING * terms else 0.0) + spin, *direction
        return found

    mass, known, now = np.zeros((size, size)), np.zeros(size), np.zeros(size)
    read, joints = np.zeros((len(q), size)), []
    x_axis, y_axis, still = np.array([1.0, 0.0]), np.array([0.0, 1.0]), np.zeros(2)
    for node in nodes:
        i, m, w = 3 * number[node], table["mass"][node], at.omega[node]
        mass[i, i], mass[i + 1, i + 1], mass[i + 2, i + 2] = table["inertia"][node], m, m
        now[i] = w
        now[i + 1 : i + 3] = at.vx[node] - w * com[node, 1], at.vy[node] + w * com[node, 0]
        bias = np.array([at.ax[node], at.ay[node]]) - w * w * com[node]
        known[i + 1 : i + 3] = problem.h * m * (tree.gravity - bias)
        chain, parent = [node], parents[node]
        while parent >= 0 and parent not in number:
            chain.append(parent)
            parent = parents[parent]
        origin = origins[node]
        turning = row(node, origin, still, 1.0) - row(parent, origin, still, 1.0)
        for k in chain:
            read[k] = turning if turns[k] else row(node, origin, slides[k]) - row(parent, origin, slides[k])
        if len(chain) == 1 and turns[node]:
            joints += [row(node, origin, axis) - row(parent, origin, axis) for axis in (x_axis, y_axis)]
        elif len(chain) == 1:
            across = np.array([-slides[node, 1], slides[node, 0]])
            joints += [turning, row(node, origin, across) - row(parent, origin, across)]

    def world(node: int, point: np.ndarray) -> np.ndarray:
        """A point of a node's frame in the world."""
        if node < 0:
            return np.array(point)
        c, s = at.cos[node], at.sin[node]
        return origins[node] + np.array([c * point[0] - s * point[1], s * point[0] + c * point[1]])

    contacts, points = [], problem.model.contact_points(q)
    for c in problem.near:
        contact, t, n = tree.contacts[c], points.t[c], points.n[c]
        node, other = int(contact["node"]), int(contact["other"])
        here = world(node, contact["centre"])
        normal, tangential = row(node, here, n), row(node, here, t, contact["radius"])
        if contact["discs"]:
            there = world(other, contact["other_centre"])
            normal -= row(other, there, n)
            tangential -= row(other, there, t, -contact["other_radius"])
        contacts += [normal, tangential]
    loops = []
    for pin in tree.pins:
        node, other = int(pin["node"]), int(pin["other"])
        here, there = world(node, pin["point"]), world(other, pin["other_point"])
        loops += [row(node, here, axis) - row(other, there, axis) for axis in (x_axis, y_axis)]

    stiffness, h = table["stiffness"], problem.h
    joint_force = problem.force - stiffness * (q - table["rest"]) - table["damping"] * v
    rows = np.array(contacts).reshape(len(contacts), size)
    known = known + read.T @ (h * joint_force - h * h * stiffness * v) + rows.T @ problem.push
    return Bodies(
        mass + read.T @ (problem.added[:, None] * read),
        now,
        known,
        np.array(joints).reshape(len(joints), size),
        np.array(loops).reshape(len(loops), size),
        rows,
        read,
    )


def owners(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Which body each coordinate moves and which is below its joint (n, 2), and the joints with one freedom.

    Parameters
    ----------
    tree
        The mechanism's tables. Bodies are called by their nodes; -1 is the world.
    """
    bodies = {node for node, *_ in tree.bodies if node >= 0}
    parents = tree.nodes["parent"].tolist()
    owner, hinges = np.full((len(parents), 2), -1, dtype=np.int64), []
    for node in sorted(bodies):
        chain, parent = [node], parents[node]
        while parent >= 0 and parent not in bodies:
            chain.append(parent)
            parent = parents[parent]
        owner[chain] = node, parent
        if len(chain) == 1:
            hinges.append(node)
    return owner, np.array(hinges, dtype=np.int64)
