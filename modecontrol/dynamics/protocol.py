"""`PlanarModel`: what every model offers, whether it is a tree of bodies or a Lagrangian.

The rooms above ask for nothing else. A model with a tree of bodies has it in `tree`, with which the compiled
core works; for others it is None, and the same is computed from snapshots. What follows from the rest (names,
nearest states) stands here, for models that derive from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.dynamics.admissible import Settled, nearest_state
from modecontrol.dynamics.settled_velocity import settled_velocity

if TYPE_CHECKING:
    from modecontrol.dynamics.names import Names
    from modecontrol.dynamics.snapshot import Snapshot
    from modecontrol.dynamics.tree import Tree

State = ArrayLike | Mapping[str, float]
"""A sequence with one number per coordinate, or a mapping from coordinate names to numbers (others zero)."""


@runtime_checkable
class PlanarModel(Protocol):
    """`M(q) qdd + b(q, v) = S tau + J(q)^T f + G(q)^T lam` with names for everything."""

    @property
    def name(self) -> str:
        """Name of the mechanism."""

    @property
    def names(self) -> Names:
        """Names of coordinates, inputs, contacts and pins."""

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the generalised coordinates, in order."""
        return self.names.coordinates

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs, in order."""
        return self.names.inputs

    @property
    def contacts(self) -> tuple[str, ...]:
        """Names of the contacts, in the order of the letters of a mode."""
        return self.names.contacts

    @property
    def parameters(self) -> Mapping[str, float]:
        """Values of the parameters."""

    @property
    def start(self) -> np.ndarray:
        """A sensible configuration to look at first (n,)."""

    @property
    def start_velocity(self) -> np.ndarray:
        """The velocity that goes with `start` (n,)."""

    @property
    def assumed(self) -> tuple[str, ...]:
        """Contact modes that a blind controller assumes one after the other; none for most models."""
        return ()

    @property
    def tree(self) -> Tree | None:
        """The tree of bodies in numbers; None for a model that is no tree."""

    @property
    def limits_follow_speed(self) -> bool:
        """Whether some input has a speed-torque line, so that its limits change as the model moves."""

    def with_parameters(self, **changes: float) -> PlanarModel:
        """The same model with other parameters.

        Parameters
        ----------
        **changes
            New values by parameter name; the others stay.
        """

    def snapshot(self, q: State, v: State | None = None) -> Snapshot:
        """`M, b, S, J, d, mu, xd, gap, G, e` and torque limits at one state.

        Parameters
        ----------
        q, v
            State; None for `v` means at rest.
        """

    def torque_limits(self, v: State, q: State | None = None) -> np.ndarray:
        """(t, 2): the box of each input at this speed; `q` counts where lever arms depend on it.

        Parameters
        ----------
        v, q
            State; None for `q` means `start`.
        """

    def kinetic_energy(self, q: State, v: State) -> float:
        """Kinetic energy (J).

        Parameters
        ----------
        q, v
            State.
        """

    def potential_energy(self, q: State) -> float:
        """Potential energy (J).

        Parameters
        ----------
        q
            Configuration.
        """

    def mass_scale(self, snapshot: Snapshot) -> float:
        """The mass that velocities of contacts weigh in the metric of `settle_velocity`.

        Parameters
        ----------
        snapshot
            An instant of this model.
        """

    def settle(self, q: State, v: State | None = None, *, closed: Iterable[str] = ()) -> Settled:
        """The nearest state that can be: nothing inside anything else, loops closed and staying closed.

        Newton steps, each the least change in the metric of `settle_velocity`; then the nearest velocity at
        which loops do not open and touching contacts do not approach. What is inside something ends up
        touching it.

        Parameters
        ----------
        q, v
            The state to begin with; None for `v` means at rest.
        closed
            Names of contacts that shall touch (gap and normal velocity zero) in any case.

        Returns
        -------
        Settled
            `(q, v)`.

        Raises
        ------
        ImpossibleStateError
            No such state was found.
        """
        return nearest_state(self, q, v, closed)

    def settle_velocity(
        self, q: State, v: State, *, zero_normal: Iterable[str] = (), zero_tangential: Iterable[str] = ()
    ) -> np.ndarray:
        """`argmin (v' - v)^T W (v' - v)` with the chosen rows of `J v'`, and `G v'`, zero.

        A contact that a threshold treats as resting should really rest, or its `Jdot v` invents forces. The
        metric is kinetic energy, `W = M + 1e-6 diag(m r_i^2 + M_ii)`, with the mass `m` of `mass_scale` and the speed
        `r_i` that a unit velocity of coordinate `i` gives the contacts: what has mass keeps its momentum as
        nearly as it can, massless links give way first, and the result does not depend on units. Redundant
        rows do no harm.

        Parameters
        ----------
        q, v
            State.
        zero_normal, zero_tangential
            Names of the contacts whose normal and tangential velocities shall vanish.
        """
        return settled_velocity(self, q, v, zero_normal, zero_tangential)
