"""URDF and MJCF files are looked through before other libraries read them: no entities, bounded sizes, finite numbers.

XML lets a file of a kilobyte stand for gigabytes (entities within entities) and name other files to be put in; both
need a document type, which no robot has. Counts and sizes that would fill the memory, files that are none (devices),
and numbers beyond double precision are refused here as well, with the line.
"""

from __future__ import annotations

import math
from pathlib import Path
from xml.parsers import expat

import numpy as np

from modecontrol.tolerances import ALIGNED, LARGEST
from modecontrol.validation import as_path, shown

MOST_BYTES = 50_000_000
MOST_ELEMENTS = 200_000
DEEPEST = 200
MOST_COPIES = 10_000
"""Copies of a part that a file may ask for."""
MOST_MEMORY = 10**9
"""Bytes, or entries, that a file may ask for in a `size` element."""
_SUFFIX = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40, "P": 2**50, "E": 2**60}


def check_xml(path: str | Path, what: str) -> Path:
    """The path of an XML file that can be read without danger.

    Parameters
    ----------
    path
        The file.
    what
        What it should be, for messages: "URDF file".

    Raises
    ------
    ValueError
        No file, no XML, or one that asks for too much.
    """
    path = as_path(path, "the file")
    if not path.is_file():
        raise ValueError(f"no file {str(path)!r}; expected the path of a {what}")
    _look_through(path, what, [])
    return path


def _look_through(path: Path, what: str, before: list[Path]) -> None:
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{str(path)!r} has more than {MOST_BYTES:,} bytes; expected a {what}")
    if path.resolve() in before or len(before) > 20:
        raise ValueError(f"{str(path)!r} includes itself; expected a {what}")
    found = _Elements(path, what)
    for other in found.included:
        if other.is_file():
            _look_through(other, what, [*before, path.resolve()])


class _Elements:
    """Goes through a file element by element."""

    def __init__(self, path: Path, what: str) -> None:
        self.path, self.depth, self.count = path, 0, 0
        self.included: list[Path] = []
        self.parser = expat.ParserCreate()
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        try:
            self.parser.Parse(path.read_bytes(), True)
        except expat.ExpatError as error:
            raise ValueError(f"{str(path)!r} is no XML ({error}); expected a {what}") from None

    def _refuse(self, found: str) -> None:
        raise ValueError(f"{str(self.path)!r}, line {self.parser.CurrentLineNumber}: {found}")

    def _doctype(self, *_: object) -> None:
        self._refuse("a document type with entities has no place in a robot; expected none")

    def _end(self, name: str) -> None:
        self.depth -= 1

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        self.count += 1
        if self.depth > DEEPEST or self.count > MOST_ELEMENTS:
            self._refuse(f"more than {DEEPEST} levels or {MOST_ELEMENTS:,} elements; expected a robot")
        for key, text in attributes.items():
            if key == "file":
                self._file(name, text)
            elif key == "name" or name in ("key", "custom", "text"):
                continue
            else:
                self._numbers(name, key, text)

    def _numbers(self, name: str, key: str, text: str) -> None:
        values = []
        for word in text.split():
            try:
                values.append(_number(word) if name == "size" else float(word))
            except ValueError:
                return  # words, not numbers
        bad = [value for value in values if not abs(value) <= LARGEST]
        if bad:
            self._refuse(f"{name} {key} is {shown(text)}; expected finite numbers up to {LARGEST:g}")
        if key in ("count", "copies") and math.prod(max(value, 1.0) for value in values) > MOST_COPIES:
            self._refuse(f"{name} asks for {shown(text)} copies; expected {MOST_COPIES:,} at most")
        if name == "mesh" and key == "vertex" and _is_flat(values):
            self._refuse(f"the vertices {shown(text)} of a mesh lie in a plane, or nearly; expected a solid")
        if name == "size" and any(value > MOST_MEMORY for value in values):
            self._refuse(f"{name} {key} is {shown(text)}; expected {MOST_MEMORY:g} at most")

    def _file(self, name: str, text: str) -> None:
        other = as_path(text, "the file") if Path(text).is_absolute() else self.path.parent / text
        if other.exists() and (not other.is_file() or other.stat().st_size > MOST_BYTES):
            self._refuse(f"{name} names {shown(text)}, no file of a size that can be read")
        if name == "include":
            self.included.append(other)


def _is_flat(values: list[float]) -> bool:
    """Whether points in space span no volume beside their distance; MuJoCo's hull would complain on the terminal."""
    if len(values) < 12 or len(values) % 3:
        return False  # MuJoCo has a sentence of its own
    points = np.reshape(values, (-1, 3))
    points = (points - points[0]) / (np.abs(points - points[0]).max(initial=0.0) or 1.0)
    return bool(np.linalg.svd(points - points.mean(axis=0), compute_uv=False)[2] < ALIGNED)


def _number(word: str) -> float:
    """A number that may end with K, M, G for a thousand, a million, ..."""
    return float(word[:-1]) * _SUFFIX[word[-1]] if word[-1:] in _SUFFIX else float(word)
