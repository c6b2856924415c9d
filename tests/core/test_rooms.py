"""The rooms of the core stand in the order of the house: a file includes only its own room and rooms below."""

import re
from pathlib import Path

import modecontrol

CORE = Path(modecontrol.__file__).resolve().parent / "_core"
BELOW = {
    "polytopes": set(),
    "modes": {"polytopes"},
    "dynamics": set(),
    "regions": {"polytopes", "modes"},
    "thrust": {"polytopes", "modes", "regions", "dynamics"},
    "lcp": set(),
    "timestepping": {"dynamics", "lcp"},
    "closed_loop": {"polytopes", "modes", "regions", "dynamics", "thrust", "lcp", "timestepping"},
}
INCLUDE = re.compile(r'#include "([\w/]+)\.hpp"')
SOURCES = sorted(path for path in CORE.rglob("*.?pp") if path.parent != CORE)


def test_sources_are_there():
    assert len(SOURCES) > 60


def test_rooms_include_only_rooms_below():
    for path in SOURCES:
        room = path.relative_to(CORE).parts[0]
        seen = {
            name.split("/")[0] for name in INCLUDE.findall(path.read_text(encoding="utf-8")) if "/" in name
        }
        assert seen <= BELOW[room] | {room}, (
            f"{path.relative_to(CORE)} includes {sorted(seen - BELOW[room] - {room})}"
        )


def test_every_source_file_has_a_header_and_a_head():
    bodies = [path for path in SOURCES if path.suffix == ".cpp" and not path.stem.startswith("binding")]
    headers = [path for path in SOURCES if path.suffix == ".hpp"]
    second = [
        path for path in bodies if not path.with_suffix(".hpp").is_file()
    ]  # the second half of another header
    assert all(INCLUDE.findall(path.read_text(encoding="utf-8")) for path in second)
    headless = [path for path in (*headers, *second) if not path.read_text(encoding="utf-8").startswith("//")]
    assert [path.name for path in headless] == []
