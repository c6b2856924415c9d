"""The mechanism as independent bodies: non-minimal coordinates, joints as constraints (Jain 2014, section 3).

    V = (omega, velocity of the centre of mass) of every body      V = B(q) v       v = P V       T V = 0

`T` are the joints, three rows less the freedoms of each; `P` reads the joint velocities off the bodies, so
joint torques, springs and dampers act on the bodies as `P^T`. The accelerations that the motion causes by
itself, `Bdot v`, are known, and the unknown of a step is the part `B v+` of the new velocities.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.tree import Tree
from modecontrol.timestepping.contact_problem import ContactProblem
from modecontrol.timestepping.medium import body_brakings


@dataclass(frozen=True, eq=False)
class Bodies:
    """Arrays of one contact problem in the coordinates of its bodies.

    Attributes
    ----------
    mass
        `W` of the bodies: block diagonal inertias, plus what implicit joint springs, dampers and drag add.
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


class _Placed:
    """The bodies at one instant: which node is which body, where they are, and rows of velocities of their points."""

    def __init__(self, problem: ContactProblem):
        from modecontrol._core import dynamics as core

        tree = problem.model.tree
        self.at = at = core.Kinematics(tree.core, problem.q, problem.v)
        parts = tree.nodes["com"]
        self.nodes = sorted({node for node, *_ in tree.bodies if node >= 0})
        self.number = {node: i for i, node in enumerate(self.nodes)}
        self.size = 3 * len(self.nodes)
        self.com = np.column_stack(
            (at.cos * parts[:, 0] - at.sin * parts[:, 1], at.sin * parts[:, 0] + at.cos * parts[:, 1])
        )
        self.origins, self.slides = np.column_stack((at.x, at.y)), np.column_stack((at.ux, at.uy))
        self.centre = self.origins + self.com

    def row(self, node: int, point: np.ndarray, direction: np.ndarray, spin: float = 0.0) -> np.ndarray:
        """Velocity of a point (world) of a node's body along a direction, plus `spin` times its turning."""
        found = np.zeros(self.size)
        if node >= 0:
            i, (dx, dy) = 3 * self.number[node], point - self.centre[node]
            arm, terms = (
                dx * direction[1] - dy * direction[0],
                abs(dx * direction[1]) + abs(dy * direction[0]),
            )
            found[i : i + 3] = (arm if abs(arm) > tolerances.PRODUCT * terms else 0.0) + spin, *direction
        return found

    def world(self, node: int, point: np.ndarray) -> np.ndarray:
        """A point of a node's frame in the world."""
        if node < 0:
            return np.array(point)
        c, s = self.at.cos[node], self.at.sin[node]
        return self.origins[node] + np.array([c * point[0] - s * point[1], s * point[0] + c * point[1]])


X_AXIS, Y_AXIS, STILL = np.array([1.0, 0.0]), np.array([0.0, 1.0]), np.zeros(2)


def bodies_of(problem: ContactProblem) -> Bodies:
    """Take the mechanism of a contact problem apart."""
    from modecontrol._core import dynamics as core

    tree, q, v, h = problem.model.tree, problem.q, problem.v, problem.h
    placed, table = _Placed(problem), tree.nodes
    at, size = placed.at, placed.size
    mass, known, now = np.zeros((size, size)), np.zeros(size), np.zeros(size)
    for node in placed.nodes:
        i, m, w, com = 3 * placed.number[node], table["mass"][node], at.omega[node], placed.com[node]
        mass[i, i], mass[i + 1, i + 1], mass[i + 2, i + 2] = table["inertia"][node], m, m
        now[i] = w
        now[i + 1 : i + 3] = at.vx[node] - w * com[1], at.vy[node] + w * com[0]
        known[i + 1 : i + 3] = h * m * (tree.gravity - np.array([at.ax[node], at.ay[node]]) + w * w * com)
    read, joints = _joint_rows(placed, table)
    rows = _contact_rows(placed, problem)
    stiffness = table["stiffness"]
    joint_force = problem.force - stiffness * (q - table["rest"]) - table["damping"] * v
    joint_force = joint_force + core.applied_forces(tree.core, q, v)
    known = known + read.T @ (h * joint_force - h * h * stiffness * v) + rows.T @ problem.push
    for node, braking in body_brakings(tree, q, v, placed.com).items():
        i = 3 * placed.number[node]
        mass[i : i + 3, i : i + 3] += h * braking
    return Bodies(
        mass + read.T @ ((table["armature"] + problem.added)[:, None] * read),
        now,
        known,
        joints,
        _loop_rows(placed, problem, read),
        rows,
        read,
    )


def _loop_rows(placed: _Placed, problem: ContactProblem, read: np.ndarray) -> np.ndarray:
    """Rows of the loop closures: pins by their points, others by the joint velocities that the bodies have."""
    pins = []
    for pin in problem.model.tree.closures:
        if pin["kind"] != 0:
            break
        node, other = int(pin["node"]), int(pin["other"])
        here, there = placed.world(node, pin["point"]), placed.world(other, pin["other_point"])
        pins += [placed.row(node, here, axis) - placed.row(other, there, axis) for axis in (X_AXIS, Y_AXIS)]
    rows = np.array(pins).reshape(len(pins), placed.size)
    return np.vstack((rows, problem.G[len(pins) :] @ read))


def _joint_rows(placed: _Placed, table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How joint velocities are read from body velocities, and the rows that joints with one freedom hold at zero."""
    parents, turns = table["parent"].tolist(), table["turns"].tolist()
    read, joints = np.zeros((len(table), placed.size)), []
    for node in placed.nodes:
        chain, parent = [node], parents[node]
        while parent >= 0 and parent not in placed.number:
            chain.append(parent)
            parent = parents[parent]
        origin = placed.origins[node]

        def relative(direction, spin=0.0, node=node, parent=parent, origin=origin):
            return placed.row(node, origin, direction, spin) - placed.row(parent, origin, direction, spin)

        turning = relative(STILL, 1.0)
        for k in chain:
            read[k] = turning if turns[k] else relative(placed.slides[k])
        if len(chain) == 1 and turns[node]:
            joints += [relative(X_AXIS), relative(Y_AXIS)]
        elif len(chain) == 1:
            slide = placed.slides[node]
            joints += [turning, relative(np.array([-slide[1], slide[0]]))]
    return read, np.array(joints).reshape(len(joints), placed.size)


def _contact_rows(placed: _Placed, problem: ContactProblem) -> np.ndarray:
    """Normal and tangential velocity of the contacts that are near, two rows each."""
    rows, points = [], problem.model.contact_points(problem.q)
    for c in problem.near:
        contact, t, n = problem.model.tree.contacts[c], points.t[c], points.n[c]
        node, other = int(contact["node"]), int(contact["other"])
        here = placed.world(node, contact["centre"])
        normal, tangential = placed.row(node, here, n), placed.row(node, here, t, contact["radius"])
        if contact["discs"]:
            there = placed.world(other, contact["other_centre"])
            normal -= placed.row(other, there, n)
            tangential -= placed.row(other, there, t, -contact["other_radius"])
        elif other >= 0:  # a half-plane that a body carries
            normal -= placed.row(other, here, n)
            tangential -= placed.row(other, here, t, contact["radius"])
        rows += [normal, tangential]
    return np.array(rows).reshape(len(rows), placed.size)


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
