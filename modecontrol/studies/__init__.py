"""6c Many points: sweeps and design studies on any number of workers."""

from modecontrol.studies.designs import Design, grid, latin_hypercube, sobol, table
from modecontrol.studies.parameter_map import ParameterMap, parameter_map
from modecontrol.studies.placing import Touching
from modecontrol.studies.points import NoAnswerError, Point
from modecontrol.studies.quantities import BUILT_IN, Quantity, with_columns
from modecontrol.studies.result import Study
from modecontrol.studies.study import Estimate, estimate, study
from modecontrol.studies.thrust_maps import map_thrust

QUANTITIES = tuple(BUILT_IN)
"""Names of the quantities that ship."""

__all__ = [
    "QUANTITIES",
    "Design",
    "Estimate",
    "NoAnswerError",
    "ParameterMap",
    "Point",
    "Quantity",
    "Study",
    "Touching",
    "estimate",
    "grid",
    "latin_hypercube",
    "map_thrust",
    "parameter_map",
    "sobol",
    "study",
    "table",
    "with_columns",
]
