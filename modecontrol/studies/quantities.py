"""What a study computes at a point: one small function for each quantity.

A quantity is a function of a `Point` that returns a number, a truth value or a text, or a dict of them by
column. To add one, write the function and decorate it:

    @with_columns({"modes": "count"}, name="modes")
    def modes(point): ...

It raises `NoAnswerError` where the mechanics has no answer; the point then has NaN (or "") there, and keeps
the reason. What it adds to `point.remarks` is kept there, too: a search that was stopped has a value, and says so.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from modecontrol.studies.points import THRUST, NoAnswerError, Point
from modecontrol.validation import as_mapping, as_tuple, did_you_mean, shown

NUMBER, COUNT, TRUTH, TEXT = TYPES = ("number", "count", "truth", "text")


@dataclass(frozen=True, eq=False)
class Quantity:
    """A function of a point with the columns that it fills.

    Attributes
    ----------
    name
        How it is asked for.
    columns
        Type of each column: "number", "count", "truth" or "text".
    function
        `function(point, **settings)`.
    settings
        Further arguments.
    objective
        Whether it needs the study's objective.
    varies
        Whether it measures something that differs from run to run, such as time.
    """

    name: str
    columns: Mapping[str, str]
    function: Callable[..., Any] = field(repr=False)
    settings: Mapping[str, Any] = field(default_factory=dict)
    objective: bool = False
    varies: bool = False

    def __post_init__(self) -> None:
        columns = as_mapping(self.columns, "columns of a quantity", '{"height": "number"}')
        as_mapping(self.settings, "settings of a quantity", '{"samples": 100}')
        for column, kind in columns.items():
            if not isinstance(kind, str) or kind not in TYPES:
                raise ValueError(
                    f"column {column!r} of quantity {self.name!r} has the type {kind!r}; expected one of "
                    f"{', '.join(TYPES)}"
                )
        try:
            known = inspect.signature(self.function).parameters
        except (TypeError, ValueError):
            raise ValueError(
                f"quantity {self.name!r} cannot be called; expected a function of a point"
            ) from None
        free = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in known.values())
        for name in self.settings:
            if not free and name not in list(known)[1:]:
                raise ValueError(
                    f"quantity {self.name!r} has no setting {name!r}{did_you_mean(name, list(known)[1:])} "
                    f"(settings: {', '.join(list(known)[1:]) or 'none'})"
                )

    def at(self, point: Point) -> dict[str, Any]:
        """A value for each column.

        Parameters
        ----------
        point
            Where.
        """
        found = self.function(point, **self.settings)
        if not isinstance(found, Mapping):
            found = {next(iter(self.columns)): found}
        if set(found) != set(self.columns):
            raise ValueError(
                f"returned the columns {', '.join(map(str, found)) or 'none'}; expected "
                f"{', '.join(self.columns)}: declare them with @with_columns(...)"
            )
        return {column: _value(column, found[column], kind) for column, kind in self.columns.items()}


def _value(column: str, value: Any, kind: str) -> Any:
    if kind == TEXT:
        return str(value)
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(
            f"{column} is {value!r}; expected a {'truth value' if kind == TRUTH else 'number'}"
        ) from None


BUILT_IN: dict[str, Quantity] = {}
"""Quantities by name."""


def with_columns(
    columns: Mapping[str, str], *, name: str | None = None, objective: bool = False, varies: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare the columns of a function of your own; without it a function fills one column of numbers.

    Parameters
    ----------
    columns
        Type of each column that it returns: "number", "count", "truth" or "text".
    name
        Name of the quantity; default the function's.
    objective
        Whether the function needs the study's objective (it asks for `point.best`).
    varies
        Whether it measures something that differs from run to run, such as time.
    """

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        called = name or function.__name__
        function.declared = {  # type: ignore[attr-defined]
            "name": called,
            "columns": dict(columns),
            "objective": objective,
            "varies": varies,
        }
        return function

    return declare


def _ship(function: Callable[..., Any]) -> Callable[..., Any]:
    made = Quantity(function=function, **function.declared)  # type: ignore[attr-defined]
    BUILT_IN[made.name] = made
    return function


def as_quantity(thing: Any) -> Quantity:
    """A quantity from its name, from a function, or from `{"name": ..., settings}`.

    Parameters
    ----------
    thing
        What a user gave.
    """
    if isinstance(thing, Quantity):
        return thing
    if isinstance(thing, Mapping):
        settings = dict(thing)
        made = as_quantity(settings.pop("name", None))
        return Quantity(
            made.name, made.columns, made.function, {**made.settings, **settings}, made.objective, made.varies
        )
    if callable(thing):
        declared = getattr(thing, "declared", None)
        called = getattr(thing, "__name__", type(thing).__name__)
        return Quantity(function=thing, **(declared or {"name": called, "columns": {called: NUMBER}}))
    if not isinstance(thing, str) or thing not in BUILT_IN:
        raise ValueError(
            f"quantity {shown(thing)} is unknown{did_you_mean(str(thing), list(BUILT_IN))}; expected some of "
            f"{', '.join(BUILT_IN)}, or a function of a point"
        )
    return BUILT_IN[thing]


