"""Facets of other modes that keep the best inputs where they are, as rows with their derivatives."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol.regions.ambiguity import kept_off, rivals
from modecontrol.thrust.local_rows import Cut, LocalRows, Motion
from modecontrol.thrust.objective import LinearGoal, Objective


class Kept(NamedTuple):
    """What inputs keep off: `A tau <= b` with rows of length one, levels `own` of the mode itself, and how far inside the
    search for the best inputs still takes them.
    """

    mode: str
    A: np.ndarray
    b: np.ndarray
    own: np.ndarray
    give: np.ndarray


class KeptAway:
    """Modes that count against the one with the best value.

    Parameters
    ----------
    rows
        Rows with their derivatives.
    objective, margin
        As for `maximize`.
    """

    def __init__(self, rows: LocalRows, objective: LinearGoal, margin: float) -> None:
        self.rows, self.objective, self.margin = rows, objective, margin
        self.response, self.problem = rows.response, rows.problem
        self._cuts: dict[tuple[str, int], Cut | None] = {}

    def sets(self, mode: str) -> list[Kept]:
        """What the inputs of a mode keep off: one set for each mode that counts against it.

        Parameters
        ----------
        mode
            The mode.
        """
        asked = Objective.of(self.objective, self.problem.snapshot).asked(self.problem)
        found = []
        for other in rivals(self.response, mode, self.margin, asked):
            K, inner = (kept_off(self.response, other, self.margin, inner=inner) for inner in (False, True))
            T = self.response[other].torques.minimal()
            length = np.linalg.norm(K.A, axis=1)
            own = np.concatenate([T.b, T.d, -T.d])
            found.append(
                Kept(other, K.A / length[:, None], K.b / length, own / length, (K.b - inner.b) / length)
            )
        return found

    def cut(self, kept: Kept, i: int) -> Cut | None:
        """One facet of a set that is kept off, as a row with its derivative; None where it has none.

        Parameters
        ----------
        kept, i
            The set, and number of the facet.
        """
        if (kept.mode, i) not in self._cuts:
            own, level = float(kept.own[i]), float(kept.b[i])
            self._cuts[kept.mode, i] = self._facet(kept.mode, kept.A[i], own, level - own)
        return self._cuts[kept.mode, i]

    def cuts(self, motion: Motion) -> Iterator[list[Cut]]:
        """For each mode that is kept off and touches the inputs: the facets that touch.

        Parameters
        ----------
        motion
            Where the best value is reached.
        """
        near = tolerances.ACTIVE * max(1.0, float(np.abs(motion.tau).max(initial=0.0)))
        for kept in self.sets(motion.mode):
            away = kept.A @ motion.tau - kept.b
            if away.max(initial=-np.inf) > near:
                continue
            found = [self.cut(kept, int(i)) for i in np.flatnonzero(np.abs(away) <= near)]
            if any(cut is not None for cut in found):
                yield [cut for cut in found if cut is not None]

    def _facet(self, mode: str, normal: np.ndarray, level: float, moved: float) -> Cut | None:
        """The facet `normal tau <= level` of another mode, moved out as far as `kept_off` does."""
        rate = self.rows.facet(mode, normal)
        if rate is None:
            return None
        turns = rate.dn / self.rows.units[-len(normal) :]
        length = float(np.linalg.norm(normal))
        clear = self._clear_rate(normal, level, turns, rate.de)
        by_margin = moved <= 2.0 * self.margin * length  # by the margin and half of CLEAR, not by CLEAR
        stretch = self.margin * float(normal @ turns) / length + 0.5 * clear if by_margin else clear
        return Cut(rate.n, rate.e + moved, rate.dn, rate.de + stretch)

    def _clear_rate(self, normal: np.ndarray, level: float, turns: np.ndarray, rises: float) -> float:
        """Derivative of the least distance that is kept from a row, which grows with the size of the row."""
        sizes, rates = self._input_sizes
        reach = np.abs(normal * sizes)
        i = int(np.argmax(reach))
        if reach[i] < abs(level):
            return tolerances.CLEAR * float(np.sign(level)) * rises
        return tolerances.CLEAR * float(np.sign(normal[i]) * (turns[i] * sizes[i] + normal[i] * rates[i]))

    @cached_property
    def _input_sizes(self) -> tuple[np.ndarray, np.ndarray]:
        """The natural size of each input, and its derivative."""

        def at(x: float) -> tuple[np.ndarray]:
            here = self.problem if x == self.rows.path.middle else self.problem.at(self.rows.path(x))
            return (here.input_sizes,)

        return at(self.rows.path.middle)[0], self.rows.path.derivatives(at)[0]
