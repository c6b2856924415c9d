"""`ModeResponse`: what the mechanism does in one contact mode (sections 3.4 and 3.5 of Greenfield 2005).

    qdd, f = g_c(tau, w)      affine, on the domain      D_c = {(tau, w) : A (tau, w) <= b, C (tau, w) = d}

`w` are the ambiguity variables: coordinates along an orthonormal basis of the null space of the mode's
equations, in unknowns measured by their natural units. Without ambiguity `w` has length zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol import tolerances
from modecontrol.errors import UncheckedError
from modecontrol.modes.affine import Affine
from modecontrol.modes.constraints import Rows
from modecontrol.modes.exact_modes import has_answer
from modecontrol.modes.tasks import check_demand, substituted, sure_task_torques
from modecontrol.polytopes import Polytope, Region
from modecontrol.validation import as_vector, counted, real_array

if TYPE_CHECKING:
    from modecontrol.dynamics.protocol import PlanarModel
    from modecontrol.modes.facet_gradients import FacetGradients
    from modecontrol.modes.problem import Problem
    from modecontrol.modes.raw_system import StackedSystem
    from modecontrol.modes.within_mode import Ambiguity


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
        `T_c`, the inputs that can produce the mode: the projection of `D_c`. Where the core did not project,
        it is computed when asked for; where no method can, asking raises `UncheckedError` and `reason` says
        why, while `allows` still answers.
    acceleration, force
        Affine maps of `(tau, w)`, by coordinate name and by `contact.normal`, `contact.tangent`.
    constant, U, W
        The same maps in one piece: `(qdd, f) = constant + U tau + W w`, and the pin forces below them.
    problem
        The instant and its constraints.

    """

    mode: str
    domain: Polytope
    _torques: Polytope | None = field(repr=False)
    constant: np.ndarray = field(repr=False)
    U: np.ndarray = field(repr=False)
    W: np.ndarray = field(repr=False)
    admissible: int
    """Number of independent torque directions that the mode's equations allow."""
    problem: Problem = field(repr=False)
    thin: bool = field(default=False, repr=False)
    """Whether the domain passes for flat and has a thickness: up to that, rounding decides where it lies."""

    @property
    def ambiguity_variables(self) -> int:
        """Length of `w`."""
        return self.W.shape[1]

    @property
    def rank_case(self) -> int:
        """Which of the four cases of section 3.4 of Greenfield 2005 the stacked equations `A (qdd, f) = B tau
        + c` are.

        1: full rank; 2: columns dependent; 3: rows dependent; 4: both. Dependent rows need not restrict the
        inputs (two-link FFF is case 4): what follows for the answer is `case`.
        """
        rows, columns = self.system.A.shape
        return 1 + (self.system.rank < columns) + 2 * (self.system.rank < rows)

    @property
    def case(self) -> str:
        """What the inputs leave open, and whether the equations restrict them: "unique", "ambiguous", "torque
        restricted" or "ambiguous, torque restricted". `rank_case` is the number that the paper gives.
        """
        ambiguous = self.ambiguity_variables > 0
        restricted = self.admissible < self.U.shape[1]
        return {
            (False, False): "unique",
            (True, False): "ambiguous",
            (False, True): "torque restricted",
            (True, True): "ambiguous, torque restricted",
        }[ambiguous, restricted]

    @cached_property
    def _admissible(self) -> tuple[np.ndarray, np.ndarray]:
        root = self.problem.root
        return self.system.admissible_inputs(root.units[root.layout.tau :], self.admissible)

    @property
    def Ap(self) -> np.ndarray:
        """Directions of the inputs that the equations of the mode admit, `tau = Ap tau_p + bp` (Eq. (31) of
        Greenfield 2005).
        """
        return self._admissible[0]

    @property
    def bp(self) -> np.ndarray:
        """Inputs that the equations of the mode admit: those of least size in natural units, see `Ap`."""
        return self._admissible[1]

    @cached_property
    def _projection(self) -> tuple[Polytope | None, str, dict[str, Any]]:
        """`T_c`, or why there is none and the problem that no method could solve."""
        if self._torques is not None:
            return self._torques, "", {}
        try:
            return self.domain.project(range(self.U.shape[1])), "", {}
        except UncheckedError as error:
            return (
                None,
                f"the domain of {self.mode} could not be projected on the inputs: {error}",
                error.data,
            )

    @property
    def torques(self) -> Polytope:
        """`T_c`, the inputs that can produce the mode."""
        found, reason, data = self._projection
        if found is None:
            raise UncheckedError(reason, **data)
        return found

    @property
    def known_torques(self) -> Polytope | None:
        """`T_c` where it is known without further work; None where `torques` has to project first."""
        return self._torques

    @property
    def reason(self) -> str:
        """Why there is no torque set; empty when there is one."""
        return self._projection[1]

    def allows(self, tau: ArrayLike) -> bool:
        """Whether `tau` can produce this mode: by its torque set, or by a linear program over `w` where that
        is not known.

        Parameters
        ----------
        tau
            Inputs.

        """
        x, D, inputs = as_vector(tau, self.problem.names.inputs, "tau"), self.domain, self.U.shape[1]
        sizes = self.problem.input_sizes
        if self._torques is not None:
            return self._has_answer(x) if self.is_steep else bool(hold(self._torques, x, sizes))
        felt, tied = np.any(D.A[:, inputs:], axis=1), np.any(D.C[:, inputs:], axis=1)
        if not hold(Polytope(D.A[~felt, :inputs], D.b[~felt], D.C[~tied, :inputs], D.d[~tied]), x, sizes):
            return False
        slack = tolerances.FEASIBLE * (np.abs(D.b) + np.abs(D.A[:, :inputs]) @ (np.abs(x) + sizes))
        w = self.fibre(x)
        return not Polytope(w.A[felt], (w.b + slack)[felt], w.C[tied], w.d[tied]).is_empty

    def allows_each(self, inputs: np.ndarray) -> np.ndarray:
        """`allows` for many inputs at once.

        Parameters
        ----------
        inputs
            One set of inputs per row.

        """
        points, names = real_array(inputs, "inputs", 2), self.problem.names.inputs
        if points.shape[1] != len(names):
            raise ValueError(
                f"inputs has shape {points.shape}; expected rows of {counted(len(names), 'number')} ({', '.join(names)})"
            )
        if self._torques is None or self.is_steep:
            return np.array([self.allows(tau) for tau in points], dtype=bool)
        return hold(self._torques, points, self.problem.input_sizes)

    @cached_property
    def is_steep(self) -> bool:
        """Whether inputs that differ by rounding alone make the mode move otherwise, open another range of `w` or make another
        mode of it: its equations are all but singular (`tolerances.STEEP`), or its domain is thin. Nothing is promised of it.
        """
        if self.thin:
            return True
        snapshot, root, sizes = self.problem.snapshot, self.problem.root, self.problem.input_sizes
        n, forces, inputs = len(snapshot.mass), 2 * snapshot.contacts, len(sizes)
        units = root.units
        rates = (snapshot.mass @ self.U[:n]) * units[:n, None]
        felt = np.vstack([rates, self.U[n : n + forces] / units[n : n + forces, None]]) * sizes / root.size
        if np.abs(felt).max(initial=0.0) > tolerances.STEEP:
            return True
        rows = np.vstack([self.domain.A, self.domain.C])
        on_inputs = np.abs(rows[:, :inputs] * sizes).max(axis=1, initial=0.0)
        on_w = (
            np.abs(rows[:, inputs:]).max(axis=1, initial=0.0) * root.size
        )  # any basis of `w` says much the same
        return bool(np.any((on_w > 0.0) & (on_w * tolerances.STEEP < on_inputs)))

    def _has_answer(self, tau: np.ndarray) -> bool:
        """Whether inputs have an answer in a mode that is all but singular, to `tolerances.PRESENT`: near its torque set exact
        rationals decide, since rounding moves a set that is thin.
        """
        if not hold(self.torques, tau, self.problem.input_sizes, tolerances.PRESENT):
            return False
        return has_answer(self.system, tau, tolerances.PRESENT * self.problem.size)

    def fibre(self, tau: np.ndarray) -> Polytope:
        """`{w : (tau, w) in D_c}`.

        Parameters
        ----------
        tau
            Inputs.

        """
        tau = as_vector(tau, self.problem.names.inputs, "tau")
        D, inputs = self.domain, len(tau)
        return Polytope(
            D.A[:, inputs:], D.b - D.A[:, :inputs] @ tau, D.C[:, inputs:], D.d - D.C[:, :inputs] @ tau
        )

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
        from modecontrol.modes.within_mode import ambiguity_within

        return ambiguity_within(self)

    @cached_property
    def sure_torques(self) -> Polytope:
        """Inputs that can produce the mode whatever the friction in its intervals is; `torques` when it is
        known exactly.
        """
        from modecontrol.modes.surely_possible import sure_torques

        return (
            self.torques
            if self.problem.snapshot.uncertainty is None
            else sure_torques(self.problem, self.mode)
        )

    def facet_gradients(
        self, name: str, *, model: PlanarModel | None = None, place: Callable[..., Any] | None = None
    ) -> FacetGradients:
        """How the facets of `torques` move with a parameter, a coordinate or a velocity.

        Parameters
        ----------
        name
            A parameter of the model (`"l"`), a coordinate (`"alpha"`) or a velocity (`"alpha_d"`).
        model
            The model; None takes the one that made the snapshot.
        place
            `place(model, q) -> q`: how the configuration follows; None leaves it as it is.
        """
        from modecontrol.modes.facet_gradients import facet_gradients

        return facet_gradients(self, name, model, place)

    # Tasks -------------------------------------------------------------------------------------------------

    @cached_property
    def task_domain(self) -> Polytope:
        """`D_c` with the task constraints: where *some* `w` satisfies them."""
        A, b, equality, labels = self.substitute(self.problem.task)
        loose = ~equality
        task = Polytope(
            -A[loose],
            -b[loose],
            A[equality],
            b[equality],
            labels=[label for label, e in zip(labels, equality, strict=True) if not e],
            equality_labels=[label for label, e in zip(labels, equality, strict=True) if e],
        )
        return self.domain.intersect(task)

    def task_torques(self, demand: str = "every") -> Region:
        """Inputs of this mode for which the task holds.

        Parameters
        ----------
        demand
            "some": for some `w` (the projection of the task domain). "every": whatever `w` turns out to be
            (`T_c` minus the projection of the part that violates the task): what a controller needs.

        """
        check_demand(demand)
        inputs = self.U.shape[1]
        if len(self.problem.task.p) == 0:
            return Region([self.torques], n=inputs)
        if demand == "some":
            projection = self.task_domain.project(range(inputs))
            return Region([projection], n=inputs)
        return sure_task_torques(self)

    def substitute(self, rows: Rows) -> tuple[np.ndarray, np.ndarray, np.ndarray, tuple[str, ...]]:
        """Constraint rows on `(qdd, f, tau)` as rows `A (tau, w) >= b` of this mode (Eq. (4) of the theory).

        Parameters
        ----------
        rows
            Constraint rows at the same instant.
        """
        return substituted(self, rows)

    def __repr__(self) -> str:
        return (
            f"ModeResponse({self.mode!r}, {self.case}, {self.ambiguity_variables} ambiguity variables, "
            + (
                "torques not projected yet)"
                if self._torques is None
                else f"torques of dimension {self._torques.dimension})"
            )
        )


def hold(P: Polytope, x: np.ndarray, sizes: np.ndarray, part: float = tolerances.FEASIBLE) -> np.ndarray:
    """Whether a point, or each row of points, belongs to a set, to that part of its size in variables measured by their
    natural sizes.
    """
    excess, gap = x @ P.A.T - P.b, np.abs(x @ P.C.T - P.d)
    holds = np.ones(x.shape[:-1], dtype=bool)
    for value, rows, level in ((excess, P.A, P.b), (gap, P.C, P.d)):
        row = (np.abs(rows) * sizes).max(axis=1, initial=0.0)
        holds &= ~np.any(value > part * np.maximum(row, np.abs(level)), axis=-1)
    return holds
