"""Which modes of which cells of friction explain given inputs, asked of thousands of modes at once."""

from __future__ import annotations

import numpy as np

from modecontrol import tolerances
from modecontrol.errors import UncheckedError
from modecontrol.modes.mode_response import ModeResponse, hold
from modecontrol.modes.outer_torques import OuterTorques
from modecontrol.polytopes import Polytope
from modecontrol.regions.friction_cells import FrictionCells
from modecontrol.thrust.allowance import PROJECTION_STEPS, Allowance

PROJECTED_AGAIN = 4
"""Ambiguity variables with which a domain that the core did not project is tried again in the midst of a search."""


class Presence:
    """Every mode of every cell, with its inputs or, where they are not known, a set that holds them.

    Parameters
    ----------
    cells
        Friction, covered.
    """

    def __init__(self, cells: FrictionCells):
        self.modes: list[tuple[int, ModeResponse]] = [
            (j, cell.response[mode]) for j, cell in enumerate(cells.cells) for mode in cell.response
        ]
        self._outer = {
            i: OuterTorques(mine) for i, (_, mine) in enumerate(self.modes) if mine.known_torques is None
        }
        known = [(i, mine.known_torques) for i, (_, mine) in enumerate(self.modes)]
        sets = [(i, T) for i, T in known if T is not None]
        n = len(cells.response.problem.names.inputs)
        self._sizes = cells.response.problem.input_sizes
        self._rows = np.vstack([np.zeros((0, n)), *(part for _, T in sets for part in (T.A, T.C, -T.C))])
        self._levels = np.concatenate([[], *(part for _, T in sets for part in (T.b, T.d, -T.d))])
        self._owner = np.repeat([i for i, _ in sets], [len(T.b) + 2 * len(T.d) for _, T in sets]).astype(int)
        self._spans = np.abs(self._rows)

    def at(self, tau: np.ndarray, allowance: Allowance, part: float = tolerances.FEASIBLE) -> list[int]:
        """Numbers of the modes that explain inputs to that part of their natural size. Rows that are clearly missed decide
        for all modes together.
        """
        size = self._spans @ np.maximum(np.abs(tau), self._sizes) + np.abs(self._levels)
        missed = self._owner[self._rows @ tau - self._levels > tolerances.CLEAR * size]
        may = np.ones(len(self.modes), dtype=bool)
        may[missed] = False
        return [int(i) for i in np.flatnonzero(may) if self._holds(int(i), tau, allowance, part)]

    def _holds(self, i: int, tau: np.ndarray, allowance: Allowance, part: float) -> bool:
        if i not in self._outer:
            return bool(hold(self.modes[i][1].torques, tau, self._sizes, part))
        if self._outer[i].excludes(tau):
            return False
        allowance.spend()
        return self._outer[i].contains(tau)

    def torques(self, i: int, allowance: Allowance) -> Polytope:
        """The inputs of a mode, or more of them where they cannot be found: what is cut away may be too much, never too
        little.
        """
        mine = self.modes[i][1]
        if i not in self._outer:
            return mine.torques
        if mine.mode not in allowance.unprojected and mine.ambiguity_variables > PROJECTED_AGAIN:
            allowance.unprojected[mine.mode] = (
                f"{mine.mode} has {mine.ambiguity_variables} ambiguity variables"
            )
        if mine.mode not in allowance.unprojected:
            allowance.spend(PROJECTION_STEPS)
            try:
                found = mine.torques
            except UncheckedError as error:
                allowance.unprojected[mine.mode] = str(error)
            else:
                del self._outer[i]
                return found
        return self._outer[i].torques
