"""Is one value of a mechanism right? Numbers in their range, names that exist, and messages that say where.

Every check raises `ValueError` with what was found and what was expected; `at` puts the entry before it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from modecontrol.dynamics.couplings import Closure, Spring
from modecontrol.dynamics.expressions import Expression
from modecontrol.dynamics.mechanism import WORLD, Cable, Pin, Point, Scalar
from modecontrol.validation import meant


def check_value(
    key: str,
    scalar: Scalar,
    values: Mapping[str, float],
    expected: str,
    least: float = -math.inf,
    finite: bool = True,
) -> float:
    """The value of a number or an expression, at least `least` and, where it has to be, finite."""
    try:
        value = scalar.evaluate(values) if isinstance(scalar, Expression) else float(scalar)
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None
    if math.isnan(value) or value < least or (finite and math.isinf(value)):
        expected = "a finite number" if value == math.inf and finite else expected
        written = f" ('{scalar}')" if isinstance(scalar, Expression) else ""
        raise ValueError(f"{key} = {value:g}{written}; {expected} was expected")
    return value


def check_point(key: str, point: Point, values: Mapping[str, float]) -> None:
    """Both coordinates are finite."""
    for scalar in point:
        check_value(key, scalar, values, "a finite number")


def check_ordered(
    low_key: str, low: Scalar, high_key: str, high: Scalar, values: Mapping[str, float]
) -> None:
    """Two ends of a range, which may be infinite outwards, with room between them."""
    below = check_value(low_key, low, values, "a number", finite=False)
    above = check_value(high_key, high, values, "a number", finite=False)
    if not below < above or below == math.inf or above == -math.inf:
        raise ValueError(f"{low_key} = {below:g} and {high_key} = {above:g}; lower < upper was expected")


def check_exists(what: str, name: str, names: Iterable[str]) -> None:
    """The name is one of those declared."""
    if name not in names:
        raise ValueError(
            f"{what} '{name}' does not exist{meant(name, names)}; expected one of {listed(names) or 'none'}"
        )


def check_ends(
    part: Pin | Cable | Closure | Spring, bodies: Iterable[str], values: Mapping[str, float]
) -> None:
    """Two bodies and a point of each."""
    check_exists("body", part.body, bodies)
    if part.other != WORLD:
        check_exists("other", part.other, bodies)
    if part.other == part.body:
        raise ValueError(f"body and other are both '{part.body}'; two different bodies were expected")
    check_point("point", part.point, values)
    check_point("other_point", part.other_point, values)


def listed(names: Iterable[str]) -> str:
    """Names for a message, the first of them where there are many."""
    some = sorted(names)
    return ", ".join(some if len(some) <= 12 else [*some[:11], f"... ({len(some)} in all)"])


@contextmanager
def at(place: str) -> Iterator[None]:
    """A message of what stands inside begins with the place."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None
