"""What is not unique within one contact mode (section 3.7.2 of Greenfield 2005).

The length of `w` proves nothing. A quantity `l (qdd, f)` is unique on `D_c` exactly when

    max  l N0 (w1 - w2)     over     (tau, w1), (tau, w2) in D_c

is zero: two answers to the same inputs that differ in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from modecontrol import tolerances
from modecontrol.polytopes import Polytope

if TYPE_CHECKING:
    from modecontrol.modes.affine import Affine
    from modecontrol.modes.mode_response import ModeResponse


@dataclass(frozen=True)
class Ambiguity:
    """Names of accelerations and forces that the inputs do not determine; false when there are none.

    `fragile` marks a mode whose `w` is squeezed to a single value by inequalities alone: unique now, but any
    small change of a parameter may open it again.
    """

    accelerations: tuple[str, ...] = ()
    forces: tuple[str, ...] = ()
    fragile: bool = False

    def __bool__(self) -> bool:
        return bool(self.accelerations or self.forces)

    def __iter__(self) -> Iterator[str]:
        return iter((*self.accelerations, *self.forces))

    def __contains__(self, name: object) -> bool:
        return name in self.accelerations or name in self.forces


def ambiguity_within(response: ModeResponse) -> Ambiguity:
    """Decide uniqueness of every acceleration and force of a mode by the two-copy linear program."""
    w = response.ambiguity_variables
    if w == 0:
        return Ambiguity()
    pairs = two_copies(response.domain, response.domain, response.U.shape[1])
    n = len(response.acceleration.names)
    units = response.problem.root.units
    accelerations = _differing(response.acceleration, pairs, response, units[:n])
    forces = _differing(response.force, pairs, response, units[n:])
    spread = any(_opens(pairs, row, response) for row in np.eye(w))
    return Ambiguity(accelerations, forces, fragile=not spread)


def two_copies(first: Polytope, second: Polytope, inputs: int) -> Polytope:
    """`{(tau, w1, w2) : (tau, w1) in first, (tau, w2) in second}`."""
    a, b = first.n - inputs, second.n - inputs

    def lift(P: np.ndarray, before: int, after: int) -> np.ndarray:
        return np.hstack(
            [P[:, :inputs], np.zeros((len(P), before)), P[:, inputs:], np.zeros((len(P), after))]
        )

    return Polytope(
        np.vstack([lift(first.A, 0, b), lift(second.A, a, 0)]),
        np.concatenate([first.b, second.b]),
        np.vstack([lift(first.C, 0, b), lift(second.C, a, 0)]),
        np.concatenate([first.d, second.d]),
    )


def _differing(affine: Affine, pairs: Polytope, response: ModeResponse, units: np.ndarray) -> tuple[str, ...]:
    """Rows that feel `w` (in natural units) and open on the domain."""
    felt = np.abs(affine.W).max(axis=1, initial=0.0) > tolerances.RANK * units[: len(affine.names)]
    return tuple(
        name
        for name, row, some in zip(affine.names, affine.W, felt, strict=True)
        if some and _opens(pairs, row, response)
    )


def _opens(pairs: Polytope, row: np.ndarray, response: ModeResponse) -> bool:
    objective = np.concatenate([np.zeros(response.U.shape[1]), row, -row])
    return pairs.support(objective) > tolerances.STRICT * response.problem.size * np.abs(row).max()
