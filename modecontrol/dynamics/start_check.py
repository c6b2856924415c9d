"""Does a mechanism start where its laws let it be? Stops and cables at the configuration `start`."""

from __future__ import annotations

import math

from modecontrol import tolerances
from modecontrol.dynamics.contact_entries import has_stop, value
from modecontrol.dynamics.mechanism import WORLD, Mechanism


def check_start(mechanism: Mechanism) -> None:
    """Refuse a start beyond a stop, or with a cable that is too short to reach.

    Parameters
    ----------
    mechanism
        With names and numbers that were checked, parents before children.

    Raises
    ------
    ValueError
        In one line that begins with the body or the cable it concerns.
    """
    values = mechanism.parameters
    for body in mechanism.bodies:
        joint = body.joint
        if not has_stop(joint, values):
            continue
        at = value(mechanism.start.get(joint.coordinates[0], 0.0), values)
        lower, upper = value(joint.lower, values), value(joint.upper, values)
        if not lower - tolerances.GAP <= at <= upper + tolerances.GAP:
            raise ValueError(
                f"body '{body.name}': joint starts at {joint.coordinates[0]} = {at:g}, beyond its stops "
                f"[{lower:g}, {upper:g}]; a start between them was expected"
            )
    if mechanism.cables:
        frames = _frames(mechanism)
        for cable in mechanism.cables:
            (ax, ay), (bx, by) = (
                _place(frames[name], (value(point[0], values), value(point[1], values)))
                for name, point in ((cable.body, cable.point), (cable.other, cable.other_point))
            )
            distance, length = math.hypot(ax - bx, ay - by), value(cable.length, values)
            if distance > length + tolerances.GAP:
                raise ValueError(
                    f"cable '{cable.name}': its ends start {distance:g} apart, more than its length {length:g}; "
                    "a longer cable or another start was expected"
                )


def _frames(mechanism: Mechanism) -> dict[str, tuple[float, float, float]]:
    """x, y and angle of each body's frame in the world at the start."""
    values, found = mechanism.parameters, {WORLD: (0.0, 0.0, 0.0)}
    for body in mechanism.bodies:
        joint = body.joint
        q = [value(mechanism.start.get(name, 0.0), values) for name in joint.coordinates]
        at, angle = (value(joint.at[0], values), value(joint.at[1], values)), value(joint.angle, values)
        x, y = _place(found[body.parent], at)
        angle += found[body.parent][2]
        slide = {"planar": q[:2], "prismatic": [*q, 0.0]}.get(joint.kind, [0.0, 0.0])
        turn = q[-1] if joint.kind in ("planar", "revolute") else 0.0
        x, y = _place((x, y, angle), (slide[0], slide[1]))
        found[body.name] = (x, y, angle + turn)
    return found


def _place(frame: tuple[float, float, float], point: tuple[float, float]) -> tuple[float, float]:
    c, s = math.cos(frame[2]), math.sin(frame[2])
    return frame[0] + c * point[0] - s * point[1], frame[1] + s * point[0] + c * point[1]
