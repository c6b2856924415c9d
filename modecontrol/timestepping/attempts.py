"""One attempt of one method at an ordinary LCP, and the two ways to prove that there is nothing to find.

    M^T y <= 0,  y >= 0,  q . y < 0        then no z >= 0 has M z + q >= 0 (Farkas)

Lemke's ray is such a `y` for every copositive-plus matrix; for others it is tested and, if it fails, a linear
program is asked for one. No claim rests on a solver's word: the three inequalities are checked.
"""

from dataclasses import dataclass

import numpy as np

from modecontrol import tolerances

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


def proves_infeasible(M: np.ndarray, q: np.ndarray, y: np.ndarray) -> bool:
    """Whether `y >= 0`, `M^T y <= 0`, `q . y < 0` hold beyond rounding.

    An entry of `M^T y` that is positive by rounding leaves room for a `z_j` of at least `-q.y / (M^T y)_j`:
    an answer, if there is one, has scaled entries beyond `1 / FEASIBLE`, which nobody would accept as one.
    """
    from modecontrol._kernels.bases import equilibrate

    row, column = np.empty(q.size), np.empty(q.size)
    equilibrate(M, q.size, row, column)
    y = np.maximum(y, 0.0) / row
    scaled, rhs = row[:, None] * M * column, row * q
    total, size = y.sum(), np.abs(rhs).max(initial=0.0)
    if not np.isfinite(total) or total == 0.0 or size == 0.0:
        return False
    y, rhs = y / total, rhs / size
    value = float(rhs @ y)
    small = tolerances.FEASIBLE
    return value < -np.sqrt(small) and bool((scaled.T @ y <= -small * value).all())


def infeasible(M: np.ndarray, q: np.ndarray) -> bool:
    """Whether a linear program finds a proof that `M z + q >= 0, z >= 0` cannot hold."""
    from scipy.optimize import linprog

    from modecontrol._kernels.bases import equilibrate

    if q.size == 0:
        return False
    row, column = np.empty(q.size), np.empty(q.size)
    equilibrate(M, q.size, row, column)
    scaled, rhs = row[:, None] * M * column, row * q
    size = np.abs(rhs).max()
    if size == 0.0:
        return False
    # minimise q.y over the part of the cone M^T y <= 0, y >= 0 below sum(y) = 1
    answer = linprog(
        rhs / size,
        A_ub=np.vstack([scaled.T, np.ones(q.size)]),
        b_ub=np.append(np.zeros(q.size), 1.0),
        method="highs",
    )
    return answer.status == 0 and proves_infeasible(M, q, row * answer.x)
