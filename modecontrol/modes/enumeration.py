"""Which contact modes the kinematics allow (section 3.6 of Greenfield 2005).

A mode is kinematically feasible when some acceleration `qdd` gives every contact what its letter says, with S, L, R
strict at rest: the faces of a hyperplane arrangement, found by a prefix search whose cost grows with their number.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from modecontrol import tolerances
from modecontrol.dynamics.snapshot import Snapshot, check_snapshot
from modecontrol.modes.explanation import kinematically_possible
from modecontrol.modes.letters import spell, touch
from modecontrol.modes.problem import Problem


def kinematic_modes(snapshot: Snapshot, velocity_tolerance: ArrayLike = tolerances.VELOCITY) -> list[str]:
    """All kinematically feasible contact modes, sorted.

    Parameters
    ----------
    snapshot
        The instant; forces, inputs and masses play no part (drift that is rounding beside the bias is no drift).
    velocity_tolerance
        `v0`, one number or one per contact (m/s): slower contacts count as at rest.

    Returns
    -------
    list of str
        One letter per contact in model order.

    """
    from modecontrol._kernels.search import search
    from modecontrol._kernels.table import kinematic_root

    check_snapshot(snapshot)
    touching = touch(snapshot, velocity_tolerance)
    root = kinematic_root(snapshot.mass, snapshot.bias, snapshot.actuation, snapshot.jacobian, snapshot.drift,
                          snapshot.loop_jacobian, snapshot.loop_drift)
    leaves = search(root, snapshot.friction, touching.free, touching.slip, touching.allowed, False)
    doubtful = {spell(leaves.letters[i]) for i in np.flatnonzero(leaves.doubtful)}
    if doubtful:
        problem = Problem.of(snapshot, velocity_tolerance=velocity_tolerance)
        doubtful = {mode for mode in doubtful if not kinematically_possible(problem, mode)}
    return sorted(set(map(spell, leaves.letters)) - doubtful)
