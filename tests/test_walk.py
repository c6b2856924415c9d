"""The walk through the code names files that exist, and every room of the core is on it."""

import re
from pathlib import Path

import modecontrol

PACKAGE = Path(modecontrol.__file__).resolve().parent
PAGE = Path(__file__).resolve().parents[1] / "docs" / "walk.md"
NAMED = re.findall(r"`([\w/]+\.(?:py|cpp|hpp))`", PAGE.read_text(encoding="utf-8"))


def test_every_file_on_the_walk_exists():
    named = [name for name in NAMED if name != "binding.cpp"]
    assert len(named) > 50
    assert [name for name in named if not (PACKAGE / name).is_file()] == []


def test_every_room_is_on_the_walk():
    rooms = {
        path.name
        for path in (PACKAGE / "_core").iterdir()
        if path.is_dir() and (path / "binding.cpp").is_file()
    }
    assert {
        name.split("/")[1] for name in NAMED if name.startswith("_core/") and name.count("/") > 1
    } >= rooms
