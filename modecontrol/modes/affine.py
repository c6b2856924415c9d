"""`constant + U tau + W w`: quantities of one mode as affine functions of the inputs and the ambiguity variables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.validation import counted


@dataclass(frozen=True, eq=False)
class Affine:
    """`value(tau, w) = constant + U tau + W w`, one row per name."""

    names: tuple[str, ...]
    constant: np.ndarray
    U: np.ndarray
    W: np.ndarray

    def value(self, tau: ArrayLike, w: ArrayLike | None = None) -> np.ndarray:
        """The rows at one `tau` and `w` (default zero), or at many (last axis runs over inputs and
        variables).

        Parameters
        ----------
        tau
            Inputs, shape (..., t).
        w
            Ambiguity variables, shape (..., number of them).

        """
        tau = np.asarray(tau, float)
        if tau.shape[-1:] != (self.U.shape[1],):
            raise ValueError(f"tau has shape {tau.shape}; expected {counted(self.U.shape[1], 'input')}")
        result = self.constant + tau @ self.U.T
        if w is not None:
            w = np.asarray(w, float)
            if w.shape[-1:] != (self.W.shape[1],):
                raise ValueError(
                    f"w has shape {w.shape}; this mode has {self.W.shape[1]} ambiguity variables"
                )
            result = result + w @ self.W.T
        return result

    def __repr__(self) -> str:
        inputs, variables = counted(self.U.shape[1], "input"), counted(self.W.shape[1], "ambiguity variable")
        return f"Affine({', '.join(self.names)} of {inputs}, {variables})"

    def __getitem__(self, name: str) -> Affine:
        """One row by name."""
        if name not in self.names:
            raise KeyError(f"{name!r} is none of {', '.join(self.names)}")
        i = self.names.index(name)
        return Affine((name,), self.constant[i : i + 1], self.U[i : i + 1], self.W[i : i + 1])
