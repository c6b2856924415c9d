"""Which contact modes the kinematics allow (section 3.6 of Greenfield 2005).

A mode is kinematically feasible when some acceleration `qdd` gives every contact what its letter says, with
S, L, R strict at rest: the faces of a hyperplane arrangement, found by a prefix search whose cost grows with
their number.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from modecontrol import tolerances
from modecontrol.dynamics import admissible
from modecontrol.dynamics.snapshot import Snapshot, check_snapshot
from modecontrol.modes.constraints import Rows
from modecontrol.modes.explanation import kinematically_possible
from modecontrol.modes.letters import spell, touch
from modecontrol.modes.packed import Leaves
from modecontrol.modes.problem import Problem, instant
from modecontrol.modes.settling import settled


def kinematic_modes(
    snapshot: Snapshot,
    *,
    velocity_tolerance: ArrayLike = tolerances.VELOCITY,
    normal_tolerance: ArrayLike | None = None,
    check_state: bool | float = True,
) -> list[str]:
    """All kinematically feasible contact modes, sorted.

    Parameters
    ----------
    snapshot
        The instant; forces, inputs and masses play no part (drift that is rounding beside the bias is no
        drift).
    velocity_tolerance
        `v0`, one number or one per contact (m/s): slower contacts count as at rest.
    normal_tolerance
        The same for the normal velocity; None takes `velocity_tolerance`.
    check_state
        Whether an impossible state is refused, as in `dynamic_response`.

    Returns
    -------
    list of str
        One letter per contact in model order.

    """
    from modecontrol._core import modes as core

    check_snapshot(snapshot)
    admissible.check_state(snapshot, check_state)
    touching = touch(snapshot, velocity_tolerance, normal_tolerance=normal_tolerance)
    snapshot = settled(snapshot, touching)
    nothing = Rows.none(snapshot.actuation.shape[1] + snapshot.mass.shape[0] + 2 * snapshot.contacts)
    leaves = Leaves(*core.list_modes(core.kinematic_root(instant(snapshot, touching, nothing))))
    doubtful = {spell(leaves.letters[i]) for i in np.flatnonzero(leaves.doubtful)}
    if doubtful:
        problem = Problem.of(
            snapshot, velocity_tolerance=velocity_tolerance, normal_tolerance=normal_tolerance
        )
        doubtful = {mode for mode in doubtful if not kinematically_possible(problem, mode)}
    return sorted(set(map(spell, leaves.letters)) - doubtful)
