"""Whether a contact mode can happen, in exact rationals: the judge where numbers are too far apart for doubles.

    some (u, tau) with   A u = B tau + c,   G u >= E tau + e,   and every acceleration row of G positive at one of them

Every float is taken for the rational number that it is, so that an equality which holds but for rounding does not hold
here: the verdict counts only where it confirms what was found in doubles.
"""

from __future__ import annotations

import numpy as np

from modecontrol.modes.raw_system import StackedSystem
from modecontrol.polytopes.exact.program import ExactSet


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
