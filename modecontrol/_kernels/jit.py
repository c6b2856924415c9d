"""The one door to numba: `njit` with a disk cache that knows which kernels call which.

numba's own cache looks only at the file that a function stands in, so a caller would go on running the old
version of a kernel it imports. Here the cache folder is named after the text of the module *and* of every
kernel module it imports; a change anywhere below starts a new folder.

The folder lies beside this file, or in the user's cache folder when the installation is read-only; where
neither can be written, kernels are compiled anew in each process.
"""

import hashlib
import os
import re
import tempfile
from functools import cache
from pathlib import Path

import numba
from numba import config

_HERE = Path(__file__).parent
_IMPORT = re.compile(r"^from modecontrol\._kernels\.(\w+) import|^from modecontrol import (tolerances)", re.M)


@cache
def _fingerprint(stem: str) -> str:
    """A digest of a kernel module and of all that it imports from this folder (imports cannot be circular)."""
    folder = _HERE.parent if stem == "tolerances" else _HERE
    text = (folder / f"{stem}.py").read_text(encoding="utf-8")
    below = sorted({kernel or shared for kernel, shared in _IMPORT.findall(text)})
    return hashlib.sha256("".join([text, *map(_fingerprint, below)]).encode()).hexdigest()[:16]


@cache
def _cache_root() -> Path | None:
    """The first folder that can be written, or None."""
    user = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    for root in (_HERE / "__pycache__", Path(user) / "modecontrol"):
        try:
            root.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=root):
                return root
        except OSError:
            continue
    return None


def njit(function=None, **options):
    """`numba.njit(cache=True)` with the folder described above; the same options, used with or without call."""
    if function is None:
        return lambda inner: njit(inner, **options)
    root = _cache_root()
    if root is None:
        return numba.njit(**options)(function)
    before = config.CACHE_DIR
    config.CACHE_DIR = str(root / f"numba-{_fingerprint(Path(function.__code__.co_filename).stem)}")
    try:
        return numba.njit(cache=True, **options)(function)
    finally:
        config.CACHE_DIR = before


prange = numba.prange
