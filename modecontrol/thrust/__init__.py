"""5 Choose inputs: the best that surely work, and controllers that do so at every state."""

from modecontrol.thrust.blind_thrust import BlindThrust
from modecontrol.thrust.controller import Controller, Decision
from modecontrol.thrust.design import design
from modecontrol.thrust.feedback import Damping, Passes
from modecontrol.thrust.friction_observer import FrictionObserver
from modecontrol.thrust.mapped_thrust import MappedThrust
from modecontrol.thrust.maximal_thrust import MaximalThrust
from modecontrol.thrust.maximize import maximize
from modecontrol.thrust.mode_observer import ModeObserver, Observer
from modecontrol.thrust.robustness import PriceOfRobustness, price_of_robustness
from modecontrol.thrust.scenarios import maximize_over_scenarios, promised_value
from modecontrol.thrust.thrust import Thrust
from modecontrol.thrust.thrust_map import ThrustMap

__all__ = [
    "BlindThrust",
    "Controller",
    "Damping",
    "Decision",
    "FrictionObserver",
    "MappedThrust",
    "MaximalThrust",
    "ModeObserver",
    "Observer",
    "Passes",
    "PriceOfRobustness",
    "Thrust",
    "ThrustMap",
    "design",
    "maximize",
    "maximize_over_scenarios",
    "price_of_robustness",
    "promised_value",
]
