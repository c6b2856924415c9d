"""4 All modes of one instant together: where one is the only answer, where several are, where none is."""

from modecontrol.regions.clashes import Clash
from modecontrol.regions.response import DynamicResponse, dynamic_response

__all__ = ["Clash", "DynamicResponse", "dynamic_response"]
