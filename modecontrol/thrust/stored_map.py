"""Maps of thrust from anywhere: axes, texts and measured states are checked, files are read as data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from modecontrol.archives import read_archive
from modecontrol.validation import as_tuple, check_word, real_array, shown

FORMAT = "modecontrol thrust map 1"
ARRAYS = ("base_q", "base_v", "torque", "value", "mode", "fallback")
WRITTEN = "a file written by ThrustMap.save"
Axis = tuple[str, str, np.ndarray]


def stored(path: Path) -> tuple[Any, ...]:
    """What a file holds, in the order of the fields of a map.

    Parameters
    ----------
    path
        The file.
    """
    data = read_archive(path, "thrust map", WRITTEN)
    try:
        header = json.loads(str(data["header"]))
        kind = header["format"]
    except (ValueError, TypeError, KeyError, RecursionError):
        kind = None
    if kind != FORMAT:
        raise ValueError(f"{path} is no thrust map (its format is {shown(kind)}; expected {FORMAT!r})")
    try:
        names = header["coordinates"]
        axes = tuple(
            axis_of((kind, name, data[f"axis{i}"]), names) for i, (kind, name) in enumerate(header["axes"])
        )
        return axes, names, *(data[name] for name in ARRAYS)
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"{path} is no thrust map ({shown(error)}); expected {WRITTEN}") from None


def axis_of(axis: Any, names: Sequence[str]) -> Axis:
    """One axis: of which kind, of which coordinate, and its ascending values.

    Parameters
    ----------
    axis
        What was handed in.
    names
        Names of the coordinates.
    """
    parts = as_tuple(axis, "an axis", "kind, name and values")
    if len(parts) != 3:
        raise ValueError(f"an axis is {shown(axis)}; expected (kind, name, values)")
    kind, name = check_word(parts[0], "kind of an axis", "qv"), check_word(parts[1], "name of an axis", names)
    values = real_array(parts[2], f"values of {name}", 1)
    if not len(values) or np.any(np.diff(values) <= 0):
        raise ValueError(f"values of {name} are {shown(values)}; expected ascending numbers")
    return kind, name, values


def texts_of(values: Any, name: str) -> np.ndarray:
    """Texts over the grid.

    Parameters
    ----------
    values
        What was handed in.
    name
        What they are, for the message.
    """
    array = None
    with suppress(ValueError, TypeError, RecursionError):  # rows of unequal length, or lists without an end
        array = np.array(values)
    if (
        array is None
        or array.dtype.kind not in "UO"
        or not all(isinstance(text, str) for text in array.ravel())
    ):
        raise ValueError(f"{name} is {shown(values)}; expected texts over the grid")
    return array


def measured(values: Any, name: str, count: int) -> np.ndarray:
    """The first numbers of a measured state, which may have more than the map.

    Parameters
    ----------
    values
        Configuration or velocities.
    name
        What they are, for the message.
    count
        How many the map has.
    """
    array = real_array(values, name, 1)
    if len(array) < count:
        raise ValueError(f"{name} has {len(array)} numbers; expected {count}, or more")
    return array[:count]
