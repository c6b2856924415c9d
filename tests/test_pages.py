"""Code on pages runs as it stands, page by page, in order; what a block prints stands below it.

The tutorial and the page on other packages have tests of their own; `howto/scale_out.md` needs a cluster and
worker processes that import a file, which `tests/studies` has.
"""

import ast
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


def statement_by_statement(code: str, names: dict) -> list[tuple[str, str]]:
    """Run a block; values of expressions, and what the comment behind each says where that is a literal."""
    lines, found = code.splitlines(), []
    for statement in ast.parse(code).body:
        if not isinstance(statement, ast.Expr):
            exec(compile(ast.Module([statement], []), "page", "exec"), names)
            continue
        value = eval(compile(ast.Expression(statement.value), "page", "eval"), names)
        comment = lines[statement.end_lineno - 1][statement.end_col_offset :].partition("#")[2].strip()
        with contextlib.suppress(ValueError, SyntaxError):
            said = ast.literal_eval(comment)
            if not same(value, said):
                found.append((f"{value}", comment))
    return found


def same(value, said) -> bool:
    """Whether a value is what a literal says: sequences by entries, numbers to half of the last digit that is shown."""
    if isinstance(said, list | tuple):
        entries = list(value)
        return len(entries) == len(said) and all(map(same, entries, said))
    if isinstance(said, int | float) and not isinstance(said, bool):
        digits = len(repr(said).partition(".")[2]) if isinstance(said, float) else 6
        return value == pytest.approx(said, abs=0.5 * 10.0**-digits)
    return value == said


def run(text: str, monkeypatch, folder) -> list[tuple[str, str]]:
    """Run the blocks of a page one after the other; what each printed, and the block of text that stands below it."""
    plt.switch_backend("Agg")
    monkeypatch.chdir(folder)
    names: dict = {"__name__": "page"}
    blocks, found = BLOCK.findall(text), []
    try:
        for (language, code), (below, shown) in zip(blocks, [*blocks[1:], ("", "")], strict=True):
            if language == "python":
                written = io.StringIO()
                with contextlib.redirect_stdout(written):
                    claims = statement_by_statement(code, names)
                found.append((written.getvalue(), shown if below == "text" else ""))
                found.extend(claims)
    finally:
        plt.close("all")
    return found


def not_as_shown(found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """What was printed and stands otherwise on the page, or not at all; line breaks and padding do not count."""
    return [(printed, shown) for printed, shown in found if printed and printed.split() != shown.split()]


def test_pages_tested_elsewhere_exist():
    assert set(PAGES) >= ELSEWHERE


@pytest.mark.parametrize("page", sorted(set(PAGES) - ELSEWHERE))
def test_blocks_of_a_page_run(page, monkeypatch, tmp_path):
    assert not_as_shown(run((ROOT / "docs" / page).read_text(encoding="utf-8"), monkeypatch, tmp_path)) == []


def test_the_readme_prints_what_it_says(monkeypatch, tmp_path):
    found = run((ROOT / "README.md").read_text(encoding="utf-8"), monkeypatch, tmp_path)
    assert [printed for printed, _ in found if printed]
    assert not_as_shown(found) == []


def test_another_output_than_the_shown_one_is_found(monkeypatch, tmp_path):
    page = "```python\nprint(1 + 1)\n```\n\nwhich is\n\n```text\n{}\n```\n"
    assert not_as_shown(run(page.format("2"), monkeypatch, tmp_path)) == []
    assert not_as_shown(run(page.format("3"), monkeypatch, tmp_path)) == [("2\n", "3\n")]
    assert not_as_shown(run("```python\nprint(1)\n```\n", monkeypatch, tmp_path)) == [("1\n", "")]


def test_another_value_than_the_comment_says_is_found(monkeypatch, tmp_path):
    code = "```python\n{}\n```\n"
    for true in ("2 / 3  # 0.667", "[0, 1.0]  # [0, 1]", "1 + 1  # two", "len('ab'), 'x'  # 2, 'x'"):
        assert not_as_shown(run(code.format(true), monkeypatch, tmp_path)) == []
    for wrong in ("2 / 3  # 0.666", "[0, 1]  # [0, 2]", "[0, 1]  # [0]", "1 + 1  # 3", "'a'  # 'b'"):
        assert len(not_as_shown(run(code.format(wrong), monkeypatch, tmp_path))) == 1
