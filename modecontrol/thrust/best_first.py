"""Best-first search: of all parts that wait, the one with the least cost is looked at first.

A part that is no answer puts its own parts back, whose costs are not less; so the first answer is the best one. `Frontier` is
the search itself. `best_first` runs it over `Polytope` pieces of modes, for goals that need cvxpy and as the second
opinion of the core's search: when another mode counts against the best piece's mode at its optimum, the piece is cut
along the facets of that mode's torque set and the parts go back.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count
from typing import Generic, TypeVar

import numpy as np

from modecontrol.polytopes import Polytope

Optimum = tuple[float, np.ndarray | None, np.ndarray | None]
"""Cost (to be made small), inputs and `w`; inputs None where the cost has no bound, `w` None where any will
do.
"""
Waiting = TypeVar("Waiting")
Answer = TypeVar("Answer")


class Frontier(Generic[Waiting]):
    """Parts that wait, the one with the least cost first; of equal ones the one that came first.

    Attributes
    ----------
    looked
        Parts that were looked at.
    """

    def __init__(self) -> None:
        self.looked = 0
        self._heap: list[tuple[float, int, Waiting]] = []
        self._order = count()

    def push(self, cost: float, part: Waiting) -> None:
        """Let a part wait.

        Parameters
        ----------
        cost, part
            The part and its cost.
        """
        heapq.heappush(self._heap, (cost, next(self._order), part))

    @property
    def first(self) -> tuple[float, Waiting] | None:
        """The part that is next with its cost; None when none waits."""
        return (self._heap[0][0], self._heap[0][2]) if self._heap else None

    def search(self, look: Callable[[Waiting], Answer | None]) -> Answer | None:
        """The first answer, None when no part is left.

        Parameters
        ----------
        look
            Gives the answer, or None after it has pushed the parts of the part.
        """
        while self._heap:
            _, _, part = heapq.heappop(self._heap)
            self.looked += 1
            answer = look(part)
            if answer is not None:
                return answer
        return None


@dataclass(frozen=True, eq=False)
class Part:
    """A convex piece of one mode's inputs with its optimum."""

    cost: float
    mode: str
    piece: Polytope
    tau: np.ndarray | None
    w: np.ndarray | None


def best_first(
    pieces: Iterable[tuple[str, Polytope]],
    solve: Callable[[str, Polytope], Optimum | None],
    rival: Callable[[Part], Polytope | None],
    patience: int | None = None,
) -> tuple[Part | None, Part | None, bool]:
    """The best part that no rival objects to, the best part of all, and whether patience ended the search.

    Parameters
    ----------
    pieces
        Modes with convex sets of their inputs.
    solve
        Optimum of a piece, None when it is empty.
    rival
        The set to be cut out of a part whose optimum is ambiguous, None when it is not.
    patience
        Parts to look at; None for all.
    """
    frontier: Frontier[Part] = Frontier()

    def push(mode: str, piece: Polytope) -> None:
        found = solve(mode, piece)
        if found is not None:
            cost, tau, w = found
            frontier.push(cost, Part(cost, mode, piece, tau, w))

    for mode, piece in pieces:
        push(mode, piece)
    plain = None if frontier.first is None else frontier.first[1]

    def look(best: Part) -> tuple[Part | None, Part | None, bool] | None:
        if patience is not None and frontier.looked > patience:
            return None, plain, True
        taken = None if best.tau is None else rival(best)
        if taken is None:
            return best, plain, False
        for piece in best.piece.subtract(taken):
            push(best.mode, piece)
        return None

    return frontier.search(look) or (None, plain, False)
