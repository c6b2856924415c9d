"""Which end of a call is a good one: an answer without remarks, or an exception that was meant.

Meant is an exception of the documented kinds that the library raised itself, by a `raise` with a sentence; the
same kind from the depth of numpy, or a warning on the way, is none.
"""

from __future__ import annotations

import linecache
import os
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import modecontrol
from modecontrol import ModeControlError

HOME = str(Path(modecontrol.__file__).parent)
HERE = str(Path(__file__).parent)
CALLED = (
    "self.controller",
    "self.start",
    "self.place",
    "self.observe",
    "self.noise",
    "self.callback",
    "self.stop",
    "self.ask",
    "progress",
)
DOCUMENTED = (ModeControlError, ValueError, TypeError, KeyError, IndexError, OSError, ImportError)


def judge(call: Callable[[], Any]) -> str | None:
    """None when the call ended well, else what it did."""
    with warnings.catch_warnings(record=True) as remarks:
        warnings.simplefilter("always")
        try:
            call()
        except BaseException as error:
            found = _meant(error)
            if found:
                return found
    ours = [r for r in remarks if not issubclass(r.category, DeprecationWarning | ResourceWarning)]
    if ours:
        first = ours[0]
        return (
            f"warning {first.category.__name__}: {first.message} at {_short(first.filename)}:{first.lineno}"
        )
    return None


def _meant(error: BaseException) -> str | None:
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-1]
    where = f"{_short(last.filename)}:{last.lineno}"
    said = f"{type(error).__name__}: {str(error)[:300]} at {where}"
    own = last.filename.startswith(HERE)
    if own and last.name != "judge" and not isinstance(error, AssertionError):
        return None  # a hostile object's own exception, or a call that does not fit the signature
    if not isinstance(error, DOCUMENTED):
        return f"undocumented {said}"
    if isinstance(error, OSError) and not isinstance(error, ModeControlError):
        return None
    if not last.filename.startswith(HOME):
        return f"from the depth: {said} via {_via(frames)}"
    if "; expected " in str(error) and isinstance(error, ValueError):
        return None  # a sentence of the core
    line = linecache.getline(last.filename, last.lineno or 0).strip()
    if any(f"{name}(" in line for name in CALLED):
        return None  # the user's function, which may be a builtin without a line of its own
    if not line.startswith("raise"):
        return f"not raised on purpose: {said} [{line[:80]}]"
    if len(str(error)) < 10:
        return f"no sentence: {said}"
    return None


def _via(frames: traceback.StackSummary) -> str:
    ours = [f for f in frames if f.filename.startswith(HOME)]
    return f"{_short(ours[-1].filename)}:{ours[-1].lineno}" if ours else "nothing of ours"


def _short(path: str) -> str:
    return (
        os.path.relpath(path, os.path.dirname(HOME))
        if path.startswith(HOME)
        else "/".join(path.split("/")[-3:])
    )
