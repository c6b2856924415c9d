"""Tangential velocities of a controller's contacts, known as intervals in place of thresholds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from modecontrol.modes.letters import SIGN_UNKNOWN, Touch
from modecontrol.thrust.instants import Instant
from modecontrol.validation import check_bounds, real_array, shown


@dataclass(frozen=True, eq=False)
class VelocityIntervals:
    """What is known of how contacts slide.

    Attributes
    ----------
    half_width
        (k,): how far the velocity of each contact may be from the measured one (m/s); None when a function says it.
    ask
        `(t, q, v) -> (lo, hi)`: velocities of the contacts (k,) each; None when half a width says it.
    """

    half_width: np.ndarray | None
    ask: Callable[..., Any] | None

    @staticmethod
    def of(given: Any, contacts: tuple[str, ...]) -> VelocityIntervals:
        """From half a width, one or one per contact, or a function."""
        if callable(given):
            return VelocityIntervals(None, given)
        return VelocityIntervals(check_bounds("velocity", given, len(contacts)), None)

    def judge(self, instant: Instant, t: float, q: np.ndarray, v: np.ndarray) -> Instant:
        """The instant with its contacts judged by their intervals: a velocity of either sign leaves all letters.

        Parameters
        ----------
        instant
            Judged without thresholds.
        t, q, v
            Time and measured state.
        """
        tangent = instant.snapshot.velocity[1::2]
        low, high = self._between(tangent, t, q, v)
        slip = np.where(
            low > 0, 1, np.where(high < 0, -1, np.where((low == 0) & (high == 0), 0, SIGN_UNKNOWN))
        )
        touching = Touch(~instant.closed, np.where(instant.closed, slip, 0), instant.touching.noise)
        return replace(instant, touching=touching)

    def _between(
        self, tangent: np.ndarray, t: float, q: np.ndarray, v: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        if self.ask is None:
            assert self.half_width is not None
            return tangent - self.half_width, tangent + self.half_width
        found = self.ask(t, q, v)
        try:
            low, high = (real_array(end, "velocity", 1) for end in found)
        except (TypeError, ValueError):
            low = high = np.zeros(0)
        if low.shape != tangent.shape or high.shape != tangent.shape or np.any(low > high):
            raise ValueError(
                f"velocity returned {shown(found)} at t = {t:.9g} s; expected (lo, hi), {len(tangent)} numbers each, lo <= hi"
            )
        return low, high
