"""A region of inputs that knows how large inputs are: a point of rounding size beside a flat set belongs to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from modecontrol.modes.mode_response import hold
from modecontrol.polytopes import Polytope, Region, checks


def in_some(sets: Iterable[Polytope], x: np.ndarray, sizes: np.ndarray, margin: float = 0.0) -> np.ndarray:
    """Whether each row of `x` belongs to one of some sets, and keeps a margin from its inequalities."""
    found = np.zeros(len(x), dtype=bool)
    for P in sets:
        shrunk = P
        if margin:
            shrunk = Polytope(P.A, P.b - margin * np.linalg.norm(P.A, axis=1), P.C, P.d)
        found |= hold(shrunk, x, sizes)
    return found


@dataclass(frozen=True, eq=False, repr=False)
class InputRegion(Region):
    """A union of convex sets of inputs.

    Attributes
    ----------
    sizes
        Natural size of each input: what is less than `tolerances.FEASIBLE` of it is rounding.
    """

    sizes: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def contains(self, x, margin: float = 0.0):
        """Whether some piece contains inputs.

        Parameters
        ----------
        x
            Inputs (n,), or one set of them per row.
        margin
            Distance to keep from the inequalities of the piece.
        """
        x = checks.points(x, self.n)
        inside = in_some(self.pieces, np.atleast_2d(x), self.sizes, float(margin))
        return bool(inside[0]) if x.ndim == 1 else inside
