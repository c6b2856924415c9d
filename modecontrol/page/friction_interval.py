"""Friction known as intervals: which torques surely give a mode whatever the coefficients are.

While a handle is pulled the coefficients are taken at the ends of their intervals in every combination, and
at the value that is shown: quick, and a check rather than a proof where one coefficient serves several
sliding contacts. When the hand rests, the uncertain model is asked, whose answers hold for every friction in
the intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.page.sets import Causes, quick_modes, rows_of

if TYPE_CHECKING:
    from modecontrol.regions.dynamic_response import DynamicResponse

CHECKED = "checked at the ends of the intervals and at the value shown"
PROVEN = "holds for every friction in the intervals"


def corners(intervals: Mapping[str, tuple[float, float]]) -> list[dict[str, float]]:
    """Every combination of the ends; one end where an interval is a single value.

    Parameters
    ----------
    intervals
        (least, greatest) by parameter name.
    """
    ends = [sorted({low, high}) for low, high in intervals.values()]
    return [dict(zip(intervals, values, strict=True)) for values in product(*ends)] if intervals else []


def interval_sets(
    nominal: DynamicResponse,
    responses: list[DynamicResponse],
    axes: list[int],
    tau: np.ndarray,
    causes: Causes,
) -> dict[str, Any]:
    """Per mode the rows that hold at every corner, and the sets of each corner.

    Parameters
    ----------
    nominal
        The response at the value shown.
    responses
        Responses at the corners.
    axes, tau, causes
        As for `rows_of`.
    """
    everywhere = [nominal, *responses]
    sure: dict[str, Any] = {}
    for mode in nominal:
        if all(mode in response for response in responses):
            rows = [rows_of(response[mode].torques, axes, tau, causes) for response in everywhere]
            if all(row is not None for row in rows):
                sure[mode] = rows
    possible: dict[str, list[Any]] = {}
    for response in responses:
        for mode in quick_modes(response)[0]:
            rows_here = rows_of(response[mode].torques, axes, tau, causes)
            if rows_here is not None:
                possible.setdefault(mode, []).append(rows_here)
    return {"sure": sure, "possible": possible, "corners": len(responses), "how": CHECKED, "proven": False}


def proven_sets(
    response: DynamicResponse, axes: list[int], tau: np.ndarray, causes: Causes
) -> dict[str, Any]:
    """The same from a response over the intervals: what every friction allows, and what some friction allows.

    Parameters
    ----------
    response
        A `DynamicResponse` of an uncertain model.
    axes, tau, causes
        As for `rows_of`.
    """
    sure: dict[str, Any] = {}
    possible: dict[str, list[Any]] = {}
    for mode in quick_modes(response)[0]:
        for store, P in ((possible, response[mode].torques), (sure, response[mode].sure_torques)):
            rows = None if P.is_empty else rows_of(P, axes, tau, causes)
            if rows is not None:
                store[mode] = [rows]
    return {"sure": sure, "possible": possible, "corners": 0, "how": PROVEN, "proven": True}


def modes_over(responses: list[DynamicResponse], tau: np.ndarray) -> list[str]:
    """Every mode that the torque can produce at one of the corners."""
    found = {
        mode for response in responses for mode in quick_modes(response)[0] if response[mode].allows(tau)
    }
    return sorted(found)


def surely(responses: list[DynamicResponse], tau: np.ndarray, mode: str) -> bool:
    """Whether the torque gives this mode and no other at every corner."""
    return all(modes_over([response], tau) == [mode] for response in responses)


Respond = Callable[[Mapping[str, float]], "DynamicResponse"]
