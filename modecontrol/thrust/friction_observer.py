"""What measurements say of friction: `FrictionObserver`, whose box shrinks while the robot pushes.

In a mode, inputs and measurements bound the coefficient of a contact by two linear-fractional programs (a fixed
contact bounds it from below alone). The true mode is one of those that explain the measurement, so the interval
of a parameter is the hull of theirs, and that of all measurements is the intersection.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.friction_box import FrictionBox
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.regions.friction_witness import friction_range, tells_friction
from modecontrol.thrust.mode_observer import Band, Observer


class FrictionObserver(Observer[FrictionBox]):
    """Keeps the friction that all measurements so far leave.

    `observer(t, tau, (q, v, values))` returns the box; it never loses the true friction while the bounds hold.
    Give the observer to `MaximalThrust(model, ..., friction=observer)` and the controller promises for what is left.
    A measurement that no mode explains leaves the box as it is, and `broken` counts it.

    Parameters
    ----------
    model
        A model with uncertain friction.
    measured, noise
        Names of what is measured, and a bound of the error of each.
    torque_error, physical, v0, gap, leaving, observe
        As in `modecontrol.thrust.mode_observer.Observer`: errors of the inputs, constraints that always hold, when a contact
        counts as at rest, closed or leaving, and how a measured state is read.
    """

    def reset(self) -> None:
        """Know again what the model knows, no more."""
        box: FrictionBox | None = getattr(self.model, "friction_box", None)
        if box is None:
            raise ValueError(
                f"the friction of model {self.model.name!r} is known; expected intervals: model.uncertain(mu=(0.2, 0.6))"
            )
        self.box = box
        self.history: list[tuple[float, FrictionBox]] = []
        self.broken = 0

    def _learn(self, t: float, tau: np.ndarray, measurement: Any) -> FrictionBox:
        response, band = self._respond(t, measurement, self.box)
        found = [
            bounds
            for mode in response
            if self._explained(response[mode], tau, band)
            and (bounds := self._in_mode(response, mode, tau, band)) is not None
        ]
        if found:
            low = np.maximum(self.box.low, np.min([bounds[0] for bounds in found], axis=0))
            high = np.minimum(self.box.high, np.max([bounds[1] for bounds in found], axis=0))
            if np.all(low <= high):
                self.box = replace(self.box, low=low, high=high)
            else:
                self.broken += 1
        else:
            self.broken += 1
        self.history.append((t, self.box))
        return self.box

    def _in_mode(
        self, response: DynamicResponse, mode: str, tau: np.ndarray, band: Band
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """Least and greatest parameters with which the mode explains the measurement; None when there are none.

        A contact tells of a parameter when it feels that one alone.
        """
        low, high = self.box.low.copy(), self.box.high.copy()
        room = self.torque_error + tolerances.STRICT * max(1.0, float(np.abs(tau).max(initial=0.0)))
        for i, row in enumerate(self.box.slope):
            felt = np.flatnonzero(row)
            if len(felt) != 1 or mode[i] == "S" or not tells_friction(response.problem, i):
                continue
            found = friction_range(
                response.problem, mode, tau, i, error=room, band=(band.rows, band.low, band.high)
            )
            if found is None:
                continue
            j = int(felt[0])
            ends = (np.array(found) - self.box.base[i]) / row[j]
            slack = tolerances.STRICT * max(1.0, abs(self.box.high[j]))
            low[j] = max(low[j], ends.min() - slack)
            high[j] = min(high[j], ends.max() + slack)
        return (low, high) if np.all(low <= high) else None
