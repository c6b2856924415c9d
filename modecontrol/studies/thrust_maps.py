"""Ask a controller at every state of a grid, here or on any executor: makes a `ThrustMap`."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.regions.dynamic_response import MOST_THREADS
from modecontrol.thrust.compiled import decisions_at, plan_of
from modecontrol.thrust.controller import Controller
from modecontrol.thrust.thrust_map import NO_MODE, ThrustMap, ask
from modecontrol.timestepping.batch import available_cores
from modecontrol.validation import as_mapping, as_numbers, as_vector, check_count, shown


def map_thrust(
    controller: Controller,
    q: Mapping[str, ArrayLike] | None = None,
    v: Mapping[str, ArrayLike] | None = None,
    base: tuple[Any, Any] | None = None,
    executor: Executor | None = None,
    chunk: int = 64,
    *,
    threads: int | None = None,
) -> ThrustMap:
    """Ask a controller at every state of a grid.

    Parameters
    ----------
    controller
        Exact controller; reset before every state, so it must not depend on history (no lifted links to
        hold).
    q, v
        Grid values by coordinate name: positions and velocities that vary.
    base
        `(q, v)` of everything else; default the model's start at rest.
    executor
        Any `concurrent.futures.Executor`; None works here and now. With processes the controller must be
        picklable.
    chunk
        States per task of the executor.
    threads
        Without an executor, a controller that the core knows (`modecontrol.thrust.compiled`) is asked there on
        so many threads; None means one for each core. The map does not depend on it.

    Returns
    -------
    ThrustMap
        Torque, value, mode and fallback over the grid.
    """
    model = controller.model
    names = tuple(model.coordinates)
    example = "{'alpha': np.linspace(0, 1, 20)}"
    axes = [
        (kind, name, as_numbers(values, f"the {kind} axis {name!r}"))
        for kind, part in (("q", q), ("v", v))
        for name, values in as_mapping({} if part is None else part, kind, example).items()
    ]
    threads = (
        available_cores()
        if threads is None
        else check_count(threads, "threads", least=1, greatest=MOST_THREADS)
    )
    chunk = check_count(chunk, "chunk", least=1)
    if not axes:
        raise ValueError(
            "nothing varies; give grid values by coordinate name, such as q={'alpha': np.linspace(0, 1, 20)}"
        )
    for kind, name, values in axes:
        if name not in names:
            raise ValueError(f"{kind} axis {name!r} is no coordinate; expected one of {', '.join(names)}")
        if (
            values.ndim != 1
            or not len(values)
            or not np.all(np.isfinite(values))
            or np.any(np.diff(values) <= 0)
        ):
            raise ValueError(f"{kind} axis {name!r} must be ascending finite numbers, not {values!r}")
    if getattr(controller, "lifted", None) is not None:
        raise ValueError(
            "a controller that holds lifted links remembers their angles; map it with lifted=None"
        )
    start = (model.start, np.zeros(len(names))) if base is None else base
    if not isinstance(start, tuple | list) or len(start) != 2:
        raise ValueError(f"base is {shown(base)}; expected the pair (q, v)")
    base_q, base_v = (
        as_vector(part, names, f"{kind} of base") for kind, part in zip("qv", start, strict=True)
    )
    grid = tuple(len(values) for _, _, values in axes)
    blank, nothing = np.zeros(grid), np.full(grid, "")
    empty = ThrustMap(tuple(axes), names, base_q, base_v, np.zeros((*grid, 0)), blank, nothing, nothing)
    states = [empty.state(point) for point in product(*(values for _, _, values in axes))]
    if executor is None:
        answers = _Asked(controller, threads)(states)
    else:
        parts = [states[i : i + chunk] for i in range(0, len(states), chunk)]
        answers = [answer for part in executor.map(_Asked(controller), parts) for answer in part]
    torque, value, mode, fallback = zip(*answers, strict=True)
    return ThrustMap(
        tuple(axes),
        names,
        base_q,
        base_v,
        np.array(torque).reshape(*grid, -1),
        np.array(value).reshape(grid),
        np.array(mode).reshape(grid),
        np.array(fallback).reshape(grid),
    )


@dataclass(frozen=True)
class _Asked:
    """The controller at many states, as plain data that any executor can carry."""

    controller: Controller
    threads: int = 1

    def __call__(
        self, states: list[tuple[np.ndarray, np.ndarray]]
    ) -> list[tuple[np.ndarray, float, str, str]]:
        plan = plan_of(self.controller)
        if plan is not None:
            q, v = (np.array(part) for part in zip(*states, strict=True))
            return decisions_at(plan, q, v, self.threads)
        answers = []
        for q, v in states:
            made = ask(self.controller, q, v)
            answers.append((made.torque, made.value, made.mode or NO_MODE, made.fallback))
        return answers
