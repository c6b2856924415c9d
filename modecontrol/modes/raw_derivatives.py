"""How the raw equations of a mode, and the facets of its torque set, move with a parameter.

    E y = c,   G y >= e,        y = (qdd, f, lam, tau)  in natural units, rows divided by their largest entry

All of it is smooth in the parameter and its derivative is known (`dynamics.derivatives`). A facet of the
torque set is a combination of rows in which only the inputs are left,

    lambda >= 0:   lambda G + mu E = -(0, n),       n tau <= -(lambda e + mu c)

and while the same rows carry it, `(lambda, mu)` follows by the implicit function theorem.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.problem import Problem
from modecontrol.modes.raw_system import natural_units


class Raw(NamedTuple):
    """Raw rows of a mode: `E y = c`, `G y >= e`."""

    E: np.ndarray
    c: np.ndarray
    G: np.ndarray
    e: np.ndarray


def raw_rows(problem: Problem, mode: str, task: Sequence[int] = ()) -> Raw:
    """The rows of a mode in true units; tasks behind the mode's own, an equality among them as two
    inequalities.

    Parameters
    ----------
    problem
        The instant.
    mode
        Contact mode string.
    task
        Which rows of the task are wanted.
    """
    system = problem.system(mode)
    E, G = np.hstack([system.A, -system.B]), np.hstack([system.G, -system.E])
    e = system.e
    if len(task):
        chosen = np.array(task, int)
        T, p, equality = (
            spread(problem.task.P[chosen], problem),
            problem.task.p[chosen],
            problem.task.equality[chosen],
        )
        G = np.vstack([G, T, -T[equality]])
        e = np.concatenate([e, p, -p[equality]])
    return Raw(E, system.c, G, e)


def spread(P: np.ndarray, problem: Problem) -> np.ndarray:
    """Rows over `(qdd, f, tau)` as rows over `y`: nothing on the multipliers of the loops.

    Parameters
    ----------
    P
        Rows.
    problem
        The instant.
    """
    n = len(problem.snapshot.actuation)
    lead = n + 2 * problem.snapshot.contacts
    return np.hstack([P[:, :lead], np.zeros((len(P), len(problem.snapshot.loop_jacobian))), P[:, lead:]])


def units_of(problem: Problem) -> np.ndarray:
    """Natural size of each entry of `y`."""
    return np.concatenate(natural_units(problem.snapshot))


@dataclass(frozen=True, eq=False)
class Moving:
    """Rows of a mode with their derivatives, scaled: unknowns in natural units, rows divided by their largest
    entry.
    """

    rows: Raw
    rates: Raw

    @staticmethod
    def of(rows: Raw, rates: Raw, units: np.ndarray) -> Moving:
        """Scale rows and derivatives alike.

        Parameters
        ----------
        rows, rates
            In true units.
        units
            Natural size of each unknown.
        """
        by_E, by_G = (1.0 / _largest(matrix * units) for matrix in (rows.E, rows.G))

        def scaled(r: Raw) -> Raw:
            return Raw(by_E[:, None] * r.E * units, by_E * r.c, by_G[:, None] * r.G * units, by_G * r.e)

        return Moving(scaled(rows), scaled(rates))

    def active(self, y: np.ndarray) -> np.ndarray:
        """Rows of `G` that hold with equality at `y`.

        Parameters
        ----------
        y
            A point, in natural units.
        """
        size = np.maximum(
            np.abs(self.rows.G) @ np.abs(y) + np.abs(self.rows.e), float(np.abs(y).max(initial=0.0))
        )
        return np.flatnonzero(
            self.rows.G @ y - self.rows.e <= tolerances.ACTIVE * np.maximum(size, tolerances.TINY)
        )


class Equalities(NamedTuple):
    """`E y = c` taken apart: pseudo-inverse, null space, left null space."""

    inverse: np.ndarray
    null: np.ndarray
    left: np.ndarray

    @staticmethod
    def of(E: np.ndarray) -> Equalities:
        """By singular values.

        Parameters
        ----------
        E
            Scaled rows.
        """
        U, s, Vt = np.linalg.svd(E)
        rank = int(np.sum(s > tolerances.RANK * s[0])) if len(s) else 0
        inverse = Vt[:rank].T @ (U[:, :rank] / s[:rank]).T
        return Equalities(inverse, Vt[rank:].T, U[:, rank:])


class FacetRate(NamedTuple):
    """A facet `n tau <= e` (natural units) with its derivative; `unique` when no other derivative is
    possible.
    """

    n: np.ndarray
    e: float
    dn: np.ndarray
    de: float
    unique: bool


def facet_rate(moving: Moving, n: np.ndarray, y: np.ndarray, flat: np.ndarray) -> FacetRate | None:
    """Derivative of the facet of a torque set; None when `n` is no combination of the rows that are active at
    `y`.

    Parameters
    ----------
    moving
        Rows of the mode with their derivatives.
    n
        Its normal (natural units of the inputs).
    y
        A point of the mode on the facet.
    flat
        Equalities `(C, d)` of the torque set, in natural units: normals are known up to multiples of them.
    """
    from scipy.optimize import nnls

    rows, rates = moving.rows, moving.rates
    lead = rows.E.shape[1] - len(n)
    goal = np.concatenate([np.zeros(lead), n])
    parts = Equalities.of(rows.E)
    near = moving.active(y)
    carried, rest = (
        nnls(-(rows.G[near] @ parts.null).T, parts.null.T @ goal)
        if len(near)
        else (np.zeros(0), np.linalg.norm(parts.null.T @ goal))
    )
    if rest > tolerances.CARRIED * np.linalg.norm(goal):
        return None
    support = near[carried > tolerances.CARRIED * carried.max(initial=0.0)]
    lam = carried[carried > tolerances.CARRIED * carried.max(initial=0.0)]
    mu = -parts.inverse.T @ (goal + rows.G[support].T @ lam)
    x = np.concatenate([lam, mu])
    K, dK = np.vstack([rows.G[support], rows.E]), np.vstack([rates.G[support], rates.E])
    k, dk = np.concatenate([rows.e[support], rows.c]), np.concatenate([rates.e[support], rates.c])
    U, s, Vt = np.linalg.svd(K[:, :lead].T, full_matrices=True)
    rank = int(np.sum(s > tolerances.RANK * s[0])) if len(s) else 0
    dx = -Vt[:rank].T @ ((U[:, :rank].T @ (dK[:, :lead].T @ x)) / s[:rank])
    missed = np.linalg.norm(K[:, :lead].T @ dx + dK[:, :lead].T @ x)
    # other combinations of the same rows must give the same facet, up to multiples of itself and of the
    # equalities
    facet = -np.append(K[:, lead:].T @ x, k @ x)
    rate = -np.append(dK[:, lead:].T @ x + K[:, lead:].T @ dx, dk @ x + k @ dx)
    free = np.column_stack([Vt[rank:] @ K[:, lead:], Vt[rank:] @ k])
    span = np.linalg.qr(np.vstack([facet, flat]).T)[0]
    unique = bool(np.abs(free - free @ span @ span.T).max(initial=0.0) < tolerances.CARRIED)
    unique &= bool(missed <= tolerances.CARRIED * (1.0 + np.abs(dK).max(initial=0.0)) * np.linalg.norm(x))
    if len(flat):
        rate -= flat.T @ np.linalg.lstsq(flat[:, :-1].T, rate[:-1], rcond=None)[0]
    return FacetRate(facet[:-1], float(facet[-1]), rate[:-1], float(rate[-1]), unique)


def _largest(matrix: np.ndarray) -> np.ndarray:
    size = np.abs(matrix).max(axis=1, initial=0.0)
    return np.where(size > 0, size, 1.0)
