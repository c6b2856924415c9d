"""Confirm float answers in exact arithmetic: `certify=True`.

The floats are taken as the rational numbers they are. A claim of "at most" is confirmed with the tolerance
that the claim was made with (`tolerances.FEASIBLE` and friends, rows scaled), the comparison itself being
exact. Sets that are flat, or rows that are redundant, only up to rounding *in an unbounded direction* cannot
be confirmed: that too is `UncheckedError`, with the reason.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from modecontrol.errors import UncheckedError
from modecontrol.polytopes.exact.program import ExactSet
from modecontrol.polytopes.polytope import Polytope
from modecontrol.polytopes.scaling import row_size
from modecontrol.tolerances import FEASIBLE, FLAT

__all__ = ["certify_empty", "certify_minimal", "certify_projection"]

_CLOSE = 100 * FLAT


def _refuse(what: str, P: Polytope, **more):
    raise UncheckedError(f"exact arithmetic does not confirm that {what}", **P.data, **more)


def _relaxed(P: Polytope, by: float) -> ExactSet:
    """P with every row, equalities both ways, let out by `by` (rows scaled)."""
    rows = np.vstack([P.A, P.C, -P.C])
    level = np.concatenate([P.b, P.d, -P.d])
    size = row_size(rows)
    return ExactSet(rows, level + by * size * np.maximum(1.0, np.abs(level) / size))


def certify_empty(P: Polytope):
    """The exact proof that P is empty, or None if it has a point.

    Returns
    -------
    tuple of two lists of Fraction, or None
        Farkas multipliers of inequalities and equalities. A set that has points only within the tolerance
        counts as not empty here as everywhere.
    """
    exact = ExactSet(*P.rows)
    if exact.is_empty == P.is_empty:
        return exact.farkas
    if P.is_empty:
        _refuse("the set is empty: it has a point", P, point=[str(v) for v in exact.point])
    if _relaxed(P, FEASIBLE).is_empty:
        _refuse("the set has a point, even within the tolerance", P, certificate=exact.farkas)
    return None


def _within(exact: ExactSet, row: np.ndarray, level: float) -> bool:
    """Whether `row x <= level` holds on the exact set, to `_CLOSE` after scaling."""
    size = float(np.abs(row).max(initial=0.0)) or 1.0
    found = exact.maximize(row.tolist())
    room = Fraction(_CLOSE * size * max(1.0, abs(level) / size))
    return found.status == "infeasible" or (found.value is not None and found.value <= Fraction(level) + room)


def _a_set_with_points(P: Polytope) -> ExactSet:
    exact = ExactSet(*P.rows)
    return _relaxed(P, FEASIBLE) if exact.is_empty else exact


def certify_minimal(P: Polytope, small: Polytope) -> None:
    """Confirm that `small` is P and cannot be smaller: every row of P valid on it, every row of it needed.

    Parameters
    ----------
    P : Polytope
        The set.
    small : Polytope
        Its claimed minimal form.
    """
    if P.is_empty:
        if certify_empty(small) is None:
            _refuse("the rows of the clash contradict each other", P)
        return
    exact = ExactSet(*small.rows)
    if exact.is_empty:
        _refuse("the minimal form has a point", P)
    for row, level in zip(np.vstack([P.A, P.C, -P.C]), np.concatenate([P.b, P.d, -P.d]), strict=True):
        if not _within(exact, row, float(level)):
            _refuse("a row that was left out holds on the minimal form", P, row=row, level=level)
    whole = _a_set_with_points(P)
    for row, level in zip(
        np.vstack([small.A, small.C, -small.C]), np.concatenate([small.b, small.d, -small.d]), strict=True
    ):
        if not _within(whole, row, float(level)):
            _refuse("a row of the minimal form holds on the set", P, row=row, level=level)
    for i in range(len(small.b)):
        if exact.excess(i) <= 0:
            _refuse("every row of the minimal form is needed", P, row=small.A[i], level=small.b[i])
        if exact.room(i) == 0:
            _refuse("no row of the minimal form is a hidden equality", P, row=small.A[i], level=small.b[i])


def certify_projection(P: Polytope, projection: Polytope, chosen: np.ndarray) -> None:
    """Confirm a projection: rows of the projection hold on P, and every generator of the projection lifts to P.

    Parameters
    ----------
    P : Polytope
        The lifted set.
    projection : Polytope
        Its claimed projection.
    chosen : numpy.ndarray of int
        The kept variables.
    """
    exact = _a_set_with_points(P)
    for row, level in zip(
        np.vstack([projection.A, projection.C, -projection.C]),
        np.concatenate([projection.b, projection.d, -projection.d]),
        strict=True,
    ):
        lifted = np.zeros(P.n)
        lifted[chosen] = row
        if not _within(exact, lifted, float(level)):
            _refuse("a row of the projection holds on the set", P, row=row, level=level, keep=chosen)
    lines = projection.lines
    for kind, generators in (
        ("vertex", projection.vertices),
        ("ray", np.vstack([projection.rays, lines, -lines])),
    ):
        level, equal = (P.b, P.d) if kind == "vertex" else (np.zeros_like(P.b), np.zeros_like(P.d))
        for point in generators:
            near = _CLOSE * np.maximum(
                np.abs(point), np.abs(point).max(initial=0.0) * 1e-3 + 1e-3 * (kind == "vertex")
            )
            pick = np.eye(P.n)[chosen]
            box = np.vstack([pick, -pick]), np.concatenate([point + near, near - point])
            lifted_set = Polytope._trusted(P.A, level, P.C, equal, P.labels, P.equality_labels)
            inside = lifted_set.intersect(Polytope(*box))
            assert isinstance(inside, Polytope)
            if ExactSet(*inside.rows).is_empty and _relaxed(inside, FEASIBLE).is_empty:
                _refuse(
                    f"every {kind} of the projection comes from a point of the set",
                    P,
                    point=point,
                    keep=chosen,
                )
