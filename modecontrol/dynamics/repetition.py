"""One table for many entries: `repeat = "n"` and `{i}`; `{n}` works in every entry.

A table with `repeat` stands for one entry for each `i = 1 .. n`; one with `pairs` for one entry for each
`1 <= i < j <= n` with `j - i >= apart`. Braces in its texts hold arithmetic in `i`, `j` and the parameters
and must give whole numbers: `name = "link{i}"`, `parent = "link{i-1}"`. The tables `first` and `last` replace
keys in the first entry and in the last one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from modecontrol.dynamics.expressions import Expression, number, shown

KEYS = ("repeat", "pairs", "apart", "first", "last")
MOST = 100_000
"""Entries that one table may stand for."""

_BRACES = re.compile(r"\{([^{}]*)\}")


def expand(table: Mapping[str, Any], parameters: Mapping[str, float]) -> Iterator[dict[str, Any]]:
    """The entries for which a table of a model file stands; without `repeat` and `pairs` the table itself.

    Parameters
    ----------
    table
        A table of the file.
    parameters
        Values of the parameters, for the counts and within braces.

    Raises
    ------
    ValueError
        If a count is not a whole number, or braces do not give one.

    """
    if not isinstance(table, Mapping):
        raise ValueError(f"found {shown(table)}; a table was expected")
    if "repeat" not in table and "pairs" not in table:
        for key in ("apart", "first", "last"):
            if key in table:
                raise ValueError(f'found {key} without repeat or pairs; expected repeat = "n" beside it')
        yield filled(dict(table), parameters)
        return
    if "repeat" in table and "pairs" in table:
        raise ValueError("found repeat and pairs; one of them was expected")
    plain = {key: value for key, value in table.items() if key not in KEYS}
    indices = list(_indices(table, parameters))
    for place, index in enumerate(indices):
        entry = dict(plain)
        for key, applies in (("first", place == 0), ("last", place == len(indices) - 1)):
            replaced = table.get(key, {})
            if not isinstance(replaced, Mapping):
                raise ValueError(f"{key}: found {shown(replaced)}; a table of keys to replace was expected")
            if applies:
                entry.update(replaced)
        yield filled(entry, {**parameters, **index})


def filled(value: Any, values: Mapping[str, float]) -> Any:
    """The same lists and tables with `{...}` in every text replaced by the whole number that it gives.

    Parameters
    ----------
    value
        A text, list or table; anything else is returned as it is.
    values
        Values of the indices and parameters.

    """
    if isinstance(value, str):
        return _BRACES.sub(lambda found: _whole(found.group(1), values), value)
    if isinstance(value, list):
        return [filled(item, values) for item in value]
    if isinstance(value, Mapping):
        return {key: filled(item, values) for key, item in value.items()}
    return value


def _indices(table: Mapping[str, Any], parameters: Mapping[str, float]) -> Iterator[dict[str, int]]:
    if "repeat" in table:
        if "apart" in table:
            raise ValueError("found apart beside repeat; it belongs to pairs")
        yield from ({"i": i} for i in range(1, _count("repeat", table["repeat"], parameters) + 1))
        return
    n = _count("pairs", table["pairs"], parameters)
    apart = _count("apart", table.get("apart", 1), parameters)
    if apart < 1:
        raise ValueError("apart is 0; a positive whole number was expected")
    if n * (n - 1) // 2 > MOST:
        raise ValueError(f"pairs = {n} gives {n * (n - 1) // 2} entries; at most {MOST} were expected")
    yield from ({"i": i, "j": j} for i in range(1, n + 1) for j in range(i + apart, n + 1))


def _count(key: str, value: Any, parameters: Mapping[str, float]) -> int:
    """A whole number: positive if it is one parameter (`"n"`), not negative if it is computed (`"n - 1"`)."""
    try:
        read = number(value)
        count = read.evaluate(parameters) if isinstance(read, Expression) else read
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None
    alone = isinstance(value, str) and value.strip() in parameters
    if not float(count).is_integer() or count < (1 if alone else 0):
        what = f"parameter {value.strip()}" if alone else f"{key} ('{value}')"
        raise ValueError(f"{what} = {count:g}; a {'positive ' if alone else ''}whole number was expected")
    if count > MOST:
        raise ValueError(f"{key} = {count:g}; at most {MOST} entries were expected")
    return int(count)


def _whole(text: str, values: Mapping[str, float]) -> str:
    value = Expression(text).evaluate(values)
    if not value.is_integer():
        raise ValueError(f"'{{{text}}}' gives {value:g}; a whole number was expected in braces")
    return str(int(value))
