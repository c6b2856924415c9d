"""The raw rows of one contact mode with their causes, and linear programs over them by HiGHS at its tightest tolerance.

Written from Tables 1 to 3 of Greenfield 2005 alone, over the unknowns `u = (qdd, f, lam)` and the inputs `tau`:

    C u + D tau = e          A u + B tau <= b

Every row is divided by its largest coefficient, so that the tolerance of 1e-10 means the same in all of them.
"""

from itertools import product

import numpy as np
from raw_programs import written

try:
    import highspy
except ImportError as error:  # pragma: no cover - depends on what is installed
    raise SystemExit("this campaign needs highspy (cvxpy brings it)") from error

TOLERANCE = 1e-10
ENDLESS = 1e9
"""A motion beyond this has no bound."""


def letters(s, i):
    """What the velocities leave of a contact (Table 3)."""
    if s["gap"][i] > 0 or s["velocity"][2 * i] > 0:
        return "S"
    slip = s["velocity"][2 * i + 1]
    return "RS" if slip > 0 else "LS" if slip < 0 else "FLRS"


def all_modes(s):
    """Every combination of letters that the velocities leave."""
    return ["".join(mode) for mode in product(*(letters(s, i) for i in range(len(s["friction"]))))]


class ModeRows:
    """All rows of one mode; `physical` are `(row over (qdd, f, tau), level, equality, label)` with `row x >= level`."""

    def __init__(self, s, mode, physical=()):
        self.s, self.mode = s, mode
        self.n, self.t = s["actuation"].shape
        self.k, self.loops = len(s["friction"]), len(s["loop_jacobian"])
        self.m = self.n + 2 * self.k + self.loops
        self.equal, self.less = [], []
        self.strict = []
        self._dynamics()
        for i, letter in enumerate(mode):
            self._contact(i, letter)
        for row, level, equality, label in physical:
            u = np.concatenate([row[: self.n + 2 * self.k], np.zeros(self.loops)])
            on_tau = row[self.n + 2 * self.k :]
            if equality:
                self.equal.append((u, on_tau, level, label))
            else:
                self._at_most(-u, -on_tau, -level, label)
        self.C, self.D, self.e, self.equal_labels = self._stack(self.equal)
        self.A, self.B, self.b, self.labels = self._stack(self.less)
        self.strict = np.array(self.strict, bool)

    def _dynamics(self):
        s = self.s
        whole = np.hstack([s["mass"], -s["jacobian"].T, -s["loop_jacobian"].T])
        for j in range(self.n):
            self.equal.append((whole[j], -s["actuation"][j], -s["bias"][j], f"dynamics of q{j + 1}"))
        for j in range(self.loops):
            u = np.zeros(self.m)
            u[: self.n] = s["loop_jacobian"][j]
            self.equal.append((u, np.zeros(self.t), -s["loop_drift"][j], f"loop closure {j + 1}"))

    def _at_most(self, u, on_tau, level, label, strict=False):
        self.less.append((u, on_tau, level, label))
        self.strict.append(strict)

    def _contact(self, i, letter):
        s, name, none = self.s, f"c{i + 1}", np.zeros(self.t)
        normal, tangent = 2 * i, 2 * i + 1
        mu = s["friction"][i]

        def rate(row, sign):
            u = np.zeros(self.m)
            u[: self.n] = sign * s["jacobian"][row]
            return u, none, -sign * s["drift"][row]

        def force(on_normal, on_tangent):
            u = np.zeros(self.m)
            u[self.n + normal], u[self.n + tangent] = on_normal, on_tangent
            return u, none, 0.0

        if letter == "S":
            self.equal.append((*force(1, 0), f"{name} no normal force"))
            self.equal.append((*force(0, 1), f"{name} no tangential force"))
            if s["gap"][i] <= 0 and s["velocity"][normal] == 0:
                self._at_most(*rate(normal, -1), f"{name} separates", strict=True)
            return
        self.equal.append((*rate(normal, 1), f"{name} stays on the surface"))
        self._at_most(*force(-1, 0), f"{name} normal force")
        if letter == "F":
            self.equal.append((*rate(tangent, 1), f"{name} sticks"))
            for sign in (1, -1):
                self._at_most(*force(-mu, sign), f"{name} friction")
            return
        way = 1 if letter == "R" else -1
        self.equal.append((*force(way * mu, 1), f"{name} sliding friction"))
        if s["velocity"][tangent] == 0:
            word = "right" if way > 0 else "left"
            self._at_most(*rate(tangent, -way), f"{name} slides {word}", strict=True)

    def _stack(self, rows):
        if not rows:
            return np.zeros((0, self.m)), np.zeros((0, self.t)), np.zeros(0), []
        U, T = np.array([r[0] for r in rows]), np.array([r[1] for r in rows]).reshape(len(rows), self.t)
        level = np.array([r[2] for r in rows], float)
        size = np.abs(np.hstack([U, T])).max(axis=1)
        size[size == 0] = 1.0
        return U / size[:, None], T / size[:, None], level / size, [r[3] for r in rows]

    def at(self, tau, c=None, slack=0.0):
        """Greatest `c u` at one input, -inf where the mode cannot happen; `slack` loosens the inequalities."""
        c = np.zeros(self.m) if c is None else c
        return greatest(c, self.A, self.b - self.B @ tau + slack, self.C, self.e - self.D @ tau)

    def motions(self, tau, slack=0.0):
        """Least and greatest `(M qdd, f)` at one input; None where the mode cannot happen."""
        if self.at(tau, slack=slack) == -np.inf:
            return None
        rows = np.zeros((self.n + 2 * self.k, self.m))
        rows[: self.n, : self.n] = self.s["mass"]
        rows[self.n :, self.n : self.n + 2 * self.k] = np.eye(2 * self.k)
        ends = np.array([[-self.at(tau, -row, slack), self.at(tau, row, slack)] for row in rows])
        return np.clip(ends, -ENDLESS, ENDLESS)

    def possible(self, lift=0.0, only=None):
        """Whether some input has an answer with strict rows exceeded by `lift`; `only` keeps rows with these labels."""
        C, e = np.hstack([self.C, self.D]), self.e
        A, b = np.hstack([self.A, self.B]), self.b - lift * self.strict
        if only is not None:
            keep = np.array([label in only for label in self.equal_labels], bool)
            C, e = C[keep], e[keep]
            keep = np.array([label in only for label in self.labels], bool)
            A, b = A[keep], b[keep]
        return greatest(np.zeros(self.m + self.t), A, b, C, e) > -np.inf


