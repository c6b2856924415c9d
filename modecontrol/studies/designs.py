"""Which points a study visits: full grids, Latin hypercubes, Sobol sequences, tables of one's own.

A design is a list of named points in a fixed order. A grid is never written out: `block(first, last)` makes
the rows that are asked for. Random designs are drawn once, from a seed, when they are made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.tolerances import LARGEST
from modecontrol.validation import as_mapping, as_numbers, shown

MOST_POINTS = 10**8
"""Points of a random design, which is held in memory."""
KINDS = ("grid", "latin hypercube", "sobol", "table")


@dataclass(frozen=True, eq=False)
class Design:
    """Named points in a fixed order; made by `grid`, `latin_hypercube`, `sobol` or `table`.

    Attributes
    ----------
    kind
        "grid", "latin hypercube", "sobol" or "table".
    names
        What varies.
    axes
        Values along each name of a grid, whose last name varies fastest; empty for the other kinds.
    rows
        (points, names) values of the other kinds; None for a grid.
    """

    kind: str
    names: tuple[str, ...]
    axes: tuple[np.ndarray, ...] = ()
    rows: np.ndarray | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for array in (*self.axes, *(() if self.rows is None else (self.rows,))):
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.rows) if self.rows is not None else int(np.prod(self.shape))

    @property
    def shape(self) -> tuple[int, ...]:
        """Points along each axis of a grid; `(points,)` otherwise."""
        return tuple(len(values) for values in self.axes) if self.rows is None else (len(self.rows),)

    def block(self, first: int, last: int) -> np.ndarray:
        """Points `first` to `last - 1`: an array (points, names).

        Parameters
        ----------
        first, last
            Places in the order of the design.
        """
        if self.rows is not None:
            return self.rows[first:last]
        places = np.unravel_index(np.arange(first, last), self.shape)
        return np.column_stack([values[i] for values, i in zip(self.axes, places, strict=True)])

    def __repr__(self) -> str:
        size = " x ".join(map(str, self.shape)) if self.kind == "grid" else len(self)
        return f"Design({self.kind} of {size} points over {', '.join(self.names)})"


def grid(values: Mapping[str, ArrayLike]) -> Design:
    """Every combination of the values; the last name varies fastest.

    Parameters
    ----------
    values
        Values by name.
    """
    values = as_mapping(values, "the grid", "{'mu': [0.2, 0.4]}")
    _some(values, "values of what varies, such as {'mu': [0.2, 0.4]}")
    return Design("grid", tuple(values), axes=tuple(_column(name, column) for name, column in values.items()))


def latin_hypercube(ranges: Mapping[str, tuple[float, float]], points: int, seed: int = 0) -> Design:
    """Random points, each range cut into as many equal parts as there are points and every part visited once.

    Parameters
    ----------
    ranges
        `(low, high)` by name.
    points
        How many.
    seed
        Seed of the random numbers.
    """
    from scipy.stats import qmc

    low, high = _ranges(ranges)
    unit = qmc.LatinHypercube(len(low), **_generator(qmc.LatinHypercube, seed)).random(_count(points))
    return Design("latin hypercube", tuple(map(str, ranges)), rows=low + unit * (high - low))


def sobol(ranges: Mapping[str, tuple[float, float]], points: int, seed: int = 0) -> Design:
    """The first points of a scrambled Sobol sequence: more even than random; best with a power of two.

    Parameters
    ----------
    ranges
        `(low, high)` by name.
    points
        How many.
    seed
        Seed of the scrambling.
    """
    from scipy.stats import qmc

    low, high = _ranges(ranges)
    count = _count(points)
    sequence = qmc.Sobol(len(low), scramble=True, **_generator(qmc.Sobol, seed))
    unit = sequence.random_base2(max(0, int(count - 1).bit_length()))[:count]
    return Design("sobol", tuple(map(str, ranges)), rows=low + unit * (high - low))


def table(columns: Any) -> Design:
    """Points one by one.

    Parameters
    ----------
    columns
        A mapping from names to columns of equal length, or a `pandas.DataFrame`.
    """
    if not hasattr(columns, "iloc"):
        columns = as_mapping(columns, "the table", "{'mu': [0.2, 0.4], 'slope': [0.1, 0.3]}")
    names = [str(name) for name in columns]
    _some(names, "a column per name, such as {'mu': [0.2, 0.4], 'slope': [0.1, 0.3]}")
    read = [_column(name, columns[name]) for name in columns]
    lengths = {name: len(column) for name, column in zip(names, read, strict=True)}
    if len(set(lengths.values())) > 1:
        raise ValueError(
            f"columns of the table have the lengths {lengths}; expected the same number of points in each"
        )
    return Design("table", tuple(names), rows=np.column_stack(read))


def as_design(points: Any) -> Design:
    """A design as it is, a `pandas.DataFrame` as a table, a mapping of values as a grid.

    Parameters
    ----------
    points
        What a user gave.
    """
    if isinstance(points, Design):
        return points
    if hasattr(points, "columns") and hasattr(points, "iloc"):
        return table(points)
    if isinstance(points, Mapping):
        return grid(points)
    raise ValueError(
        f"points are {points!r}; expected a dict of values by name (a grid), a pandas.DataFrame, or a design: "
        "grid, latin_hypercube, sobol or table of modecontrol.studies"
    )


def _generator(sampler: Any, seed: int) -> dict[str, Any]:
    """The seed under the name that this scipy gives it."""
    import inspect

    if not isinstance(seed, int | np.integer) or isinstance(seed, bool) or seed < 0:
        raise ValueError(f"seed is {shown(seed)}; expected an integer >= 0")
    known = inspect.signature(sampler.__init__).parameters
    return {"rng" if "rng" in known else "seed": np.random.default_rng(seed)}


def _some(things: Any, expected: str) -> None:
    if not len(things):
        raise ValueError(f"nothing varies; expected {expected}")


def _column(name: str, values: ArrayLike) -> np.ndarray:
    try:
        column = as_numbers(values, name)
    except ValueError:
        raise ValueError(f"values of {name!r} are {shown(values)}; expected numbers") from None
    if column.ndim == 0:
        column = column.reshape(1)
    if column.ndim != 1 or not len(column):
        raise ValueError(
            f"values of {name!r} have shape {column.shape}; expected at least one number in a row"
        )
    sound = np.abs(column) <= LARGEST
    if not np.all(sound):
        bad = int(np.argmin(sound))
        raise ValueError(
            f"value {bad} of {name!r} is {column[bad]}; expected finite numbers up to {LARGEST:g}"
        )
    return column


def _ranges(ranges: Mapping[str, tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
    ranges = as_mapping(ranges, "the ranges", "{'mu': (0.2, 0.8)}")
    _some(ranges, "a range by name, such as {'mu': (0.2, 0.8)}")
    for name, pair in ranges.items():
        column = _column(name, pair if isinstance(pair, Sequence | np.ndarray) else [np.nan])
        if len(column) != 2 or not column[0] < column[1]:
            raise ValueError(f"range of {name!r} is {shown(pair)}; expected (low, high) with low < high")
    both = np.array([tuple(map(float, pair)) for pair in ranges.values()])
    return both[:, 0], both[:, 1]


def _count(points: int) -> int:
    if not isinstance(points, int | np.integer) or isinstance(points, bool) or not 1 <= points <= MOST_POINTS:
        raise ValueError(
            f"points is {shown(points)}; expected a whole number of at least 1 and up to {MOST_POINTS}"
        )
    return int(points)
