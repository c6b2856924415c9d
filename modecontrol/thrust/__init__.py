"""5 Choose inputs: the best that surely work, and controllers that do so at every state."""

from modecontrol.thrust.blind import BlindThrust
from modecontrol.thrust.controller import Controller, Decision
from modecontrol.thrust.design import design
from modecontrol.thrust.mapping import MappedThrust, ThrustMap, map_thrust
from modecontrol.thrust.maximal import MaximalThrust
from modecontrol.thrust.maximize import Thrust, maximize

__all__ = ["BlindThrust", "Controller", "Decision", "MappedThrust", "MaximalThrust", "Thrust", "ThrustMap", "design",
           "map_thrust", "maximize"]
