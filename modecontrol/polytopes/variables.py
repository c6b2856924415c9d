"""Names of the variables of a set: `("tau_rear", "tau_front")`, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from modecontrol.validation import did_you_mean, shown

__all__ = ["Names", "Values", "as_names", "common", "index", "indices", "some"]

Names = tuple[str, ...] | None
Values = Mapping[str, float] | Mapping[int, float] | Mapping[str | int, float]
"""Numbers of some variables, by name or number."""


def as_names(names: Any, n: int) -> Names:
    """Distinct strings, one per variable, or None for none."""
    if names is None:
        return None
    try:
        made = () if isinstance(names, str) else tuple(names)
    except TypeError:  # also what only claims to be a sequence, such as an array of no dimensions
        made = ()
    if len(made) != n or not all(isinstance(name, str) for name in made) or len(set(made)) != n:
        raise ValueError(f"names is {shown(names)}; expected {n} distinct strings, one per variable")
    return made


def common(first: Names, second: Names) -> Names:
    """The names of two sets that are put together: those of the one that has any, the same if both have."""
    if first is None or second is None or first == second:
        return first if second is None else second
    raise ValueError(
        f"the sets have the variables ({', '.join(first)}) and ({', '.join(second)}); expected the same, in the same order"
    )


def some(names: Names, chosen: Sequence[int] | np.ndarray) -> Names:
    """Names of the variables that stay."""
    return None if names is None else tuple(names[int(i)] for i in chosen)


def index(key: Any, names: Names, n: int) -> int:
    """Number of a variable, from its name or its number.

    Parameters
    ----------
    key
        A name, or a number from 0 on (negative numbers count from the end).
    names
        Names of the variables.
    n
        Number of variables.
    """
    if isinstance(key, str):
        if names is None:
            raise ValueError(
                f"the set has no variable {key!r}: its variables have no names; expected 0 to {n - 1}"
            )
        if key not in names:
            raise ValueError(
                f"the set has no variable {key!r}{did_you_mean(key, names)} (variables: {', '.join(names)})"
            )
        return names.index(key)
    if isinstance(key, bool | np.bool_) or not isinstance(key, int | np.integer) or not -n <= key < n:
        raise ValueError(
            f"the set has no variable {shown(key)}; expected a name or a number from 0 to {n - 1}"
        )
    return int(key) % n


def indices(keys: Any, names: Names, n: int) -> Any:
    """Names in a list of variables turned into numbers; anything else is handed on as it is."""
    if (
        isinstance(keys, str)
        or not isinstance(keys, list | tuple)
        or not any(isinstance(k, str) for k in keys)
    ):
        return keys if not isinstance(keys, str) else [index(keys, names, n)]
    return [index(key, names, n) for key in keys]
