"""Every numbered example runs from start to end without a display, and prints something."""

import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("[0-9]*.py"))


def test_examples_are_numbered_without_gaps_in_their_order():
    numbers = [path.name.split("_")[0] for path in EXAMPLES]
    assert numbers == [f"{i:02}" for i in range(1, 15)]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path, monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setattr(sys, "argv", [str(path)])
    monkeypatch.chdir(tmp_path)
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    try:
        runpy.run_path(str(path))
    finally:
        plt.close("all")
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda path: path.stem)
def test_pages_show_every_comment_and_every_line_of_an_example(script, monkeypatch):
    monkeypatch.syspath_prepend(str(script.parents[1] / "docs"))
    from example_cells import cells

    code = script.read_text(encoding="utf-8").split('"""', 2)[-1]
    parts = [part for cell in cells(code) for part in cell]
    shown = "\n".join(parts)
    for line in code.splitlines():
        assert line.removeprefix("# %%").lstrip("# ").strip() in shown
    assert not any(part.startswith(tuple("abcdefghijklmnopqrstuvwxyz")) for part in parts)
