"""Calls of the core leave nothing behind; `campaigns/leaks.py` asks the same of 100,000 calls."""

import runpy
from pathlib import Path

import pytest

LEAKS = runpy.run_path(str(Path(__file__).resolve().parents[2] / "campaigns" / "leaks.py"))


@pytest.mark.parametrize("room", ["polytopes", "modes", "thrust", "dynamics", "lcp"])
def test_a_room_keeps_nothing(room):
    """A leak of 1 kB per call would be twice the limit."""
    assert LEAKS["growth"](LEAKS["calls"]()[room], 2000) < LEAKS["MOST"]
