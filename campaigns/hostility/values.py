"""Values that nobody would pass on purpose: too large, too small, of the wrong kind, of the wrong shape."""

from __future__ import annotations

import datetime
import decimal
import fractions
from typing import Any

import numpy as np


class Unfriendly:
    """An object whose every conversion fails in its own way."""

    def __float__(self) -> float:
        raise RuntimeError("no float")

    def __array__(self, *args: Any, **words: Any) -> np.ndarray:
        raise RuntimeError("no array")

    def __repr__(self) -> str:
        raise RuntimeError("no text")

    def __str__(self) -> str:
        raise RuntimeError("no text")


class Liar:
    """Says that it has a length and has nothing in it."""

    def __len__(self) -> int:
        return 3

    def __getitem__(self, index: Any) -> float:
        raise IndexError("nothing here")


def _ragged() -> list[Any]:
    return [[1.0, 2.0], [3.0], []]


def _deep() -> list[Any]:
    nested: list[Any] = [1.0]
    for _ in range(60):
        nested = [nested]
    return nested


def _circle() -> list[Any]:
    circle: list[Any] = []
    circle.append(circle)
    return circle


NUMBERS = (
    *(0, -1, 1, 2, 3, 7, -0.0, 0.5, 1e-3, 1e3, 10**400, -(10**400), 2**63, 2**64, -(2**63)),
    *(float("nan"), float("inf"), float("-inf"), 5e-324, 1e-308, 1.8e308 / 2, -1.7e308, 1e300, 1e150, 1e100),
    *(1e99, 1e60, 1e30, -1e30, 1e16, 1e12, 1e9, 1e-9, 1e-12, 1e-16, 1e-30, 1e-99, 1e-150, 1e-300),
    *(np.float32(3e38), np.float16(6e4), np.int8(-128), np.uint64(2**64 - 1), np.longdouble("1e4000")),
)
WRONG = (
    *(
        None,
        True,
        False,
        np.True_,
        1j,
        complex("nan"),
        "",
        "x",
        "1e400",
        "nan",
        "alpha",
        "FFFF",
        b"FF",
        bytearray(3),
    ),
    *(
        "\0",
        "a" * 100_000,
        "é" * 50,
        "../../etc/passwd",
        "__import__('os').system('touch /tmp/hostile-was-here')",
    ),
    *((), [], {}, set(), frozenset({1.0}), range(3), slice(None), object(), Ellipsis, NotImplemented),
    *([None], ["a", "b"], [1j], [[]], [[[1.0]]], {"a": 1}, {1: 2}, {"q1": float("nan")}, [True, False]),
    *(datetime.date(2005, 1, 1), decimal.Decimal("1e5000"), decimal.Decimal("NaN"), fractions.Fraction(1, 3)),
    *(
        int,
        len,
        lambda *a, **k: None,
        lambda *a, **k: "x",
        lambda *a, **k: float("nan"),
        np,
        Exception("x"),
    ),
    *(np.zeros(0), np.zeros((0, 3)), np.zeros((3, 0)), np.zeros((2, 2, 2)), np.array(1.0), np.array("x")),
    *(np.array([1 + 2j]), np.array([None, 1]), np.array(["a"]), np.zeros(3, "M8[s]"), np.zeros(2, "i1,f8")),
    *(np.full(3, np.nan), np.full(3, np.inf), np.full((2, 2), 1e308), np.ma.masked_array([1.0, 2.0], [1, 0])),
    *(np.ones(100_000), np.eye(60), [1e308] * 4, [10**400] * 3, np.zeros((1, 1, 1, 1))),
)
MAKERS = (
    Unfriendly,
    Liar,
    _ragged,
    _deep,
    _circle,
    lambda: iter([1.0, 2.0]),
    lambda: (x for x in (1.0, 2.0)),
)
"""Made anew for every case: what is used up or changed by one must not reach the next."""


def any_value(rng: np.random.Generator) -> Any:
    """Something hostile."""
    kind = rng.random()
    if kind < 0.45:
        return NUMBERS[rng.integers(len(NUMBERS))]
    if kind < 0.92:
        return WRONG[rng.integers(len(WRONG))]
    return MAKERS[rng.integers(len(MAKERS))]()


def stretched(rng: np.random.Generator, value: Any) -> Any:
    """A sound value with its numbers stretched, its shape changed or a part replaced."""
    if isinstance(value, dict) and value:
        key = list(value)[rng.integers(len(value))]
        return (
            {**value, key: stretched(rng, value[key])}
            if rng.random() < 0.8
            else {**value, any_value_key(rng): 1.0}
        )
    if isinstance(value, str):
        return _text(rng, value)
    try:
        given = np.array(value)
        array = given.astype(float) if given.dtype.kind in "iuf" else np.zeros(0)
    except (TypeError, ValueError):
        return any_value(rng)
    if array.size == 0:
        return any_value(rng)
    flat = array.reshape(-1)
    with np.errstate(all="ignore"):
        return _stretched(rng, array, flat)


def _stretched(rng: np.random.Generator, array: np.ndarray, flat: np.ndarray) -> Any:
    how = rng.integers(7)
    at = rng.integers(flat.size)
    if how == 0:
        flat[at] = _finite(rng)
    elif how == 1:
        flat *= 10.0 ** rng.integers(-320, 300)
    elif how == 2:
        flat *= 10.0 ** rng.uniform(-12, 12, flat.size)
    elif how == 3:
        flat[at] *= 10.0 ** rng.integers(-200, 200)
    elif how == 4:
        flat[at] = (np.nan, np.inf, -np.inf)[rng.integers(3)]
    elif how == 5:
        return array[..., :-1] if array.ndim else any_value(rng)
    else:
        return np.concatenate([array, array]) if array.ndim else any_value(rng)
    return float(array) if array.ndim == 0 else array.tolist() if rng.random() < 0.3 else array


def any_value_key(rng: np.random.Generator) -> Any:
    """A key for a dictionary."""
    return ("", "x", 1, None, "q1", "alpha" * 100)[rng.integers(6)]


def _finite(rng: np.random.Generator) -> float:
    return float(rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-300, 300))


PIECES = (
    "1e400",
    "9" * 400,
    "nan",
    "inf",
    "-",
    "*",
    "/0",
    "(",
    ")",
    ">=",
    "==",
    "<",
    " ",
    "\n",
    "\0",
    "é",
    "'",
    '"',
    "**",
    ".",
    ",",
)


def _text(rng: np.random.Generator, text: str) -> str:
    at, other = sorted(rng.integers(0, len(text) + 1, 2))
    piece = PIECES[rng.integers(len(PIECES))]
    how = rng.integers(4)
    if how == 0:
        return text[:at] + piece + text[at:]
    if how == 1:
        return text[:at] + text[other:]
    if how == 2:
        return text[:at] + piece + text[other:]
    return text * int(rng.integers(2, 200))
