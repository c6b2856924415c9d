"""Contact modes against one linear program per mode in the raw unknowns, at least 50,000 comparisons.

    python campaigns/modes.py [--systems 1500] [--seed 1] [--second 40]

Random instants of every kind (redundant contacts, massless coordinates, loop closures, moving contacts, high
friction, up to five contacts). For each, the equations and inequalities of Tables 1 to 3 of Greenfield 2005
are written down mode by mode in `(qdd, f, lam, tau)` and asked of a linear program:

    exists      the mode has a strict domain                                     against  `resp.modes`
    kinematic   some acceleration is strictly inside the mode                    against  `kinematic_modes`
    torque      a random input can produce the mode                              against  `resp.modes_at`
    answer      the point that a mode returns satisfies all its raw rows         (1e-8 relative)
    range       least and greatest acceleration and force at an input            against  `accelerations_at`, `forces_at`
    region      exactly one mode, or none, explains a random input               against  `unambiguous`, `inconsistent`
                (an input that all modes rule out by an equality is inadmissible, not inconsistent: the equality is checked)

An input or a mode within the tolerance of a boundary is counted as `edge` and not judged. The programs are
solved by this library's simplex kernel on the raw rows (it shares nothing with the search over modes); for
every `--second`-th system HiGHS answers as well and must agree.
"""

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
from modecontrol._core.layout import INFEASIBLE, OPTIMAL, UNBOUNDED
from scipy.optimize import linprog

import modecontrol as mc
from modecontrol._core.polytopes import maximize

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
import reference

SURE, EDGE = 1e-5, 1e-9
"""A mode whose strict rows can exceed SURE exists; one that cannot exceed EDGE does not; between them is an
edge.
"""
SLACK = 1e-6
"""An input is judged when loosening or tightening every inequality by this changes nothing."""
KINDS = (
    "plain",
    "redundant",
    "massless",
    "loops",
    "moving",
    "high friction",
    "rounded",
    "five contacts",
    "one body",
    "inputs everywhere",
    "no input",
    "no load",
)
CHECKS = ("exists", "kinematic", "torque", "answer", "range", "region")


def system(rng, kind):
    """A random instant of one kind; each kind may carry traits of the others."""
    n, k = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    if kind == "five contacts":
        n, k = int(rng.integers(3, 6)), int(rng.integers(4, 6))
    if kind == "one body":
        n = 3
        k = int(rng.integers(2, 5))
    root = rng.normal(size=(n, n))
    mass = root @ root.T + 0.1 * np.eye(n)
    jacobian = rng.normal(size=(2 * k, n))
    if kind == "one body":
        mass = np.diag([1.0, 1.0, rng.uniform(0.05, 0.5)]) * rng.uniform(0.1, 10)
        x, y = np.round(rng.uniform(-1, 1, size=(2, k)), 1)
        if rng.random() < 0.5:
            y[:] = -0.4
        jacobian[0::2] = np.column_stack([np.zeros(k), np.ones(k), x])
        jacobian[1::2] = np.column_stack([np.ones(k), np.zeros(k), -y])
    if kind == "massless":
        light = rng.permutation(n)[: max(1, n - 3)]
        mass[light] = mass[:, light] = 0.0
    if kind == "redundant" and k > 1:
        jacobian[2] = jacobian[0] if rng.random() < 0.5 else jacobian[0] + jacobian[1]
        if rng.random() < 0.5:
            jacobian[3] = rng.choice([-1, 1]) * jacobian[1]
    if kind == "rounded" or rng.random() < 0.2:
        jacobian = np.round(jacobian)
    velocity, drift = np.zeros(2 * k), np.zeros(2 * k)
    if kind == "moving" or rng.random() < 0.3:
        velocity[1::2] = rng.choice([-1.0, 0.0, 1.0], size=k)
        velocity[0::2] = rng.choice([0.0, 0.0, 0.0, 1.0], size=k)
        drift = rng.normal(size=2 * k)
    friction = rng.choice([0.0, 0.3, 0.8, 2.0], size=k)
    if kind == "high friction":
        friction = rng.choice([1.5, 3.0, 10.0], size=k)
    bias = 3 * rng.normal(size=n)
    if kind == "no load":
        bias, drift = np.zeros(n), np.zeros(2 * k)
    inputs = n if kind == "inputs everywhere" else 0 if kind == "no input" else int(rng.integers(1, 4))
    made = dict(
        mass=mass,
        bias=bias,
        actuation=np.eye(n)[:, rng.permutation(n)[: min(inputs, n)]],
        jacobian=jacobian,
        drift=drift,
        friction=friction,
        velocity=velocity,
    )
    if kind == "loops":
        made["loop_jacobian"] = rng.normal(size=(1 if n < 4 else int(rng.integers(1, 3)), n))
        made["loop_drift"] = rng.normal(size=len(made["loop_jacobian"]))
    return made


