"""What steps a model: the compiled loop for a tree of bodies, Python's for a Lagrangian; its settings checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from modecontrol.dynamics.model import Model
from modecontrol.dynamics.protocol import PlanarModel
from modecontrol.dynamics.symbols.lagrangian_model import LagrangianModel
from modecontrol.timestepping.engine import Engine
from modecontrol.timestepping.events import Collision
from modecontrol.timestepping.lagrangian_engine import LagrangianEngine, choose_lagrangian
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
        assert isinstance(model, LagrangianModel)
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
