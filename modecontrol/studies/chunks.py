"""A chunk of a study: consecutive points, evaluated together into columns. This is what a worker does.

Nothing here depends on the worker, on other chunks or on the time of day, so chunks may be computed anywhere, in
any order, twice.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from modecontrol.studies.points import NoAnswerError, Points, Recipe
from modecontrol.studies.quantities import TEXT

REASON = "reason"
Columns = dict[str, np.ndarray]


def evaluate(recipe: Recipe, first: int, rows: np.ndarray) -> Columns:
    """Values of all quantities at some points, as columns; a point that fails has NaN or "" and its reason.

    Parameters
    ----------
    recipe
        What is computed.
    first
        Place of the first point in the study.
    rows
        (points, names): the points.
    """
    blank = {
        name: ("" if kind == TEXT else np.nan)
        for one in recipe.quantities
        for name, kind in one.columns.items()
    }
    found: dict[str, list[Any]] = {name: [] for name in (*blank, REASON)}
    points = Points(recipe)
    for i, row in enumerate(rows):
        values, reason = _at(points, recipe, first + i, row)
        for name, missing in blank.items():
            found[name].append(values.get(name, missing))
        found[REASON].append(reason)
    columns = {name: np.ascontiguousarray(rows[:, j]) for j, name in enumerate(recipe.names)}
    for name, column in found.items():
        text = name == REASON or blank[name] == ""
        columns[name] = np.array(column, dtype=object if text else float)
    return columns


def _at(points: Points, recipe: Recipe, index: int, row: np.ndarray) -> tuple[dict[str, Any], str]:
    """Values by column at one point, and why some are missing or might be better."""
    values: dict[str, Any] = {}
    try:
        point = points.at(index, row)
        _ = point.snapshot
    except Exception as error:
        return values, _words(error)
    reasons = []
    for one in recipe.quantities:
        try:
            values.update(one.at(point))
        except NoAnswerError as error:
            reasons.append(str(error))
        except Exception as error:
            own = _words(error)
            reasons.append(own if type(error).__module__.startswith("modecontrol") else f"{one.name}: {own}")
    return values, "; ".join(dict.fromkeys([*reasons, *point.remarks]))


def _words(error: Exception) -> str:
    """An error in one line; its kind is named unless it is a plain `ValueError`, whose text says everything."""
    text = " ".join(str(error.args[0] if isinstance(error, KeyError) and error.args else error).split())
    if isinstance(error, ValueError | ArithmeticError) and text:
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def bounds(points: int, chunk: int) -> list[tuple[int, int]]:
    """`(first, last)` of every chunk.

    Parameters
    ----------
    points
        Points of the study.
    chunk
        Points in a chunk.
    """
    return [(first, min(first + chunk, points)) for first in range(0, points, chunk)]


def chunk_size(points: int) -> int:
    """Points in a chunk when nobody says: about 64 chunks, of 4 to 1000 points. It depends on nothing else."""
    return min(1000, max(4, -(-points // 64)))
