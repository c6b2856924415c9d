"""From a model file to symbols and to numbers at one instant.

The names below are imported when they are first used: sympy only for equations, the kernels only for numbers.
"""

from typing import TYPE_CHECKING

from modecontrol.lazy_names import lazy_names

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
if not TYPE_CHECKING:  # a type checker shall say what is unknown
    __getattr__, __dir__ = lazy_names(__name__, _WHERE)