def as_quantities(things: Sequence[Any], taken: Sequence[str] = ()) -> tuple[Quantity, ...]:
    """All quantities of a study; no column may stand twice.

    Parameters
    ----------
    things
        Names, functions, quantities.
    taken
        Columns that are already used: the names that vary.
    """
    alone = isinstance(things, str | Mapping) or callable(things)
    made = tuple(
        map(as_quantity, [things] if alone else as_tuple(things, "quantities", "names or functions"))
    )
    if not made:
        raise ValueError(f"no quantities; expected some of {', '.join(BUILT_IN)}, or functions of a point")
    seen = [*taken, "reason"]
    for one in made:
        for column in one.columns:
            if column in seen:
                raise ValueError(
                    f"the column {column!r} of quantity {one.name!r} is already there; give it another name"
                )
            seen.append(column)
    return made


# The quantities that ship
# ------------------------------------------------------------------------------------


def _promised(point: Point, best: Any) -> Any:
    """A `Thrust` that is an answer; one that might be better is remarked."""
    if not best:
        raise NoAnswerError(best.reason)
    if best.status != "optimal":
        point.remarks.append(best.reason)
    return best


@_ship
@with_columns({"modes": COUNT}, name="modes")
def count_modes(point: Point) -> int:
    """Number of contact modes with a nonempty domain."""
    return len(point.response.modes)


@_ship
@with_columns({"thrust": NUMBER, "mode": TEXT}, name="thrust", objective=True)
def best_thrust(point: Point) -> dict[str, Any]:
    """Best guaranteed value of the objective, and the contact mode that gives it."""
    best = _promised(point, point.best)
    return {"thrust": best.value, "mode": best.mode}


@_ship
@with_columns({"outcome_thrust": NUMBER}, name="outcome_thrust", objective=True)
def best_outcome(point: Point, patience: int = 300) -> float:
    """Best value that is reached whatever contact modes happen (`maximize` with `guarantee="outcome"`), among the
    first `patience` pieces of its search.
    """
    from modecontrol.thrust import maximize

    asked = {**point.chosen(THRUST), "guarantee": "outcome", "patience": patience}
    return _promised(point, maximize(point.response, point.objective, **asked)).value


@_ship
@with_columns({"critical_friction": NUMBER}, name="critical_friction")
def critical_friction(point: Point) -> float:
    """How many times its friction a state bears before the number of answers can change; infinite when any
    friction will do.
    """
    found = point.response.critical_friction()
    if not found:
        raise NoAnswerError(found.reason)
    return found.scale


@_ship
@with_columns({"loss": NUMBER}, name="loss", objective=True)
def loss_by_ambiguity(point: Point) -> float:
    """How much greater the best value would be if ambiguity were ignored."""
    best = _promised(point, point.best)
    return best.ambiguous_value - best.value


@_ship
@with_columns({"distance": NUMBER}, name="distance", objective=True)
def distance_to_rivals(point: Point) -> float:
    """Distance (input units) from the best inputs to the nearest other mode."""
    return _promised(point, point.best).distance


@_ship
@with_columns(
    {"volume_sure": NUMBER, "volume_ambiguous": NUMBER, "volume_inconsistent": NUMBER}, name="volumes"
)
def torque_volumes(point: Point) -> dict[str, float]:
    """Volumes of the torques with one motion, with several, and with none; infinite where torques are
    unlimited.
    """
    found = point.response.coverage()
    return {
        "volume_sure": found["unambiguous"],
        "volume_ambiguous": found["ambiguous"],
        "volume_inconsistent": found["inconsistent"],
    }


@_ship
@with_columns({"flipped": TRUTH, "flip_time": NUMBER, "upright_time": NUMBER}, name="flip")
def flip(point: Point, kind: str = "new", step: float = 1e-4, duration: float = 1.2) -> dict[str, Any]:
    """Whether RHex with the point's parameters flips over, when it passes the upper corner, and when 90
    degrees (s).
    """
    from modecontrol.trials.rhex.flip import fly

    parameters: dict[str, Any] = dict(point.model.parameters)
    run = fly(kind, step=step, duration=duration, **parameters)
    return {"flipped": np.isfinite(run.flipped), "flip_time": run.flipped, "upright_time": run.upright}


@_ship
@with_columns({"latency": NUMBER}, name="latency", objective=True, varies=True)
def latency(point: Point, calls: int = 20) -> float:
    """Median time (s) that `MaximalThrust` takes for one decision at the point's state."""
    from time import perf_counter

    from modecontrol.thrust import MaximalThrust

    options = {
        name: point.recipe.options[name]
        for name in ("physical", "task", "margin")
        if name in point.recipe.options
    }
    controller = MaximalThrust(point.model, point.objective, **options)
    times = []
    for _ in range(calls):
        start = perf_counter()
        controller.decide(0.0, point.q, point.v)
        times.append(perf_counter() - start)
    return float(np.median(times))
