"""Directional derivatives of a linear program whose data move: `max goal y` over `E y = c`, `G y >= e`.

Where multipliers and optimum are unique the derivative is `goal' y + pi (G' y - e') + mu (E' y - c')`.
Otherwise (Gol'shtein) it is the value of a program in the optimal points `y` and their velocities `z`, see
the head of `gradient.py`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.raw_derivatives import Equalities, Moving
from modecontrol.polytopes import Polytope

SLACK = 1e-3
"""Slack (natural units) that shows beyond doubt that a row can be left."""


class Goal(NamedTuple):
    """`row y + constant` (natural units) with the derivatives of both; not `whole` when it concerns the
    inputs alone.
    """

    row: np.ndarray
    rate: np.ndarray
    constant_rate: float
    whole: bool = True
    constant: float = 0.0


class Step(NamedTuple):
    """Derivative of the value in one direction (minus infinite where nothing is left there), with the optimum from which it
    is reached and the velocity of this optimum.
    """

    rate: float
    y: np.ndarray
    z: np.ndarray


class Directional(NamedTuple):
    """What happens in the directions +1 and -1; `unique` when one formula gives both."""

    up: Step
    down: Step
    unique: bool


def directional(moving: Moving, goal: Goal, y: np.ndarray) -> Directional | None:
    """Derivatives of the optimal value; None when `y` is no optimum of the program.

    Parameters
    ----------
    moving
        Rows with their derivatives.
    goal
        What is maximised.
    y
        An optimum.
    """
    from scipy.optimize import nnls

    rows, rates = moving.rows, moving.rates
    parts = Equalities.of(rows.E)
    N = _felt(parts.null, np.vstack([rows.G, goal.row]))
    near = moving.active(y)
    B, target = rows.G[near] @ N, -(N.T @ goal.row)
    size = max(float(np.linalg.norm(goal.row)), tolerances.TINY)
    pi, rest = nnls(B.T, target) if len(near) else (np.zeros(0), float(np.linalg.norm(target)))
    if rest > tolerances.CARRIED * size:
        return None
    missing = rates.c - rates.E @ y
    torn = float(np.abs(parts.left.T @ missing).max(initial=0.0))
    terms = float((np.abs(rates.E) @ np.abs(y) + np.abs(rates.c)).max(initial=0.0))
    if torn > tolerances.TORN * max(terms, tolerances.TINY):
        return None  # redundant equations that part company: the mode exists at this value only
    z = parts.inverse @ missing
    drift = rates.G[near] @ y - rates.e[near]
    rank = (
        np.linalg.matrix_rank(
            B, tol=tolerances.RANK * max(float(np.abs(B).max(initial=0.0)), tolerances.TINY)
        )
        if B.size
        else 0
    )
    if rank == len(near) == N.shape[1] and np.all(pi > tolerances.CARRIED * size):
        missed = rows.G[near] @ z + drift
        rate = float(goal.rate @ y + goal.constant_rate + goal.row @ z + pi @ missed)
        velocity = z - N @ np.linalg.solve(B, missed)
        return Directional(Step(rate, y, velocity), Step(-rate, y, -velocity), True)
    up, down = (_one_side(moving, goal, y, parts, N=N, near=near, sign=sign) for sign in (1.0, -1.0))
    return Directional(up, down, False)


def _felt(N: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Directions of a null space that some row feels: the others (a leg in the air) change nothing."""
    _, s, Vt = np.linalg.svd(rows @ N)
    rank = int(np.sum(s > tolerances.RANK * s[0])) if len(s) else 0
    return N @ Vt[:rank].T


