"""The nearest point of a set.

    min |y - x|^2   over   {y : A y <= b, C y = d}

In orthonormal coordinates of the affine hull this is a least-distance problem, which nonnegative least
squares solves (Lawson and Hanson 1974, chapter 23). The rows it finds active give the point in closed form,
and the conditions of Karush, Kuhn and Tucker are checked: feasible, multipliers of the right sign.
"""

from __future__ import annotations

import numpy as np

from modecontrol import tolerances
from modecontrol.errors import UncheckedError
from modecontrol.polytopes.polytope import Polytope
from modecontrol.polytopes.scaling import row_size

__all__ = ["nearest"]


def nearest(P: Polytope, x: np.ndarray) -> np.ndarray:
    """Projection of the point x onto P.

    Parameters
    ----------
    P : Polytope
        The set, not empty.
    x : numpy.ndarray
        A point, (n,).

    Returns
    -------
    numpy.ndarray
        The point of P nearest to x; x itself if it lies in P.
    """
    if P.is_empty:
        raise ValueError(f"the set is empty (clash: {', '.join(P.clash)}); no point of it is nearest")
    if P.contains(x):
        return x
    small, Q, origin = P.minimal(), P.frame.orthonormal, P.frame.origin
    foot = origin + Q @ (Q.T @ (x - origin))
    G, g = small.A @ Q, small.b - small.A @ foot
    size = np.linalg.norm(G, axis=1)
    G, g = G / size[:, None], g / size
    unit = float(max(-g.min(initial=0.0), 0.0))
    if unit == 0.0:
        return foot
    for active in (_by_nonnegative_least_squares(G, g / unit), _by_descent(G, g / unit)):
        step = _onto(G, g / unit, active)
        if step is not None:
            return _settled(P, foot + Q @ (step * unit))
    raise UncheckedError(
        "no method found a nearest point that meets the optimality conditions",
        **P.data,
        x=x,
    )


def _settled(P: Polytope, y: np.ndarray) -> np.ndarray:
    """The point y of the border, moved by what rounding left where some variables are far smaller than others."""
    if P.contains(y):
        return y
    scale, (A, b, C, d) = P._scale, P._posed[1]
    size = row_size(A)
    A, b, z = A / size[:, None], b / size, y / scale
    tight = np.abs(A @ z - b) <= tolerances.NEAREST * np.maximum(1.0, np.abs(b))
    rows, missing = np.vstack([A[tight], C]), np.concatenate([b[tight] - A[tight] @ z, d - C @ z])
    size = row_size(rows / scale)
    return y + np.linalg.lstsq(rows / scale / size[:, None], missing / size, rcond=None)[0]


def _onto(G, g, active) -> np.ndarray | None:
    """Shortest v with `G v = g` on the active rows, if it is optimal for `G v <= g`; None otherwise."""
    rows = np.flatnonzero(active)
    for _ in range(len(g) + 1):
        v = np.linalg.lstsq(G[rows], g[rows], rcond=None)[0]
        multipliers = np.linalg.lstsq(G[rows].T, -v, rcond=None)[0]
        if np.all(multipliers >= -tolerances.NEAREST) or len(rows) == 1:
            break
        rows = np.delete(rows, np.argmin(multipliers))
    scale = max(1.0, float(np.abs(v).max(initial=0.0)))
    stationary = np.abs(G[rows].T @ multipliers + v).max(initial=0.0) <= tolerances.NEAREST * scale
    feasible = np.all(G @ v <= g + tolerances.NEAREST * np.maximum(scale, np.abs(g)))
    return v if stationary and feasible and np.all(multipliers >= -tolerances.NEAREST) else None


def _by_nonnegative_least_squares(G, g) -> np.ndarray:
    """Rows with a positive multiplier: `min |E y - f|, y >= 0` with `E = -[G, g]'`, `f = (0, ..., 0, 1)`."""
    from scipy.optimize import nnls

    E = -np.vstack([G.T, g])
    f = np.append(np.zeros(G.shape[1]), 1.0)
    try:
        y = nnls(E, f, maxiter=50 * len(g))[0]
    except RuntimeError:
        return np.zeros(len(g), dtype=bool)
    return y > tolerances.CARRYING * max(1.0, y.max(initial=0.0))


def _by_descent(G, g) -> np.ndarray:
    """Rows that are tight at the end of a general descent, when the first method was not good enough."""
    from scipy.optimize import minimize

    found = minimize(
        lambda v: 0.5 * v @ v,
        np.zeros(G.shape[1]),
        jac=lambda v: v,
        method="SLSQP",
        constraints={"type": "ineq", "fun": lambda v: g - G @ v, "jac": lambda v: -G},
        options={"ftol": tolerances.PRODUCT, "maxiter": 500},
    )
    return np.abs(G @ found.x - g) <= tolerances.NEAR_ROW * np.maximum(1.0, np.abs(g))
