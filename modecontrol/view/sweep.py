"""Numbers over two model parameters or coordinates: how many modes, the best sure thrust, what ambiguity costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np

QUANTITIES = ("modes", "thrust", "loss")
"""Number of modes with a nonempty domain; best unambiguous value of the objective; how much the best value would be
larger if ambiguity were ignored."""


@dataclass(frozen=True, eq=False)
class ParameterMap:
    """`values[quantity][i, j]` at `x[j]`, `y[i]`; NaN where there is no answer, `reasons[i][j]` says why.

    Attributes
    ----------
    model
        Name of the model.
    x_name, y_name
        Parameters or coordinates that were varied.
    x, y
        Their values.
    values
        One array (len(y), len(x)) per quantity.
    modes
        Mode strings of the best thrust, "" where there is none (len(y), len(x)).
    reasons
        Why there is no number, "" where there is one.
    objective
        What was maximised.
    """

    model: str
    x_name: str
    y_name: str
    x: np.ndarray
    y: np.ndarray
    values: dict[str, np.ndarray]
    modes: np.ndarray
    reasons: list[list[str]]
    objective: str


class _Task(NamedTuple):
    model: Any
    parameters: dict[str, float]
    coordinates: dict[str, float]
    q: Any
    v: Any
    place: Callable[..., Any] | None
    quantities: tuple[str, ...]
    objective: Any
    margin: float
    options: dict[str, Any]


def parameter_map(model: Any, x: tuple[str, Sequence[float]], y: tuple[str, Sequence[float]],
                  quantities: Sequence[str] = QUANTITIES, *, objective: Any = None, margin: float = 0.0, q: Any = None,
                  v: Any = None, place: Callable[..., Any] | None = None, executor: Executor | None = None,
                  chunksize: int = 8, progress: Callable[[int, int], Any] | None = None, **options: Any) -> ParameterMap:
    """Evaluate a model on a grid of two parameters or coordinates.

    Parameters
    ----------
    model
        A `Model`.
    x, y
        Name and values of what varies. A parameter makes the model anew; a coordinate changes `q`.
    quantities
        Some of "modes", "thrust", "loss".
    objective
        What to maximise, as for `mc.maximize`; needed for "thrust" and "loss".
    margin
        Distance (input units) to keep from other modes.
    q, v
        State; None takes the start of each model made, which follows its parameters.
    place
        `place(model, q) -> q`, called last: puts feet back on the ground, say. It must be picklable for a process pool.
    executor
        Any `concurrent.futures.Executor`; None computes here, one after the other.
    chunksize
        Points that are sent to a worker at a time.
    progress
        Called with (points done, points in all).
    **options
        Passed on to `mc.dynamic_response`: `torque_limits`, `physical`, `task`, `velocity_tolerance`.

    Returns
    -------
    ParameterMap
        Points without an answer (an impact, an infeasible task) are NaN and have a reason.
    """
    quantities = tuple(quantities)
    for name in quantities:
        if name not in QUANTITIES:
            raise ValueError(f"quantity {name!r} is unknown; expected some of {', '.join(QUANTITIES)}")
    if objective is None and set(quantities) & {"thrust", "loss"}:
        raise ValueError('"thrust" and "loss" need an objective, such as objective="alpha"')
    grid = [np.asarray(values, dtype=float) for _, values in (x, y)]
    for (name, _), values in zip((x, y), grid, strict=True):
        _kind(model, name)
        if values.ndim != 1 or not len(values) or not np.all(np.isfinite(values)):
            raise ValueError(f"values of {name!r} have shape {values.shape}; expected at least one finite number in a row")
    if x[0] == y[0]:
        raise ValueError(f"{x[0]!r} stands on both axes; expected two different names")
    tasks = [_task(model, {x[0]: a, y[0]: b}, q, v, place, quantities, objective, margin, options)
             for b in grid[1] for a in grid[0]]
    found = []
    answers = map(_evaluate, tasks) if executor is None else executor.map(_evaluate, tasks, chunksize=chunksize)
    for answer in answers:
        found.append(answer)
        if progress is not None:
            progress(len(found), len(tasks))
    shape = len(grid[1]), len(grid[0])
    return ParameterMap(
        model.name, x[0], y[0], grid[0], grid[1],
        {name: np.array([numbers[i] for numbers, _, _ in found]).reshape(shape) for i, name in enumerate(quantities)},
        np.array([mode for _, mode, _ in found]).reshape(shape),
        [[found[i * shape[1] + j][2] for j in range(shape[1])] for i in range(shape[0])], str(objective or ""))


def _kind(model: Any, name: str) -> str:
    if name in model.parameters:
        return "parameter"
    if name in model.coordinates:
        return "coordinate"
    known = [*model.parameters, *model.coordinates]
    close = get_close_matches(name, known, 1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    raise ValueError(f"{name!r} is no parameter and no coordinate of {model.name!r}{hint} (parameters: "
                     f"{', '.join(model.parameters)}; coordinates: {', '.join(model.coordinates)})")


def _task(model: Any, values: dict[str, float], q: Any, v: Any, place: Any, quantities: tuple[str, ...], objective: Any,
          margin: float, options: dict[str, Any]) -> _Task:
    parameters = {name: float(value) for name, value in values.items() if _kind(model, name) == "parameter"}
    coordinates = {name: float(value) for name, value in values.items() if name not in parameters}
    return _Task(model, parameters, coordinates, q, v, place, quantities, objective, margin, options)


def _evaluate(task: _Task) -> tuple[list[float], str, str]:
    """Numbers at one point, the mode of the best thrust, and the reason when there is no answer."""
    import modecontrol as mc

    try:
        model = task.model.with_parameters(**task.parameters) if task.parameters else task.model
        q = np.array(model.start if task.q is None else model.snapshot(task.q).q)
        for name, value in task.coordinates.items():
            q[model.coordinates.index(name)] = value
        if task.place is not None:
            q = task.place(model, q)
        v = (model.start_velocity if task.q is None else None) if task.v is None else task.v
        response = mc.dynamic_response(model.snapshot(q, v), **task.options)
    except (ValueError, ArithmeticError) as error:
        return [np.nan] * len(task.quantities), "", str(error)
    numbers = {"modes": float(len(response)), "thrust": np.nan, "loss": np.nan}
    mode, reason = "", ""
    if set(task.quantities) & {"thrust", "loss"}:
        best = mc.maximize(response, task.objective, margin=task.margin)
        mode, reason = (best.mode or "", "") if best else ("", best.reason)
        if best:
            numbers["thrust"] = float(best.value)
            numbers["loss"] = float(best.ambiguous_value - best.value)
    return [numbers[name] for name in task.quantities], mode, reason
