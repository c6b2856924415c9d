"""Who shares a best value: every mode and every piece of its inputs on which it is reached, with their derivatives."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.derivatives import Path
from modecontrol.modes.raw_derivatives import units_of
from modecontrol.modes.raw_system import cells_of
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.thrust.local_programs import Programs
from modecontrol.thrust.local_rows import Motion
from modecontrol.thrust.objective import Objective
from modecontrol.thrust.tangent_program import directional
from modecontrol.thrust.tied_pieces import Slopes, TiedPieces

if TYPE_CHECKING:
    from modecontrol.thrust.thrust import Thrust


class SharedValue:
    """A best value at one instant of a path.

    Parameters
    ----------
    best
        The answer of `maximize`.
    path
        What varies.
    """

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
        self.modes: list[str] = []

    @property
    def steepness(self) -> float:
        """Natural size of a derivative."""
        return self.size / self.path.size

    @property
    def doubtful(self) -> bool:
        """Whether a facet without a derivative of its own took part."""
        return self.programs.rows.doubtful

    def slopes(self, tied: float = tolerances.TIED, moving: bool = True) -> Slopes:
        """One-sided derivatives by the multipliers: the greatest of all who share the value counts.

        Parameters
        ----------
        tied
            Values that differ by less than this part of their natural size are shared.
        moving
            As for `TiedPieces`.
        """
        slopes, tie = Slopes(), tied * self.size
        for mode in self._reaching(tie):
            before = slopes.pieces
            if self._feels_w(mode):
                self._worst_case(mode, tie, slopes)
            else:
                pieces = TiedPieces(self.programs, mode, self.best.value, tie, self._inner_motion, moving)
                pieces.follow(slopes)
                for motion in pieces.motions:
                    for other in _sharing(self.problem, motion.y * self.units):
                        if other not in self.response:
                            self._local(Motion(other, motion.tau, motion.y), slopes)
            if slopes.pieces > before:
                self.modes.append(mode)
        slopes.lost |= not slopes.pieces
        return slopes

    def beside(self, step: float) -> SharedValue | None:
        """The same question a step away, with derivatives that look away from here; None where nothing is guaranteed.

        Parameters
        ----------
        step
            Change of what varies.
        """
        x = self.path.middle + step
        found = self.answer(x)
        return SharedValue(found, self.path.around(x, float(np.sign(step)))) if found else None

    def answer(self, x: float) -> Thrust:
        """The answer of `maximize` at another value of what varies; contacts count as what they count as.

        Parameters
        ----------
        x
            The value.
        """
        from modecontrol.thrust.maximize import maximize

        problem = self.problem.at(self.path(x))
        response = DynamicResponse(problem, *problem.respond())
        return maximize(response, self.objective, margin=self.margin, guarantee=self.guarantee)

    def _reaching(self, tie: float) -> Iterator[str]:
        """The answer's own mode, and those whose greatest value, ambiguity ignored, is no less."""
        from modecontrol.thrust.by_pieces import plain_optima

        yield str(self.best.mode)
        for found in plain_optima(self.response, Objective.of(self.objective, self.response.snapshot)):
            if -found.cost < self.best.value - tie:
                return
            if found.mode != self.best.mode and found.tau is not None:
                yield found.mode

    def _feels_w(self, mode: str) -> bool:
        return self.guarantee != "none" and self.programs.worst_case.goal_feels_w(mode)

    def _worst_case(self, mode: str, tie: float, slopes: Slopes) -> None:
        """A mode whose objective is a worst case over `w`, near the inputs that the search chose."""
        from modecontrol.thrust.by_pieces import sure_optimum

        if mode == self.best.mode:
            tau, qdd, f = self.best.torque, self.best.acceleration, self.best.force
        else:
            goal = Objective.of(self.objective, self.response.snapshot)
            made = sure_optimum(self.response, goal, self.margin, [mode])[0]
            if made is None or made.tau is None or abs(-made.cost - self.best.value) > tie:
                return
            mine, tau = self.response[mode], made.tau
            qdd, f = mine.acceleration.value(tau, made.w), mine.force.value(tau, made.w)
        before = slopes.pieces
        self._local(self._motion(mode, tau, qdd, f), slopes)
        slopes.lost |= slopes.pieces == before

    def _local(self, motion: Motion, slopes: Slopes) -> None:
        """The programs near one motion."""
        for moving, goal in self.programs.at(motion):
            found = directional(moving, goal, motion.y if goal.whole else motion.inputs)
            if found is not None:
                slopes.add(found.up.rate, found.down.rate, found.unique)

    def _inner_motion(self, mode: str, tau: np.ndarray, w: np.ndarray) -> Motion:
        """The motion of a mode at `(tau, w)`, `w` away from all borders of the mode that it can leave."""
        mine = self.response[mode]
        inner = self.programs.worst_case.inner(mode, tau) if self.guarantee != "none" else None
        w = w if inner is None else inner
        return self._motion(mode, tau, mine.acceleration.value(tau, w), mine.force.value(tau, w))

    def _motion(self, mode: str, tau: Any, qdd: Any, f: Any) -> Motion:
        """The motion with the forces in the pins that go with it."""
        n, k = len(self.problem.names.coordinates), self.problem.snapshot.contacts
        system = self.problem.system(mode)
        known = np.concatenate([qdd, f])
        lam = np.linalg.lstsq(
            system.A[:, n + 2 * k :], system.B @ tau + system.c - system.A[:, : n + 2 * k] @ known, rcond=None
        )[0]
        return Motion(mode, np.asarray(tau), np.concatenate([known, lam, tau]) / self.units)


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
