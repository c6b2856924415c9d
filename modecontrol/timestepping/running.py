"""What steps a model, and how a run goes from its start to its end: in the core, or with what wants to be asked on the way."""

from __future__ import annotations

from typing import Any

import numpy as np

from modecontrol.dynamics.model import Model
from modecontrol.dynamics.protocol import PlanarModel
from modecontrol.timestepping.closed_loop import ClosedLoop, closed_loop
from modecontrol.timestepping.control_loop import Loop
from modecontrol.timestepping.engine import Engine
from modecontrol.timestepping.events import Collision, EventFinder
from modecontrol.timestepping.lagrangian_engine import LagrangianEngine, choose_lagrangian
from modecontrol.timestepping.progress import Bar
from modecontrol.timestepping.readings import Instruments
from modecontrol.timestepping.schedule import Schedule
from modecontrol.timestepping.settings import check_schedule, choose


def make_engine(
    model: PlanarModel,
    state: tuple[np.ndarray, np.ndarray],
    step: float,
    every: int,
    schedule: Schedule | None = None,
    **settings: Any,
) -> Engine | LagrangianEngine:
    """What steps the model, its settings checked.

    Parameters
    ----------
    model
        The mechanism.
    state
        `q` and `v` at the start.
    step
        Step size (s).
    every
        Steps that a row of the record stands for.
    schedule
        Pushes and drives that change with time.
    **settings
        All arguments of `simulate` that say how to step.
    """
    if model.tree is None:
        settings.pop("impact_speed")
        if schedule:
            raise ValueError("pushes and drives need a model made of bodies; a LagrangianModel has none")
        return LagrangianEngine(model, choose_lagrangian(step, **settings), *state, every)
    assert isinstance(model, Model)
    choices = choose(model, step, **settings)
    if schedule is not None:
        check_schedule(model, choices, schedule)
    return Engine(model, choices, *state, every, schedule=schedule)


def collisions_of(engine: Engine | LagrangianEngine) -> tuple[Collision, ...]:
    """The collisions that a run has had, in order."""
    if not isinstance(engine, Engine):
        return ()
    names = engine.model.contacts
    return tuple(Collision(names[int(c)], t, p) for t, c, p in engine.stepper.impacts.tolist())


def run(
    engine: Engine | LagrangianEngine,
    loop: Loop,
    steps: int,
    h: float,
    *,
    callback: Any,
    stop: Any,
    finder: EventFinder,
    progress: bool,
) -> str:
    """Step on to the end, or to where something wants to stop; says how it ended."""
    record = engine.record
    plain = callback is None and not finder and not getattr(engine, "schedule", None)
    closed = closed_loop(engine, loop, stop) if plain else None
    if closed is not None:
        return _run_closed(closed, record, steps, h, progress)
    instruments = Instruments(engine) if loop.reads else None
    if finder:
        if not isinstance(engine, Engine) or engine.choices.held:
            raise ValueError(
                "events are located along the steps of a model made of bodies with integrator 'euler' or 'theta'; found "
                f"{type(engine.model).__name__} with {engine.choices.integrator!r}"
            )
        engine.stepper.watch_pieces = True
    try:
        with Bar(steps, progress) as bar:
            while record.steps < steps:
                tau, until = loop.at(record.steps, *engine.state, steps, instruments)
                until = min(until, record.steps + _stride(callback or stop or finder, progress, steps))
                trouble = engine.run(until, tau)
                if trouble:
                    return trouble
                bar.update(record.steps)
                t = record.steps * h
                ended = finder.look(engine.stepper, t - h) if finder and isinstance(engine, Engine) else ""
                if ended:
                    return f"stopped at t = {t:.9g} s by the event {ended!r}"
                if callback is not None:
                    callback(t, *engine.state)
                if stop is not None and stop(t, *engine.state):
                    return f"stopped at t = {t:.9g} s as asked"
    except KeyboardInterrupt:
        return f"interrupted at t = {record.steps * h:.9g} s"
    finally:
        record.finish()
    return "completed"


def _run_closed(closed: ClosedLoop, record: Any, steps: int, h: float, progress: bool) -> str:
    """The same with the controller in the core."""
    try:
        with Bar(steps, progress) as bar:
            while record.steps < steps and not closed.stopped:
                trouble = closed.run(min(steps, record.steps + _stride(None, progress, steps)))
                if trouble:
                    return trouble
                bar.update(record.steps)
    except KeyboardInterrupt:
        return f"interrupted at t = {record.steps * h:.9g} s"
    finally:
        record.finish()
        closed.close()
    return f"stopped at t = {record.steps * h:.9g} s as asked" if closed.stopped else "completed"


def _stride(asked: Any, progress: bool, steps: int) -> int:
    """Steps after which somebody wants to know: every one, or every hundredth part of the run for a progress
    bar.
    """
    if asked:
        return 1
    return max(1, steps // 100) if progress else steps
