"""Contact-mode analysis and control design for planar mechanisms with friction.

The names below stand in the order of the data flow. Each is imported when it is first used, so that
`import modecontrol` costs nothing.
"""

from typing import TYPE_CHECKING

from modecontrol.lazy_names import lazy_names

__version__ = "0.2.0"

_WHERE = {
    # exceptions
    "ModeControlError": "errors",
    "ModelFileError": "errors",
    "ImpactError": "errors",
    "ImpossibleStateError": "errors",
    "SingularMassError": "errors",
    "UncheckedError": "errors",
    # 1 dynamics: model file -> symbols -> numbers at one instant
    "models": "dynamics",
    "load": "dynamics",
    "Model": "dynamics",
    "LagrangianModel": "dynamics",
    "PlanarModel": "dynamics",
    "Builder": "dynamics",
    "planar": "dynamics",
    "revolute": "dynamics",
    "prismatic": "dynamics",
    "weld": "dynamics",
    "ContactLaws": "dynamics",
    "Snapshot": "dynamics",
    "Names": "dynamics",
    # 2 modes: which contact modes exist and what each would do
    "kinematic_modes": "modes",
    "Constraint": "modes",
    "quantity": "modes",
    "Disturbance": "modes",
    "ModeResponse": "modes",
    # 3 polytopes: sets
    "Polytope": "polytopes",
    "Region": "polytopes",
    # 4 regions: where one mode is the only answer
    "dynamic_response": "regions",
    "dynamic_responses": "regions",
    "DynamicResponse": "regions",
    "Clash": "regions",
    # 5 thrust: choose inputs
    "maximize": "thrust",
    "Thrust": "thrust",
    "design": "thrust",
    "Controller": "thrust",
    "MaximalThrust": "thrust",
    "BlindThrust": "thrust",
    "ModeObserver": "thrust",
    "FrictionObserver": "thrust",
    "price_of_robustness": "thrust",
    "promised_value": "thrust",
    "maximize_over_scenarios": "thrust",
    # 6 time stepping: check by simulation
    "simulate": "timestepping",
    "simulate_many": "timestepping",
    "Trajectory": "timestepping",
    "Stepper": "timestepping",
    "Readings": "timestepping",
    "solve_lcp": "timestepping",
    "LCPSolution": "timestepping",
    # many points: sweeps and design studies
    "study": "studies",
    "Study": "studies",
}

if TYPE_CHECKING:  # what editors and type checkers see
    from modecontrol.dynamics.builder import Builder as Builder
    from modecontrol.dynamics.contact_laws import ContactLaws as ContactLaws
    from modecontrol.dynamics.joints import planar as planar
    from modecontrol.dynamics.joints import prismatic as prismatic
    from modecontrol.dynamics.joints import revolute as revolute
    from modecontrol.dynamics.joints import weld as weld
    from modecontrol.dynamics.library import load as load
    from modecontrol.dynamics.library import models as models
    from modecontrol.dynamics.model import Model as Model
    from modecontrol.dynamics.names import Names as Names
    from modecontrol.dynamics.protocol import PlanarModel as PlanarModel
    from modecontrol.dynamics.snapshot import Snapshot as Snapshot
    from modecontrol.dynamics.symbols.lagrangian_model import LagrangianModel as LagrangianModel
    from modecontrol.errors import ImpactError as ImpactError
    from modecontrol.errors import ImpossibleStateError as ImpossibleStateError
    from modecontrol.errors import ModeControlError as ModeControlError
    from modecontrol.errors import ModelFileError as ModelFileError
    from modecontrol.errors import SingularMassError as SingularMassError
    from modecontrol.errors import UncheckedError as UncheckedError
    from modecontrol.modes.constraints import Constraint as Constraint
    from modecontrol.modes.disturbance import Disturbance as Disturbance
    from modecontrol.modes.kinematic_modes import kinematic_modes as kinematic_modes
    from modecontrol.modes.linear import quantity as quantity
    from modecontrol.modes.mode_response import ModeResponse as ModeResponse
    from modecontrol.polytopes.polytope import Polytope as Polytope
    from modecontrol.polytopes.region import Region as Region
    from modecontrol.regions.dynamic_response import DynamicResponse as DynamicResponse
    from modecontrol.regions.dynamic_response import dynamic_response as dynamic_response
    from modecontrol.regions.dynamic_response import dynamic_responses as dynamic_responses
    from modecontrol.regions.overlaps import Clash as Clash
    from modecontrol.studies.result import Study as Study
    from modecontrol.studies.study import study as study
    from modecontrol.thrust.blind_thrust import BlindThrust as BlindThrust
    from modecontrol.thrust.controller import Controller as Controller
    from modecontrol.thrust.design import design as design
    from modecontrol.thrust.friction_observer import FrictionObserver as FrictionObserver
    from modecontrol.thrust.maximal_thrust import MaximalThrust as MaximalThrust
    from modecontrol.thrust.maximize import maximize as maximize
    from modecontrol.thrust.mode_observer import ModeObserver as ModeObserver
    from modecontrol.thrust.robustness import price_of_robustness as price_of_robustness
    from modecontrol.thrust.scenarios import maximize_over_scenarios as maximize_over_scenarios
    from modecontrol.thrust.scenarios import promised_value as promised_value
    from modecontrol.thrust.thrust import Thrust as Thrust
    from modecontrol.timestepping.batch import simulate_many as simulate_many
    from modecontrol.timestepping.lcp.problem import LCPSolution as LCPSolution
    from modecontrol.timestepping.lcp.solve import solve_lcp as solve_lcp
    from modecontrol.timestepping.readings import Readings as Readings
    from modecontrol.timestepping.simulate import simulate as simulate
    from modecontrol.timestepping.stepper import Stepper as Stepper
    from modecontrol.timestepping.trajectory import Trajectory as Trajectory

__all__ = ["__version__", *_WHERE]
if not TYPE_CHECKING:  # a type checker shall say what is unknown
    __getattr__, __dir__ = lazy_names(__name__, _WHERE)
