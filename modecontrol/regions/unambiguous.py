"""Where one mode is the only answer (section 3.7.1 of Greenfield 2005).

    T_c* = T_c minus all T_c' that clash with it        then the task

Without a margin `T_c*` is closed: it has the border of what was taken away, and a rival whose inputs are
thinner than `T_c` takes nothing but runs through it. `crossings` names these; no optimiser returns inputs on
them. With a margin all rows of `T_c'`, its equalities too, are moved out by it before it is taken away, so
that thin rivals are cut out like all others.

With uncertain friction it is what every coefficient leaves to one mode:

    T_c* = (T_c at all corners of the friction) minus all T_c' that any friction allows

Contacts that share a parameter are looked at in small cells, in each of which all modes but one are taken away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modecontrol import tolerances
from modecontrol.errors import TooMuchWorkError
from modecontrol.polytopes import Polytope, Region
from modecontrol.regions.ambiguity import (
    felt_margin,
    is_alone_at,
    is_uncertain,
    rivals,
    thick,
    widened,
)
from modecontrol.regions.friction_cells import FrictionCells
from modecontrol.regions.input_region import InputRegion

if TYPE_CHECKING:
    from modecontrol.regions.dynamic_response import DynamicResponse


@dataclass(frozen=True, eq=False)
class Crossing:
    """Inputs of a region at which another mode moves the mechanism differently, thinner than the region
    itself.

    Attributes
    ----------
    mode
        The other mode.
    torques
        The inputs of both modes.
    """

    mode: str
    torques: Polytope


@dataclass(frozen=True, eq=False, repr=False)
class UnambiguousRegion(InputRegion):
    """`T_c*` as a `Region`, closed, with the thin rivals that run through it.

    Attributes
    ----------
    crossings
        Modes that move the mechanism differently on a slice of the region; empty when a margin keeps off
        them.
    """

    crossings: tuple[Crossing, ...] = ()

    def __repr__(self) -> str:
        through = f", crossed by {', '.join(c.mode for c in self.crossings)}" if self.crossings else ""
        return super().__repr__()[:-1] + through + ">"


def unambiguous_region(response: DynamicResponse, mode: str, margin: float, demand: str) -> UnambiguousRegion:
    """`T_c*` of one mode, pieces disjoint."""
    margin = felt_margin(response, margin)
    mine = response[mode]
    own = mine.sure_torques
    n = own.n
    region = Region([] if mine.is_steep else [own], n)
    if own.dimension == 0 and not is_alone_at(response, mode, own.frame.origin):
        region = Region([], n)  # a point within rounding of other sets belongs to them, too
    thin: list[Crossing] = []
    work = 0
    for other, torques in _against(response, mode, margin):
        taken = widened(torques, margin)
        if response[other].is_steep and len(taken.d):  # where a flat set of it lies is known to rounding only
            taken = thick(taken, tolerances.PRESENT * response.problem.input_sizes)
        if margin == 0:
            shared = own.intersect(taken)
            if shared.is_empty and len(taken.d):
                # both pass for flat, and miss each other by what they are thick
                taken = thick(taken, 2.0 * tolerances.FLAT * response.problem.input_sizes)
                shared = own.intersect(taken)
            if shared.dimension < own.dimension:
                if not is_uncertain(response) or torques.dimension < own.dimension:
                    thin.append(Crossing(other, shared.minimal()))
                continue
        work += len(region)
        if work > tolerances.REGION_WORK:
            raise TooMuchWorkError(
                f"the inputs of {mode} alone were given up, in {len(region)} pieces; "
                "answer_at answers at single inputs, sampled_coverage says how many have one answer",
                pieces=region.pieces,
            )
        region = region.subtract(taken)
        if region.is_empty:
            break
    if len(response.problem.task.p) and not region.is_empty:
        region = region.intersect(mine.task_torques(demand))
    left = tuple(c for c in thin if not region.intersect(c.torques).is_empty)
    return UnambiguousRegion(region.pieces, n, response.problem.input_sizes, left)


def _against(response: DynamicResponse, mode: str, margin: float) -> list[tuple[str, Polytope]]:
    """The modes that count against one, with their inputs; all other modes of every cell when friction is uncertain."""
    if not is_uncertain(response):
        against = rivals(response, mode, margin, response.problem.task.P)
        return [(other, response[other].torques) for other in against]
    return [
        (other, cell.response[other].torques)
        for cell in FrictionCells.of(response).cells
        for other in cell.response
        if other != mode
    ]
