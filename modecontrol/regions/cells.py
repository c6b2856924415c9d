"""The torque set cut into cells of one verdict each: one mode, several modes, or none.

The verdict on a cell is that of `regions.ambiguity` on its middle: modes that explain it and agree make no
ambiguity. Where one of them holds the middle in its interior the cell carries its name, else those of all:
neighbours meet there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from modecontrol import tolerances
from modecontrol.dynamics.polygons import area
from modecontrol.polytopes import Polytope
from modecontrol.polytopes.variables import Values
from modecontrol.regions import windows
from modecontrol.regions.ambiguity import only_answer


class Cell(NamedTuple):
    """A convex piece of the (sliced) torque set with its verdict.

    `modes` explain its inputs; `meet` says that they do so on a common boundary, where their answers agree.
    """

    torques: Polytope
    modes: tuple[str, ...]
    meet: bool

    @property
    def verdict(self) -> str:
        """One of "inconsistent", "unambiguous" and "ambiguous"."""
        if not self.modes:
            return "inconsistent"
        return "unambiguous" if len(self.modes) == 1 or self.meet else "ambiguous"


class Map(NamedTuple):
    """Cells, names of the inputs that are drawn, the window."""

    cells: list[Cell]
    names: list[str]
    window: np.ndarray


def ambiguity_cells(resp: Any, slice: Values | None = None, window: ArrayLike | None = None) -> Map:
    """Cells of the torque set of one or two inputs, or of a slice of it, inside a window.

    Parameters
    ----------
    resp
        A `DynamicResponse`.
    slice
        Inputs that are held, by name or number.
    window
        (lower, upper) for all inputs or one pair per input; None takes the torque limits, and a box around
        the vertices where there are none.
    """
    inputs = resp.problem.names.inputs
    left = windows.remaining(inputs, slice)
    if len(left) > 2:
        raise ValueError(
            f"a map needs one or two inputs, found {len(left)} ({', '.join(left)}); hold some with "
            f"slice={{{', '.join(f'{name!r}: 0.0' for name in left[2:])}}}"
        )
    allowed = windows.choose(resp.torque_set, inputs, slice)
    found = {mode: windows.choose(resp[mode].torques, inputs, slice) for mode in resp}
    found = {mode: P for mode, P in found.items() if not P.is_empty}
    box = windows.window_of(found.values(), len(left), window, within=allowed) if left else np.zeros((0, 2))
    if allowed.is_empty or not left:
        return Map([], left, box)
    seen = windows.clip(allowed, box).minimal()
    if seen.dimension == len(left):
        pieces = _intervals(seen, found, box) if len(left) == 1 else _polygons(seen, found, box)
    else:
        pieces = _flat(seen, found)
    held = [(windows.position(key, inputs), float(value)) for key, value in (slice or {}).items()]
    return Map([_judge(resp, piece, held, box) for piece in pieces], left, box)


def _intervals(seen: Polytope, sets: Mapping[str, Polytope], box: np.ndarray) -> list[Polytope]:
    low, high = float(seen.vertices.min()), float(seen.vertices.max())
    ends = {low, high}
    for P in sets.values():
        ends |= {float(x) for x in P.vertices.ravel() if low < x < high}
    places = sorted(ends)
    least = tolerances.CELL_INSIDE * float(np.ptp(box[0]))
    return [Polytope.box([a], [b]) for a, b in pairwise(places) if b - a > least]


def _flat(seen: Polytope, sets: Mapping[str, Polytope]) -> list[Polytope]:
    """Parts of limits that leave a line or a point of the inputs: cut where a torque set begins or ends."""
    if seen.dimension == 0:
        return [seen]
    corners = seen.vertices
    way = corners[-1] - corners[0]
    ends = set((corners @ way).tolist())
    for P in sets.values():
        common = seen.intersect(P)
        if not common.is_empty:
            ends |= set((common.vertices @ way).tolist())
    places = sorted(ends)
    least = tolerances.CELL_INSIDE * (places[-1] - places[0])
    return [
        seen.intersect(Polytope([-way, way], [-low, high]))
        for low, high in pairwise(places)
        if high - low > least
    ]


def _polygons(seen: Polytope, sets: Mapping[str, Polytope], box: np.ndarray) -> list[Polytope]:
    least = tolerances.CELL_INSIDE * float(np.prod(np.ptp(box, axis=1)))
    pieces = [(seen, _bounds(seen))]
    for P in sets.values():
        part = windows.clip(P, box).minimal()
        if part.dimension < 2:
            continue
        bounds = _bounds(part)
        left = []
        for piece, around in pieces:
            if np.any(around[0] >= bounds[1]) or np.any(bounds[0] >= around[1]):
                left.append((piece, around))
                continue
            common = piece.intersect(part).minimal()
            if common.dimension < 2 or _area(common) < least:
                left.append((piece, around))
                continue
            left.append((common, _bounds(common)))
            left += [(rest, _bounds(rest)) for rest in piece.subtract(part).pieces if _area(rest) >= least]
        pieces = left
    return [piece for piece, _ in pieces]


def _bounds(P: Polytope) -> tuple[np.ndarray, np.ndarray]:
    V = P.vertices
    return V.min(axis=0), V.max(axis=0)


def _area(P: Polytope) -> float:
    """Area of a bounded polygon, its corners in order around their mean."""
    corners = P.vertices
    if P.dimension < 2:
        return 0.0
    x, y = (corners - corners.mean(axis=0)).T
    return abs(float(area(corners[np.argsort(np.arctan2(y, x))].tolist())))


def _judge(resp: Any, piece: Polytope, held: Sequence[tuple[int, float]], box: np.ndarray) -> Cell:
    count = len(resp.problem.names.inputs)
    tau = np.zeros(count)
    for i, value in held:
        tau[i] = value
    free = [i for i in range(count) if i not in {j for j, _ in held}]
    tau[free] = piece.vertices.mean(axis=0)
    found = resp.modes_at(tau)
    if only_answer(resp, found, tau) is None:
        return Cell(piece, tuple(found), False)
    widest = max(resp[mode].torques.dimension for mode in found)
    reach = tolerances.CELL_INSIDE * float(np.ptp(box, axis=1).max(initial=0.0))
    inside = [
        mode
        for mode in found
        if resp[mode].torques.dimension == widest and _interior(resp[mode].torques, tau, reach)
    ]
    named = tuple(inside) if len(inside) == 1 else tuple(found)
    return Cell(piece, named, len(named) > 1)


def _interior(T: Polytope, tau: np.ndarray, reach: float) -> bool:
    small = T.minimal()
    norms = np.linalg.norm(small.A, axis=1)
    return bool(np.all(small.b - small.A @ tau > reach * norms))
