"""`Study`: what a study found, a row for each point."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.studies.chunks import REASON, Columns, bounds
from modecontrol.studies.designs import Design
from modecontrol.studies.quantities import COUNT, TEXT, TRUTH
from modecontrol.studies.store import MANIFEST, POINTS, Folder, Store, read_manifest
from modecontrol.studies.stored import check_manifest, stored_design
from modecontrol.validation import as_path, counted, did_you_mean

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COMPLETE, INCOMPLETE = "complete", "incomplete"


@dataclass(frozen=True, eq=False)
class Study:
    """A row for each point, a column for each name that varies and for each quantity; made by `mc.study`.

    `study["thrust"]` is a column, an array in the order of the points; numbers that are missing are NaN and
    texts "".

    Attributes
    ----------
    design
        The points.
    columns
        Arrays by name: what varies, the quantities, and "reason", which says why a point has no answer, or
        why its answer is a lower bound ("" where neither holds).
    types
        "number", "count", "truth" or "text" of each quantity's column.
    header
        What the study was asked (the manifest of its folder).
    status, reason
        "complete", or "incomplete" and which points are missing.
    folder
        Where it is stored; None when it is not.
    """

    design: Design
    columns: Mapping[str, np.ndarray] = field(repr=False)
    types: Mapping[str, str]
    header: Mapping[str, Any] = field(repr=False)
    status: str = COMPLETE
    reason: str = ""
    folder: Path | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", MappingProxyType(dict(self.columns)))

    def __bool__(self) -> bool:
        return self.status == COMPLETE

    def __len__(self) -> int:
        return len(self.design)

    def __getitem__(self, name: str) -> np.ndarray:
        """One column.

        Parameters
        ----------
        name
            What varies, a quantity's column, or "reason".
        """
        if name not in self.columns:
            raise KeyError(
                f"{name!r} is no column of this study{did_you_mean(name, list(self.columns))} "
                f"(columns: {', '.join(self.columns)})"
            )
        return self.columns[name]

    @property
    def names(self) -> tuple[str, ...]:
        """What varies."""
        return self.design.names

    @cached_property
    def failed(self) -> int:
        """How many points lack a value and say why; a point with all its values may carry a remark."""
        lacking = np.zeros(len(self), dtype=bool)
        for name, kind in self.types.items():
            column = self.columns[name]
            lacking |= column == "" if kind == TEXT else np.isnan(column.astype(float))
        return int(np.count_nonzero(lacking & (self.columns[REASON] != "")))

    def reasons(self) -> dict[str, int]:
        """How often each reason stands, most frequent first."""
        words, counts = np.unique(self.columns[REASON].astype(str), return_counts=True)
        pairs = sorted(
            zip(counts.tolist(), words.tolist(), strict=True), key=lambda pair: (-pair[0], pair[1])
        )
        return {word: count for count, word in pairs if word}

    # Other forms
    # ---------------------------------------------------------------------------------------------

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame`: one row per point, a column per name and quantity (extra `[frames]`)."""
        frame = _optional("pandas").DataFrame({name: self.columns[name] for name in self.columns})
        for name, kind in self.types.items():
            if kind == TRUTH:
                frame[name] = frame[name].astype("boolean")
            elif kind == COUNT:
                frame[name] = frame[name].astype("Int64")
        return frame

    def to_xarray(self) -> Any:
        """An `xarray.Dataset`: a grid has a dimension per name, other designs the dimension `point` (extra
        `[frames]`).
        """
        xarray = _optional("xarray")
        shape = self.design.shape
        coords: dict[str, Any] = dict(zip(self.names, self.design.axes, strict=False))
        dims = self.names
        if self.design.kind != "grid":
            dims, coords = ("point",), {name: ("point", self.columns[name]) for name in self.names}
        data = {
            name: (dims, column.reshape(shape))
            for name, column in self.columns.items()
            if name not in self.names
        }
        return xarray.Dataset(
            data,
            coords=coords,
            attrs={
                "model": self.header["model"]["name"],
                "status": self.status,
                "objective": json.dumps(self.header["objective"]),
            },
        )

    def plot(self, quantity: str | None = None, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw one column over one or two names; returns the axes.

        Parameters
        ----------
        quantity
            Column to draw; None takes the first number or truth value.
        ax
            Matplotlib axes; None makes a figure.
        **options
            As for `modecontrol.view.study.plot_study`: `x`, `y`, `at`, `contours`, ...
        """
        from modecontrol.view.study import plot_study

        return plot_study(self, quantity, ax, **options)

    def __repr__(self) -> str:
        about = (
            f"{counted(self.failed, 'point')} without an answer" if self.failed else "an answer everywhere"
        )
        points = f"{len(self)} point{'' if len(self) == 1 else 's'}"
        return (
            f"Study({self.header['model']['name']}: {', '.join(self.types)} over {', '.join(self.names)}; {points}, "
            f"{self.status}, {about})"
        )

    # Stored
    # --------------------------------------------------------------------------------------------------

    @staticmethod
    def load(folder: str | PathLike[str]) -> Study:
        """What a folder holds, complete or not.

        Parameters
        ----------
        folder
            The `out` of a study.
        """
        path = as_path(folder, "the folder of a study")
        header = read_manifest(path)
        if header is None:
            raise ValueError(f"{path} holds no study (there is no {MANIFEST})")
        description = {key: value for key, value in header.items() if key != "fingerprint"}
        check_manifest(path / MANIFEST, header)
        design = stored_design(path, header, POINTS)
        return collect(design, description, Folder(path, description), {}, path)


def collect(
    design: Design,
    description: Mapping[str, Any],
    store: Store,
    given_up: Mapping[int, str],
    folder: Path | None = None,
    ready: Iterable[int] | None = None,
) -> Study:
    """All chunks as one study.

    Parameters
    ----------
    design, description
        Of the study.
    store
        Where the chunks are.
    given_up
        Reasons of chunks that are missing for good.
    folder
        Where the study is stored.
    ready
        Numbers of the chunks that are there; None looks.
    """
    spans = bounds(len(design), description["chunk"])
    there = store.ready() if ready is None else set(ready)
    types = {column["name"]: column["type"] for column in description["columns"]}
    parts: dict[str, list[np.ndarray]] = {name: [] for name in (*design.names, *types, REASON)}
    missing = 0
    for number, (first, last) in enumerate(spans):
        if number in there:
            chunk = store.read(number)
        else:
            missing += last - first
            chunk = _blank(design, types, first, last, given_up.get(number, "not computed yet"))
        for name, part in parts.items():
            part.append(chunk[name])
    columns = {name: np.concatenate(part) for name, part in parts.items()}
    for column in columns.values():
        column.setflags(write=False)
    reason = (
        ""
        if not missing
        else f"{missing} of {len(design)} points are missing"
        + (f": {next(iter(given_up.values()))}" if given_up else "; run the study again to go on")
    )
    return Study(design, columns, types, description, INCOMPLETE if missing else COMPLETE, reason, folder)


def _blank(design: Design, types: Mapping[str, str], first: int, last: int, reason: str) -> Columns:
    rows, count = design.block(first, last), last - first
    chunk: Columns = {name: rows[:, i] for i, name in enumerate(design.names)}
    for name, kind in types.items():
        chunk[name] = np.full(count, "", dtype=object) if kind == TEXT else np.full(count, np.nan)
    chunk[REASON] = np.full(count, reason, dtype=object)
    return chunk


def _optional(package: str) -> Any:
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != package:
            raise
        raise ModuleNotFoundError(
            f'{package} is not installed; install it with: pip install "modecontrol[frames]"', name=package
        ) from None
