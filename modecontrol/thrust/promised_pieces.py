"""What the search for promises works on, and what it gives: pieces of the input space, and the inputs that were found.

A piece knows caps of its value: the worst values of the players that count on it, and those of modes that can surely be
produced at corners of the friction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from modecontrol.errors import UncheckedError
from modecontrol.polytopes import Polytope
from modecontrol.regions.friction_cells import FrictionCells
from modecontrol.thrust.aims import Aim, AnyPlayer
from modecontrol.thrust.allowance import Allowance
from modecontrol.thrust.best_first import Frontier


@dataclass(frozen=True, eq=False)
class Piece:
    """A part of the input space with the caps of its value and what has been shown of it."""

    bound: float
    """No value above this can be promised on the piece."""
    inputs: Polytope
    caps: list[Any]
    counted: frozenset[int]
    """Players whose worst value is among the caps."""
    shown: int
    """Cells, from the first on, for which an answer surely exists on the whole piece."""
    tau: np.ndarray | None = None
    whole: str = ""
    """A mode whose sure set the piece stands for until it comes up."""


@dataclass(frozen=True, eq=False)
class Guaranteed:
    """What the search found: inputs, value, the players present there; `status` says how it ended."""

    status: str
    tau: np.ndarray | None = None
    value: float = -np.inf
    present: tuple[AnyPlayer, ...] = ()
    worst: AnyPlayer | None = None
    existence: str = ""
    pieces: int = 0


class OpenPieces:
    """The pieces that wait to be looked at, the one with the greatest bound first.

    Parameters
    ----------
    cells
        Friction, covered.
    aim
        What is made great.
    allowance
        Steps that may be taken.
    """

    def __init__(self, cells: FrictionCells, aim: Aim, allowance: Allowance) -> None:
        self.cells, self.aim, self.allowance = cells, aim, allowance
        self.frontier: Frontier[Piece] = Frontier()
        self._caps: dict[tuple[int, str], list[Any]] = {}

    def push(self, inputs: Polytope, caps: Sequence[Any], counted: frozenset[int], shown: int) -> None:
        """Let a piece wait, unless it is empty.

        Parameters
        ----------
        inputs, caps, counted, shown
            As in `Piece`.
        """
        self.allowance.spend()
        if inputs.is_empty:
            return
        found = self.aim.best(inputs, caps)
        if found is not None:
            value, tau = found
            self.frontier.push(-value, Piece(value, inputs, list(caps), counted, shown, tau))

    def push_sure(self, mode: str, shown: int) -> None:
        """Let the inputs wait that surely can produce a mode.

        Parameters
        ----------
        mode, shown
            The mode, and cells for which an answer exists there.
        """
        self.push(self._sure(mode), self._corner_caps(mode), frozenset(), shown)

    def push_hope(self, mode: str, bound: float) -> None:
        """Let a mode wait whose sure inputs are found when it comes up.

        Parameters
        ----------
        mode, bound
            The mode, and a value that it cannot exceed.
        """
        everywhere = len(self.cells.cells)
        torque_set = self.cells.response.torque_set
        self.frontier.push(-bound, Piece(bound, torque_set, [], frozenset(), everywhere, whole=mode))

    def caps_in(self, j: int, mode: str) -> list[Any]:
        """Values of a mode at the corners of the friction of a cell.

        Parameters
        ----------
        j, mode
            Number of the cell, and the mode.
        """
        if (j, mode) not in self._caps:
            cell = self.cells.cells[j]
            corners = cell.corner_responses(mode) if mode in cell.response else []
            self.allowance.spend(len(corners))
            values = map(self.aim.sure_cap, corners)
            self._caps[j, mode] = [value for value in values if value is not None]
        return self._caps[j, mode]

    def _sure(self, mode: str) -> Polytope:
        """Inputs that surely can produce a mode; none where they could not be found, or where the mode is all but singular."""
        self.allowance.spend()
        nowhere = Polytope(np.zeros((1, self.cells.response.torque_set.n)), [-1.0])
        corners = (
            corner
            for cell in self.cells.cells
            if mode in cell.response
            for corner in cell.corner_responses(mode)
        )
        if any(corner.is_steep for corner in corners):
            self.allowance.given_up = True
            return nowhere
        try:
            return self.cells.sure_torques(mode)
        except UncheckedError as error:
            self.allowance.unprojected[mode] = str(error)
            return nowhere

    def _corner_caps(self, mode: str) -> list[Any]:
        """Values of the mode at corners of the friction: on its sure set none can be exceeded, and where
        the mode is nowhere singular one of them is the worst.
        """
        at_corners = [cap for j in range(len(self.cells.cells)) for cap in self.caps_in(j, mode)]
        return [*self.aim.first, *at_corners]
