"""Whether one set lies in another: `P <= Q` iff every row of `Q` holds all over `P`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from modecontrol.polytopes import checks
from modecontrol.polytopes.operators import pieces_of
from modecontrol.polytopes.polytope import Polytope
from modecontrol.polytopes.scaling import row_size
from modecontrol.tolerances import FEASIBLE, RANK

if TYPE_CHECKING:
    from modecontrol.polytopes.region import Region

__all__ = ["is_below", "is_inside", "is_within"]


def is_inside(P: Polytope, other: Polytope) -> bool:
    """Whether every point of `P` lies in `other`, to `FEASIBLE` of the size of `P`.

    Parameters
    ----------
    P, other : Polytope
        In the same space; the empty set lies in every set.

    Returns
    -------
    bool
        One linear program per row of `other`.
    """
    checks.same_space(P, other)
    if P.is_empty:
        return True
    for rows, level in ((other.A, other.b), (other.C, other.d), (-other.C, -other.d)):
        size = row_size(rows)
        for a, h in zip(rows / size[:, None], level / size, strict=True):
            if not is_below(P, a, h):
                return False
    return True


def is_within(P: Polytope | Region, other: Polytope | Region) -> bool:
    """Whether every point of `P` lies in `other`; either may be a union of sets.

    Returns
    -------
    bool
        Of a piece in a union of several: whether nothing is left of it when they are taken away.
    """
    checks.same_space(P, other)
    mine, theirs = pieces_of(P), pieces_of(other)
    if not theirs:
        return all(piece.is_empty for piece in mine)
    return all(
        any(is_inside(piece, one) for one in theirs) or (len(theirs) > 1 and (piece - other).is_empty)
        for piece in mine
    )


def is_below(P: Polytope, a: np.ndarray, h: float) -> bool:
    """Whether `a x <= h` holds on the set. Slopes below `RANK` are rounding, not escape.

    Parameters
    ----------
    P : Polytope
        Not empty.
    a : numpy.ndarray, (n,)
        Coefficients, the largest of size one.
    h : float
        Right-hand side.

    Returns
    -------
    bool
        To `FEASIBLE`.
    """
    room = h + 10 * FEASIBLE * max(float(np.abs(a * P._scale).max(initial=0.0)), abs(h))
    found = P._reach(a)
    if found.ray is None:
        return found.value <= room
    size = np.abs(a * P._scale).max() * np.abs(found.ray / P._scale).max()
    if a @ found.ray > RANK * size:
        return False
    generators = P.generators
    slopes = [a @ ray for ray in (*generators.rays, *generators.lines, *-generators.lines)]
    return (
        max(slopes, default=0.0) <= RANK * float(np.abs(a).max())
        and float(np.max(generators.vertices @ a)) <= room
    )
