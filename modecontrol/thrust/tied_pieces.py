"""The pieces of a mode's inputs on which the best value is reached, and how its value moves on each.

The inputs of a mode that surely work are no convex set: what every rival r explains is cut out,

    V(p) = max goal tau   over   tau in T_c,   and for every rival r one facet i with   n_ri tau >= e_ri

Each choice of facets is a linear program V_k(p), and `V(p) = max V_k(p)`; so `V'(+) = max V_k'(+)` over the choices that
reach V(p), and the same towards the other side. Facets are chosen by branch and bound, as the search for V does, first by
the value and then by its derivative: a piece that reaches less falls; a piece whose best point lies in a rival, or moves
into one at once, is cut along the facets of this rival. The best point is that of the tangent program, which looks at all
optimal points of the piece: the rival that matters may be far from the inputs that the search for V chose.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol.polytopes import Polytope
from modecontrol.thrust.kept_away import Kept
from modecontrol.thrust.local_programs import Programs
from modecontrol.thrust.local_rows import Cut, Motion, with_cuts
from modecontrol.thrust.objective import Objective
from modecontrol.thrust.tangent_program import Step, directional


class Slopes:
    """One-sided derivatives of pieces that share a value: the greatest one counts on each side.

    Attributes
    ----------
    up, down
        In the directions +1 and -1; minus infinite where nothing is left.
    simple
        Whether one piece with one formula gives both.
    lost
        Whether some piece could not be followed.
    """

    def __init__(self) -> None:
        self.up = self.down = -np.inf
        self.pieces, self.unique, self.lost = 0, True, False

    @property
    def simple(self) -> bool:
        """Whether one piece with one formula gives both derivatives."""
        return self.pieces == 1 and self.unique and not self.lost

    def add(self, up: float, down: float, unique: bool) -> None:
        """One more piece.

        Parameters
        ----------
        up, down, unique
            Its derivatives, and whether one formula gives both.
        """
        self.up, self.down = max(self.up, up), max(self.down, down)
        self.pieces += 1
        self.unique &= unique


class Piece(NamedTuple):
    """A convex set of `(tau, w)` with the facets that were chosen for it: `(rival, facet)`."""

    points: Polytope
    chosen: tuple[tuple[int, int], ...]


class TiedPieces:
    """All pieces of one mode that reach the best value.

    Parameters
    ----------
    programs
        Rows with their derivatives.
    mode
        The mode.
    value, tie
        The best value, and how far a value that counts as equal may be off.
    motion
        The motion of the mode at inputs and `w`.
    moving
        Whether rivals that are entered at once stand in the way, or only those that hold the best point.
    """

    def __init__(
        self,
        programs: Programs,
        mode: str,
        value: float,
        tie: float,
        motion: Callable[[str, np.ndarray, np.ndarray], Motion],
        moving: bool = True,
    ) -> None:
        self.programs, self.mode, self.value, self.tie, self.motion = programs, mode, value, tie, motion
        self.moving = moving
        self.mine = programs.response[mode]
        self.kept = [] if programs.guarantee == "none" else programs.kept_away.sets(mode)
        goal = Objective.of(programs.kept_away.objective, programs.problem.snapshot)
        on_tau, on_w, self.constant = goal.within(self.mine)
        self.inputs, self.goal = len(on_tau), np.concatenate([on_tau, on_w])
        self.units = programs.rows.units[-self.inputs :]
        self.motions: list[Motion] = []

    def follow(self, slopes: Slopes) -> None:
        """Add every piece that reaches the value.

        Parameters
        ----------
        slopes
            What is known so far.
        """
        waiting = [Piece(points, ()) for points in self._whole()]
        looked = 0
        while waiting:
            looked += 1
            if looked > tolerances.TIED_PIECES:
                slopes.lost = True
                return
            piece = waiting.pop()
            best = piece.points.maximize(self.goal)
            if best.status == "infeasible" or best.value + self.constant < self.value - self.tie:
                continue
            if best.status != "optimal":
                slopes.lost = True
                continue
            assert best.point is not None
            tau, w = best.point[: self.inputs], best.point[self.inputs :]
            if best.value + self.constant > self.value + self.tie:
                rival = self._rival(piece, tau, None)
                slopes.lost |= rival is None
            else:
                rival = self._add(piece, self.motion(self.mode, tau, w), slopes)
            if rival is not None:
                waiting += [self._beyond(piece, rival, i) for i in range(len(self.kept[rival].b))]

    def _whole(self) -> list[Polytope]:
        if self.programs.guarantee == "none":
            return [self.mine.task_domain if len(self.programs.problem.task.p) else self.mine.domain]
        extra = self.mine.domain.n - self.inputs
        return [self.mine.domain & piece.extend(extra) for piece in self.mine.task_torques("every")]

    def _beyond(self, piece: Piece, rival: int, i: int) -> Piece:
        """The part of a piece beyond one facet of a rival."""
        kept = self.kept[rival]
        row = np.concatenate([-kept.A[i], np.zeros(piece.points.n - self.inputs)])
        return Piece(piece.points & Polytope(row[None, :], [-kept.b[i]]), (*piece.chosen, (rival, i)))

    def _add(self, piece: Piece, motion: Motion, slopes: Slopes) -> int | None:
        """Derivatives of one piece, as far as they count; a rival that stands in its way."""
        cuts: list[Cut] = []
        for rival, i in piece.chosen:
            cut = self.programs.kept_away.cut(self.kept[rival], i)
            if cut is None:
                slopes.lost = True
                return None
            cuts.append(cut)
        own, sure = self.programs.plain(motion)
        found = directional(with_cuts(own, (*sure, *cuts)), self.programs.goal, motion.y)
        if found is None:
            slopes.lost = True
            return None
        blocked = [self._blocks(piece, found.up, 1.0), self._blocks(piece, found.down, -1.0)]
        up, down = (
            step.rate if rival is None else -np.inf
            for step, rival in zip((found.up, found.down), blocked, strict=True)
        )
        if blocked == [None, None] or max(up, down) > -np.inf:
            slopes.add(up, down, found.unique and blocked == [None, None])
            self.motions.append(motion)
        better = [
            rival
            for step, rival, known in zip(
                (found.up, found.down), blocked, (slopes.up, slopes.down), strict=True
            )
            if rival is not None and step.rate > known
        ]
        return better[0] if better else None

    def _blocks(self, piece: Piece, step: Step, sign: float) -> int | None:
        """The rival that the optimum of a step lies in, or enters at once."""
        if not np.isfinite(step.rate):
            return None
        moves = (step.z[-self.inputs :], sign) if self.moving else None
        return self._rival(piece, step.y[-self.inputs :] * self.units, moves)

    def _rival(self, piece: Piece, tau: np.ndarray, moves: tuple[np.ndarray, float] | None) -> int | None:
        """A rival that holds the inputs, or does as soon as they move."""
        near = tolerances.ACTIVE * max(1.0, float(np.abs(tau).max(initial=0.0)))
        met = {rival for rival, _ in piece.chosen}
        for number, kept in enumerate(self.kept):
            away = kept.A @ tau - kept.b
            if number in met or np.any(away > near):
                continue
            touched = np.flatnonzero(away >= -near)
            if np.all(away < -kept.give) or (
                moves is not None and len(touched) and self._enters(kept, touched, tau, *moves)
            ):
                return number
        return None

    def _enters(self, kept: Kept, touched: np.ndarray, tau: np.ndarray, z: np.ndarray, sign: float) -> bool:
        """Whether inputs on the border of what is kept off come inside: every facet that they touch overtakes them."""
        x = tau / self.units
        for i in touched:
            cut = self.programs.kept_away.cut(kept, int(i))
            if cut is None:
                continue
            terms = np.concatenate([cut.n * z, sign * cut.dn * x, [-sign * cut.de]])
            if terms.sum() >= -tolerances.CARRIED * np.abs(terms).sum():
                return False
        return True
