"""4 All modes of one instant together: where one is the only answer, where several are, where none is."""

from modecontrol.regions.dynamic_response import DynamicResponse, dynamic_response, dynamic_responses
from modecontrol.regions.overlaps import Clash

__all__ = ["Clash", "DynamicResponse", "dynamic_response", "dynamic_responses"]
