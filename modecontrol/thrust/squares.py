"""Least squares of linear quantities over sets of inputs, by cvxpy (imported when used).

minimise  sum_j weight_j (row_j (qdd, f, tau) + constant_j)^2
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.errors import UncheckedError
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.polytopes import Polytope
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.thrust.objective import Objective
from modecontrol.thrust.worst_case import depends_on_w
from modecontrol.validation import as_numbers, shown


@dataclass(frozen=True, eq=False)
class Squares:
    """Minimise `sum weight (row (qdd, f, tau) + constant)^2` over a piece, in `(tau, w)`."""

    goals: tuple[Objective, ...]
    weights: np.ndarray
    sure: bool
    """Whether the error has to be unique and the task met whatever `w` is; otherwise a favourable `w` is
    chosen.
    """
    solver: str | None

    @staticmethod
    def effort(response: DynamicResponse, weights: Any, guarantee: str, solver: str | None) -> Squares:
        """One square per input."""
        snapshot = response.snapshot
        n, t = snapshot.actuation.shape
        try:
            values = np.ones(t) if weights is None else as_numbers(weights, "weights")
        except ValueError:
            values = np.full(0, np.nan) if t else np.full(1, np.nan)
        if values.shape != (t,) or not np.all((values >= 0) & np.isfinite(values)):
            raise ValueError(f"weights are {shown(weights)}; expected {t} numbers >= 0, one per input")
        rows = np.hstack([np.zeros((t, n + 2 * snapshot.contacts)), np.eye(t)])
        return Squares(
            tuple(Objective(row, 0.0, "effort") for row in rows), values, guarantee != "none", solver
        )

    @staticmethod
    def track(
        response: DynamicResponse,
        wanted: Mapping[str, float],
        weights: Any,
        guarantee: str,
        solver: str | None,
    ) -> Squares:
        """One square per wanted quantity."""
        given: Mapping[str, float] = {} if weights is None else weights
        if not isinstance(given, Mapping) or not set(given) <= set(wanted):
            raise ValueError(
                f"weights are {weights!r}; expected a mapping with keys among {', '.join(wanted)}"
            )
        try:
            values = np.array([float(given.get(name, 1.0)) for name in wanted])
            targets = np.array([float(value) for value in wanted.values()])
        except (TypeError, ValueError):
            values = targets = np.array([np.nan])
        if not (np.all(np.isfinite(targets)) and np.all((values >= 0) & np.isfinite(values))):
            raise ValueError(
                f"wanted {dict(wanted)!r} with weights {dict(given)!r}; expected finite values and "
                "weights >= 0"
            )
        goals = [Objective.of(name, response.snapshot) for name in wanted]
        return Squares(
            tuple(
                Objective(g.row, g.constant - float(target), g.name)
                for g, target in zip(goals, targets, strict=True)
            ),
            values,
            guarantee != "none",
            solver,
        )

    def __call__(self, mine: ModeResponse, piece: Polytope) -> tuple[float, np.ndarray, np.ndarray] | None:
        """`(cost, tau, w)` of the best point, None when the piece is empty or the mode cannot promise
        anything.
        """
        within = [goal.within(mine) for goal in self.goals]
        if self.sure and any(depends_on_w(mine, on_w) for _, on_w, _ in within):
            return None
        inputs, D = mine.U.shape[1], mine.domain if self.sure else mine.task_domain
        rows = np.array([np.concatenate([on_tau, on_w]) for on_tau, on_w, _ in within]).reshape(-1, D.n)
        constants = np.array([constant for _, _, constant in within])
        root = np.sqrt(self.weights)
        P = piece.minimal()
        beside = D.n - inputs
        sides = [
            (D.A, D.b, D.C, D.d),
            (np.pad(P.A, ((0, 0), (0, beside))), P.b, np.pad(P.C, ((0, 0), (0, beside))), P.d),
        ]
        point = smallest(sides, [(root[:, None] * rows, root * constants)], self.solver, mine.mode)
        if point is None:
            return None
        tau = piece.nearest(point[:inputs])  # interior-point answers stand a rounding outside
        cost = float(np.sum(self.weights * (rows @ np.concatenate([tau, point[inputs:]]) + constants) ** 2))
        return cost, tau, point[inputs:]


def smallest(
    sides: Sequence[tuple[np.ndarray, ...]],
    errors: Sequence[tuple[np.ndarray, np.ndarray]],
    solver: str | None,
    where: str,
) -> np.ndarray | None:
    """The point `x` with the least of the largest `abs(R x + r)` over rows `A x <= b`, `C x = d`; None when they leave none.

    Parameters
    ----------
    sides
        `(A, b, C, d)`, several times.
    errors
        `(R, r)`, at least one.
    solver
        For cvxpy; None takes Clarabel.
    where
        What is looked at, for messages.
    """
    import cvxpy

    x = cvxpy.Variable(errors[0][0].shape[1])
    limits = []
    blocks = [(*_scaled(A, b), *_scaled(C, d)) for A, b, C, d in sides]
    for A, b, C, d in blocks:
        limits += [A @ x <= b] if len(b) else []
        limits += [C @ x == d] if len(d) else []
    if len(errors) == 1:
        goal = cvxpy.sum_squares(errors[0][0] @ x + errors[0][1])
    else:
        goal = cvxpy.maximum(*(cvxpy.norm(R @ x + r) for R, r in errors))
    problem = cvxpy.Problem(cvxpy.Minimize(goal), limits)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # doubtful answers are checked below, not announced
        try:
            problem.solve(solver=solver or cvxpy.CLARABEL)
        except cvxpy.SolverError as error:
            raise UncheckedError(
                f"{where}: the solver gave up ({error}); scale the weights, or name another solver",
                errors=errors,
            ) from None
    if problem.status in (cvxpy.INFEASIBLE, cvxpy.INFEASIBLE_INACCURATE):
        return None
    point = np.full(x.shape, np.nan) if x.value is None else np.asarray(x.value, float)
    if not _near(blocks, point):
        raise UncheckedError(
            f"{where}: the solver ended with {problem.status!r} at {point}, which misses the "
            "constraints; name another solver (cvxpy.installed_solvers() lists them)",
            errors=errors,
        )
    return point


def _scaled(A: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of length one."""
    size = np.linalg.norm(A, axis=1)
    size[size == 0] = 1.0
    return A / size[:, None], b / size


def _near(blocks: Sequence[tuple[np.ndarray, ...]], x: np.ndarray) -> bool:
    """Whether a point meets scaled rows to the accuracy of an interior-point solver."""
    loose = 1e3 * tolerances.CONSISTENT
    return all(
        bool(
            np.all(A @ x - b <= loose * (1 + np.abs(b)))
            and np.all(np.abs(C @ x - d) <= loose * (1 + np.abs(d)))
        )
        for A, b, C, d in blocks
    )
