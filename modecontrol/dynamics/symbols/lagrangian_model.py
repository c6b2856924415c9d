"""A model from a user's own Lagrangian: `T`, `V` and contact maps as sympy expressions, no tree needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

import numpy as np

from modecontrol.dynamics.names import Names
from modecontrol.dynamics.protocol import PlanarModel, State
from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.dynamics.state import read_state
from modecontrol.dynamics.symbols.equations import Equations
from modecontrol.dynamics.symbols.lagrange_equations import lagrange_equations
from modecontrol.validation import as_mapping, did_you_mean, shown

FORCES = (
    "mass",
    "bias",
    "actuation",
    "contact_jacobian",
    "contact_drift",
    "gap",
    "friction",
    "loop_jacobian",
    "loop_drift",
    "loop",
)
"""Arrays that a snapshot needs."""


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
    limits, speeds
        (t, 2) boxes of the inputs, and stall torque and no-load speed of their speed-torque lines.
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
    limits: np.ndarray
    speeds: np.ndarray
    given: Mapping[str, Any] = field(repr=False)
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
        start: State = None,
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
        box = _pairs(
            {} if torque_limits is None else torque_limits,
            equations.inputs,
            "torque_limits",
            (-np.inf, np.inf),
        )
        if np.any(box[:, 0] > box[:, 1]):
            bad = equations.inputs[int(np.argmax(box[:, 0] > box[:, 1]))]
            raise ValueError(f"torque_limits of {bad!r}: lower exceeds upper; expected (lower, upper)")
        speeds = _pairs(
            {} if speed_torque is None else speed_torque, equations.inputs, "speed_torque", (np.inf, np.inf)
        )
        if np.any(speeds[:, 0] < 0) or np.any(speeds[:, 1] <= 0):
            raise ValueError(f"speed_torque is {speed_torque}; expected pairs with stall >= 0, no_load > 0")
        q = read_state({} if start is None else start, names, "start")
        for array in (box, speeds, q):
            array.setflags(write=False)
        for key, value in {
            "equations": equations,
            "limits": box,
            "speeds": speeds,
            "_start": q,
            "given": MappingProxyType(given),
        }.items():
            object.__setattr__(self, key, value)

    @property
    def name(self) -> str:
        """Name of the model."""
        return self.given["name"]

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
        return bool(np.any(np.isfinite(self.speeds[:, 0])))

    def with_parameters(self, **changes: float) -> LagrangianModel:
        """The same model with other parameters.

        Parameters
        ----------
        **changes
            New values by parameter name; the others stay.

        """
        _known(changes, tuple(self.parameters), f"model {self.name!r}", "parameter")
        return LagrangianModel(**{**self.given, "parameters": {**self.parameters, **changes}})

    @cached_property
    def _values(self) -> list[float]:
        return list(self.equations.values.values())

    @cached_property
    def _evaluator(self) -> Any:
        from modecontrol.dynamics.symbols.codegen import compile_arrays

        e = self.equations
        arrays = {name: getattr(e, name) for name in FORCES}
        return compile_arrays(arrays, e.coordinates, e.velocities, e.parameters)

    @cached_property
    def _energies(self) -> Any:
        from modecontrol.dynamics.symbols.codegen import compile_arrays

        e = self.equations
        return compile_arrays(
            {"T": e.kinetic_energy, "V": e.potential_energy}, e.coordinates, e.velocities, e.parameters
        )

    def snapshot(self, q: State, v: State = None) -> Snapshot:
        """`M, b, S, J, d, mu, xd, gap, G, e` and torque limits at one state.

        Parameters
        ----------
        q
            Configuration: one number per coordinate, or a dict by coordinate name (others zero).
        v
            Velocity, likewise; None means at rest.

        """
        q, v = self._state(q, v)
        found = self._evaluator(q, v, self._values)
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
            torque_limits=self._limits(S, v),
            q=q,
            v=v,
            loop_opening=found["loop"].ravel(),
            source=self,
        )

    def torque_limits(self, v: State, q: State = None) -> np.ndarray:
        """(t, 2): the box of each input within `abs(tau) <= stall (1 - abs(speed) / no_load)`, never below 0.

        Parameters
        ----------
        v
            Velocity.
        q
            Configuration, which counts only if the inputs' lever arms depend on it; None means `start`.

        """
        q, v = self._state(self.start if q is None else q, v)
        return self._limits(self._evaluator(q, v, self._values)["actuation"], v)

    def kinetic_energy(self, q: State, v: State) -> float:
        """`T(q, v)` (J).

        Parameters
        ----------
        q, v
            State.

        """
        return float(self._energies(*self._state(q, v), self._values)["T"])

    def potential_energy(self, q: State) -> float:
        """`V(q)` (J).

        Parameters
        ----------
        q
            Configuration.

        """
        return float(self._energies(*self._state(q, None), self._values)["V"])

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

    def explore(self, q: State = None, v: State = None, tau: Any = None, **options: Any) -> Any:
        """The model as a live page, without a drawing: a widget in a notebook, otherwise a page of this
        machine.

        Parameters
        ----------
        q, v, tau
            State and inputs to begin with; None takes zero and the best sure torque.
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

    def _state(self, q: State, v: State) -> tuple[np.ndarray, np.ndarray]:
        return (
            read_state(q, self.coordinates, "q"),
            np.zeros(len(self.coordinates)) if v is None else read_state(v, self.coordinates, "v"),
        )

    def _limits(self, S: np.ndarray, v: np.ndarray) -> np.ndarray:
        stall, no_load = self.speeds.T
        left = np.maximum(0.0, 1.0 - np.abs(S.T @ v) / no_load)
        bound = np.where(np.isinf(stall), np.inf, np.where(np.isinf(stall), 0.0, stall) * left)
        # A line that has dropped below the box leaves zero, not an empty set.
        return np.column_stack(
            (
                np.minimum(np.maximum(self.limits[:, 0], -bound), bound),
                np.maximum(np.minimum(self.limits[:, 1], bound), -bound),
            )
        )


def _pairs(
    given: Mapping[str, Any], inputs: tuple[str, ...], what: str, default: tuple[float, float]
) -> np.ndarray:
    given = as_mapping(given, what, "{'tau': (-1.0, 1.0)}")
    _known(given, inputs, what, "input")
    found = np.full((len(inputs), 2), default)
    for name, pair in given.items():
        try:
            found[inputs.index(name)] = np.array(pair, dtype=float).reshape(2)
        except (TypeError, ValueError):
            raise ValueError(f"{what} of {name!r} is {shown(pair)}; expected a pair of numbers") from None
    if np.isnan(found).any():
        raise ValueError(f"{what} holds NaN: {dict(given)}; expected numbers")
    return found


def _known(found: Iterable[str], expected: tuple[str, ...], where: str, what: str) -> None:
    for name in found:
        if name not in expected:
            raise ValueError(
                f"{where}: unknown {what} {name!r}{did_you_mean(name, expected)} "
                f"(expected: {', '.join(expected) or 'none'})"
            )
