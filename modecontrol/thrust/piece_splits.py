"""What becomes of a piece of the input space: its best inputs keep their promise, or it is split by what is wrong there.

| what is wrong at the best point            | split of the piece                                                        |
|--------------------------------------------|---------------------------------------------------------------------------|
| a player that the piece does not count yet | inside its torque set (its value counts from now on) and outside          |
| a player whose worst `w` changes over it   | the region where the present worst `w` stays the worst one, and the rest  |
| a task that some `w` misses                | minus the inputs where it can be missed                                   |
| existence of an answer is not shown        | for one cell of friction: the sure sets of its modes                      |
| rounding decides (`rounding.py`)           | minus a slab about the inputs at which it does                            |

For the mode guarantee a player of another mode is not counted but cut away, with the margin. A mode whose inputs could not be
found by projection is present where its own linear program says so, and cut away with a set that holds its inputs.
"""

from __future__ import annotations

import numpy as np

from modecontrol import tolerances
from modecontrol.errors import UncheckedError
from modecontrol.polytopes import Polytope
from modecontrol.regions.ambiguity import clashes_with, widened
from modecontrol.thrust.aims import AnyPlayer
from modecontrol.thrust.presence import Presence
from modecontrol.thrust.promised_pieces import OpenPieces, Piece
from modecontrol.thrust.promised_sets import may_miss, same_motion, thick
from modecontrol.thrust.rounding import undecided

MOST_SLABS = 40
"""Slabs about inputs at which rounding decides that one search cuts away; then it gives such pieces up."""


def breaks(player: AnyPlayer, tau: np.ndarray, near: float) -> bool:
    """Whether a mode may miss the task at inputs that it explains within rounding, or has a worst case that rounding decides."""
    if player.mine.is_steep:
        return True
    try:
        return (
            may_miss(player.mine, tau) is not None
            or undecided(player.mine, tau, player.on_w, near) is not None
        )
    except UncheckedError:
        return True


