"""What scripts printed, for the pages: blocks as they are, but tables too wide for a block, and drawn ones, as tables.

A table in columns is a run of lines, each with several gaps of two blanks or more; its first line is the head. A column ends where
every line is blank. One blank alone parts two columns only if both have a head and entries: it may stand within words.
"""

from __future__ import annotations

import re
import textwrap
from itertools import groupby

COLUMNS = 110
"""Letters of a line of code, which the pages show whole at a width of 1280 pixels; sentences are broken there."""
SIZES = {126: "letters", 136: "small-letters"}
"""Classes of the style sheet for blocks by the columns of their tables; what is wider becomes a table of the page."""
NUMBER = re.compile(r"[-+]?\d[\d.,]*(e[-+]?\d+)?|-|")


def typeset(lines: list[str]) -> str:
    """MyST text of printed lines."""
    parts: list[str] = []
    plain: list[str] = []
    for kind, found in groupby(lines, _kind):
        run = list(found)
        if kind == "drawn":
            parts += [_block(plain), _table(_drawn(run))]
        elif kind == "columns" and len(run) > 1 and max(map(len, run)) > max(SIZES):
            parts += [_block(plain), _table(cells(run))]
        else:
            plain += run
            continue
        plain = []
    return "\n\n".join(part for part in [*parts, _block(plain)] if part)


def _kind(line: str) -> str:
    if line.startswith("|"):
        return "drawn"
    return "columns" if len(re.findall(r"\S {2,}(?=\S)", line)) > 1 else "sentence"


def _drawn(run: list[str]) -> list[list[str]]:
    """Cells of a table drawn with strokes."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in run]
    return [row for row in rows if any(cell.strip("-:") for cell in row)]


def cells(run: list[str]) -> list[list[str]]:
    """Cells of a table in columns, the head first."""
    width = max(map(len, run))
    rows = [line.ljust(width) for line in run]
    filled = "".join(" " if all(row[at] == " " for row in rows) else "x" for at in range(width))
    spans = [found.span() for found in re.finditer("x+", filled)]
    parted = [spans[0]]
    for begin, end in spans[1:]:
        last = parted[-1]
        if begin - last[1] == 1 and not (_whole(rows, last) and _whole(rows, (begin, end))):
            parted[-1] = (last[0], end)
        else:
            parted.append((begin, end))
    return [[row[begin:end].strip() for begin, end in parted] for row in rows]


def _whole(rows: list[str], span: tuple[int, int]) -> bool:
    """Whether a column has a head and entries."""
    head, *entries = (row[slice(*span)].strip() for row in rows)
    return bool(head and any(entries))


def _table(rows: list[list[str]]) -> str:
    """A table of the page in small letters, numbers at the right of their columns."""
    numeric = [all(NUMBER.fullmatch(cell) for cell in column[1:]) for column in zip(*rows, strict=True)]
    rule = ["--:" if right else ":--" for right in numeric]
    head, *entries = [[_plain(cell) for cell in row] for row in rows]
    lines = ["| " + " | ".join(row) + " |" for row in (head, rule, *entries)]
    return "\n".join([":::{table}", ":class: printed", "", *lines, ":::"])


def _plain(text: str) -> str:
    """Text without a meaning in Markdown."""
    return re.sub(r"([\\`*_|<>$\[\]{}])", r"\\\1", text)


def _block(lines: list[str]) -> str:
    """Lines as they were printed, long sentences broken, in letters of a size that fits."""
    while lines and not lines[0].strip():
        lines = lines[1:]
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    if not lines:
        return ""
    width = max([COLUMNS, *(len(line) for line in lines if _kind(line) == "columns")])
    made: list[str] = []
    for line in lines:
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        long = len(line) > width
        made += (
            textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False) if long else [line]
        )
    size = next((name for most, name in SIZES.items() if width <= most), "smallest-letters")
    return f"```{{code-block}} text\n:class: {size}\n\n" + "\n".join(made) + "\n```"
