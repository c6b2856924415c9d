"""The minimal form of a set, written out: facets, independent equalities, labels of what forces them.

Which rows these are is decided in `reduction`; here they become a set again.
"""

from __future__ import annotations

import numpy as np

from modecontrol.polytopes import labels as naming
from modecontrol.polytopes.polytope import Polytope
from modecontrol.polytopes.reduction import Reduction

__all__ = ["minimal_form"]


def minimal_form(P: Polytope) -> Polytope:
    """The same set without superfluous rows; the empty set as rows that contradict each other and cannot be
    fewer.

    Parameters
    ----------
    P : Polytope
        Any set.

    Returns
    -------
    Polytope
        With what is known of `P` (a point, its dimension) handed on.
    """
    if P.is_empty:
        y, z = P._clash
        made = P._select(np.flatnonzero(y), np.flatnonzero(z))
    else:
        made = _reduced(P)
        made.__dict__.update(_start=P._start, dimension=P.dimension)
    made.__dict__["_is_minimal"] = True
    return made


def _reduced(P: Polytope) -> Polytope:
    """Facets and a basis of the equalities, hidden ones among them."""
    keep, hull = np.flatnonzero(P._reduction.keep), P._reduction.hull
    p = len(P.d)
    rows, level = np.vstack([P.C, P.A])[hull], np.concatenate([P.d, P.b])[hull]
    words = [P.equality_labels[i] if i < p else _causes(P, i - p) for i in hull]
    made = Polytope._trusted(
        P.A[keep], P.b[keep], rows, level, tuple(P.labels[i] for i in keep), tuple(words), names=P.names
    )
    k = len(keep)
    made.__dict__["_reduction"] = Reduction(
        np.ones(k, dtype=bool), np.zeros(k, dtype=bool), np.arange(len(hull))
    )
    return made


def _causes(P: Polytope, i: int) -> frozenset[str]:
    """Labels of the rows that together force `A_i x = b_i`: those with a multiplier in `max -A_i x`."""
    if not any(P.labels) and not any(P.equality_labels):
        return frozenset()
    proof = P._reach(-P.A[i]).certificate
    if proof is None:
        return P.labels[i]
    return (
        P.labels[i] | naming.union(P.labels, proof[0] != 0) | naming.union(P.equality_labels, proof[1] != 0)
    )
