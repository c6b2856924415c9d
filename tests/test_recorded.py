"""Figures on pages are written by scripts, and are those of the present scripts."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))

import record  # noqa: E402

PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
SHOWN = {
    name
    for page in PAGES
    for name in re.findall(r"<!-- recorded: ([\w-]+) -->", page.read_text(encoding="utf-8"))
}
KEPT = {file.stem for file in record.RECORDED.glob("*.txt")}


def test_pages_show_what_was_recorded_and_nothing_is_kept_unseen():
    assert SHOWN == KEPT


def test_outputs_are_those_of_the_present_scripts():
    assert record.stale() == [], "record them again with benchmarks/record.py"
    for name in sorted(KEPT):
        head, printed = record.read(record.RECORDED / f"{name}.txt")
        stem = record.target(ROOT / head["script"]).stem
        assert name == stem or name.startswith(f"{stem}-")
        assert printed.strip()


def test_a_script_is_recorded_with_its_command(tmp_path, monkeypatch, capsys):
    script = tmp_path / "benchmarks" / "hello.py"
    script.parent.mkdir()
    script.write_text("import sys; print('hello', *sys.argv[1:])", encoding="utf-8")
    monkeypatch.setattr(record, "ROOT", tmp_path)
    monkeypatch.setattr(record, "RECORDED", tmp_path / "docs" / "recorded")
    assert record.record(script, ["--size", "3"]) == 0
    head, printed = record.read(tmp_path / "docs" / "recorded" / "benchmarks-hello.txt")
    assert head["command"] == "python benchmarks/hello.py --size 3"
    assert printed == "hello --size 3\n"
    assert record.record(script, ["--size", "4"], "again") == 0
    assert record.read(tmp_path / "docs" / "recorded" / "benchmarks-hello-again.txt")[1] == "hello --size 4\n"
    assert record.stale() == []
    script.write_text("print('changed')", encoding="utf-8")
    assert record.stale() == ["benchmarks-hello-again.txt", "benchmarks-hello.txt"]


def test_a_script_that_fails_leaves_nothing(tmp_path, monkeypatch):
    script = tmp_path / "benchmarks" / "broken.py"
    script.parent.mkdir()
    script.write_text("raise SystemExit(3)", encoding="utf-8")
    monkeypatch.setattr(record, "ROOT", tmp_path)
    monkeypatch.setattr(record, "RECORDED", tmp_path / "docs" / "recorded")
    assert record.record(script, []) == 3
    assert not (tmp_path / "docs").exists()
