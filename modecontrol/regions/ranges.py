"""Least and greatest value of a quantity over the ambiguity variables at one torque."""

from __future__ import annotations

import numpy as np

from modecontrol.modes.response import Affine, ModeResponse
from modecontrol.polytopes import Polytope


def fibre(response: ModeResponse, tau: np.ndarray) -> Polytope:
    """`{w : (tau, w) in D_c}`."""
    D, inputs = response.domain, len(tau)
    return Polytope(D.A[:, inputs:], D.b - D.A[:, :inputs] @ tau, D.C[:, inputs:], D.d - D.C[:, :inputs] @ tau)


def ranges_at(response: ModeResponse, affine: Affine, tau: np.ndarray) -> dict[str, tuple[float, float]]:
    """`{name: (least, greatest)}` of every row of an affine map over the fibre at `tau`."""
    middle = affine.value(tau)
    if response.ambiguity_variables == 0:
        return {name: (float(value), float(value)) for name, value in zip(affine.names, middle, strict=True)}
    w = fibre(response, tau)
    return {name: (float(value - w.support(-row)), float(value + w.support(row)))
            for name, value, row in zip(affine.names, middle, affine.W, strict=True)}
