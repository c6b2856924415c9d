"""The tutorial runs as it stands: its model file, its code in order, and what each block prints."""

import contextlib
import io
import re
from pathlib import Path

import pytest

import modecontrol as mc

DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: str) -> list[tuple[str, str]]:
    """Language and text of every fenced block of a page."""
    return BLOCK.findall((DOCS / page).read_text(encoding="utf-8"))


def printed_by(code: str, names: dict) -> str:
    """Run one block; what it wrote to standard output."""
    written = io.StringIO()
    with contextlib.redirect_stdout(written):
        exec(compile(code, "tutorial.md", "exec"), names)
    return written.getvalue()


def test_the_tutorial_prints_what_it_says(tmp_path, monkeypatch):
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("Agg")
    monkeypatch.chdir(tmp_path)
    found = blocks("tutorial.md")
    models = [text for language, text in found if language == "toml"]
    assert len(models) == 1
    (tmp_path / "tipper").mkdir()
    (tmp_path / "tipper" / "model.toml").write_text(models[0], encoding="utf-8")

    names: dict = {}
    output, checked = None, 0
    try:
        for language, text in found:
            if language == "python":
                assert not output, f"the tutorial does not show what this prints: {output}"
                output = printed_by(text, names)
            elif language == "text" and output:
                assert text.split() == output.split(), output  # line breaks and padding are the reader's
                output, checked = None, checked + 1
    finally:
        plt.close("all")
    assert not output
    assert checked >= 10
    assert (tmp_path / "timeline.png").stat().st_size > 1000


def test_every_public_name_is_in_the_reference():
    pages = "\n".join(page.read_text(encoding="utf-8") for page in (DOCS / "api").glob("*.md"))
    listed = set(re.findall(r"^\.\. auto\w+:: (?:modecontrol\.)?(\w+)$", pages, re.MULTILINE))
    assert set(mc.__all__) - {"__version__"} <= listed


def test_public_pages_name_no_network_address_for_scripts():
    # the documentation is built and read offline: formulas are MathML, nothing is fetched
    text = (DOCS / "conf.py").read_text(encoding="utf-8")
    assert "http" not in text
