"""Functions of the measured state that the compiled control loop knows: when to end, what to do afterwards.

Any `(t, q, v)` function may stand in their place; with these (and with controllers of the library) a whole
run stays in the core.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Passes:
    """True once a coordinate is beyond a level: `(t, q, v) -> q[coordinate] > level`.

    Attributes
    ----------
    coordinate
        Its place in the measured state.
    level
        The value that it has to pass.
    """

    coordinate: int
    level: float

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> bool:
        """Whether it is.

        Parameters
        ----------
        t, q, v
            Time and state.
        """
        return bool(q[self.coordinate] > self.level)


@dataclass(frozen=True)
class Damping:
    """Inputs against velocities: `(t, q, v) -> -gain v[first : first + count]`.

    Attributes
    ----------
    gain
        Input per velocity, not negative.
    first, count
        Place of the first coordinate that is damped, and how many are: one per input.
    """

    gain: float
    first: int
    count: int

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The inputs.

        Parameters
        ----------
        t, q, v
            Time and state.
        """
        return -self.gain * np.asarray(v[self.first : self.first + self.count])

    def into_core(self, plan: Any) -> None:
        """What the core does after the thrust.

        Parameters
        ----------
        plan
            The plan of a controller.
        """
        plan.rest_damping(self.gain, self.first)