_solver = None


def greatest(c, A, b, C, e):
    """Greatest `c x` over `A x <= b`, `C x = e`: -inf when the set is empty, inf without bound, nan when HiGHS does not know."""
    global _solver
    if not len(c):
        return 0.0 if np.all(b >= -TOLERANCE) and np.all(np.abs(e) <= TOLERANCE) else -np.inf
    if not len(b) + len(e):
        return np.inf if np.any(c) else 0.0
    if _solver is None:
        _solver = highspy.Highs()
        for name, value in (
            ("output_flag", False),
            ("threads", 1),
            ("primal_feasibility_tolerance", TOLERANCE),
            ("dual_feasibility_tolerance", TOLERANCE),
            ("presolve", "off"),
        ):
            _solver.setOptionValue(name, value)
    _solver.passModel(written(c, A, b, C, e))
    _solver.run()
    status = _solver.getModelStatus()
    if status == highspy.HighsModelStatus.kOptimal:
        return -_solver.getInfo().objective_function_value
    if status == highspy.HighsModelStatus.kInfeasible:
        return -np.inf
    if status in (highspy.HighsModelStatus.kUnbounded, highspy.HighsModelStatus.kUnboundedOrInfeasible):
        return np.inf if not np.any(c) or greatest(0.0 * c, A, b, C, e) > -np.inf else -np.inf
    return np.nan
