"""`Player`: one mode in one cell of friction, and the least value of an objective that it may give.

At `tau` the least of `on_tau tau + on_w w + constant` over the `w` of the mode is one linear program. As a function of the
inputs it is convex and piecewise affine: on the inputs where the same rows of the domain decide the worst `w` it is affine.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.polytopes import Polytope
from modecontrol.regions.fibre import fibre, loosened
from modecontrol.thrust.objective import Objective
from modecontrol.thrust.worst_case import depends_on_w

Cap = tuple[np.ndarray, float]
"""`(a, b)`: the value is at most `a tau + b`."""


@dataclass(frozen=True, eq=False)
class Player:
    """One mode in one cell of friction, with its objective `on_tau tau + on_w w + constant`."""

    cell: int
    mine: ModeResponse
    on_tau: np.ndarray
    on_w: np.ndarray
    constant: float

    @staticmethod
    def of(cell: int, mine: ModeResponse, goal: Objective) -> Player:
        """The player of a mode in a cell; what is left of the objective's dependence on `w` by rounding is none."""
        goal = goal.fitted(mine.problem)
        on_tau, on_w, constant = goal.within(mine)
        known = min(len(goal.row) - len(on_tau), len(mine.W))
        terms = np.abs(goal.row[:known]) @ np.abs(mine.W[:known])
        return Player(
            cell, mine, on_tau, np.where(np.abs(on_w) > tolerances.CANCELLED * terms, on_w, 0.0), constant
        )

    @cached_property
    def affine(self) -> bool:
        """Whether the objective is the same for every `w`."""
        return not depends_on_w(self.mine, self.on_w)

    def cap(self, tau: np.ndarray) -> tuple[Cap, Polytope | None] | None:
        """`((a, b), region)`: the worst value is `a tau + b` on the region about `tau` (None: everywhere); None
        if unbounded.
        """
        if self.mine.ambiguity_variables == 0:
            return (self.on_tau, self.constant), None
        w_set = fibre_at(self.mine, tau)
        answer = w_set.maximize(-self.on_w)
        if answer.status != "optimal" or answer.point is None:
            return None
        if self.everywhere is not None:
            return self.everywhere, None
        found = vertex_near(self.mine.domain, tau, answer.point, self.on_w)
        if found is None:
            return None
        start, slope, region = found
        return (self.on_tau + self.on_w @ slope, self.constant + float(self.on_w @ start)), region

    @cached_property
    def everywhere(self) -> Cap | None:
        """The value of a player whose objective is the same for every `w`; None when it is not."""
        if self.mine.ambiguity_variables == 0 or not np.any(self.on_w):
            return self.on_tau, self.constant
        if not self.affine:
            return None
        # on_w is a combination of the rows that hold w at each tau: fit it on points of the domain
        D, inputs = self.mine.domain, len(self.on_tau)
        C = D.minimal().C
        fit = np.linalg.lstsq(C[:, inputs:].T, self.on_w, rcond=None)[0] if len(C) else np.zeros(0)
        if len(C) and np.allclose(
            C[:, inputs:].T @ fit, self.on_w, rtol=0.0, atol=tolerances.STRICT * np.abs(self.on_w).max()
        ):
            return self.on_tau - fit @ C[:, :inputs], self.constant + float(fit @ D.minimal().d)
        return None

    def worst_w(self, tau: np.ndarray) -> np.ndarray:
        """The `w` with the least objective at `tau`."""
        answer = fibre_at(self.mine, tau).maximize(-self.on_w)
        return np.zeros(len(self.on_w)) if answer.point is None else answer.point

    def worst(self, tau: np.ndarray) -> float:
        """Least objective over the friction and the `w` of this player at `tau`; -inf when unbounded."""
        value = float(self.on_tau @ tau) + self.constant
        if self.mine.ambiguity_variables == 0:
            return value
        answer = fibre_at(self.mine, tau).maximize(-self.on_w)
        return value - answer.value if answer.status == "optimal" else -np.inf


def fibre_at(mine: ModeResponse, tau: np.ndarray) -> Polytope:
    """`{w : (tau, w) in D_c}`, loosened where rounding left nothing of it."""
    w_set = fibre(mine, tau)
    return loosened(w_set) if w_set.is_empty else w_set


def vertex_near(
    D: Polytope, tau: np.ndarray, w: np.ndarray, on_w: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, Polytope] | None:
    """`w = start + slope tau` through a vertex of the fibre at `tau`, and the region of inputs where it is a point of it.

    With `on_w`, the vertex has to be the one with the least `on_w w`; None where the corner is degenerate and it is not.
    """
    inputs = len(tau)
    x = np.concatenate([tau, w])
    slack = D.b - D.A @ x
    size = np.abs(D.A) @ np.abs(x) + np.abs(D.b) + tolerances.TINY
    order = np.argsort(slack / size)
    rows = np.vstack([D.C, D.A[order]])
    level = np.concatenate([D.d, D.b[order]])
    tight = np.concatenate([np.zeros(len(D.d)), np.sort(slack / size)]) <= tolerances.STRICT
    chosen: list[int] = []
    for i in np.flatnonzero(tight):
        trial = rows[[*chosen, int(i)], inputs:]
        if np.linalg.matrix_rank(trial, tol=tolerances.RANK * max(1.0, np.abs(trial).max())) > len(chosen):
            chosen.append(int(i))
        if len(chosen) == len(w):
            break
    if len(chosen) < len(w):
        return None
    B, N, r = rows[chosen, inputs:], rows[chosen, :inputs], level[chosen]
    slope, start = -np.linalg.solve(B, N), np.linalg.solve(B, r)
    if on_w is not None:
        multipliers = np.linalg.solve(B.T, on_w)
        of_rows = multipliers[[k for k, i in enumerate(chosen) if i >= len(D.d)]]
        if np.any(of_rows > tolerances.STRICT * np.abs(multipliers).max(initial=1.0)):
            return None
    return (
        start,
        slope,
        _where_it_is_a_point(D, start, slope, {int(order[i - len(D.d)]) for i in chosen if i >= len(D.d)}),
    )


def _where_it_is_a_point(D: Polytope, start: np.ndarray, slope: np.ndarray, tight: set[int]) -> Polytope:
    """Inputs at which `w = start + slope tau` obeys the rows of a domain; the `tight` ones hold by construction, and what
    cancels down to rounding is zero.
    """
    inputs = D.n - len(start)
    other = [i for i in range(len(D.b)) if i not in tight]
    on_tau, on_w, level = D.A[other, :inputs], D.A[other, inputs:], D.b[other]
    A, b = on_tau + on_w @ slope, level - on_w @ start
    sizes = np.abs(on_tau) + np.abs(on_w) @ np.abs(slope), np.abs(level) + np.abs(on_w) @ np.abs(start)
    A, b = (
        np.where(np.abs(x) > tolerances.CANCELLED * size, x, 0.0)
        for x, size in zip((A, b), sizes, strict=True)
    )
    return Polytope(A, b)
