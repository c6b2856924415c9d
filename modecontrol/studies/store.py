"""Where chunks go as they land: a folder with a manifest and one file of columns for each chunk, or memory.

    manifest.json        what the study is (`description.describe`), the columns with their types, the fingerprint
    points.npz           the points of a design that is not a grid
    chunk-000000.npz     columns of the first points: a float64 array for numbers (NaN: none) and truth values (0, 1), for texts
                         an integer array of places in the array `NAME.words`

Files are written beside their place and renamed, so that a file that is there is whole; what a killed run
leaves behind is at most a `.part` file. `.npz` was chosen over Parquet: numpy is there already, the same
columns give the same bytes, and a checksum guards every array. Whoever wants Parquet writes
`study.to_pandas().to_parquet(...)`.
"""

from __future__ import annotations

import errno
import io
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from modecontrol.archives import read_archive
from modecontrol.studies.chunks import Columns
from modecontrol.studies.description import FORMAT, differences, fingerprint
from modecontrol.studies.designs import Design
from modecontrol.studies.stored import WORDS, WRITTEN, chunk_columns
from modecontrol.validation import LARGEST_TEXT, check_readable

MANIFEST, POINTS = "manifest.json", "points.npz"
PART = ".part"


class Store(Protocol):
    """What the runner needs of a place for chunks."""

    def ready(self) -> set[int]:
        """Numbers of the chunks that are there and whole."""

    def write(self, number: int, columns: Columns) -> None:
        """Keep a chunk."""

    def read(self, number: int) -> Columns:
        """A chunk that is there."""

    def tidy(self) -> None:
        """Called when every chunk is there."""


class Memory:
    """Chunks in this process; they are gone when it ends."""

    def __init__(self) -> None:
        self._chunks: dict[int, Columns] = {}

    def ready(self) -> set[int]:
        """Numbers of the chunks that are there."""
        return set(self._chunks)

    def write(self, number: int, columns: Columns) -> None:
        """Keep a chunk.

        Parameters
        ----------
        number, columns
            Its place and contents.
        """
        self._chunks[number] = columns

    def read(self, number: int) -> Columns:
        """A chunk that is there."""
        return self._chunks[number]

    def tidy(self) -> None:
        """Nothing is left behind in memory."""


class Folder:
    """Chunks of a study, kept in a folder.

    Parameters
    ----------
    path
        The folder.
    description
        Of the study that it belongs to.
    """

    def __init__(self, path: str | os.PathLike[str], description: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self.description = dict(description)
        self.fingerprint = fingerprint(description)

    # Opening
    # -------------------------------------------------------------------------------------------------

    def open(self, design: Design, resume: bool) -> None:
        """Make the folder, or check that it belongs to this study; nothing of another one is ever touched.

        Parameters
        ----------
        design
            Its points are stored when they are not a grid.
        resume
            Whether chunks may be there already.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ValueError(
                f"out={str(self.path)!r}: the folder cannot be made ({error.strerror}); choose another one"
            ) from None
        there = read_manifest(self.path)
        if there is None:
            strange = sorted(file.name for file in self.path.iterdir() if not file.name.endswith(PART))
            if [name for name in strange if name != POINTS]:
                raise ValueError(
                    f"out={str(self.path)!r} is not empty and holds no study ({', '.join(strange[:3])}"
                    f"{', ...' if len(strange) > 3 else ''}); nothing was written: choose another folder"
                )
            self._begin(design)
            return
        other = {key: there.get(key) for key in self.description}
        different = differences(json.loads(json.dumps(self.description)), other)
        if different:
            raise ValueError(
                f"out={str(self.path)!r} holds another study: {'; '.join(different[:3])}"
                f"{f' (and {len(different) - 3} more)' if len(different) > 3 else ''}; nothing was written: choose "
                "another folder"
            )
        if not resume and self.ready():
            raise ValueError(
                f"out={str(self.path)!r} already holds {len(self.ready())} chunks of this study; resume=True goes on "
                "with it, or choose another folder"
            )

    def _begin(self, design: Design) -> None:
        if design.rows is not None:
            self._place(POINTS, {name: design.rows[:, i] for i, name in enumerate(design.names)})
        text = json.dumps({**self.description, "fingerprint": self.fingerprint}, indent=1) + "\n"
        self._rename(MANIFEST, text.encode())

    # Chunks
    # --------------------------------------------------------------------------------------------------

    def ready(self) -> set[int]:
        """Numbers of the chunks that are there; a file that cannot be read, or is not of this study, does not
        count.
        """
        found = set()
        for file in self.path.glob("chunk-*.npz"):
            try:
                number = int(file.stem.partition("-")[2])
                self.read(number)
            except (ValueError, OSError):
                continue
            found.add(number)
        return found

    def write(self, number: int, columns: Columns) -> None:
        """Write a chunk, whole or not at all.

        Parameters
        ----------
        number, columns
            Its place and contents.
        """
        arrays: dict[str, np.ndarray] = {"header": np.array(self._header(number))}
        for name, column in columns.items():
            if column.dtype == object:
                words, places = np.unique(column.astype(str), return_inverse=True)
                arrays[name], arrays[name + WORDS] = places.astype(np.int32), words
            else:
                arrays[name] = column
        self._place(name_of(number), arrays)

    def read(self, number: int) -> Columns:
        """A chunk that is there."""
        file = self.path / name_of(number)
        arrays = read_archive(file, "chunk of a study", WRITTEN)
        if str(arrays.get("header")) != self._header(number):
            raise ValueError(f"{file} belongs to another study or place")
        chunk = self.description["chunk"]
        rows = min(chunk, self.description["points"] - number * chunk)
        return chunk_columns(file, arrays, self.description, rows)

    def _header(self, number: int) -> str:
        return json.dumps({"study": self.fingerprint, "chunk": number})

    # Files
    # ---------------------------------------------------------------------------------------------------

    def _place(self, name: str, arrays: Mapping[str, np.ndarray]) -> None:
        made = io.BytesIO()
        np.savez_compressed(made, **arrays)  # type: ignore[arg-type]
        self._rename(name, made.getbuffer())

    def _rename(self, name: str, data: bytes | memoryview) -> None:
        part = self.path / f"{name}.{os.getpid()}{PART}"
        try:
            with open(part, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, self.path / name)
        except OSError as error:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
            what = "the disk is full" if full else f"writing failed ({error.strerror})"
            raise OSError(
                f"{what}: {name} was not written to {self.path}; the chunks written before are good: make room and start "
                "again to resume"
            ) from error

    def tidy(self) -> None:
        """Remove what killed runs left behind; called when every chunk is there."""
        for file in self.path.glob(f"*{PART}"):
            file.unlink(missing_ok=True)


def name_of(number: int) -> str:
    """File name of a chunk."""
    return f"chunk-{number:06d}.npz"


def read_manifest(path: Path) -> dict[str, Any] | None:
    """The manifest of a folder; None when there is none.

    Parameters
    ----------
    path
        The folder.
    """
    check_readable(path / MANIFEST, "a manifest that `study` wrote", LARGEST_TEXT)
    try:
        data = (path / MANIFEST).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        found = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        found = {}
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ValueError(
            f"{path / MANIFEST} is no manifest of a study ({FORMAT!r} was expected); nothing was written"
        )
    return found
