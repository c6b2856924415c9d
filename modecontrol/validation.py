"""What users hand in, read once and checked once: numbers, vectors, names.

A value that is no number, not finite or out of range is refused here with a sentence that says what was
found, what was expected and, where it helps, what was probably meant. Infinite means "no limit" only where a
function says so. In every function `value` or `values` is what was handed in, and `name` or `what` is what the
message calls it.
"""

from __future__ import annotations

import difflib
import inspect
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from modecontrol.tolerances import LARGEST, SMALLEST

LARGEST_TEXT = 1 << 26
"""Bytes that a text file may have: a model, a study, a manifest."""


def shown(value: Any) -> str:
    """A value in a message, cut short when it is long."""
    try:
        text = repr(value)
    except Exception:  # a repr may do anything, an integer of thousands of digits refuses to be printed
        text = f"a {type(value).__name__}"
    return text if len(text) <= 200 else text[:120] + " ..."


def counted(number: int, word: str) -> str:
    """`1 mode`, `2 modes`: a number with the word for what it counts."""
    return f"{number} {word}" if number == 1 else f"{number} {re.sub('y$', 'ie', word)}s"


def is_number(value: Any) -> bool:
    """Whether a value is one real number: not a bool, not text, not complex, not an array of several."""
    if type(value) is float:  # nearly always
        return True
    if isinstance(value, bool | np.bool_ | str | bytes | complex | np.complexfloating):
        return False
    if isinstance(value, np.ndarray) and (value.ndim != 0 or value.dtype.kind not in "iuf"):
        return False
    try:
        _float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _float(value: Any) -> float:
    if type(value) in (float, int):
        return float(value)
    with np.errstate(over="ignore"):  # a long double may be too large: infinite
        return float(value)


def check_number(
    value: Any,
    name: str,
    least: float = -math.inf,
    greatest: float = math.inf,
    *,
    unit: str = "",
    infinite: bool = False,
    whole: bool = False,
) -> float:
    """One real number in a range, ends included, as a float; with `infinite`, infinite means "no limit"."""
    number = _float(value) if is_number(value) else math.nan
    too_large = abs(number) > LARGEST and not (infinite and math.isinf(number))
    if math.isnan(number) or too_large or not least <= number <= greatest or (whole and number % 1):
        low = f" >= {least:g}" if least > -math.inf else ""
        high = f" <= {greatest:g}" if greatest < math.inf else ""
        between = f" from {least:g} to {greatest:g}" if low and high else low + high
        words = f"expected one {'' if infinite else 'whole ' if whole else 'finite '}number{between}" + (
            f" ({unit})" if unit else ""
        )
        raise ValueError(f"{name} is {shown(value)}; {words}")
    return number


def check_margin(margin: Any) -> float:
    """A distance to other modes, in input units."""
    return check_number(margin, "margin", least=0.0, unit="a distance in input units")


def check_count(value: Any, name: str, least: int = 0, greatest: int = 1_000_000) -> int:
    """A whole number in a range, ends included, as an int."""
    return int(check_number(value, name, least=least, greatest=greatest, whole=True))


