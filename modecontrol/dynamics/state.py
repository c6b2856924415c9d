"""Configurations and velocities as users write them: a sequence, or a dict by coordinate name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from modecontrol.tolerances import LARGEST
from modecontrol.validation import as_numbers, counted, did_you_mean, is_number, shown


def read_state(
    values: Any,
    names: Sequence[str],
    what: str,
    kinds: tuple[str, str] = ("coordinate", "coordinates"),
    most: float = LARGEST,
) -> np.ndarray:
    """`q` or `v` as a new, writable array of finite floats in the order of the coordinates.

    Parameters
    ----------
    values
        A sequence with one number per coordinate, or a mapping from coordinate names to numbers in which the
        coordinates that are not named are zero. A single number serves a mechanism with one coordinate.
    names
        Names of the coordinates, in order.
    what
        What is being read, "q" or "v": error messages begin with it.
    kinds
        What one of the names is, and what all of them are.
    most
        How large a number may be. Infinite where a run asks again and again: a run that leaves double precision ends with
        what it has, and says so.

    Returns
    -------
    numpy.ndarray
        Float64, C-contiguous, shape `(len(names),)`; never shares memory with `values`.

    Raises
    ------
    ValueError
        Wrong length, unknown coordinate, not a number, NaN, infinite or beyond `most`.

    """
    array = (
        _from_mapping(values, names, what, kinds)
        if isinstance(values, Mapping)
        else _from_sequence(values, names, what)
    )
    sound = np.isfinite(array) & (np.abs(array) <= most)
    if not sound.all():
        bad = int(np.argmin(sound))
        raise ValueError(f"{what} of {names[bad]!r} is {array[bad]}; expected {_size(array[bad])}")
    return array


def read_states(values: Any, names: Sequence[str], what: str) -> np.ndarray:
    """Many configurations or velocities as a new, writable array of finite floats, one per row.

    Parameters
    ----------
    values
        Rows with one number per coordinate.
    names
        Names of the coordinates, in order.
    what
        What is being read, "Q" or "V": error messages begin with it.

    """
    array = as_numbers(values, what)
    if array.ndim != 2 or array.shape[1] != len(names):
        raise ValueError(
            f"{what} has shape {array.shape}; expected rows of {counted(len(names), 'number')} ({', '.join(names)})"
        )
    sound = np.abs(array) <= LARGEST
    if not sound.all():
        row, column = np.argwhere(~sound)[0]
        found = array[row, column]
        raise ValueError(f"{what}[{row}] of {names[column]!r} is {found}; expected {_size(found)}")
    return array


def check_number(name: str, value: Any, expected: str) -> None:
    """Refuse what is not a single real number; NaN passes.

    Parameters
    ----------
    name, value
        What was given.
    expected
        What should have been given, for the message.

    """
    if not isinstance(value, int | float | np.integer | np.floating) or not is_number(value):
        raise ValueError(f"{name} is {shown(value)}; expected {expected}")


def _from_sequence(values: Any, names: Sequence[str], what: str) -> np.ndarray:
    if isinstance(values, str) or values is None:
        raise ValueError(f"{what} is {shown(values)}; expected {_expected(names)}")
    try:
        array = as_numbers(values, what)
    except ValueError as error:
        raise ValueError(f"{what} is no sequence of numbers ({error}); expected {_expected(names)}") from None
    if array.ndim == 0 and len(names) == 1:
        array = array.reshape(1)
    if array.shape != (len(names),):
        found = (
            f"{array.size} {'number' if array.size == 1 else 'numbers'}"
            if array.ndim == 1
            else f"shape {array.shape}"
        )
        raise ValueError(f"{what} has {found}; expected {_expected(names)}")
    return array


def _from_mapping(
    values: Mapping[Any, Any], names: Sequence[str], what: str, kinds: tuple[str, str]
) -> np.ndarray:
    array = np.zeros(len(names))
    index = {name: i for i, name in enumerate(names)}
    for name, value in values.items():
        if name not in index:
            raise ValueError(
                f"{what} names the unknown {kinds[0]} {name!r}{did_you_mean(name, names)} "
                f"({kinds[1]}: {', '.join(names)})"
            )
        if not is_number(value):
            raise ValueError(f"{what} of {name!r} is {shown(value)}; expected a number")
        array[index[name]] = float(value)
    return array


def _size(found: float) -> str:
    return f"a number up to {LARGEST:g} in size" if np.isfinite(found) else "a finite number"


def _expected(names: Sequence[str]) -> str:
    return f"{len(names)} {'number' if len(names) == 1 else 'numbers'} ({', '.join(names)}) or a dict by name"
