"""The linear program whose value is the best guaranteed one near its best inputs, with the derivatives of its
data.

Its rows are those of the mode, of the task, and for each mode that is kept away the facet that touches. What
has to hold "whatever w is" (a task that feels w, the worst case of an objective) is a program of its own
within (`local_worst_case.py`) and enters as one row.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

import numpy as np

from modecontrol.dynamics.derivatives import Path
from modecontrol.modes.raw_derivatives import Moving
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.thrust.kept_away import KeptAway
from modecontrol.thrust.local_rows import Cut, LocalRows, Motion, with_cuts
from modecontrol.thrust.local_worst_case import CHOICES, LocalWorstCase
from modecontrol.thrust.objective import LinearGoal, Objective
from modecontrol.thrust.tangent_program import Goal


class Programs:
    """Local programs of one question, along one path.

    Parameters
    ----------
    response
        All modes.
    path
        What varies.
    units
        Natural size of each unknown.
    objective, margin, guarantee
        As for `maximize`.
    """

    def __init__(
        self,
        response: DynamicResponse,
        path: Path,
        units: np.ndarray,
        objective: LinearGoal,
        margin: float,
        guarantee: str,
    ) -> None:
        self.response, self.problem, self.guarantee = response, response.problem, guarantee
        self.rows = LocalRows(response, path, units)
        self.goal = self.rows.goal(lambda here: Objective.of(objective, here.snapshot))
        self.kept_away = KeptAway(self.rows, objective, margin)
        self.worst_case = LocalWorstCase(self.rows, objective, self.goal)

    def at(self, motion: Motion) -> Iterator[tuple[Moving, Goal]]:
        """The programs near one motion: one for every choice of facets that keep other modes away.

        Parameters
        ----------
        motion
            Where the best value is reached.
        """
        own, sure = self.plain(motion)
        if motion.mode not in self.response or self.guarantee == "none":
            yield own, self.goal
            return
        cuts = [*self.kept_away.cuts(motion), *([cut] for cut in sure)]
        if self.worst_case.goal_feels_w(motion.mode):
            felt = self.worst_case.felt(motion.mode)
            yield from self.worst_case.programs(motion, tuple(map(int, np.flatnonzero(~felt))), cuts)
            return
        for chosen in islice(product(*cuts), CHOICES):
            yield with_cuts(own, chosen), self.goal

    def plain(self, motion: Motion) -> tuple[Moving, list[Cut]]:
        """Rows of a mode and of the task; what the task demands "whatever w is" as rows of their own.

        Parameters
        ----------
        motion
            Where the best value is reached.
        """
        known = motion.mode in self.response
        every = len(self.problem.task.p)
        if self.guarantee == "none" or not known:
            return self.rows.moving(motion.mode, tuple(range(every))), []
        felt = self.worst_case.felt(motion.mode)
        sure = [self.worst_case.sure_task(motion, int(i)) for i in np.flatnonzero(felt)]
        return (
            self.rows.moving(motion.mode, tuple(map(int, np.flatnonzero(~felt)))),
            [cut for cut in sure if cut is not None],
        )
