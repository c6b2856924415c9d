"""Least and greatest value of a quantity over the ambiguity variables at one torque."""

from __future__ import annotations

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.affine import Affine
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.polytopes import Polytope


def fibre(response: ModeResponse, tau: np.ndarray) -> Polytope:
    """`{w : (tau, w) in D_c}`."""
    return response.fibre(tau)


def ranges_at(response: ModeResponse, affine: Affine, tau: np.ndarray) -> dict[str, tuple[float, float]]:
    """`{name: (least, greatest)}` of every row of an affine map over the fibre at `tau`.

    At a boundary of `T_c`, where rounding may leave the fibre empty, its rows are loosened until they meet.
    """
    middle = affine.value(tau)
    if response.ambiguity_variables == 0:
        return {name: (float(value), float(value)) for name, value in zip(affine.names, middle, strict=True)}
    w = fibre(response, tau)
    if w.is_empty:
        w = loosened(w)
    found = {}
    for name, value, row in zip(affine.names, middle, affine.W, strict=True):
        least, greatest = value - w.support(-row), value + w.support(row)
        found[name] = (float(min(least, greatest)), float(max(least, greatest)))
    return found


def loosened(P: Polytope) -> Polytope:
    """The nearest set that has a point, for the fibre of inputs that a mode allows: all rows, equalities too, moved out by the
    least common distance. Rows without `w` speak of the inputs alone and are left out: what they miss is rounding.
    """
    A = np.vstack([P.A, P.C, -P.C])
    b = np.concatenate([P.b, P.d, -P.d])
    size = np.abs(A).max(axis=1, initial=0.0)
    A, b, size = A[size > 0], b[size > 0], size[size > 0]
    wide = Polytope(np.hstack([A, -size[:, None]]), b)
    distance = max(-wide.support(np.append(np.zeros(P.n), -1.0)), 0.0)
    return Polytope(A, b + distance * size * (1.0 + tolerances.FEASIBLE))
