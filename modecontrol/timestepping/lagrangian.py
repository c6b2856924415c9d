"""Steps of a `LagrangianModel`, which has no tree of bodies: the mass matrix as it is, contacts at the position level.

    M (v+ - v) = h (S tau - b) + G^T lam + J^T p         gap + h Jn v+ >= 0         G v+ = -correction residual / h

Every contact takes part in every step, so nothing is located in time and there are no collisions with restitution. All
arrays come from the model's compiled expressions, and the complementarity problem goes through Python.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.lagrangian import LagrangianModel
from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.timestepping.choices import Choices
from modecontrol.timestepping.engine import METHODS
from modecontrol.timestepping.formulations import SingularMassError, check_formulation, solve_problem
from modecontrol.timestepping.problem import ContactProblem

KNOWN = ("os", "rmc", "mc")
SEPARATE, LEFT, RIGHT, FIXED = 0, 1, 2, 3


def choose_lagrangian(step: float, formulation: str, dynamics: str | None, level: str | None, integrator: str,
                      restitution: Any, g_eps: float | None, loop_correction: float, eps: float,
                      friction_scaling: bool) -> Choices:
    """Check the arguments of `simulate` for a `LagrangianModel`, and fill in the defaults.

    Parameters
    ----------
    step, formulation, dynamics, level, integrator, restitution, g_eps, loop_correction, eps, friction_scaling
        As in `simulate`.
    """
    check_formulation(formulation)
    for name, value, good, instead in (
            ("formulation", formulation, KNOWN, "it has no bodies to take apart: use 'os', 'rmc' or 'mc'"),
            ("dynamics", dynamics, (None, "dense"), "only its mass matrix is known: use 'dense' or leave it out"),
            ("level", level, (None, "position"), "times of impact are not located for it: use 'position' or leave it out"),
            ("integrator", integrator, ("euler",), "use 'euler'")):
        if value not in good:
            raise ValueError(f"{name}={value!r} is not known for a LagrangianModel; {instead}")
    if restitution is not None and np.any(np.asarray(list(restitution.values()) if hasattr(restitution, "values")
                                                     else restitution, dtype=float) != 0):
        raise ValueError(f"restitution is {restitution!r}, but a LagrangianModel is stepped at the position level, which has "
                         "no collisions; build the mechanism with modecontrol.Builder to have them")
    g_eps = -math.inf if g_eps is None else g_eps
    if not g_eps <= 0:
        raise ValueError(f"g_eps is {g_eps!r}; expected metres, not positive (0 recovers no penetration, -inf all)")
    if not 0 <= loop_correction <= 1:
        raise ValueError(f"loop_correction is {loop_correction!r}; expected a part between 0 and 1")
    if not 0 <= eps < math.inf or (eps > 0 and formulation == "mc"):
        raise ValueError(f"eps is {eps!r}; expected a number, not negative, and zero with formulation 'mc'")
    return Choices(float(step), formulation, "dense", "position", integrator, np.zeros(0), 0.0, float(g_eps),
                   float(loop_correction), float(eps), bool(friction_scaling))


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
    """What `Engine` is for a tree: a record, and `run`, which advances it.

    Parameters
    ----------
    model
        The mechanism.
    choices
        How to step.
    steps
        Steps to make room for.
    q, v
        State at the start.
    """

    def __init__(self, model: LagrangianModel, choices: Choices, steps: int, q: np.ndarray, v: np.ndarray) -> None:
        from modecontrol._kernels.scene import make_record
        from modecontrol.dynamics.codegen import compile_arrays

        self.model, self.choices = model, choices
        e = model.equations
        self._opening = compile_arrays({"loop": e.loop}, e.coordinates, e.velocities, e.parameters)
        self.record = make_record(steps, len(q), len(model.contacts), len(model.names.pins))
        self.record.q[0], self.record.v[0] = q, v
        self._check_start(q)

    def force_of(self, torque: np.ndarray) -> np.ndarray:
        """What `run` takes: the inputs themselves, since `S` may depend on the configuration.

        Parameters
        ----------
        torque
            The inputs.
        """
        return torque

    def opening(self, q: np.ndarray) -> np.ndarray:
        """Residuals of the loops, two per loop.

        Parameters
        ----------
        q
            Configuration.
        """
        return np.atleast_1d(self._opening(q, np.zeros(len(q)), list(self.model.parameters.values()))["loop"]).ravel()

    def run(self, first: int, last: int, torque: np.ndarray) -> tuple[int, str]:
        """Steps `first` to `last - 1` with constant inputs: the next step, and why it stopped early.

        Parameters
        ----------
        first, last
            Numbers of steps.
        torque
            Inputs (t,).
        """
        h, record, near = self.choices.h, self.record, np.arange(len(self.model.contacts))
        for step in range(first, last):
            q, v = record.q[step], record.v[step]
            snap = self.model.snapshot(q, v)
            gap = np.where(np.abs(snap.gap) <= tolerances.TOUCH, 0.0, snap.gap)
            offset = np.where(gap > 0, gap, np.maximum(gap, self.choices.g_eps)) / h
            target = -self.choices.loop_correction / h * self.opening(q)
            problem = LagrangianProblem(
                model=self.model, q=q, v=v, h=h, force=snap.actuation @ torque, near=near, offset=offset,  # type: ignore[arg-type]
                softness=np.zeros(len(near)), push=np.zeros(2 * len(near)), target=target, eps=self.choices.eps,
                scaling=h if self.choices.friction_scaling else 1.0)
            self._check_mass(snap.mass)
            answer = solve_problem(problem, self.choices.formulation)
            if answer.v is None:
                answer = solve_problem(problem.relaxed(), self.choices.formulation)
            if answer.v is None:
                return step, f"stopped at t = {step * h:.9g} s: the contact problem was not solved ({answer.status})"
            self._write(step, problem.J, answer)
            if not (np.isfinite(record.q[step + 1]).all() and np.isfinite(record.v[step + 1]).all()):
                bad = int(np.argmin(np.isfinite(record.q[step + 1]) & np.isfinite(record.v[step + 1])))
                return step, (f"stopped at t = {step * h:.9g} s: coordinate {self.model.coordinates[bad]!r} or its velocity is "
                              "not finite after the step; try a smaller step")
        return last, ""

    def _write(self, step: int, J: np.ndarray, answer: Any) -> None:
        record, h = self.record, self.choices.h
        record.v[step + 1] = answer.v
        record.q[step + 1] = record.q[step] + h * answer.v
        record.impulse[step], record.loop_impulse[step] = answer.impulse, answer.loop_impulse
        speed = (J @ answer.v)[1::2]
        moving = np.where(np.abs(speed) <= tolerances.SLIP, FIXED, np.where(speed > 0, RIGHT, LEFT))
        record.letters[step] = np.where(answer.impulse[0::2] > 0, moving, SEPARATE)
        record.residual[step], record.size[step] = answer.residual, answer.size
        record.method[step] = METHODS.index(answer.method) if len(record.letters[step]) else 0

    def stored(self, done: int) -> dict[str, np.ndarray]:
        """Gaps and energies at the first `done + 1` states, for the trajectory.

        Parameters
        ----------
        done
            Number of steps done.
        """
        states = [(self.record.q[i], self.record.v[i]) for i in range(done + 1)]
        found = {"gap": np.array([self.model.snapshot(q, v).gap for q, v in states]).reshape(done + 1, -1),
                 "kinetic": np.array([self.model.kinetic_energy(q, v) for q, v in states]),
                 "potential": np.array([self.model.potential_energy(q) for q, _ in states])}
        for array in found.values():
            array.setflags(write=False)
        return found

    def _check_start(self, q: np.ndarray) -> None:
        gap, opening = self.model.snapshot(q).gap, self.opening(q)
        if np.any(gap < -tolerances.PENETRATION):
            i = int(np.argmin(gap))
            raise ValueError(f"contact {self.model.contacts[i]!r} starts {-gap[i]:.6g} m inside what it touches; move q0 until "
                             "its gap is not negative (model.snapshot(q0).gap)")
        if np.any(np.abs(opening) > tolerances.PENETRATION):
            i = int(np.argmax(np.abs(opening))) // 2
            raise ValueError(f"loop {self.model.names.pins[i]!r} is open by {np.abs(opening).max():.6g} at the start; choose q0 "
                             "on the closed loop")

    def _check_mass(self, M: np.ndarray) -> None:
        if self.choices.formulation == "mc":
            return
        root = np.sqrt(np.diag(M))
        names = [name for name, size in zip(self.model.coordinates, root, strict=True) if not size > 0]
        if names or np.linalg.eigvalsh(M / np.outer(root, root))[0] <= tolerances.SINGULAR:
            which = ", ".join(map(repr, names)) or "some combination of coordinates"
            raise SingularMassError(f"model {self.model.name!r}: {which} move nothing that has mass, so formulation "
                                    f"{self.choices.formulation!r} cannot condense the mass matrix away; use formulation='mc'")
