"""The numbers of a tree of bodies at one instant, `q, v -> Snapshot`, its energies, and where its parts are.

All of them come from the recursions of the core over the tables of `Tree`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.dynamics.positions import ContactPoints, body_frames, contact_points
from modecontrol.dynamics.protocol import PlanarModel, State
from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.dynamics.snapshots import Snapshots
from modecontrol.dynamics.state import read_state, read_states
from modecontrol.dynamics.tree import Tree
from modecontrol.validation import check_count

if TYPE_CHECKING:
    from modecontrol.dynamics.friction_box import FrictionBox

INSTANT = (
    "mass",
    "bias",
    "jacobian",
    "drift",
    "velocity",
    "gap",
    "loop_jacobian",
    "loop_drift",
    "loop_opening",
    "torque_limits",
)
"""What the core computes at an instant, by the names of `Snapshot`."""


class Evaluated(PlanarModel):
    """What `Model` computes at one instant."""

    if TYPE_CHECKING:

        @property
        def tree(self) -> Tree:
            """Tables of numbers."""

        @property
        def friction_box(self) -> FrictionBox | None:
            """Coefficients of friction that are known as intervals."""

    @cached_property
    def _instant(self) -> Callable[..., tuple[np.ndarray, ...]]:
        """`(q, v) ->` read-only arrays in the order of `INSTANT`."""
        from modecontrol._core import dynamics as core

        return partial(core.snapshot, self.tree.core)

    def snapshot(self, q: State, v: State | None = None) -> Snapshot:
        """`M, b, S, J, d, mu, xd, gap, G, e` and torque limits at one state.

        Parameters
        ----------
        q
            Configuration: one number per coordinate, or a dict by coordinate name (others zero).
        v
            Velocity, likewise; None means at rest.
        """
        names = self.names
        q = read_state(q, names.coordinates, "q")
        v = np.zeros(len(q)) if v is None else read_state(v, names.coordinates, "v")
        q.setflags(write=False)
        v.setflags(write=False)
        found = Snapshot.trusted(
            **dict(zip(INSTANT, self._instant(q, v), strict=True)), **self._shared, q=q, v=v
        )
        return found if self.friction_box is None else found.with_friction(self.friction_box)

    def snapshots(self, Q: ArrayLike, V: ArrayLike | None = None, *, threads: int = 1) -> Snapshots:
        """The snapshots of many states in one call; `snapshots[i]` is that of state `i`.

        Parameters
        ----------
        Q
            Configurations, one per row (N, n).
        V
            Velocities (N, n); None means at rest.
        threads
            Threads to share the work between; the numbers do not depend on it.
        """
        from modecontrol._core import dynamics as core

        Q = read_states(Q, self.coordinates, "Q")
        V = np.zeros(Q.shape) if V is None else read_states(V, self.coordinates, "V")
        if len(V) != len(Q):
            raise ValueError(f"V has {len(V)} rows; expected {len(Q)}, one per row of Q")
        threads = check_count(threads, "threads", least=1)
        arrays = core.snapshots(self.tree.core, Q, V, threads)
        Q.setflags(write=False)
        V.setflags(write=False)
        return Snapshots({**dict(zip(INSTANT, arrays, strict=True)), "q": Q, "v": V}, self._shared)

    @cached_property
    def _shared(self) -> dict[str, Any]:
        """What all snapshots have in common."""
        tree = self.tree
        return {
            "actuation": tree.actuation,
            "friction": tree.friction,
            "stiffness": tree.stiffness,
            "laws": tree.laws,
            "names": self.names,
            "source": self,
        }

    @cached_property
    def limits_follow_speed(self) -> bool:
        """Whether some input has a speed-torque line, so that its limits change as the model moves."""
        return bool(np.any(np.isfinite(self.tree.inputs["stall"])))

    def torque_limits(self, v: State, q: State | None = None) -> np.ndarray:
        """(t, 2): the box of each input, within `abs(tau) <= stall (1 - abs(v) / no_load)`, never below zero.

        Parameters
        ----------
        v
            Velocity; the speed of the first coordinate of each input counts.
        q
            Configuration, on which the limits of a tree of bodies do not depend.
        """
        from modecontrol._core import dynamics as core

        return core.torque_box(self.tree.core, read_state(v, self.coordinates, "v"))

    def kinetic_energy(self, q: State, v: State) -> float:
        """`T = sum (m v_c^2 + I w^2) / 2` over the bodies (J).

        Parameters
        ----------
        q, v
            State.
        """
        return self._energies(q, v)[0]

    def potential_energy(self, q: State) -> float:
        """`V = -sum m g.c + sum k (q - rest)^2 / 2`: gravity (zero at the world's origin) and springs (J).

        Parameters
        ----------
        q
            Configuration.
        """
        _, weight, spring = self._energies(q, np.zeros(len(self.coordinates)))
        return weight + spring

    def _energies(self, q: State, v: State) -> tuple[float, float, float]:
        from modecontrol._core import dynamics as core

        return core.energies(
            self.tree.core, read_state(q, self.coordinates, "q"), read_state(v, self.coordinates, "v")
        )

    # Where things are -----------------------------------------------------------------------------

    def frames(self, q: State) -> np.ndarray:
        """(bodies, 3): x, y and angle of each body's frame in the world, in the order of `mechanism.bodies`.

        Parameters
        ----------
        q
            Configuration.
        """
        return body_frames(self.tree, read_state(q, self.coordinates, "q"))

    def contact_points(self, q: State) -> ContactPoints:
        """World position of each contact's material point `c - r n`, tangents `t`, normals `n` (k, 2) and
        gaps (k,).

        Parameters
        ----------
        q
            Configuration.
        """
        return contact_points(self.tree, read_state(q, self.coordinates, "q"))

    def loop_residual(self, q: State) -> np.ndarray:
        """Opening of every row of the loop closures (m, rad): zero where the loops are closed.

        A pin has two rows, `p_body - p_other` in world axes; `names.loop_rows` has the names of all.

        Parameters
        ----------
        q
            Configuration.
        """
        from modecontrol._core import dynamics as core

        return core.openings(self.tree.core, read_state(q, self.coordinates, "q"))

    def mass_scale(self, snapshot: Snapshot) -> float:
        """Total mass: what velocities (m/s) weigh in the metric of `settle`, where coordinates have no mass.

        Parameters
        ----------
        snapshot
            An instant of this model.
        """
        return self.tree.core.mass
