"""The drag of a medium in symbols."""

from __future__ import annotations

from typing import Any

from modecontrol.dynamics.drag import Drag
from modecontrol.dynamics.mechanism import Body, Point
from modecontrol.dynamics.symbols.contact_kinematics import slope
from modecontrol.dynamics.symbols.segments import Frame, Symbols, inner, point_of


def drag_force(body: Body, drag: Drag, wind: Point, frame: Frame, symbols: Symbols) -> list[Any]:
    """Generalised forces `-(linear + quadratic abs(u)) u du/dv` along both axes, and the same of the turning.

    Parameters
    ----------
    body
        What moves in the medium.
    drag
        One of its drags.
    wind
        Velocity of the medium.
    frame
        Of the body.
    symbols
        The letters of the mechanism.
    """
    import sympy as sp

    path = point_of(frame, symbols.vector(body.com if drag.at is None else drag.at))
    angle = frame.angle + symbols.angle(drag.angle)
    forces = [sp.S.Zero] * len(symbols.velocities)
    for axis, linear, quadratic in zip(((1, 0), (0, 1)), drag.linear, drag.quadratic, strict=True):
        row = slope(axis, angle, path, symbols)
        speed = sp.Add(*(a * v for a, v in zip(row, symbols.velocities, strict=True)))
        speed -= inner(symbols.vector(wind), 0, axis, angle)
        force = _resistance(symbols.scalar(linear), symbols.scalar(quadratic), speed)
        forces = [found + force * a for found, a in zip(forces, row, strict=True)]
    moment = _resistance(
        symbols.scalar(drag.turning), symbols.scalar(drag.turning_quadratic), symbols.rate(frame.turns)
    )
    for j in frame.turns:
        forces[j] += moment
    return forces


def _resistance(linear: Any, quadratic: Any, speed: Any) -> Any:
    """`-(linear + quadratic abs(speed)) speed`."""
    import sympy as sp

    from modecontrol.dynamics.symbols.magnitude import Abs

    if speed == 0 or (linear == 0 and quadratic == 0):
        return sp.S.Zero
    return -(linear + quadratic * Abs(speed) if quadratic != 0 else linear) * speed
