"""Write `tolerances.hpp`: the numbers of `modecontrol/tolerances.py` as C++ constants. Run by CMake at build
time.
"""

import runpy
import sys
from pathlib import Path


def header(source: Path) -> str:
    """The text of the header: one `constexpr double` for each upper-case number of the module."""
    numbers = {name: value for name, value in runpy.run_path(str(source)).items() if name.isupper()}
    lines = [f"constexpr double {name} = {float(value)!r};" for name, value in numbers.items()]
    return "\n".join(
        [
            "// Written from modecontrol/tolerances.py when the core is built; edit that file.",
            "#pragma once",
            "",
            "namespace mc::tolerances {",
            "",
            *lines,
            "",
            "}  // namespace mc::tolerances",
            "",
        ]
    )


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:3])
    text = header(source)
    if not target.exists() or target.read_text(encoding="utf-8") != text:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
