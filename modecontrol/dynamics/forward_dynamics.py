"""Forward dynamics and operational-space compliance by name: `dense`, `aba` or `dca`, all the same numbers.

| method         | how                                                | cost                     |
|----------------|----------------------------------------------------|--------------------------|
| `dense`        | composite-rigid-body `M`, Cholesky                 | O(n^3)                   |
| `aba`          | articulated bodies; compliance by Jain's recursion | O(n), O(n) + O(rows^2)   |
| `dca`          | divide and conquer over a balanced tree of joints  | O(n)                     |
| `dca-parallel` | the same, the joins of a level shared by the cores | O(n) work, O(log n) deep |

A simulation uses the same recursions in the core, with a workspace of its own.
"""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.model import Model
from modecontrol.dynamics.protocol import State
from modecontrol.dynamics.state import read_state

METHODS = ("aba", "dca", "dca-parallel", "dense")


class Acceleration(NamedTuple):
    """What forward dynamics answers."""

    qdd: np.ndarray
    """Generalised accelerations (n,)."""
    loop_force: np.ndarray
    """Forces in the loop-closing pins, two per pin, world axes (l,)."""


def forward_dynamics(
    model: Model,
    q: State,
    v: State,
    tau: State | None = None,
    method: str = "aba",
    force: np.ndarray | None = None,
) -> Acceleration:
    """`M qdd + b = S tau + J^T f + G^T lam`, `G qdd + e = 0`, solved for `qdd` and `lam`.

    Parameters
    ----------
    model
        Mechanism whose every joint moves mass (`M` positive definite).
    q, v
        State.
    tau
        Inputs, as a sequence or a dict by input name; None means zero.
    method
        "aba", "dca", "dca-parallel" or "dense".
    force
        Contact forces `f` (2k,), normal first; None means none.

    Raises
    ------
    ValueError
        Unknown method; wrong shapes; `M` singular, with the coordinate that moves nothing named.
    """
    snap = model.snapshot(q, v)
    tau = np.zeros(len(model.inputs)) if tau is None else read_state(tau, model.inputs, "tau")
    f = np.zeros(len(snap.velocity)) if force is None else np.asarray(force, dtype=float)
    if f.shape != snap.velocity.shape or not np.isfinite(f).all():
        raise ValueError(
            f"force has shape {f.shape}; expected {len(snap.velocity)} finite numbers, "
            "normal and tangential for each contact"
        )
    r = snap.actuation @ tau + snap.jacobian.T @ f - snap.bias
    G = snap.loop_jacobian
    X = solve(model, q, np.vstack((r, G)), method)
    free, response = X[0], X[1:]
    if not len(G):
        return Acceleration(free, np.zeros(0))
    lam = _least(G @ response.T, -(G @ free + snap.loop_drift))
    return Acceleration(free + response.T @ lam, lam)


def compliance(model: Model, q: State, method: str = "aba") -> np.ndarray:
    """`L = A M^-1 A^T` with the rows `A` of all contacts (normal first), then of all pins: (2k + l, 2k + l).

    Parameters
    ----------
    model
        Mechanism whose every joint moves mass.
    q
        Configuration.
    method
        "aba" (recursive, without `M` or `A`), "dca", "dca-parallel" or "dense".
    """
    if method == "aba":
        from modecontrol._core import dynamics as core

        q = read_state(q, model.coordinates, "q")
        bad, L = core.compliance_matrix(model.tree.core, q, np.zeros(len(q)))
        _complain(model, bad)
        return L
    snap = model.snapshot(q)
    A = np.vstack((snap.jacobian, snap.loop_jacobian))
    L = A @ solve(model, q, A, method).T
    return 0.5 * (L + L.T)


def solve(
    model: Model, q: State, R: np.ndarray, method: str = "aba", added: np.ndarray | None = None
) -> np.ndarray:
    """`X = R (M + diag(added))^-1` (m, n): rows of `R` are right-hand sides, rows of the answer their
    solutions.

    Parameters
    ----------
    model
        Mechanism whose every joint moves mass.
    q
        Configuration.
    R
        Right-hand sides (m, n).
    method
        "aba", "dca", "dca-parallel" or "dense".
    added
        Terms on the diagonal (n,), not negative: `h D + h^2 K` of a step implicit in joint dampers and
        springs; None means none.
    """
    q = read_state(q, model.coordinates, "q")
    added = np.zeros(len(q)) if added is None else np.ascontiguousarray(added, dtype=float)
    if added.shape != q.shape or not np.all(added >= 0):
        raise ValueError(
            f"added has shape {added.shape} and least entry {added.min(initial=0.0):g}; expected {len(q)} numbers, "
            "not negative"
        )
    R = np.ascontiguousarray(R, dtype=float)
    if R.ndim != 2 or R.shape[1] != len(q):
        raise ValueError(f"R has shape {R.shape}; expected rows of {len(q)} numbers")
    if method == "dense":
        bad, X = _dense(model, q, added, R)
    elif method in METHODS:
        from modecontrol._core import dynamics as core

        if method == "aba":
            bad, X = core.solve_many(model.tree.core, q, added, R)
        else:
            threads = os.cpu_count() or 1 if method == "dca-parallel" else 1
            bad, X = core.solve_many_by_halves(model.tree.core, model.plan.core, q, added, R, threads)
    else:
        raise ValueError(f"method is {method!r}; expected one of {', '.join(METHODS)}")
    _complain(model, bad)
    return X


def _dense(model: Model, q: np.ndarray, added: np.ndarray, R: np.ndarray) -> tuple[int, np.ndarray]:
    from scipy.linalg.lapack import dpotrf, dpotrs

    M = model.snapshot(q).mass + np.diag(added)
    if not len(M):
        return -1, np.zeros(R.shape)
    root = np.sqrt(np.diag(M))
    if not root.all():
        return int(np.argmin(root)), R
    factor, info = dpotrf(M / np.outer(root, root))
    pivots = np.diag(factor) ** 2
    if info > 0 or pivots.min() <= tolerances.SINGULAR:
        return info - 1 if info > 0 else int(np.argmin(pivots)), R
    return -1, (dpotrs(factor, (R / root).T)[0] / root[:, None]).T


def _complain(model: Model, bad: int) -> None:
    if bad >= 0:
        raise ValueError(
            f"model {model.name!r}: coordinate {model.coordinates[bad]!r} moves nothing "
            "that has mass here, so the mass matrix is singular and accelerations do not follow from "
            "forces; give the links mass, or use dynamic_response, which admits massless links"
        )


def _least(L: np.ndarray, right: np.ndarray) -> np.ndarray:
    """`L lam = right` for a symmetric positive semidefinite `L`, least norm where pins are redundant."""
    root = np.sqrt(np.diag(L))
    root[root == 0] = 1.0
    return np.linalg.lstsq(L / np.outer(root, root), right / root, rcond=tolerances.RANK)[0] / root
