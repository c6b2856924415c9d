"""Hidden equalities, minimal rows and projections in exact arithmetic.

The same questions that the kernels answer in floats, asked of the rational numbers that the floats are. Slow
(milliseconds to seconds) and without any tolerance: a set that is flat only up to rounding is not flat here.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

import numpy as np

from modecontrol.polytopes.exact.program import ExactSet, exact_rank, integer_rows

__all__ = ["ExactRows", "exact_dimension", "exact_implicit", "exact_minimal", "exact_project"]


@dataclass(frozen=True)
class ExactRows:
    """`{x : A x <= b, C x = d}` with integer rows (dtype object); `is_empty` says that no point exists.

    Parameters
    ----------
    A, b, C, d : numpy.ndarray
        Integer rows.
    is_empty : bool
        Whether the set was found empty (the rows are then meaningless).
    """

    A: np.ndarray
    b: np.ndarray
    C: np.ndarray
    d: np.ndarray
    is_empty: bool = False


def _matrix(rows, n: int) -> np.ndarray:
    """Rows as a matrix of n columns, also when there are no rows or no columns."""
    rows = np.asarray(rows, dtype=object)
    return rows if rows.ndim == 2 else np.zeros((0, n), dtype=object)


def exact_implicit(A, b, C, d) -> np.ndarray:
    """Rows that hold with equality everywhere: `max b_i - A_i x = 0` over the set, which must not be empty.

    Returns
    -------
    numpy.ndarray of bool
        One entry per inequality.
    """
    A, b = np.asarray(A, dtype=object), np.asarray(b, dtype=object)
    exact = ExactSet(A, b, C, d)
    integers, _ = integer_rows(A, b)
    tight = np.ones(len(A), dtype=bool)

    def leave_out_slack_rows():
        x = exact.point
        for i in np.flatnonzero(tight):
            tight[i] = (
                sum((a * v for a, v in zip(integers[i, :-1], x, strict=True) if a), start=0)
                == integers[i, -1]
            )

    leave_out_slack_rows()
    for i in range(len(A)):
        if tight[i]:
            room = exact.room(i)
            if room is None or room > 0:
                tight[i] = False
                leave_out_slack_rows()
    return tight


def exact_dimension(A, b, C, d) -> int:
    """Affine dimension `n - rank(C and hidden equalities)`; -1 for the empty set.

    Returns
    -------
    int
        Between -1 and n.
    """
    A = np.asarray(A, dtype=object)
    if ExactSet(A, b, C, d).is_empty:
        return -1
    hidden = A[exact_implicit(A, b, C, d)]
    return A.shape[1] - exact_rank(np.vstack([_matrix(C, A.shape[1]), hidden]))


def exact_minimal(A, b, C, d) -> tuple[np.ndarray, np.ndarray] | None:
    """Which rows a minimal representation keeps: `(keep, implicit)`, or None for the empty set.

    Returns
    -------
    tuple of two numpy.ndarray of bool, or None
        Facet rows and hidden equalities.
    """
    A, b = np.asarray(A, dtype=object), np.asarray(b, dtype=object)
    C, d = _matrix(C, A.shape[1]), np.asarray(d, dtype=object)
    if ExactSet(A, b, C, d).is_empty:
        return None
    implicit = exact_implicit(A, b, C, d)
    hull, level = np.vstack([C, A[implicit]]), np.concatenate([d, b[implicit]])
    keep = ~implicit
    rows = np.flatnonzero(keep)
    rest = ExactSet(A[rows], b[rows], hull, level)
    for i in rows[::-1]:  # from the end, so that the first of equal rows stays
        if rest.excess(int(np.searchsorted(rows, i))) <= 0:
            keep[i] = False
            rows = np.flatnonzero(keep)
            rest = ExactSet(A[rows], b[rows], hull, level)
    return keep, implicit


def _combine(rows: np.ndarray, column: int) -> np.ndarray:
    """One Fourier-Motzkin step on integer rows `[A | b]`: positive rows against negative ones."""
    sign = [int(v > 0) - int(v < 0) for v in rows[:, column]]
    made = {tuple(row) for row, s in zip(rows, sign, strict=True) if s == 0}
    for up in (row for row, s in zip(rows, sign, strict=True) if s > 0):
        for down in (row for row, s in zip(rows, sign, strict=True) if s < 0):
            new = up * -down[column] + down * up[column]
            made.add(tuple(new // (gcd(*new) or 1)))
    return np.array(sorted(made), dtype=object).reshape(-1, rows.shape[1])


def exact_project(A, b, C, d, keep) -> ExactRows:
    """`{x_keep : some x_rest with A x <= b, C x = d}` by exact Fourier-Motzkin, minimal.

    Parameters
    ----------
    A, b, C, d : array_like
        The set.
    keep : array_like of bool
        Variables that stay, in their order.

    Returns
    -------
    ExactRows
        Integer rows in the kept variables.
    """
    keep = np.asarray(keep, dtype=bool)
    n = len(keep)
    inequalities, _ = integer_rows(_matrix(A, n), b)
    equalities, _ = integer_rows(_matrix(C, n), d)
    none = np.zeros((0, int(keep.sum())), dtype=object), np.zeros(0, dtype=object)
    if ExactSet(inequalities[:, :-1], inequalities[:, -1], equalities[:, :-1], equalities[:, -1]).is_empty:
        return ExactRows(*none, *none, is_empty=True)
    for column in np.flatnonzero(~keep):
        pivots = [i for i in range(len(equalities)) if equalities[i, column] != 0]
        if pivots:
            pivot = equalities[pivots[0]] * (1 if equalities[pivots[0], column] > 0 else -1)
            equalities = np.delete(equalities, pivots[0], axis=0)
            for rows in (inequalities, equalities):
                for i in range(len(rows)):
                    new = rows[i] * pivot[column] - pivot * rows[i, column]
                    rows[i] = new // (gcd(*new) or 1)
            continue
        inequalities = _combine(inequalities, int(column))
        if len(inequalities) > 12:
            found = exact_minimal(
                inequalities[:, :-1], inequalities[:, -1], equalities[:, :-1], equalities[:, -1]
            )
            assert found is not None
            equalities = np.vstack([equalities, inequalities[found[1]]])
            inequalities = inequalities[found[0]]
    A, b = inequalities[:, :-1][:, keep], inequalities[:, -1]
    C, d = equalities[:, :-1][:, keep], equalities[:, -1]
    found = exact_minimal(A, b, C, d)
    assert found is not None, "the projection of a set with a point has a point"
    facets, hidden = found
    hull, level = np.vstack([C, A[hidden]]), np.concatenate([d, b[hidden]])
    chosen: list[int] = []
    for i in range(len(hull)):
        if exact_rank(hull[[*chosen, i]]) > len(chosen):
            chosen.append(i)
    return ExactRows(A[facets], b[facets], hull[chosen], level[chosen])
