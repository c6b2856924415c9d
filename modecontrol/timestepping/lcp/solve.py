"""Linear complementarity problems: one function, several methods, every answer checked.

    w = M z + q,    z >= 0,   w >= 0,   z . w = 0,        w_i = 0 and z_i free on equality rows

`solve_lcp` tries its methods in turn and returns the first answer that passes the check; what it returns as
"solved" is right to `tolerances.COMPLEMENTARY`. A claim that no solution exists is checked as well: it rests
on a combination of rows that cannot hold (Farkas), or on having looked at every basis.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol import tolerances
from modecontrol.timestepping.lcp.bilateral import Reduced, eliminate
from modecontrol.timestepping.lcp.problem import LCP, LCPSolution
from modecontrol.validation import as_tuple, shown

METHODS = ("lemke", "precise", "principal", "enumeration", "branching", "gauss-seidel")
ENUMERABLE = 16
"""Largest number of unilateral rows whose bases are enumerated."""


def solve_lcp(
    M: ArrayLike,
    q: ArrayLike,
    *,
    equalities: int | ArrayLike = 0,
    guess: ArrayLike | LCPSolution | None = None,
    methods: Sequence[str] = METHODS,
) -> LCPSolution:
    """Solve `w = M z + q, z >= 0, w >= 0, z . w = 0` (bilateral rows: `w_i = 0`, `z_i` free).

    Parameters
    ----------
    M : array (n, n)
        The matrix.
    q : array (n,)
        The constant.
    equalities : int or bool array (n,)
        Bilateral rows: the first so many, or a mask. Singular and redundant ones are welcome.
    guess : bool array (n,) or LCPSolution
        A basis to try first, such as that of the previous time step; kept only if it proves right.
    methods : sequence of str
        Which methods to try, in this order, out of `METHODS`. Enumeration is left out for more than
        `ENUMERABLE` unilateral rows.

    Returns
    -------
    LCPSolution
        Problems without solution, and problems that no method solved, come back with a status that says so.

    """
    named = [methods] if isinstance(methods, str) else as_tuple(methods, "methods", "names")
    unknown = [method for method in named if not isinstance(method, str) or method not in METHODS]
    if unknown or isinstance(methods, str):
        raise ValueError(f"methods holds {shown(unknown or methods)}; choose a sequence out of {METHODS}")
    problem = LCP(M, q, equalities)  # type: ignore[arg-type]
    basis = _guess(guess, problem.n)
    reduced = _reduce(problem)
    if reduced.contradiction is not None:
        return _nothing(problem, "no solution: the bilateral rows contradict each other", 0)
    if reduced.plain and basis is not None:
        basis = basis[~problem.equalities]
    elif not reduced.plain:
        basis = None

    from modecontrol.timestepping.lcp import attempts
    from modecontrol.timestepping.lcp.branching import branching
    from modecontrol.timestepping.lcp.certificates import infeasible

    reasons: list[str] = []
    spent = 0
    runs: dict[str, Callable[[], attempts.Attempt]] = {
        "lemke": lambda: attempts.lemke(reduced.M, reduced.q, basis, tolerances.COVERS),
        "precise": lambda: attempts.precise(reduced.M, reduced.q),
        "principal": lambda: attempts.principal(reduced.M, reduced.q),
        "enumeration": lambda: attempts.enumeration(reduced.M, reduced.q, ENUMERABLE),
        "branching": lambda: branching(reduced.M, reduced.q),
        "gauss-seidel": lambda: attempts.gauss_seidel(reduced.M, reduced.q),
    }
    for method in methods:
        attempt = runs[method]()
        spent += attempt.pivots
        if attempt.impossible:
            return _nothing(problem, f"no solution: {attempt.reason} ({method})", spent)
        if attempt.z is not None:
            solution = _accept(problem, reduced, attempt, method)
            if solution.residual <= tolerances.COMPLEMENTARY:
                return solution
            attempt = attempts.Attempt(None, None, attempt.pivots, f"residual {solution.residual:.1e}")
        reasons.append(f"{method}: {attempt.reason}")
    if infeasible(reduced.M, reduced.q):
        return _nothing(problem, "no solution: the inequalities M z + q, z >= 0 contradict each other", spent)
    return _nothing(problem, f"not solved: {'; '.join(reasons) or 'no method was asked for'}", spent)


def _reduce(problem: LCP) -> Reduced:
    """The problem without its bilateral rows, in scaled unknowns when there are any."""
    E = problem.equalities
    if not E.any():
        return Reduced(problem.M, problem.q, np.zeros(0), np.zeros((0, problem.n)), True)
    row, column = problem.scales
    M, q = row[:, None] * problem.M * column, row * problem.q
    U = ~E
    return eliminate(M[np.ix_(E, E)], M[np.ix_(E, U)], q[E], M[np.ix_(U, E)], M[np.ix_(U, U)], q[U])


def _accept(problem: LCP, reduced: Reduced, attempt: Any, method: str) -> LCPSolution:
    """The answer in the problem's own unknowns, checked there, and refined once if need be."""
    E, active = problem.equalities, problem.equalities.copy()
    k = int((~E).sum())
    active[~E] = attempt.active[:k]
    row, column = problem.scales
    if not E.any():
        z, w, residual = problem.check(attempt.z)
    else:
        scaled = np.empty(problem.n)
        scaled[~E], scaled[E] = attempt.z[:k], reduced.free(attempt.z)
        z, w, residual = problem.check(column * scaled)
    if residual > tolerances.REFINED:
        square = (row[:, None] * problem.M * column)[np.ix_(active, active)]
        step = np.zeros(problem.n)
        error = (row * (problem.M @ z + problem.q))[active]
        step[active] = np.linalg.lstsq(square, -error, rcond=None)[0]
        better = problem.check(z + column * step)
        if better[2] < residual:
            z, w, residual = better
    return LCPSolution(z, w, "solved", residual, attempt.pivots, method, active, problem)


def _nothing(problem: LCP, status: str, pivots: int) -> LCPSolution:
    none = np.full(problem.n, np.nan)
    return LCPSolution(none, none.copy(), status, np.inf, pivots, "", np.zeros(problem.n, bool), problem)


def _guess(value: ArrayLike | LCPSolution | None, n: int) -> np.ndarray | None:
    if value is None:
        return None
    try:
        array = value.active if isinstance(value, LCPSolution) else np.asarray(value)
    except ValueError:
        array = np.zeros(0)
    if array.dtype != bool or array.shape != (n,):
        raise ValueError(f"guess is {array.dtype} of shape {array.shape}; a mask of {n} booleans is needed")
    return array
