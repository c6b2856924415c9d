"""What the page shows, as a request says it: read from JSON, checked, frozen.

A request comes from a browser, so nothing in it is believed: unknown names, wrong lengths, numbers that are
none and texts beyond `LONGEST` are refused with a sentence that the page can show.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from modecontrol import tolerances
from modecontrol.validation import counted

if TYPE_CHECKING:
    from modecontrol.dynamics.protocol import PlanarModel

LONGEST = 300
"""Characters of an objective or a constraint in a request."""
INTERVALS = 4
"""Friction coefficients that may be intervals at the same time: their ends have `2^INTERVALS` combinations.
"""


class RequestError(ValueError):
    """A request that makes no sense; its text is shown on the page."""


@dataclass(frozen=True)
class Shown:
    """The state of the page.

    Attributes
    ----------
    parameters
        Values that differ from the model's own.
    intervals
        Friction parameters that are known as (least, greatest) only.
    q, v, tau
        Configuration, velocity and inputs.
    axes
        Names of the one, two or three inputs that are drawn.
    keep
        Names of the contacts that stay closed when something moves.
    objective, tasks, margin
        What the best guaranteed torque maximises, what it has to meet, and its distance from other modes.
    """

    parameters: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]]
    q: tuple[float, ...]
    v: tuple[float, ...]
    tau: tuple[float, ...]
    axes: tuple[str, ...]
    keep: tuple[str, ...]
    objective: str
    tasks: tuple[str, ...]
    margin: float

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "parameters": dict(self.parameters),
            "intervals": {k: list(v) for k, v in self.intervals.items()},
            "q": list(self.q),
            "v": list(self.v),
            "tau": list(self.tau),
            "axes": list(self.axes),
            "keep": list(self.keep),
            "objective": self.objective,
            "tasks": list(self.tasks),
            "margin": self.margin,
        }

    @property
    def instant(self) -> tuple[Any, ...]:
        """Everything on which the response depends, hashable."""
        return tuple(sorted(self.parameters.items())), self.q, self.v, self.tasks


def read_shown(data: Any, start: Shown, model: PlanarModel, friction: Sequence[str]) -> Shown:
    """The state that a request describes; what it does not mention is as at the start.

    Parameters
    ----------
    data
        Parsed JSON.
    start
        The page's first state.
    model
        The model, for its names.
    friction
        Names of the parameters that may be intervals.
    """
    known = {f.name for f in fields(Shown)}
    table = mapping(data, "state", known)
    changes: dict[str, Any] = {}
    if "parameters" in table:
        values = mapping(table["parameters"], "parameters", model.parameters)
        changes["parameters"] = {name: number(value, name) for name, value in values.items()}
    if "intervals" in table:
        given = mapping(table["intervals"], "intervals", friction)
        if len(given) > INTERVALS:
            raise RequestError(f"{len(given)} coefficients are intervals; at most {INTERVALS} can be")
        changes["intervals"] = {name: _interval(pair, name) for name, pair in given.items()}
    for key, names in (("q", model.coordinates), ("v", model.coordinates), ("tau", model.inputs)):
        if key in table:
            changes[key] = numbers(table[key], names, key)
    for key, names in (("axes", model.inputs), ("keep", model.contacts)):
        if key in table:
            changes[key] = _names(table[key], names, key)
    if len(changes.get("axes", ())) > 3:
        raise RequestError(f"axes has {len(changes['axes'])} inputs; at most three can be drawn")
    if "objective" in table:
        changes["objective"] = text(table["objective"], "objective")
    if "tasks" in table:
        changes["tasks"] = tuple(text(task, "tasks") for task in _list(table["tasks"], "tasks", 16))
    if "margin" in table:
        changes["margin"] = number(table["margin"], "margin")
        if changes["margin"] < 0:
            raise RequestError(f"margin is {changes['margin']:g}; expected a distance >= 0")
    return replace(start, **changes)


def mapping(data: Any, what: str, known: Any) -> dict[str, Any]:
    """An object with known keys only.

    Parameters
    ----------
    data
        Parsed JSON.
    what
        What it is, for messages.
    known
        The keys that may stand in it.
    """
    if not isinstance(data, dict):
        raise RequestError(f"{what} is {_brief(data)}; expected an object")
    for key in data:
        if key not in known:
            raise RequestError(
                f"{what} names {_brief(key)}; expected some of {', '.join(map(str, known)) or 'none'}"
            )
    return data


def number(value: Any, what: str) -> float:
    """A finite number of reasonable size."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not abs(value) <= tolerances.LARGEST_ASKED
    ):
        raise RequestError(f"{what} is {_brief(value)}; expected a finite number")
    return float(value)


def numbers(value: Any, names: Sequence[str], what: str) -> tuple[float, ...]:
    """One number for each name."""
    found = _list(value, what, len(names))
    if len(found) != len(names):
        raise RequestError(
            f"{what} has {counted(len(found), 'number')}; expected {len(names)} ({', '.join(names) or 'none'})"
        )
    return tuple(number(x, f"{what} {name}") for x, name in zip(found, names, strict=True))


def text(value: Any, what: str) -> str:
    """A short text."""
    if not isinstance(value, str) or len(value) > LONGEST:
        raise RequestError(f"{what} is {_brief(value)}; expected text of at most {LONGEST} characters")
    return value


def _interval(value: Any, name: str) -> tuple[float, float]:
    pair = _list(value, name, 2)
    if len(pair) != 2:
        raise RequestError(f"interval of {name} has {len(pair)} ends; expected two")
    low, high = number(pair[0], name), number(pair[1], name)
    if not 0 <= low <= high or not math.isfinite(high):
        raise RequestError(f"interval of {name} is {low:g} to {high:g}; expected 0 <= least <= greatest")
    return low, high


def _names(value: Any, known: Sequence[str], what: str) -> tuple[str, ...]:
    found = _list(value, what, len(known))
    for name in found:
        if not isinstance(name, str) or name not in known:
            raise RequestError(f"{what} names {_brief(name)}; expected some of {', '.join(known) or 'none'}")
    if len(set(found)) != len(found):
        raise RequestError(f"{what} names {', '.join(found)}; expected each once")
    return tuple(found)


def _list(value: Any, what: str, most: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > most:
        raise RequestError(f"{what} is {_brief(value)}; expected a list of at most {most}")
    return value


def _brief(value: Any) -> str:
    """Whatever came, short enough for a message."""
    words = repr(value)
    return words if len(words) <= 40 else words[:37] + "..."