def _one_side(
    moving: Moving,
    goal: Goal,
    y: np.ndarray,
    parts: Equalities,
    *,
    N: np.ndarray,
    near: np.ndarray,
    sign: float,
) -> Step:
    """The tangent program in (eta, zeta): `y + N eta` stays optimal, `z = E+ (c' - E' (y + N eta)) + N zeta`."""
    rows, rates = moving.rows, moving.rates
    d = N.shape[1]
    B = rows.G[near] @ N
    along = goal.row @ N
    along = np.where(np.abs(along) > tolerances.ACTIVE * np.linalg.norm(goal.row), along, 0.0)
    movable = _movable(B, along)
    always = near[~movable]
    A, b = rows.G[always], rows.G[always] @ N
    b = np.where(np.abs(b) > tolerances.ACTIVE, b, 0.0)  # a row that the equations alone decide
    if len(always):
        from scipy.optimize import nnls

        along = (
            -b.T @ nnls(b.T, -along)[0]
        )  # exactly what the rows carry: rounding must not make the program unbounded
    follow = -sign * (parts.inverse @ rates.E @ N)  # how z follows eta
    z = sign * (parts.inverse @ (rates.c - rates.E @ y))
    lower = A @ z + sign * (rates.G[always] @ y - rates.e[always])  # tangent rows at eta = zeta = 0
    noise = tolerances.SAME_RATE * (
        np.abs(A) @ (np.abs(parts.inverse) @ (np.abs(rates.c) + np.abs(rates.E) @ np.abs(y)))
        + np.abs(rates.G[always]) @ np.abs(y)
        + np.abs(rates.e[always])
    )
    constant = sign * (goal.rate @ y + goal.constant_rate) + goal.row @ z
    if not movable.any():
        rate, x = _program(along, -b, lower, np.zeros((0, d)), np.zeros(0), noise)
        return Step(rate + constant, y, z + N @ x)
    on_eta = sign * (goal.rate @ N) + goal.row @ follow
    felt = A @ follow + sign * (rates.G[always] @ N)
    # along directions without end (forces that press against each other) even rounding would count
    size = np.abs(follow).max(initial=0.0)
    on_eta = np.where(
        np.abs(on_eta) > tolerances.CARRIED * (np.abs(goal.rate).max() + np.abs(goal.row).max() * size),
        on_eta,
        0.0,
    )
    felt = np.where(np.abs(felt) > tolerances.CARRIED * (np.abs(rates.G).max(initial=0.0) + size), felt, 0.0)
    slack = np.maximum(rows.G @ y - rows.e, 0.0)
    inequalities = np.vstack([np.hstack([-felt, -b]), np.hstack([-(rows.G @ N), np.zeros((len(slack), d))])])
    equality = np.concatenate([along, np.zeros(d)])[None, :]
    rate, x = _program(
        np.concatenate([on_eta, along]),
        inequalities,
        np.concatenate([lower, slack]),
        equality,
        np.zeros(1),
        np.concatenate([noise, np.zeros(len(slack))]),
    )
    return Step(rate + constant, y + N @ x[:d], z + follow @ x[:d] + N @ x[d:])


def _movable(B: np.ndarray, goal: np.ndarray) -> np.ndarray:
    """Which active rows some optimal point leaves: the greatest support of `B eta >= 0` with `goal eta = 0`."""
    m = len(B)
    if not m:
        return np.zeros(0, bool)
    leave = most_slack(-B, np.zeros(m), goal[None, :], np.zeros(1), SLACK)
    return np.zeros(m, bool) if leave is None else B @ leave > tolerances.CARRIED


def most_slack(
    A: np.ndarray, b: np.ndarray, C: np.ndarray, d: np.ndarray, enough: float
) -> np.ndarray | None:
    """A point of `A x <= b`, `C x = d` with `abs(x) <= 1` at which as many rows as can have slack do; None
    when there is none.

    `max sum s` over `A x + s <= b`, `0 <= s <= enough`: rows that can have slack get it, because points can
    be mixed.

    Parameters
    ----------
    A, b, C, d
        The set.
    enough
        Slack beyond which a row is not pushed further.
    """
    m, n = A.shape
    rows = np.vstack(
        [
            np.hstack([A, np.eye(m)]),
            np.hstack([np.zeros((m, n)), np.eye(m)]),
            np.hstack([np.zeros((m, n)), -np.eye(m)]),
            np.hstack([np.eye(n), np.zeros((n, m))]),
            np.hstack([-np.eye(n), np.zeros((n, m))]),
        ]
    )
    level = np.concatenate([b, np.full(m, enough), np.zeros(m), np.ones(2 * n)])
    found = Polytope(rows, level, np.hstack([C, np.zeros((len(d), m))]), d).maximize(
        np.concatenate([np.zeros(n), np.ones(m)])
    )
    return None if found.point is None else np.asarray(found.point[:n])


def _program(
    goal: np.ndarray, A: np.ndarray, b: np.ndarray, C: np.ndarray, d: np.ndarray, noise: np.ndarray
) -> tuple[float, np.ndarray]:
    """`max goal x` over `A x <= b`, `C x = d`, and where: infinite when unbounded, minus infinite when there is nothing, even
    with `noise` added to `b`: rows that leave no interior, here and beside, must not be torn apart by rounding.
    """
    found = Polytope(A, b, C, d).maximize(goal)
    if found.status == "infeasible":
        found = Polytope(A, b + noise, C, d).maximize(goal)
    at = np.zeros(len(goal)) if found.point is None else np.asarray(found.point)
    return {"optimal": float(found.value), "unbounded": np.inf}.get(found.status, -np.inf), at
