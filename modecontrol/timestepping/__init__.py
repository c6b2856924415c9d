"""6 Check by simulation: complementarity problems and the time stepping built on them."""

from modecontrol.timestepping.complementarity import LCP, LCPSolution
from modecontrol.timestepping.formulations import FORMULATIONS, SingularMassError, lcp_size
from modecontrol.timestepping.lcp import solve_lcp
from modecontrol.timestepping.simulate import simulate
from modecontrol.timestepping.solutions import AllSolutions, all_solutions
from modecontrol.timestepping.trajectory import Trajectory

__all__ = ["FORMULATIONS", "LCP", "AllSolutions", "LCPSolution", "SingularMassError", "Trajectory", "all_solutions",
           "lcp_size", "simulate", "solve_lcp"]
