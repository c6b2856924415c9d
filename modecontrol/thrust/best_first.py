"""Best-first search over `Polytope` pieces of modes: for goals that need cvxpy, and the second opinion of the
core's search.

A piece is a convex set of one mode's inputs with its optimum. The best one is popped; if another mode counts
against the mode there, the piece is cut along the facets of that mode's torque set and the parts go back;
otherwise it is the answer.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from modecontrol.polytopes import Polytope

Optimum = tuple[float, np.ndarray | None, np.ndarray | None]
"""Cost (to be made small), inputs and `w`; inputs None where the cost has no bound, `w` None where any will
do.
"""


@dataclass(order=True)
class Part:
    """A convex piece of one mode's inputs with its optimum."""

    cost: float
    order: int
    mode: str = field(compare=False)
    piece: Polytope = field(compare=False)
    tau: np.ndarray | None = field(compare=False)
    w: np.ndarray | None = field(compare=False)


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
    heap: list[Part] = []
    order = count()

    def push(mode: str, piece: Polytope) -> None:
        found = solve(mode, piece)
        if found is not None:
            heapq.heappush(heap, Part(found[0], next(order), mode, piece, *found[1:]))

    for mode, piece in pieces:
        push(mode, piece)
    plain = heap[0] if heap else None
    looked = 0
    while heap:
        if patience is not None and looked >= patience:
            return None, plain, True
        best = heapq.heappop(heap)
        looked += 1
        taken = None if best.tau is None else rival(best)
        if taken is None:
            return best, plain, False
        for piece in best.piece.subtract(taken):
            push(best.mode, piece)
    return None, plain, False
