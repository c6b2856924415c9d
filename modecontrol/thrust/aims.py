"""What a search over pieces of the input space makes great: `Aim`, and the linear one.

A piece knows caps of its value. An aim says which point of a piece has the greatest value that the caps allow, and makes the
players, which say what value a mode really gives there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.polytopes import Polytope
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.regions.friction_cells import FrictionCells
from modecontrol.thrust.objective import Objective
from modecontrol.thrust.players import Player


class AnyPlayer(Protocol):
    """What a search asks of a player."""

    @property
    def cell(self) -> int:
        """Number of the cell of friction."""

    @property
    def mine(self) -> ModeResponse:
        """The mode there."""

    @property
    def on_w(self) -> np.ndarray:
        """How the value feels `w`: a row, or several."""

    def worst(self, tau: np.ndarray) -> float:
        """Least value over the friction and the `w` of the player at `tau`; -inf when unbounded."""

    def worst_w(self, tau: np.ndarray) -> np.ndarray:
        """The `w` with the least value."""

    def cap(self, tau: np.ndarray) -> tuple[Any, Polytope | None] | None:
        """A cap that is the worst value about `tau`, and the region where it is a cap (None: everywhere)."""


class Aim(Protocol):
    """What is made great."""

    @property
    def first(self) -> tuple[Any, ...]:
        """Caps of every piece."""

    def player(self, cell: int, mine: ModeResponse) -> AnyPlayer:
        """A mode in a cell."""

    def best(self, inputs: Polytope, caps: Sequence[Any]) -> tuple[float, np.ndarray | None] | None:
        """Greatest value that the caps allow in a piece, and where; no place when it has no end, None when the piece is empty."""

    def sure_cap(self, corner: ModeResponse) -> Any | None:
        """The value of a mode at exact friction as a cap; None when it depends on `w`."""

    def hopes(self, cells: FrictionCells) -> dict[str, float]:
        """For each mode a value that no promise exceeds, best first."""

    def slack(self, value: float) -> float:
        """Differences of values that say nothing."""


@dataclass(frozen=True, eq=False)
class LinearAim:
    """A great value of a linear objective."""

    goal: Objective
    first: tuple[Any, ...] = ()

    def player(self, cell: int, mine: ModeResponse) -> Player:
        """A mode in a cell."""
        return Player.of(cell, mine, self.goal)

    def best(self, inputs: Polytope, caps: Sequence[Any]) -> tuple[float, np.ndarray | None] | None:
        """One linear program with the value as one more variable."""
        t = inputs.n
        if not caps:
            return np.inf, inputs.maximize(np.zeros(t)).point
        capped = Polytope([np.append(-a, 1.0) for a, _ in caps], [c for _, c in caps])
        answer = (inputs.extend(1) & capped).maximize(np.append(np.zeros(t), 1.0))
        if answer.status == "infeasible":
            return None
        return answer.value, answer.point[
            :t
        ] if answer.status == "optimal" and answer.point is not None else None

    def sure_cap(self, corner: ModeResponse) -> Any | None:
        """The affine value at a corner of the friction."""
        return Player.of(0, corner, self.goal).everywhere

    def hopes(self, cells: FrictionCells) -> dict[str, float]:
        """For each mode the greatest value at one exact friction and disturbance of the first cell, best first."""
        exact = one_exact(cells)
        goal, response = self.goal.fitted(exact), DynamicResponse(exact, *exact.respond())
        found = {}
        for mode in response:
            on_tau, on_w, constant = goal.within(response[mode])
            domain = response[mode].task_domain if len(exact.task.p) else response[mode].domain
            answer = domain.maximize(np.concatenate([on_tau, on_w]))
            if answer.status != "infeasible":
                found[mode] = float(answer.value) + constant
        return dict(sorted(found.items(), key=lambda pair: -pair[1]))

    def slack(self, value: float) -> float:
        """Rounding of linear programs."""
        return tolerances.STRICT * max(1.0, abs(value)) if np.isfinite(value) else 0.0


def one_exact(cells: FrictionCells) -> Any:
    """The problem at one exact friction and disturbance: no promise can exceed what it gives."""
    cell = cells.cells[0]
    return cell.problem.extremes[0].with_friction(cell.box.at(cell.box.low))
