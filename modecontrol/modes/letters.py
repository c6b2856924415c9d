"""Contact modes as strings, and what the velocities leave of them (Table 3 of Greenfield 2005).

One capital letter per contact, in model order: `S` separates, `L` slides left, `R` slides right, `F` is
fixed.

| gap, velocity                                   | letters left | acceleration inequality          |
|-------------------------------------------------|--------------|----------------------------------|
| open gap, or `xd_n > n0`                        | S            | none                             |
| `abs(xd_n) <= n0`, `xd_t > v0`                  | S, R         | S: `xdd_n >= 0`                  |
| `abs(xd_n) <= n0`, `xd_t < -v0`                 | S, L         | S: `xdd_n >= 0`                  |
| `abs(xd_n) <= n0`, `abs(xd_t) <= v0`            | S, L, R, F   | S as above; L, R: `-+xdd_t >= 0` |
| `abs(xd_n) <= n0`, `xd_t` of either sign        | S, L, R, F   | S as above; L, R: none           |

`v0` is `velocity_tolerance`, `n0` is `normal_tolerance`. `xd_n < -n0` is an impact: no instantaneous answer
exists without an impact law. What counts as zero is then made zero (`modes.settling`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from modecontrol import tolerances
from modecontrol.dynamics.contact_entries import CABLE, CONTACT, kind_of, units_of
from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.errors import ImpactError
from modecontrol.validation import counted, real_array, shown

Mode = TypeVar("Mode")
LETTERS = "FLRS"
"""The letters in alphabetical order; the code of a letter is its byte."""
FIXED, LEFT, RIGHT, SEPARATE = LETTERS.encode()
SIGN_UNKNOWN = 4
"""The slip of a contact that slides left, rests or slides right, as far as is known (a code of the core)."""


@dataclass(frozen=True)
class Touch:
    """What gaps and velocities say of each contact.

    Attributes
    ----------
    free
        (k,) bool: leaves by gap or velocity; only S, and no inequality with it.
    slip
        (k,) int: -1 slides left, +1 slides right, 0 counts as at rest, `SIGN_UNKNOWN` one of the three.
    noise
        Whether velocities that count as zero may not be zero while nothing else moves: then accelerations as
        small as theirs (`tolerances.STILL`) are no load.

    """

    free: np.ndarray
    slip: np.ndarray
    noise: bool = True

    @property
    def states(self) -> np.ndarray:
        """(k,) codes of the core: in which state each contact is, which decides the cells of its law."""
        from modecontrol._core import modes as core

        return np.where(self.free, core.OPEN, self.slip).astype(np.int8)

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters that each contact may take, in alphabetical order."""
        return tuple(letters_of(int(state)) for state in self.states)

    @property
    def allowed(self) -> np.ndarray:
        """(k, 4) bool over `LETTERS`: which letters each contact may take."""
        return np.array([[letter in few for letter in LETTERS] for few in self.letters], bool).reshape(
            -1, len(LETTERS)
        )


@cache
def letters_of(state: int, law: tuple[Any, ...] | None = None) -> str:
    """Letters of the cells that a law has in one state of a contact (a code of the core); None is Coulomb's."""
    from modecontrol._core import modes as core

    return "".join(letter for letter, _ in core.cells(1.0, 1.0, state, law))


def possible_letters(snapshot: Snapshot, touching: Touch) -> tuple[str, ...]:
    """The letters that laws, gaps and velocities leave each contact, in alphabetical order."""
    if snapshot.laws is None:
        return touching.letters
    return tuple(letters_of(int(state), snapshot.laws.numbers(i)) for i, state in enumerate(touching.states))


