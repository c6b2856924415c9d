"""What a controller predicted, call by call, as arrays that are stored beside the trajectory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise

import numpy as np

from modecontrol.thrust.controller import Decision

NO_LETTER = ord("-")
"""Stands for a contact of a call that predicted nothing (after the thrust)."""


@dataclass(frozen=True, eq=False, repr=False)
class Predictions:
    """`N` calls of a controller.

    Attributes
    ----------
    time
        When (N,), s.
    torque
        Inputs that were returned (N, t).
    letters
        Predicted contact mode (N, k): S, L, R, F as ASCII bytes, "-" where nothing was predicted.
    value
        Predicted value of the objective (N,).
    acceleration
        Predicted `qdd` (N, n), NaN where nothing was predicted.
    fallback
        What was given up (N,), empty where everything was met.
    ambiguous
        Whether another mode explains the same inputs with another motion (N,).
    """

    time: np.ndarray
    torque: np.ndarray
    letters: np.ndarray
    value: np.ndarray
    acceleration: np.ndarray
    fallback: np.ndarray
    ambiguous: np.ndarray

    @staticmethod
    def of(decisions: Sequence[Decision], coordinates: int, inputs: int, contacts: int) -> Predictions:
        """From the record of a controller.

        Parameters
        ----------
        decisions
            Its decisions.
        coordinates, inputs, contacts
            How many its model has.
        """
        nothing = np.full(coordinates, np.nan)
        return Predictions(
            time=np.array([d.time for d in decisions], dtype=float),
            torque=np.array([d.torque for d in decisions], dtype=float).reshape(-1, inputs),
            letters=np.array(
                [list((d.mode or "-" * contacts).encode()) for d in decisions], np.uint8
            ).reshape(-1, contacts),
            value=np.array([d.value for d in decisions], dtype=float),
            acceleration=np.array(
                [nothing if d.acceleration is None else d.acceleration for d in decisions], dtype=float
            ).reshape(-1, coordinates),
            fallback=np.array([d.fallback for d in decisions], dtype="U40"),
            ambiguous=np.array([d.ambiguous for d in decisions], dtype=bool),
        )

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays by the names under which they are stored."""
        return {f"predicted_{f.name}": getattr(self, f.name) for f in fields(self)}

    @staticmethod
    def from_arrays(stored: Mapping[str, np.ndarray]) -> Predictions:
        """Read what `arrays` gave.

        Parameters
        ----------
        stored
            Arrays by name; others are passed over.
        """
        return Predictions(**{f.name: stored[f"predicted_{f.name}"] for f in fields(Predictions)})

    def __len__(self) -> int:
        return len(self.time)

    @cached_property
    def made(self) -> np.ndarray:
        """(N,) bool: whether a mode was predicted."""
        return ~np.any(self.letters == NO_LETTER, axis=1)

    @cached_property
    def modes(self) -> list[str | None]:
        """Predicted mode of each call; None where there is none."""
        return [
            row.tobytes().decode() if made else None
            for row, made in zip(self.letters, self.made, strict=True)
        ]

    @cached_property
    def decisions(self) -> list[Decision]:
        """The record as the controller kept it."""
        return [
            Decision(
                float(t),
                torque,
                mode,
                float(value),
                None if mode is None else acceleration,
                str(fallback),
                bool(ambiguous),
            )
            for t, torque, mode, value, acceleration, fallback, ambiguous in zip(
                self.time,
                self.torque,
                self.modes,
                self.value,
                self.acceleration,
                self.fallback,
                self.ambiguous,
                strict=True,
            )
        ]

    @property
    def switches(self) -> int:
        """How often the predicted mode changed."""
        return sum(a != b for a, b in pairwise(mode for mode in self.modes if mode is not None))

    def __repr__(self) -> str:
        return f"Predictions({len(self)} calls, {int(self.made.sum())} with a mode)"
