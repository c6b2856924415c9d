"""The drag of a link in space becomes the drag of a body in the plane, with nothing lost.

Of an axis `e` with the part `p` in the plane and `n` along the plane's normal, a motion in the plane feels

    force = -quadratic abs(p . v) (p . v) p              moment = -turning_quadratic abs(n)^3 abs(w) w

so that an axis that lies askew counts with `abs(p)^3` along its projection `p`. Two axes in the plane are one drag; three that are
askew are three.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.interop.flat import Flat
from modecontrol.interop.spatial import Link, SpatialDrag


def drag_words(flat: Flat, link: Link, angle: float) -> list[dict[str, Any]]:
    """Words of the drags of a link's body.

    Parameters
    ----------
    flat
        The planar mechanism so far.
    link
        The link.
    angle
        Of the body's frame, at the reference pose.
    """
    drag = link.drag
    if drag is None or flat.rigid[link.name] == "world":
        return []
    axes, upright = flat.flat @ drag.axes, np.abs(flat.normal @ drag.axes)
    common = {
        "linear": (drag.linear, drag.linear),
        "turning": drag.turning,
        "turning_quadratic": float(drag.turning_quadratic @ upright**3),
    }
    k = int(np.argmax(upright))
    if upright[k] >= 1.0 - tolerances.ALIGNED**2:
        i, j = (axis for axis in range(3) if axis != k)
        return [{**common, **_along(axes[:, i], drag.quadratic[[i, j]], angle)}]
    across = float(flat.normal @ flat.assembly.wind)
    if abs(across) > tolerances.ALIGNED * max(1.0, float(np.linalg.norm(flat.assembly.wind))):
        flat.left_out.append(
            f"the wind across the plane on {link.name!r}, whose box of inertia is askew to it; its part within the plane is kept"
        )
    return _askew(drag, axes, common, angle)


def _askew(drag: SpatialDrag, axes: np.ndarray, common: dict[str, Any], angle: float) -> list[dict[str, Any]]:
    """A drag for each projected axis."""
    found = []
    for projected, quadratic in zip(axes.T, drag.quadratic, strict=True):
        length = float(np.linalg.norm(projected))
        if length > tolerances.ALIGNED:
            found.append(_along(projected, np.array([quadratic * length**3, 0.0]), angle))
    return [{**common, **found[0]}, *found[1:]]


def _along(direction: np.ndarray, quadratic: np.ndarray, angle: float) -> dict[str, Any]:
    """Axes within 45 degrees of the body's: an axis and its opposite are one, and both may be exchanged."""
    turn = math.atan2(direction[1], direction[0]) - angle
    quarters = round(2.0 * turn / math.pi)
    turn -= quarters * math.pi / 2.0
    first, second = quadratic[::-1] if quarters % 2 else quadratic
    small = abs(turn) <= tolerances.RIGHT_ANGLE
    return {"quadratic": (float(first), float(second)), **({} if small else {"angle": turn})}
