"""All solutions of a small LCP: every isolated one, and every basis that holds a continuum of them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from modecontrol import tolerances
from modecontrol._core import lcp as core
from modecontrol.timestepping.lcp.problem import LCP, LCPSolution
from modecontrol.timestepping.lcp.solve import ENUMERABLE


@dataclass(frozen=True, eq=False)
class AllSolutions:
    """The solution set of `w = M z + q, z >= 0, w >= 0, z . w = 0`.

    Attributes
    ----------
    isolated : tuple of LCPSolution
        Solutions that lie in no continuum, each once.
    continua : tuple of LCPSolution
        One solution out of every polytope of solutions; the polytope is
        `{z : z_i = 0 off active, (M z + q)_i = 0 on active, z >= 0, M z + q >= 0}`. Polytopes may overlap.
    complete : bool
        False when some basis was too close to call, or when there were too many answers to keep.
    problem : LCP
        The data.

    """

    isolated: tuple[LCPSolution, ...]
    continua: tuple[LCPSolution, ...]
    complete: bool
    problem: LCP

    @property
    def unique(self) -> bool:
        """Whether there is exactly one solution, known for sure."""
        return self.complete and len(self.isolated) == 1 and not self.continua


def all_solutions(M: ArrayLike, q: ArrayLike) -> AllSolutions:
    """Every solution of `w = M z + q, z >= 0, w >= 0, z . w = 0`, by enumeration of the 2^n bases.

    Parameters
    ----------
    M : array (n, n)
        The matrix, `n` at most `ENUMERABLE`.
    q : array (n,)
        The constant.

    Returns
    -------
    AllSolutions
        Empty (no solution), isolated points, continua, or both.

    """
    problem = LCP(M, q)  # type: ignore[arg-type]
    if problem.n > ENUMERABLE:
        raise ValueError(f"the problem has {problem.n} rows; all solutions can be listed up to {ENUMERABLE}")
    found, kinds, bases, _, tried, undecided = core.all_bases(problem.M, problem.q)
    answers = []
    for raw, kind, active in zip(found, kinds, bases, strict=True):
        z, w, residual = problem.check(raw)
        answer = LCPSolution(z, w, "solved", residual, tried, "enumeration", active.copy(), problem)
        answers.append((answer, kind))
    continua = tuple(answer for answer, kind in answers if kind == core.CONTINUUM)
    isolated: list[LCPSolution] = []
    for answer, kind in answers:
        if kind != core.CONTINUUM and not any(_lies_in(answer, other) for other in (*continua, *isolated)):
            isolated.append(answer)
    return AllSolutions(tuple(isolated), continua, undecided == 0, problem)


def _lies_in(answer: LCPSolution, other: LCPSolution) -> bool:
    """Whether `answer` belongs to the polytope of `other`, or is the same point where `other` is one."""
    row, column = answer.problem.scales
    z, w = answer.z / column, answer.w * row
    small = np.sqrt(tolerances.FEASIBLE) * max(float(z.max(initial=0.0)), float(w.max(initial=0.0)))
    return bool(np.all(z[~other.active] <= small) and np.all(w[other.active] <= small))
