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
from modecontrol.timestepping.problem import ContactProblem

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
    from modecontrol._kernels.contacts import contact_frame
    from modecontrol._kernels.tree import move, poses

    tree, q, v = problem.model.tree, problem.q, problem.v
    pose, motion = poses(tree.nodes_i, tree.nodes_f, q), np.empty((len(q), 5))
    move(tree.nodes_i, pose, v, motion)
    nodes = sorted({node for node, *_ in tree.bodies if node >= 0})
    number = {node: i for i, node in enumerate(nodes)}
    size = 3 * len(nodes)
    cos, sin = pose[:, 4], pose[:, 5]
    com = np.column_stack((cos * tree.nodes_f[:, 6] - sin * tree.nodes_f[:, 7],
                           sin * tree.nodes_f[:, 6] + cos * tree.nodes_f[:, 7]))
    centre = pose[:, :2] + com

    def row(node: int, point: np.ndarray, direction: np.ndarray, spin: float = 0.0) -> np.ndarray:
        """Velocity of a point (world) of a node's body along a direction, plus `spin` times its turning."""
        found = np.zeros(size)
        if node >= 0:
            i, (dx, dy) = 3 * number[node], point - centre[node]
            arm, terms = dx * direction[1] - dy * direction[0], abs(dx * direction[1]) + abs(dy * direction[0])
            found[i : i + 3] = (arm if abs(arm) > ROUNDING * terms else 0.0) + spin, *direction
        return found

    mass, known, now = np.zeros((size, size)), np.zeros(size), np.zeros(size)
    read, joints = np.zeros((len(q), size)), []
    x_axis, y_axis, still = np.array([1.0, 0.0]), np.array([0.0, 1.0]), np.zeros(2)
    for node in nodes:
        i, m, w = 3 * number[node], tree.nodes_f[node, 5], motion[node, 0]
        mass[i, i], mass[i + 1, i + 1], mass[i + 2, i + 2] = tree.nodes_f[node, 8], m, m
        now[i] = w
        now[i + 1 : i + 3] = motion[node, 1:3] + w * np.array([-com[node, 1], com[node, 0]])
        bias = motion[node, 3:5] - w * w * com[node]
        known[i + 1 : i + 3] = problem.h * m * (tree.gravity - bias)
        chain, parent = [node], int(tree.nodes_i[node, 0])
        while parent >= 0 and parent not in number:
            chain.append(parent)
            parent = int(tree.nodes_i[parent, 0])
        origin = pose[node, :2]
        turning = row(node, origin, still, 1.0) - row(parent, origin, still, 1.0)
        for k in chain:
            if tree.nodes_i[k, 1] == 1:
                read[k] = turning
            else:
                read[k] = row(node, origin, pose[k, 7:9]) - row(parent, origin, pose[k, 7:9])
        if len(chain) == 1 and tree.nodes_i[node, 1] == 1:
            joints += [row(node, origin, axis) - row(parent, origin, axis) for axis in (x_axis, y_axis)]
        elif len(chain) == 1:
            across = np.array([-pose[node, 8], pose[node, 7]])
            joints += [turning, row(node, origin, across) - row(parent, origin, across)]

    contacts, frame = [], np.empty(8)
    for c in problem.near:
        contact_frame(c, tree.contacts_i, tree.contacts_f, tree.nodes_i, pose, frame)
        t = frame[:2].copy()
        n = np.array([-t[1], t[0]])
        kind, node, other = (int(value) for value in tree.contacts_i[c])
        here = _world(node, tree.contacts_f[c, :2], pose)
        normal, tangential = row(node, here, n), row(node, here, t, tree.contacts_f[c, 2])
        if kind == 1:
            there = _world(other, tree.contacts_f[c, 7:9], pose)
            normal -= row(other, there, n)
            tangential -= row(other, there, t, -tree.contacts_f[c, 9])
        contacts += [normal, tangential]
    loops = []
    for (a, b), points in zip(tree.pins_i, tree.pins_f, strict=True):
        here, there = _world(int(a), points[:2], pose), _world(int(b), points[2:], pose)
        loops += [row(int(a), here, axis) - row(int(b), there, axis) for axis in (x_axis, y_axis)]

    nodes_f, h = tree.nodes_f, problem.h
    joint_force = problem.force - nodes_f[:, 9] * (q - nodes_f[:, 11]) - nodes_f[:, 10] * v
    rows = np.array(contacts).reshape(len(contacts), size)
    known = known + read.T @ (h * joint_force - h * h * nodes_f[:, 9] * v) + rows.T @ problem.push
    return Bodies(mass + read.T @ (problem.added[:, None] * read), now, known,
                  np.array(joints).reshape(len(joints), size), np.array(loops).reshape(len(loops), size), rows, read)


def owners(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Which body each coordinate moves and which is below its joint (n, 2), and the joints with one freedom.

    Parameters
    ----------
    tree
        The mechanism's tables. Bodies are called by their nodes; -1 is the world.
    """
    bodies = {node for node, *_ in tree.bodies if node >= 0}
    owner, hinges = np.full((len(tree.nodes_i), 2), -1, dtype=np.int64), []
    for node in sorted(bodies):
        chain, parent = [node], int(tree.nodes_i[node, 0])
        while parent >= 0 and parent not in bodies:
            chain.append(parent)
            parent = int(tree.nodes_i[parent, 0])
        owner[chain] = node, parent
        if len(chain) == 1:
            hinges.append(node)
    return owner, np.array(hinges, dtype=np.int64)


def _world(node: int, point: np.ndarray, pose: np.ndarray) -> np.ndarray:
    if node < 0:
        return np.array(point)
    c, s = pose[node, 4], pose[node, 5]
    return pose[node, :2] + np.array([c * point[0] - s * point[1], s * point[0] + c * point[1]])
