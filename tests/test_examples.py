"""Every numbered example runs from start to end without a display, and prints something."""

import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("[0-9]*.py"))


def test_examples_are_numbered_without_gaps_in_their_order():
    numbers = [path.name.split("_")[0] for path in EXAMPLES]
    assert numbers == [f"{i:02}" for i in range(1, 14)]


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
