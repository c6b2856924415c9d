"""6 Check by simulation: complementarity problems and the time stepping built on them."""

from modecontrol.errors import SingularMassError
from modecontrol.timestepping.batch import simulate_many
from modecontrol.timestepping.formulations import FORMULATIONS, lcp_size
from modecontrol.timestepping.lcp.all_solutions import AllSolutions, all_solutions
from modecontrol.timestepping.lcp.problem import LCP, LCPSolution
from modecontrol.timestepping.lcp.solve import solve_lcp
from modecontrol.timestepping.readings import Readings
from modecontrol.timestepping.simulate import simulate
from modecontrol.timestepping.stepper import Stepper
from modecontrol.timestepping.trajectory import Trajectory

__all__ = [
    "FORMULATIONS",
    "LCP",
    "AllSolutions",
    "LCPSolution",
    "Readings",
    "SingularMassError",
    "Stepper",
    "Trajectory",
    "all_solutions",
    "lcp_size",
    "simulate",
    "simulate_many",
    "solve_lcp",
]