class Splits:
    """Looks at pieces and splits them.

    Parameters
    ----------
    pieces
        The pieces that wait.
    presence
        The modes of the cells.
    mode
        The only mode that may happen; None allows any.
    margin
        Distance (input units) to what is cut away.

    Attributes
    ----------
    cut_short
        Whether a piece was given up because the steps were spent.
    """

    def __init__(self, pieces: OpenPieces, presence: Presence, mode: str | None, margin: float) -> None:
        self.pieces, self.presence, self.mode, self.margin = pieces, presence, mode, margin
        self.aim, self.allowance, self._cells = pieces.aim, pieces.allowance, pieces.cells.cells
        self.cut_short = False
        self._players: dict[int, AnyPlayer] = {}
        self._slabs = 0
        last = len(self._cells) - 1
        self._order = sorted(range(last + 1), key=lambda j: (min(j, last - j), j))
        """The ends of the friction first: they decide most."""
        size = max((abs(bound) for bound in pieces.cells.response.torque_set.b), default=1.0) or 1.0
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

    def look(self, piece: Piece) -> tuple[float, tuple[AnyPlayer, ...], AnyPlayer | None] | None:
        """Value, players and the worst of them when the best point of the piece keeps its promise; otherwise the
        piece is split and None returned.

        A mode that only touches the promised one with the same motion may have other forces: it counts, too.
        """
        tau = piece.tau
        assert tau is not None
        if piece.shown < len(self._cells):
            self._split_by_existence(piece)
            return None
        present = self.presence.at(tau, self.allowance)
        bound = piece.bound
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
        if self._cut_rounding(piece, present):
            return None
        return lowest if present else bound, tuple(self.player(i) for i in present), who

    def _split_by_existence(self, piece: Piece) -> None:
        j = self._order[piece.shown]
        cell = self._cells[j]
        sure: dict[str, Polytope] = {}
        for mode in cell.response:
            if self.allowance.is_over:
                self.cut_short = True
                return
            self.allowance.spend(len(cell.corner_responses(mode)))
            if any(corner.is_steep for corner in cell.corner_responses(mode)):
                self.allowance.given_up = True
                continue
            try:
                sure[mode] = cell.sure_torques(mode)
            except UncheckedError as error:
                self.allowance.unprojected[mode] = str(error)
        widest = max((T.dimension for T in sure.values()), default=-1)
        for mode, T in sure.items():
            if T.dimension == widest:
                inside = piece.inputs.intersect(T)
                if inside.dimension == min(widest, piece.inputs.dimension):
                    caps = [*piece.caps, *self.pieces.caps_in(j, mode)]
                    self.pieces.push(inside.minimal(), caps, piece.counted, piece.shown + 1)

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
        border = T.dimension >= piece.inputs.dimension or self._cells[rival.cell].box.is_exact
        thin = border and overlap.dimension < piece.inputs.dimension
        if thin and self.margin == 0.0 and self._same_motion(rival, tau):
            return False
        self._outside(piece, widened(T, self.nearest))
        return True

    def _same_motion(self, rival: AnyPlayer, tau: np.ndarray) -> bool:
        """Whether the rival shows no motion that the promised mode does not show (the one rule of ambiguity), and its
        accelerations at `tau`, those of massless parts too, are among those of the mode; never where a disturbance acts.
        """
        there = self._cells[rival.cell].response
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

    def _cut_rounding(self, piece: Piece, present: list[int]) -> bool:
        """Cut away inputs at which rounding decides what may happen, or how bad it is; False when it does not. After
        `MOST_SLABS` of them such a piece is given up.
        """
        tau = piece.tau
        assert tau is not None
        place = None
        for i in present:
            mine = self.player(i).mine
            if self.mode not in (None, mine.mode):
                continue  # a rival that is still here shows no other motion
            if mine.is_steep:
                place = widened(self.presence.torques(i, self.allowance), self.nearest)
            else:
                place = undecided(mine, tau, self.player(i).on_w, self.apart)
            if place is not None:
                break
        else:
            place = self._nearly_present(piece, present)
        if place is None:
            return False
        self._slabs += 1
        if self._slabs <= MOST_SLABS:
            self._outside(piece, place)
        else:
            self.allowance.given_up = True
        return True

    def _nearly_present(self, piece: Piece, present: list[int]) -> Polytope | None:
        """The inputs of a mode that is present within rounding and would break the promise."""
        tau = piece.tau
        assert tau is not None
        for i in self.presence.at(tau, self.allowance, tolerances.PRESENT):
            player = self.player(i)
            if i in present:
                continue
            low = player.worst(tau) < piece.bound - self.aim.slack(piece.bound)
            other = self.mode not in (None, player.mine.mode) and not self._same_motion(player, tau)
            if other or low or breaks(player, tau, self.apart):
                return widened(self.presence.torques(i, self.allowance), self.nearest)
        return None

    def is_decided(self, tau: np.ndarray, worst: float) -> bool:
        """Whether a promise stands against rounding: every mode that is present within it gives the value and meets the task."""
        near = self.presence.at(tau, self.allowance, tolerances.PRESENT)
        players = [self.player(i) for i in near]
        return all(
            player.worst(tau) >= worst - self.aim.slack(worst) and not breaks(player, tau, self.apart)
            for player in players
        )

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
            self.pieces.push(inside, [*piece.caps, cap], piece.counted | {i}, piece.shown)
            return
        self.pieces.push(inside.intersect(region), [*piece.caps, cap], piece.counted, piece.shown)
        for rest in inside.subtract(region):
            if not rest.contains(tau) or rest.dimension == inside.dimension:
                self.pieces.push(rest, piece.caps, piece.counted, piece.shown)

    def _outside(self, piece: Piece, taken: Polytope) -> None:
        for rest in piece.inputs.subtract(thick(taken, self.nearest)):
            self.pieces.push(rest, piece.caps, piece.counted, piece.shown)
