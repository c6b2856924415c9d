"""Code on pages runs as it stands, page by page, in order; the README prints what it says.

The tutorial and the page on other packages have tests of their own; `howto/scale_out.md` needs a cluster and
worker processes that import a file, which `tests/studies` has.
"""

import contextlib
import io
import re
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ELSEWHERE = {"tutorial.md", "howto/interop.md", "howto/scale_out.md"}
SOURCES = [path for path in (ROOT / "docs").rglob("*.md") if "_build" not in path.parts]
PAGES = sorted(
    str(path.relative_to(ROOT / "docs"))
    for path in SOURCES
    if "```python" in path.read_text(encoding="utf-8")
)


def run(path, monkeypatch, folder) -> str:
    """Run the blocks of a page one after the other; what they printed."""
    plt.switch_backend("Agg")
    monkeypatch.chdir(folder)
    names: dict = {"__name__": "page"}
    written = io.StringIO()
    try:
        with contextlib.redirect_stdout(written):
            for language, text in BLOCK.findall(path.read_text(encoding="utf-8")):
                if language == "python":
                    exec(compile(text, path.name, "exec"), names)
    finally:
        plt.close("all")
    return written.getvalue()


def test_pages_tested_elsewhere_exist():
    assert set(PAGES) >= ELSEWHERE


@pytest.mark.parametrize("page", sorted(set(PAGES) - ELSEWHERE))
def test_blocks_of_a_page_run(page, monkeypatch, tmp_path):
    run(ROOT / "docs" / page, monkeypatch, tmp_path)


def test_the_readme_prints_what_it_says(monkeypatch, tmp_path):
    shown = [text for language, text in BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))]
    after = next(i for i, text in enumerate(shown) if text.startswith("import modecontrol as mc"))
    assert run(ROOT / "README.md", monkeypatch, tmp_path).split() == shown[after + 1].split()
