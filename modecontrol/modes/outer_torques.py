"""The inputs of a mode whose domain could not be projected: rows that hold for them, found where they are needed.

Whether given inputs can produce the mode is one linear program over `w`. Where it has no point, its multipliers make a row
that all inputs of the mode obey and the given ones do not: the next question beyond that row needs no program.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from modecontrol import tolerances
from modecontrol.polytopes import Polytope

if TYPE_CHECKING:
    from modecontrol.modes.mode_response import ModeResponse


class OuterTorques:
    """A set that holds the inputs of a mode, sharper with every question.

    Parameters
    ----------
    mine
        The mode.
    """

    def __init__(self, mine: ModeResponse):
        self.mine = mine
        self._inputs = mine.U.shape[1]
        self._rows: list[np.ndarray] = []
        self._levels: list[float] = []

    def excludes(self, tau: np.ndarray) -> bool:
        """Whether the rows that are known show that inputs cannot produce the mode."""
        if not self._rows:
            return False
        rows, levels = np.array(self._rows), np.array(self._levels)
        size = np.abs(rows) @ np.maximum(np.abs(tau), self.mine.problem.input_sizes) + np.abs(levels)
        return bool(np.any(rows @ tau - levels > tolerances.STRICT * size))

    def contains(self, tau: np.ndarray) -> bool:
        """Whether inputs can produce the mode: exactly, not only whether they are in the outer set."""
        if self.excludes(tau):
            return False
        if self.mine.allows(tau):
            return True
        self._cut_off(tau)
        return False

    @cached_property
    def torques(self) -> Polytope:
        """A set of inputs that holds all those of the mode: as far as they reach along every axis and along the rows of the
        domain.
        """
        D, t = self.mine.domain, self._inputs
        along = [row / np.abs(row).max() for row in (*D.A[:, :t], *D.C[:, :t]) if np.any(row)]
        axes = np.eye(t)
        for row in (*axes, *along):
            self._add(row)
            self._add(-row)
        rows = np.array(self._rows) if self._rows else np.zeros((0, t))
        return Polytope(rows, np.array(self._levels), names=self.mine.problem.names.inputs)

    def _cut_off(self, tau: np.ndarray) -> None:
        """A row that the inputs of the mode obey and `tau` does not, by the proof that no `w` is left there."""
        proof = self.mine.fibre(tau).farkas()
        if proof is None:
            return  # the inputs miss a row that w does not enter, or are refused within rounding
        D, t = self.mine.domain, self._inputs
        y, z = (np.asarray(part, float) for part in proof)
        row = y @ D.A[:, :t] + z @ D.C[:, :t]
        largest = np.abs(row).max(initial=0.0)
        if largest > 0:
            self._add(row / largest)

    def _add(self, row: np.ndarray) -> None:
        """The row with the level up to which the domain reaches: valid whatever rounding did to the row."""
        level = self.mine.domain.support(np.concatenate([row, np.zeros(self.mine.ambiguity_variables)]))
        if np.isfinite(level):
            self._rows.append(row)
            self._levels.append(float(level))
