"""The energy book of a `LagrangianModel`, by the rules of the core.

    gain = change of (T2 + V - T0) - work of the inputs and of the other forces

Work is the mean of the powers at both ends of a part of a step: a damper that is too strong for the step cannot explain what it
makes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.dynamics.symbols.equation_numbers import EnergyBalance
from modecontrol.dynamics.symbols.lagrangian_model import LagrangianModel
from modecontrol.timestepping.contact_problem import ContactProblem
from modecontrol.timestepping.engine import run_gains, step_gains
from modecontrol.timestepping.formulations import StepSolution

if TYPE_CHECKING:
    from modecontrol._core.compiled import timestepping as core

PARTS = 64
"""Parts of a step, at most, that are tried where energy is gained; as in the core."""


@dataclass(frozen=True, eq=False)
class Instant:
    """A state, with its arrays and energies."""

    q: np.ndarray
    v: np.ndarray
    snap: Snapshot
    energy: EnergyBalance

    @classmethod
    def at(cls, model: LagrangianModel, q: np.ndarray, v: np.ndarray) -> Instant:
        """The instant of a state; `ValueError` when its numbers overflow."""
        return cls(q, v, model.snapshot(q, v), model.energy_balance(q, v))


class LagrangianBook:
    """Judges the parts of steps, and enters those that are made.

    Parameters
    ----------
    model
        The mechanism.
    q
        Where it starts: what its forces would do from rest in the shortest part of a step is too small to matter.
    h
        Step size (s).
    """

    def __init__(self, model: LagrangianModel, q: np.ndarray, h: float) -> None:
        from modecontrol._core import timestepping as core

        self._entry, self.book, self.h = core.EnergyEntry, core.EnergyBook(), h
        still = model.snapshot(q, np.zeros(len(q)))
        impulse, mass = h / PARTS * still.bias, np.diag(still.mass)
        self.least = float((impulse[mass > 0] ** 2 / mass[mass > 0]).sum())

    def entry(
        self,
        before: Instant,
        after: Instant,
        torque: np.ndarray,
        problem: ContactProblem,
        answer: StepSolution,
    ) -> core.EnergyEntry:
        """What a part of a step does to the energies."""
        (T, V, P), (T1, V1, P1) = before.energy, after.energy
        speed = before.snap.actuation.T @ before.v + after.snap.actuation.T @ after.v
        work = 0.5 * problem.h * (float(torque @ speed) + P + P1)
        rows, p = np.vstack((problem.J, problem.G)), np.concatenate((answer.impulse, answer.loop_impulse))
        mass = np.diag(problem.W)
        moved = (p @ rows)[mass > 0] ** 2 / mass[mass > 0]
        alone = p**2 @ (rows[:, mass > 0] ** 2 / mass[mass > 0]).sum(axis=1)
        pressed = np.abs(p @ rows) @ np.abs(problem.q) / problem.h
        sizes = T + abs(V) + abs(V1) + abs(work) + moved.sum() + alone + pressed
        return self._entry(T, V, T1, V1, work, float(tolerances.WORK_ROUNDING * sizes))

    def refuses(self, entry: core.EnergyEntry, recovery: float, length: float, last: bool) -> bool:
        """Whether a part is made again: it gains too much, or recovery gives too much, or (except in the last try) a run that has
        gained goes on gaining.
        """
        if self.book.gains(entry, self.least) or self.book.lifts(entry, recovery, self.least):
            return True
        return not last and self.book.drifts(entry, length, self.h, self.least)

    def add(self, entry: core.EnergyEntry) -> str:
        """Enter a part that was made: empty, or why the run ends."""
        self.book.add(entry)
        if self.book.exploded(self.least):
            return run_gains(self.book.unexplained, self.book.explained)
        return ""

    @staticmethod
    def sentence(entry: core.EnergyEntry) -> str:
        """Why a run ends whose smallest parts gain."""
        return step_gains(entry.gain, entry.turnover)


def recovery_work(problem: ContactProblem, answer: StepSolution) -> float:
    """Work of recovery of penetration and of open loops (J)."""
    lifted = answer.impulse[0::2] @ np.maximum(-problem.offset, 0.0)
    return max(0.0, float(lifted + answer.loop_impulse @ problem.target))
