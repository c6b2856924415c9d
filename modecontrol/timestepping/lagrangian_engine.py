"""Steps of a `LagrangianModel`, which has no tree of bodies: the mass matrix as it is, contacts at the
position level.

    M (v+ - v) = h (S tau - b) + G^T lam + J^T p         gap + h Jn v+ >= 0         G v+ = -correction residual / h

Every contact takes part in every step, so nothing is located in time and there are no collisions with
restitution. All arrays come from the model's compiled expressions, and the complementarity problem goes
through Python.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.protocol import PlanarModel
from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.errors import SingularMassError
from modecontrol.modes.letters import FIXED, LEFT, RIGHT, SEPARATE
from modecontrol.timestepping.contact_problem import ContactProblem
from modecontrol.timestepping.engine import METHODS
from modecontrol.timestepping.formulations import check_formulation, solve_problem
from modecontrol.timestepping.settings import Choices

KNOWN = ("os", "rmc", "mc")


def choose_lagrangian(
    step: float,
    *,
    formulation: str,
    dynamics: str | None,
    level: str | None,
    integrator: str,
    restitution: Any,
    g_eps: float | None,
    loop_correction: float,
    eps: float,
    friction_scaling: bool,
) -> Choices:
    """Check the arguments of `simulate` for a `LagrangianModel`, and fill in the defaults."""
    check_formulation(formulation)
    for name, value, good, instead in (
        ("formulation", formulation, KNOWN, "it has no bodies to take apart: use 'os', 'rmc' or 'mc'"),
        ("dynamics", dynamics, (None, "dense"), "only its mass matrix is known: use 'dense' or leave it out"),
        (
            "level",
            level,
            (None, "position"),
            "times of impact are not located for it: use 'position' or leave it out",
        ),
        ("integrator", integrator, ("euler",), "use 'euler'"),
    ):
        if value not in good:
            raise ValueError(f"{name}={value!r} is not known for a LagrangianModel; {instead}")
    if restitution is not None and np.any(
        np.asarray(list(restitution.values()) if hasattr(restitution, "values") else restitution, dtype=float)
        != 0
    ):
        raise ValueError(
            f"restitution is {restitution!r}, but a LagrangianModel is stepped at the position level, which has "
            "no collisions; build the mechanism with modecontrol.Builder to have them"
        )
    g_eps = -math.inf if g_eps is None else g_eps
    if not g_eps <= 0:
        raise ValueError(
            f"g_eps is {g_eps!r}; expected metres, not positive (0 recovers no penetration, -inf all)"
        )
    if not 0 <= loop_correction <= 1:
        raise ValueError(f"loop_correction is {loop_correction!r}; expected a part between 0 and 1")
    if not 0 <= eps < math.inf or (eps > 0 and formulation == "mc"):
        raise ValueError(f"eps is {eps!r}; expected a number, not negative, and zero with formulation 'mc'")
    return Choices(
        float(step),
        formulation,
        "dense",
        "position",
        integrator,
        False,
        np.zeros(0),
        0.0,
        float(g_eps),
        float(loop_correction),
        float(eps),
        bool(friction_scaling),
    )


class LagrangianProblem(ContactProblem):
    """The contact problem of a step, its arrays from a snapshot."""

    @cached_property
    def _snap(self) -> Snapshot:
        return self.model.snapshot(self.q, self.v)

    @cached_property
    def mu(self) -> np.ndarray:
        """Friction coefficients of the contacts that take part (m,)."""
        return self._snap.friction[self.near]

    @cached_property
    def added(self) -> np.ndarray:
        """Nothing is implicit (n,)."""
        return np.zeros(len(self.q))

    @cached_property
    def W(self) -> np.ndarray:
        """The mass matrix (n, n)."""
        return np.array(self._snap.mass)

    @cached_property
    def r(self) -> np.ndarray:
        """Impulse of all that is known (n,)."""
        return self.h * (self.force - self._snap.bias)

    @cached_property
    def J(self) -> np.ndarray:
        """Rows of the contacts that take part, normal first (2m, n)."""
        return self._snap.jacobian[np.column_stack((2 * self.near, 2 * self.near + 1)).ravel()]

    @cached_property
    def G(self) -> np.ndarray:
        """Rows of the loops."""
        return self._snap.loop_jacobian


class LagrangianEngine:
    """What `Engine` is for a tree: a record, a row of which stands for `every` steps, and `run`, which advances it."""

    def __init__(
        self, model: PlanarModel, choices: Choices, q: np.ndarray, v: np.ndarray, every: int = 1
    ) -> None:
        from modecontrol._core import timestepping as core

        self.model, self.choices, self.state = model, choices, (q, v)
        self.record = core.StepRecord(
            len(q), len(model.contacts), 2 * len(model.names.pins), len(model.inputs), every
        )
        self.first = 0  # steps that had been made when the record began
        self.record.start(q, v)

    def place(self, q: np.ndarray, v: np.ndarray) -> None:
        """Put the mechanism into a state at the beginning of the record, forgetting what was before."""
        self.state = q, v
        self.record.start(q, v)

    def run(self, last: int, torque: np.ndarray) -> str:
        """Step on with constant inputs until `last` steps are made: empty, or why it stopped before.

        Parameters
        ----------
        last
            Number of steps since the start.
        torque
            Inputs (t,).
        """
        while self.record.steps < last:
            trouble = self._step(torque)
            if trouble:
                return f"stopped at t = {(self.first + self.record.steps) * self.choices.h:.9g} s: {trouble}"
        return ""

    def _step(self, torque: np.ndarray) -> str:
        """One step; a sentence when it is not possible."""
        problem = self._problem(torque)
        if problem is None or not problem.finite:
            fastest = np.abs(self.state[1]).max(initial=0.0)
            return f"masses or forces are too large for a number (fastest velocity {fastest:.3g}); try a smaller step"
        self._check_mass(problem.W)
        answer = solve_problem(problem, self.choices.formulation)
        if answer.v is None:
            answer = solve_problem(problem.relaxed(), self.choices.formulation)
        if answer.v is None:
            return f"the contact problem was not solved ({answer.status})"
        q, v = self.state[0] + self.choices.h * answer.v, answer.v
        finite = np.isfinite(q) & np.isfinite(v)
        if not finite.all():
            bad = self.model.coordinates[int(np.argmin(finite))]
            return f"coordinate {bad!r} or its velocity is not finite after the step; try a smaller step"
        self.state = q, v
        speed = (problem.J @ v)[1::2]
        moving = np.where(np.abs(speed) <= tolerances.SLIP, FIXED, np.where(speed > 0, RIGHT, LEFT))
        letters = np.where(answer.impulse[0::2] > 0, moving, SEPARATE).astype(np.uint8)
        self.record.note(METHODS.index(answer.method) if len(letters) else 0, answer.residual, answer.size)
        self.record.append(q, v, torque, answer.impulse, answer.loop_impulse, letters)
        return ""

    def _problem(self, torque: np.ndarray) -> LagrangianProblem | None:
        """The contact problem of the next step; None when its numbers overflow."""
        (q, v), h, near = self.state, self.choices.h, np.arange(len(self.model.contacts))
        try:
            snap = self.model.snapshot(q, v)
        except ValueError:
            if self.record.steps == 0:
                raise
            return None
        gap = np.where(np.abs(snap.gap) <= tolerances.TOUCH, 0.0, snap.gap)
        offset = np.where(gap > 0, gap, np.maximum(gap, self.choices.g_eps)) / h
        target = -self.choices.loop_correction / h * np.asarray(snap.loop_opening)
        return LagrangianProblem(
            model=self.model,  # type: ignore[arg-type]
            q=q,
            v=v,
            h=h,
            force=snap.actuation @ torque,
            near=near,
            offset=offset,
            softness=np.zeros(len(near)),
            push=np.zeros(2 * len(near)),
            target=target,
            eps=self.choices.eps,
            balanced=self.choices.friction_scaling,
        )

    def stored(self) -> dict[str, np.ndarray]:
        """Gaps and energies at the states of the record, for the trajectory."""
        states = list(zip(self.record.q, self.record.v, strict=True))
        found = {
            "gap": np.array([self.model.snapshot(q, v).gap for q, v in states]).reshape(len(states), -1),
            "kinetic": np.array([self.model.kinetic_energy(q, v) for q, v in states]),
            "potential": np.array([self.model.potential_energy(q) for q, _ in states]),
        }
        for array in found.values():
            array.setflags(write=False)
        return found

    def _check_mass(self, M: np.ndarray) -> None:
        if self.choices.formulation == "mc":
            return
        root = np.sqrt(np.diag(M))
        names = [name for name, size in zip(self.model.coordinates, root, strict=True) if not size > 0]
        if names or np.linalg.eigvalsh(M / np.outer(root, root))[0] <= tolerances.SINGULAR:
            which = ", ".join(map(repr, names)) or "some combination of coordinates"
            raise SingularMassError(
                f"model {self.model.name!r}: {which} move nothing that has mass, so formulation "
                f"{self.choices.formulation!r} cannot condense the mass matrix away; use formulation='mc'"
            )
