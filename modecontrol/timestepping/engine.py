"""The bridge between `simulate` and the compiled stepping loop: a scene in, answers to its questions, records
out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from modecontrol.dynamics.model import Model
from modecontrol.timestepping.contact_problem import ContactProblem
from modecontrol.timestepping.formulations import massless, singular_mass, solve_problem
from modecontrol.timestepping.independent_bodies import owners
from modecontrol.timestepping.schedule import Schedule
from modecontrol.timestepping.settings import Choices

if TYPE_CHECKING:
    from modecontrol._core.compiled import timestepping as core

METHODS = (
    "free",
    "unloaded",
    "warm",
    "lemke",
    "principal",
    "enumeration",
    "branching",
    "newton",
    "precise",
    "gauss-seidel",
)
"""How the contact problem of a step was solved; the numbers of the record are places in this list.

"free": no contact was near. "unloaded": every near contact separates by itself. "warm": the basis of the step
before still holds. "newton" is the method of large piles, "gauss-seidel" what sweeps and all else left at the end:
its residual is larger than that of the others (`tolerances.SWEPT`, `tolerances.COARSE`). The others are methods of
`solve_lcp`. Of a step with several parts the record has the method that is last in this list, and the largest residual.
"""


INTEGRATOR_CODES = {("euler", False): 0, ("theta", False): 1, ("rk4", True): 2, ("rk4", False): 3}
"""Numbers of the core's integrators, by name and whether contact forces are held."""

PATIENCE = 0.1
"""Seconds that the core may step on before the interpreter looks at the keyboard."""


def run_gains(unexplained: float, explained: float) -> str:
    """What is said of a run whose energy has exploded."""
    return (
        f"the run has gained {unexplained:.3g} J that neither its start nor its inputs explain ({explained:.3g} J); "
        "try a smaller step"
    )


def step_gains(gain: float, turnover: float) -> str:
    """What is said of a step that makes energy however it is made."""
    return (
        f"the step gains {gain:.3g} J from nothing where {turnover:.3g} J change hands, even when it is cut into small "
        "ones; try a smaller step, or another start"
    )


