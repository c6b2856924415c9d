"""The greatest value that is reached whatever friction, mode and `w` turn out to be.

    maximise over tau    min over the modes c that some friction allows at tau    min over (mu, w)    l (qdd, f, tau)

A *player* is one mode in one cell of friction: its torque set `T` (what may happen there) and its worst value
at `tau`. A disturbance stands among the `w`. Best-first search over pieces of the input space: a piece knows caps
of its value. Its best point is looked at with every player that is present there; when none is worse and the task
holds for all, it is the answer. Otherwise the piece is split:

| what is wrong at the best point            | split of the piece                                                        |
|--------------------------------------------|---------------------------------------------------------------------------|
| a player that the piece does not count yet | inside its torque set (its value counts from now on) and outside          |
| a player whose worst `w` changes over it   | the region where the present worst `w` stays the worst one, and the rest  |
| a task that some `w` misses                | minus the inputs where it can be missed                                   |
| existence of an answer is not shown        | for one cell of friction: the sure sets of its modes                      |

For the mode guarantee a player of another mode is not counted but cut away, with the margin. A mode whose inputs could not be
found by projection is present where its own linear program says so, and cut away with a set that holds its inputs.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.errors import UncheckedError
from modecontrol.polytopes import Polytope
from modecontrol.regions.ambiguity import clashes_with, widened
from modecontrol.regions.friction_cells import FrictionCells
from modecontrol.thrust.aims import Aim, AnyPlayer
from modecontrol.thrust.allowance import Allowance
from modecontrol.thrust.presence import Presence
from modecontrol.thrust.promised_pieces import Guaranteed, Piece
from modecontrol.thrust.promised_sets import always_an_answer, may_miss, same_motion, thick


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
        self.cells, self.aim, self.mode, self.margin, self.allowance = cells, aim, mode, margin, allowance
        self.floor = floor
        self.presence = Presence(cells) if presence is None else presence
        self._players: dict[int, AnyPlayer] = {}
        self._cut_short = False
        self.torque_set = cells.response.torque_set
        self._order = count()
        self._heap: list[Piece] = []
        self._caps: dict[tuple[int, str], list[Any]] = {}
        last = len(cells.cells) - 1
        self._cell_order = sorted(range(last + 1), key=lambda j: (min(j, last - j), j))
        """The ends of the friction first: they decide most."""
        size = max((abs(bound) for bound in self.torque_set.b), default=1.0) or 1.0
        self.apart = tolerances.APART * size
        """What is cut away is cut with at least this distance, so that a piece never touches what it was cut
        from.
        """
        self.nearest = max(margin, self.apart)
        """The same for inputs of other modes, from which the margin is kept."""

    def player(self, i: int) -> AnyPlayer:
        """Mode number `i` of all cells."""
        if i not in self._players:
            self._players[i] = self.aim.player(*self.presence.modes[i])
        return self._players[i]

    # The search --------------------------------------------------------------------------------------------

    @cached_property
    def bound(self) -> float:
        """No value above this can be promised."""
        self._begin()
        return -self._heap[0].bound if self._heap else -np.inf

    def run(self) -> Guaranteed:
        """Look at pieces, best first."""
        if not self.bound > -np.inf:
            return Guaranteed("none")
        looked = 0
        while self._heap:
            piece = heapq.heappop(self._heap)
            looked += 1
            if -piece.bound <= self.floor:
                break
            if looked > self.allowance.pieces or self.allowance.is_over:
                return self._stopped(piece, looked)
            if piece.whole:
                self._push(self._sure(piece.whole), self._corner_caps(piece.whole), frozenset(), piece.shown)
                continue
            if piece.tau is None:
                return Guaranteed("unbounded", value=np.inf, pieces=looked)
            found = self._look(piece)
            if found is not None:
                value, present, worst = found
                words = self._existence_words()
                return Guaranteed("optimal", piece.tau, value, present, worst, words, looked)
        return Guaranteed("patience" if self._cut_short else "none", pieces=looked)

    def _stopped(self, piece: Piece, looked: int) -> Guaranteed:
        """Patience is over: what the inputs of the best piece promise, if they do."""
        nothing = Guaranteed("patience", pieces=looked)
        tau = piece.tau
        if self.mode is not None or tau is None or piece.whole or piece.shown < len(self.cells.cells):
            return nothing
        present = tuple(self.player(i) for i in self.presence.at(tau, self.allowance))
        try:
            missed = any(may_miss(player.mine, tau) is not None for player in present)
        except UncheckedError:
            return nothing
        worst = min(present, key=lambda player: player.worst(tau), default=None)
        if missed or worst is None or not worst.worst(tau) > self.floor:
            return nothing
        return Guaranteed("patience", tau, worst.worst(tau), present, worst, self._existence_words(), looked)

    def _sure(self, mode: str) -> Polytope:
        """Inputs that surely can produce a mode; none where they could not be found."""
        self.allowance.spend()
        try:
            return self.cells.sure_torques(mode)
        except UncheckedError as error:
            self.allowance.unprojected[mode] = str(error)
            return Polytope(np.zeros((1, self.torque_set.n)), [-1.0])

    def _begin(self) -> None:
        everywhere = len(self.cells.cells)
        if self.mode is not None:
            self._push(self._sure(self.mode), self._corner_caps(self.mode), frozenset(), everywhere)
        elif self._always_an_answer:
            self._push(self.torque_set, self.aim.first, frozenset(), everywhere)
        else:
            for mode, bound in self.aim.hopes(self.cells).items():
                start = Piece(
                    -bound, next(self._order), self.torque_set, [], frozenset(), everywhere, None, mode
                )
                heapq.heappush(self._heap, start)
            if len(self.cells.cells) > 1:
                self._push(self.torque_set, self.aim.first, frozenset(), 0)

    def _corner_caps(self, mode: str) -> list[Any]:
        """Values of the mode at corners of the friction: on its sure set none can be exceeded, and by T4 one
        is the worst.
        """
        at_corners = [cap for j in range(len(self.cells.cells)) for cap in self._caps_in(j, mode)]
        return [*self.aim.first, *at_corners]

    def _caps_in(self, j: int, mode: str) -> list[Any]:
        if (j, mode) not in self._caps:
            cell = self.cells.cells[j]
            corners = cell.corner_responses(mode) if mode in cell.response else []
            self.allowance.spend(len(corners))
            values = map(self.aim.sure_cap, corners)
            self._caps[j, mode] = [value for value in values if value is not None]
        return self._caps[j, mode]

    @cached_property
    def _always_an_answer(self) -> bool:
        return always_an_answer(self.cells.response.problem)

    def _existence_words(self) -> str:
        if self.mode is not None:
            return f"mode {self.mode} is possible at every corner of the friction (T2)"
        if self._always_an_answer:
            return "all contacts rest and the mass is positive definite (T6)"
        return "in every cell of friction one mode is possible at all corners (T2)"

    def _push(self, inputs: Polytope, caps: Sequence[Any], counted: frozenset[int], shown: int) -> None:
        self.allowance.spend()
        if inputs.is_empty:
            return
        found = self.aim.best(inputs, caps)
        if found is not None:
            value, tau = found
            heapq.heappush(
                self._heap, Piece(-value, next(self._order), inputs, list(caps), counted, shown, tau)
            )

    def _look(self, piece: Piece) -> tuple[float, tuple[AnyPlayer, ...], AnyPlayer | None] | None:
        """Value, players and the worst of them when the best point of the piece keeps its promise; otherwise the
        piece is split and None returned.

        A mode that only touches the promised one with the same motion may have other forces: it counts, too.
        """
        tau = piece.tau
        assert tau is not None
        if piece.shown < len(self.cells.cells):
            self._split_by_existence(piece)
            return None
        present = self.presence.at(tau, self.allowance)
        bound = -piece.bound
        lowest, of_who, who = np.inf, np.inf, None
        for i in present:
            player = self.player(i)
            self.allowance.spend()
            mine = self.mode is None or player.mine.mode == self.mode
            if not mine and self._cut_rival(piece, i):
                return None
            if self._cut_task(piece, player, tau):
                return None
            value = player.worst(tau)
            if value < bound - self.aim.slack(bound):
                self._count(piece, i, tau)
                return None
            lowest = min(lowest, value)
            if mine and value < of_who:
                of_who, who = value, player
        return lowest if present else bound, tuple(self.player(i) for i in present), who

    # Splits ------------------------------------------------------------------------------------------------

    def _split_by_existence(self, piece: Piece) -> None:
        j = self._cell_order[piece.shown]
        cell = self.cells.cells[j]
        sure: dict[str, Polytope] = {}
        for mode in cell.response:
            if self.allowance.is_over:
                self._cut_short = True
                return
            self.allowance.spend(len(cell.corner_responses(mode)))
            try:
                sure[mode] = cell.sure_torques(mode)
            except UncheckedError as error:
                self.allowance.unprojected[mode] = str(error)
        widest = max((T.dimension for T in sure.values()), default=-1)
        for mode, T in sure.items():
            if T.dimension == widest:
                inside = piece.inputs.intersect(T)
                if inside.dimension == min(widest, piece.inputs.dimension):
                    caps = [*piece.caps, *self._caps_in(j, mode)]
                    self._push(inside.minimal(), caps, piece.counted, piece.shown + 1)

    def _cut_rival(self, piece: Piece, i: int) -> bool:
        """Cut away a mode that may happen besides the promised one; False when it only touches with the same
        motion.
        """
        tau = piece.tau
        assert tau is not None
        rival, T = self.player(i), self.presence.torques(i, self.allowance)
        overlap = piece.inputs.intersect(T)
        if overlap.is_empty:
            return False
        # over an interval of friction a thin mode may show motions that the promised one shows at other friction only
        border = T.dimension >= piece.inputs.dimension or self.cells.cells[rival.cell].box.is_exact
        thin = border and overlap.dimension < piece.inputs.dimension
        if thin and self.margin == 0.0 and self._same_motion(rival, tau):
            return False
        self._outside(piece, widened(T, self.nearest))
        return True

    def _same_motion(self, rival: AnyPlayer, tau: np.ndarray) -> bool:
        """Whether the rival shows no motion that the promised mode does not show (the one rule of ambiguity), and its
        accelerations at `tau`, those of massless parts too, are among those of the mode; never where a disturbance acts.
        """
        there = self.cells.cells[rival.cell].response
        if self.mode is None or self.mode not in there or there.problem.undisturbed is not there.problem:
            return False
        return not clashes_with(there, self.mode, rival.mine.mode) and same_motion(
            there[self.mode], rival.mine, tau
        )

    def _cut_task(self, piece: Piece, player: AnyPlayer, tau: np.ndarray) -> bool:
        """Cut away the inputs at which this player may miss a row of the task; False when it meets all at
        `tau`.
        """
        try:
            missed = may_miss(player.mine, tau)
        except (
            UncheckedError
        ) as error:  # where it may be missed is not known: nothing is promised on this piece
            self.allowance.unprojected[player.mine.mode] = str(error)
            return True
        if missed is None:
            return False
        self._outside(piece, widened(missed, self.apart))
        return True

    def _count(self, piece: Piece, i: int, tau: np.ndarray) -> None:
        """Let a player's worst value count: inside its torque set, as far as the same `w` is the worst."""
        player, T = self.player(i), self.presence.torques(i, self.allowance)
        inside = piece.inputs.intersect(T)
        found = player.cap(tau)
        if i not in piece.counted:
            self._outside(piece, widened(T, self.nearest))
        if found is None or (
            found[1] is not None and inside.intersect(found[1]).dimension < inside.dimension
        ):
            # a corner at which the worst w changes: cut off what is seen from within, or the piece comes again as it is
            centre = inside.chebyshev.centre
            found = None if centre is None else player.cap(centre)
        if found is None:  # unbounded below, or no single worst w: nothing can be promised here
            return
        cap, region = found
        if region is None:
            self._push(inside, [*piece.caps, cap], piece.counted | {i}, piece.shown)
            return
        self._push(inside.intersect(region), [*piece.caps, cap], piece.counted, piece.shown)
        for rest in inside.subtract(region):
            if not rest.contains(tau) or rest.dimension == inside.dimension:
                self._push(rest, piece.caps, piece.counted, piece.shown)

    def _outside(self, piece: Piece, taken: Polytope) -> None:
        for rest in piece.inputs.subtract(thick(taken, self.nearest)):
            self._push(rest, piece.caps, piece.counted, piece.shown)
