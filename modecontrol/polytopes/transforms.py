"""Move, scale and map sets.

translate   {x + t}              A y <= b + A t
slice       {y : (y, v) in P}    A_y y <= b - A_v v
extend      {(x, y) : x in P}    [A 0] (x, y) <= b
preimage    {y : M y + t in P}   A M y <= b - A t
image       {M x + t : x in P}   preimage under the inverse, or projection of {(y, x) : y = M x + t, x in P}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from modecontrol.polytopes import checks, variables
from modecontrol.polytopes.labels import no_labels
from modecontrol.polytopes.polytope import Polytope
from modecontrol.polytopes.scaling import column_scale, rank, row_size
from modecontrol.tolerances import SMALLEST
from modecontrol.validation import check_count, check_number, real_array, shown

__all__ = ["extended", "image", "intersection", "preimage", "scale", "slice_at", "translate"]


def intersection(P: Polytope, Q: Polytope) -> Polytope:
    """The rows of both sets, with their labels.

    Returns
    -------
    Polytope
        Not reduced.
    """
    checks.same_space(P, Q)
    return Polytope._trusted(
        np.vstack([P.A, Q.A]),
        np.concatenate([P.b, Q.b]),
        np.vstack([P.C, Q.C]),
        np.concatenate([P.d, Q.d]),
        P.labels + Q.labels,
        P.equality_labels + Q.equality_labels,
        names=variables.common(P.names, Q.names),
    )


def slice_at(P: Polytope, values: Mapping) -> Polytope:
    """The set where some variables have given values, in the others.

    Parameters
    ----------
    P : Polytope
        The set.
    values : mapping
        Values by name or number of a variable.

    Returns
    -------
    Polytope
        With the same labels.
    """
    if not isinstance(values, Mapping):
        raise TypeError(
            f"found {type(values).__name__}; expected a mapping from variables to values: {{0: 0.25}}"
        )
    fixed = [variables.index(key, P.names, P.n) for key in values]
    if len(set(fixed)) != len(fixed):
        raise ValueError(f"values names a variable twice ({', '.join(map(str, values))}); expected each once")
    rest = [i for i in range(P.n) if i not in fixed]
    v = np.array([check_number(value, f"the value of {key!r}") for key, value in values.items()], dtype=float)
    return Polytope._trusted(
        P.A[:, rest],
        P.b - P.A[:, fixed] @ v,
        P.C[:, rest],
        P.d - P.C[:, fixed] @ v,
        P.labels,
        P.equality_labels,
        names=variables.some(P.names, rest),
    )


def extended(P: Polytope, k: int, names: Sequence[str] | None = None) -> Polytope:
    """The set with more variables, free ones, at its end.

    Parameters
    ----------
    P : Polytope
        The set.
    k : int
        How many variables.
    names : sequence of str, optional
        Their names.

    Returns
    -------
    Polytope
        With the same labels.
    """
    k = check_count(k, "k, the number of new variables,", greatest=10_000)
    new = variables.as_names(names, k)
    every = (
        None if P.names is None or (new is None and k) else variables.as_names(P.names + (new or ()), P.n + k)
    )
    return Polytope._trusted(
        np.hstack([P.A, np.zeros((len(P.b), k))]),
        P.b,
        np.hstack([P.C, np.zeros((len(P.d), k))]),
        P.d,
        P.labels,
        P.equality_labels,
        names=every,
    )


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
    return Polytope._trusted(
        P.A, P.b + P.A @ offset, P.C, P.d + P.C @ offset, P.labels, P.equality_labels, names=P.names
    )


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
    factors = real_array(factor, "factor")
    if np.any((factors != 0) & (np.abs(factors) < SMALLEST)):
        raise ValueError(f"factor is {shown(factor)}; expected zero, or numbers above {SMALLEST:g}")
    factors = np.full(P.n, factors) if factors.ndim == 0 else checks.vector(factors, P.n, "the factors")
    if np.all(factors != 0):
        return Polytope._trusted(
            P.A / factors, P.b, P.C / factors, P.d, P.labels, P.equality_labels, names=P.names
        )
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
    if k == n and rank(M) == n:
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
