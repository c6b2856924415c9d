"""The bridge between `simulate` and the compiled stepping loop: tables in, answers to its questions, records out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from modecontrol.dynamics.model import Model
from modecontrol.timestepping.bodies import owners
from modecontrol.timestepping.choices import Choices
from modecontrol.timestepping.formulations import massless, singular_mass, solve_problem
from modecontrol.timestepping.problem import ContactProblem

METHODS = ("free", "unloaded", "warm", "lemke", "principal", "enumeration", "branching", "gauss-seidel")
"""How the contact problem of a step was solved; the numbers of the record are places in this list.

"free": no contact was near. "unloaded": every near contact separates by itself. "warm": the basis of the step
before still holds. The others are methods of `solve_lcp`.
"""
STIFFNESS, DAMPING = 9, 10
"""Columns of `tree.nodes_f`."""
ROOM = 12
"""Near contacts that the work space has room for at first; it grows when there are more."""


class Engine:
    """A scene, its work space and its record; `run` advances it.

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

    def __init__(self, model: Model, choices: Choices, steps: int, q: np.ndarray, v: np.ndarray) -> None:
        from modecontrol._kernels import scene, stepper
        from modecontrol._kernels.tree import poses

        self.model, self.choices, self._stepper, self._kernels = model, choices, stepper, scene
        tree, n, k = model.tree, len(model.coordinates), len(model.contacts)
        laws = np.column_stack((tree.friction, choices.restitution, tree.stiffness, tree.damping))
        self.scene = scene.Scene(tree.nodes_i, tree.nodes_f, tree.contacts_i, tree.contacts_f, tree.pins_i,
                                 tree.pins_f, tree.gravity, laws, tree.common)
        reach = float(np.hypot(tree.contacts_f[:, [0, 7]], tree.contacts_f[:, [1, 8]]).max(initial=0.0))
        rk4 = choices.integrator == "rk4"
        self.options = scene.Options(
            h=choices.h, impact_speed=choices.impact_speed, slack=choices.impact_speed * choices.h,
            g_eps=choices.g_eps, correction=choices.loop_correction, eps=choices.eps,
            scaling=choices.h if choices.friction_scaling else 1.0, reach=reach,
            external=int(choices.formulation != "os" or choices.dynamics != "aba"),
            level=scene.POSITION if choices.level == "position" or rk4 else scene.VELOCITY)
        self.record = scene.make_record(steps, n, k, len(tree.pins_i))
        self.bench = scene.make_bench(n, k, len(tree.pins_i), min(k, ROOM))
        self.whole = False
        self._advance = self._loop()
        bench = self.bench
        bench.q[:], bench.v[:] = q, v
        self.record.q[0], self.record.v[0] = q, v
        bench.arms.pose[:] = poses(tree.nodes_i, tree.nodes_f, q)
        bench.gap[:] = bench.budget[:] = model.contact_points(q).gap

    def _loop(self) -> Callable[..., tuple[int, int]]:
        """The compiled loop for the formulation and dynamics that were chosen, with its own work space."""
        choices, tree = self.choices, self.model.tree
        if choices.integrator == "rk4":
            return self._runge_kutta()
        if choices.formulation == "os" and choices.dynamics != "aba":
            return self._joint_space(choices.dynamics)
        sprung = tree.nodes_f[:, STIFFNESS : DAMPING + 1].any()
        return self._independent() if choices.formulation == "nmc/os" and not sprung else self._stepper.advance

    def _joint_space(self, dynamics: str):
        from modecontrol._kernels import joint_space

        space = joint_space.make_joint_space(len(self.bench.q), len(self.bench.rows.u), dynamics == "dense")
        if dynamics == "dense":
            return lambda scene, bench, options, record, *rest: joint_space.advance_dense(
                scene, bench, options, record, space, *rest)
        plan = joint_space.make_halves(self.model.plan)
        return lambda scene, bench, options, record, *rest: joint_space.advance_halves(
            scene, bench, options, record, space, plan, *rest)

    def _independent(self):
        from modecontrol._kernels.independent import advance_independent, make_independent

        owner, hinges = owners(self.model.tree)
        work = make_independent(owner, hinges, self.bench, len(self.scene.pins_i), int(self.whole))
        return lambda scene, bench, options, record, *rest: advance_independent(
            scene, bench, options, record, work, *rest)

    def _runge_kutta(self):
        from modecontrol._kernels.runge_kutta import advance_rk4

        n, nb = len(self.bench.q), 2 * len(self.scene.pins_i)
        work = np.zeros((5, n)), np.zeros((nb, n)), np.zeros((2, nb))
        return lambda scene, bench, options, record, first, last, given: advance_rk4(
            scene, bench, options, record, *work, first, last, given)

    def force_of(self, torque: np.ndarray) -> np.ndarray:
        """What `run` takes: generalised forces `S tau` (n,).

        Parameters
        ----------
        torque
            The inputs.
        """
        return self.model.tree.actuation @ torque

    def run(self, first: int, last: int, force: np.ndarray) -> tuple[int, str]:
        """Steps `first` to `last - 1` with constant generalised forces: the next step, and why it stopped early.

        Parameters
        ----------
        first, last
            Numbers of steps.
        force
            `S tau` (n,).
        """
        stepper = self._stepper
        self.bench.tau[:] = force
        step, given = first, False
        while True:
            code, step = self._advance(self.scene, self.bench, self.options, self.record, step, last, given)
            given = False
            if code == stepper.DONE:
                return last, ""
            if code == stepper.CROWDED:
                self._grow()
            elif code == stepper.ASK:
                trouble = self._answer(step)
                if trouble:
                    return step, trouble
                given = True
            elif code == stepper.MASSLESS:
                bad = self.model.coordinates[int(self.bench.tally[self._kernels.STAGE])]
                if step > 0:
                    return step, (f"stopped at t = {step * self.choices.h:.9g} s: coordinate {bad!r} moves "
                                  f"nothing that has mass any more (fastest velocity "
                                  f"{np.abs(self.bench.v).max():.3g}); try a smaller step, or formulation='mc'")
                names = massless(self.model, self.bench.q, self.bench.v, self.choices.h)
                raise singular_mass(self.model, names or [bad], self.choices.formulation)
            else:
                return step, self._not_finite(step)

    def _grow(self) -> None:
        """Twice the room, the same state."""
        old = self.bench
        k = len(old.gap)
        new = self._kernels.make_bench(len(old.q), k, len(self.scene.pins_i), min(k, 2 * len(old.rows.near)),
                                       old.basis.memory)
        for name in ("q", "v", "clock", "tally", "tau", "gap", "budget", "loaded"):
            getattr(new, name)[:] = getattr(old, name)
        new.arms.pose[:] = old.arms.pose
        self.bench = new
        self._advance = self._loop()

    def hand_over_whole(self) -> None:
        """Let `nmc/os` pivot the whole mixed problem of each step instead of eliminating the hinges (see `mixed.py`)."""
        self.whole = True
        self._advance = self._loop()

    def problem(self) -> ContactProblem:
        """The contact problem that waits on the bench."""
        kernels, bench, rows = self._kernels, self.bench, self.bench.rows
        m, pins = int(bench.tally[kernels.NEAR]), 2 * len(self.scene.pins_i)
        stage = bench.tally[kernels.STAGE]
        smooth, back = stage == self._stepper.SMOOTH, stage == self._stepper.DECOMPRESS
        return ContactProblem(
            model=self.model, q=bench.q.copy(), v=bench.v.copy(),
            h=float(bench.clock[kernels.REMAINING]) if smooth else 0.0, force=bench.tau.copy(),
            near=rows.near[:m].copy(), offset=rows.offset[:m].copy(), softness=rows.softness[:m].copy(),
            push=rows.push[pins : pins + 2 * m].copy() if back else np.zeros(2 * m), target=rows.target.copy(),
            eps=self.choices.eps, scaling=self.options.scaling, dynamics=self.choices.dynamics)

    def _answer(self, step: int) -> str:
        """Solve the waiting problem; a sentence when that is not possible."""
        kernels, bench, problem = self._kernels, self.bench, self.problem()
        answer = solve_problem(problem, self.choices.formulation)
        if answer.v is None:
            answer = solve_problem(problem.relaxed(), self.choices.formulation)
        if answer.v is None:
            at = step * self.choices.h
            return f"stopped at t = {at:.9g} s: the contact problem was not solved ({answer.status})"
        pins, m = len(answer.loop_impulse), len(problem.near)
        bench.v_plus[:] = answer.v
        bench.rows.p[:pins], bench.rows.p[pins : pins + 2 * m] = answer.loop_impulse, answer.impulse
        bench.clock[kernels.RESIDUAL] = answer.residual
        bench.tally[kernels.METHOD] = METHODS.index(answer.method) if m else 0
        bench.tally[kernels.LCP_SIZE] = answer.size
        return ""

    def _not_finite(self, step: int) -> str:
        names = self.model.coordinates
        for what, values in (("coordinate", self.record.q[step + 1]), ("velocity", self.record.v[step + 1])):
            bad = np.flatnonzero(~np.isfinite(values))
            if len(bad):
                return (f"stopped at t = {step * self.choices.h:.9g} s: {what} {names[bad[0]]!r} is {values[bad[0]]} "
                        "after the step; try a smaller step")
        return ""

