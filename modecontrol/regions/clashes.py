"""Pairs of modes that explain the same inputs, and in what their answers differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.response import Affine, ModeResponse
from modecontrol.modes.uniqueness import two_copies
from modecontrol.polytopes import Polytope
from modecontrol.regions.unambiguous import counts_against

if TYPE_CHECKING:
    from modecontrol.regions.response import DynamicResponse


@dataclass(frozen=True)
class Clash:
    """Two modes that share inputs.

    Attributes
    ----------
    modes
        The two mode strings.
    torques
        Their common inputs.
    accelerations, forces
        Names of the quantities that can differ between the two answers.

    """

    modes: tuple[str, str]
    torques: Polytope
    accelerations: tuple[str, ...]
    forces: tuple[str, ...]

    @property
    def difference(self) -> str:
        """"accelerations", "forces" (only), or "none"."""
        return "accelerations" if self.accelerations else "forces" if self.forces else "none"


def find_clashes(response: DynamicResponse) -> list[Clash]:
    """All pairs whose torque sets overlap in more than a shared boundary."""
    found = []
    modes = response.modes
    for i, first in enumerate(modes):
        for second in modes[i + 1:]:
            a, b = response[first], response[second]
            if counts_against(a.torques, b.torques) or counts_against(b.torques, a.torques):
                found.append(_compare(a, b))
    return found


def _compare(a: ModeResponse, b: ModeResponse) -> Clash:
    inputs = a.U.shape[1]
    both = two_copies(a.domain, b.domain, inputs)
    size = a.problem.size
    return Clash((a.mode, b.mode), a.torques.intersect(b.torques).minimal(),
                 _differing(a.acceleration, b.acceleration, both, size), _differing(a.force, b.force, both, size))


def _differing(a: Affine, b: Affine, both: Polytope, size: float) -> tuple[str, ...]:
    rows = np.hstack([a.U - b.U, a.W, -b.W])
    constants = a.constant - b.constant
    names = []
    for name, row, constant, scale in zip(a.names, rows, constants, np.abs(a.constant) + np.abs(b.constant), strict=True):
        tolerance = tolerances.STRICT * max(scale, size * np.abs(row).max(initial=0.0), 1e-300)
        if both.support(row) + constant > tolerance or both.support(-row) - constant > tolerance:
            names.append(name)
    return tuple(names)
