"""Maximise a linear function over a polyhedron, and never trust one method alone.

    max c x   over   {x : A x <= b, C x = d}

First the compiled simplex method, which checks its own answer (feasibility, multipliers, gap) in the original
rows. Should it decline, HiGHS is asked and its answer checked here; should that fail too, small problems go
to exact arithmetic. If nothing can be vouched for, `UncheckedError` carries the problem.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from modecontrol import tolerances
from modecontrol._core import polytopes as core
from modecontrol._core.layout import INFEASIBLE, OPTIMAL, UNBOUNDED
from modecontrol.errors import UncheckedError
from modecontrol.polytopes.checks import plain
from modecontrol.polytopes.exact.program import ExactSet
from modecontrol.polytopes.scaling import column_scale, row_size

__all__ = ["Optimum", "feasible_point", "optimum", "optimum_by_highs", "optimum_exactly", "rescaled"]

EXACT_SIZE = 2_000
"""Largest number of coefficients for which exact arithmetic is tried as the last method."""


@dataclass(frozen=True, eq=False)
class Optimum:
    """The answer of a linear program, with the proof of it.

    Parameters
    ----------
    status : str
        "optimal", "unbounded" or "infeasible".
    value : float
        `c x` at the optimum; `inf` if unbounded, `-inf` if infeasible.
    point : numpy.ndarray or None
        An optimal point; if unbounded, the point at which the ray starts.
    ray : numpy.ndarray or None
        A direction in which `c x` grows without end.
    certificate : tuple of two numpy.ndarray or None
        Multipliers `(y, z)` of inequalities and equalities: `A' y + C' z = c` if optimal,
        `A' y + C' z = 0` with `b y + d z < 0` if infeasible.
    piece : int or None
        For a `Region`: which piece holds the point.
    """

    status: str
    value: float
    point: np.ndarray | None = None
    ray: np.ndarray | None = None
    certificate: tuple[np.ndarray, np.ndarray] | None = None
    piece: int | None = None

    def __bool__(self) -> bool:
        return self.status == "optimal"

    @property
    def reason(self) -> str:
        """The status in a sentence."""
        return {
            "optimal": f"the greatest value is {self.value:.9g}",
            "unbounded": "the value grows without end along the ray",
            "infeasible": "the set is empty",
        }[self.status]

    @property
    def active(self) -> np.ndarray:
        """Inequality rows that push back at the optimum: those with a nonzero multiplier."""
        return np.flatnonzero(self.certificate[0]) if self.certificate is not None else np.zeros(0, dtype=int)


def optimum(c: np.ndarray, A: np.ndarray, b: np.ndarray, C: np.ndarray, d: np.ndarray) -> Optimum:
    """Maximise `c x` over `{x : A x <= b, C x = d}`.

    Parameters
    ----------
    c : numpy.ndarray
        Objective, (n,).
    A, b, C, d : numpy.ndarray
        The set.

    Returns
    -------
    Optimum
        Checked by the method that found it.
    """
    c, A, b, C, d = plain(c), plain(A), plain(b), plain(C), plain(d)
    lp = core.maximize(c, A, b, C, d)
    if lp.status == OPTIMAL:
        return Optimum("optimal", float(lp.value), lp.x, None, (lp.y, lp.z))
    if lp.status == INFEASIBLE:
        return Optimum("infeasible", -np.inf, None, None, (lp.y, lp.z))
    if lp.status == UNBOUNDED:
        return Optimum("unbounded", np.inf, lp.x, lp.ray)
    return second_opinion(c, A, b, C, d)


def second_opinion(c, A, b, C, d) -> Optimum:
    """HiGHS, then exact arithmetic, then `UncheckedError`; arguments as in `optimum`."""
    answer = optimum_by_highs(c, A, b, C, d)
    if answer is not None:
        return answer
    if (A.size + C.size) <= EXACT_SIZE:
        return optimum_exactly(c, A, b, C, d)
    raise UncheckedError("no method could solve this linear program", c=c, A=A, b=b, C=C, d=d)


def rescaled(answer: Optimum, scale: np.ndarray, size: float = 1.0) -> Optimum:
    """An answer found in the variables `x / scale`, in the variables x.

    Parameters
    ----------
    answer : Optimum
        Of the set `{x' : (A scale / size) x' <= b / size, (C scale / size) x' = d / size}`.
    scale : numpy.ndarray
        Sizes of the variables.
    size : float
        The size of the set, by which right-hand sides were divided.

    Returns
    -------
    Optimum
        The value is the same in both, and so are multipliers that prove a set empty.
    """
    point = None if answer.point is None else answer.point * scale
    ray = None if answer.ray is None else answer.ray * scale
    proof = answer.certificate
    if proof is not None and answer.status == "optimal":
        proof = proof[0] / size, proof[1] / size
    return replace(answer, point=point, ray=ray, certificate=proof)


def feasible_point(A: np.ndarray, b: np.ndarray, C: np.ndarray, d: np.ndarray) -> Optimum:
    """Some point of `{x : A x <= b, C x = d}` (status "optimal", value 0), or the proof that there is none.

    Returns
    -------
    Optimum
        "optimal" with a point, or "infeasible" with a certificate.
    """
    A, b, C, d = plain(A), plain(b), plain(C), plain(d)
    status, x, y, z = core.feasible_point(A, b, C, d)
    if status == OPTIMAL:
        return Optimum("optimal", 0.0, x)
    if status == INFEASIBLE:
        return Optimum("infeasible", -np.inf, None, None, (y, z))
    return second_opinion(np.zeros(A.shape[1]), A, b, C, d)


def _holds(A, b, C, d, x) -> bool:
    """Whether `x` satisfies all rows to `tolerances.FEASIBLE`, each row divided by its largest coefficient."""
    for rows, level, both in ((A, b, False), (C, d, True)):
        size = row_size(rows)
        excess = (rows @ x - level) / size
        room = tolerances.FEASIBLE * np.maximum(1.0, np.abs(level) / size)
        if np.any((np.abs(excess) if both else excess) > room):
            return False
    return True


def optimum_by_highs(c, A, b, C, d) -> Optimum | None:
    """The same question asked of HiGHS, checked; None when the check fails.

    Returns
    -------
    Optimum or None
        None: HiGHS gave up, or its answer does not hold.
    """
    n = A.shape[1]
    if n == 0:
        return optimum_exactly(c, A, b, C, d)
    scale = column_scale(A, C)
    A_size, C_size = row_size(A * scale), row_size(C * scale)
    G, h = A * scale / A_size[:, None], b / A_size
    E, f = C * scale / C_size[:, None], d / C_size
    g = c * scale
    g_size = np.abs(g).max(initial=0.0) or 1.0
    result = _linprog(-g / g_size, G, h, E, f)
    if result.status == 0 and _holds(A, b, C, d, result.x * scale):
        y, z = -result.ineqlin.marginals, -result.eqlin.marginals
        y = np.where(y < tolerances.FEASIBLE, 0.0, y)
        dual = G.T @ y + E.T @ z - g / g_size
        gap = h @ y + f @ z - g @ result.x / g_size
        size = 1.0 + np.abs(y).sum() + np.abs(z).sum()
        bound = max(1.0, float(np.abs(g @ result.x) / g_size), float(np.abs(h) @ y))
        if (
            np.all(np.abs(dual) <= 10 * tolerances.FEASIBLE * size)
            and abs(gap) <= 10 * tolerances.FEASIBLE * bound
        ):
            certificate = y * g_size / A_size, z * g_size / C_size
            return Optimum(
                "optimal",
                float(c @ (result.x * scale)),
                result.x * scale,
                None,
                certificate,
            )
    if result.status in (2, 3, 4):
        y, z = _farkas_by_highs(G, h, E, f)
        value = h @ y + f @ z
        if value < -tolerances.FEASIBLE and np.all(
            np.abs(G.T @ y + E.T @ z) <= tolerances.FARKAS_FLOOR + tolerances.FARKAS * abs(value)
        ):
            return Optimum("infeasible", -np.inf, None, None, (y / A_size, z / C_size))
        point = _linprog(np.zeros(n), G, h, E, f)
        ray = _linprog(-g / g_size, G, np.zeros_like(h), E, np.zeros_like(f), (-1.0, 1.0))
        if point.status == 0 and ray.status == 0 and _holds(A, b, C, d, point.x * scale):
            away = ray.x * scale
            if g @ ray.x > 10 * tolerances.FEASIBLE * g_size and _holds(
                A, np.zeros_like(b), C, np.zeros_like(d), away
            ):
                return Optimum("unbounded", np.inf, point.x * scale, away)
    return None


def _linprog(c, A, b, C, d, bounds=(None, None)):
    from scipy.optimize import OptimizeResult, linprog

    if not all(np.all(np.abs(data) <= tolerances.LARGEST) for data in (c, A, b, C, d)):
        return OptimizeResult(status=4, x=None, message="numbers beyond double precision")
    options = {
        "primal_feasibility_tolerance": tolerances.SECOND_OPINION,
        "dual_feasibility_tolerance": tolerances.SECOND_OPINION,
        "presolve": True,
    }
    return linprog(c, A, b, C, d, bounds=bounds, method="highs-ds", options=options)


def _farkas_by_highs(G, h, E, f):
    """`min h y + f z` over `G' y + E' z = 0, 0 <= y <= 1, |z| <= 1`: negative proves the set empty."""
    m, p = len(h), len(f)
    if m + p == 0:
        return np.zeros(0), np.zeros(0)
    bounds = [(0.0, 1.0)] * m + [(-1.0, 1.0)] * p
    none = np.zeros((0, m + p)), np.zeros(0)
    result = _linprog(np.concatenate([h, f]), *none, np.hstack([G.T, E.T]), np.zeros(G.shape[1]), bounds)
    if result.status != 0:
        return np.zeros(m), np.zeros(p)
    return np.maximum(result.x[:m], 0.0), result.x[m:]


def optimum_exactly(c, A, b, C, d) -> Optimum:
    """The same question in exact arithmetic; slow, always right about the numbers as they stand.

    Returns
    -------
    Optimum
        The exact answer rounded to floats.
    """
    answer = ExactSet(A, b, C, d).maximize(c)
    certificate = None
    if answer.y is not None and answer.z is not None:
        size = max([abs(v) for v in answer.y + answer.z], default=Fraction(1))
        size = size if answer.status == "infeasible" else Fraction(1)
        certificate = (
            np.array([float(v / size) for v in answer.y]),
            np.array([float(v / size) for v in answer.z]),
        )
    point = None if answer.x is None else np.array([float(v) for v in answer.x])
    if answer.status == "optimal":
        assert answer.value is not None
        assert certificate is not None
        return Optimum("optimal", float(answer.value), point, None, certificate)
    if answer.status == "unbounded":
        assert answer.ray is not None
        size = max(map(abs, answer.ray))
        return Optimum("unbounded", np.inf, point, np.array([float(v / size) for v in answer.ray]))
    return Optimum("infeasible", -np.inf, None, None, certificate)
