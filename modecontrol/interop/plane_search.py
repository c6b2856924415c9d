"""The plane in which a mechanism moves, found from the axes of its joints.

Joints that turn have the plane's normal as their axis; joints that slide have it across. Where these leave a choice,
the plane contains the direction of gravity.
"""

from __future__ import annotations

import numpy as np

from modecontrol import tolerances
from modecontrol.interop.plane_axes import AXES, direction, plane_axes
from modecontrol.interop.spatial import Assembly, SpatialJoint

NAMED = {"y": "xz", "z": "xy", "x": "yz"}
"""The plane across each axis of the file, the usual one first."""


def find_plane(assembly: Assembly, locked: frozenset[str] = frozenset()) -> tuple[str, np.ndarray]:
    """What to call the plane of the motion, and its axes as `plane_axes` has them.

    Parameters
    ----------
    assembly
        What a reader found in a file.
    locked
        Joints that are held, so that their axes do not count.

    Raises
    ------
    ValueError
        The joints do not move in one plane; the message names two that do not agree.
    """
    moving = [j for link in assembly.links for j in link.joints if j.name not in locked]
    turning = [j for j in moving if j.kind in ("turn", "plane")]
    sliding = [j for j in moving if j.kind == "slide"]
    normal = turning[0].axis if turning else _across(sliding, assembly.gravity)
    for j in turning:
        if np.linalg.norm(np.cross(j.axis, normal)) > tolerances.ALIGNED:
            raise ValueError(
                f"{assembly.name}: joint {j.name!r} turns about ({direction(j.axis)}) and joint {turning[0].name!r} about "
                f"({direction(normal)}); expected one plane of motion: name those out of it in locked, or name the plane"
            )
    for j in sliding:
        if abs(j.axis @ normal) > tolerances.ALIGNED:
            why = f"joint {turning[0].name!r} turns about" if turning else "the other joints move across"
            raise ValueError(
                f"{assembly.name}: joint {j.name!r} slides along ({direction(j.axis)}) and {why} "
                f"({direction(normal)}); expected a direction within the plane: name it in locked, or name the plane"
            )
    return _seen(normal, assembly.gravity)


def _across(sliding: list[SpatialJoint], gravity: np.ndarray) -> np.ndarray:
    """A direction across all slides, and across gravity if that leaves one."""
    found: list[np.ndarray] = []
    for along in (*(j.axis for j in sliding), gravity):
        length = float(np.linalg.norm(along))
        for before in found[:1]:
            normal = np.cross(before, along)
            if np.linalg.norm(normal) > tolerances.ALIGNED * length:
                return normal / np.linalg.norm(normal)
        if length > 0:
            found.append(along / length)
    for axis in NAMED:
        if all(abs(np.array(AXES[axis]) @ along) <= tolerances.ALIGNED for along in found):
            return np.array(AXES[axis])
    away = np.eye(3)[int(np.argmin(np.abs(found[0])))]
    normal = np.cross(found[0], away)
    return normal / np.linalg.norm(normal)


def _seen(normal: np.ndarray, gravity: np.ndarray) -> tuple[str, np.ndarray]:
    """The plane across a normal: that of two axes of the file, or one with gravity downwards."""
    for axis, name in NAMED.items():
        if np.linalg.norm(np.cross(AXES[axis], normal)) <= tolerances.ALIGNED:
            return name, plane_axes(name)
    for up in (-gravity, np.array(AXES["z"]), np.array(AXES["y"])):
        up = up - (up @ normal) * normal
        if np.linalg.norm(up) > tolerances.ALIGNED * max(1.0, float(np.linalg.norm(gravity))):
            break
    up = up / np.linalg.norm(up)
    right = np.cross(up, normal)
    if right[int(np.argmax(np.abs(right)))] < 0:
        right, normal = -right, -normal
    return f"across ({direction(normal)})", np.array([right, up, normal])
