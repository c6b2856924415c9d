"""The mechanism as the page draws it: outlines, joints, walls, contact frames, and accelerations of the
bodies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from modecontrol.page.laws import drawn
from modecontrol.view import bodies, ground

if TYPE_CHECKING:
    from modecontrol.dynamics.mechanism import Mechanism
    from modecontrol.dynamics.model import Model
    from modecontrol.dynamics.protocol import PlanarModel

MOMENT = 1e-4
"""Time (s) over which the motion is differentiated twice: errors near 1e-7 of the accelerations (pictures
only).
"""


BAND, FAR = 0.04, 20.0
"""Width of the band below terrain and how far its ends are drawn, in sizes of the mechanism (pictures only)."""


def has_bodies(model: PlanarModel) -> TypeGuard[Model]:
    """Whether a model is made of bodies, which can be drawn; a Lagrangian is not.

    Parameters
    ----------
    model
        Any model.
    """
    return hasattr(model, "frames")


def geometry(model: PlanarModel) -> dict[str, Any] | None:
    """What does not move, for given parameters: corners in body frames, centres of mass, walls, the size of
    it all.

    Parameters
    ----------
    model
        A model; one without bodies (a Lagrangian) gives None.
    """
    if not has_bodies(model):
        return None
    numbers: Any = model.numbers  # every entry a number
    shown: list[dict[str, Any]] = []
    for body, points in zip(numbers.bodies, bodies.outlines_in_body(model), strict=True):
        shown.append(
            {
                "name": body.name,
                "outline": points.tolist(),
                "com": [float(x) for x in body.com],
                "mass": float(body.mass),
            }
        )
    for i, points in ground.touching_shapes(model):
        shown[i].setdefault("shapes", []).append(points.tolist())
    box = bodies.extent(model, [model.start])
    return {"bodies": shown, "walls": _walls(numbers), "ground": _ground(model, box), "box": box.tolist()}


def scene(model: PlanarModel, q: np.ndarray) -> dict[str, Any] | None:
    """What moves: poses of the bodies, joints, discs and contacts at one configuration.

    Parameters
    ----------
    model
        A model; one without bodies gives None.
    q
        Configuration.
    """
    if not has_bodies(model):
        return None
    points = model.contact_points(q)
    return {
        "poses": model.frames(q).tolist(),
        "joints": [list(map(float, joint)) for joint in bodies.joints(model, q)],
        "discs": [[float(x), float(y), float(r)] for (x, y), r in bodies.discs(model, q)],
        "contacts": [
            {"at": p.tolist(), "t": t.tolist(), "n": n.tolist(), "gap": float(gap), "mu": float(mu), **law}
            for p, t, n, gap, mu, law in zip(
                points.position,
                points.t,
                points.n,
                points.gap,
                model.tree.friction,
                drawn(model, q, points.gap),
                strict=True,
            )
        ],
    }


def body_accelerations(model: Model, q: np.ndarray, v: np.ndarray, qdd: np.ndarray) -> list[list[float]]:
    """`(a_x, a_y, alpha)` of each body at its centre of mass, from `q(t) = q + v t + qdd t^2 / 2`.

    Parameters
    ----------
    model
        A `Model`.
    q, v, qdd
        Configuration, velocity, acceleration.
    """
    numbers: Any = model.numbers  # every entry a number
    com = np.array([[float(x) for x in body.com] for body in numbers.bodies]).reshape(-1, 2)

    def centres(t: float) -> np.ndarray:
        x, y, angle = model.frames(q + v * t + 0.5 * qdd * t * t).T
        c, s = np.cos(angle), np.sin(angle)
        return np.column_stack([x + c * com[:, 0] - s * com[:, 1], y + s * com[:, 0] + c * com[:, 1], angle])

    return ((centres(MOMENT) - 2 * centres(0.0) + centres(-MOMENT)) / MOMENT**2).tolist()


def _walls(numbers: Mechanism) -> list[dict[str, list[float]]]:
    """Half-planes that contacts touch, each once: a point, the tangent and the normal out of the solid."""
    return [
        {"at": origin.tolist(), "t": t.tolist(), "n": [-float(t[1]), float(t[0])]}
        for origin, t in ground.half_planes(numbers)
    ]


def _ground(model: Model, box: np.ndarray) -> list[dict[str, Any]]:
    """Terrain and fixed shapes: the line that is touched and a band on its solid side."""
    walls = len(ground.half_planes(model.numbers))
    size = float(np.ptp(box, axis=1).max())
    return [
        {"line": surface.line.tolist(), "band": surface.band(BAND * size).tolist()}
        for surface in ground.surfaces(model, box, FAR * size)[walls:]
    ]
