"""Steps of a `LagrangianModel`, which has no tree of bodies: the mass matrix as it is, contacts at the
position level.

    M (v+ - v) = h (S tau - b) + G^T lam + J^T p         gap + h Jn v+ >= 0         G v+ = -correction residual / h

Every contact takes part in every step, so nothing is located in time and there are no collisions with
restitution. All arrays come from the model's compiled expressions, and the complementarity problem goes
through Python. A step that gains energy from nothing is made again without recovery of penetration, then in parts
(`lagrangian_book.py`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.dynamics.symbols.lagrangian_model import LagrangianModel
from modecontrol.errors import SingularMassError
from modecontrol.modes.letters import FIXED, LEFT, RIGHT, SEPARATE
from modecontrol.timestepping.contact_problem import ContactProblem
from modecontrol.timestepping.engine import METHODS
from modecontrol.timestepping.formulations import StepSolution, check_formulation, solve_problem
from modecontrol.timestepping.lagrangian_book import PARTS, Instant, LagrangianBook, recovery_work
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


@dataclass(frozen=True, eq=False)
class LagrangianProblem(ContactProblem):
    """The contact problem of a part of a step, its arrays from a snapshot."""

    snap: Snapshot | None = None

    @cached_property
    def _snap(self) -> Snapshot:
        assert self.snap is not None
        return self.snap

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


class Sums:
    """What the parts of a step add up to: impulses; the last letters; the last resort that a part needed."""

    def __init__(self, contacts: int, loops: int) -> None:
        self.impulse, self.loop_impulse = np.zeros(2 * contacts), np.zeros(loops)
        self.letters = np.full(contacts, SEPARATE, dtype=np.uint8)
        self.method, self.residual, self.size = 0, 0.0, 0

    def add(self, problem: LagrangianProblem, answer: StepSolution) -> None:
        """A part that was made."""
        self.impulse += answer.impulse
        self.loop_impulse += answer.loop_impulse
        speed = (problem.J @ answer.v)[1::2]
        moving = np.where(np.abs(speed) <= tolerances.SLIP, FIXED, np.where(speed > 0, RIGHT, LEFT))
        self.letters = np.where(answer.impulse[0::2] > 0, moving, SEPARATE).astype(np.uint8)
        self.method = max(self.method, METHODS.index(answer.method) if len(self.letters) else 0)
        self.residual, self.size = max(self.residual, answer.residual), max(self.size, answer.size)


class LagrangianEngine:
    """What `Engine` is for a tree: a record, a row of which stands for `every` steps, and `run`, which advances it."""

    def __init__(
        self, model: LagrangianModel, choices: Choices, q: np.ndarray, v: np.ndarray, every: int = 1
    ) -> None:
        from modecontrol._core import timestepping as core

        self.model, self.choices = model, choices
        self.record = core.StepRecord(
            len(q), len(model.contacts), 2 * len(model.names.pins), len(model.inputs), every
        )
        self.first = 0  # steps that had been made when the record began
        self.place(q, v)

    def place(self, q: np.ndarray, v: np.ndarray) -> None:
        """Put the mechanism into a state at the beginning of the record, forgetting what was before."""
        self._now, self._book = Instant.at(self.model, q, v), LagrangianBook(self.model, q, self.choices.h)
        self._limit = math.inf  # longest part of a step that is tried: less where energy was gained
        self.record.start(q, v)

    @property
    def state(self) -> tuple[np.ndarray, np.ndarray]:
        """The present `q` and `v`."""
        return self._now.q, self._now.v

    @property
    def gained(self) -> float:
        """Energy (J) that has appeared from nothing since any earlier time, at most."""
        return float(self._book.book.most_risen)

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
        """One step, in parts where energy would be gained; a sentence when it is not possible."""
        h, now, recovery = self.choices.h, self._now, True
        left, self._limit = h, 2.0 * self._limit
        sums = Sums(len(self.model.contacts), 2 * len(self.model.names.pins))
        while left > tolerances.STEP_END * h:
            length = min(left, self._limit)
            problem = self._problem(now, torque, length)
            answer, trouble = self._answer(problem if recovery else problem.relaxed())
            if answer is None or answer.v is None:
                return trouble
            after, trouble = self._end(problem, answer.v)
            if after is None:
                return trouble
            entry = self._book.entry(now, after, torque, problem, answer)
            last = not recovery and length <= h / PARTS
            if self._book.refuses(entry, recovery_work(problem, answer) if recovery else 0.0, length, last):
                if last:
                    return self._book.sentence(entry)
                if not recovery:
                    self._limit = 0.5 * length
                recovery = False
                continue
            trouble = self._book.add(entry)
            if trouble:
                return trouble
            sums.add(problem, answer)
            now, left = after, left - length
        self._now = now
        self.record.note(sums.method, sums.residual, sums.size)
        self.record.append(*self.state, torque, sums.impulse, sums.loop_impulse, sums.letters)
        return ""

    def _answer(self, problem: ContactProblem) -> tuple[StepSolution | None, str]:
        """The answer of a contact problem; or None and why there is none."""
        if not problem.finite:
            return None, self._too_large()
        self._check_mass(problem.W)
        answer = solve_problem(problem, self.choices.formulation)
        if answer.v is None:
            answer = solve_problem(problem.relaxed(), self.choices.formulation)
        return (
            (answer, "")
            if answer.v is not None
            else (None, f"the contact problem was not solved ({answer.status})")
        )

    def _end(self, problem: LagrangianProblem, v: np.ndarray) -> tuple[Instant | None, str]:
        """The instant at the end of a part; or None and why there is none."""
        q = problem.q + problem.h * v
        finite = np.isfinite(q) & np.isfinite(v)
        if not finite.all():
            bad = self.model.coordinates[int(np.argmin(finite))]
            return (
                None,
                f"coordinate {bad!r} or its velocity is not finite after the step; try a smaller step",
            )
        try:
            return Instant.at(self.model, q, v), ""
        except ValueError:
            return None, self._too_large()

    def _too_large(self) -> str:
        fastest = np.abs(self.state[1]).max(initial=0.0)
        return f"masses or forces are too large for a number (fastest velocity {fastest:.3g}); try a smaller step"

    def _problem(self, now: Instant, torque: np.ndarray, length: float) -> LagrangianProblem:
        """The contact problem of the next part of a step."""
        snap, near = now.snap, np.arange(len(self.model.contacts))
        gap = np.where(np.abs(snap.gap) <= tolerances.TOUCH, 0.0, snap.gap)
        offset = np.where(gap > 0, gap, np.maximum(gap, self.choices.g_eps)) / length
        target = -self.choices.loop_correction / self.choices.h * np.asarray(snap.loop_opening)
        return LagrangianProblem(
            model=self.model,  # type: ignore[arg-type]
            q=now.q,
            v=now.v,
            h=length,
            force=snap.actuation @ torque,
            near=near,
            offset=offset,
            softness=np.zeros(len(near)),
            push=np.zeros(2 * len(near)),
            target=target,
            eps=self.choices.eps,
            balanced=self.choices.friction_scaling,
            snap=snap,
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
