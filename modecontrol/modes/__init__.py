"""2 Which contact modes exist at one instant, and what the mechanism would do in each.

snapshot, constraints -> `Problem` -> search over modes -> `ModeResponse` (affine answer, domain, torques).
"""

from modecontrol.errors import ImpactError
from modecontrol.modes.constraints import Constraint
from modecontrol.modes.disturbance import Disturbance
from modecontrol.modes.kinematic_modes import kinematic_modes
from modecontrol.modes.linear import Linear, quantity
from modecontrol.modes.mode_response import ModeResponse

__all__ = [
    "Constraint",
    "Disturbance",
    "ImpactError",
    "Linear",
    "ModeResponse",
    "kinematic_modes",
    "quantity",
]
