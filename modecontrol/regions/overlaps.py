"""Pairs of modes that explain the same inputs, and in what their answers differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from modecontrol import tolerances
from modecontrol.errors import TooMuchWorkError
from modecontrol.modes.affine import Affine
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.modes.within_mode import two_copies
from modecontrol.polytopes import Polytope
from modecontrol.regions.ambiguity import clashes_with, shows_all_of

if TYPE_CHECKING:
    from modecontrol.regions.dynamic_response import DynamicResponse

MOST_PAIRS = 1_000_000
"""Pairs of modes, in either order, whose motions are compared in one call: about 20 seconds."""


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
        """Either "accelerations", "forces" (only), or "none"."""
        return "accelerations" if self.accelerations else "forces" if self.forces else "none"


def find_clashes(response: DynamicResponse) -> list[Clash]:
    """All pairs of modes each of which moves the mechanism as the other cannot, at common inputs.

    A pair is left out when a third mode has all their common inputs and all their motions: then that mode is
    the one answer.
    """
    modes = response.modes
    new = sum((mode, "relations", b"") not in response._related for mode in modes) * len(modes)
    if new > MOST_PAIRS:
        raise TooMuchWorkError(
            f"the motions of {len(modes)} modes are {new} comparisons, and {MOST_PAIRS} are the bound; answer_at and modes_at"
            " answer at single inputs, sampled_coverage names the pairs that clash at random ones",
            modes=modes,
        )
    pairs = [
        (a, b)
        for i, a in enumerate(modes)
        for b in modes[i + 1 :]
        if clashes_with(response, a, b) and clashes_with(response, b, a)
    ]
    return [_compare(response[a], response[b]) for a, b in pairs if not _covered(response, a, b)]


def _covered(response: DynamicResponse, a: str, b: str) -> bool:
    shared = None
    for third in response:
        if third in (a, b) or not (shows_all_of(response, third, a) and shows_all_of(response, third, b)):
            continue
        shared = response[a].torques.intersect(response[b].torques) if shared is None else shared
        if shared <= response[third].torques:
            return True
    return False


def _compare(a: ModeResponse, b: ModeResponse) -> Clash:
    inputs = a.U.shape[1]
    both = two_copies(a.domain, b.domain, inputs)
    size = a.problem.size
    return Clash(
        (a.mode, b.mode),
        a.torques.intersect(b.torques).minimal(),
        _differing(a.acceleration, b.acceleration, both, size),
        _differing(a.force, b.force, both, size),
    )


def _differing(a: Affine, b: Affine, both: Polytope, size: float) -> tuple[str, ...]:
    rows = np.hstack([a.U - b.U, a.W, -b.W])
    constants = a.constant - b.constant
    names = []
    for name, row, constant, scale in zip(
        a.names, rows, constants, np.abs(a.constant) + np.abs(b.constant), strict=True
    ):
        tolerance = tolerances.STRICT * max(scale, size * np.abs(row).max(initial=0.0), tolerances.TINY)
        if both.support(row) + constant > tolerance or both.support(-row) - constant > tolerance:
            names.append(name)
    return tuple(names)
