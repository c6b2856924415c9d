"""What the flip's controllers know of RHex: the rigid state behind a measured one (sections 4.2 and 4.3 of
Greenfield 2005).

The compliant robot is never exactly in contact. The controller trusts pitch, pitch rate and forward velocity,
puts the lower rear corner on the ground, and closes every leg that can reach it: `sin(alpha + phi) = -H / l`
with the height `H` of the hip. A leg whose hip is higher than `REACH` leg lengths has left: near the
singularity at `H = l` its `Jdot v` blows up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.trials.rhex.settings import PITCH

if TYPE_CHECKING:
    from modecontrol.dynamics.model import Model

REACH = 0.985
"""Highest hip, in leg lengths, from which a toe still counts as on the ground."""


@dataclass(frozen=True)
class RHexObserver:
    """`(t, q, v) -> (q, v, closed)` for the rigid model `rhex`, from a state that begins with the same six
    coordinates.
    """

    d: float
    h: float
    leg: float
    hips: tuple[float, float, float]

    @staticmethod
    def of(model: Model) -> RHexObserver:
        """Read the geometry from the model's parameters."""
        p = model.parameters
        return RHexObserver(p["d"], p["h"], p["l"], (p["d1"], p["d2"], p["d3"]))

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The rigid state; legs out of reach keep their measured angles."""
        alpha, rate = float(q[PITCH]), float(v[PITCH])
        c, s = math.cos(alpha), math.sin(alpha)
        rigid, velocity = np.array(q[:6], float), np.array(v[:6], float)
        rigid[1] = self.d * s + self.h * c
        velocity[1] = (self.d * c - self.h * s) * rate
        closed = np.ones(4, bool)
        for i, hip in enumerate(self.hips):
            height = rigid[1] + hip * s
            if height > REACH * self.leg or height <= 0:
                closed[1 + i] = False
                continue
            turn = -math.asin(height / self.leg)
            turn_rate = -(velocity[1] + hip * c * rate) / (self.leg * math.cos(turn))
            rigid[3 + i], velocity[3 + i] = turn - alpha, turn_rate - rate
        return rigid, velocity, closed

    def into_core(self, plan: Any) -> None:
        """Let a controller that runs in the core observe in the same way.

        Parameters
        ----------
        plan
            The plan of a controller.
        """
        plan.observe_rhex(self.d, self.h, self.leg, np.array(self.hips, float), REACH)


def at_rest(model: Model, q: np.ndarray) -> np.ndarray:
    """`place` for studies of RHex: the rear corner and every toe that can reach it on the ground, at the
    pitch of `q`.

    Parameters
    ----------
    model
        `rhex`, with any parameters.
    q
        Its pitch counts, and the angles of legs that are out of reach.
    """
    return RHexObserver.of(model)(0.0, q, np.zeros(len(q)))[0]
