"""The velocity nearest to a measured one at which chosen contacts rest."""

from __future__ import annotations

import numpy as np

from modecontrol import tolerances


def nearest_velocity(M: np.ndarray, J: np.ndarray, A: np.ndarray, v: np.ndarray, mass: float) -> np.ndarray:
    """`argmin (v' - v)^T W (v' - v)` subject to `A v' = 0`, `W = M + LIGHT diag(m r_i^2 + M_ii)`.

    With `W = R^T R` and `x = R (v' - v)` it is the least-norm solution of `A R^-1 x = -A v`, rows scaled,
    redundant rows allowed.

    Parameters
    ----------
    M
        Mass matrix (n, n), possibly singular.
    J
        Contact Jacobian (2k, n), from which the reach `r_i^2 = max_c J_ci^2` of each coordinate is taken.
    A
        Rows that must vanish (r, n).
    v
        Velocity to stay near to (n,).
    mass
        Total mass m, which brings the second term of `W` to the units of the first.
    """
    reach = np.abs(np.vstack((J, A))).max(axis=0, initial=0.0) ** 2
    extra = tolerances.LIGHT * ((mass if mass > 0 else 1.0) * reach + np.diag(M))
    extra[extra == 0] = 1.0
    root = np.sqrt(np.diag(M) + extra)
    R = np.linalg.cholesky((M + np.diag(extra)) / np.outer(root, root)).T * root
    scaled = np.linalg.solve(R.T, A.T).T
    sizes = np.linalg.norm(scaled, axis=1)
    keep = sizes > 0
    rows, right = scaled[keep] / sizes[keep, None], -(A @ v)[keep] / sizes[keep]
    x = np.linalg.lstsq(rows, right, rcond=tolerances.RANK)[0]
    return v + np.linalg.solve(R, x)
