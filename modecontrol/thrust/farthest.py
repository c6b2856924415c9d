"""Sets of inputs with their distance as one more variable `r`: for the inputs that are farthest from all borders."""

from __future__ import annotations

import numpy as np

from modecontrol.polytopes import Polytope


def with_radius(piece: Polytope) -> Polytope:
    """`{(tau, r) : a tau + r |a| <= b, r >= 0}`, lengths measured within the affine hull of the piece; a
    point has none.
    """
    P = piece.minimal()
    if P.dimension == 0:
        rows = np.vstack([np.append(np.zeros(P.n), sign) for sign in (1.0, -1.0)])
        return Polytope(rows, np.zeros(2), np.hstack([P.C, np.zeros((len(P.d), 1))]), P.d)
    along = P.A
    if len(P.C):
        basis = np.linalg.svd(P.C)[2][np.linalg.matrix_rank(P.C) :]
        along = P.A @ basis.T @ basis
    lengths = np.linalg.norm(along, axis=1)[:, None]
    A = np.vstack([np.hstack([P.A, lengths]), np.append(np.zeros(P.n), -1.0)])
    return Polytope(A, np.append(P.b, 0.0), np.hstack([P.C, np.zeros((len(P.d), 1))]), P.d)


def cone_over(T: Polytope) -> Polytope:
    """`{(tau, r) : tau in T widened by r}`."""
    P = T.minimal()
    rows = np.vstack([P.A, P.C, -P.C])
    return Polytope(
        np.hstack([rows, -np.linalg.norm(rows, axis=1)[:, None]]), np.concatenate([P.b, P.d, -P.d])
    )


def farthest(piece: Polytope) -> tuple[float, np.ndarray | None, None] | None:
    """Greatest `r` over a piece of `(tau, r)`; the cost is its negative."""
    answer = piece.maximize(np.append(np.zeros(piece.n - 1), 1.0))
    if answer.status == "infeasible":
        return None
    if answer.status == "unbounded":
        return -np.inf, None, None
    assert answer.point is not None
    return -float(answer.value), answer.point[:-1], None
