"""`best.gradient("l")`: how the best guaranteed value changes with a parameter, exactly, by the optimal
multipliers.

At its best inputs the value is that of a linear program whose data move with the parameter p,

    V(p) = max goal y   over   E y = c,   G y >= e         rows of the mode, of the task, and of the modes that are kept away

    dV/dp = goal' y + pi (G' y - e') + mu (E' y - c')       with multipliers pi >= 0 of G, mu of E

where primes are derivatives of the data. At a tie several multipliers, several optima or several pieces and modes share the
value (`shared_value`, `tied_pieces`); then V has a derivative on each side, the greatest over the pieces, and on each piece
the greatest over its optima of the least over its multipliers (`tangent_program`). What a tie says has to be what the
multipliers beside it say (`beside`), and every derivative what values close by say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.facet_gradients import path_of
from modecontrol.thrust.beside import follows, one_side
from modecontrol.thrust.shared_value import SharedValue

if TYPE_CHECKING:
    from modecontrol.dynamics.protocol import PlanarModel
    from modecontrol.thrust.thrust import Thrust


@dataclass(frozen=True)
class Gradient:
    """Derivative of a best value; true when it exists, one-sided where it does not.

    Attributes
    ----------
    name
        What varies.
    value
        The derivative; NaN at a tie.
    below, above
        Derivatives towards smaller and greater values; equal where there is no tie, NaN where none can be vouched for.
    status
        "differentiable", "tie", or "unsettled" when a side has no derivative that can be vouched for: nothing is guaranteed
        there, the value jumps, or too many ties follow each other.
    reason
        A sentence.
    """

    name: str
    value: float
    below: float
    above: float
    status: str
    reason: str

    def __bool__(self) -> bool:
        return self.status == "differentiable"

    def __float__(self) -> float:
        return self.value


def gradient(
    best: Thrust, name: str, model: PlanarModel | None = None, place: Callable[..., Any] | None = None
) -> Gradient:
    """See `Thrust.gradient`."""
    if best._response is None or best._asked is None or best.torque is None:
        return _unsettled(name, f"there is no best value to differentiate ({best.reason or 'no answer'})")
    if best._asked[2] == "outcome" or best._response.snapshot.uncertainty is not None:
        return _unsettled(
            name, "derivatives of guarantees over several outcomes or intervals of friction are not known"
        )
    asked = SharedValue(best, path_of(best._response.problem, name, model, place))
    slopes = asked.slopes()
    above, below = slopes.up, -slopes.down
    if not slopes.lost and not asked.doubtful and _equal(asked, above, below) and follows(asked, above):
        value = float(above)
        return Gradient(name, value, value, value, "differentiable", f"by the multipliers of {best.mode}")
    sides = [one_side(asked, sign, slope) for sign, slope in ((1.0, above), (-1.0, below))]
    exact = [side.slope for side in sides] == [above, below]
    above, below = (float(side.slope) for side in sides)
    wrong = " and ".join(side.reason for side in sides if side.reason)
    if wrong:
        return Gradient(name, np.nan, below, above, "unsettled", wrong)
    by_values = any(side.by_values for side in sides)
    if _equal(asked, above, below, tolerances.TIED if exact else tolerances.CONFIRMED):
        reason = f"by the multipliers of {best.mode}, confirmed beside it"
        if by_values:
            reason = "by differences of values: no multipliers could be followed"
        return Gradient(name, above, above, above, "differentiable", reason)
    tied = ", ".join(asked.modes or [str(best.mode)])
    how = ", by differences of values" if by_values else ""
    return Gradient(name, np.nan, below, above, "tie", f"a tie of {tied}: one-sided derivatives{how}")


def _equal(asked: SharedValue, above: float, below: float, within: float = tolerances.TIED) -> bool:
    """Whether two one-sided derivatives are one."""
    size = max(abs(above), abs(below), asked.steepness)
    return bool(np.isfinite(size) and abs(above - below) <= within * size)


def _unsettled(name: str, reason: str) -> Gradient:
    return Gradient(str(name), np.nan, np.nan, np.nan, "unsettled", reason)
