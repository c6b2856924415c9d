"""Kinematics of contacts and loop-closing pins in symbols: `h(q)`, its Jacobian, and `Jdot v`.

A contact's frame is `(t, n)` with `n` = `t` turned by +90 degrees, so in complex numbers `n = i t`. The
material point of a disc that touches is `c - r n`; turning with rate `w` it moves by `-i r w n = r w t`
relative to the centre, hence the `r w` in every tangential row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from modecontrol.dynamics.mechanism import Contact, Pin
from modecontrol.dynamics.symbols.segments import (
    Frame,
    Segment,
    Symbols,
    Vector,
    between,
    inner,
    point_of,
)


@dataclass(frozen=True, eq=False)
class Rows:
    """Two equations: positions (NaN where none exists), rows of the Jacobian, and `Jdot v`."""

    position: tuple[Any, Any]
    jacobian: tuple[list[Any], list[Any]]
    drift: tuple[Any, Any]


def contact_rows(contact: Contact, frames: dict[str, Frame], symbols: Symbols) -> Rows:
    """Normal and tangential row of a contact."""
    if contact.kind == "disc_disc":
        return _disc_on_disc(contact, frames, symbols)
    return _on_plane(contact, frames, symbols)


def pin_rows(pin: Pin, frames: dict[str, Frame], symbols: Symbols) -> Rows:
    """World x and y of the point of `body` minus that of `other`."""
    path = between(
        point_of(frames[pin.other], symbols.vector(pin.other_point)),
        point_of(frames[pin.body], symbols.vector(pin.point)),
    )
    x, y = (1, 0), (0, 1)
    return Rows(
        (component(x, 0, path), component(y, 0, path)),
        (slope(x, 0, path, symbols), slope(y, 0, path, symbols)),
        (curve(x, 0, path, symbols), curve(y, 0, path, symbols)),
    )


def _on_plane(contact: Contact, frames: dict[str, Frame], symbols: Symbols) -> Rows:
    """`x_n = n.D - r`, `x_t = t.D + r (theta - theta_b)` with `D` from the wall's origin to the point (radius 0) or centre; the
    wall's frame `(t, n)` turns with the body that carries it, by default the world.
    """
    import sympy as sp

    frame, wall = frames[contact.body], frames[contact.other]
    path = between(
        point_of(wall, symbols.vector(contact.origin)), point_of(frame, symbols.vector(contact.point))
    )
    tilt = wall.angle + symbols.angle(contact.tilt)
    r = symbols.scalar(contact.radius if contact.kind == "disc" else 0.0)
    n, t = (0, 1), (1, 0)
    height, way = component(n, tilt, path), component(t, tilt, path)
    across, along = slope(n, tilt, path, symbols), slope(t, tilt, path, symbols)
    speeds = {
        axis: sp.Add(*(a * b for a, b in zip(row, symbols.velocities, strict=True)))
        for axis, row in ((n, list(across)), (t, list(along)))
    }
    w = symbols.rate(wall.turns)
    for j in wall.turns:  # n' = -w t, t' = w n
        across[j] -= way
        along[j] += height - r
    for j in frame.turns:
        along[j] += r
    drift_n, drift_t = curve(n, tilt, path, symbols), curve(t, tilt, path, symbols)
    if wall.turns:
        drift_n += -2 * w * speeds[t] - w**2 * height
        drift_t += 2 * w * speeds[n] - w**2 * way
    return Rows((height - r, way + r * (frame.angle - wall.angle)), (across, along), (drift_n, drift_t))


def _disc_on_disc(contact: Contact, frames: dict[str, Frame], symbols: Symbols) -> Rows:
    """`n = D / abs(D)` with `D` from the other centre to this one; see the comments for the rest.

    The tangential velocity is not the rate of a function of `q`, so its position is NaN.
    """
    import sympy as sp

    frame, other = frames[contact.body], frames[contact.other]
    r, s = symbols.scalar(contact.radius), symbols.scalar(contact.other_radius)
    path = between(
        point_of(other, symbols.vector(contact.other_point)), point_of(frame, symbols.vector(contact.point))
    )
    distance = sp.sqrt(sp.Add(*(a.sign * component(a.u, a.angle, path) for a in path)))

    def against(values, turn: int) -> Any:
        """Inner product with n (turn = 0) or t = -i n (turn = -1), segment by segment `values(a, angle)`."""
        terms = [a.sign * values(a.u if turn == 0 else (a.u[1], -a.u[0]), a.angle) for a in path]
        return sp.Add(*terms) / distance

    def rows(turn: int) -> list[Any]:
        slopes = [slope(a.u if turn == 0 else (a.u[1], -a.u[0]), a.angle, path, symbols) for a in path]
        return [
            sp.Add(*(a.sign * row[j] for a, row in zip(path, slopes, strict=True))) / distance
            for j in range(len(symbols.coordinates))
        ]

    across = rows(0)
    centres = rows(-1)
    along = list(centres)
    for turned, radius in ((frame, r), (other, s)):
        # The other disc's material point is c' + s n, so both radii come in with the same sign.
        for j in turned.turns:
            along[j] += radius
    v = symbols.velocities
    closing = sp.Add(*(a * b for a, b in zip(across, v, strict=True)))
    passing = sp.Add(*(a * b for a, b in zip(centres, v, strict=True)))
    # D turns with rate -passing / distance, which turns n and t.
    drift_n = against(lambda a, angle: curve(a, angle, path, symbols), 0) + passing**2 / distance
    drift_t = against(lambda a, angle: curve(a, angle, path, symbols), -1) - passing * closing / distance
    return Rows((distance - r - s, sp.nan), (across, along), (drift_n, drift_t))


def component(a: Vector, angle: Any, path: tuple[Segment, ...]) -> Any:
    """`a . p` for the vector `a` turned by `angle` and the sum `p` of the segments."""
    import sympy as sp

    return sp.Add(*(s.sign * inner(a, angle, s.u, s.angle) for s in path))


def slope(a: Vector, angle: Any, path: tuple[Segment, ...], symbols: Symbols) -> list[Any]:
    """`a . dp/dq_j` for every coordinate."""
    import sympy as sp

    terms: list[list[Any]] = [[] for _ in symbols.coordinates]
    for s in path:
        for where, derivative in s.derivatives():
            value = s.sign * inner(a, angle, derivative, s.angle)
            for j in where:
                terms[j].append(value)
    return [sp.Add(*column) for column in terms]


def curve(a: Vector, angle: Any, path: tuple[Segment, ...], symbols: Symbols) -> Any:
    """`a . pdd` at `qdd = 0`, which is `d/dt (a . dp/dq) v` for an `a` that does not turn."""
    import sympy as sp

    return sp.Add(*(s.sign * inner(a, angle, acceleration(s, symbols), s.angle) for s in path))


def acceleration(s: Segment, symbols: Symbols) -> Vector:
    """`2 i w ud - w^2 u`: the Coriolis and the centripetal acceleration of a segment."""
    w, ud = symbols.rate(s.turns), _slide_rate(s, symbols)
    return -2 * w * ud[1] - w**2 * s.u[0], 2 * w * ud[0] - w**2 * s.u[1]


def derivative_rates(s: Segment, symbols: Symbols) -> list[tuple[tuple[int, ...], Vector]]:
    """`d/dt` of each of `s.derivatives()`: `i w e` for a slide along `e`, `i ud - w u` for a turn."""
    w, ud = symbols.rate(s.turns), _slide_rate(s, symbols)
    found: list[tuple[tuple[int, ...], Vector]] = [((j,), (-w * e[1], w * e[0])) for j, e in s.slides]
    if s.turns:
        found.append((s.turns, (-ud[1] - w * s.u[0], ud[0] - w * s.u[1])))
    return found


def _slide_rate(s: Segment, symbols: Symbols) -> Vector:
    x, y = (sum(symbols.velocities[j] * direction[axis] for j, direction in s.slides) for axis in (0, 1))
    return x, y
