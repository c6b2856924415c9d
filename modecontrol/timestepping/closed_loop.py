"""`ClosedLoop`: controller, hold and stepper together in the core, for the library's own controllers."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from modecontrol.thrust.compiled import plan_of, recall, remember
from modecontrol.thrust.feedback import Passes
from modecontrol.timestepping.control_loop import Loop
from modecontrol.timestepping.engine import PATIENCE, Engine
from modecontrol.timestepping.lagrangian_engine import LagrangianEngine

SAMPLES = 256
"""Control samples for which noise is drawn at a time."""


class ClosedLoop:
    """A run without Python between its steps; the same as `Loop` around the same engine, to the last bit.

    Parameters
    ----------
    engine
        What steps the model.
    loop
        The control loop, with a controller that the core knows.
    plan
        That controller's plan.
    stop
        When to stop, or None.
    """

    def __init__(self, engine: Engine, loop: Loop, plan: Any, stop: Passes | None) -> None:
        from modecontrol._core import closed_loop as core

        self._core, self._engine, self._controller = core, engine, loop.controller
        self._compiled = core.ThrustController(plan)
        remember(self._controller, self._compiled)  # type: ignore[arg-type]
        options = core.LoopOptions()
        options.h, options.period, options.late, options.clip = (
            loop.h,
            float(loop.period),
            loop.late,
            loop.clip,
        )
        n = len(engine.model.coordinates)
        self._rng = loop.rng if loop.noise is not None else None
        self._drawn, self._per_sample = copy.deepcopy(self._rng), 2 * n
        if loop.noise is not None:
            options.add_noise(*(np.broadcast_to(part, (n,)) + 0.0 for part in loop.noise))
        if stop is not None:
            options.stop_beyond(stop.coordinate, stop.level)
        self._run = core.ControlledRun(
            self._compiled, engine.stepper, engine.record, engine.model.tree.actuation, options
        )
        self.stopped = False

    def run(self, last: int) -> str:
        """Go on until `last` steps are made, or until it stops as asked: empty, or why it stopped before.

        Parameters
        ----------
        last
            Number of steps since the start.
        """
        return self._engine.finish(lambda: self._advance(last))

    def _advance(self, last: int) -> int:
        core = self._core
        while True:
            status = self._run.advance(last, PATIENCE)
            if status == core.NOISE:
                self._run.give_noise(self._drawn.standard_normal(SAMPLES * self._per_sample))  # type: ignore[union-attr]
            elif status == core.INDEFINITE:
                raise ValueError("the velocity cannot be settled: the mass matrix is indefinite")
            elif status == core.INPUTS_NOT_FINITE:
                raise FloatingPointError(
                    f"{type(self._controller).__name__} decided for inputs that are not finite at "
                    f"t = {self._engine.record.steps * self._engine.choices.h:.9g} s"
                )
            elif status == core.STOPPED:
                self.stopped = True
                return self._engine.done
            else:
                return status

    def close(self) -> None:
        """Leave controller and generator as a run in Python would have left them."""
        recall(self._controller, self._compiled, self._run.decisions)  # type: ignore[arg-type]
        for _ in range(self._run.samples_seen if self._rng is not None else 0):
            self._rng.standard_normal(self._per_sample)  # type: ignore[union-attr]


def closed_loop(engine: Engine | LagrangianEngine, loop: Loop, stop: Any) -> ClosedLoop | None:
    """The run in the core; None when something in it is a function of the user's.

    Parameters
    ----------
    engine
        What steps the model.
    loop
        The control loop.
    stop
        When to stop: None, or a function of `(t, q, v)`.
    """
    if not isinstance(engine, Engine) or callable(loop.noise):
        return None
    n = len(engine.model.coordinates)
    if stop is not None and not (type(stop) is Passes and 0 <= stop.coordinate < n):
        return None
    plan = plan_of(loop.controller)
    if plan is None or plan.inputs != len(engine.model.inputs):
        return None
    observes = loop.controller.observe is not None  # type: ignore[union-attr]
    if n < plan.coordinates or (n > plan.coordinates and not observes):
        return None
    return ClosedLoop(engine, loop, plan, stop)
