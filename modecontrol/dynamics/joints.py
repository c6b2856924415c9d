"""Joints for `Builder`: planar, revolute, prismatic, weld."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from modecontrol.dynamics import vocabulary
from modecontrol.dynamics.expressions import Expression
from modecontrol.dynamics.mechanism import Joint

Number = float | str | Expression
"""A number, or an expression in the parameters."""
Pair = Sequence[Number]


def planar(x: str, y: str, turn: str, *, at: Pair = (0.0, 0.0), angle: Number = 0.0) -> Joint:
    """Free motion in the plane: origin `at + rot(angle) (x, y)`, turned by `angle + turn`.

    Parameters
    ----------
    x, y, turn
        Names of the coordinates.
    at, angle
        Place and direction in the parent's frame from which they count.

    """
    return vocabulary.joint({"type": "planar", "coordinates": [x, y, turn], "at": at, "angle": angle})


def revolute(
    coordinate: str,
    *,
    at: Pair = (0.0, 0.0),
    angle: Number = 0.0,
    stiffness: Number = 0.0,
    damping: Number = 0.0,
    rest: Number = 0.0,
    **laws: Any,
) -> Joint:
    """A hinge: origin `at`, turned by `angle + q`, with the torque `-stiffness (q - rest) - damping v`.

    Parameters
    ----------
    coordinate
        Name of the coordinate.
    at, angle
        Place and direction in the parent's frame.
    stiffness, damping, rest
        Of a spring and damper in the hinge.
    **laws
        As in a model file: `lower`, `upper`, `stop_restitution` of stops, `friction` of a dry hinge, `armature`,
        `prescribed` and `effort`.

    """
    return _sprung(
        "revolute", coordinate, at=at, angle=angle, stiffness=stiffness, damping=damping, rest=rest, **laws
    )


def prismatic(
    coordinate: str,
    *,
    at: Pair = (0.0, 0.0),
    angle: Number = 0.0,
    stiffness: Number = 0.0,
    damping: Number = 0.0,
    rest: Number = 0.0,
    **laws: Any,
) -> Joint:
    """A slider: origin `at + rot(angle) (q, 0)`, turned by `angle`, with a spring and damper along it.

    Parameters
    ----------
    coordinate
        Name of the coordinate.
    at, angle
        Place and direction in the parent's frame.
    stiffness, damping, rest
        Of the spring and damper.
    **laws
        As in a model file: `lower`, `upper`, `stop_restitution` of stops, `friction` of a dry slider, `armature`,
        `prescribed` and `effort`.

    """
    return _sprung(
        "prismatic", coordinate, at=at, angle=angle, stiffness=stiffness, damping=damping, rest=rest, **laws
    )


def weld(*, at: Pair = (0.0, 0.0), angle: Number = 0.0) -> Joint:
    """No motion: origin `at`, turned by `angle`.

    Parameters
    ----------
    at, angle
        Place and direction in the parent's frame.

    """
    return vocabulary.joint({"type": "weld", "at": at, "angle": angle})


def _sprung(kind: str, coordinate: str, **words: Number | Pair) -> Joint:
    """A joint of one coordinate with a spring and damper."""
    return vocabulary.joint({"type": kind, "coordinate": coordinate, **words})
