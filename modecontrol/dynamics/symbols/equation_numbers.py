"""Equations of motion as numbers: their arrays and energies at one state, compiled when they are first asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from modecontrol.dynamics.symbols.codegen import Evaluator, compile_arrays
from modecontrol.dynamics.symbols.equations import Equations

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


class EnergyBalance(NamedTuple):
    """With `T = T2 + T1 + T0` by degree in the velocities, `d/dt (T2 + V - T0) = power + v (S tau + J^T f + G^T lam)`."""

    kinetic: float
    """`T2` (J)."""
    potential: float
    """`V - T0` (J)."""
    power: float
    """Of the other generalised forces `Q` (W)."""


@dataclass(frozen=True, eq=False)
class EquationNumbers:
    """Equations with the values of their parameters.

    Parameters
    ----------
    equations
        In symbols, with a value for each parameter.
    """

    equations: Equations

    @cached_property
    def _values(self) -> list[float]:
        return list(self.equations.values.values())

    @cached_property
    def _forces(self) -> Evaluator:
        e = self.equations
        arrays = {name: getattr(e, name) for name in FORCES}
        return compile_arrays(arrays, e.coordinates, e.velocities, e.parameters)

    @cached_property
    def _energies(self) -> Evaluator:
        e = self.equations
        energies = {"T": e.kinetic_energy, "V": e.potential_energy}
        return compile_arrays(energies, e.coordinates, e.velocities, e.parameters)

    @cached_property
    def _balance(self) -> Evaluator:
        import sympy as sp

        e = self.equations
        v = sp.Matrix(e.velocities)
        terms = {
            "kinetic": (v.T * e.mass * v)[0] / 2,
            "potential": e.potential_energy - e.kinetic_energy.subs(dict.fromkeys(e.velocities, 0)),
            "power": (e.passive.T * v)[0],
        }
        return compile_arrays(terms, e.coordinates, e.velocities, e.parameters)

    def forces(self, q: np.ndarray, v: np.ndarray) -> dict[str, np.ndarray]:
        """The arrays of a snapshot, by the names in `FORCES`.

        Parameters
        ----------
        q, v
            State.
        """
        return self._forces(q, v, self._values)

    def energies(self, q: np.ndarray, v: np.ndarray) -> tuple[float, float]:
        """Kinetic and potential energy (J).

        Parameters
        ----------
        q, v
            State.
        """
        found = self._energies(q, v, self._values)
        return float(found["T"]), float(found["V"])

    def balance(self, q: np.ndarray, v: np.ndarray) -> EnergyBalance:
        """The energies whose sum is kept where no force acts, and the power of the other forces.

        Parameters
        ----------
        q, v
            State.
        """
        return EnergyBalance(
            **{name: float(value) for name, value in self._balance(q, v, self._values).items()}
        )
