"""How the blind controller's switch compares with what happens: late, early, or with the body's halt (section
4.3.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from modecontrol.trials.rhex.run import first_span
from modecontrol.trials.rhex.settings import CONTACTS

if TYPE_CHECKING:
    from modecontrol.trials.rhex.run import Flip

REAR = CONTACTS.index("rear")


@dataclass(frozen=True)
class Switching:
    """Times (s); NaN for what did not happen.

    Attributes
    ----------
    believed
        When the controller first acts as if the rear toe stuck.
    slides
        When the rear toe, which sticks at first, begins to slide in simulation.
    stuck, again
        When it sticks, and when it slides again before the thrust is over.
    halted
        When the body's corner comes to a halt in simulation.
    """

    believed: float
    slides: float
    stuck: float
    again: float
    halted: float

    @property
    def late(self) -> float:
        """How late the controller switches (s); negative when it is early."""
        return self.believed - self.stuck

    def sentence(self) -> str:
        """The same in words, as it is."""
        parts = []
        if self.slides > 0:
            parts.append(
                f"assumes a sliding rear toe from the start, though it sticks until {self.slides:.3f} s"
            )
        if not np.isfinite(self.believed):
            parts.append(
                "never believes that it sticks"
                + (f", though it does from {self.stuck:.3f} s on" if np.isfinite(self.stuck) else "")
            )
        elif not np.isfinite(self.stuck):
            parts.append(f"believes from {self.believed:.3f} s on that it sticks, which it never does again")
        else:
            word = "late" if self.late > 0 else "early"
            parts.append(
                f"switches at {self.believed:.3f} s, {1e3 * abs(self.late):.0f} ms too {word}: the toe sticks from "
                f"{self.stuck:.3f} s on"
            )
        if np.isfinite(self.halted) and np.isfinite(self.believed):
            when = "after" if self.believed >= self.halted else "before"
            parts.append(
                f"the switch comes {1e3 * abs(self.believed - self.halted):.0f} ms {when} the body's halt at {self.halted:.3f} s"
            )
        if np.isfinite(self.again) and np.isfinite(self.believed):
            parts.append(f"that the toe slides again from {self.again:.3f} s on it does not see")
        return "; ".join(parts)


def switching(flip: Flip) -> Switching:
    """When a controller believes in the sticking rear toe, and when it does stick, until the thrust ends.

    Parameters
    ----------
    flip
        The run.
    """
    dead, ended, never = flip.settings.dead_time, flip.thrust_ended[0], float("nan")
    times = flip.predictions.time
    fixed = times[(flip.predictions.letters[:, REAR] == ord("F")) & (times > dead) & (times <= ended)]
    first = first_span(flip, "rear", "R", after=0.0)
    stuck, halted = (first_span(flip, name, "F", after=2 * dead) for name in ("rear", "body"))

    def before(time: float) -> float:
        return time if time < ended else never

    return Switching(
        float(fixed[0]) if len(fixed) else never,
        before(first[0]) if first else never,
        before(stuck[0]) if stuck else never,
        before(stuck[1]) if stuck else never,
        before(halted[0]) if halted else never,
    )
