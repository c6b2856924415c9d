"""One attempt of one method at an ordinary LCP `w = M z + q`, `0 <= z perp w >= 0`.

Each function calls one method of the core and says in an `Attempt` what came of it. A ray of Lemke's method
counts as a proof that there is no solution only when it passes `proves_infeasible`, as for copositive-plus
matrices.
"""

from dataclasses import dataclass

import numpy as np

from modecontrol import tolerances
from modecontrol._core import layout
from modecontrol._core import lcp as core
from modecontrol.timestepping.lcp.certificates import proves_infeasible
from modecontrol.timestepping.lcp.problem import LCP

_WHY = {layout.RAY: "ray termination", layout.LIMIT: "too many pivots", layout.INACCURATE: "inaccurate"}


@dataclass(frozen=True, eq=False)
class Attempt:
    """What a method came back with: an answer `z` with its basis, or the reason why not."""

    z: np.ndarray | None
    active: np.ndarray | None
    pivots: int
    reason: str = ""
    impossible: bool = False


def lemke(M: np.ndarray, q: np.ndarray, guess: np.ndarray | None, covers: int) -> Attempt:
    """Lemke's method with up to `covers` covering vectors, from a guessed basis if there is one."""
    z, active, status, pivots, _ = core.lemke(M, q, guess, covers)
    if status == layout.SOLVED:
        return Attempt(z, active, pivots)
    if status == layout.RAY and proves_infeasible(M, q, z):
        proof = "ray termination, and the ray proves that the inequalities contradict each other"
        return Attempt(None, None, pivots, proof, True)
    return Attempt(None, None, pivots, _WHY[status])


def precise(M: np.ndarray, q: np.ndarray) -> Attempt:
    """Lemke's method in twice the precision, with a diagonal larger by `SOFTENED`, slightly larger, and as it
    is.

    Rounding leaves semidefinite matrices slightly indefinite, and the larger diagonal takes that back. It can
    also make up an answer out of huge entries where there is none: an answer must hold in the problem as it
    was given, not only beside the terms of its rows but beside the constant `q`.
    """
    limit = int(min(30 * q.size + 100, tolerances.PRECISE_WORK / (q.size + 1) ** 2))
    problem, diagonal = LCP(M, q), np.diag(np.maximum(np.diag(M), 0.0))
    spent, reason = 0, ""
    for softness in (tolerances.SOFTENED, tolerances.SLIGHTLY_SOFTENED, 0.0):
        for turn in range(2):
            z, active, status, pivots, _ = core.precise_lemke(M + softness * diagonal, q, limit, turn)
            spent += pivots
            if status == layout.SOLVED and _holds_beside_constant(problem, z):
                return Attempt(z, active, spent)
            reason = reason or _WHY.get(status, "inaccurate")
    return Attempt(None, None, spent, reason)


def _holds_beside_constant(problem: LCP, z: np.ndarray) -> bool:
    """Whether the rows hold to `COMPLEMENTARY` of the largest scaled constant, however large their terms are."""
    z, w, residual = problem.check(z)
    row = problem.scales[0]
    error = np.abs(problem.M @ z + problem.q - w)
    size = np.max(row * np.abs(problem.q), initial=0.0)
    return residual <= tolerances.COMPLEMENTARY and bool(
        np.all(row * error <= tolerances.COMPLEMENTARY * size)
    )


def principal(M: np.ndarray, q: np.ndarray) -> Attempt:
    """Principal pivoting."""
    z, active, status, pivots, _ = core.principal_pivoting(M, q)
    return (
        Attempt(z, active, pivots) if status == layout.SOLVED else Attempt(None, None, pivots, _WHY[status])
    )


def gauss_seidel(M: np.ndarray, q: np.ndarray) -> Attempt:
    """Projected Gauss-Seidel."""
    z, active, status, sweeps, _ = core.gauss_seidel(M, q)
    if status == layout.SOLVED:
        return Attempt(z, active, sweeps)
    return Attempt(None, None, sweeps, "too many sweeps" if status == layout.LIMIT else _WHY[status])


def enumeration(M: np.ndarray, q: np.ndarray, largest: int) -> Attempt:
    """The first complementary basis that holds an answer, or the knowledge that none does."""
    if q.size > largest:
        return Attempt(None, None, 0, f"{q.size} rows are too many, {largest} at most")
    z, _, bases, _, tried, undecided = core.all_bases(M, q, first=True)
    if len(z):
        return Attempt(z[0], bases[0], tried)
    if undecided:
        return Attempt(None, None, tried, f"{undecided} of {tried} bases are too close to call")
    return Attempt(None, None, tried, f"none of the {tried} complementary bases is feasible", True)
