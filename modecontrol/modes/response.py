"""`ModeResponse`: what the mechanism does in one contact mode (sections 3.4 and 3.5 of Greenfield 2005).

    qdd, f = g_c(tau, w)      affine, on the domain      D_c = {(tau, w) : A (tau, w) <= b, C (tau, w) = d}

`w` are the ambiguity variables: coordinates along an orthonormal basis of the null space of the mode's equations, in
unknowns measured by their natural units. Without ambiguity `w` has length zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from modecontrol import tolerances
from modecontrol.modes.constraints import Rows
from modecontrol.polytopes import Polytope, Region

if TYPE_CHECKING:
    from modecontrol.modes.problem import Problem
    from modecontrol.modes.system import StackedSystem
    from modecontrol.modes.uniqueness import Ambiguity


@dataclass(frozen=True, eq=False)
class Affine:
    """`value(tau, w) = constant + U tau + W w`, one row per name."""

    names: tuple[str, ...]
    constant: np.ndarray
    U: np.ndarray
    W: np.ndarray

    def value(self, tau: ArrayLike, w: ArrayLike | None = None) -> np.ndarray:
        """The rows at one `tau` and `w` (default zero), or at many (last axis runs over inputs and variables).

        Parameters
        ----------
        tau
            Inputs, shape (..., t).
        w
            Ambiguity variables, shape (..., number of them).

        """
        tau = np.asarray(tau, float)
        if tau.shape[-1:] != (self.U.shape[1],):
            raise ValueError(f"tau has shape {tau.shape}; expected {self.U.shape[1]} inputs")
        result = self.constant + tau @ self.U.T
        if w is not None:
            w = np.asarray(w, float)
            if w.shape[-1:] != (self.W.shape[1],):
                raise ValueError(f"w has shape {w.shape}; this mode has {self.W.shape[1]} ambiguity variables")
            result = result + w @ self.W.T
        return result

    def __getitem__(self, name: str) -> Affine:
        """One row by name."""
        if name not in self.names:
            raise KeyError(f"{name!r} is none of {', '.join(self.names)}")
        i = self.names.index(name)
        return Affine((name,), self.constant[i:i + 1], self.U[i:i + 1], self.W[i:i + 1])


@dataclass(frozen=True, eq=False)
class ModeResponse:
    """One mode's affine answer with its domain; made by `dynamic_response`.

    Attributes
    ----------
    mode
        Contact mode string.
    domain
        `D_c`, a minimal `Polytope` in `(tau, w)`; rows are labelled with their physical cause.
    torques
        `T_c`, the inputs that can produce the mode: the projection of `D_c`.
    acceleration, force
        Affine maps of `(tau, w)`, by coordinate name and by `contact.normal`, `contact.tangent`.
    constant, U, W
        The same maps in one piece: `(qdd, f) = constant + U tau + W w`, and the pin forces below them.
    problem
        The instant and its constraints.

    """

    mode: str
    domain: Polytope
    torques: Polytope
    constant: np.ndarray = field(repr=False)
    U: np.ndarray = field(repr=False)
    W: np.ndarray = field(repr=False)
    admissible: int
    """Number of independent torque directions that the mode's equations allow."""
    problem: Problem = field(repr=False)

    @property
    def ambiguity_variables(self) -> int:
        """Length of `w`."""
        return self.W.shape[1]

    @property
    def case(self) -> str:
        """Which of the four rank cases of section 3.4 the mode is."""
        ambiguous = self.ambiguity_variables > 0
        restricted = self.admissible < self.U.shape[1]
        return {(False, False): "unique", (True, False): "ambiguous", (False, True): "torque restricted",
                (True, True): "ambiguous, torque restricted"}[ambiguous, restricted]

    @cached_property
    def acceleration(self) -> Affine:
        """`qdd` as a function of `(tau, w)`."""
        names = self.problem.names
        return self._rows(names.coordinates, 0)

    @cached_property
    def force(self) -> Affine:
        """`f` as a function of `(tau, w)`."""
        names = self.problem.names
        labels = tuple(f"{contact}.{part}" for contact in names.contacts for part in ("normal", "tangent"))
        return self._rows(labels, len(names.coordinates))

    def _rows(self, names: Sequence[str], start: int) -> Affine:
        block = slice(start, start + len(names))
        return Affine(tuple(names), self.constant[block], self.U[block], self.W[block])

    @cached_property
    def system(self) -> StackedSystem:
        """The raw stacked equations of the mode, with their rank."""
        return self.problem.system(self.mode)

    @cached_property
    def ambiguity(self) -> Ambiguity:
        """Which accelerations and forces are not unique on the domain."""
        from modecontrol.modes.uniqueness import ambiguity_within

        return ambiguity_within(self)

    # Tasks -------------------------------------------------------------------------------------------------

    @cached_property
    def task_domain(self) -> Polytope:
        """`D_c` with the task constraints: where *some* `w` satisfies them."""
        A, b, equality, labels = self.substitute(self.problem.task)
        loose = ~equality
        task = Polytope(-A[loose], -b[loose], A[equality], b[equality],
                        labels=[label for label, e in zip(labels, equality, strict=True) if not e],
                        equality_labels=[label for label, e in zip(labels, equality, strict=True) if e])
        return self.domain.intersect(task)

    def task_torques(self, demand: str = "every") -> Region:
        """Inputs of this mode for which the task holds.

        Parameters
        ----------
        demand
            "some": for some `w` (the projection of the task domain). "every": whatever `w` turns out to be (`T_c` minus
            the projection of the part that violates the task): what a controller needs.

        """
        check_demand(demand)
        inputs = self.U.shape[1]
        if len(self.problem.task.p) == 0:
            return Region([self.torques], n=inputs)
        if demand == "some":
            shadow = self.task_domain.project(range(inputs))
            return Region([shadow], n=inputs)
        return _surely(self, inputs)

    def substitute(self, rows: Rows) -> tuple[np.ndarray, np.ndarray, np.ndarray, tuple[str, ...]]:
        """Constraint rows on `(qdd, f, tau)` as rows `A (tau, w) >= b` of this mode (Eq. (4) of the theory).

        Parameters
        ----------
        rows
            Constraint rows at the same instant.
        """
        inputs = self.U.shape[1]
        unknowns = rows.P.shape[1] - inputs
        on_u = rows.P[:, :unknowns]
        size = np.abs(on_u)
        # what cancels down to rounding is zero: a task that the mode meets by itself must not become a random row
        A = _clean(np.hstack([on_u @ self.U[:unknowns] + rows.P[:, unknowns:], on_u @ self.W[:unknowns]]),
                   np.hstack([size @ np.abs(self.U[:unknowns]) + np.abs(rows.P[:, unknowns:]), size @ np.abs(self.W[:unknowns])]))
        b = _clean(rows.p - on_u @ self.constant[:unknowns], np.abs(rows.p) + size @ np.abs(self.constant[:unknowns]))
        return A, b, rows.equality, rows.labels

    def __repr__(self) -> str:
        return (f"ModeResponse({self.mode!r}, {self.case}, {self.ambiguity_variables} ambiguity variables, "
                f"torques of dimension {self.torques.dimension})")


