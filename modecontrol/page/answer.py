"""The answer at one torque, the best guaranteed torque, and a verdict: numbers of the library, put into plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol import tolerances
from modecontrol.page.scene import body_accelerations, has_bodies
from modecontrol.page.sets import quick_modes

if TYPE_CHECKING:
    from modecontrol.dynamics.protocol import PlanarModel
    from modecontrol.dynamics.snapshot import Snapshot
    from modecontrol.modes.mode_response import ModeResponse
    from modecontrol.regions.dynamic_response import DynamicResponse

Ranges = dict[str, tuple[float, float]]
PATIENCE = 200_000
"""Linear programs times modes that the search for the best torque may take before the page goes on without
it: about a tenth of a second. Mechanisms of few modes never need as many.
"""


def at_torque(
    response: DynamicResponse, tau: np.ndarray, model: PlanarModel, slow: bool = False
) -> dict[str, Any]:
    """Every mode that a torque can produce, with ranges of accelerations and forces, and the verdict on it.

    Parameters
    ----------
    response
        A `DynamicResponse`.
    tau
        Inputs.
    model
        The model, for the accelerations of its bodies; None leaves them out.
    slow
        Whether modes are asked, too, whose torque sets need a slower method.
    """
    from modecontrol.regions.fibre import ranges_at

    quick, late = quick_modes(response)
    near = not_far_from(response, tau, quick if not slow else response.modes)
    modes = [mode for mode in near if response[mode].allows(tau)]
    found = []
    for mode in modes:
        mine = response[mode]
        accelerations = ranges_at(mine, mine.acceleration, tau)
        forces = ranges_at(mine, mine.force, tau)
        w = one_of_many(mine, tau)
        found.append(
            {
                "mode": mode,
                "case": mine.case,
                "accelerations": _plain(accelerations),
                "forces": _plain(forces),
                "drawn": {
                    "forces": mine.force.value(tau, w).tolist(),
                    "bodies": _bodies(model, response.snapshot, mine.acceleration.value(tau, w)),
                },
            }
        )
    return {
        "tau": [float(x) for x in tau],
        "modes": found,
        "verdict": verdict(found),
        "undecided": [] if slow else late,
    }


def not_far_from(response: DynamicResponse, tau: np.ndarray, modes: list[str]) -> list[str]:
    """Those of the modes whose torque sets may contain a torque: a quick look before the sets themselves are asked."""
    rows = [(P.A, P.b, np.linalg.norm(P.A, axis=1)) for P in (response[mode].torques for mode in modes)]
    far = float(np.linalg.norm(tau)) + 1.0
    for _, b, size in rows:
        far = max(far, float(np.max(np.abs(b) / np.where(size > 0, size, np.inf), initial=0.0)))
    return [
        mode
        for mode, (A, b, size) in zip(modes, rows, strict=True)
        if not np.any((A @ tau - b > tolerances.FAR_OUTSIDE * far * size) & (size > 0))
    ]


def verdict(found: list[dict[str, Any]]) -> str:
    """One of "inconsistent", "unique", "border" (several modes with one motion) or "ambiguous" (several
    motions).

    Parameters
    ----------
    found
        Modes with their ranges, as in `at_torque`.
    """
    if not found:
        return "inconsistent"
    if len(found) == 1:
        return "unique"
    first = found[0]
    alike = all(
        _same(first[part], other[part]) for other in found[1:] for part in ("accelerations", "forces")
    )
    return "border" if alike else "ambiguous"


def best_torque(response: DynamicResponse, objective: str, margin: float, longer: int = 1) -> dict[str, Any]:
    """The best guaranteed torque, with what limits it; nothing feasible is an answer, with its reason, and so is a
    search that was given up.

    Parameters
    ----------
    response
        A `DynamicResponse`.
    objective
        What to maximise.
    margin
        Distance to keep from other modes, in input units.
    longer
        How many times the page's patience the search may take.
    """
    from modecontrol.thrust import maximize

    if not response.problem.names.inputs:
        return {
            "mode": None,
            "torque": None,
            "value": None,
            "active": [],
            "reason": "the mechanism has no inputs",
            "hoped": None,
            "stopped": False,
        }
    patience = longer * PATIENCE // max(1, len(response))
    best = maximize(response, objective, margin=margin, patience=patience)
    return {
        "mode": best.mode,
        "torque": None if best.torque is None else best.torque.tolist(),
        "value": _number(best.value),
        "active": list(best.active),
        "reason": best.reason,
        "hoped": {"mode": best.ambiguous_mode, "value": _number(best.ambiguous_value)},
        "stopped": not best and best.status == "stopped",
    }


def one_of_many(mine: ModeResponse, tau: np.ndarray) -> np.ndarray:
    """Ambiguity variables well inside those that the torque leaves open: the mean of points at which forces
    are extreme.

    Parameters
    ----------
    mine
        A `ModeResponse`.
    tau
        Inputs that can produce it.
    """
    from modecontrol.regions.fibre import fibre, loosened

    if mine.ambiguity_variables == 0:
        return np.zeros(0)
    left = fibre(mine, tau)
    if left.is_empty:
        left = loosened(left)
    rows = [sign * row for row in mine.force.W for sign in (1.0, -1.0) if row.any()]
    ends = [left.maximize(row) for row in rows or [np.zeros(mine.ambiguity_variables)]]
    points = [end.point for end in ends if end.status == "optimal" and end.point is not None]
    if not points:
        points = [p for p in (left.maximize(np.zeros(mine.ambiguity_variables)).point,) if p is not None]
    return np.mean(points, axis=0) if points else np.zeros(mine.ambiguity_variables)


def _bodies(model: PlanarModel | None, snapshot: Snapshot, qdd: np.ndarray) -> list[list[float]] | None:
    if model is None or not has_bodies(model) or snapshot.q is None or snapshot.v is None:
        return None
    return body_accelerations(model, snapshot.q, snapshot.v, qdd)


def _same(a: dict[str, Any], b: dict[str, Any]) -> bool:
    """Whether two sets of ranges agree, to the strictness of the modes."""
    size = max((abs(x) for pair in (*a.values(), *b.values()) for x in pair if x is not None), default=0.0)
    return all(
        (x is None and y is None)
        or (x is not None and y is not None and abs(x - y) <= tolerances.STRICT * max(size, 1.0))
        for name in a
        for x, y in zip(a[name], b[name], strict=True)
    )


def _plain(ranges: Ranges) -> dict[str, list[float | None]]:
    return {name: [_number(low), _number(high)] for name, (low, high) in ranges.items()}


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
