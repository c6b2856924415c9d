"""Numbers over two names as a rectangle: how many modes, the best guaranteed thrust, what ambiguity costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np

from modecontrol.studies.result import Study
from modecontrol.studies.study import study
from modecontrol.thrust.objective import LinearGoal
from modecontrol.validation import as_tuple, shown

MAPPED = ("modes", "thrust", "loss")
"""Number of modes with a nonempty domain; best unambiguous value of the objective; how much the best value
would be larger if ambiguity were ignored.
"""


@dataclass(frozen=True, eq=False)
class ParameterMap:
    """`values[quantity][i, j]` at `x[j]`, `y[i]`; NaN where there is no answer, `reasons[i][j]` says why.

    Attributes
    ----------
    model
        Name of the model.
    x_name, y_name
        Parameters, coordinates or velocities that were varied.
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


def parameter_map(
    model: Any,
    x: tuple[str, Sequence[float]],
    y: tuple[str, Sequence[float]],
    quantities: Sequence[str] = MAPPED,
    *,
    objective: LinearGoal | None = None,
    margin: float = 0.0,
    q: Any = None,
    v: Any = None,
    place: Callable[..., Any] | None = None,
    executor: Executor | int | None = None,
    chunksize: int = 8,
    progress: Callable[[int, int], Any] | bool = False,
    **options: Any,
) -> ParameterMap:
    """Evaluate a model on a grid of two names; a `study` with its result as rectangles.

    Parameters
    ----------
    model
        A `Model`.
    x, y
        Name and values of what varies. A parameter makes the model anew; a coordinate changes `q`, a velocity
        (`alpha_d`) `v`.
    quantities
        Some of "modes", "thrust", "loss".
    objective
        What to maximise, as for `mc.maximize`; needed for "thrust" and "loss".
    margin
        Distance (input units) to keep from other modes.
    q, v
        State; None takes the start of each model made, which follows its parameters.
    place
        `place(model, q) -> q`, called last: puts feet back on the ground, say. It must be picklable for
        processes.
    executor
        Any `concurrent.futures.Executor`, or a number of processes; None computes here, one point after the
        other.
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
    wanted = as_tuple(quantities, "quantities", "names")
    for name in wanted:
        if not isinstance(name, str) or name not in MAPPED:
            raise ValueError(f"quantity {shown(name)} is unknown; expected some of {', '.join(MAPPED)}")
    for axis, given in (("x", x), ("y", y)):
        if not isinstance(given, tuple | list) or len(given) != 2 or not isinstance(given[0], str):
            raise ValueError(
                f"{axis} is {shown(given)}; expected a name and its values, such as ('mu', [0.2, 0.4])"
            )
    if x[0] == y[0]:
        raise ValueError(f"{x[0]!r} stands on both axes; expected two different names")
    asked = [
        *wanted,
        *(["thrust"] if "loss" in wanted and "thrust" not in wanted else []),
    ]  # thrust names the mode
    found = study(
        model,
        {y[0]: y[1], x[0]: x[1]},
        asked,
        objective=objective,
        margin=margin,
        q=q,
        v=v,
        place=place,
        executor=1 if executor is None else executor,
        chunk=chunksize,
        progress=progress,
        **options,
    )
    return as_map(found, x[0], y[0], wanted)


def as_map(found: Study, x_name: str, y_name: str, quantities: Sequence[str]) -> ParameterMap:
    """A study over a grid of two names as a `ParameterMap`.

    Parameters
    ----------
    found
        The study; its last name varies along x.
    x_name, y_name
        Its names.
    quantities
        Columns to take.
    """
    y, x = found.design.axes
    shape = len(y), len(x)
    modes = found["mode"] if "mode" in found.columns else np.full(len(found), "", dtype=object)
    return ParameterMap(
        found.header["model"]["name"],
        x_name,
        y_name,
        x,
        y,
        {name: found[name].reshape(shape) for name in quantities},
        modes.astype(str).reshape(shape),
        found["reason"].reshape(shape).tolist(),
        str(found.header["objective"] or ""),
    )