class Reference:
    """One mode's raw rows and the linear programs over them."""

    def __init__(self, s, mode, limits, second):
        self.A, self.b, self.C, self.e, self.strict = reference.raw_rows(s, mode, limits)
        self.inputs = s["actuation"].shape[1]
        self.n = len(s["bias"])
        self.second = second

    def solve(self, c, A, b, C, e):
        found = maximize(c, *(np.ascontiguousarray(part, dtype=float) for part in (A, b, C, e)))
        value = {OPTIMAL: found.value, INFEASIBLE: -np.inf, UNBOUNDED: np.inf}.get(found.status, np.nan)
        if self.second or np.isnan(value):
            peer = linprog(-c, A, b, C, e, bounds=(None, None))
            again = {0: -(peer.fun or 0.0), 2: -np.inf, 3: np.inf, 4: np.nan}[peer.status]
            self.second_opinion = (value, again)
            if np.isnan(value):
                return again
            if np.isfinite(value) != np.isfinite(again) and not np.isnan(again):
                return np.nan
        return value

    def strictness(self):
        """Largest common slack (at most one) of the acceleration inequalities."""
        A = np.vstack(
            [
                np.hstack([self.A, self.strict[:, None].astype(float)]),
                np.eye(1, self.A.shape[1] + 1, self.A.shape[1]),
            ]
        )
        c = np.zeros(A.shape[1])
        c[-1] = 1.0
        return self.solve(
            c, A, np.append(self.b, 1.0), np.hstack([self.C, np.zeros((len(self.C), 1))]), self.e
        )

    def kinematic(self):
        """The same with the accelerations alone: the equations of motion and all that touches forces are left
        out.
        """
        rows, equal = self.strict, ~np.any(self.C[:, self.n :], axis=1)
        equal[: self.n] = False
        A = np.hstack([self.A[rows, : self.n], np.ones((rows.sum(), 1))])
        A = np.vstack([A, np.eye(1, self.n + 1, self.n)])
        c = np.zeros(self.n + 1)
        c[-1] = 1.0
        return self.solve(
            c,
            A,
            np.append(self.b[rows], 1.0),
            np.hstack([self.C[equal, : self.n], np.zeros((equal.sum(), 1))]),
            self.e[equal],
        )

    def at(self, tau, c=None, slack=0.0):
        """Greatest `c (qdd, f, lam)` at one input, -inf when the mode cannot happen there."""
        lead = self.A.shape[1] - self.inputs
        c = np.zeros(lead) if c is None else c
        return self.solve(
            c,
            self.A[:, :lead],
            self.b - self.A[:, lead:] @ tau + slack,
            self.C[:, :lead],
            self.e - self.C[:, lead:] @ tau,
        )

    def holds(self, x):
        """Largest relative violation of any raw row at a point."""
        size = 1.0 + np.abs(x).max()
        over = (self.A @ x - self.b) / (size * (1.0 + np.abs(self.A).max(axis=1, initial=0.0)))
        off = np.abs(self.C @ x - self.e) / (size * (1.0 + np.abs(self.C).max(axis=1, initial=0.0)))
        return max(over.max(initial=0.0), off.max(initial=0.0))


def inadmissible(response, raw, tau):
    """Whether the inputs leave an affine set that the response names and in which, by the raw programs, all modes have theirs."""
    named = response.admissible.torques
    for row, level in zip(named.C, named.d, strict=True):
        if abs(row @ tau - level) <= SLACK:
            continue
        for mode in response:
            r = raw[mode]
            c = np.concatenate([np.zeros(r.A.shape[1] - r.inputs), row])
            most, least = (sign * r.solve(sign * c, r.A, r.b, r.C, r.e) for sign in (1.0, -1.0))
            if max(abs(most - level), abs(least - level)) > SLACK:
                return False
        return True
    return False


