"""Contact modes as strings, and what the velocities leave of them (Table 3 of Greenfield 2005).

One capital letter per contact, in model order: `S` separates, `L` slides left, `R` slides right, `F` is fixed.

| gap, velocity                                   | letters left | acceleration inequality          |
|-------------------------------------------------|--------------|----------------------------------|
| open gap, or `xd_n > v0`                        | S            | none                             |
| `abs(xd_n) <= v0`, `xd_t > v0`                  | S, R         | S: `xdd_n >= 0`                  |
| `abs(xd_n) <= v0`, `xd_t < -v0`                 | S, L         | S: `xdd_n >= 0`                  |
| `abs(xd_n) <= v0`, `abs(xd_t) <= v0`            | S, L, R, F   | S as above; L, R: `-+xdd_t >= 0` |

`xd_n < -v0` is an impact: no instantaneous answer exists without an impact law.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from modecontrol import tolerances
from modecontrol.dynamics.snapshot import Snapshot

LETTERS = "FLRS"
"""The letters in alphabetical order; kernels use their positions here as codes."""
FIXED, LEFT, RIGHT, SEPARATE = range(4)
_ALLOWED = np.array([[letter in letters for letter in LETTERS] for letters in ("SL", "SLRF", "SR", "S")])
"""Rows: slides left, rests, slides right, free."""


class ImpactError(ValueError):
    """A contact approaches: its velocity must jump before accelerations have a meaning."""


@dataclass(frozen=True)
class Touch:
    """What gaps and velocities say of each contact.

    Attributes
    ----------
    free
        (k,) bool: leaves by gap or velocity; only S, and no inequality with it.
    slip
        (k,) int: -1 slides left, +1 slides right, 0 counts as at rest.

    """

    free: np.ndarray
    slip: np.ndarray

    @property
    def allowed(self) -> np.ndarray:
        """(k, 4) bool over `LETTERS`: which letters each contact may take."""
        return _ALLOWED[np.where(self.free, 2, self.slip) + 1]


def touch(snapshot: Snapshot, velocity_tolerance: ArrayLike = tolerances.VELOCITY,
          gap_tolerance: float = tolerances.GAP) -> Touch:
    """Judge each contact of a snapshot by its gap and velocity.

    Parameters
    ----------
    snapshot
        The instant.
    velocity_tolerance
        `v0`, one number or one per contact (m/s): a slower contact counts as at rest and keeps all its letters.
    gap_tolerance
        A larger gap (m) is open.

    Raises
    ------
    ImpactError
        When a closed contact approaches faster than its tolerance.

    """
    k = snapshot.contacts
    try:
        v0 = np.asarray(velocity_tolerance, dtype=float)
    except (TypeError, ValueError):
        v0 = np.array(np.nan)
    if v0.ndim > 1 or v0.size not in (1, k) or not np.all(v0 >= 0):
        raise ValueError(f"velocity_tolerance is {velocity_tolerance!r}; expected one number >= 0 or one per contact ({k})")
    v0 = np.broadcast_to(v0, (k,)) if k else np.zeros(0)
    normal, tangent = snapshot.velocity[0::2], snapshot.velocity[1::2]
    open_gap = np.zeros(k, bool) if snapshot.gap is None else snapshot.gap > gap_tolerance
    approaching = ~open_gap & (normal < -v0)
    if approaching.any():
        i = int(np.argmax(approaching))
        raise ImpactError(f"contact {snapshot.names.contacts[i]!r} approaches at {-normal[i]:.6g} m/s "
                          f"(tolerance {v0[i]:.3g}): an impact has no accelerations; apply an impact law first "
                          "(timestepping), or raise velocity_tolerance if this is noise")
    slip = np.where(tangent > v0, 1, np.where(tangent < -v0, -1, 0))
    return Touch(open_gap | (normal > v0), slip)


def codes(mode: str, contacts: int) -> np.ndarray:
    """Positions of the mode's letters in `LETTERS`, with checks of length and alphabet."""
    text = str(mode)
    if len(text) != contacts or any(letter not in LETTERS for letter in text):
        raise ValueError(f"mode {mode!r} is not a contact mode; expected {contacts} letters out of S, L, R, F, "
                         "one per contact in model order")
    return np.array([LETTERS.index(letter) for letter in text], dtype=np.int64)


def spell(letters: np.ndarray) -> str:
    """The mode string of an array of letter codes."""
    return "".join(LETTERS[code] for code in letters)
