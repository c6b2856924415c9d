r"""P minus Q as convex pieces.

    P \ Q  =  union over rows i of Q of  {x in P : a_1 x <= b_1, ..., a_(i-1) x <= b_(i-1), a_i x >= b_i}

Pieces are closed and meet in their boundaries only. What counts is interior relative to the affine hull of
P: pieces thinner than `tolerances.FLAT` (rows scaled) are dropped, and a Q that meets P in a set of lower
dimension, a shared facet for one, takes nothing away.
"""

from __future__ import annotations

import numpy as np

from modecontrol.polytopes import checks
from modecontrol.polytopes.labels import Labels, denied
from modecontrol.polytopes.polytope import Polytope

__all__ = ["difference"]


def difference(P: Polytope, Q: Polytope) -> list[Polytope]:
    """Convex pieces of the closure of P minus Q, in minimal form and without common interior.

    Parameters
    ----------
    P, Q : Polytope
        Sets in the same space: empty, flat and unbounded ones included.

    Returns
    -------
    list of Polytope
        `[P]` where nothing is taken away, [] where nothing is left. The row of Q that a piece lies beyond is
        labelled "not ..." there.
    """
    checks.same_space(P, Q)
    if P.is_empty:
        return []
    both = P.intersect(Q)
    assert isinstance(both, Polytope)
    if Q.is_empty or both.is_empty or both.dimension < P.dimension:
        return [P]
    # Only rows of Q that cut through P make a piece; the reduction of P and Q together names them.
    cuts = [i - len(P.b) for i in np.flatnonzero(both._reduction.keep) if i >= len(P.b)]
    rest, pieces = P.minimal(), []
    for i in cuts:
        beyond = _with_row(rest, -Q.A[i], -Q.b[i], (denied(Q.labels[i]),))
        if beyond.dimension == P.dimension:
            pieces.append(beyond.minimal())
        rest = _with_row(rest, Q.A[i], Q.b[i], (Q.labels[i],))
    return pieces


def _with_row(P: Polytope, a: np.ndarray, h: float, label: Labels) -> Polytope:
    return Polytope._trusted(
        np.vstack([P.A, a]), np.append(P.b, h), P.C, P.d, P.labels + label, P.equality_labels, names=P.names
    )
