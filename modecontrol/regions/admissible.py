"""Inputs that some mode could explain at all, those that none does, and how much of each there is.

A massless leg in the air cannot carry torque: inputs with one are *inadmissible*, a statement about the
mechanism. Inputs that are admissible and still have no answer are *inconsistent* (Painleve), a statement
about rigid bodies with friction. The admissible inputs are those of the torque set in the smallest affine set
that holds every `T_c`; everything is measured within it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from modecontrol import tolerances
from modecontrol.errors import TooMuchWorkError
from modecontrol.polytopes import Polytope, Region
from modecontrol.regions.ambiguity import is_uncertain
from modecontrol.regions.input_region import InputRegion, in_some

if TYPE_CHECKING:
    from modecontrol.regions.dynamic_response import DynamicResponse


@dataclass(frozen=True, eq=False)
class Admissible:
    """Inputs that some mode could explain.

    Attributes
    ----------
    torques
        The torque set within the smallest affine set that holds the inputs of every mode.
    causes
        A sentence for each equality that the other inputs violate; empty when all of the torque set is
        admissible.
    """

    torques: Polytope
    causes: tuple[str, ...]

    @property
    def is_all(self) -> bool:
        """Whether the whole torque set is admissible."""
        return not self.causes


@dataclass(frozen=True, eq=False, repr=False)
class InconsistentRegion(InputRegion):
    """Admissible inputs without an answer; the closed pieces share borders with inputs that have one,
    `contains` does not.

    Attributes
    ----------
    answered
        The inputs of all modes.
    """

    answered: tuple[Polytope, ...] = ()

    def contains(self, x, margin: float = 0.0):
        """Whether the inputs have no answer.

        Parameters
        ----------
        x
            Inputs (n,), or one set of them per row.
        margin
            Distance to keep from the border of the region.
        """
        inside = np.atleast_1d(super().contains(x, margin))
        inside = inside & ~in_some(self.answered, np.atleast_2d(np.asarray(x, float)), self.sizes)
        return bool(inside[0]) if np.ndim(x) == 1 else inside


def admissible_torques(response: DynamicResponse) -> Admissible:
    """The admissible inputs of an instant, with the causes of what is left out."""
    whole = response.torque_set
    if not response.modes:
        return Admissible(whole, ())  # no mode at all: every input is without an answer, for no single cause
    sizes = response.problem.input_sizes
    C, d = _common_hull([response[mode].torques for mode in response], sizes)
    causes, rows = [], []
    for row, level in zip(C, d, strict=True):
        if not _implied(whole, row, level, sizes):
            rows.append((row, level))
            causes.append(_cause(response, row, level))
    if not rows:
        return Admissible(whole, ())
    hull = Polytope(
        np.zeros((0, whole.n)),
        [],
        np.array([row for row, _ in rows]),
        [level for _, level in rows],
        equality_labels=[frozenset({"admissible"})] * len(rows),
    )
    return Admissible(whole.intersect(hull), tuple(causes))


def inconsistent_region(response: DynamicResponse) -> InconsistentRegion:
    """The admissible inputs minus every `T_c`, widest first: what is left then stays in fewer pieces."""
    sizes = response.problem.input_sizes
    sets = tuple(response[mode].torques for mode in response)
    region = Region([response.admissible.torques], response.torque_set.n)
    work = 0
    for done, torques in enumerate(sorted(sets, key=lambda T: -_radius(T, sizes))):
        work += len(region) * -(-region.n // 4)  # pieces of many inputs have many facets
        if work > tolerances.REGION_WORK:
            raise TooMuchWorkError(
                f"the inputs without an answer were given up after {done} of {len(sets)} modes, in {len(region)} pieces; "
                "modes_at answers at single inputs, sampled_coverage says how many have none",
                pieces=region.pieces,
            )
        region = region.subtract(torques)
    left = tuple(piece for piece in region.pieces if _is_visible(piece, sizes))
    return InconsistentRegion(left, region.n, sizes, sets)


def _is_visible(piece: Polytope, sizes: np.ndarray) -> bool:
    """Whether a piece is wider (in natural sizes of the inputs) than what a mode leaves open that is refused only because its
    accelerations hardly differ from zero.
    """
    return piece.dimension == 0 or _radius(piece, sizes) > tolerances.STRICT


def _radius(P: Polytope, sizes: np.ndarray) -> float:
    """Radius of the largest ball in a set, in natural sizes of the inputs."""
    return float(P.scale(1.0 / sizes).chebyshev.radius)


def coverage(response: DynamicResponse) -> dict[str, float]:
    """Measures of the admissible inputs and of their parts, in their own dimension; the task plays no part."""
    bare, inputs = without_task(response), response.admissible.torques
    wide = [mode for mode in bare if bare[mode].torques.dimension == inputs.dimension]
    pieces = [piece for mode in wide for piece in bare.unambiguous(mode)]
    whole = float(inputs.volume)
    none = _measure(response.inconsistent(), inputs)
    several = 0.0 if is_uncertain(response) else _measure(response.ambiguous(), inputs)
    alone = float(sum(piece.volume for piece in pieces if piece.dimension == inputs.dimension))
    if alone > (whole - none - several) * (1.0 + tolerances.IMPLIED):
        alone = _measure(Region(pieces, n=inputs.n), inputs)  # modes that agree share inputs: count them once
    if is_uncertain(
        response
    ):  # the rest: several modes, or one that some friction in the intervals does not have
        several = max(0.0, whole - none - alone)
    return {"whole": whole, "unambiguous": alone, "ambiguous": several, "inconsistent": none}


def _measure(region: Region, within: Polytope) -> float:
    """Measure of the pieces of a region that are as wide as another set."""
    wide = [piece for piece in region if piece.dimension == within.dimension]
    return float(Region(wide, n=within.n).volume) if wide else 0.0


def without_task(response: DynamicResponse) -> DynamicResponse:
    """The same instant without its task."""
    from dataclasses import replace

    from modecontrol.modes.constraints import Rows

    problem = response.problem
    return replace(response, problem=replace(problem, task=Rows.none(problem.task.P.shape[1])), _made={})


def _common_hull(sets: list[Polytope], sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The smallest affine set `C x = d` that holds all sets, rows in reduced echelon form."""
    n = sets[0].n
    points, directions = [], []
    for T in sets:
        P = T.minimal()
        if P.dimension == n:
            return np.zeros((0, n)), np.zeros(0)
        points.append(np.asarray(P.maximize(np.zeros(n)).point))
        lengths = np.linalg.norm(P.C, axis=1, keepdims=True)
        directions.append(np.linalg.svd(P.C / lengths)[2][len(P.C) :])
    spread = [(point - points[0]) / sizes.max(initial=tolerances.TINY) for point in points[1:]]
    rows = np.vstack([*directions, *spread]) if spread or directions else np.zeros((0, n))
    values, basis = np.linalg.svd(rows)[1:] if len(rows) else (np.zeros(0), np.eye(n))
    rank = int(np.sum(values > tolerances.IMPLIED))
    C = _echelon(basis[rank:])
    return C, C @ points[0]


