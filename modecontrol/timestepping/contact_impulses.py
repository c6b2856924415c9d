"""Impulses of the contacts of a run, kept only where there were any."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class ContactImpulses:
    """Rows of pairs (normal, tangential), most of them zero: those of row `i` are `start[i]` to `start[i +
    1]`.

    Parameters
    ----------
    start
        (T + 1,) places in the other two arrays.
    contact
        Number of the contact of each pair.
    value
        The pairs, N s (one row each).
    contacts
        Number of contacts `k`.
    """

    start: np.ndarray
    contact: np.ndarray
    value: np.ndarray
    contacts: int

    def __post_init__(self) -> None:
        for array in (self.start, self.contact, self.value):
            array.setflags(write=False)

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.start) - 1

    def dense(self) -> np.ndarray:
        """All of them (T, 2k), zeros included."""
        full = np.zeros((len(self), self.contacts, 2))
        full[np.repeat(np.arange(len(self)), np.diff(self.start)), self.contact] = self.value
        return full.reshape(len(self), 2 * self.contacts)

    @classmethod
    def of(cls, full: np.ndarray) -> ContactImpulses:
        """Keep what is not zero.

        Parameters
        ----------
        full
            (T, 2k), normal first.
        """
        pairs = full.reshape(len(full), -1, 2)
        row, contact = np.nonzero(pairs.any(axis=2))
        start = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=len(full)), dtype=np.int64)))
        return cls(start, contact, pairs[row, contact], pairs.shape[1])
