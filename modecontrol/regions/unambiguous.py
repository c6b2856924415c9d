"""Where one mode is the only answer, and where there is none (section 3.7.1 of Greenfield 2005).

    T_c* = T_c minus all T_c'        then the task

Domains are closed, so neighbours share boundaries; on them both modes give the same accelerations and forces, which is
no ambiguity. Mode c' counts against c only where `T_c` meets the relative interior of `T_c'` in a set as wide as `T_c`
itself: shared facets and thinner overlaps are passed over. With a margin, the rows of `T_c'` are moved out by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from modecontrol import tolerances
from modecontrol.polytopes import Polytope, Region

if TYPE_CHECKING:
    from modecontrol.regions.response import DynamicResponse


def unambiguous_region(response: DynamicResponse, mode: str, margin: float, demand: str) -> Region:
    """`T_c*` of one mode, pieces disjoint."""
    check_margin(margin)
    mine = response[mode]
    region = Region([mine.torques])
    for other in response:
        if other != mode and counts_against(mine.torques, response[other].torques, margin):
            region = region.subtract(widened(response[other].torques, margin))
            if region.is_empty:
                return region
    if len(response.problem.task.p):
        region = region.intersect(mine.task_torques(demand))
    return region


def check_margin(margin: float) -> None:
    """A distance to other modes."""
    if isinstance(margin, str) or not np.ndim(margin) == 0 or not margin >= 0:
        raise ValueError(f"margin is {margin!r}; expected a distance >= 0 in input units")


def counts_against(mine: Polytope, other: Polytope, margin: float = 0.0) -> bool:
    """Whether `other` takes something from `mine`: see the head of this file."""
    if other.dimension < mine.dimension:
        return False
    shared = mine.intersect(widened(other, margin))
    if shared.is_empty or shared.dimension < mine.dimension:
        return False
    return margin > 0 or not in_a_facet(shared, other)


def in_a_facet(inner: Polytope, outer: Polytope) -> bool:
    """Whether `inner`, a subset of `outer`, lies in one of its facets."""
    rows = outer.minimal()
    for row, bound in zip(rows.A, rows.b, strict=True):
        size = np.abs(row).max(initial=0.0)
        lowest = -inner.support(-row)
        if lowest > bound - tolerances.FLAT * max(size, abs(bound)):
            return True
    return False


def widened(polytope: Polytope, margin: float) -> Polytope:
    """Every inequality moved out by `margin` (Euclidean distance)."""
    if margin == 0:
        return polytope
    P = polytope.minimal()
    return Polytope(P.A, P.b + margin * np.linalg.norm(P.A, axis=1), P.C, P.d, labels=P.labels,
                    equality_labels=P.equality_labels)


def inconsistent_region(response: DynamicResponse) -> Region:
    """The torque set minus every `T_c`."""
    region = Region([response.torque_set])
    for mode in response:
        T = response[mode].torques
        if T.dimension == response.torque_set.dimension:
            region = region.subtract(T)
    return region


def coverage(response: DynamicResponse) -> dict[str, float]:
    """Volumes of the torque set and of its parts; the task plays no part."""
    bare, whole = _without_task(response), response.torque_set
    alone = sum(bare.unambiguous(mode).volume for mode in bare if bare[mode].torques.dimension == whole.dimension)
    none = response.inconsistent().volume
    overlaps = [clash.torques for clash in response.clashes() if clash.torques.dimension == whole.dimension]
    many = Region(overlaps, n=whole.n).volume if overlaps else 0.0
    return {"whole": float(whole.volume), "unambiguous": float(alone), "ambiguous": float(many),
            "inconsistent": float(none)}


def _without_task(response: DynamicResponse) -> DynamicResponse:
    from dataclasses import replace

    from modecontrol.modes.constraints import Rows

    problem = response.problem
    return replace(response, problem=replace(problem, task=Rows.none(problem.task.P.shape[1])), _made={})
