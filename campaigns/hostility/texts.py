"""Small damage to texts: model files, XML, command lines."""

from __future__ import annotations

import re

import numpy as np

NUMBERS = (
    "1e400",
    "-1e400",
    "nan",
    "inf",
    "-inf",
    "1e308",
    "1e-320",
    "1e99",
    "1e30",
    "1e12",
    "-1",
    "0",
    "1e-12",
    "9" * 400,
    "0x1F",
)
JUNK = (
    "",
    " ",
    "\0",
    "é",
    "\n",
    '"',
    "'",
    "[",
    "]",
    "{",
    "}",
    "=",
    "<",
    ">",
    "&",
    "#",
    ",",
    ".",
    "\\",
    "$(touch /tmp/hostile-was-here)",
)
_NUMBER = re.compile(r"(?<![\w.])-?\d+\.?\d*(?:[eE][-+]?\d+)?")


def damaged(rng: np.random.Generator, text: str) -> str:
    """One to three small changes."""
    for _ in range(int(rng.integers(1, 4))):
        text = _KINDS[rng.integers(len(_KINDS))](rng, text)
    return text


def _number(rng: np.random.Generator, text: str) -> str:
    found = list(_NUMBER.finditer(text))
    if not found:
        return text
    at = found[rng.integers(len(found))]
    new = (
        NUMBERS[rng.integers(len(NUMBERS))]
        if rng.random() < 0.7
        else repr(float(10.0 ** rng.uniform(-30, 30)))
    )
    return text[: at.start()] + new + text[at.end() :]


def _junk(rng: np.random.Generator, text: str) -> str:
    at = int(rng.integers(len(text) + 1))
    return text[:at] + JUNK[rng.integers(len(JUNK))] + text[at:]


def _cut(rng: np.random.Generator, text: str) -> str:
    at, to = sorted(int(i) for i in rng.integers(0, len(text) + 1, 2))
    return text[:at] + text[min(to, at + 200) :]


def _truncated(rng: np.random.Generator, text: str) -> str:
    return text[: int(rng.integers(len(text) + 1))]


def _lines(rng: np.random.Generator, text: str) -> str:
    """A line left out, doubled, or moved."""
    lines = text.split("\n")
    at, to = (int(i) for i in rng.integers(0, len(lines), 2))
    line = lines[at]
    if rng.random() < 0.5:
        del lines[at]
    if rng.random() < 0.6:
        lines.insert(to, line)
    return "\n".join(lines)


def _word(rng: np.random.Generator, text: str) -> str:
    """A word replaced by another one of the text."""
    words = list(re.finditer(r"[A-Za-z_]\w*", text))
    if len(words) < 2:
        return text
    one, other = (words[i] for i in rng.integers(0, len(words), 2))
    return text[: one.start()] + other.group() + text[one.end() :]


def _repeated(rng: np.random.Generator, text: str) -> str:
    at, to = sorted(int(i) for i in rng.integers(0, len(text) + 1, 2))
    return text[:to] + text[at:to] * int(rng.integers(1, 30)) + text[to:]


_KINDS = (_number, _number, _number, _junk, _cut, _truncated, _lines, _lines, _word, _word, _repeated)
