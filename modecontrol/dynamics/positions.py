"""Where the bodies and the contacts of a tree are at a configuration."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from modecontrol.dynamics.tree import Tree

_LEFT_TURN = np.array((-1.0, 1.0))


class ContactPoints(NamedTuple):
    """Where each contact is: material point of the body nearest to its environment, frame and gap."""

    position: np.ndarray
    t: np.ndarray
    n: np.ndarray
    gap: np.ndarray


def body_frames(tree: Tree, q: np.ndarray) -> np.ndarray:
    """(bodies, 3): x, y and angle of each body's frame in the world."""
    from modecontrol._core import dynamics as core

    at = core.Kinematics(tree.core, q, np.zeros(len(q)))
    poses = np.column_stack((at.x, at.y, at.cos, at.sin, at.theta))
    found = np.empty((len(tree.bodies), 3))
    for i, (node, x, y, angle) in enumerate(tree.bodies):
        ox, oy, c, s, theta = poses[node] if node >= 0 else (0.0, 0.0, 1.0, 0.0, 0.0)
        found[i] = ox + c * x - s * y, oy + s * x + c * y, theta + angle
    return found


def contact_points(tree: Tree, q: np.ndarray) -> ContactPoints:
    """World position of each contact's material point `c - r n`, its frame and gap."""
    from modecontrol._core import dynamics as core

    found = core.contact_points(tree.core, q)
    t = found[:, 2:4].copy()
    return ContactPoints(found[:, :2].copy(), t, t[:, ::-1] * _LEFT_TURN, found[:, 4].copy())
