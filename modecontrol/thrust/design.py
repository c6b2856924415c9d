"""Off-line design on the same sure inputs as `maximize`, with other goals (cvxpy, imported when used).

    effort    minimise  sum_i weight_i tau_i^2
    track     minimise  sum_j weight_j (quantity_j - wanted_j)^2
    margin    maximise  r : every facet of T_c (task included) and every other T_c' stays at least r away

The first two are convex programs over `(tau, w)` in each piece, the third is linear in `(tau, r)`; the lazy
best-first search of `maximize` makes all of them exact over the whole of `T_c*`: a piece is cut only when
another mode explains its optimum.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol import tolerances
from modecontrol.errors import UncheckedError
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.polytopes import Polytope
from modecontrol.regions.ambiguity import felt_margin, kept_off, rivals
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.regions.fibre import fibre, loosened
from modecontrol.thrust.best_first import Part, best_first
from modecontrol.thrust.maximize import check_response, depends_on_w
from modecontrol.thrust.objective import Objective
from modecontrol.thrust.thrust import Thrust, active_rows, why_nothing
from modecontrol.validation import check_texts, check_word, shown

GOALS = ("effort", "track", "margin")
PROMISES = ("mode", "unambiguous", "none")
OPEN = {
    goal: f"{what} in every mode that could do it: guarantee='none' hopes for the best w"
    for goal, what in {
        "effort": "the task is missed for some w",
        "margin": "the task is missed for some w",
        "track": "a tracked quantity is not unique, or the task is missed for some w,",
    }.items()
}


def design(
    response: DynamicResponse,
    goal: str = "effort",
    *,
    wanted: Mapping[str, float] | None = None,
    weights: ArrayLike | Mapping[str, float] | None = None,
    margin: float = 0.0,
    guarantee: str = "unambiguous",
    modes: str | Iterable[str] | None = None,
    solver: str | None = None,
) -> Thrust:
    """The best inputs that surely work, for a goal that is not linear.

    Parameters
    ----------
    response
        All modes of the instant, with torque limits and task constraints.
    goal
        "effort": the smallest inputs that meet the task. "track": least squares to `wanted`. "margin": the
        inputs farthest from every facet of their mode, from the limits of the task and from every other mode
        (whose rows are moved out, as `margin` does: near a sharp corner that is more than the distance).
    wanted
        For "track": values by the name of an acceleration, force or linear expression (`{"alpha": 30, "y":
        0}`).
    weights
        For "effort" one weight >= 0 per input, for "track" a mapping with the keys of `wanted`; default 1.
    margin
        Distance in input units by which every other mode has to be violated ("margin" finds it itself).
    guarantee
        "unambiguous" (or "mode"): inputs that produce their mode and no other motion, task met whatever `w`
        is. "none": any mode and any `w` may be hoped for.
    modes
        Patterns of the modes to look at, such as `"FF?F"` or `["R*", "F*"]`; None takes all.
    solver
        Solver that cvxpy shall use for "effort" and "track"; None takes Clarabel, an interior-point method.

    Returns
    -------
    Thrust
        `value` is the effort, the squared error or the margin; false, with the reason, when nothing is
        feasible. A mode in which a tracked quantity is not unique cannot promise an error and is left out,
        unless `guarantee` is "none".

    """
    check_response(response)
    check_word(goal, "goal", GOALS)
    check_word(guarantee, "guarantee", PROMISES)
    margin = felt_margin(response, margin)
    if (goal == "track") != bool(wanted) or not isinstance(wanted, Mapping | None):
        raise ValueError("wanted goes with goal='track', and only with it: a mapping such as {'alpha': 30.0}")
    looked_at = _matching(response, modes)
    if not looked_at:
        return Thrust(
            None,
            None,
            np.nan,
            reason=f"no contact mode that can happen here matches {shown(modes)}"
            if modes is not None and response.modes
            else why_nothing(response),
        )
    if goal == "margin":
        solve: Callable[..., Any] = _farthest
    elif goal == "effort":
        solve = _Squares.effort(response, weights, guarantee, solver)
    else:
        solve = _Squares.track(response, wanted or {}, weights, guarantee, solver)
    return _search(response, looked_at, goal, solve, margin, guarantee)


def _matching(response: DynamicResponse, modes: str | Iterable[str] | None) -> list[str]:
    if not isinstance(modes, str | Iterable | None):
        raise ValueError(
            f"modes is {shown(modes)}; expected a pattern such as 'FF?F', several of them, or None"
        )
    patterns = ("*",) if modes is None else check_texts(modes, "modes")
    return [mode for mode in response if any(fnmatchcase(mode, pattern) for pattern in patterns)]


def _search(
    response: DynamicResponse,
    modes: list[str],
    goal: str,
    solve: Callable[..., Any],
    margin: float,
    guarantee: str,
) -> Thrust:
    """Best first; pieces whose optimum is ambiguous are cut along the facets of the other mode."""
    grow = goal == "margin"
    sign = -1.0 if grow else 1.0
    sure = guarantee != "none"
    pieces = (
        (mode, _with_radius(piece) if grow else piece)
        for mode in modes
        for piece in response[mode].task_torques("every" if sure else "some")
    )

    def rival(best: Part) -> Polytope | None:
        return (
            None if not sure else _cone_of_rival(response, best) if grow else _rival(response, best, margin)
        )

    best, plain, _ = best_first(pieces, lambda mode, piece: solve(response[mode], piece), rival)
    if best is not None and best.tau is None:
        return Thrust(best.mode, None, np.inf, reason=f"unbounded in {best.mode}: give torque limits")
    if best is not None:
        assert plain is not None
        assert best.tau is not None
        mine, tau = response[best.mode], best.tau
        w = best.w if best.w is not None else _some_w(mine, tau)
        return Thrust(
            best.mode,
            tau,
            sign * best.cost,
            mine.acceleration.value(tau, w),
            mine.force.value(tau, w),
            active_rows(mine, tau, w),
            plain.mode,
            sign * plain.cost,
            "optimal",
            response,
        )
    if plain is None:
        met = any(response[mode].task_torques("some") for mode in modes)
        return Thrust(None, None, np.nan, reason=OPEN[goal] if met else why_nothing(response))
    return Thrust(
        None,
        None,
        np.nan,
        ambiguous_mode=plain.mode,
        ambiguous_value=sign * plain.cost,
        reason="every torque that meets the task can also produce another mode"
        + (f" (margin {margin:g})" if margin else ""),
    )


def _rival(response: DynamicResponse, best: Part, margin: float) -> Polytope | None:
    """The set to be cut away: the inputs of a mode that counts against the candidate, widened by the margin."""
    return next(
        (
            kept_off(response, other, margin)
            for other in rivals(response, best.mode, margin)
            if kept_off(response, other, margin, inner=True).contains(best.tau)
        ),
        None,
    )


def _cone_of_rival(response: DynamicResponse, best: Part) -> Polytope | None:
    """The same for a candidate with its distance as one more variable."""
    assert best.tau is not None
    point = np.append(best.tau, -best.cost)
    for other in rivals(response, best.mode, margin=np.inf):
        taken = _cone_over(response[other].torques)
        if taken.contains(point):
            shared = best.piece.intersect(taken)
            if not shared.is_empty and shared.dimension == best.piece.dimension:
                return taken
    return None


# Largest margin
# ----------------------------------------------------------------------------------------------


def _with_radius(piece: Polytope) -> Polytope:
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


def _cone_over(T: Polytope) -> Polytope:
    """`{(tau, r) : tau in T widened by r}`."""
    P = T.minimal()
    rows = np.vstack([P.A, P.C, -P.C])
    return Polytope(
        np.hstack([rows, -np.linalg.norm(rows, axis=1)[:, None]]), np.concatenate([P.b, P.d, -P.d])
    )


def _farthest(mine: ModeResponse, piece: Polytope) -> tuple[float, np.ndarray | None, None] | None:
    """Greatest `r` over a piece of `(tau, r)`; the cost is its negative."""
    answer = piece.maximize(np.append(np.zeros(piece.n - 1), 1.0))
    if answer.status == "infeasible":
        return None
    if answer.status == "unbounded":
        return -np.inf, None, None
    assert answer.point is not None
    return -float(answer.value), answer.point[:-1], None


def _some_w(mine: ModeResponse, tau: np.ndarray) -> np.ndarray:
    W = fibre(mine, tau)
    point = (loosened(W) if W.is_empty else W).maximize(np.zeros(W.n)).point
    return np.zeros(W.n) if point is None else point


# Least squares
# -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Squares:
    """Minimise `sum weight (row (qdd, f, tau) + constant)^2` over a piece, in `(tau, w)`."""

    goals: tuple[Objective, ...]
    weights: np.ndarray
    sure: bool
    """Whether the error has to be unique and the task met whatever `w` is; otherwise a favourable `w` is
    chosen.
    """
    solver: str | None

    @staticmethod
    def effort(response: DynamicResponse, weights: Any, guarantee: str, solver: str | None) -> _Squares:
        """One square per input."""
        snapshot = response.snapshot
        n, t = snapshot.actuation.shape
        try:
            values = np.ones(t) if weights is None else np.asarray(weights, float)
        except (TypeError, ValueError):
            values = np.full(0, np.nan) if t else np.full(1, np.nan)
        if values.shape != (t,) or not np.all((values >= 0) & np.isfinite(values)):
            raise ValueError(f"weights are {weights!r}; expected {t} numbers >= 0, one per input")
        rows = np.hstack([np.zeros((t, n + 2 * snapshot.contacts)), np.eye(t)])
        return _Squares(
            tuple(Objective(row, 0.0, "effort") for row in rows), values, guarantee != "none", solver
        )

    @staticmethod
    def track(
        response: DynamicResponse,
        wanted: Mapping[str, float],
        weights: Any,
        guarantee: str,
        solver: str | None,
    ) -> _Squares:
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
        return _Squares(
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
        import cvxpy

        inputs, D = mine.U.shape[1], mine.domain if self.sure else mine.task_domain
        x = cvxpy.Variable(D.n)
        rows = np.array([np.concatenate([on_tau, on_w]) for on_tau, on_w, _ in within]).reshape(-1, D.n)
        constants = np.array([constant for _, _, constant in within])
        root = np.sqrt(self.weights)
        P = piece.minimal()
        blocks = [
            (D.A, D.b, D.C, D.d),
            (
                np.hstack([P.A, np.zeros((len(P.b), D.n - inputs))]),
                P.b,
                np.hstack([P.C, np.zeros((len(P.d), D.n - inputs))]),
                P.d,
            ),
        ]
        limits = []
        blocks = [(*_scaled(A, b), *_scaled(C, d)) for A, b, C, d in blocks]
        for A, b, C, d in blocks:
            limits += [A @ x <= b] if len(b) else []
            limits += [C @ x == d] if len(d) else []
        error = (root[:, None] * rows) @ x + root * constants
        problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(error)), limits)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # doubtful answers are checked below, not announced
            try:
                problem.solve(solver=self.solver or cvxpy.CLARABEL)
            except cvxpy.SolverError as error:
                raise UncheckedError(
                    f"{mine.mode}: the solver gave up ({error}); scale the weights, or name another solver",
                    rows=rows,
                    weights=self.weights,
                ) from None
        if problem.status in (cvxpy.INFEASIBLE, cvxpy.INFEASIBLE_INACCURATE):
            return None
        point = np.full(D.n, np.nan) if x.value is None else np.asarray(x.value, float)
        if not _near(blocks, point):
            raise UncheckedError(
                f"{mine.mode}: the solver ended with {problem.status!r} at {point}, which misses the "
                "constraints; name another solver (cvxpy.installed_solvers() lists them)",
                rows=rows,
                weights=self.weights,
            )
        tau = piece.nearest(point[:inputs])  # interior-point answers stand a rounding outside
        cost = float(np.sum(self.weights * (rows @ np.concatenate([tau, point[inputs:]]) + constants) ** 2))
        return cost, tau, point[inputs:]


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
