"""The medium around the bodies of a compiled MuJoCo model, as MuJoCo counts it: on boxes that have the bodies' inertia.

With the sides `a, b, c` of the box, `d = (a + b + c) / 3`, density `rho` and viscosity `eta`, in the frame of the inertia,

    force_a  = -(3 pi eta d   + rho b c abs(v_a) / 2) v_a
    moment_a = -(pi eta d^3   + rho a (b^4 + c^4) abs(w_a) / 64) w_a

and the same with the letters exchanged; `v` is the velocity of the centre of mass against the medium.
"""

from __future__ import annotations

import math

import numpy as np

from modecontrol.interop.mjcf_links import Compiled
from modecontrol.interop.spatial import SpatialDrag
from modecontrol.tolerances import MUJOCO_NOTHING


def drags(model: Compiled) -> dict[str, SpatialDrag]:
    """What brakes each body, by its name; bodies with ellipsoids of their own are said to be left out.

    Parameters
    ----------
    model
        The compiled model.
    """
    m = model.m
    density, viscosity = max(0.0, float(m.opt.density)), max(0.0, float(m.opt.viscosity))
    if density == viscosity == 0.0:
        return {}
    found, shaped = {}, []
    for b in range(1, m.nbody):
        if not (m.body_weldid[b] and m.body_mass[b] > MUJOCO_NOTHING):
            continue
        geoms = slice(m.body_geomadr[b], m.body_geomadr[b] + m.body_geomnum[b])
        if m.body_geomnum[b] and np.any(m.geom_fluid[geoms, 0] > 0):
            shaped.append(model.body(b))
        else:
            axes = model.at.ximat[b].reshape(3, 3).copy()
            found[model.body(b)] = _drag(sides(m.body_inertia[b], m.body_mass[b]), axes, density, viscosity)
    if shaped:
        model.left_out.append(
            f"the drag of {', '.join(shaped)}, which MuJoCo counts on ellipsoids (fluidshape); drag on boxes of inertia is read"
        )
    return found


def sides(inertia: np.ndarray, mass: float) -> np.ndarray:
    """(3,): sides of the box of a mass that has these principal moments of inertia.

    Parameters
    ----------
    inertia
        Principal moments (3,).
    mass
        Mass of the body.
    """
    return np.sqrt(6.0 * np.maximum(MUJOCO_NOTHING, np.sum(inertia) - 2.0 * np.asarray(inertia)) / mass)


def _drag(box: np.ndarray, axes: np.ndarray, density: float, viscosity: float) -> SpatialDrag:
    mean, area = float(box.mean()), float(np.prod(box)) / box
    fourth = np.sum(box**4) - box**4
    return SpatialDrag(
        axes,
        linear=3.0 * math.pi * viscosity * mean,
        quadratic=0.5 * density * area,
        turning=math.pi * viscosity * mean**3,
        turning_quadratic=density / 64.0 * box * fourth,
    )
