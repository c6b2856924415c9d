"""Functions of the measured state that the compiled control loop knows: when to end, what to do afterwards.

Any `(t, q, v)` function may stand in their place; with these (and with controllers of the library) a whole
run stays in the core.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from modecontrol.validation import check_count, check_number


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

    def __post_init__(self) -> None:
        object.__setattr__(self, "coordinate", check_count(self.coordinate, "coordinate"))
        object.__setattr__(self, "level", check_number(self.level, "level", infinite=True))

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> bool:
        """Whether it is.

        Parameters
        ----------
        t, q, v
            Time and state.
        """
        if self.coordinate >= len(q):
            raise ValueError(
                f"coordinate is {self.coordinate}; expected one of 0 to {len(q) - 1}, its place in q"
            )
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

    def __post_init__(self) -> None:
        object.__setattr__(self, "gain", check_number(self.gain, "gain", least=0.0))
        for name in ("first", "count"):
            object.__setattr__(self, name, check_count(getattr(self, name), name))

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
