"""How a search for the best inputs ends, as a `Thrust`: found, endless, out of patience, everything ambiguous."""

from __future__ import annotations

import numpy as np

from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.thrust.best_first import Part
from modecontrol.thrust.thrust import Thrust, active_rows


def answer_of(response: DynamicResponse, best: Part, hoped: Part) -> Thrust:
    """The best inputs with the motion they promise.

    Parameters
    ----------
    response
        All modes of the instant.
    best, hoped
        What was found, and the best when ambiguity is ignored.
    """
    mine = response[best.mode]
    if best.tau is None:
        return endless(best.mode, hoped)
    assert best.w is not None
    return Thrust(
        best.mode,
        best.tau,
        -best.cost,
        mine.acceleration.value(best.tau, best.w),
        mine.force.value(best.tau, best.w),
        active_rows(mine, best.tau, best.w),
        hoped.mode,
        -hoped.cost,
        "optimal",
        response,
    )


def endless(mode: str, hoped: Part) -> Thrust:
    """The objective grows without end in a mode.

    Parameters
    ----------
    mode
        The mode.
    hoped
        The best when ambiguity is ignored.
    """
    return Thrust(
        mode,
        None,
        np.inf,
        ambiguous_mode=hoped.mode,
        ambiguous_value=-hoped.cost,
        reason=f"unbounded in {mode or 'free motion'}: give torque limits",
    )


def out_of_patience(hoped: Part | None, patience: int | None) -> Thrust:
    """The search was given up.

    Parameters
    ----------
    hoped
        The best when ambiguity is ignored, where it is known.
    patience
        How many programs were allowed.
    """
    return Thrust(
        None,
        None,
        -np.inf,
        ambiguous_mode=hoped.mode if hoped else None,
        ambiguous_value=-hoped.cost if hoped else -np.inf,
        reason=f"no guaranteed answer within a patience of {patience}",
        status="stopped",
    )


def all_ambiguous(hoped: Part, margin: float) -> Thrust:
    """No inputs have one answer that meets the task.

    Parameters
    ----------
    hoped
        The best when ambiguity is ignored.
    margin
        Distance that was asked for.
    """
    return Thrust(
        None,
        None,
        -np.inf,
        ambiguous_mode=hoped.mode,
        ambiguous_value=-hoped.cost,
        reason="every torque that meets the task can also produce another mode, misses the task for some w, or is one of a mode "
        "that is all but singular" + (f" (margin {margin:g})" if margin else ""),
    )
