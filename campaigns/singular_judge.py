"""All answers of an instant to given inputs, decided by z3 in exact rationals: Tables 1 to 3 of Greenfield 2005 as one formula.

    M qdd - J' f - G' lam = S tau - b,   G qdd = -e,   and for each contact one of its letters

Every float is the rational number that it is. Shares nothing with the package.
"""

from fractions import Fraction

import numpy as np
import z3
from mode_programs import letters

BEYOND = 1e-9
"""Inputs may miss their limits by this (relative): limits are no mechanics."""
DIGITS = 1e13
"""Motions beyond this many loads are made by the last digits of the data: nobody can tell them from none."""
ROUNDING = 1e-13
"""Inputs are what a computation gave: they differ by this from what was meant (relative, and in parts of one)."""


def number(x):
    """A float as z3 has it, exactly."""
    x = Fraction(float(x)) if not isinstance(x, Fraction) else x
    return z3.RealVal(f"{x.numerator}/{x.denominator}")


def total(row, unknowns):
    """`row . unknowns`, zeros left out."""
    terms = [number(a) * x for a, x in zip(row, unknowns, strict=True) if a != 0]
    return z3.Sum(terms) if terms else z3.RealVal(0)


class AllAnswers:
    """The answers of an instant within limits.

    Parameters
    ----------
    s
        Arrays.
    limits
        Pair for each input.
    loose
        How far equations and inequalities may be missed, in parts of their largest coefficient times the loads.
    """

    def __init__(self, s, limits, loose=0.0):
        self.s = s
        self.n, self.t = s["actuation"].shape
        self.k, loops = len(s["friction"]), len(s["loop_jacobian"])
        self.u = z3.Reals(" ".join(f"u{i}" for i in range(self.n + 2 * self.k + loops)))
        self.tau = [z3.Real(f"tau{j}") for j in range(self.t)]
        self.size = max(
            1.0, float(np.abs(s["bias"]).max(initial=0.0)), float(np.abs(s["drift"]).max(initial=0.0))
        )
        far = max((abs(x) for pair in limits for x in pair if np.isfinite(x)), default=0.0)
        self.loose, self.beyond = loose * max(self.size, far), max(BEYOND, loose) * max(self.size, far)
        self.solver = z3.Solver()
        self.solver.set("timeout", 20_000)
        most = number(DIGITS * self.size)
        for u in self.u[: self.n + 2 * self.k]:
            self.solver.add(u <= most, u >= -most)
        self.letter = [{c: z3.Bool(f"c{i}{c}") for c in letters(s, i)} for i in range(self.k)]
        self._write(limits)

    def _equal(self, row, level, unknowns=None):
        """`row . u = level`, to what is loose."""
        value = total(row, self.u if unknowns is None else unknowns) - number(level)
        slack = self.loose * max(float(np.abs(row).max()), 1e-300)
        return value == 0 if slack == 0 else z3.And(value <= number(slack), value >= number(-slack))

    def _least(self, row, level):
        """`row . u >= level`, to what is loose."""
        slack = self.loose * max(float(np.abs(row).max()), 1e-300)
        return total(row, self.u) >= number(level - slack if slack else level)

    def _write(self, limits):
        s, n, k = self.s, self.n, self.k
        whole = np.hstack([s["mass"], -s["jacobian"].T, -s["loop_jacobian"].T, -s["actuation"]])
        for j in range(n):
            self.solver.add(self._equal(whole[j], -s["bias"][j], [*self.u, *self.tau]))
        for row, level in zip(s["loop_jacobian"], s["loop_drift"], strict=True):
            self.solver.add(self._equal(self._wide(qdd=row), -level))
        for tau, (low, high) in zip(self.tau, limits, strict=True):
            self.solver.add(
                *([tau >= number(low - max(self.beyond, BEYOND * abs(low)))] if np.isfinite(low) else [])
            )
            self.solver.add(
                *([tau <= number(high + max(self.beyond, BEYOND * abs(high)))] if np.isfinite(high) else [])
            )
        for i in range(k):
            self.solver.add(z3.PbEq([(b, 1) for b in self.letter[i].values()], 1))
            for c, b in self.letter[i].items():
                self.solver.add(z3.Implies(b, z3.And(self._contact(i, c))))

    def _wide(self, qdd=None, forces=()):
        row = np.zeros(len(self.u))
        if qdd is not None:
            row[: self.n] = qdd
        for place, value in forces:
            row[self.n + place] = value
        return row

    def _contact(self, i, c):
        s, normal, tangent = self.s, 2 * i, 2 * i + 1
        J, d, mu = s["jacobian"], s["drift"], s["friction"][i]
        if c == "S":
            made = [self._equal(self._wide(forces=[(p, 1.0)]), 0.0) for p in (normal, tangent)]
            if s["gap"][i] <= 0 and s["velocity"][normal] == 0:
                made.append(self._least(self._wide(J[normal]), -d[normal]))
            return made
        made = [
            self._equal(self._wide(J[normal]), -d[normal]),
            self._least(self._wide(forces=[(normal, 1.0)]), 0.0),
        ]
        if c == "F":
            made.append(self._equal(self._wide(J[tangent]), -d[tangent]))
            made += [
                self._least(self._wide(forces=[(normal, mu), (tangent, sign)]), 0.0) for sign in (1.0, -1.0)
            ]
            return made
        way = 1.0 if c == "R" else -1.0
        made.append(self._equal(self._wide(forces=[(normal, way * mu), (tangent, 1.0)]), 0.0))
        if s["velocity"][tangent] == 0:
            made.append(self._least(self._wide(way * J[tangent]), -way * d[tangent]))
        return made

    # Questions -------------------------------------------------------------------------------------------------

    def _asked(self, *formulas):
        self.solver.push()
        self.solver.add(*formulas)
        word = self.solver.check()
        found = self._read() if word == z3.sat else None
        self.solver.pop()
        if word == z3.unknown:
            raise RuntimeError("z3 does not know")
        return found

    def _read(self):
        model = self.solver.model()
        value = [model.eval(x, model_completion=True).as_fraction() for x in (*self.u, *self.tau)]
        mode = "".join(
            next((c for c, b in at.items() if z3.is_true(model.eval(b))), "?") for at in self.letter
        )
        return mode, np.array(value[: len(self.u)], object), np.array(value[len(self.u) :], object)

    def at(self, tau, within=0.0):
        """The inputs, to what they may differ."""
        exact = [Fraction(float(x)) for x in tau]
        half = [Fraction(max(within, ROUNDING * max(self.size, abs(float(x))))) for x in tau]
        return [
            z3.And(x >= number(value - more), x <= number(value + more))
            for x, value, more in zip(self.tau, exact, half, strict=True)
        ]

    def mode(self, mode):
        """The letters of a mode."""
        return [at[c] if c in at else z3.BoolVal(False) for at, c in zip(self.letter, mode, strict=True)]

    def answer(self, tau=None, mode=None, within=0.0, *others):
        """`(mode, u, tau)` of some answer, or None."""
        where = [] if tau is None else self.at(tau, within)
        return self._asked(*where, *([] if mode is None else self.mode(mode)), *others)

    def differs(self, motion, tolerance):
        """That some rate of momentum or contact force differs from those given by more than the tolerance."""
        rows = self.motion_rows()
        parts = []
        for row, value in zip(rows, motion, strict=True):
            difference, half = total(row, self.u) - number(value), number(tolerance)
            parts += [difference > half, difference < -half]
        return z3.Or(parts)

    def motion_rows(self):
        """Rows of `(M qdd, f)`."""
        rows = np.zeros((self.n + 2 * self.k, len(self.u)))
        rows[: self.n, : self.n] = self.s["mass"]
        rows[self.n :, self.n : self.n + 2 * self.k] = np.eye(2 * self.k)
        return rows

    def less(self, row, value):
        """That `row . (qdd, f, tau)` is below a value."""
        n = self.n + 2 * self.k
        return total(row[:n], self.u[:n]) + total(row[n:], self.tau) < number(value)
