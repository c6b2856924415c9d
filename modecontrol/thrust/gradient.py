"""`best.gradient("l")`: how the best guaranteed value changes with a parameter, exactly, by the optimal
multipliers.

At its best inputs the value is that of a linear program whose data move with the parameter p,

    V(p) = max goal y   over   E y = c,   G y >= e         rows of the mode, of the task, and of the modes that are kept away

    dV/dp = goal' y + pi (G' y - e') + mu (E' y - c')       with multipliers pi >= 0 of G, mu of E

where primes are derivatives of the data. A tie (more active rows than unknowns, or another mode with the same
value) has several multipliers; then V has a derivative on each side (`tangent_program`), and the greatest one
over the tied modes counts. What a tie says is confirmed by a difference before it is returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice, product
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.derivatives import Path
from modecontrol.modes.facet_gradients import path_of
from modecontrol.modes.raw_derivatives import units_of
from modecontrol.modes.raw_system import cells_of
from modecontrol.thrust.local_programs import Programs
from modecontrol.thrust.local_rows import Motion
from modecontrol.thrust.objective import Objective
from modecontrol.thrust.tangent_program import directional

if TYPE_CHECKING:
    from modecontrol.thrust.thrust import Thrust


@dataclass(frozen=True)
class Gradient:
    """Derivative of a best value; true when it exists, one-sided where it does not.

    Attributes
    ----------
    name
        What varies.
    value
        The derivative; NaN at a tie.
    below, above
        Derivatives towards smaller and greater values; equal where there is no tie.
    status
        "differentiable", "tie", or "unsettled" when no derivative can be vouched for.
    reason
        A sentence.
    """

    name: str
    value: float
    below: float
    above: float
    status: str
    reason: str

    def __bool__(self) -> bool:
        return self.status == "differentiable"

    def __float__(self) -> float:
        return self.value


def gradient(best: Thrust, name: str, model: Any = None, place: Callable[..., Any] | None = None) -> Gradient:
    """See `Thrust.gradient`."""
    if best._response is None or best._asked is None or best.torque is None:
        return _unsettled(name, f"there is no best value to differentiate ({best.reason or 'no answer'})")
    if best._asked[2] == "outcome" or best._response.snapshot.uncertainty is not None:
        return _unsettled(
            name, "derivatives of guarantees over several outcomes or intervals of friction are not known"
        )
    path = path_of(best._response.problem, name, model, place)
    asked = _Asked(best, path)
    motions = list(asked.motions())
    up, down, simple = [], [], len(motions) == 1
    for motion in motions:
        for moving, goal in asked.programs.at(motion):
            found = directional(moving, goal, motion.y if goal.whole else motion.inputs)
            if found is not None:
                simple &= found.unique
                up.append(found.up)
                down.append(found.down)
    if not up or not np.isfinite(max(up)) or not np.isfinite(max(down)):
        return _unsettled(name, "no multipliers fit the best inputs" if not up else f"{best.mode} ends here")
    above, below = float(max(up)), -float(max(down))
    scale = max(abs(above), abs(below), asked.size / path.size)
    regular = simple or abs(above - below) <= tolerances.TIED * scale
    if regular and not asked.programs.rows.doubtful:
        return Gradient(name, above, above, above, "differentiable", f"by the multipliers of {best.mode}")
    wrong = asked.check(above, below)
    if wrong:
        return Gradient(name, np.nan, below, above, "unsettled", wrong)
    if regular:
        return Gradient(
            name,
            above,
            above,
            above,
            "differentiable",
            f"by the multipliers of {best.mode}, confirmed by a difference",
        )
    tied = ", ".join(dict.fromkeys(motion.mode for motion in motions))
    return Gradient(name, np.nan, below, above, "tie", f"a tie of {tied}: one-sided derivatives")


def _unsettled(name: str, reason: str) -> Gradient:
    return Gradient(str(name), np.nan, np.nan, np.nan, "unsettled", reason)


class _Asked:
    """The question, and who reaches the best value."""

    def __init__(self, best: Thrust, path: Path) -> None:
        assert best._response is not None
        assert best._asked is not None
        self.best, self.path = best, path
        self.response, self.problem = best._response, best._response.problem
        self.objective, self.margin, self.guarantee = best._asked
        self.units = units_of(self.problem)
        self.programs = Programs(self.response, path, self.units, *best._asked)
        self.size = max(
            abs(best.value), self.problem.size * float(np.abs(self.programs.goal.row).max(initial=0.0))
        )
        """Natural size of the value, also where the value itself is zero."""

    def motions(self) -> Iterator[Motion]:
        """Modes with the best value: the answer's own, those that share its motion, those that reach it
        elsewhere.
        """
        best = self.best
        own = self._motion(str(best.mode), best.torque, best.acceleration, best.force)
        seen = {own.mode}
        yield own
        if self.guarantee == "none" or not self.programs.worst_case.goal_feels_w(
            own.mode
        ):  # a worst case lies on borders by itself
            for mode in _sharing(self.problem, own.y * self.units):
                if mode not in seen:
                    seen.add(mode)
                    yield Motion(mode, own.tau, own.y)
        yield from self._others(seen)

    def _motion(self, mode: str, tau: Any, qdd: Any, f: Any) -> Motion:
        """The motion with forces, where they are not unique, away from the borders of the mode."""
        w = (
            self.programs.worst_case.inner(mode, tau)
            if self.guarantee != "none" and not self.programs.worst_case.goal_feels_w(mode)
            else None
        )
        if w is not None:
            mine = self.response[mode]
            return Motion(
                mode,
                np.asarray(tau),
                np.concatenate([mine.constant + mine.U @ tau + mine.W @ w, tau]) / self.units,
            )
        n, k = len(self.problem.names.coordinates), self.problem.snapshot.contacts
        system = self.problem.system(mode)
        known = np.concatenate([qdd, f])
        lam = np.linalg.lstsq(
            system.A[:, n + 2 * k :], system.B @ tau + system.c - system.A[:, : n + 2 * k] @ known, rcond=None
        )[0]
        return Motion(mode, np.asarray(tau), np.concatenate([known, lam, tau]) / self.units)

    def _others(self, seen: set[str]) -> Iterator[Motion]:
        """Modes that reach the best value with another motion."""
        from modecontrol.thrust.by_pieces import plain_optima, sure_optimum

        goal = Objective.of(self.objective, self.response.snapshot)
        tie = tolerances.TIED * self.size
        for found in plain_optima(self.response, goal):
            if -found.cost < self.best.value - tie:
                break
            if found.mode in seen or found.tau is None:
                continue
            made = (
                found
                if self.guarantee == "none"
                else sure_optimum(self.response, goal, self.margin, [found.mode])[0]
            )
            if made is not None and made.tau is not None and abs(-made.cost - self.best.value) <= tie:
                mine = self.response[made.mode]
                yield self._motion(
                    made.mode,
                    made.tau,
                    mine.acceleration.value(made.tau, made.w),
                    mine.force.value(made.tau, made.w),
                )

    def check(self, above: float, below: float) -> str:
        """Compare both one-sided derivatives with differences; a sentence when they disagree."""
        from modecontrol.regions.dynamic_response import DynamicResponse
        from modecontrol.thrust.maximize import maximize

        step = tolerances.DIFFERENCE * self.path.size
        for sign, expected in ((1.0, above), (-1.0, below)):
            problem = self.problem.at(self.path(self.path.middle + sign * step))
            found = maximize(
                DynamicResponse(problem, *problem.respond()),
                self.objective,
                margin=self.margin,
                guarantee=self.guarantee,
            )
            slope = sign * (found.value - self.best.value) / step if found else np.nan
            if not abs(slope - expected) <= tolerances.SAME_SLOPE * max(
                abs(expected), self.size / self.path.size
            ):
                side = "above" if sign > 0 else "below"
                return f"the multipliers say {expected:.6g} {side}, a difference says {slope:.6g}"
        return ""


def _sharing(problem: Any, y: np.ndarray) -> Iterator[str]:
    """Modes whose rows, closed, the motion `y` satisfies: the neighbours on whose common border it lies."""
    s = problem.snapshot
    n, k = len(s.names.coordinates), s.contacts
    a, f = s.jacobian @ y[:n] + s.drift, y[n : n + 2 * k]
    size_a = max(
        float((np.abs(s.jacobian) @ np.abs(y[:n]) + np.abs(s.drift)).max(initial=0.0)), tolerances.TINY
    )
    size_f = max(float(np.abs(f).max(initial=0.0)), tolerances.TINY)
    letters = []
    for i, state in enumerate(problem.touching.states):
        here_a, here_f = a[2 * i : 2 * i + 2] / size_a, f[2 * i : 2 * i + 2] / size_f
        fit = ""
        for letter, rows in cells_of(s, i, int(state)):
            off = [
                (float(np.dot(row[0], here_a) + np.dot(row[1], here_f) + row[2] / size_f), row[3])
                for row in rows
            ]
            if all(
                abs(value) <= 2 * tolerances.ACTIVE if equal else value >= -2 * tolerances.ACTIVE
                for value, equal in off
            ):
                fit += letter
        letters.append(fit)
    return ("".join(mode) for mode in islice(product(*letters), 64))
