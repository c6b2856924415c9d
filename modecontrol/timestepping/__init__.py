"""6 Check by simulation: complementarity problems and the time stepping built on them."""

from modecontrol.timestepping.complementarity import LCP, LCPSolution
from modecontrol.timestepping.lcp import solve_lcp
from modecontrol.timestepping.solutions import AllSolutions, all_solutions

__all__ = ["LCP", "AllSolutions", "LCPSolution", "all_solutions", "solve_lcp"]
