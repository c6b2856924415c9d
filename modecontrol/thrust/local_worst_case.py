"""What has to hold "whatever w is" near the best inputs: the worst case of a row as a row in the inputs, with its derivative.

h(tau, p) = min over w of a row        dh = sigma dtau + kappa dp   by its multipliers
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.raw_derivatives import Moving, Raw
from modecontrol.regions.fibre import fibre
from modecontrol.thrust.local_rows import Cut, LocalRows, Motion, with_cuts
from modecontrol.thrust.objective import LinearGoal, Objective
from modecontrol.thrust.tangent_program import SLACK, Goal, directional, most_slack
from modecontrol.thrust.worst_case import depends_on_w

CHOICES = 16
"""Combinations of facets, where the best inputs lie in corners of modes that are kept away, that are looked
at.
"""


class LocalWorstCase:
    """The worst case of the task and of the objective.

    Parameters
    ----------
    rows
        Rows with their derivatives.
    objective, goal
        What is made great, and its row.
    """

    def __init__(self, rows: LocalRows, objective: LinearGoal, goal: Goal) -> None:
        self.rows, self.objective, self.goal = rows, objective, goal
        self.response, self.problem = rows.response, rows.problem

    def felt(self, mode: str) -> np.ndarray:
        """Rows of the task that feel `w` in this mode.

        Parameters
        ----------
        mode
            The mode.
        """
        mine = self.response[mode]
        A, _, _, _ = mine.substitute(self.problem.task)
        inputs = mine.U.shape[1]
        return np.abs(A[:, inputs:]).max(axis=1, initial=0.0) > tolerances.PIVOT * np.abs(A).max(
            axis=1, initial=tolerances.TINY
        )

    def inner(self, mode: str, tau: np.ndarray) -> np.ndarray | None:
        """Ambiguity variables `w` of a mode at some inputs, away from all rows that they can leave; None when
        there is no choice.

        Parameters
        ----------
        mode, tau
            The mode and its inputs.
        """
        mine = self.response[mode]
        start = (
            fibre(mine, tau).maximize(np.zeros(mine.ambiguity_variables)).point
            if mine.ambiguity_variables
            else None
        )
        if start is None:
            return None
        w, size = fibre(mine, tau), self.problem.size
        length = np.maximum(np.linalg.norm(w.A, axis=1), tolerances.TINY)
        moved = most_slack(
            w.A / length[:, None],
            np.maximum(w.b - w.A @ start, 0.0) / length / size,
            np.array(w.C),
            np.zeros(len(w.d)),
            SLACK,
        )
        return np.asarray(start) if moved is None else start + size * moved

    def goal_feels_w(self, mode: str) -> bool:
        """Whether the objective takes several values at some inputs of a mode.

        Parameters
        ----------
        mode
            The mode.
        """
        mine = self.response[mode]
        return depends_on_w(mine, Objective.of(self.objective, self.response.snapshot).within(mine)[1])

    def sure_task(self, motion: Motion, i: int) -> Cut | None:
        """A row of the task that feels `w`, where its worst case is just met: `min over w >= p` as a row in
        the inputs.

        Parameters
        ----------
        motion, i
            Where the best value is reached, and number of the row.
        """
        row = self.rows.goal(lambda here: (here.task.P[i], -here.task.p[i]))
        y, least = self._worst(motion, row)
        if y is None or least > 10 * tolerances.STRICT * float(
            np.abs(row.row) @ np.abs(y) + np.abs(self.problem.task.p[i])
        ):
            return None
        sigma, kappa = self._local(motion, row, y)
        return (
            None if sigma is None else Cut(sigma, float(sigma @ motion.inputs), np.zeros(len(sigma)), -kappa)
        )

    def programs(
        self, motion: Motion, task: tuple[int, ...], cuts: list[list[Cut]]
    ) -> Iterator[tuple[Moving, Goal]]:
        """The program in the inputs alone: `max sigma tau` over the facets of the mode, the task and the
        cuts.

        Parameters
        ----------
        motion
            Where the best value is reached.
        task, cuts
            Rows of the task that do not feel `w`, and choices of facets that keep other modes away.
        """
        y, _ = self._worst(motion, self.goal)
        sigma, kappa = (None, 0.0) if y is None else self._local(motion, self.goal, y)
        if sigma is None:
            return
        T = self.response[motion.mode].torques.minimal()
        size = np.maximum(np.abs(T.A) @ np.abs(motion.tau) + np.abs(T.b), np.linalg.norm(T.A, axis=1))
        facets = [
            self.rows.facet(motion.mode, T.A[i])
            for i in np.flatnonzero(T.b - T.A @ motion.tau <= tolerances.ACTIVE * size)
        ]
        rows = [self.sure_task(motion, i) for i in task]
        own = [Cut(-f.n, -f.e, -f.dn, -f.de) for f in facets if f is not None] + [
            cut for cut in rows if cut is not None
        ]
        t = len(motion.tau)
        flat = T.C * self.rows.units[-t:]
        if len(T.d):
            return  # inputs that equations of motion tie together: their derivative is not followed here
        none = Raw(flat, np.array(T.d), np.zeros((0, t)), np.zeros(0))
        blank = Raw(0.0 * flat, 0.0 * none.c, np.zeros((0, t)), np.zeros(0))
        for chosen in islice(product(*cuts), CHOICES):
            yield with_cuts(Moving(none, blank), (*own, *chosen)), Goal(sigma, np.zeros(t), kappa, False)

    def _worst(self, motion: Motion, row: Goal) -> tuple[np.ndarray | None, float]:
        """The motion of the mode at these inputs with the least value of a row, and that value."""
        mine = self.response[motion.mode]
        lead = len(self.rows.units) - len(motion.tau)
        on_w = (row.row[:lead] / self.rows.units[:lead]) @ mine.W
        least = fibre(mine, motion.tau).maximize(-on_w)
        if least.status != "optimal":
            return None, np.nan
        assert least.point is not None
        y = (
            np.concatenate([mine.constant + mine.U @ motion.tau + mine.W @ least.point, motion.tau])
            / self.rows.units
        )
        return y, float(row.row @ y) + row.constant

    def _local(self, motion: Motion, row: Goal, y: np.ndarray) -> tuple[np.ndarray | None, float]:
        """`(sigma, kappa)`: how the least value of a row changes with the inputs and along the path; None at
        a tie.
        """
        own = self.rows.moving(motion.mode)
        t, lead = len(motion.tau), len(self.rows.units) - len(motion.tau)
        hold = np.hstack([np.zeros((t, lead)), np.eye(t)])
        felt = np.any(own.rows.G[:, :lead] != 0.0, axis=1)  # limits of the inputs say nothing of w
        rows = Raw(
            np.vstack([own.rows.E, hold]),
            np.append(own.rows.c, motion.inputs),
            own.rows.G[felt],
            own.rows.e[felt],
        )
        still = Raw(*(np.zeros(array.shape) for array in rows))
        slopes = []
        for j in range(t + 1):
            if j < t:
                rates, rate = (
                    still._replace(c=np.eye(len(rows.c))[len(rows.c) - t + j]),
                    Goal(-row.row, 0.0 * row.row, 0.0),
                )
            else:
                rates = Raw(
                    np.vstack([own.rates.E, 0.0 * hold]),
                    np.append(own.rates.c, np.zeros(t)),
                    own.rates.G[felt],
                    own.rates.e[felt],
                )
                rate = Goal(-row.row, -row.rate, -row.constant_rate)
            found = directional(Moving(rows, rates), rate, y)
            if (
                found is None
                or not np.isfinite(found.up.rate)
                or abs(found.up.rate + found.down.rate) > tolerances.CARRIED * max(abs(found.up.rate), 1.0)
            ):
                return None, 0.0
            slopes.append(-found.up.rate)
        return np.array(slopes[:t]), slopes[t]