def check_flag(value: Any, name: str) -> bool:
    """True or False."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} is {shown(value)}; expected True or False")
    return bool(value)


def check_function(value: Any, name: str, arguments: tuple[str, ...], named: tuple[str, ...] = ()) -> None:
    """Refuse what cannot be called with these arguments, some of them by name; None may stand for no function."""
    fits = value is None or (callable(value) and not isinstance(value, type))
    if fits and value is not None:
        try:
            inspect.signature(value).bind(*arguments, **dict.fromkeys(named))
        except TypeError:
            fits = False
        except ValueError:
            pass  # some builtins do not tell what they take
    if not fits:
        raise ValueError(
            f"{name} is {shown(value)}; expected a function {name}({', '.join((*arguments, *named))}), or None"
        )


def check_word(value: Any, name: str, known: Iterable[str]) -> str:
    """One of some words."""
    words = list(known)
    if not isinstance(value, str) or value not in words:
        hint = did_you_mean(value, words) if isinstance(value, str) else ""
        raise ValueError(f"{name} is {shown(value)}; expected one of {', '.join(words)}{hint}")
    return value


def check_texts(values: Any, what: str) -> tuple[str, ...]:
    """Several texts, such as names: a single text counts as one of them."""
    made = (values,) if isinstance(values, str) else as_tuple(values, what, "texts")
    if not all(isinstance(text, str) for text in made):
        raise ValueError(f"{what} is {shown(values)}; expected texts")
    return made


def as_tuple(values: Any, what: str, items: str) -> tuple[Any, ...]:
    """What can be gone through once, as a tuple; `items` are what its entries should be, for the message."""
    try:
        return tuple(values)
    except TypeError:
        raise TypeError(f"{what} is {shown(values)}; expected a sequence of {items}") from None


def as_mapping(values: Any, what: str, example: str) -> dict[str, Any]:
    """A mapping from names to anything, as a dict; the message shows `example`."""
    if not isinstance(values, Mapping) or not all(isinstance(name, str) for name in values):
        raise ValueError(f"{what} is {shown(values)}; expected values by name, such as {example}")
    return dict(values)


def as_path(value: Any, what: str = "path") -> Path:
    """The name of a file."""
    if not isinstance(value, str | PathLike):
        raise TypeError(f"{what} is {shown(value)}; expected the name of a file")
    if "\0" in str(value):
        raise ValueError(f"{what} is {shown(value)}; expected the name of a file")
    return Path(value)


def check_readable(path: Path, expected: str, most: int | None = None) -> None:
    """Refuse what has no end: a device, a pipe, a socket; with `most` a file of more bytes. What is not there is not refused.

    Parameters
    ----------
    path
        Of the file, or a link to it.
    expected
        What should be there, for the message.
    most
        Bytes that it may have.
    """
    if not path.exists() or path.is_dir():
        return
    if not path.is_file():
        raise ValueError(f"{path} is a device, a pipe or a socket; expected {expected}")
    if most is not None and path.stat().st_size > most:
        raise ValueError(f"{path} has {path.stat().st_size:,} bytes; expected {expected} of at most {most:,}")


def as_numbers(values: Any, what: str) -> np.ndarray:
    """Real numbers as a new array of floats, NaN and infinite ones among them; nothing is cut to fit."""
    if type(values) is np.ndarray and values.dtype == float:
        return values.copy(order="C")
    if type(values) is float:
        return np.array(values)
    array = None
    if np.ma.is_masked(values):
        raise ValueError(f"{what} has masked numbers: {shown(values)}; expected all of them")
    with suppress(TypeError, ValueError, OverflowError, RecursionError):
        given = np.asarray(values)
        kind = "" if _has_flags(values) else given.dtype.kind
        if kind in tuple("iuf") or given.size == 0 or (kind == "O" and all(map(is_number, given.ravel()))):
            with np.errstate(over="ignore"):
                array = np.array(given, dtype=float, order="C")
    if array is None:
        raise ValueError(
            f"{what} is not an array of numbers: {shown(values)}; expected real numbers, in rows of equal length"
        )
    return array


def _has_flags(values: Any) -> bool:
    """Whether True or False stands among the numbers of a list, or of rows in one: numpy takes them for 1 and 0."""
    if not isinstance(values, list | tuple):
        return False
    rows = (values, *(row for row in values if isinstance(row, list | tuple)))
    return any(isinstance(entry, bool | np.bool_) for row in rows for entry in row)


def real_array(values: Any, what: str, ndim: int | None = None, infinite: bool = False) -> np.ndarray:
    """Real numbers as a new array of floats: no NaN, none beyond `LARGEST`.

    It must have `ndim` dimensions if that is given. With `infinite`, infinite numbers and those beyond `LARGEST`
    mean "no limit".
    """
    array = as_numbers(values, what)
    if ndim is not None and array.ndim != ndim:
        raise ValueError(f"{what} has {array.ndim} dimensions, shape {array.shape}; expected {ndim}")
    sound = np.abs(array) <= LARGEST
    if infinite:
        array = np.where(~sound & ~np.isnan(array), np.copysign(np.inf, array), array)
        sound = ~np.isnan(array)
    if not np.all(sound):
        place = tuple(map(int, np.argwhere(~sound)[0]))
        where = f"{what}{list(place)}" if place else what
        kind = "finite numbers" if np.isinf(array[place]) else f"numbers up to {LARGEST:g}"
        raise ValueError(
            f"{where} is {array[place]}; expected {'numbers' if np.isnan(array[place]) else kind}"
        )
    return array


def coefficients(values: Any, what: str, by_row: bool = False) -> np.ndarray:
    """A matrix of real numbers; those that vanish beside the others are zero, and not all may be that small.

    The others are all numbers of the matrix or, with `by_row`, those of the same row.
    """
    array = real_array(values, what, 2)
    largest = np.abs(array).max(axis=1 if by_row else None, initial=0.0, keepdims=True)
    if np.any((largest > 0) & (largest < SMALLEST)):
        least = float(largest[(largest > 0) & (largest < SMALLEST)][0])
        where = f"a row of {what}" if by_row else what
        raise ValueError(
            f"{where} holds no number beyond {least:g}; expected coefficients above {SMALLEST:g}: choose other units"
        )
    array[np.abs(array) < SMALLEST] = 0.0
    return array


def as_vector(values: Any, names: Sequence[str], what: str) -> np.ndarray:
    """One finite real number for each name, from a sequence, an array or a mapping, as an array of its own."""
    by_name = isinstance(values, Mapping) and set(values) == set(names)
    try:
        found = real_array([values[name] for name in names] if by_name else values, what)
    except ValueError:
        found = None
    if found is None or found.shape != (len(names),):
        listed = f" ({', '.join(names)})" if names else ""
        numbers = "1 finite number" if len(names) == 1 else f"{len(names)} finite numbers"
        raise ValueError(
            f"{what} is {shown(values)}; expected {numbers}{listed}, or a dict of all of them by name"
        )
    return found


def nearest_word(word: object, known: Iterable[str]) -> str | None:
    """The known word that is spelt most alike; None when none is close."""
    return next(iter(difflib.get_close_matches(str(word), list(known), n=1)), None)


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """`"; did you mean 'alpha'?"` for the end of a sentence, or nothing when no known word is close."""
    near = nearest_word(word, known)
    return "" if near is None else f"; did you mean {near!r}?"


def meant(word: object, known: Iterable[str]) -> str:
    """`" (did you mean 'alpha'?)"` for a sentence that goes on, or nothing when no known word is close."""
    near = nearest_word(word, known)
    return "" if near is None else f" (did you mean {near!r}?)"


def check_bounds(name: str, given: Any, count: int) -> np.ndarray:
    """Bounds >= 0 of errors, one for each of `count` quantities, from one for all or one for each."""
    try:
        bounds = as_numbers(given, name)
    except ValueError:
        bounds = np.array(np.nan)
    if bounds.ndim > 1 or bounds.size not in (1, count) or not np.all((bounds >= 0) & (bounds < LARGEST)):
        said = shown(given.item() if isinstance(given, np.ndarray) and given.ndim == 0 else given)
        raise ValueError(
            f"{name} is {said}; expected one bound >= 0{f', or one for each of {count}' if count > 1 else ''}"
        )
    return np.broadcast_to(bounds, (count,)) + 0.0
