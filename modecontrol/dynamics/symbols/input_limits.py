"""Limits of inputs: a box for each, and a speed-torque line that narrows it as the input moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from modecontrol.validation import as_mapping, did_you_mean, shown


@dataclass(frozen=True, eq=False)
class InputLimits:
    """`lower <= tau <= upper` and `abs(tau) <= stall (1 - abs(speed) / no_load)`.

    Parameters
    ----------
    box
        `lower, upper` of each input (t, 2).
    lines
        `stall, no_load` of each input (t, 2), infinite where there is no line.
    """

    box: np.ndarray
    lines: np.ndarray

    def __post_init__(self) -> None:
        self.box.setflags(write=False)
        self.lines.setflags(write=False)

    @property
    def follow_speed(self) -> bool:
        """Whether some input has a line."""
        return bool(np.any(np.isfinite(self.lines[:, 0])))

    def at(self, speeds: np.ndarray) -> np.ndarray:
        """The box at these speeds (t, 2); a line that has dropped below the box leaves zero, not an empty set.

        Parameters
        ----------
        speeds
            Speed at which each input does work (t,).
        """
        stall, no_load = self.lines.T
        left = np.maximum(0.0, 1.0 - np.abs(speeds) / no_load)
        bound = np.where(np.isinf(stall), np.inf, np.where(np.isinf(stall), 0.0, stall) * left)
        return np.column_stack(
            (
                np.minimum(np.maximum(self.box[:, 0], -bound), bound),
                np.maximum(np.minimum(self.box[:, 1], bound), -bound),
            )
        )


def read_limits(
    inputs: tuple[str, ...],
    torque_limits: Mapping[str, tuple[float, float]] | None,
    speed_torque: Mapping[str, tuple[float, float]] | None,
) -> InputLimits:
    """Limits by the names of the inputs; what is not named is unlimited.

    Parameters
    ----------
    inputs
        Names of all inputs.
    torque_limits
        `{input: (lower, upper)}`.
    speed_torque
        `{input: (stall, no_load)}`.

    Raises
    ------
    ValueError
        If a name is unknown, or a pair is no limit.
    """
    box = _pairs(torque_limits, inputs, "torque_limits", (-np.inf, np.inf))
    if np.any(box[:, 0] > box[:, 1]):
        bad = inputs[int(np.argmax(box[:, 0] > box[:, 1]))]
        raise ValueError(f"torque_limits of {bad!r}: lower exceeds upper; expected (lower, upper)")
    lines = _pairs(speed_torque, inputs, "speed_torque", (np.inf, np.inf))
    if np.any(lines[:, 0] < 0) or np.any(lines[:, 1] <= 0):
        raise ValueError(f"speed_torque is {speed_torque}; expected pairs with stall >= 0, no_load > 0")
    return InputLimits(box, lines)


def _pairs(
    given: Mapping[str, Any] | None, inputs: tuple[str, ...], what: str, default: tuple[float, float]
) -> np.ndarray:
    given = as_mapping({} if given is None else given, what, "{'tau': (-1.0, 1.0)}")
    known(given, inputs, what, "input")
    found = np.full((len(inputs), 2), default)
    for name, pair in given.items():
        try:
            found[inputs.index(name)] = np.array(pair, dtype=float).reshape(2)
        except (TypeError, ValueError):
            raise ValueError(f"{what} of {name!r} is {shown(pair)}; expected a pair of numbers") from None
    if np.isnan(found).any():
        raise ValueError(f"{what} holds NaN: {dict(given)}; expected numbers")
    return found


def known(found: Iterable[str], expected: tuple[str, ...], where: str, what: str) -> None:
    """Refuse a name that is not one of those expected.

    Parameters
    ----------
    found, expected
        Names.
    where, what
        Who names them, and what they are called, for the message.
    """
    for name in found:
        if name not in expected:
            raise ValueError(
                f"{where}: unknown {what} {name!r}{did_you_mean(name, expected)} "
                f"(expected: {', '.join(expected) or 'none'})"
            )
