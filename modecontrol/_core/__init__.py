"""The compiled core: arrays in, arrays out. Its rooms mirror the packages that use them.

`polytopes`, `modes`, `regions`, `thrust`, `dynamics`, `lcp`, `timestepping` and `closed_loop` are submodules of the
extension module `compiled`, which is built from the C++ files in this folder when the package is installed;
`layout` holds the codes that C++ and Python share.
"""

import sys

try:
    from modecontrol._core.compiled import (
        closed_loop,
        dynamics,
        layout,
        lcp,
        modes,
        polytopes,
        regions,
        thrust,
        timestepping,
    )
except ImportError as error:
    raise ImportError(
        f"the compiled core of modecontrol cannot be loaded ({error}); build it with 'pip install .' in the project's folder, "
        "which needs a C++17 compiler"
    ) from error

for _room in (closed_loop, dynamics, layout, lcp, modes, polytopes, regions, thrust, timestepping):
    sys.modules[f"{__name__}.{_room.__name__.rpartition('.')[2]}"] = (
        _room  # for `from modecontrol._core.modes import ...`
    )

__all__ = [
    "closed_loop",
    "dynamics",
    "layout",
    "lcp",
    "modes",
    "polytopes",
    "regions",
    "thrust",
    "timestepping",
]
