"""What is to be maximised: a linear quantity of accelerations, forces and inputs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.modes.constraints import Rows
from modecontrol.modes.linear import Linear
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.modes.problem import Problem
from modecontrol.validation import check_number, real_array

LinearGoal = str | Linear | ArrayLike
"""What is maximised, as it is given: a name, a linear expression or its text, or coefficients."""


@dataclass(frozen=True, eq=False)
class Objective:
    """`row . (qdd, f, tau) + constant`."""

    row: np.ndarray
    constant: float
    name: str

    @staticmethod
    def of(thing: LinearGoal, snapshot: Snapshot) -> Objective:
        """From a name (`"alpha"`, `"body.normal"`), a linear expression or its text, or a vector.

        A vector has one entry per coordinate (accelerations), or one per entry of `(qdd, f, tau)`.
        """
        n, t = snapshot.actuation.shape
        columns = n + 2 * snapshot.contacts + t
        if isinstance(thing, str | Linear):
            P_q, P_f, P_tau, constant = Linear.of(thing).row(snapshot)
            row = real_array(np.concatenate([P_q, P_f, P_tau]), "objective")
            return Objective(row, check_number(constant, "the constant of the objective"), str(thing))
        vector = real_array(thing, "objective")
        if vector.shape == (n,):
            vector = np.concatenate([vector, np.zeros(columns - n)])
        if vector.shape != (columns,):
            raise ValueError(
                f"objective has shape {vector.shape}; expected a name, a linear expression, {n} finite "
                f"coefficients of the accelerations, or {columns} of (qdd, f, tau)"
            )
        return Objective(vector, 0.0, "objective")

    def below(self, physical: Rows, task: Rows) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
        """Rows as the core's searches read them: `(P, p, equality, number of physical ones)`, the goal last."""
        return (
            np.vstack([physical.P, task.P, self.row[None, :]]),
            np.concatenate([physical.p, task.p, [-self.constant]]),
            np.concatenate([physical.equality, task.equality, [False]]),
            len(physical.p),
        )

    def asked(self, problem: Problem) -> np.ndarray:
        """Rows whose values are promised together: the task and the objective."""
        return np.vstack([problem.task.P, self.fitted(problem).row[None, :]])

    def fitted(self, problem: Problem) -> Objective:
        """The same for a problem with disturbances behind its accelerations, which the objective does not feel."""
        known = problem.undisturbed.snapshot.actuation.shape[0]
        more = problem.snapshot.actuation.shape[0] - known
        width = known + 2 * problem.snapshot.contacts + problem.snapshot.actuation.shape[1]
        if more == 0 or len(self.row) != width:
            return self
        return Objective(
            np.concatenate([self.row[:known], np.zeros(more), self.row[known:]]), self.constant, self.name
        )

    def within(self, response: ModeResponse) -> tuple[np.ndarray, np.ndarray, float]:
        """In one mode: `on_tau . tau + on_w . w + constant`."""
        fitting = self.fitted(response.problem)
        row = Rows(fitting.row[None, :], np.zeros(1), np.zeros(1, bool), (self.name,))
        A, b, _, _ = response.substitute(row)
        inputs = response.U.shape[1]
        return A[0, :inputs], A[0, inputs:], self.constant - float(b[0])