def touch(
    snapshot: Snapshot,
    velocity_tolerance: ArrayLike = tolerances.VELOCITY,
    gap_tolerance: float = tolerances.GAP,
    normal_tolerance: ArrayLike | None = None,
) -> Touch:
    """Judge each contact of a snapshot by its gap and velocity.

    Parameters
    ----------
    snapshot
        The instant.
    velocity_tolerance
        `v0`, one number or one per contact (m/s): a slower contact counts as at rest and keeps all its
        letters.
    gap_tolerance
        A larger gap (m) is open.
    normal_tolerance
        The same for the normal velocity (m/s): a contact that rises faster leaves, one that approaches faster
        collides; None takes `velocity_tolerance`.

    Raises
    ------
    ImpactError
        When a closed contact approaches faster than its tolerance.

    """
    k = snapshot.contacts
    along = _thresholds("velocity_tolerance", velocity_tolerance, k)
    across = along if normal_tolerance is None else _thresholds("normal_tolerance", normal_tolerance, k)
    velocity, gap = snapshot.velocity.tolist(), snapshot.gap.tolist()
    free, slip = [False] * k, [0] * k
    for i in range(k):
        normal, tangent = velocity[2 * i], velocity[2 * i + 1]
        is_open = gap[i] > gap_tolerance
        if not is_open and normal < -across[i]:
            raise ImpactError(
                f"{_approaches(snapshot, i)} at {-normal:.6g} {units_of(snapshot.names.contacts[i])[1]} "
                f"(tolerance {across[i]:.3g}): an impact has no accelerations; apply an impact law first "
                "(timestepping), or raise normal_tolerance if this is noise"
            )
        free[i] = is_open or normal > across[i]
        slip[i] = 1 if tangent > along[i] else -1 if tangent < -along[i] else 0
        if snapshot.velocity_interval is not None:
            low, high = snapshot.velocity_interval[:, 2 * i + 1].tolist()
            slip[i] = _slip(low, high, along[i])
    if snapshot.laws is not None:
        _check_ways(snapshot, free, slip)
        for i, host in enumerate(snapshot.laws.host.tolist()):
            free[i] = free[host] if host >= 0 else free[i]
    moving = [
        max(abs(velocity[2 * i]) - across[i], abs(velocity[2 * i + 1]) - along[i]) > 0 for i in range(k)
    ]
    return Touch(np.array(free, bool), np.array(slip, np.int64), any(velocity) and not any(moving))


def _approaches(snapshot: Snapshot, i: int) -> str:
    name = snapshot.names.contacts[i]
    kind = kind_of(name, snapshot.laws, i)
    return f"{kind} {name!r} {'tightens' if kind == CABLE else 'approaches' if kind == CONTACT else 'is run into'}"


def _check_ways(snapshot: Snapshot, free: list[bool], slip: list[int]) -> None:
    """A contact that slides against its only way is being caught, which takes an impulse."""
    assert snapshot.laws is not None
    for i, way in enumerate(snapshot.laws.way.tolist()):
        if way and not free[i] and slip[i] == -way:
            raise ImpactError(
                f"contact {snapshot.names.contacts[i]!r} slides {'left' if way > 0 else 'right'} at "
                f"{abs(snapshot.velocity[2 * i + 1]):.6g} m/s, against its only way: it is caught by an impulse, which has "
                "no accelerations; apply an impact law first (timestepping), or raise velocity_tolerance if this is noise"
            )


def _slip(low: float, high: float, tolerance: float) -> int:
    """Which way a contact slides whose velocity lies in an interval."""
    if low > tolerance or high < -tolerance:
        return 1 if low > tolerance else -1
    return 0 if -tolerance <= low and high <= tolerance else SIGN_UNKNOWN


def _thresholds(name: str, given: ArrayLike, k: int) -> list[float]:
    """One threshold per contact, from one for all or one for each."""
    values = real_array(given, name, infinite=True)
    if values.ndim > 1 or values.size not in (1, k) or not np.all(values >= 0):
        raise ValueError(f"{name} is {shown(given)}; expected one number >= 0 or one per contact ({k})")
    return values.ravel().tolist() * (k if values.size == 1 else 1)


def changes(times: Iterable[float], modes: Iterable[Mode], digits: int) -> list[tuple[float, Mode]]:
    """(time, mode) wherever the mode is another than before.

    Parameters
    ----------
    times, modes
        One of each per step.
    digits
        To which times are rounded.
    """
    found: list[tuple[float, Mode]] = []
    for time, mode in zip(times, modes, strict=True):
        if not found or found[-1][1] != mode:
            found.append((round(float(time), digits), mode))
    return found


def codes(mode: str, contacts: int) -> np.ndarray:
    """The mode's letters as bytes, with checks of length and alphabet."""
    text = str(mode)
    if len(text) != contacts or any(letter not in LETTERS for letter in text):
        raise ValueError(
            f"mode {mode!r} is not a contact mode; expected {counted(contacts, 'letter')} out of S, L, R, F, "
            "one per contact in model order"
        )
    return np.frombuffer(text.encode(), np.uint8)


def spell(letters: np.ndarray) -> str:
    """The mode string of an array of letters (bytes)."""
    return bytes(letters).decode()
