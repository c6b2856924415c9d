"""`PlanarModel`: what every model offers, whether it is a tree of bodies or a Lagrangian.

The rooms above ask for nothing else. A model with a tree of bodies has it in `tree`, with which the compiled
core works; for others it is None, and the same is computed from snapshots.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    from modecontrol.dynamics.admissible import Settled
    from modecontrol.dynamics.snapshot import Names, Snapshot
    from modecontrol.dynamics.tree import Tree

State = Any
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

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs, in order."""

    @property
    def contacts(self) -> tuple[str, ...]:
        """Names of the contacts, in the order of the letters of a mode."""

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

    def snapshot(self, q: State, v: State = None) -> Snapshot:
        """`M, b, S, J, d, mu, xd, gap, G, e` and torque limits at one state.

        Parameters
        ----------
        q, v
            State; None for `v` means at rest.
        """

    def torque_limits(self, v: State, q: State = None) -> np.ndarray:
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

    def settle(self, q: State, v: State = None, *, closed: Iterable[str] = ()) -> Settled:
        """The nearest state that can be.

        Parameters
        ----------
        q, v
            The state to begin with.
        closed
            Names of contacts that shall touch in any case.
        """

    def settle_velocity(
        self, q: State, v: State, *, zero_normal: Iterable[str] = (), zero_tangential: Iterable[str] = ()
    ) -> np.ndarray:
        """The nearest velocity at which the chosen velocities of contacts vanish.

        Parameters
        ----------
        q, v
            State.
        zero_normal, zero_tangential
            Names of the contacts whose normal and tangential velocities shall vanish.
        """
