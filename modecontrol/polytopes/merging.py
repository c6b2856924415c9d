"""Fewer pieces: two polytopes whose union is convex become one.

    envelope(P, Q)  =  rows of P that hold on Q  and  rows of Q that hold on P

The union is convex iff the envelope has no point outside both (Bemporad, Fukuda and Torrisi 2001), that is,
iff envelope minus P minus Q is empty.
"""

from __future__ import annotations

import numpy as np

from modecontrol.polytopes.difference import difference
from modecontrol.polytopes.inclusion import is_below
from modecontrol.polytopes.polytope import Polytope
from modecontrol.polytopes.scaling import row_size

__all__ = ["convex_union", "merged"]


def _valid_on(P: Polytope, rows: np.ndarray, level: np.ndarray) -> np.ndarray:
    """Which rows hold everywhere on P."""
    size = row_size(rows)
    return np.array(
        [is_below(P, a, h) for a, h in zip(rows / size[:, None], level / size, strict=True)],
        dtype=bool,
    )


def convex_union(P: Polytope, Q: Polytope) -> Polytope | None:
    """The union of P and Q as one polytope, or None if it is not convex.

    Parameters
    ----------
    P, Q : Polytope
        Sets in the same space, not empty.

    Returns
    -------
    Polytope or None
        In minimal form.
    """
    if P <= Q:
        return Q
    if Q <= P:
        return P
    if P.dimension != Q.dimension:
        return None
    P, Q = P.minimal(), Q.minimal()
    for one, other in ((P, Q), (Q, P)):  # the same affine hull?
        if not (np.all(_valid_on(other, one.C, one.d)) and np.all(_valid_on(other, -one.C, -one.d))):
            return None
    of_p, of_q = np.flatnonzero(_valid_on(Q, P.A, P.b)), np.flatnonzero(_valid_on(P, Q.A, Q.b))
    envelope = P._select(of_p, np.arange(len(P.d))).intersect(Q._select(of_q, np.zeros(0, dtype=int)))
    assert isinstance(envelope, Polytope)
    outside = [piece for part in difference(envelope, P) for piece in difference(part, Q)]
    return None if outside else envelope.minimal()


def merged(pieces: list[Polytope]) -> list[Polytope]:
    """Pieces after every possible pairwise merge, tried greedily until none is left.

    Parameters
    ----------
    pieces : list of Polytope
        Not empty, in the same space.

    Returns
    -------
    list of Polytope
        With the same union.
    """
    left = list(pieces)
    i = 0
    while i < len(left):
        for j in range(i + 1, len(left)):
            joined = convex_union(left[i], left[j])
            if joined is not None:
                left[i] = joined
                del left[j]
                i = -1  # a larger piece may now merge with earlier ones
                break
        i += 1
    return left
