"""The smallest description of a set: hidden equalities out, redundant rows gone.

    row i is a hidden equality   iff   max {b_i - A_i x : x in P} = 0
    row i is redundant           iff   max {A_i x : other rows, A_i x <= b_i + 1} <= b_i   on the affine hull

The kernel answers with shooting and warm-started programs; `reduce_by_programs` asks the same questions one
linear program at a time and is the second opinion.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from modecontrol._core import polytopes as core
from modecontrol._core.layout import INFEASIBLE, OPTIMAL
from modecontrol.polytopes.checks import plain
from modecontrol.polytopes.frame import frame_of
from modecontrol.polytopes.linear_program import feasible_point, optimum
from modecontrol.polytopes.scaling import column_scale, independent_rows, rank, row_size, uneven
from modecontrol.tolerances import FLAT, RANK, REDUNDANT

__all__ = ["Reduction", "irreducible_clash", "is_bounded", "reduce_by_programs", "reduce_rows"]


@dataclass(frozen=True, eq=False)
class Reduction:
    """Which rows stay, and what for.

    Parameters
    ----------
    keep : numpy.ndarray of bool
        Inequality rows of the minimal description (facets).
    implicit : numpy.ndarray of bool
        Inequality rows that hold with equality everywhere on the set.
    hull : numpy.ndarray of int
        Independent equalities of the affine hull, as indices into the rows of `C` followed by those of `A`.
    certificate : tuple of two numpy.ndarray or None
        Farkas multipliers when the set is empty.
    """

    keep: np.ndarray
    implicit: np.ndarray
    hull: np.ndarray
    certificate: tuple[np.ndarray, np.ndarray] | None = None


def reduce_rows(A: np.ndarray, b: np.ndarray, C: np.ndarray, d: np.ndarray) -> Reduction:
    """Minimal rows of `{x : A x <= b, C x = d}` by the kernel, or by programs when it declines.

    Returns
    -------
    Reduction
        With `certificate` set when the set is empty.
    """
    A, b, C, d = plain(A), plain(b), plain(C), plain(d)
    found = core.minimal(A, b, C, d)
    if found.status == INFEASIBLE:
        return _empty(A, (found.y, found.z))
    if found.status == OPTIMAL:
        return Reduction(found.keep, found.implicit, _hull(A, C, found.implicit))
    return reduce_by_programs(A, b, C, d)


def _empty(A, certificate) -> Reduction:
    none = np.zeros(len(A), dtype=bool)
    return Reduction(none, none, np.zeros(0, dtype=int), certificate)


def _hull(A, C, implicit) -> np.ndarray:
    """Independent rows among the equalities and the hidden ones; the given equalities are taken first."""
    hidden = len(C) + np.flatnonzero(implicit)
    first = independent_rows(C)
    if len(hidden) == 0:
        return first
    rows = np.vstack([C, A])
    candidates = np.concatenate([first, hidden])
    if len(independent_rows(rows[candidates])) == len(first):
        return first
    return np.sort(candidates[independent_rows(rows[candidates])])


def reduce_by_programs(A: np.ndarray, b: np.ndarray, C: np.ndarray, d: np.ndarray) -> Reduction:
    """The same answer as `reduce_rows`, one linear program per row: slow and plain.

    Returns
    -------
    Reduction
        As `reduce_rows`.
    """
    start = feasible_point(A, b, C, d)
    if start.status == "infeasible":
        return _empty(A, start.certificate)
    size, equal = row_size(A), row_size(C)
    G, h, E, f = A / size[:, None], b / size, C / equal[:, None], d / equal
    implicit = np.array(
        [-optimum(-G[i], G, h, E, f).value >= h[i] - FLAT * max(1.0, abs(h[i])) for i in range(len(G))],
        dtype=bool,
    )
    hull = _hull(A, C, implicit)
    stacked, level = np.vstack([C, A]), np.concatenate([d, b])
    frame = frame_of(stacked[hull], level[hull], np.ones(A.shape[1]), start.point)
    constant = np.abs(G @ frame.basis).max(axis=1, initial=0.0) <= RANK
    G, h = frame.rows(A, b)
    none = np.zeros((0, frame.k)), np.zeros(0)
    keep = ~implicit & ~constant
    for i in range(len(G) - 1, -1, -1):  # from the end, so that the first of equal rows stays
        if keep[i]:
            rows = np.flatnonzero(keep)
            relaxed = h[rows].copy()
            relaxed[np.searchsorted(rows, i)] += max(1.0, abs(h[i]))
            answer = optimum(G[i], G[rows], relaxed, *none)
            keep[i] = answer.value > h[i] + REDUNDANT * max(1.0, abs(h[i]))
    return Reduction(keep, implicit, hull)


def irreducible_clash(A, b, C, d, y, z) -> tuple[np.ndarray, np.ndarray]:
    """Thin a Farkas certificate until every row of it is needed for the contradiction.

    Parameters
    ----------
    A, b, C, d : numpy.ndarray
        The empty set.
    y, z : numpy.ndarray
        A certificate of its emptiness.

    Returns
    -------
    tuple of two numpy.ndarray
        A certificate whose rows contradict each other, any one of them left out and they do not.
    """
    rows, equals = list(np.flatnonzero(y)), list(np.flatnonzero(z))
    best = y, z

    def without(rows, equals):
        answer = feasible_point(
            np.ascontiguousarray(A[rows]), b[rows], np.ascontiguousarray(C[equals]), d[equals]
        )
        if answer.status != "infeasible" or answer.certificate is None:
            return None
        y, z = np.zeros(len(A)), np.zeros(len(C))
        y[rows], z[equals] = answer.certificate
        return y, z

    for i in list(rows):
        if i in rows:
            found = without([r for r in rows if r != i], equals)
            if found is not None:
                best = found
                rows, equals = list(np.flatnonzero(found[0])), list(np.flatnonzero(found[1]))
    for j in list(equals):
        if j in equals:
            found = without(rows, [e for e in equals if e != j])
            if found is not None:
                best = found
                rows, equals = list(np.flatnonzero(found[0])), list(np.flatnonzero(found[1]))
    return best


def is_bounded(A: np.ndarray, C: np.ndarray) -> bool:
    """Whether `{r : A r <= 0, C r = 0}` is `{0}`, so that a nonempty `{x : A x <= b, C x = d}` is bounded.

    One program, `max sum -A r` cut off at 1, is either 0 or 1 however thin the cone; a rank takes care of
    lines.

    Parameters
    ----------
    A, C : numpy.ndarray
        Rows of the set.

    Returns
    -------
    bool
        True if no ray and no line exists.
    """
    n = A.shape[1]
    if n == 0:
        return True
    scale = column_scale(A, C) if uneven(A, C) else np.ones(n)
    G, E = A * scale, C * scale
    G, E = G / row_size(G)[:, None], E / row_size(E)[:, None]
    if rank(np.vstack([G, E])) < n:
        return False
    total = -G.sum(axis=0)
    cone = np.vstack([G, total]), np.concatenate([np.zeros(len(G)), [1.0]])
    return optimum(total, *cone, E, np.zeros(len(E))).value < 0.5
