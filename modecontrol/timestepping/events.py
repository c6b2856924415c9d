"""Events: instants at which a function of time and state passes zero, or a contact collides, with their exact times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from modecontrol import tolerances

Test = Callable[[float, np.ndarray, np.ndarray], float]


class Event(NamedTuple):
    """What happened at an instant."""

    name: str
    """The event's name."""
    time: float
    """When (s)."""
    q: np.ndarray
    """Configuration then (n,)."""
    v: np.ndarray
    """Velocity then (n,); that before it, where a collision happens at the same instant."""


class Collision(NamedTuple):
    """A contact that closed quickly enough to collide."""

    contact: str
    """Its name."""
    time: float
    """When (s), located within the step."""
    impulse: float
    """Normal impulse of the compression (N s)."""


class EventFinder:
    """Finds the events of a run step by step, along the way that the integrator went.

    Parameters
    ----------
    tests
        Functions `(t, q, v)` by name; an event is where one of them passes zero. A function with an attribute
        `terminal` that is true ends the run at the end of the step in which it passes.
    """

    def __init__(self, tests: Mapping[str, Test] | None) -> None:
        if tests is not None and not (isinstance(tests, Mapping) and all(map(callable, tests.values()))):
            raise ValueError(f"events is {tests!r}; expected a dict of functions (t, q, v) by name")
        self._tests = dict(tests or {})
        self.found: list[Event] = []

    def __bool__(self) -> bool:
        return bool(self._tests)

    def look(self, stepper: Any, t: float) -> str:
        """Look through the step that began at `t`: the name of the first terminal event in it, or empty.

        Parameters
        ----------
        stepper
            The core's stepper, which watches its pieces.
        t
            Beginning of the step (s).
        """
        ended, first = "", len(self.found)
        for start, length, q, v, q_end, v_end in stepper.pieces:
            piece = _Piece(t + start, length, *map(np.asarray, (q, v, q_end, v_end)))
            for name, test in self._tests.items():
                for time in _crossings(test, piece):
                    self.found.append(Event(name, time, *piece.at(time)))
                    if getattr(test, "terminal", False):
                        ended = ended or name
        self.found[first:] = sorted(self.found[first:], key=lambda event: event.time)
        return ended


class _Piece:
    """A smooth part of a step: the cubic between its two states."""

    def __init__(self, start, length, q, v, q_end, v_end) -> None:
        self.start, self.length, self.q, self.v, self.q_end, self.v_end = start, length, q, v, q_end, v_end

    def at(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        x, h = (t - self.start) / self.length, self.length
        y = 1.0 - x
        q = (
            self.q * y * y * (1.0 + 2.0 * x)
            + self.q_end * x * x * (3.0 - 2.0 * x)
            + h * x * y * (self.v * y - self.v_end * x)
        )
        return q, self.v + x * (self.v_end - self.v)


def _crossings(test: Test, piece: _Piece) -> list[float]:
    """The time in (start, end] at which a test passes zero, by Brent's method; touching zero at the beginning does
    not count, at the end it does.
    """
    from scipy.optimize import brentq

    def value(t: float) -> float:
        return float(test(t, *piece.at(t)))

    low, high = piece.start, piece.start + piece.length
    before, after = value(low), value(high)
    if not (np.isfinite(before) and np.isfinite(after)):
        raise ValueError(
            f"an event is {before} and {after} at t = {low:.9g} s and {high:.9g} s; expected finite numbers"
        )
    if before == 0.0 or (before > 0.0) == (after > 0.0):
        return [high] if before != 0.0 and after == 0.0 else []
    return [float(brentq(value, low, high, xtol=tolerances.EVENT_TIME, rtol=tolerances.EVENT_TIME))]
