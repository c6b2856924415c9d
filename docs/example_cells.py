"""Numbered examples as pages: prose and code in turn, a cell from each `# %%` on, and what each cell printed and drew.

`python docs/example_cells.py SCRIPT TARGET` runs a script cell by cell in one namespace and writes what cell `k` printed to
`TARGET_k.txt` and its figures to `TARGET_k_1.png`, ...
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
from pathlib import Path

CELL = re.compile(r"^(?=# %%)", re.MULTILINE)


def cells(code: str) -> list[list[str]]:
    """Prose and code of each cell; the comments that begin it are its prose, the words behind `# %%` first.

    Parameters
    ----------
    code
        The script without its docstring.
    """
    found = []
    for i, cell in enumerate(CELL.split(code)):
        lines = cell.rstrip("\n").split("\n")
        prose = [lines.pop(0).removeprefix("# %%").strip()] if i else []
        while i and lines and lines[0].startswith("#"):
            prose.append(lines.pop(0).lstrip("# "))
        body = "\n".join(lines).strip("\n")
        parts = ["\n".join(prose).strip()] if any(prose) else []
        found.append([*parts, f"```python\n{body}\n```"] if body else parts)
    return found


def run(script: Path, target: str) -> None:
    """Execute an example cell by cell; keep what each prints and every figure that it makes."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    made: list[Figure] = []
    plain = Figure.__init__

    def noted(self, *args, **kwargs) -> None:
        plain(self, *args, **kwargs)
        made.append(self)

    sys.argv = [str(script)]
    Figure.__init__ = noted  # figures that are not on pyplot's list count, too
    names: dict[str, object] = {"__name__": "__main__", "__file__": str(script)}
    for k, cell in enumerate(CELL.split(script.read_text(encoding="utf-8"))):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(cell, f"{script.name}, cell {k}", "exec"), names)
        Path(f"{target}_{k}.txt").write_text(said.getvalue(), encoding="utf-8")
        for i, figure in enumerate(figure for figure in made if figure.axes):
            figure.savefig(f"{target}_{k}_{i + 1}.png", dpi=110, bbox_inches="tight")
        made.clear()


if __name__ == "__main__":
    run(Path(sys.argv[1]), sys.argv[2])
