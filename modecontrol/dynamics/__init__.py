"""From a model file to symbols and to numbers at one instant.

The names below are imported when they are first used: sympy only for equations, the kernels only for numbers.
"""

from importlib import import_module
from typing import Any

_WHERE = {
    "load": "library",
    "models": "library",
    "ModelFileError": "modelfile",
    "Builder": "builder",
    "planar": "builder",
    "revolute": "builder",
    "prismatic": "builder",
    "weld": "builder",
    "Mechanism": "mechanism",
    "Model": "model",
    "Names": "snapshot",
    "Snapshot": "snapshot",
    "LagrangianModel": "lagrangian",
}

__all__ = list(_WHERE)


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'modecontrol.dynamics' has no attribute {name!r}")
    value = getattr(import_module(f"modecontrol.dynamics.{_WHERE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
