"""What users hand in, read once and checked once: numbers, vectors, names.

A value that is no number, not finite or out of range is refused here with a sentence that says what was
found, what was expected and, where it helps, what was probably meant. Infinite means "no limit" only where a
function says so.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

LARGEST = 1e100
"""Numbers beyond this are taken for mistakes: their products leave the range of double precision."""


def shown(value: Any) -> str:
    """A value in a message, cut short when it is long."""
    try:
        text = repr(value)
    except Exception:  # a repr may do anything, an integer of thousands of digits refuses to be printed
        text = f"a {type(value).__name__}"
    return text if len(text) <= 200 else text[:120] + " ..."


def is_number(value: Any) -> bool:
    """Whether a value is one real number: not a bool, not text, not complex, not an array of several."""
    if isinstance(value, bool | np.bool_ | str | bytes | complex | np.complexfloating):
        return False
    if isinstance(value, np.ndarray) and (value.ndim != 0 or value.dtype.kind not in "iuf"):
        return False
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


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
    """One real number in a range, as a float.

    Parameters
    ----------
    value
        What was handed in.
    name
        What it is, for the message.
    least, greatest
        The range, ends included.
    unit
        Unit, for the message.
    infinite
        Whether infinite is allowed and means "no limit".
    whole
        Whether it must be a whole number.
    """
    number = float(value) if is_number(value) else math.nan
    too_large = abs(number) > LARGEST and not (infinite and math.isinf(number))
    if math.isnan(number) or too_large or not least <= number <= greatest or (whole and number % 1):
        low = f" >= {least:g}" if least > -math.inf else ""
        high = f" <= {greatest:g}" if greatest < math.inf else ""
        words = f"expected one {'' if infinite else 'whole ' if whole else 'finite '}number{low}{high}" + (
            f" ({unit})" if unit else ""
        )
        raise ValueError(f"{name} is {shown(value)}; {words}")
    return number


def check_margin(margin: Any) -> float:
    """A distance to other modes, in input units."""
    return check_number(margin, "margin", least=0.0, unit="a distance in input units")


def as_vector(values: Any, names: Sequence[str], what: str) -> np.ndarray:
    """One finite real number for each name, as an array of its own.

    Parameters
    ----------
    values
        What was handed in: a sequence or an array.
    names
        What the numbers stand for.
    what
        What the vector is, for the message.
    """
    found: np.ndarray | None
    try:
        given = np.asarray(values)
        found = None if given.dtype.kind not in "iufO" else np.array(given, dtype=float)
        if given.dtype.kind == "O" and not all(is_number(value) for value in given.ravel()):
            found = None
    except (TypeError, ValueError, OverflowError):
        found = None
    if found is None or found.shape != (len(names),) or not np.all(np.abs(found) <= LARGEST):
        listed = f" ({', '.join(names)})" if names else ""
        raise ValueError(f"{what} is {shown(values)}; expected {len(names)} finite numbers{listed}")
    return found


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`"; did you mean 'alpha'?"`, or nothing when no known word is close.

    Parameters
    ----------
    word
        What was handed in.
    known
        The words that would have been understood.
    """
    close = difflib.get_close_matches(str(word), list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
