"""Packages whose names are imported when they are first used, so that importing the package costs nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any


def lazy_names(
    package: str, where: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package, from the module of each name, relative to the package (PEP 562).

    A module or folder of the package is found by its name, too: `modecontrol.studies.grid` needs no second import.
    """

    def get(name: str) -> Any:
        if name in where:
            value = getattr(import_module(f"{package}.{where[name]}"), name)
        elif not name.startswith("_") and find_spec(f"{package}.{name}") is not None:
            value = import_module(f"{package}.{name}")
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}{_meant(name, where)}")
        setattr(sys.modules[package], name, value)
        return value

    return get, lambda: sorted(sys.modules[package].__all__)


def _meant(name: str, where: Mapping[str, str]) -> str:
    from modecontrol.validation import did_you_mean

    return "" if name.startswith("_") else did_you_mean(name, where)