def examine(s, rng, second, tally, wrong, name):
    """All comparisons for one system."""
    t = s["actuation"].shape[1]
    limits = [(-20.0, 20.0)] * t
    snapshot = mc.Snapshot(**s)
    response = mc.dynamic_response(snapshot, torque_limits=limits)
    if response.leaves.undecided:
        tally["undecided"] += response.leaves.undecided
    kinematic = set(mc.kinematic_modes(snapshot))
    n, k = len(s["bias"]), len(s["friction"])
    raw = {mode: Reference(s, mode, limits, second) for mode in reference.candidate_modes(s)}

    def judge(check, ok, mode, detail):
        tally[check] += 1
        if not ok:
            wrong.append((name, check, mode, detail))

    for mode, r in raw.items():
        for check, slack, found in (
            ("exists", r.strictness(), mode in response),
            ("kinematic", r.kinematic(), mode in kinematic),
        ):
            if np.isnan(slack) or EDGE < slack <= SURE:
                tally["edge"] += 1
            else:
                judge(check, (slack > SURE) == found, mode, slack)
    for mode in response:
        answer, r = response[mode], raw[mode]
        centre = answer.domain.chebyshev
        point = centre.centre if np.isfinite(centre.radius) else answer.domain._start.point
        x = np.concatenate([answer.constant + answer.U @ point[:t] + answer.W @ point[t:], point[:t]])
        judge("answer", r.holds(x) <= 1e-8, mode, r.holds(x))
    regions = None
    for turn in range(3 if t else 1):
        tau = rng.uniform(-19, 19, size=t)
        found = response.modes_at(tau)
        sure, perhaps = [], []
        for mode in response:
            r = raw[mode]
            tight, loose = r.at(tau, slack=-SLACK) > -np.inf, r.at(tau, slack=SLACK) > -np.inf
            if tight:
                sure.append(mode)
            if loose:
                perhaps.append(mode)
            if tight != loose:
                tally["edge"] += 1
            else:
                judge("torque", (mode in found) == tight, mode, tau)
        if sure == perhaps and t and k <= 3:
            regions = regions or (
                {mode: response.unambiguous(mode) for mode in response},
                response.inconsistent(),
            )
            alone = [mode for mode in response if regions[0][mode].contains(tau)]
            full = all(response[mode].torques.dimension == t for mode in sure)
            if full:
                barred = not sure and inadmissible(response, raw, tau)
                right = alone == (sure if len(sure) == 1 else []) and regions[1].contains(tau) == (
                    not sure and not barred
                )
                judge("region", right, str(sure), tau)
        if turn == 0:
            for mode in sure:
                for part, start, ranges in (
                    ("acceleration", 0, response.accelerations_at(tau)[mode]),
                    ("force", n, response.forces_at(tau)[mode]),
                ):
                    for i, (least, most) in enumerate(ranges.values()):
                        c = np.zeros(raw[mode].A.shape[1] - t)
                        c[start + i] = 1.0
                        expected = -raw[mode].at(tau, -c), raw[mode].at(tau, c)
                        right = np.allclose((least, most), expected, rtol=1e-6, atol=1e-6)
                        judge("range", right, mode, (part, i, least, most, expected))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--systems", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--second", type=int, default=40, help="every so many systems HiGHS is asked as well")
    options = parser.parse_args()
    start = time.perf_counter()
    tallies = {kind: Counter() for kind in KINDS}
    wrong: list = []
    for i in range(options.systems):
        kind = KINDS[i % len(KINDS)]
        rng = np.random.default_rng([options.seed, i])
        tally = tallies[kind]
        tally["systems"] += 1
        examine(system(rng, kind), rng, i % options.second == 0, tally, wrong, (kind, i))
    columns = ("systems", *CHECKS, "edge", "undecided")
    print(f"{'kind':18}" + "".join(f"{column:>11}" for column in columns))
    for kind, tally in (*tallies.items(), ("all", sum(tallies.values(), Counter()))):
        print(f"{kind:18}" + "".join(f"{tally[column]:>11}" for column in columns))
    total = sum(tally[check] for tally in tallies.values() for check in CHECKS)
    print(f"{total} comparisons, {len(wrong)} wrong, {time.perf_counter() - start:.0f} s")
    for case in wrong[:20]:
        print("WRONG", *case)
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
