"""The plan of divide and conquer: which bodies are joined with which, in what order.

Massless nodes (the slides inside a planar joint, links without mass) are taken into the joint of the body
that they carry, because a body without mass and inertia has no handle equations. Each connected part of the
tree, with the ground below its root, is cut at the joint that halves it best, and so on down to single
bodies.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.dynamics.tree import Tree

if TYPE_CHECKING:
    from modecontrol._core.compiled import dynamics as core

JOINT = np.dtype([("node", np.int64), ("first", np.int64), ("count", np.int64)])
PART = np.dtype([("handles", np.int64)])
JOIN = np.dtype([(name, np.int64) for name in ("a", "b", "joint", "place_a", "place_b", "result")])


@dataclass(frozen=True, eq=False)
class Plan:
    """What `modecontrol/_core/dynamics/handles.hpp` works through; tables are structured arrays.

    Parameters
    ----------
    tree
        The mechanism's tables.
    joints
        The joint that carries each body: node of the body, first place in `members` and number of nodes (1 to
        3).
    members
        Nodes of the joints, joint by joint (n,).
    parts
        Number of handles of each body, ground and result of a join, in this order.
    handles
        Joints by the numbers of the bodies they carry, part by part.
    joins
        The two sides, their joint, its place among the handles of each, and the result; ordered by level.
    levels
        First join of each level, and the number of joins.
    """

    tree: Tree
    joints: np.ndarray
    members: np.ndarray
    parts: np.ndarray
    handles: np.ndarray
    joins: np.ndarray
    levels: np.ndarray

    @cached_property
    def core(self) -> core.JoiningPlan:
        """The same in the compiled core."""
        from modecontrol._core import dynamics

        return dynamics.JoiningPlan(
            self.tree.core, self.joints, self.parts, self.joins, self.members, self.handles, self.levels
        )

    @property
    def depth(self) -> int:
        """Number of levels: about the logarithm of the number of bodies for a chain."""
        return len(self.levels) - 1


def plan_of(tree: Tree, names: tuple[str, ...]) -> Plan:
    """Make the plan for a tree.

    Parameters
    ----------
    tree
        The mechanism's tables.
    names
        Names of the coordinates, for messages.

    Raises
    ------
    ValueError
        A body has mass but no inertia, no mass at its end, or branches without mass: use `method="aba"` then.
    """
    node_of, joints = _bodies(tree, names)
    number = {node: g for g, node in enumerate(node_of)}
    parents = [int(tree.nodes["parent"][joint[0]]) for joint in joints]
    parent = [number[p] if p >= 0 else -1 for p in parents]
    work = _Assembly(parent)
    for root in (g for g, p in enumerate(parent) if p < 0):
        work.split(_below(parent, root), grounded=True)
    return work.plan(tree, node_of, joints)


def _bodies(tree: Tree, names: tuple[str, ...]) -> tuple[list[int], list[list[int]]]:
    """Nodes that are bodies, and for each the nodes of its joint: the massless ones above it, and itself."""
    children: dict[int, list[int]] = {}
    parents, masses = tree.nodes["parent"].tolist(), tree.nodes["mass"].tolist()
    for node, p in enumerate(parents):
        children.setdefault(p, []).append(node)
    node_of, joints = [], []
    for node, (mass, inertia) in enumerate(zip(masses, tree.nodes["inertia"].tolist(), strict=True)):
        below = len(children.get(node, []))
        if mass > 0 and inertia > 0:
            joint, p = [node], parents[node]
            while p >= 0 and not masses[p] > 0:
                joint.insert(0, p)
                p = parents[p]
            if len(joint) > 3:
                raise ValueError(_refusal(names[node], f"hangs on {len(joint) - 1} massless links in a row"))
            node_of.append(node)
            joints.append(joint)
        elif mass > 0 or inertia > 0:
            raise ValueError(_refusal(names[node], f"has mass {mass:g} and inertia {inertia:g}"))
        elif below != 1:
            raise ValueError(_refusal(names[node], f"has no mass and carries {below} others"))
    return node_of, joints


def _refusal(name: str, found: str) -> str:
    return (
        f"divide and conquer needs bodies with mass and inertia, but what coordinate {name!r} moves "
        f"{found}; use method='aba' or 'dense'"
    )


def _below(parent: list[int], root: int) -> list[int]:
    """Bodies of the subtree of `root`, parents first."""
    found, inside = [], {root}
    for g in range(root, len(parent)):
        if g == root or parent[g] in inside:
            inside.add(g)
            found.append(g)
    return found


class _Assembly:
    """Collects subassemblies and joins while a tree is cut up."""

    def __init__(self, parent: list[int]) -> None:
        self.parent = parent
        self.children: list[list[int]] = [[] for _ in parent]
        for g, p in enumerate(parent):
            if p >= 0:
                self.children[p].append(g)
        self.grounds: dict[int, int] = {}
        self.joins: list[tuple[int, tuple, tuple, int]] = []
        """level, (kind, number) of both sides, joint."""
        self.handles: dict[tuple, list[int]] = {}

    def split(self, bodies: list[int], grounded: bool) -> tuple[tuple, int]:
        """Plan a connected set of bodies (parents first), with the ground or without: what it becomes, and at
        which level.
        """
        if len(bodies) == 1 and not grounded:
            key = ("body", bodies[0])
            self.handles[key] = [bodies[0], *self.children[bodies[0]]]
            return key, 0
        joint, right = self._cut(bodies, grounded)
        left = [g for g in bodies if g not in right]
        if left:
            a, level_a = self.split(left, grounded)
        else:
            a, level_a = ("ground", joint), 0
            self.handles[a] = [joint]
            self.grounds[joint] = len(self.grounds)
        b, level_b = self.split([g for g in bodies if g in right], grounded=False)
        level = max(level_a, level_b) + 1
        key = ("join", len(self.joins))
        self.joins.append((level, a, b, joint))
        self.handles[key] = [h for side in (a, b) for h in self.handles[side] if h != joint]
        return key, level

    def _cut(self, bodies: list[int], grounded: bool) -> tuple[int, set[int]]:
        """The joint that halves the set best, and the bodies beyond it."""
        inside, size = set(bodies), dict.fromkeys(bodies, 1)
        for g in reversed(bodies):
            if self.parent[g] in inside:
                size[self.parent[g]] += size[g]
        total = len(bodies) + grounded
        cuts = [g for g in bodies if self.parent[g] in inside or (grounded and g == bodies[0])]
        joint = min(cuts, key=lambda g: abs(2 * size[g] - total))
        beyond = {joint}
        for g in bodies:
            if self.parent[g] in beyond:
                beyond.add(g)
        return joint, beyond

    def plan(self, tree: Tree, node_of: list[int], joints: list[list[int]]) -> Plan:
        """Number everything: bodies, grounds, joins by level."""
        order = sorted(range(len(self.joins)), key=lambda j: self.joins[j][0])
        keys: list[tuple[str, int]] = [("body", g) for g in range(len(node_of))] + [
            ("ground", g) for g in self.grounds
        ]
        keys += [("join", j) for j in order]
        number = {key: i for i, key in enumerate(keys)}
        joins = [
            (
                number[a],
                number[b],
                joint,
                self.handles[a].index(joint),
                self.handles[b].index(joint),
                number["join", j],
            )
            for j in order
            for _, a, b, joint in (self.joins[j],)
        ]
        level = [self.joins[j][0] for j in order]
        starts = [i for i, value in enumerate(level) if i == 0 or value != level[i - 1]]
        firsts = np.cumsum([0, *(len(joint) for joint in joints)])
        return Plan(
            tree,
            joints=_table([(node, firsts[g], len(joints[g])) for g, node in enumerate(node_of)], JOINT),
            members=_table([node for joint in joints for node in joint]),
            parts=_table([(len(self.handles[key]),) for key in keys], PART),
            handles=_table([h for key in keys for h in self.handles[key]]),
            joins=_table(joins, JOIN),
            levels=_table([*starts, len(order)]),
        )


def _table(rows: list, dtype: Any = np.int64) -> np.ndarray:
    return np.array(rows, dtype=dtype)
