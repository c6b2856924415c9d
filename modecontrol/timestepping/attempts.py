"""One attempt of one method at an ordinary LCP `w = M z + q`, `0 <= z perp w >= 0`.

Each function calls one kernel and says in an `Attempt` what came of it. A ray of Lemke's method counts as a
proof that there is no solution only when it passes `proves_infeasible`, as for copositive-plus matrices.
"""

from dataclasses import dataclass

import numpy as np

from modecontrol.timestepping.certificates import proves_infeasible

_WHY = {1: "ray termination", 2: "too many pivots", 3: "inaccurate"}


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
    from modecontrol._kernels import lemke as kernel

    spent, reason = 0, ""
    for turn in range(covers):
        z, active, code, pivots, _ = kernel.lemke(M, q, guess if turn == 0 else None, turn=turn)
        spent += pivots
        if code == kernel.SOLVED:
            return Attempt(z, active, spent)
        if code == kernel.RAY and proves_infeasible(M, q, z):
            proof = "ray termination, and the ray proves that the inequalities contradict each other"
            return Attempt(None, None, spent, proof, True)
        reason = reason or _WHY[code]
    return Attempt(None, None, spent, reason)


def principal(M: np.ndarray, q: np.ndarray) -> Attempt:
    """Principal pivoting."""
    from modecontrol._kernels import principal as kernel

    z, active, code, pivots, _ = kernel.principal(M, q)
    return Attempt(None, None, pivots, _WHY[code]) if code else Attempt(z, active, pivots)


def gauss_seidel(M: np.ndarray, q: np.ndarray) -> Attempt:
    """Projected Gauss-Seidel."""
    from modecontrol._kernels import gauss_seidel as kernel

    z, active, code, sweeps, _ = kernel.gauss_seidel(M, q)
    why = "too many sweeps" if code == 2 else _WHY.get(code, "")
    return Attempt(None, None, sweeps, why) if code else Attempt(z, active, sweeps)


def enumeration(M: np.ndarray, q: np.ndarray, largest: int) -> Attempt:
    """The first complementary basis that holds an answer, or the knowledge that none does."""
    from modecontrol._kernels.enumeration import enumerate_bases

    if q.size > largest:
        return Attempt(None, None, 0, f"{q.size} rows are too many, {largest} at most")
    z, _, bases, _, tried, undecided = enumerate_bases(M, q, first=True)
    if len(z):
        return Attempt(z[0], bases[0], tried)
    if undecided:
        return Attempt(None, None, tried, f"{undecided} of {tried} bases are too close to call")
    return Attempt(None, None, tried, f"none of the {tried} complementary bases is feasible", True)
