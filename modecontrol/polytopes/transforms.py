"""Move, scale and map sets.

translate   {x + t}              A y <= b + A t
preimage    {y : M y + t in P}   A M y <= b - A t
image       {M x + t : x in P}   preimage under the inverse, or projection of {(y, x) : y = M x + t, x in P}
"""

from __future__ import annotations

import numpy as np

from modecontrol.polytopes import checks
from modecontrol.polytopes.labels import no_labels
from modecontrol.polytopes.polytope import Polytope
from modecontrol.polytopes.scaling import column_scale, independent_rows, row_size

__all__ = ["image", "preimage", "scale", "translate"]


def translate(P: Polytope, offset: np.ndarray) -> Polytope:
    """`{x + offset : x in P}`.

    Parameters
    ----------
    P : Polytope
        The set.
    offset : numpy.ndarray
        Displacement.

    Returns
    -------
    Polytope
        With the same labels.
    """
    return Polytope._trusted(P.A, P.b + P.A @ offset, P.C, P.d + P.C @ offset, P.labels, P.equality_labels)


def scale(P: Polytope, factor) -> Polytope:
    """`{factor * x : x in P}`.

    Parameters
    ----------
    P : Polytope
        The set.
    factor : float or array_like
        One factor, or one per variable.

    Returns
    -------
    Polytope
        With the same labels where no factor is zero.
    """
    factors = (
        np.broadcast_to(np.asarray(factor, dtype=float), (P.n,))
        if np.ndim(factor) == 0
        else checks.vector(factor, P.n, "the factors")
    )
    checks.finite(factors, "factor")
    if np.all(factors != 0):
        return Polytope._trusted(P.A / factors, P.b, P.C / factors, P.d, P.labels, P.equality_labels)
    return image(P, np.diag(factors))


def preimage(P: Polytope, matrix, offset=None) -> Polytope:
    """`{y : matrix y + offset in P}`.

    Parameters
    ----------
    P : Polytope
        The set.
    matrix : array_like
        Shape (n, k).
    offset : array_like, optional
        Zero if not given.

    Returns
    -------
    Polytope
        With the same labels.
    """
    M = checks.matrix(matrix, "the matrix")
    if M.shape[0] != P.n:
        raise ValueError(f"the matrix has {M.shape[0]} rows; expected {P.n}, one per variable of the set")
    t = np.zeros(P.n) if offset is None else checks.vector(offset, P.n, "the offset")
    return Polytope._trusted(P.A @ M, P.b - P.A @ t, P.C @ M, P.d - P.C @ t, P.labels, P.equality_labels)


def image(P: Polytope, matrix, offset=None) -> Polytope:
    """`{matrix x + offset : x in P}`.

    Parameters
    ----------
    P : Polytope
        The set.
    matrix : array_like
        Shape (k, n).
    offset : array_like, optional
        Zero if not given.

    Returns
    -------
    Polytope
        In k variables.
    """
    M = checks.matrix(matrix, "the matrix", P.n)
    k, n = M.shape
    t = np.zeros(k) if offset is None else checks.vector(offset, k, "the offset")
    if k == n and len(independent_rows(M)) == n:
        # The inverse of the equilibrated matrix, so that mixed units do not cost digits.
        column = column_scale(M)
        row = row_size(M * column)
        inverse = column[:, None] * np.linalg.inv(M * column / row[:, None]) / row
        return preimage(P, inverse, -inverse @ t)
    lift = Polytope._trusted(
        np.hstack([np.zeros((len(P.A), k)), P.A]),
        P.b,
        np.vstack([np.hstack([np.eye(k), -M]), np.hstack([np.zeros((len(P.C), k)), P.C])]),
        np.concatenate([t, P.d]),
        P.labels,
        no_labels(k) + P.equality_labels,
    )
    return lift.project(np.arange(k))
