"""The words of a model, one value at a time: each is read, or refused with what was found and what was expected.

Every function raises `ValueError`; the caller adds the place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from modecontrol.dynamics.expressions import number, shown
from modecontrol.dynamics.mechanism import Point, Scalar
from modecontrol.validation import meant

Table = Mapping[str, Any]
"""Plain values by their words, as a model file or the builder has them."""


def known(table: Any, keys: Iterable[str]) -> None:
    """Refuse what is not a table or has a key that is not one of the words."""
    if not isinstance(table, Mapping):
        raise ValueError(f"found {shown(table)}; a table with the keys {', '.join(keys)} was expected")
    for key in table:
        if key not in keys:
            raise ValueError(f"unknown key '{key}'{meant(key, keys)}; expected keys are {', '.join(keys)}")


def needed(table: Table, key: str, expected: str) -> Any:
    """The value of a key that may not be left out."""
    if key not in table:
        raise ValueError(f"{key} is missing; expected {expected}")
    return table[key]


def text(key: str, value: Any) -> str:
    """A text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{key}: found {shown(value)}; a text was expected")
    return value


def name_of(table: Table) -> str:
    """The name of an entry."""
    return text("name", needed(table, "name", "a name"))


def one_of(key: str, value: Any, choices: Iterable[str]) -> str:
    """A text out of a few."""
    choices = tuple(choices)
    if not isinstance(value, str) or value not in choices:
        hint = meant(value, choices) if isinstance(value, str) else ""
        raise ValueError(f"{key}: found {shown(value)}{hint}; one of {', '.join(choices)} was expected")
    return str(value)


def scalar(key: str, value: Any) -> Scalar:
    """A number or an expression."""
    try:
        return number(value)
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None


def point(key: str, value: Any) -> Point:
    """Two numbers or expressions."""
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise ValueError(f"{key}: found {shown(value)}; two numbers [x, y] were expected")
    return scalar(key, value[0]), scalar(key, value[1])


def listed(key: str, value: Any) -> list[Any]:
    """A list."""
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"{key}: found {shown(value)}; a list was expected")
    return list(value)


def names(table: Table, one: str, many: str) -> tuple[str, ...]:
    """Names under the word for one or the word for many."""
    if one in table and many in table:
        raise ValueError(f"found {one} and {many}; one of them was expected")
    if one in table:
        return (text(one, table[one]),)
    return tuple(text(many, value) for value in listed(many, table.get(many, [])))


def scalars(table: Table, *keys: str) -> dict[str, Any]:
    """Numbers and expressions under those of the keys that the table has."""
    return {key: scalar(key, table[key]) for key in keys if key in table}


def points(table: Table, *keys: str) -> dict[str, Any]:
    """Points under those of the keys that the table has."""
    return {key: point(key, table[key]) for key in keys if key in table}


def inside(key: str, make: Callable[[Table], Any], table: Any) -> Any:
    """What is made of a table within a table; a message begins with its key."""
    try:
        return make(table)
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None
