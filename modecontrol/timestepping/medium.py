"""How much a step that is implicit in the drag of a medium counts it as inertia: `h sum_i J_i^T B_i J_i`, and body by body.

The force of a drag at the end of a step is `-(linear + quadratic abs(u)) u+` with `u` the velocity at its beginning, so that a
medium at rest never gives energy.
"""

from __future__ import annotations

import numpy as np

from modecontrol.dynamics.tree import Tree


def body_brakings(tree: Tree, q: np.ndarray, v: np.ndarray, points: np.ndarray) -> dict[int, np.ndarray]:
    """By node: wrench against the twist (turning, velocity x, y) about a point of it, (3, 3), world axes.

    Parameters
    ----------
    tree
        The mechanism's tables.
    q, v
        State.
    points
        Of each node, from its origin, world axes (n, 2).
    """
    from modecontrol._core import dynamics as core

    at = core.Kinematics(tree.core, q, v)
    found: dict[int, np.ndarray] = {}
    for drag in tree.drags:
        node = int(drag["node"])
        if node < 0:
            continue
        R = np.array([[at.cos[node], -at.sin[node]], [at.sin[node], at.cos[node]]])
        arm, axis = R @ drag["at"], R @ drag["axis"]
        axes = np.array([axis, [-axis[1], axis[0]]])
        w = at.omega[node]
        along = axes @ (np.array([at.vx[node] - w * arm[1], at.vy[node] + w * arm[0]]) - tree.wind)
        x, y = arm - points[node]
        rows = np.column_stack((axes @ [-y, x], axes))
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is told by those who ask
            wrench = rows.T @ np.diag(drag["linear"] + drag["quadratic"] * np.abs(along)) @ rows
            wrench[0, 0] += drag["turning"] + drag["turning_quadratic"] * abs(w)
        found[node] = found[node] + wrench if node in found else wrench
    return found


def joint_braking(tree: Tree, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`sum_i J_i^T B_i J_i` (n, n).

    Parameters
    ----------
    tree
        The mechanism's tables.
    q, v
        State.
    """
    from modecontrol._core import dynamics as core

    n = len(tree.nodes)
    total = np.zeros((n, n))
    if not len(tree.drags):
        return total
    units = [core.Kinematics(tree.core, q, unit) for unit in np.eye(n)]
    for node, braking in body_brakings(tree, q, v, np.zeros((n, 2))).items():
        J = np.array([[u.omega[node], u.vx[node], u.vy[node]] for u in units]).T
        with np.errstate(over="ignore", invalid="ignore"):
            total += J.T @ braking @ J
    return total
