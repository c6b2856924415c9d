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
from modecontrol.thrust.local_rows import LocalRows, Motion, with_cuts
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
        known = motion.mode in self.response
        felt = self.worst_case.felt(motion.mode) if known else np.zeros(len(self.problem.task.p), bool)
        cuts = [] if self.guarantee == "none" or not known else list(self.kept_away.cuts(motion))
        if self.guarantee != "none":
            for i in np.flatnonzero(felt):
                cut = self.worst_case.sure_task(motion, int(i))
                if cut is not None:
                    cuts.append([cut])
        plain = (
            tuple(map(int, np.flatnonzero(~felt))) if self.guarantee != "none" else tuple(range(len(felt)))
        )
        if known and self.guarantee != "none" and self.worst_case.goal_feels_w(motion.mode):
            yield from self.worst_case.programs(motion, plain, cuts)
            return
        own = self.rows.moving(motion.mode, plain)
        for chosen in islice(product(*cuts), CHOICES):
            yield with_cuts(own, chosen), self.goal
