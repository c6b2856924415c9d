"""Springs, pushes and loop closures in symbols."""

from __future__ import annotations

from typing import Any

from modecontrol.dynamics.couplings import Closure, Push, Spring
from modecontrol.dynamics.symbols.contact_kinematics import component, curve, slope
from modecontrol.dynamics.symbols.segments import Frame, Segment, Symbols, between, point_of

Row = tuple[Any, list[Any], Any]
"""An equation: its position, its row of the Jacobian, `Jdot v`."""


def closure_rows(closure: Closure, frames: dict[str, Frame], symbols: Symbols) -> list[Row]:
    """The equations of a closure.

    Parameters
    ----------
    closure
        Not a pin.
    frames
        Of all bodies.
    symbols
        The letters of the mechanism.
    """
    if closure.kind == "gear":
        return [_gear(closure, symbols)]
    path = _way(closure, frames, symbols)
    if closure.kind == "rod":
        length, row, drift = _distance(path, symbols)
        return [(length - symbols.scalar(closure.length), row, drift)]
    turn = _turn(closure, frames, symbols)
    if closure.kind == "weld":
        axes = (1, 0), (0, 1)
        return [
            *((component(a, 0, path), slope(a, 0, path, symbols), curve(a, 0, path, symbols)) for a in axes),
            turn,
        ]
    return [_across(closure, frames, path, symbols), turn]


def spring_force(spring: Spring, frames: dict[str, Frame], symbols: Symbols) -> tuple[list[Any], Any]:
    """Generalised forces of a spring and damper, and the energy that it holds.

    Parameters
    ----------
    spring
        Between two points.
    frames
        Of all bodies.
    symbols
        The letters of the mechanism.
    """
    import sympy as sp

    length, row, _ = _distance(_way(spring, frames, symbols), symbols)
    k, d = symbols.scalar(spring.stiffness), symbols.scalar(spring.damping)
    stretch = length - symbols.scalar(spring.length)
    rate = sp.Add(*(a * v for a, v in zip(row, symbols.velocities, strict=True)))
    return [(-k * stretch - d * rate) * a for a in row], k * stretch**2 / 2


def push_force(push: Push, frames: dict[str, Frame], symbols: Symbols) -> list[Any]:
    """Generalised forces of a push.

    Parameters
    ----------
    push
        A force at a point and a moment.
    frames
        Of all bodies.
    symbols
        The letters of the mechanism.
    """
    frame = frames[push.body]
    angle = frame.angle if push.follows else 0
    forces = slope(symbols.vector(push.force), angle, point_of(frame, symbols.vector(push.point)), symbols)
    for j in frame.turns:
        forces[j] += symbols.scalar(push.moment)
    return forces


def _way(pair: Any, frames: dict[str, Frame], symbols: Symbols) -> tuple[Segment, ...]:
    """From the other point to this one."""
    return between(
        point_of(frames[pair.other], symbols.vector(pair.other_point)),
        point_of(frames[pair.body], symbols.vector(pair.point)),
    )


def _distance(path: tuple[Segment, ...], symbols: Symbols) -> Row:
    """`l = |D|`, `e . dD/dq` and `e . Dcurve + (|D'|^2 - l'^2) / l` with `e = D / l`."""
    import sympy as sp

    v = symbols.velocities
    length = sp.sqrt(sp.Add(*(a.sign * component(a.u, a.angle, path) for a in path)))
    slopes = [slope(a.u, a.angle, path, symbols) for a in path]
    row = [
        sp.Add(*(a.sign * each[j] for a, each in zip(path, slopes, strict=True))) / length
        for j in range(len(v))
    ]
    bent = sp.Add(*(a.sign * curve(a.u, a.angle, path, symbols) for a in path)) / length
    rates = [
        sp.Add(*(a * b for a, b in zip(slope(axis, 0, path, symbols), v, strict=True)))
        for axis in ((1, 0), (0, 1))
    ]
    rate = sp.Add(*(a * b for a, b in zip(row, v, strict=True)))
    return length, row, bent + (rates[0] ** 2 + rates[1] ** 2 - rate**2) / length


def _turn(closure: Closure, frames: dict[str, Frame], symbols: Symbols) -> Row:
    """`theta_a - theta_b - angle`, whose row has whole numbers."""
    import sympy as sp

    here, there = frames[closure.body], frames[closure.other]
    row = [sp.Integer((j in here.turns) - (j in there.turns)) for j in range(len(symbols.coordinates))]
    return here.angle - there.angle - symbols.angle(closure.angle), row, sp.S.Zero


def _across(closure: Closure, frames: dict[str, Frame], path: tuple[Segment, ...], symbols: Symbols) -> Row:
    """`n . D` with `n` across the slider's axis, which turns with the other body."""
    import sympy as sp

    there = frames[closure.other]
    angle = there.angle + symbols.angle(closure.axis)
    n, t = (0, 1), (1, 0)
    row = slope(n, angle, path, symbols)
    along = component(t, angle, path)
    for j in there.turns:  # n' = -w t
        row[j] -= along
    v = symbols.velocities
    w = symbols.rate(there.turns)
    speeds = {
        a: sp.Add(*(x * y for x, y in zip(slope(a, angle, path, symbols), v, strict=True))) for a in (n, t)
    }
    # d2/dt2 (n . D) = n . D'' + 2 n' . D' + n'' . D at zero qdd, n' = -w t, n'' = -w^2 n
    drift = curve(n, angle, path, symbols) - 2 * w * speeds[t] - w**2 * component(n, angle, path)
    return component(n, angle, path), row, drift


def _gear(closure: Closure, symbols: Symbols) -> Row:
    import sympy as sp

    q = {symbol.name: i for i, symbol in enumerate(symbols.coordinates)}
    ratio, row = symbols.scalar(closure.ratio), [sp.S.Zero] * len(q)
    a, b = q[closure.coordinate], q[closure.other_coordinate]
    row[a], row[b] = sp.S.One, -ratio
    position = symbols.coordinates[a] - ratio * symbols.coordinates[b] - symbols.scalar(closure.offset)
    return position, row, sp.S.Zero
