"""Equations of motion as numbers: their arrays and energies at one state, compiled when they are first asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

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
