"""Pumping: where one thrust does not suffice, let the body fall back, wait, and thrust again.

thrust -> the pitch rate turns negative before the top -> swing the legs forward and wait -> the body lies or
bounces up again -> thrust

A bounce is used: the next thrust begins as soon as the falling body has turned round, so that energy adds up.
On a ground that damps the fall completely (Table 4 of the paper) nothing is left to add to, and every thrust
reaches the same height.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol import tolerances
from modecontrol.thrust import MaximalThrust
from modecontrol.thrust.controller import Decision
from modecontrol.thrust.feedback import Passes
from modecontrol.thrust.objective import LinearGoal
from modecontrol.timestepping import simulate
from modecontrol.trials.rhex.flip import COMPLIANT_ONLY, settled_start
from modecontrol.trials.rhex.observer import RHexObserver
from modecontrol.trials.rhex.run import Flip, upper_corner
from modecontrol.trials.rhex.settings import FIRST_LEG, LAST_LEG, PITCH, FlipSettings

if TYPE_CHECKING:
    from modecontrol.dynamics.model import Model

LEGS = slice(FIRST_LEG, LAST_LEG + 1)
"""Places of the legs among the coordinates."""
STALLED = -0.05
"""Pitch rate (rad/s) below which a thrust counts as failed."""
DAMPING = FlipSettings().hold[1]
"""Gain that damps the legs when all is over (N m s/rad)."""
SWING = (4.0, 0.1)
"""Gains that bring the legs forward while the body falls (N m/rad, N m s/rad)."""


class PumpingThrust(MaximalThrust):
    """`MaximalThrust` that starts anew after a failed thrust.

    Parameters
    ----------
    model, objective, **options
        As for `MaximalThrust`, without `end` and `rest`.
    legs
        Leg angles to which the legs swing while the body falls back (rad).
    attempts
        Thrusts before giving up.
    top
        Pitch at which thrusting ends for good (rad).
    """

    def __init__(
        self,
        model: Model,
        objective: LinearGoal,
        legs: np.ndarray,
        attempts: int = 6,
        top: float = np.radians(88.0),
        **options: Any,
    ) -> None:
        self.legs, self.attempts, self.top = np.asarray(legs, float), int(attempts), float(top)
        super().__init__(model, objective, **options)

    def reset(self) -> None:
        """Back to the first thrust."""
        super().reset()
        self.phase = "thrust"
        self.thrusts: list[float] = [0.0]

    def decide(self, t: float, q: np.ndarray, v: np.ndarray) -> Decision:
        """Thrust, or swing and wait."""
        pitch, rate = q[PITCH], v[PITCH]
        if self.phase == "thrust" and pitch > self.top:
            self.phase = "over"
        elif self.phase == "thrust" and rate < STALLED and t > self.thrusts[-1] + 0.05:
            self.phase = "fall" if len(self.thrusts) < self.attempts else "over"
        elif self.phase == "fall" and (rate > -STALLED or (abs(rate) < tolerances.FALLEN and pitch < 0.05)):
            self.phase = "thrust"
            self.thrusts.append(t)
            self.memory.held.clear()
        if self.phase == "thrust":
            return super().decide(t, q, v)
        kp, kd = SWING if self.phase == "fall" else (0.0, DAMPING)
        limits = self.model.torque_limits(np.asarray(v[:6]))
        torque = np.clip(
            -kp * (np.asarray(q[LEGS]) - self.legs) - kd * np.asarray(v[LEGS]), limits[:, 0], limits[:, 1]
        )
        return Decision(t, torque, None, 0.0, None, "", False)


def pump(
    mu_toe: float = 0.6, attempts: int = 6, step: float = 1e-4, duration: float = 6.0, **parameters: float
) -> Flip:
    """Flip by pumping on the compliant robot.

    Parameters
    ----------
    mu_toe, **parameters
        Parameters of both models.
    attempts
        Thrusts before giving up.
    step, duration
        Simulation step and longest time (s).
    """
    from modecontrol.dynamics import load

    settings = FlipSettings(step=step, duration=duration, robot=parameters)
    compliant = load("rhex_compliant", mu_toe=mu_toe, **parameters)
    rigid = load("rhex", mu_toe=mu_toe, **{k: v for k, v in parameters.items() if k not in COMPLIANT_ONLY})
    q0, v0 = settled_start((("mu_toe", mu_toe), *sorted(parameters.items())), step)
    controller = PumpingThrust(
        rigid,
        "alpha",
        rigid.start[3:6],
        attempts,
        task=f"body.normal >= {settings.press!r}",
        v0=settings.v0,
        lifted=settings.hold,
        observe=RHexObserver.of(rigid),
    )
    past_corner = upper_corner(compliant)
    trajectory = simulate(
        compliant,
        q0,
        v0,
        controller=controller,
        duration=duration,
        step=step,
        rate=settings.rate,
        clip=True,
        stop=Passes(PITCH, past_corner),
    )
    return Flip.of("pumping", mu_toe, settings, trajectory, controller)
