"""Torque sets of the modes as rows in the drawn inputs, the others held: all the page needs to draw them.

    { x : A x <= b - A_held tau_held,  C x = d - C_held tau_held }

With at most three inputs nothing is held and the rows are those of `resp[mode].torques`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol import tolerances
from modecontrol.view import palette

if TYPE_CHECKING:
    from modecontrol.polytopes.polytope import Polytope
    from modecontrol.regions.dynamic_response import DynamicResponse


class Causes:
    """Texts of causes, each stored once and named by its number."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def of(self, labels: Iterable[Iterable[str]]) -> list[list[int]]:
        """Numbers of the causes of each row.

        Parameters
        ----------
        labels
            One set of causes per row.
        """
        return [
            [self.numbers.setdefault(cause, len(self.numbers)) for cause in sorted(label)] for label in labels
        ]


def rows_of(
    P: Polytope,
    axes: Sequence[int],
    tau: np.ndarray,
    causes: Causes,
    box: tuple[np.ndarray, np.ndarray] | None = None,
) -> dict[str, Any] | None:
    """A polytope in the inputs as rows in the drawn ones; None when the held inputs leave nothing of it.

    Parameters
    ----------
    P
        A `Polytope` in all inputs.
    axes
        Numbers of the drawn inputs.
    tau
        All inputs; those not drawn are held.
    causes
        Where the texts go.
    box
        Lower and upper ends of the drawn inputs, where they are known: a slice that misses the box is empty.
    """
    held = [i for i in range(P.n) if i not in axes]
    axes = list(axes)
    A, b, C, d = P.A[:, axes], P.b, P.C[:, axes], P.d
    if held:
        b, d = b - P.A[:, held] @ tau[held], d - P.C[:, held] @ tau[held]
        if (box is not None and _beyond(A, b, box)) or _misses(P, A, b, C, d):
            return None
    return {
        "A": A.tolist(),
        "b": b.tolist(),
        "C": C.tolist(),
        "d": d.tolist(),
        "of": causes.of(P.labels),
        "equal": causes.of(P.equality_labels),
        "flat": len(P.d),
        "size": np.linalg.norm(P.A, axis=1).tolist() if held else None,
    }


def _beyond(A: np.ndarray, b: np.ndarray, box: tuple[np.ndarray, np.ndarray]) -> bool:
    """Whether some row holds nowhere in a box: most slices are decided by that, without a linear program."""
    low, high = box
    ends = np.where(A > 0, low, high)
    least = np.sum(np.where(A == 0, 0.0, A * np.where(A == 0, 0.0, ends)), axis=1)
    return bool(np.any(least > b + tolerances.STRICT * np.maximum(1.0, np.abs(b))))


def _misses(P: Polytope, A: np.ndarray, b: np.ndarray, C: np.ndarray, d: np.ndarray) -> bool:
    """Whether the slice is empty: rows without drawn inputs first, then a linear program."""
    room = tolerances.FEASIBLE * np.maximum(1.0, np.abs(P.b))
    if np.any(~A.any(axis=1) & (b < -room)) or np.any(
        ~C.any(axis=1) & (np.abs(d) > room.max(initial=tolerances.FEASIBLE))
    ):
        return True
    rows, equal = A.any(axis=1), C.any(axis=1)
    return bool(type(P)(A[rows], b[rows] + room[rows], C[equal], d[equal]).is_empty)


def quick_modes(response: DynamicResponse) -> tuple[list[str], list[str]]:
    """Modes whose sets come straight from the compiled search, and those for which a slower method has to be
    asked.
    """
    from modecontrol.modes.packed import STATUS

    slow = response.packed.shape[:, STATUS] != 0
    if not slow.any():
        return response.modes, []
    late = {mode for mode in response.modes if slow[response._place[mode]]}
    return [mode for mode in response.modes if mode not in late], sorted(late)


def mode_sets(
    response: DynamicResponse, axes: Sequence[int], tau: np.ndarray, causes: Causes
) -> list[dict[str, Any]]:
    """Every mode with its colour and what is left of its torque set (None when the held inputs leave
    nothing).

    Parameters
    ----------
    response
        A `DynamicResponse`.
    axes, tau, causes
        As for `rows_of`.
    """
    quick, slow = quick_modes(response)
    lower, upper = response.torque_set.bounding_box
    box = (lower[list(axes)], upper[list(axes)])
    found = []
    for mode in quick:
        mine = response[mode]
        found.append(
            {
                "mode": mode,
                "colour": palette.mode_colour(mode),
                "case": mine.case,
                "w": mine.ambiguity_variables,
                "set": rows_of(mine.torques, axes, tau, causes, box),
            }
        )
    found += [
        {"mode": mode, "colour": palette.mode_colour(mode), "case": "undecided", "w": None, "set": None}
        for mode in slow
    ]
    return sorted(found, key=lambda entry: entry["mode"])


def forced_inputs(response: DynamicResponse, modes: Sequence[str]) -> dict[str, float]:
    """Inputs that have one and the same value in every mode: a massless leg in the air carries no torque."""
    found: dict[str, float] = {}
    if not modes:
        return found
    for i, name in enumerate(response.problem.names.inputs):
        values = []
        for mode in modes:
            P = response[mode].torques
            alone = [row for row in range(len(P.d)) if P.C[row, i] != 0 and np.count_nonzero(P.C[row]) == 1]
            if not alone:
                break
            values.append(float(P.d[alone[0]] / P.C[alone[0], i]))
        else:
            if max(values) - min(values) <= tolerances.FEASIBLE * max(1.0, abs(values[0])):
                found[name] = values[0] + 0.0
    return found


STEEP = 0.2
"""Part of a row's length from which on an input counts in it (ranges of sliders only)."""


def input_ranges(response: DynamicResponse, modes: Sequence[str]) -> list[list[float]]:
    """Ends of the inputs' sliders: their limits; where there are none, twice the farthest place at which a
    facet crosses an axis that it is not nearly parallel to.
    """
    lower, upper = response.torque_set.bounding_box
    far = 1.0
    if not (np.all(np.isfinite(lower)) and np.all(np.isfinite(upper))):
        for mode in modes:
            P = response[mode].torques
            slope = np.abs(P.A)
            steep = slope > STEEP * np.linalg.norm(P.A, axis=1)[:, None]
            crossings = np.abs(P.b)[:, None] / np.where(steep, slope, np.inf)
            far = max(far, float(np.max(crossings, initial=0.0)))
    return [
        [float(a) if np.isfinite(a) else -2.0 * far, float(b) if np.isfinite(b) else 2.0 * far]
        for a, b in zip(lower, upper, strict=True)
    ]
