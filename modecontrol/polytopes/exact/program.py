"""Linear programs in exact integer arithmetic: the judge of last resort.

    maximise c x   over   {x : A x <= b, C x = d},     every float taken as the rational number it is

Each row is multiplied by a power of two until it is integral, and the dictionary

    q * basic = T[:, 0] + T[:, 1:] nonbasic

is pivoted with exact division (Edmonds 1967), so that all entries stay integers: minors of the data. Nothing
is rounded, there is no tolerance, and the least-index rule (Bland 1977) ends every run. Meant for small
problems (some tens of rows): it shares no code with the kernels and is a thousand times slower.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

import numpy as np

__all__ = ["ExactOptimum", "ExactSet", "exact_rank", "integer_rows"]


def integer_rows(*blocks) -> tuple[np.ndarray, list[Fraction]]:
    """Stack blocks side by side and scale each row to coprime integers: `integers = scale * row`.

    Parameters
    ----------
    *blocks : array_like
        Matrices (or vectors, taken as one column) with the same number of rows.

    Returns
    -------
    (numpy.ndarray, list of Fraction)
        Integer matrix (dtype object) and the positive scale of each row.
    """
    columns = [np.asarray(block, dtype=object) for block in blocks]
    matrix = np.hstack([block[:, None] if block.ndim == 1 else block for block in columns])
    integers = np.zeros(matrix.shape, dtype=object)
    scales = []
    for i, row in enumerate(matrix):
        exact = [Fraction(v.item() if isinstance(v, np.generic) else v) for v in row]
        bottom = lcm(*[v.denominator for v in exact]) if exact else 1
        numbers = [v.numerator * (bottom // v.denominator) for v in exact]
        top = gcd(*numbers) or 1
        integers[i] = [v // top for v in numbers]
        scales.append(Fraction(bottom, top))
    return integers, scales


def exact_rank(matrix) -> int:
    """Rank of a matrix of floats, integers or fractions, without rounding.

    Parameters
    ----------
    matrix : array_like
        Two-dimensional.

    Returns
    -------
    int
        The rank.
    """
    M, _ = integer_rows(matrix)
    rank = 0
    for column in range(M.shape[1]):
        rows = [i for i in range(rank, M.shape[0]) if M[i, column] != 0]
        if not rows:
            continue
        M[[rank, rows[0]]] = M[[rows[0], rank]]
        for i in range(rank + 1, M.shape[0]):
            if M[i, column] != 0:
                M[i] = M[i] * M[rank, column] - M[rank] * M[i, column]
                M[i] //= gcd(*M[i]) or 1
        rank += 1
    return rank


@dataclass(frozen=True)
class ExactOptimum:
    """What an exact linear program found; vectors are lists of `Fraction`.

    Parameters
    ----------
    status : str
        "optimal", "infeasible" or "unbounded".
    value : Fraction or None
        `c x` at the optimum.
    x : list of Fraction or None
        An optimal (or, if unbounded, a feasible) point.
    ray : list of Fraction or None
        `A ray <= 0, C ray = 0, c ray > 0` when unbounded.
    y, z : list of Fraction or None
        Multipliers of the rows: `A' y + C' z = c` when optimal; `A' y + C' z = 0, b y + d z < 0` when
        infeasible.
    """

    status: str
    value: Fraction | None = None
    x: list[Fraction] | None = None
    ray: list[Fraction] | None = None
    y: list[Fraction] | None = None
    z: list[Fraction] | None = None


class ExactSet:
    """`{x : A x <= b, C x = d}` with an exact dictionary that later questions start from.

    Parameters
    ----------
    A, b : array_like
        Inequalities; floats, integers or fractions.
    C, d : array_like, optional
        Equalities.
    """

    def __init__(self, A, b, C=None, d=None):
        A = np.asarray(A, dtype=object)
        C = np.zeros((0, A.shape[1]), dtype=object) if C is None else np.asarray(C, dtype=object)
        d = np.zeros(0, dtype=object) if d is None else np.asarray(d, dtype=object)
        self.m, self.p, self.n = len(A), len(C), A.shape[1]
        rows, self._scale = integer_rows(np.vstack([A, C]), np.concatenate([np.asarray(b, dtype=object), d]))
        self._T = np.hstack([rows[:, -1:], -rows[:, :-1]])
        self._q = 1
        # Variables are numbered: inequality slacks, equality slacks (always zero), then x.
        self._basis = list(range(self.m + self.p))
        self._cobasis = [self.m + self.p + j for j in range(self.n)]
        self._certificate = self._solve_equalities() or self._reach_feasibility()

    # -- dictionary ------------------------------------------------------------------------------------------

    def _is_slack(self, variable: int) -> bool:
        return variable < self.m

    def _is_free(self, variable: int) -> bool:
        return variable >= self.m + self.p

    def _pivot(self, r: int, k: int) -> None:
        """Exchange basic variable r and nonbasic variable k (column k + 1)."""
        T, q = self._T, self._q
        column, row = T[:, k + 1].copy(), T[r].copy()
        p = row[k + 1]
        T = (T * p - np.multiply.outer(column, row)) // q
        T[:, k + 1] = column
        T[r] = -row
        T[r, k + 1] = q
        if p < 0:
            T, p = -T, -p
        self._T, self._q = T, p
        self._basis[r], self._cobasis[k] = self._cobasis[k], self._basis[r]

    def _solve_equalities(self):
        """Pivot the free variables into the basis: equalities first, then inequalities; the rest: lines."""
        for equality in range(self.m, self.m + self.p):
            r = self._basis.index(equality)
            free = [k for k, v in enumerate(self._cobasis) if self._is_free(v) and self._T[r, k + 1] != 0]
            if free:
                self._pivot(r, free[0])
            elif self._T[r, 0] != 0:
                return self._farkas(r, 1 if self._T[r, 0] < 0 else -1)
        for k in range(self.n):
            if self._is_free(self._cobasis[k]):
                rows = [r for r, v in enumerate(self._basis) if self._is_slack(v) and self._T[r, k + 1] != 0]
                if rows:
                    self._pivot(rows[0], k)
        return None

    def _reach_feasibility(self):
        """Least-index pivots until no slack is negative, or one that cannot grow proves the set empty."""
        while True:
            negative = [(v, r) for r, v in enumerate(self._basis) if self._is_slack(v) and self._T[r, 0] < 0]
            if not negative:
                return None
            _, r = min(negative)
            enter = [
                (v, k) for k, v in enumerate(self._cobasis) if self._is_slack(v) and self._T[r, k + 1] > 0
            ]
            if not enter:
                return self._farkas(r, 1)
            self._pivot(r, min(enter)[1])

    def _farkas(self, r: int, sign: int):
        """Row r reads `slack_r - sum_j T_rj slack_j = T_r0`, an identity in x: its coefficients are y, z."""
        y, z = [Fraction(0)] * self.m, [Fraction(0)] * self.p
        for v, value in [(self._basis[r], Fraction(sign))] + [
            (v, Fraction(-sign * self._T[r, k + 1], self._q)) for k, v in enumerate(self._cobasis)
        ]:
            if self._is_slack(v):
                y[v] = value * self._scale[v]
            elif not self._is_free(v):
                z[v - self.m] = value * self._scale[v]
        return y, z

    # -- questions -------------------------------------------------------------------------------------------

    @property
    def is_empty(self) -> bool:
        """Whether no point satisfies all rows."""
        return self._certificate is not None

    @property
    def farkas(self):
        """`(y, z)` with `y >= 0, A' y + C' z = 0, b y + d z < 0`, or None when the set has a point."""
        return self._certificate

    @property
    def point(self) -> list[Fraction]:
        """The feasible point of the current dictionary (lines at zero)."""
        x = [Fraction(0)] * self.n
        for r, v in enumerate(self._basis):
            if self._is_free(v):
                x[v - self.m - self.p] = Fraction(self._T[r, 0], self._q)
        return x

    def _expression(self, coefficients: dict[int, int]) -> np.ndarray:
        """The linear form `sum coefficients[v] * variable v` as a row of the dictionary."""
        row = np.zeros(self.n + 1, dtype=object)
        for variable, factor in coefficients.items():
            if variable in self._basis:
                row = row + factor * self._T[self._basis.index(variable)]
            else:
                row[self._cobasis.index(variable) + 1] += factor * self._q
        return row

    def _ascend(self, objective: dict[int, int]):
        """Primal simplex: None at an optimum, otherwise `(column, sign)` of an unbounded direction."""
        steps, patience = 0, 4 * (self.m + self.n) + 20
        while True:
            row = self._expression(objective)
            gain = []
            for k, v in enumerate(self._cobasis):
                if self._is_free(v) and row[k + 1] != 0:
                    return row, (k, 1 if row[k + 1] > 0 else -1)
                if self._is_slack(v) and row[k + 1] > 0:
                    gain.append((row[k + 1], v, k))
            if not gain:
                return row, None
            # Largest coefficient while progress is likely, then Bland's least index, which cannot cycle.
            k = max(gain)[2] if steps < patience else min(gain, key=lambda g: g[1])[2]
            ratios = [
                (Fraction(self._T[r, 0], -self._T[r, k + 1]), v, r)
                for r, v in enumerate(self._basis)
                if self._is_slack(v) and self._T[r, k + 1] < 0
            ]
            if not ratios:
                return row, (k, 1)
            self._pivot(min(ratios)[2], k)
            steps += 1

    def maximize(self, c: Sequence) -> ExactOptimum:
        """Maximise `c x` over the set, starting where the last question ended.

        Parameters
        ----------
        c : sequence of numbers
            Objective, one entry per variable.

        Returns
        -------
        ExactOptimum
            With a certificate of whatever it claims.
        """
        if self._certificate is not None:
            return ExactOptimum("infeasible", y=self._certificate[0], z=self._certificate[1])
        integers, scales = integer_rows(np.asarray([list(c)], dtype=object).reshape(1, self.n))
        scale = scales[0]
        row, direction = self._ascend(
            {self.m + self.p + j: integers[0, j] for j in range(self.n) if integers[0, j]}
        )
        if direction is not None:
            k, sign = direction
            ray = [Fraction(0)] * self.n
            for r, v in enumerate(self._basis):
                if self._is_free(v):
                    ray[v - self.m - self.p] = Fraction(sign * self._T[r, k + 1], self._q)
            if self._is_free(self._cobasis[k]):
                ray[self._cobasis[k] - self.m - self.p] = Fraction(sign)
            return ExactOptimum("unbounded", x=self.point, ray=ray)
        y, z = [Fraction(0)] * self.m, [Fraction(0)] * self.p
        for k, v in enumerate(self._cobasis):
            if self._is_slack(v):
                y[v] = Fraction(-row[k + 1], self._q) * self._scale[v] / scale
            elif not self._is_free(v):
                z[v - self.m] = Fraction(-row[k + 1], self._q) * self._scale[v] / scale
        return ExactOptimum("optimal", value=Fraction(row[0], self._q) / scale, x=self.point, y=y, z=z)

    def room(self, i: int) -> Fraction | None:
        """Greatest slack `max b_i - A_i x` over the set (None: no bound); zero marks a hidden equality."""
        row, direction = self._ascend({i: 1})
        return None if direction is not None else Fraction(row[0], self._q) / self._scale[i]

    def excess(self, i: int, reach=1) -> Fraction:
        """`max A_i x - b_i` over the other rows, not beyond `reach`; zero marks a redundant row.

        Parameters
        ----------
        i : int
            Inequality row.
        reach : Fraction or int
            How far past the row to look.

        Returns
        -------
        Fraction
            Between zero and `reach`.
        """
        kept = self._T, self._q, list(self._basis), list(self._cobasis)
        shift = Fraction(reach) * self._scale[i]
        # slack_i + reach >= 0 takes the place of slack_i >= 0; all constants times the denominator of the
        # shift.
        self._T = self._T.copy()
        self._T[:, 0] *= shift.denominator
        if i in self._basis:
            self._T[self._basis.index(i), 0] += shift.numerator * self._q
        else:
            self._T[:, 0] -= shift.numerator * self._T[:, self._cobasis.index(i) + 1]
            self._reach_feasibility()
        row, _ = self._ascend({i: -1})
        answer = (Fraction(row[0], self._q) / shift.denominator + shift) / self._scale[i]
        self._T, self._q, self._basis, self._cobasis = kept
        return answer
