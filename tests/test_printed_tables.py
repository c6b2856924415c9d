"""What scripts printed stands on the pages word for word, wide tables with each number under its head."""

import re
import sys
from itertools import groupby
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
sys.path.insert(0, str(DOCS))

import printed_tables  # noqa: E402

RECORDED = sorted((DOCS / "recorded").glob("*.txt"))


def printed(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").partition("\n\n")[2].splitlines()


def letters(text: str) -> str:
    """What is read: without blanks, and without the marks of tables and blocks, which alone may differ."""
    text = re.sub(r"^(```.*|:::.*|:class:.*|\|[-:| ]+\|)$", "", text, flags=re.MULTILINE)
    return re.sub(r"[\\|\s]", "", text)


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_nothing_is_lost(file):
    shown = printed_tables.typeset(printed(file))
    assert letters(shown) == letters("\n".join(printed(file)))


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_blocks_fit_the_page_and_tables_are_even(file):
    most = max(printed_tables.SIZES)
    for block in re.findall(r"^```.*?^```$", printed_tables.typeset(printed(file)), re.MULTILINE | re.DOTALL):
        assert max(map(len, block.splitlines()[3:])) <= most
    rows = [line for line in printed_tables.typeset(printed(file)).splitlines() if line.startswith("|")]
    for _, run in groupby(rows, lambda line: line.count(" | ")):
        assert len(list(run)) > 2  # head, rule and entries have the same columns


def test_columns_of_a_wide_table():
    table = printed_tables.cells(
        [
            "kind          branching gauss-seidel  no solution  settled for",
            "two words            12            7            0  all met: 5, no mode: 1",
            "massless              3            -           61  all met: 6",
        ]
    )
    assert table == [
        ["kind", "branching", "gauss-seidel", "no solution", "settled for"],
        ["two words", "12", "7", "0", "all met: 5, no mode: 1"],
        ["massless", "3", "-", "61", "all met: 6"],
    ]


def test_marks_of_the_page_are_taken_for_letters():
    assert r"a\_b \* \| \<c\>" in printed_tables._table([["head"], ["a_b * | <c>"]])
