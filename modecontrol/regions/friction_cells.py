"""Uncertain friction as a cover of small boxes, and what surely happens in each.

In one cell every contact has an interval of its own. What *may* happen there is the response over the
intervals: one polyhedron for each mode. What is *surely possible* is the intersection of the torque sets
at the corners of the intervals: separating contacts need no corner, fixed ones the least coefficient, sliding
ones both ends.

A box without shared parameters is one cell, and both are exact. Contacts that share a parameter are treated
as independent within a cell, which is sound (more may happen, less is guaranteed) and sharper the smaller the
cells.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from modecontrol.dynamics.friction_box import FrictionBox
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.modes.problem import Problem
from modecontrol.modes.surely_possible import PARTS, box_of, common_torques, corner_responses
from modecontrol.polytopes import Polytope
from modecontrol.regions.dynamic_response import DynamicResponse


@dataclass(frozen=True, eq=False)
class FrictionCell:
    """One small box of friction.

    Attributes
    ----------
    box
        Intervals of the parameters.
    problem
        The instant with friction in the box.
    """

    box: FrictionBox
    problem: Problem
    _sure: dict[str, Polytope] = field(default_factory=dict, repr=False)
    _corners: dict[str, list[ModeResponse]] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(problem: Problem, box: FrictionBox) -> FrictionCell:
        """The cell of an instant."""
        return FrictionCell(box, problem.with_friction(box))

    @staticmethod
    def whole(response: DynamicResponse, box: FrictionBox) -> FrictionCell:
        """The one cell of an instant whose response is known already."""
        self = FrictionCell(box, response.problem)
        self.__dict__["response"] = response
        return self

    @cached_property
    def response(self) -> DynamicResponse:
        """Every mode that some friction in the cell allows."""
        return DynamicResponse(self.problem, *self.problem.respond())

    def sure_torques(self, mode: str) -> Polytope:
        """Inputs that can produce the mode whatever the friction in the cell is."""
        if mode not in self._sure:
            self._sure[mode] = common_torques(self.corner_responses(mode), len(self.problem.names.inputs))
        return self._sure[mode]

    def corner_responses(self, mode: str) -> list[ModeResponse]:
        """The mode at the corners that decide; an empty list when it cannot happen at one of them."""
        if mode not in self._corners:
            self._corners[mode] = corner_responses(self.problem, self.box, mode)
        return self._corners[mode]


@dataclass(frozen=True, eq=False)
class FrictionCells:
    """Cells that cover what is known of friction at one instant.

    Attributes
    ----------
    response
        The instant, with friction known as a box or exactly.
    cells
        They cover the box.
    """

    response: DynamicResponse
    cells: tuple[FrictionCell, ...]

    @staticmethod
    def of(response: DynamicResponse, parts: int = PARTS, everywhere: bool = False) -> FrictionCells:
        """Cells of a response: `parts` along each shared parameter, or along every uncertain one if
        `everywhere`.
        """
        problem = response.problem
        boxes = box_of(problem).divided(parts, everywhere)
        if len(boxes) > 1:
            return FrictionCells(response, tuple(FrictionCell.of(problem, box) for box in boxes))
        return FrictionCells(response, (FrictionCell.whole(response, boxes[0]),))

    @cached_property
    def modes(self) -> list[str]:
        """Modes that some friction of some cell allows, sorted."""
        return sorted({mode for cell in self.cells for mode in cell.response})

    @property
    def is_exact(self) -> bool:
        """Whether the cells are the box itself, so that no answer is wider or narrower than it has to be."""
        return all(not cell.box.shared for cell in self.cells)

    def sure_torques(self, mode: str) -> Polytope:
        """Inputs that can produce the mode whatever the friction is, cell by cell."""
        found = self.cells[0].sure_torques(mode)
        for cell in self.cells[1:]:
            if found.is_empty:
                return found
            found = found.intersect(cell.sure_torques(mode))
        return found.minimal()