def _clean(values: np.ndarray, size: np.ndarray) -> np.ndarray:
    return np.where(np.abs(values) > tolerances.PIVOT * size, values, 0.0)


def check_demand(demand: str) -> None:
    """A task is asked of some `w` or of every `w`."""
    if demand not in ("some", "every"):
        raise ValueError(f"demand is {demand!r}; expected 'some' or 'every' (of the ambiguity variables w)")


def _surely(response: ModeResponse, inputs: int) -> Region:
    """`T_c` with the task for every `w`: rows free of `w` cut, rows with `w` take away the shadow of their violation."""
    A, b, equality, labels = response.substitute(response.problem.task)
    A = np.vstack([A, -A[equality]])
    b = np.concatenate([b, -b[equality]])
    labels = (*labels, *(label for label, e in zip(labels, equality, strict=True) if e))
    size = response.problem.size
    doubtful = np.abs(A[:, inputs:]).max(axis=1, initial=0.0) > 1e-12 * np.abs(A).max(axis=1, initial=1e-300)
    sure = response.torques.intersect(
        Polytope(-A[~doubtful, :inputs], -b[~doubtful], labels=[x for x, d in zip(labels, doubtful, strict=True) if not d]))
    region = Region([sure], n=inputs)
    for row, bound in zip(A[doubtful], b[doubtful], strict=True):
        slack = response.problem.strict * max(abs(bound), size * np.abs(row).max())
        violating = response.domain.intersect(Polytope(row[None, :], [bound - slack])).project(range(inputs))
        if not violating.is_empty:
            region = region.subtract(violating)
    return region
