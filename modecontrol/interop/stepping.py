"""One control period after another with the compiled stepper of `simulate`, from any state."""

from __future__ import annotations

import re
from inspect import signature
from typing import Any

import numpy as np

from modecontrol.dynamics.model import Model
from modecontrol.dynamics.state import did_you_mean
from modecontrol.interop.transition import Transition
from modecontrol.timestepping.choices import choose, count_steps
from modecontrol.timestepping.engine import Engine
from modecontrol.timestepping.simulate import simulate

LETTERS = np.array(list("SLRF"))
SETTINGS = ("formulation", "dynamics", "level", "integrator", "restitution", "impact_speed", "g_eps",
            "loop_correction", "eps", "friction_scaling")
"""Arguments of `simulate` that say how to step."""


class Stepping:
    """`advance(tau)` moves the model on by one period; `place(q, v)` puts it anywhere, forgetting what was before.

    Parameters
    ----------
    model
        The mechanism.
    step
        Step of the simulation (s).
    period
        Time for which an input is held (s), a whole number of steps.
    clip
        Whether inputs are cut at the torque limits, at the speed of each step where limits follow the speed.
    settings
        Any of `SETTINGS`, as in `simulate`.

    Raises
    ------
    ValueError
        Arguments that `simulate` would refuse; a period that is no whole number of steps.
    """

    def __init__(self, model: Model, step: float, period: float, clip: bool, settings: dict[str, Any]) -> None:
        for name in settings:
            if name not in SETTINGS:
                raise ValueError(f"unknown setting {name!r}{did_you_mean(name, SETTINGS)}; expected some of "
                                 f"{', '.join(SETTINGS)}")
        defaults = {name: signature(simulate).parameters[name].default for name in SETTINGS}
        choices = choose(model, step, *({**defaults, **settings}[name] for name in SETTINGS))
        self.count = count_steps(period, step)
        if self.count < 1 or abs(self.count * step - period) > 1e-6 * period:
            raise ValueError(f"period is {period!r} s; expected a whole number of steps of {step!r} s, at least one")
        self.model, self.h, self.period, self.clip = model, step, self.count * step, clip
        self.engine = Engine(model, choices, self.count, model.start, model.start_velocity)
        self._follows = bool(np.isfinite(model.tree.inputs_f[:, 2]).any())
        self._box = model.torque_limits(model.start_velocity)
        self.steps = 0

    def place(self, q: np.ndarray, v: np.ndarray, steps: int = 0) -> None:
        """Put the model into a state.

        Parameters
        ----------
        q, v
            The state.
        steps
            Simulation steps that count as gone by.
        """
        from modecontrol._kernels.tree import poses

        engine, bench, tree = self.engine, self.engine.bench, self.model.tree
        bench.q[:], bench.v[:] = q, v
        engine.record.q[0], engine.record.v[0] = q, v
        bench.arms.pose[:] = poses(tree.nodes_i, tree.nodes_f, q)
        bench.gap[:] = bench.budget[:] = self.model.contact_points(q).gap
        bench.loaded[:] = False
        bench.basis.memory[:] = False
        bench.clock[:] = 0.0
        bench.tally[:] = 0
        self.steps = steps

    @property
    def time(self) -> float:
        """Simulated time since the state was placed (s)."""
        return self.steps * self.h

    def advance(self, tau: np.ndarray) -> tuple[Transition, str]:
        """One period with held inputs: what happened, and a sentence when it stopped early (else empty).

        Parameters
        ----------
        tau
            Inputs (t,).
        """
        engine, record, S = self.engine, self.engine.record, self.model.tree.actuation
        for array in (record.impulse, record.loop_impulse, record.residual, record.method, record.size,
                      record.impacts):
            array[:] = 0
        record.q[0], record.v[0] = engine.bench.q, engine.bench.v
        before = record.q[0].copy(), record.v[0].copy()
        done, trouble, applied, total = 0, "", tau, np.zeros(len(tau))
        stride = 1 if self.clip and self._follows else self.count
        while done < self.count and not trouble:
            if self.clip:
                box = self.model.torque_limits(record.v[done]) if self._follows else self._box
                applied = np.clip(tau, box[:, 0], box[:, 1])
            reached, trouble = engine.run(done, min(done + stride, self.count), S @ applied)
            total += (reached - done) * applied
            done = reached
        self.steps += done
        spent = max(done, 1) * self.h
        q, v = record.q[done].copy(), record.v[done].copy()
        made = Transition(self.time, *before, q, v, total / max(done, 1), (v - before[1]) / spent,
                          record.impulse[:done].sum(axis=0) / spent,
                          "".join(LETTERS[record.letters[max(done - 1, 0)]]), int(record.impacts[:done].sum()))
        # the engine counts from the beginning of the period
        return made, re.sub(r"at t = \S+ s", f"at t = {self.time:.9g} s", trouble)
