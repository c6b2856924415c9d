"""The how-to page runs as it stands, and prints what it says."""

import contextlib
import io
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "interop.md"
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.filterwarnings("ignore::DeprecationWarning:control.*")
def test_the_page_prints_what_it_says(tmp_path, monkeypatch):
    for package in ("gymnasium", "control", "yourdfpy", "mujoco", "upkie_description", "xarray", "pandas"):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    names, written, checked = {}, "", 0
    for language, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if language == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(text, PAGE.name, "exec"), names)
            written = out.getvalue()
        else:
            assert text.split() == written.split(), written
            checked += 1
    assert checked >= 5