class Engine:
    """A compiled stepper and its record; `run` advances it.

    Parameters
    ----------
    model
        The mechanism.
    choices
        How to step.
    q, v
        State at the start.
    every
        Steps that a row of the record stands for.
    whole
        Let `nmc/os` pivot the whole mixed problem of each step instead of eliminating the hinges.
    schedule
        Pushes and drives that change with time.
    """

    def __init__(
        self,
        model: Model,
        choices: Choices,
        q: np.ndarray,
        v: np.ndarray,
        every: int = 1,
        whole: bool = False,
        *,
        schedule: Schedule | None = None,
    ) -> None:
        from modecontrol._core import timestepping as core

        self.model, self.choices, self._core = model, choices, core
        self.schedule = schedule or None
        self.loop_rows = (*model.names.loop_rows, *(schedule.names if schedule else ()))
        self.record = core.StepRecord(
            len(model.coordinates), len(model.contacts), len(self.loop_rows), len(model.inputs), every
        )
        self.stepper = core.Stepper(
            schedule.core(model) if schedule else model.tree.core,
            choices.restitution,
            self._options(),
            self._way(),
            whole,
        )
        self.first = 0  # steps that had been made when the record began
        self.place(q, v)

    def _options(self) -> core.StepOptions:
        choices, options = self.choices, self._core.StepOptions()
        options.h, options.impact_speed, options.g_eps = choices.h, choices.impact_speed, choices.g_eps
        options.slack = choices.impact_speed * choices.h
        options.correction, options.eps = choices.loop_correction, choices.eps
        options.balanced = choices.friction_scaling
        options.position_level = choices.level == "position" or choices.held
        options.integrator = INTEGRATOR_CODES[choices.integrator, choices.held]
        return options

    def _way(self) -> core.Way:
        """How the core solves with the mass matrix."""
        choices, tree = self.choices, self.model.tree
        if choices.formulation == "os":
            return self._core.Way(self.model.plan.core if choices.dynamics == "dca" else choices.dynamics)
        if choices.formulation in ("mc", "rmc"):
            return self._core.Way(choices.formulation)
        owner, hinges = owners(tree)
        sprung = tree.nodes["stiffness"].any() or tree.nodes["damping"].any() or tree.nodes["armature"].any()
        coupled = any(map(len, (tree.springs, tree.pushes, tree.drags))) or bool(tree.closures["kind"].any())
        name = (
            "nmc/os, sprung"
            if choices.formulation == "nmc/os" and (sprung or coupled)
            else choices.formulation
        )
        return self._core.Way(name, owner[:, 0].copy(), owner[:, 1].copy(), hinges)

    def place(self, q: np.ndarray, v: np.ndarray) -> None:
        """Put the mechanism into a state at the beginning of the record, forgetting what was before."""
        self.stepper.place(q, v)
        self.record.start(q, v)

    @property
    def state(self) -> tuple[np.ndarray, np.ndarray]:
        """The present `q` and `v`, copies."""
        return self.stepper.q.copy(), self.stepper.v.copy()

    @property
    def gained(self) -> float:
        """Energy (J) that has appeared from nothing since any earlier time, at most."""
        return float(self.stepper.most_risen)

    @property
    def done(self) -> int:
        """The code of a run that came to its end."""
        return self._core.DONE

    def run(self, last: int, torque: np.ndarray) -> str:
        """Step on with constant inputs until `last` steps are made: empty, or why it stopped before.

        Parameters
        ----------
        last
            Number of steps since the start.
        torque
            Inputs (t,).
        """
        if self.schedule is None:
            return self._run(last, torque)
        while self.record.steps < last:
            h = self.choices.h
            self.schedule.set(self.stepper, (self.first + self.record.steps) * h, h)
            trouble = self._run(self.record.steps + 1, torque)
            if trouble:
                return trouble
        return ""

    def _run(self, last: int, torque: np.ndarray) -> str:
        from modecontrol._core import closed_loop

        force = closed_loop.generalised_forces(self.model.tree.actuation, torque)
        return self.finish(lambda: self.stepper.advance(last, force, torque, self.record, PATIENCE))

    def finish(self, advance: Callable[[], int]) -> str:
        """Call `advance` until it is done, answering its questions: empty, or why it stopped before.

        Parameters
        ----------
        advance
            Goes on with the run; returns how it ended, a code of the core.
        """
        core = self._core
        while True:
            status, trouble = advance(), ""
            if status == core.DONE:
                return ""
            if status == core.ASK:
                trouble = self._answer()
            elif status == core.SINGULAR:
                trouble = self._singular()
            elif status == core.NOT_FINITE:
                trouble = self._not_finite()
            elif status == core.GAINED:
                trouble = self._gained()
            elif status == core.FULL:
                trouble = "there is no memory for more of the record; use record_every"
            if trouble:
                return f"stopped at t = {(self.first + self.record.steps) * self.choices.h:.9g} s: {trouble}"

    def problem(self) -> ContactProblem:
        """The contact problem that waits for an answer."""
        s = self.stepper
        return ContactProblem(
            model=self.model,
            q=s.q.copy(),
            v=s.v.copy(),
            h=s.time,
            force=s.force,
            near=s.near,
            offset=s.offset,
            softness=s.softness,
            push=s.push,
            target=s.target,
            eps=self.choices.eps,
            balanced=self.choices.friction_scaling,
            dynamics=self.choices.dynamics,
        )

    def _answer(self) -> str:
        """Solve the waiting problem; a sentence when that is not possible."""
        if self.model.tree.laws is not None:
            return "the contact problem was not solved; try a smaller step"
        problem = self.problem()
        with np.errstate(
            over="ignore", invalid="ignore"
        ):  # what is not finite is reported below, or after the step
            if not problem.finite:
                return f"masses or forces are too large for a number ({self._fastest()}); try a smaller step"
            answer = solve_problem(problem, self.choices.formulation)
            if answer.v is None:
                answer = solve_problem(problem.relaxed(), self.choices.formulation)
        if answer.v is None:
            return f"the contact problem was not solved ({answer.status})"
        method = METHODS.index(answer.method) if len(problem.near) else 0
        self.stepper.answer(
            answer.v,
            np.concatenate((answer.loop_impulse, answer.impulse)),
            method,
            answer.residual,
            answer.size,
        )
        return ""

    def _singular(self) -> str:
        """At the start an error that says which coordinates are massless, later a sentence."""
        bad = self.model.coordinates[self.stepper.singular]
        if self.record.steps > 0:
            return (
                f"coordinate {bad!r} moves nothing that has mass any more ({self._fastest()}); try a smaller step, or "
                "formulation='mc'"
            )
        if self.choices.dynamics != "aba" or self.choices.formulation != "os":
            solve_problem(self.problem(), self.choices.formulation)  # says in its own words what is missing
        names = massless(self.model, *self.state, self.choices.h)
        raise singular_mass(self.model, names or [bad], self.choices.formulation)

    def _gained(self) -> str:
        """Energy from nothing, in one step or over the run."""
        (gain, turnover), (unexplained, explained) = self.stepper.gained, self.stepper.book
        if unexplained > explained:
            return run_gains(unexplained, explained)
        if self.stepper.gained_over_run:
            risen, at_hand = self.stepper.risen
            return (
                f"the run has gained {risen:.3g} J from nothing where {at_hand:.3g} J were at hand: springs are too "
                "stiff for the step; try a smaller step"
            )
        return step_gains(gain, turnover)

    def _fastest(self) -> str:
        return f"fastest velocity {np.abs(self.stepper.v).max(initial=0.0):.3g}"

    def _not_finite(self) -> str:
        for what, values in zip(("coordinate", "velocity"), self.state, strict=True):
            bad = np.flatnonzero(~np.isfinite(values))
            if len(bad):
                return f"{what} {self.model.coordinates[bad[0]]!r} is {values[bad[0]]} after the step; try a smaller step"
        return ""
