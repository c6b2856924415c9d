"""Drag: the force by which a medium at rest, or one that moves with the mechanism's `wind`, takes energy from a body.

With `u` the velocity of a point of the body against the medium, along each of two axes of the body, and `w` the rate at which
it turns,

    force  = -(linear + quadratic abs(u)) u              moment = -(turning + turning_quadratic abs(w)) w

A box `a` along and `b` across the first axis and `c` deep has, in MuJoCo's model of a medium of density `rho` and viscosity
`eta`, with the mean side `d = (a + b + c) / 3`,

    linear = [3 pi eta d, 3 pi eta d]          quadratic = [rho b c / 2, rho a c / 2]
    turning = pi eta d^3                       turning_quadratic = rho c (a^4 + b^4) / 64
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.dynamics.expressions import Expression
from modecontrol.dynamics.places import Places, point_of, table

if TYPE_CHECKING:
    from modecontrol.dynamics.mechanism import Mechanism

Scalar = float | Expression
Point = tuple[Scalar, Scalar]

DRAG = np.dtype(
    [
        ("node", np.int64),
        ("at", float, 2),
        ("axis", float, 2),  # the first, in the node's frame
        ("linear", float, 2),
        ("quadratic", float, 2),
        ("turning", float),
        ("turning_quadratic", float),
    ]
)


@dataclass(frozen=True)
class Drag:
    """The drag of the medium on a body.

    `linear` and `quadratic` are along the axes of the body's frame, turned by `angle`. The point is `at`, by default the
    centre of mass.
    """

    linear: Point = (0.0, 0.0)
    quadratic: Point = (0.0, 0.0)
    turning: Scalar = 0.0
    turning_quadratic: Scalar = 0.0
    at: Point | None = None
    angle: Scalar = 0.0


def drag_table(mechanism: Mechanism, places: Places) -> np.ndarray:
    """One row per drag.

    Parameters
    ----------
    mechanism
        With numbers (`Mechanism.evaluated()`).
    places
        Where the bodies are.
    """
    rows = []
    for body in mechanism.bodies:
        node, _, _, turn = place = places[body.name]
        for drag in body.drag:
            angle = float(drag.angle) + turn  # type: ignore[arg-type]
            rows.append(
                {
                    "node": node,
                    "at": point_of(place, body.com if drag.at is None else drag.at),
                    "axis": (math.cos(angle), math.sin(angle)),
                    "linear": drag.linear,
                    "quadratic": drag.quadratic,
                    "turning": drag.turning,
                    "turning_quadratic": drag.turning_quadratic,
                }
            )
    return table(DRAG, rows)


def drag_words(mechanism: Mechanism) -> tuple[tuple[str, ...], ...]:
    """In words: what the medium does to each body, along both axes and as it turns, and how fast the medium moves.

    Parameters
    ----------
    mechanism
        With numbers.
    """
    rows = [
        (
            body.name,
            *(_resistance(*both, "u", "N") for both in zip(drag.linear, drag.quadratic, strict=True)),
            _resistance(drag.turning, drag.turning_quadratic, "w", "N m"),
            f"{_short(drag.angle)} rad",
        )
        for body in mechanism.bodies
        for drag in body.drag
    ]
    if rows and any(speed != 0 for speed in mechanism.wind):
        rows.append(("wind", *(f"{_short(speed)} m/s" for speed in mechanism.wind), "none", "world"))
    return tuple(rows)


def _resistance(linear: Any, quadratic: Any, speed: str, unit: str) -> str:
    """Against a speed."""
    said = [f"{_short(linear)} {speed}"] if linear > 0 else []
    said += [f"{_short(quadratic)} abs({speed}) {speed}"] if quadratic > 0 else []
    return f"{' + '.join(said)} {unit}" if said else "none"


def _short(value: Any) -> str:
    return f"{float(value) + 0.0:.6g}"
