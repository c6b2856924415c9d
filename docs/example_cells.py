"""Numbered examples as pages: prose and code in turn, a cell from each `# %%` on."""

from __future__ import annotations

import re


def cells(code: str) -> list[str]:
    """Prose and code of a script in turn; the comments that begin a cell are its prose, the words behind `# %%` first.

    Parameters
    ----------
    code
        The script without its docstring.
    """
    parts = []
    for i, cell in enumerate(re.split(r"^# %%", code, flags=re.MULTILINE)):
        lines = cell.rstrip("\n").split("\n")
        prose = [lines.pop(0).strip()] if i else []
        while i and lines and lines[0].startswith("#"):
            prose.append(lines.pop(0).lstrip("# "))
        body = "\n".join(lines).strip("\n")
        parts += ["\n".join(prose).strip()] if any(prose) else []
        parts += [f"```python\n{body}\n```"] if body else []
    return parts
