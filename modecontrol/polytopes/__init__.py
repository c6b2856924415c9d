"""3. Sets: polyhedra, their unions, and proofs about them. Knows nothing of mechanics.

The names below stand in the order in which a reader meets them: a set, a union of sets, the answer of a
linear program, and what is raised when no method can vouch for its answer.
"""

from modecontrol.errors import UncheckedError
from modecontrol.polytopes.linear_program import Optimum
from modecontrol.polytopes.measure import Ball
from modecontrol.polytopes.polytope import Polytope
from modecontrol.polytopes.region import Region
from modecontrol.polytopes.vertices import Generators

__all__ = ["Ball", "Generators", "Optimum", "Polytope", "Region", "UncheckedError"]
