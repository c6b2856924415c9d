"""What a command shows: tables to read, JSON for programs, files to keep; progress on the standard error."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from argparse import Namespace


class Output:
    """The channel of one command.

    Parameters
    ----------
    args
        Parsed arguments with `json`, `out`, `quiet`.
    """

    def __init__(self, args: Namespace) -> None:
        self.machine = bool(args.json)
        self.quiet = bool(args.quiet)
        if args.out == "":
            raise ValueError("--out is empty; expected the name of a folder, or no --out")
        self.folder = None if args.out is None else Path(args.out)
        self.files: list[Path] = []
        self.data: dict[str, Any] = {}
        self.answered = True
        self.findings = 0
        self._tables: list[Callable[[], None]] = []

    def __enter__(self) -> Output:
        if self.folder is not None:
            if self.folder.exists() and not self.folder.is_dir():
                raise ValueError(f"--out {self.folder} is a file; expected a folder")
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise ValueError(
                    f"--out {self.folder}: the folder cannot be made ({error.strerror}); choose another one"
                ) from None
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is not None:
            return
        if self.machine:
            if self.files:
                self.data["files"] = [str(file) for file in self.files]
            sys.stdout.write(json.dumps(plain(self.data), indent=1, allow_nan=False) + "\n")
            return
        if not self.quiet:
            for file in self.files:
                sys.stdout.write(f"wrote {file}\n")

    @property
    def wants_files(self) -> bool:
        """Whether a folder for pictures and data was given."""
        return self.folder is not None

    # Text to read -------------------------------------------------------------------------------------------

    def say(self, text: str = "") -> None:
        """One line of text."""
        if not self.machine:
            sys.stdout.write(text + "\n")

    def no_answer(self, text: str) -> None:
        """Say that there is no answer, which the exit code tells as well."""
        self.answered = False
        self.say(text)

    def finding(self, text: str) -> None:
        """Say what was found to be odd, which the exit code tells as well."""
        self.findings += 1
        self.say(text)

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[Any]], title: str = "") -> None:
        """A table: ruled on a terminal, plain columns in a pipe.

        Parameters
        ----------
        columns
            Heads.
        rows
            Cells; floats are shortened.
        title
            A line above it.
        """
        if self.machine:
            return
        cells = [[short(cell) for cell in row] for row in rows]
        if sys.stdout.isatty():
            _ruled(columns, cells, title)
        else:
            sys.stdout.write(_columns(columns, cells, title))

    # Files --------------------------------------------------------------------------------------------------

    def path(self, name: str) -> Path:
        """A file in the folder, remembered as written.

        Parameters
        ----------
        name
            Its name.
        """
        assert self.folder is not None
        self.files.append(self.folder / name)
        return self.files[-1]

    def picture(
        self,
        name: str,
        draw: Callable[[Any], Any],
        size: tuple[float, float] = (6.4, 4.4),
        solid: bool = False,
    ) -> None:
        """Draw on new axes and save as PNG and PDF.

        Parameters
        ----------
        name
            Name without an ending.
        draw
            Called with the axes.
        size
            Width and height in inches.
        solid
            Whether the axes have three dimensions.
        """
        from modecontrol.view import style

        fig = style.figure(*size)
        draw(fig.add_subplot(projection="3d" if solid else None))
        self.save(name, fig)

    def save(self, name: str, fig: Any) -> None:
        """Save a figure as PNG and PDF.

        Parameters
        ----------
        name
            Name without an ending.
        fig
            The figure.
        """
        for ending, options in ((".png", {"dpi": 150}), (".pdf", {})):
            fig.savefig(self.path(name + ending), bbox_inches="tight", **options)

    def write(self, name: str, data: Any) -> None:
        """Save data as JSON.

        Parameters
        ----------
        name
            Name of the file.
        data
            Anything that `plain` understands.
        """
        self.path(name).write_text(
            json.dumps(plain(data), indent=1, allow_nan=False) + "\n", encoding="utf-8"
        )

    # Progress -----------------------------------------------------------------------------------------------

    @contextmanager
    def progress(self, what: str):
        """A bar on standard error when somebody watches; gives a function `(done, of)`.

        Parameters
        ----------
        what
            What takes so long.
        """
        if self.quiet or not sys.stderr.isatty():
            yield lambda done, total: None
            return
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(what, total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total)


def short(cell: Any) -> str:
    """A cell of a table.

    Parameters
    ----------
    cell
        A number, text, a truth value or a sequence of them.
    """
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float) or (hasattr(cell, "dtype") and getattr(cell, "ndim", 1) == 0):
        return f"{float(cell) + 0.0:.6g}"
    if isinstance(cell, str) or not isinstance(cell, Iterable):
        return str(cell)
    return ", ".join(short(item) for item in cell)


def plain(thing: Any) -> Any:
    """Only what JSON knows: arrays become lists, infinite and undefined numbers null.

    Parameters
    ----------
    thing
        Nested dicts, sequences, arrays, numbers, text.
    """
    if hasattr(thing, "tolist"):
        return plain(thing.tolist())
    if isinstance(thing, dict) or hasattr(thing, "keys"):
        return {str(key): plain(thing[key]) for key in thing}
    if isinstance(thing, (list, tuple, set, frozenset)):
        return [plain(item) for item in thing]
    if isinstance(thing, float):
        return thing if math.isfinite(thing) else None
    return thing if thing is None or isinstance(thing, (bool, int, str)) else str(thing)


def _columns(columns: Sequence[str], cells: list[list[str]], title: str) -> str:
    rows = [list(columns), *cells]
    widths = [max(len(row[i]) for row in rows) for i in range(len(columns))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    return "\n".join([title, *lines] if title else lines) + "\n"


def _ruled(columns: Sequence[str], cells: list[list[str]], title: str) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    made = Table(title=title or None, title_justify="left", box=SIMPLE_HEAD, title_style="bold")
    for column in columns:
        made.add_column(column, overflow="fold")
    for row in cells:
        made.add_row(*(Text(cell) for cell in row))
    Console().print(made)
