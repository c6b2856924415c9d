"""A model from a user's own Lagrangian: `T`, `V` and contact maps as sympy expressions, no tree needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

import numpy as np

from modecontrol.dynamics.names import Names
from modecontrol.dynamics.protocol import PlanarModel, State
from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.dynamics.state import read_state
from modecontrol.dynamics.symbols.equation_numbers import EnergyBalance, EquationNumbers
from modecontrol.dynamics.symbols.equations import Equations
from modecontrol.dynamics.symbols.input_limits import InputLimits, known, read_limits
from modecontrol.dynamics.symbols.lagrange_equations import lagrange_equations


@dataclass(frozen=True, eq=False, repr=False, init=False)
class LagrangianModel(PlanarModel):
    """`d/dt dT/dv - dT/dq + dV/dq = S tau + J^T f + G^T lam + Q`, a `PlanarModel` without a tree of bodies.

    Parameters
    ----------
    coordinates
        Names, sympy symbols, or functions of time (`sympy.physics.mechanics.dynamicsymbols`).
    T
        Kinetic energy: quadratic in the velocities (terms of lower degree are allowed).
    V
        Potential energy, a function of the coordinates.
    velocities
        Symbols of the velocities in `T`, one per coordinate. By default they are called `xdot` for `x`,
        `thetadot` for `theta`, `phidot1` for `phi1`; for functions of time they are the time derivatives.
    contacts
        `{name: (normal, tangential, mu)}`. `normal` is the gap as a function of the coordinates; `tangential`
        the position along the surface or, if it contains velocities, the sliding velocity itself (linear in
        them).
    inputs
        `{name: force}`, the generalised force of a unit input: a coordinate, a dict `{coordinate: gain}`, or
        a sequence with one expression per coordinate. `S` may depend on the coordinates.
    loops
        `{name: (x, y)}`: expressions that must stay zero, two per loop.
    forces
        `Q`, other generalised forces (dampers, drag, say): a dict by coordinate or a sequence.
    parameters
        `{name or symbol: value}` for every other symbol that occurs.
    torque_limits
        `{input: (lower, upper)}`; inputs not named are unlimited.
    speed_torque
        `{input: (stall, no_load)}`: `abs(tau) <= stall (1 - abs(speed) / no_load)`, never below zero, with
        the speed `S_i^T v` at which the input does work.
    start
        A sensible configuration to look at first; zero by default.
    name
        Name of the model.

    Attributes
    ----------
    equations
        The symbolic equations.
    given
        The arguments, to make the model again with other parameters.

    Examples
    --------
    >>> import sympy as sp
    >>> m, l, g, theta, thetadot = sp.symbols("m l g theta thetadot")
    >>> model = LagrangianModel([theta], T=m * l**2 * thetadot**2 / 2, V=-m * g * l * sp.cos(theta),
    ...                         inputs={"tau": theta}, parameters={"m": 1.0, "l": 0.5, "g": 9.81})
    >>> model.equations.gravity
    Matrix([[g*l*m*sin(theta)]])
    >>> model.snapshot({"theta": 0.0}).mass
    array([[0.25]])

    """

    equations: Equations
    given: Mapping[str, Any] = field(repr=False)
    _numbers: EquationNumbers
    _limits: InputLimits
    _start: np.ndarray

    def __init__(
        self,
        coordinates: Sequence[Any],
        T: Any,
        V: Any = 0,
        *,
        velocities: Sequence[Any] | None = None,
        contacts: Mapping[str, Any] | None = None,
        inputs: Mapping[str, Any] | None = None,
        loops: Mapping[str, Any] | None = None,
        forces: Any = None,
        parameters: Mapping[Any, float] | None = None,
        torque_limits: Mapping[str, tuple[float, float]] | None = None,
        speed_torque: Mapping[str, tuple[float, float]] | None = None,
        start: State | None = None,
        name: str = "lagrangian",
    ) -> None:
        given = {
            "coordinates": coordinates,
            "T": T,
            "V": V,
            "velocities": velocities,
            "contacts": contacts,
            "inputs": inputs,
            "loops": loops,
            "forces": forces,
            "parameters": parameters,
            "torque_limits": torque_limits,
            "speed_torque": speed_torque,
            "start": start,
            "name": name,
        }
        equations = lagrange_equations(
            name,
            coordinates,
            T,
            V,
            velocities=velocities,
            contacts={} if contacts is None else contacts,
            inputs={} if inputs is None else inputs,
            loops={} if loops is None else loops,
            forces=forces,
            parameters={} if parameters is None else parameters,
        )
        names = tuple(symbol.name for symbol in equations.coordinates)
        limits = read_limits(equations.inputs, torque_limits, speed_torque)
        q = read_state({} if start is None else start, names, "start")
        q.setflags(write=False)
        for key, value in {
            "equations": equations,
            "_numbers": EquationNumbers(equations),
            "_limits": limits,
            "_start": q,
            "given": MappingProxyType(given),
        }.items():
            object.__setattr__(self, key, value)

    @property
    def name(self) -> str:
        """Name of the model."""
        return self.given["name"]

    @property
    def limits(self) -> np.ndarray:
        """Lower and upper limit of each input (t, 2)."""
        return self._limits.box

    @property
    def speeds(self) -> np.ndarray:
        """Stall torque and no-load speed of each input (t, 2), infinite where there is no speed-torque line."""
        return self._limits.lines

    @property
    def start(self) -> np.ndarray:
        """A sensible configuration to look at first (n,)."""
        return self._start

    @cached_property
    def names(self) -> Names:
        """Names of coordinates, inputs, contacts and loops."""
        e = self.equations
        return Names(tuple(symbol.name for symbol in e.coordinates), e.inputs, e.contacts, e.pins)

    @cached_property
    def parameters(self) -> Mapping[str, float]:
        """Values of the parameters."""
        return MappingProxyType({symbol.name: value for symbol, value in self.equations.values.items()})

    @property
    def start_velocity(self) -> np.ndarray:
        """The velocity that goes with `start`: rest."""
        return np.zeros(len(self.start))

    @property
    def tree(self) -> None:
        """None: a Lagrangian is no tree of bodies."""
        return None

    @property
    def limits_follow_speed(self) -> bool:
        """Whether some input has a speed-torque line, so that its limits change as the model moves."""
        return self._limits.follow_speed

    def with_parameters(self, **changes: float) -> LagrangianModel:
        """The same model with other parameters.

        Parameters
        ----------
        **changes
            New values by parameter name; the others stay.

        """
        known(changes, tuple(self.parameters), f"model {self.name!r}", "parameter")
        return LagrangianModel(**{**self.given, "parameters": {**self.parameters, **changes}})

    def snapshot(self, q: State, v: State | None = None) -> Snapshot:
        """`M, b, S, J, d, mu, xd, gap, G, e` and torque limits at one state.

        Parameters
        ----------
        q
            Configuration: one number per coordinate, or a dict by coordinate name (others zero).
        v
            Velocity, likewise; None means at rest.

        """
        q, v = self._state(q, v)
        found = self._numbers.forces(q, v)
        J, S = found["contact_jacobian"], found["actuation"]
        return Snapshot(
            mass=found["mass"],
            bias=found["bias"],
            actuation=S,
            jacobian=J,
            drift=found["contact_drift"],
            friction=found["friction"],
            velocity=J @ v,
            gap=found["gap"],
            names=self.names,
            loop_jacobian=found["loop_jacobian"],
            loop_drift=found["loop_drift"],
            torque_limits=self._limits.at(S.T @ v),
            q=q,
            v=v,
            loop_opening=found["loop"].ravel(),
            source=self,
        )

    def torque_limits(self, v: State, q: State | None = None) -> np.ndarray:
        """(t, 2): the box of each input within `abs(tau) <= stall (1 - abs(speed) / no_load)`, never below 0.

        Parameters
        ----------
        v
            Velocity.
        q
            Configuration, which counts only if the inputs' lever arms depend on it; None means `start`.

        """
        q, v = self._state(self.start if q is None else q, v)
        return self._limits.at(self._numbers.forces(q, v)["actuation"].T @ v)

    def kinetic_energy(self, q: State, v: State) -> float:
        """`T(q, v)` (J).

        Parameters
        ----------
        q, v
            State.

        """
        return self._numbers.energies(*self._state(q, v))[0]

    def potential_energy(self, q: State) -> float:
        """`V(q)` (J).

        Parameters
        ----------
        q
            Configuration.

        """
        return self._numbers.energies(*self._state(q, None))[1]

    def energy_balance(self, q: State, v: State) -> EnergyBalance:
        """The energies whose sum is kept where no force acts (Jacobi's integral), and the power of `forces`.

        Parameters
        ----------
        q, v
            State.

        """
        return self._numbers.balance(*self._state(q, v))

    def mass_scale(self, snapshot: Snapshot) -> float:
        """The largest `M_ii / r_i^2`, `r_i` the speed that a unit velocity of coordinate `i` gives contacts
        and loops.

        Parameters
        ----------
        snapshot
            An instant of this model.

        """
        rows = np.vstack((snapshot.jacobian, snapshot.loop_jacobian))
        reach = np.abs(rows).max(axis=0, initial=0.0) ** 2
        return float(np.max(np.diag(snapshot.mass)[reach > 0] / reach[reach > 0], initial=0.0))

    def explore(self, q: State | None = None, v: State | None = None, tau: Any = None, **options: Any) -> Any:
        """The model as a live page, without a drawing: a widget in a notebook, otherwise a page of this
        machine.

        Parameters
        ----------
        q, v, tau
            State and inputs to begin with; None takes zero and the best guaranteed torque.
        **options
            As in `modecontrol.page.explore_model`: `port`, `browser`, and arguments of `dynamic_response`.
        """
        from modecontrol.page import explore_model

        return explore_model(self, q, v, tau, **options)

    def __repr__(self) -> str:
        return (
            f"LagrangianModel({self.name!r}: coordinates {', '.join(self.coordinates)}; "
            f"inputs {', '.join(self.inputs) or 'none'}; contacts {', '.join(self.contacts) or 'none'})"
        )

    def __reduce__(self) -> tuple[Any, tuple[()]]:
        return partial(LagrangianModel, **self.given), ()

    def _state(self, q: State, v: State | None) -> tuple[np.ndarray, np.ndarray]:
        return (
            read_state(q, self.coordinates, "q"),
            np.zeros(len(self.coordinates)) if v is None else read_state(v, self.coordinates, "v"),
        )
