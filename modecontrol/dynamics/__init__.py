"""From a model file to symbols and to numbers at one instant.

The names below are imported when they are first used: sympy only for equations, the kernels only for numbers.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

_WHERE = {
    "load": "library",
    "models": "library",
    "ModelFileError": "model_file",
    "Builder": "builder",
    "planar": "joints",
    "revolute": "joints",
    "prismatic": "joints",
    "weld": "joints",
    "Mechanism": "mechanism",
    "Model": "model",
    "Names": "names",
    "ContactLaws": "contact_laws",
    "Snapshot": "snapshot",
    "LagrangianModel": "symbols.lagrangian_model",
    "PlanarModel": "protocol",
}

if TYPE_CHECKING:
    from modecontrol.dynamics.builder import Builder as Builder
    from modecontrol.dynamics.contact_laws import ContactLaws as ContactLaws
    from modecontrol.dynamics.joints import planar as planar
    from modecontrol.dynamics.joints import prismatic as prismatic
    from modecontrol.dynamics.joints import revolute as revolute
    from modecontrol.dynamics.joints import weld as weld
    from modecontrol.dynamics.library import load as load
    from modecontrol.dynamics.library import models as models
    from modecontrol.dynamics.mechanism import Mechanism as Mechanism
    from modecontrol.dynamics.model import Model as Model
    from modecontrol.dynamics.model_file import ModelFileError as ModelFileError
    from modecontrol.dynamics.names import Names as Names
    from modecontrol.dynamics.protocol import PlanarModel as PlanarModel
    from modecontrol.dynamics.snapshot import Snapshot as Snapshot
    from modecontrol.dynamics.symbols.lagrangian_model import LagrangianModel as LagrangianModel

__all__ = list(_WHERE)


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'modecontrol.dynamics' has no attribute {name!r}")
    value = getattr(import_module(f"modecontrol.dynamics.{_WHERE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
