"""A stored study is believed only after it was checked: manifest, points, and every chunk.

The manifest carries the fingerprint of itself and a digest of the points, chunks the fingerprint of the study they belong
to; npz archives carry a checksum of every array. Whoever changes a file on purpose can make all of them fit, so that
shapes and kinds are looked at, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from modecontrol.archives import read_archive
from modecontrol.studies.chunks import REASON, Columns
from modecontrol.studies.description import digest, fingerprint
from modecontrol.studies.designs import KINDS, Design
from modecontrol.studies.quantities import COUNT, TEXT, TRUTH, TYPES
from modecontrol.validation import as_numbers, shown

WORDS = ".words"
WRITTEN = "what `study` wrote"


def check_manifest(file: Path, header: Mapping[str, Any]) -> None:
    """Refuse a manifest that was changed, or whose entries are no study.

    Parameters
    ----------
    file
        It, for the message.
    header
        Its contents.
    """
    told = header.get("design")
    design = told if isinstance(told, dict) else {}
    columns, model = header.get("columns"), header.get("model")
    sound = (
        design.get("kind") in KINDS
        and _texts(design.get("names"))
        and isinstance(design.get("axes"), list)
        and isinstance(columns, list)
        and all(isinstance(one, dict) and one.get("type") in TYPES for one in columns)
        and _texts([one.get("name") for one in columns])
        and all(isinstance(header.get(name), int) for name in ("points", "chunk"))
        and header["points"] > 0
        and header["chunk"] > 0
        and isinstance(model, dict)
        and isinstance(model.get("name"), str)
        and "objective" in header
    )
    own = {key: value for key, value in header.items() if key != "fingerprint"}
    if not sound or header.get("fingerprint") != fingerprint(own):
        raise ValueError(f"{file} was changed or damaged; expected {WRITTEN}")


def stored_design(folder: Path, header: Mapping[str, Any], points: str) -> Design:
    """The points of a stored study.

    Parameters
    ----------
    folder
        Where it is.
    header
        Its manifest, checked.
    points
        Name of the file with the points of a design that is no grid.
    """
    told = header["design"]
    names = tuple(told["names"])
    if told["kind"] == "grid":
        axes = tuple(as_numbers(axis, f"an axis of {folder}") for axis in told["axes"])
        if len(axes) != len(names) or any(axis.ndim != 1 for axis in axes):
            raise ValueError(f"{folder} has {len(axes)} axes; expected a list of numbers for each of {names}")
        design = Design("grid", names, axes=axes)
    else:
        arrays = read_archive(folder / points, "list of points", WRITTEN)
        columns = [arrays.get(name, np.zeros(0)) for name in names]
        if any(column.shape != (header["points"],) or column.dtype.kind != "f" for column in columns):
            raise ValueError(
                f"{folder / points} lacks values of {', '.join(names)} at {header['points']} points; expected {WRITTEN}"
            )
        rows = np.column_stack(columns)
        if told.get("digest") != digest(rows.tobytes()):
            raise ValueError(f"{folder / points} was changed or damaged; expected {WRITTEN}")
        design = Design(told["kind"], names, rows=rows)
    if len(design) != header["points"]:
        raise ValueError(
            f"{folder} has {len(design)} points; expected {header['points']}, as its manifest says"
        )
    return design


def chunk_columns(
    file: Path, arrays: Mapping[str, np.ndarray], header: Mapping[str, Any], rows: int
) -> Columns:
    """Columns of a chunk, texts as objects.

    Parameters
    ----------
    file
        It, for the message.
    arrays
        What it holds.
    header
        Description of the study.
    rows
        Points that the chunk has.
    """
    types = {column["name"]: column["type"] for column in header["columns"]}
    found: Columns = {}
    for name in (*header["design"]["names"], *types, REASON):
        column, words = arrays.get(name), arrays.get(name + WORDS)
        kind = TEXT if name == REASON else types.get(name, "")
        if column is None or column.shape != (rows,) or not _fits(column, words, kind):
            raise ValueError(
                f"{file} has no sound column {shown(name)} of {rows} entries; expected {WRITTEN}"
            )
        found[name] = column if words is None else words.astype(object)[column]
    return found


def _fits(column: np.ndarray, words: np.ndarray | None, kind: str) -> bool:
    """Whether a column holds what its type says."""
    if kind == TEXT:
        return (
            words is not None
            and words.ndim == 1
            and words.dtype.kind == "U"
            and column.dtype.kind in "iu"
            and bool(np.all((column >= 0) & (column < len(words))))
        )
    if words is not None or column.dtype.kind != "f":
        return False
    known = column[~np.isnan(column)]
    if kind == COUNT:
        return bool(np.all(known == np.rint(known)) and np.all(np.abs(known) < 2**53))
    return kind != TRUTH or bool(np.all((known == 0) | (known == 1)))


def _texts(values: Sequence[Any] | None) -> bool:
    return (
        isinstance(values, list)
        and all(isinstance(value, str) for value in values)
        and len(set(values)) == len(values)
    )