def _echelon(C: np.ndarray) -> np.ndarray:
    """Reduced row echelon form: what concerns one input alone is seen to do so."""
    C = C.copy()
    for i in range(len(C)):
        rest = np.abs(C[i:])
        row, column = np.unravel_index(int(np.argmax(rest)), rest.shape)
        C[[i, i + int(row)]] = C[[i + int(row), i]]
        C[i] /= C[i, column]
        for j in range(len(C)):
            if j != i:
                C[j] -= C[j, column] * C[i]
    C[np.abs(C) < tolerances.IMPLIED] = 0.0
    return C


def _implied(P: Polytope, row: np.ndarray, level: float, sizes: np.ndarray) -> bool:
    """Whether an equality holds on all of a set, to `tolerances.IMPLIED` in natural sizes of the inputs."""
    slack = tolerances.IMPLIED * max(float(np.abs(row) @ sizes), abs(level))
    return P.support(row) <= level + slack and -P.support(-row) >= level - slack


def _cause(response: DynamicResponse, row: np.ndarray, level: float) -> str:
    """An equality of the inputs in words, with the equations of motion that demand it."""
    names = response.problem.names
    left = "".join(
        (" - " if value < 0 else " + ") + (f"{abs(value):.6g} " if abs(value) != 1 else "") + name
        for value, name in zip(row, names.inputs, strict=True)
        if value
    )
    left = left[3:] if left[1] == "+" else "-" + left[3:]
    level = 0.0 if abs(level) < tolerances.IMPLIED else level
    snapshot = response.snapshot
    light = np.flatnonzero(~np.any(snapshot.mass, axis=1))
    carried = snapshot.actuation[light]
    share, *_ = np.linalg.lstsq(carried.T, row, rcond=None) if len(light) else (np.zeros(0),)
    if len(light) and np.allclose(carried.T @ share, row, atol=tolerances.IMPLIED):
        without = [
            names.coordinates[j]
            for j, part in zip(light, share, strict=True)
            if abs(part) > tolerances.IMPLIED
        ]
        return f"{left} = {level:.6g}: {', '.join(without)} without mass and without contact force"
    return f"{left} = {level:.6g}: in every contact mode"
