"""The greatest value that is reached whatever friction, mode and `w` turn out to be.

    maximise over tau    min over the modes c that some friction allows at tau    min over (mu, w)    l (qdd, f, tau)

A *player* is one mode in one cell of friction: its torque set `T` (what may happen there) and its worst value
at `tau`. A disturbance stands among the `w`. Best-first search over pieces of the input space: a piece knows caps
of its value. Its best point is looked at with every player that is present there; when none is worse and the task
holds for all, it is the answer. Otherwise the piece is split (`piece_splits.py`).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from modecontrol.errors import UncheckedError
from modecontrol.regions.friction_cells import FrictionCells
from modecontrol.thrust.aims import Aim
from modecontrol.thrust.allowance import Allowance
from modecontrol.thrust.piece_splits import Splits
from modecontrol.thrust.presence import Presence
from modecontrol.thrust.promised_pieces import Guaranteed, OpenPieces, Piece
from modecontrol.thrust.promised_sets import always_an_answer, may_miss


class Search:
    """Best-first search for the inputs with the greatest guaranteed value.

    Parameters
    ----------
    cells
        Friction, covered.
    aim
        What is made great.
    mode
        Only this mode may happen (the mode guarantee); None allows any (the outcome guarantee).
    margin
        Distance (input units) to what is cut away.
    allowance
        Pieces that may be looked at, and steps that all searches of a call may take.
    floor
        A value that is promised already: less is not looked for.
    presence
        The modes of the cells; None gathers them.
    """

    def __init__(
        self,
        cells: FrictionCells,
        aim: Aim,
        mode: str | None,
        margin: float,
        allowance: Allowance,
        *,
        floor: float = -np.inf,
        presence: Presence | None = None,
    ):
        self.cells, self.aim, self.mode, self.allowance, self.floor = cells, aim, mode, allowance, floor
        self.presence = Presence(cells) if presence is None else presence
        self.pieces = OpenPieces(cells, aim, allowance)
        self.splits = Splits(self.pieces, self.presence, mode, margin)

    @cached_property
    def bound(self) -> float:
        """No value above this can be promised."""
        self._begin()
        first = self.pieces.frontier.first
        return -np.inf if first is None else first[1].bound

    def run(self) -> Guaranteed:
        """Look at pieces, best first."""
        if not self.bound > -np.inf:
            return Guaranteed("none")
        found = self.pieces.frontier.search(self._look)
        return self._nothing() if found is None else found

    def _nothing(self) -> Guaranteed:
        looked = self.pieces.frontier.looked
        return Guaranteed("patience" if self.splits.cut_short else "none", pieces=looked)

    def _look(self, piece: Piece) -> Guaranteed | None:
        """What one piece answers; None when its parts wait instead."""
        looked = self.pieces.frontier.looked
        if piece.bound <= self.floor:
            return self._nothing()
        if looked > self.allowance.pieces or self.allowance.is_over:
            return self._stopped(piece, looked)
        if piece.whole:
            self.pieces.push_sure(piece.whole, piece.shown)
            return None
        if piece.tau is None:
            return Guaranteed("unbounded", value=np.inf, pieces=looked)
        found = self.splits.look(piece)
        if found is None:
            return None
        value, present, worst = found
        return Guaranteed("optimal", piece.tau, value, present, worst, self._existence_words(), looked)

    def _stopped(self, piece: Piece, looked: int) -> Guaranteed:
        """Patience is over: what the inputs of the best piece promise, if they do."""
        nothing = Guaranteed("patience", pieces=looked)
        tau = piece.tau
        if self.mode is not None or tau is None or piece.whole or piece.shown < len(self.cells.cells):
            return nothing
        present = tuple(self.splits.player(i) for i in self.presence.at(tau, self.allowance))
        try:
            missed = any(may_miss(player.mine, tau) is not None for player in present)
        except UncheckedError:
            return nothing
        worst = min(present, key=lambda player: player.worst(tau), default=None)
        if missed or worst is None or not worst.worst(tau) > self.floor:
            return nothing
        if not self.splits.is_decided(tau, worst.worst(tau)):
            return nothing
        return Guaranteed("patience", tau, worst.worst(tau), present, worst, self._existence_words(), looked)

    def _begin(self) -> None:
        everywhere, torque_set = len(self.cells.cells), self.cells.response.torque_set
        if self.mode is not None:
            self.pieces.push_sure(self.mode, everywhere)
        elif self._always_an_answer:
            self.pieces.push(torque_set, self.aim.first, frozenset(), everywhere)
        else:
            for mode, bound in self.aim.hopes(self.cells).items():
                self.pieces.push_hope(mode, bound)
            if len(self.cells.cells) > 1:
                self.pieces.push(torque_set, self.aim.first, frozenset(), 0)

    @cached_property
    def _always_an_answer(self) -> bool:
        return always_an_answer(self.cells.response.problem)

    def _existence_words(self) -> str:
        if self.mode is not None:
            return f"mode {self.mode} is possible at every corner of the friction (corner theorem)"
        if self._always_an_answer:
            return "all contacts rest and the mass is positive definite"
        return "in every cell of friction one mode is possible at all corners (corner theorem)"
