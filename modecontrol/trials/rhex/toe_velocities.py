"""Figure 12 of Greenfield 2005: horizontal velocities of the contacts, as the rigid model predicts them and
as simulated.

    predicted   x_t = J_t(q) v        at the rigid state behind the measured one
    simulated   x_t                   of the compliant robot's corner and toes

While a simulated contact is fixed the rigid model should predict zero, and does not: legs give way, the body
sinks in. The range of its predictions over those intervals is the least threshold `v0` at which the contact
still keeps its letter F.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from modecontrol.trials.rhex.flip import rigid_model
from modecontrol.trials.rhex.observer import RHexObserver
from modecontrol.trials.rhex.settings import CONTACTS

if TYPE_CHECKING:
    from modecontrol.trials.rhex.run import Flip

LIFT = 0.02
"""Intervals shorter than this (s) are passed over: a toe that lands or leaves is fixed for an instant."""


@dataclass(frozen=True, eq=False)
class ToeVelocities:
    """Tangential velocities of body, rear, middle and front at the calls of the controller.

    Attributes
    ----------
    time
        (N,), s.
    predicted, simulated
        (N, 4), m/s; predictions are NaN where the rigid model has the contact open.
    fixed
        (N, 4) bool: the simulated contact is fixed, in an interval that lasts.
    """

    time: np.ndarray
    predicted: np.ndarray
    simulated: np.ndarray
    fixed: np.ndarray

    @property
    def thresholds(self) -> dict[str, float]:
        """Greatest predicted speed (m/s) of each contact while it is fixed in simulation; NaN when it never
        is.
        """
        found = {}
        for i, name in enumerate(CONTACTS):
            speeds = np.abs(self.predicted[self.fixed[:, i], i])
            speeds = speeds[np.isfinite(speeds)]
            found[name] = float(speeds.max()) if len(speeds) else float("nan")
        return found


def toe_velocities(flip: Flip, start: float = 0.0) -> ToeVelocities:
    """Velocities of the contacts while thrusting.

    Parameters
    ----------
    flip
        The run.
    start
        Calls before this time (s) are left out of `fixed`: the robot settles.
    """
    rigid, compliant = rigid_model(flip.mu_toe, flip.settings), flip.trajectory.model
    assert compliant is not None
    observe = RHexObserver.of(rigid)
    made = flip.predictions.made
    times = flip.predictions.time[made]
    at = np.minimum(np.round(times / flip.trajectory.step).astype(int), len(flip.trajectory) - 1)
    predicted, simulated = np.full((len(at), 4), np.nan), np.empty((len(at), 4))
    for row, i in enumerate(at):
        q, v, closed = observe(0.0, flip.trajectory.q[i], flip.trajectory.v[i])
        predicted[row] = np.where(closed, rigid.snapshot(q, v).velocity[1::2], np.nan)
        simulated[row] = compliant.snapshot(flip.trajectory.q[i], flip.trajectory.v[i]).velocity[1:8:2]
    fixed = lasting(flip.trajectory.letters[:, :4] == ord("F"), flip.trajectory.step)[at]
    return ToeVelocities(times, predicted, simulated, fixed & (times >= start)[:, None])


def lasting(flags: np.ndarray, step: float, least: float = LIFT) -> np.ndarray:
    """Truths that last: runs of True shorter than `least` become False.

    Parameters
    ----------
    flags
        (T, k) bool.
    step
        Time between rows (s).
    least
        Shortest run (s).
    """
    kept = np.zeros_like(flags)
    for column in range(flags.shape[1]):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], flags[:, column], [False]]).astype(np.int8)))
        for begin, end in zip(edges[::2], edges[1::2], strict=True):
            if (end - begin) * step >= least:
                kept[begin:end, column] = True
    return kept
