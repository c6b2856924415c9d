"""Whether a contact mode can happen, at all or at given inputs, in exact rationals: the judge where numbers are too far apart for
doubles.

    some (u, tau) with   A u = B tau + c,   G u >= E tau + e,   and every acceleration row of G positive at one of them

Every float is taken for the rational number that it is, so that an equality which holds but for rounding does not hold
here: the verdict counts only where it confirms what was found in doubles.
"""

from __future__ import annotations

import numpy as np

from modecontrol.modes.raw_system import StackedSystem
from modecontrol.polytopes.exact.program import ExactSet
from modecontrol.tolerances import PRESENT


def can_happen(system: StackedSystem) -> bool:
    """Whether the stacked system of a mode has a solution and each of its strict rows some room.

    Parameters
    ----------
    system
        The equations of one mode.
    """
    domain = ExactSet(np.hstack([-system.G, system.E]), -system.e, np.hstack([system.A, -system.B]), system.c)
    if domain.is_empty:
        return False
    rooms = (domain.room(int(i)) for i in np.flatnonzero(system.strict))
    return all(room is None or room > 0 for room in rooms)


def has_answer(system: StackedSystem, tau: np.ndarray, slack: float) -> bool:
    """Whether inputs have an answer when every row may be missed by so much, in parts of its largest coefficient.

    Parameters
    ----------
    system
        The equations of one mode.
    tau
        Inputs.
    slack
        In natural units.
    """
    rows = np.vstack([-system.G, system.A, -system.A])
    level, terms = system.B @ tau + system.c, np.abs(system.B) @ np.abs(tau) + np.abs(system.c)
    levels = np.concatenate([-(system.E @ tau + system.e), level, -level])
    felt = np.any(rows, axis=1)
    # rows that the motion cannot change, such as limits of the inputs, may be missed by that part of their own terms
    own = np.concatenate([np.abs(system.E) @ np.abs(tau) + np.abs(system.e), terms, terms])
    if np.any(levels[~felt] < -PRESENT * own[~felt]):
        return False
    loose = slack * np.abs(rows * system.units).max(axis=1, initial=0.0)
    return not ExactSet(rows[felt], (levels + loose)[felt]).is_empty
