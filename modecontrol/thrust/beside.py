"""Derivatives beside a point, which say what those at the point itself have to be.

A best value is smooth but for single points, so its one-sided derivatives are limits,

    V'(p + 0) = lim V'(p + h) = 2 V'(p + h) - V'(p + 2h) + O(h^2)        if V(p + h) goes to V(p)

and beside the point the multipliers are unique where at the point they are not. Whatever ties there, modes that begin or end
and limits that bend among them, is seen from its side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.derivatives import differentiate
from modecontrol.thrust.shared_value import SharedValue


class Side(NamedTuple):
    """The derivative towards one side, by multipliers or by values; NaN with the reason where there is none that can be vouched
    for.
    """

    slope: float
    reason: str = ""
    by_values: bool = False


def follows(asked: SharedValue, slope: float) -> bool:
    """Whether values close by, on both sides, are those that a derivative says.

    Parameters
    ----------
    asked, slope
        The question, and the derivative.
    """
    return all(_follows(asked, slope, sign) for sign in (1.0, -1.0))


def _follows(asked: SharedValue, slope: float, sign: float) -> bool:
    """Values at h and 2h give the slope but for terms of third order, `4 V(h) - 3 V(0) - V(2h) = 2 h V'`. Shorter steps, which
    rounding lets say less, are asked where longer ones meet another tie.
    """
    steep = max(abs(slope), asked.steepness)
    for part in (10.0, 1.0, 0.1, 0.01):
        h = part * tolerances.DIFFERENCE * asked.path.size
        try:
            near, far = (asked.beside(sign * i * h) for i in (1, 2))
        except ValueError:
            return False
        if near is None or far is None:
            continue
        change = 4.0 * near.best.value - 3.0 * asked.best.value - far.best.value
        allowed = 2.0 * tolerances.FOLLOWS * h * steep + tolerances.SAME_VALUE * asked.size
        if abs(change - 2.0 * sign * h * slope) <= allowed:
            return True
        if _alike(asked, near, far):
            return False
    return False


def _alike(*asked: SharedValue) -> bool:
    """Whether the same mode and the same rows decide the values, so that no tie lies between them."""
    return len({(one.best.mode, one.best.active) for one in asked}) == 1


def one_side(asked: SharedValue, sign: float, expected: float) -> Side:
    """The derivative with respect to what varies, seen from one side.

    Parameters
    ----------
    asked, sign
        The question, and +1 (above) or -1 (below).
    expected
        What the multipliers at the point say; it is returned where the side agrees at some distance. The farthest distance
        counts first: inputs may come nearer to a rival than they should, by half of what they keep off it, and the value bends
        again where they stop doing so.
    """
    side = "above" if sign > 0 else "below"
    reason, nearest = f"too many ties follow each other {side}", np.nan
    for part in (100.0, 10.0, 1.0):
        h = part * tolerances.BESIDE_A_TIE * asked.path.size
        try:
            first, second = (asked.beside(sign * i * h) for i in (1, 2))
        except ValueError as error:
            reason = f"the state {side} cannot be asked: {error}"
            continue
        if first is None or second is None:
            reason = f"nothing is sure {side}"
            continue
        near, far = _derivative(first), _derivative(second)
        if np.isnan(near) or np.isnan(far):
            continue
        steep, limit = max(abs(near), abs(far), asked.steepness), 2 * near - far
        jump = abs(2 * first.best.value - asked.best.value - second.best.value)
        if jump > tolerances.JUMP * asked.size:
            return Side(np.nan, f"the value jumps {side}, by {jump:.3g}")
        between = abs(second.best.value - first.best.value - sign * h * (near + far) / 2)
        if between > tolerances.FOLLOWS * h * steep + tolerances.SAME_VALUE * asked.size:
            if _alike(asked, first, second):
                break  # multipliers and values contradict each other
            continue
        if abs(limit - far) > tolerances.NEARLY * steep:
            continue
        if abs(limit - expected) <= tolerances.CONFIRMED * steep:
            return Side(expected)
        nearest = limit if np.isnan(nearest) else nearest
    if not np.isnan(nearest):
        return Side(nearest)
    if reason.startswith("too many"):
        slope = _by_values(asked, sign)
        reason = "" if np.isfinite(slope) else reason
        return Side(slope, reason, by_values=True)
    return Side(np.nan, reason)


def _by_values(asked: SharedValue, sign: float) -> float:
    """The derivative by values on one side alone, for what no multipliers are followed for; NaN where steps disagree."""

    def value(x: float) -> tuple[np.ndarray]:
        found = asked.best if x == asked.path.middle else asked.answer(x)
        return (np.array([found.value if found else np.nan]),)

    try:
        (slope,), error = differentiate(value, asked.path.middle, asked.path.size, sign)
    except ValueError:
        return np.nan
    steep = max(abs(float(slope[0])), abs(asked.best.value) / asked.path.size)
    return float(slope[0]) if error * steep <= tolerances.TRUSTED * asked.steepness else np.nan


def _derivative(asked: SharedValue) -> float:
    """The derivative where the multipliers give one, by what reaches the value to rounding; NaN at a tie."""
    slopes = asked.slopes(tolerances.SAME_VALUE, moving=False)
    if slopes.lost or not np.isfinite(slopes.up + slopes.down):
        return np.nan
    tied = abs(slopes.up + slopes.down) > tolerances.CONFIRMED * max(abs(slopes.up), asked.steepness)
    return np.nan if tied else (slopes.up - slopes.down) / 2
