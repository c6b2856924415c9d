"""Contact modes against one linear program per mode in the raw unknowns, at least 500,000 comparisons.

    python campaigns/modes.py [--systems 4000] [--seed 1] [--add FILE]

Random instants of every kind (redundant contacts, massless coordinates, loop closures, moving contacts, high
friction, up to five contacts) and at the edges (`edge_systems.py`: thin rivals, lifted massless legs, nearly resting states,
flat torque sets, limits that are equal, no contacts, no input). For each, the equations and inequalities of Tables 1 to 3 of
Greenfield 2005 are written down mode by mode in `(qdd, f, lam, tau)` and asked of a linear program by HiGHS, which shares no
code with this library:

    exists      the mode has a strict domain                                     against  `resp.modes`
    kinematic   some acceleration is strictly inside the mode                    against  `kinematic_modes`
    torque      a random input can produce the mode                              against  `resp.modes_at`
    answer      the point that a mode returns satisfies all its raw rows         (1e-8 relative)
    range       least and greatest acceleration and force at an input            against  `accelerations_at`, `forces_at`
    region      exactly one mode, or none, explains a random input               against  `unambiguous`, `inconsistent`
                (an input that all modes rule out by an equality is inadmissible, not inconsistent: the equality is checked)
    one place   an input lies in the torque set of a mode, or in the inconsistent region, or is inadmissible; never in two
    disjoint    pieces of `T_c*` and of the inconsistent region have no common interior
    verdict     at inputs where sets tie (a leg without torque): all modes that explain them show the same motion
                (M qdd, f), or one that holds all of the others                  against  `answer_at`

An input or a mode within the tolerance of a boundary is counted as `edge` and not judged; `failed` counts errors that the
library raised (`UncheckedError` and any other).
"""

import argparse
import sys
import time
from itertools import combinations
from pathlib import Path

import numpy as np

import modecontrol as mc

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import reference
from edge_systems import EDGES, LIMIT, Edge, edge
from raw_programs import greatest
from tallies import Tallies

SURE, EDGE = 1e-5, 1e-9
"""A mode whose strict rows can exceed SURE exists; one that cannot exceed EDGE does not; between them is an
edge.
"""
ENDLESS = 1e12
"""A force without bound."""
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
    "no load",
    *EDGES,
)
CHECKS = ("exists", "kinematic", "torque", "answer", "range", "region", "one place", "disjoint", "verdict")
PAIRS = 200
"""Pairs of pieces of a system that are looked at, at most; all of them where there are fewer."""
APART = 1e-4
"""Motions that differ by this part are different; by a hundredth of it, the same; between them is an edge."""


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
    inputs = n if kind == "inputs everywhere" else int(rng.integers(1, 4))
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


def instant(rng, kind):
    """A random instant of any kind with its limits."""
    if kind in EDGES:
        return edge(
            rng,
            kind,
            lambda rng: system(rng, str(rng.choice(["plain", "redundant", "massless", "one body"]))),
        )
    s = system(rng, kind)
    return Edge(s, [(-LIMIT, LIMIT)] * s["actuation"].shape[1])


class Reference:
    """One mode's raw rows and the linear programs over them; `limited` are the rows of the limits."""

    def __init__(self, s, mode, case):
        self.A, self.b, self.C, self.e, self.strict = reference.raw_rows(s, mode, case.box)
        self.inputs = s["actuation"].shape[1]
        self.n, self.k = len(s["bias"]), len(s["friction"])
        self.mass = s["mass"]
        lead = (
            self.A.shape[1] - self.inputs
        )  # an acceleration that nothing changes has an empty row, and is no limit
        self.limited = ~np.any(self.A[:, :lead], axis=1) & np.any(self.A[:, lead:], axis=1)
        self.tie = case.tie

    def solve(self, c, A, b, C, e):
        return greatest(c, A, b, C, e)

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
        C, e = self.equalities()
        return self.solve(c, A, np.append(self.b, 1.0), np.hstack([C, np.zeros((len(C), 1))]), e)

    def equalities(self):
        """The equalities of the mode with the one that ties the inputs."""
        if self.tie is None:
            return self.C, self.e
        row, level = self.tie
        tie = np.concatenate([np.zeros(self.C.shape[1] - self.inputs), row])
        return np.vstack([self.C, tie]), np.append(self.e, level)

    def among_inputs(self, row):
        """Least and greatest value of a row over the inputs that can produce the mode."""
        c = np.concatenate([np.zeros(self.A.shape[1] - self.inputs), row])
        least, most = (
            sign * self.solve(sign * c, self.A, self.b, *self.equalities()) for sign in (-1.0, 1.0)
        )
        return least, most

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
        lead, rows = self.A.shape[1] - self.inputs, ~self.limited
        c = np.zeros(lead) if c is None else c
        return self.solve(
            c,
            self.A[rows, :lead],
            self.b[rows] - self.A[rows, lead:] @ tau + slack,
            self.C[:, :lead],
            self.e - self.C[:, lead:] @ tau,
        )

    def motions(self, tau):
        """Least and greatest `(M qdd, f)` at one input; None when the mode cannot happen there."""
        if self.at(tau, slack=1e-9) == -np.inf:
            return None
        lead = self.A.shape[1] - self.inputs
        rows = np.zeros((self.n + 2 * self.k, lead))
        rows[: self.n, : self.n] = self.mass
        rows[self.n :, self.n : self.n + 2 * self.k] = np.eye(2 * self.k)
        rows = rows[np.any(rows, axis=1)]
        ends = [(-self.at(tau, -row, 1e-9), self.at(tau, row, 1e-9)) for row in rows]
        return np.clip(np.array(ends).reshape(-1, 2), -ENDLESS, ENDLESS)

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
            least, most = raw[mode].among_inputs(row)
            if max(abs(most - level), abs(least - level)) > SLACK:
                return False
        return True
    return False


class Examination:
    """All comparisons for one instant."""

    def __init__(self, case, rng, tally, wrong, name):
        self.case, self.rng, self.tally, self.wrong, self.name = case, rng, tally, wrong, name
        self.snapshot = mc.Snapshot(**case.s)
        options = {"velocity_tolerance": case.velocity_tolerance}
        self.response = mc.dynamic_response(self.snapshot, torque_limits=case.limits, **options)
        self.kinematic = set(mc.kinematic_modes(self.snapshot, **options))
        self.s = case.s
        if case.velocity_tolerance > 1e-6:  # contacts were brought to rest: the same arrays for both
            settled = self.response.snapshot
            self.s = {**case.s, "velocity": np.array(settled.velocity), "drift": np.array(settled.drift)}
        self.n, self.t = case.s["actuation"].shape
        self.k = len(case.s["friction"])
        self.raw = {mode: Reference(self.s, mode, case) for mode in reference.candidate_modes(self.s)}

    def judge(self, check, ok, mode, detail):
        self.tally[check] += 1
        if not ok:
            self.wrong.append((self.name, check, mode, detail))

    def run(self):
        """Everything in turn."""
        self.tally["undecided"] += self.response.leaves.undecided
        self.existence()
        self.answers()
        regions = None
        if self.k <= 3 and (self.t or not len(self.response)):
            alone = {mode: self.response.unambiguous(mode) for mode in self.response}
            regions = alone, self.response.inconsistent()
            if self.t:
                self.disjoint([*alone.values(), regions[1]])
        for turn in range(3 if self.t else 1):
            tau = self.case.draw(self.rng)
            if tau is not None:
                self.at(tau, regions, with_ranges=turn == 0)

    def existence(self):
        """Which modes have a strict domain, and which the kinematics allow."""
        if self.case.velocity_tolerance > 1e-6:
            unrelated = self.kinematic - set(self.raw)
            self.judge("kinematic", not unrelated, str(unrelated), None)
        for mode, r in self.raw.items():
            for check, slack, found in (
                ("exists", r.strictness(), mode in self.response),
                ("kinematic", r.kinematic(), mode in self.kinematic),
            ):
                if np.isnan(slack) or EDGE < slack <= SURE:
                    self.tally["edge"] += 1
                else:
                    self.judge(check, (slack > SURE) == found, mode, slack)

    def answers(self):
        """The point that each mode returns."""
        for mode in self.response:
            answer, r = self.response[mode], self.raw[mode]
            centre = answer.domain.chebyshev
            point = centre.centre if np.isfinite(centre.radius) else answer.domain._start.point
            x = np.concatenate(
                [answer.constant + answer.U @ point[: self.t] + answer.W @ point[self.t :], point[: self.t]]
            )
            self.judge("answer", r.holds(x) <= 1e-8, mode, r.holds(x))

    def disjoint(self, regions):
        """No two pieces share interior."""
        pieces = [piece for region in regions for piece in region]
        owner = [i for i, region in enumerate(regions) for _ in region]
        pairs = list(combinations(range(len(pieces)), 2))
        if len(pairs) > PAIRS:
            pairs = [pairs[i] for i in self.rng.choice(len(pairs), size=PAIRS, replace=False)]
        for i, j in pairs:
            P, Q = pieces[i], pieces[j]
            C, e = np.vstack([P.C, Q.C]), np.concatenate([P.d, Q.d])
            A, b = np.vstack([P.A, Q.A]), np.concatenate([P.b, Q.b])
            width = np.linalg.norm(A, axis=1)
            c = np.append(np.zeros(P.n), 1.0)
            A = np.vstack([np.hstack([A, width[:, None]]), c])
            room = greatest(c, A, np.append(b, 1.0), np.hstack([C, np.zeros((len(C), 1))]), e)
            same = owner[i] != owner[j] and self.agree(owner[i], owner[j])
            if np.isnan(room) or same or (len(C) and max(P.dimension, Q.dimension) > P.n - len(C)):
                continue
            self.judge("disjoint", room <= 1e-6, (i, j), room)

    def agree(self, a, b):
        """Whether two owners of pieces are modes that show the same motions: they may share inputs."""
        from modecontrol.regions.ambiguity import clashes_with

        modes = self.response.modes
        if max(a, b) >= len(modes):
            return False
        return not (
            clashes_with(self.response, modes[a], modes[b])
            and clashes_with(self.response, modes[b], modes[a])
        )

    def at(self, tau, regions, with_ranges):
        """Modes, regions, verdict and ranges at one input."""
        found = self.response.modes_at(tau)
        sure, perhaps = [], []
        for mode in self.response:
            r = self.raw[mode]
            tight, loose = r.at(tau, slack=-SLACK) > -np.inf, r.at(tau, slack=SLACK) > -np.inf
            if tight:
                sure.append(mode)
            if loose:
                perhaps.append(mode)
            if tight != loose:
                self.tally["edge"] += 1
            else:
                self.judge("torque", (mode in found) == tight, mode, tau)
        if regions is not None:
            self.place(tau, found, regions)
            if sure == perhaps and self.t:
                self.region(tau, sure, regions)
        self.verdict(tau, found)
        if with_ranges:
            self.ranges(tau, sure)

    def place(self, tau, found, regions):
        """Torque sets, the inconsistent region and the inadmissible inputs cover everything, each input once."""
        none, barred = regions[1].contains(tau), not self.response.admissible.torques.contains(tau)
        self.judge(
            "one place",
            bool(found) + bool(none) + bool(barred and not found) == 1,
            found,
            (tau, none, barred),
        )

    def region(self, tau, sure, regions):
        """`T_c*` and the inconsistent region, where no mode that explains the inputs has a thin set of them."""
        if not all(self.response[mode].torques.dimension == self.t for mode in sure):
            return
        if len(sure) > 1 and self.same_motions(tau, sure):
            return  # a mode that shows all motions of another is the one answer where both explain the inputs
        alone = [mode for mode in self.response if regions[0][mode].contains(tau)]
        barred = not sure and inadmissible(self.response, self.raw, tau)
        right = alone == (sure if len(sure) == 1 else []) and regions[1].contains(tau) == (
            not sure and not barred
        )
        self.judge("region", right, str(sure), tau)

    def same_motions(self, tau, modes):
        """Whether the box around the motions of one of the modes holds that of another."""
        boxes = [self.raw[mode].motions(tau) for mode in modes]
        return any(
            np.all(a[:, 0] <= b[:, 0] + APART) and np.all(a[:, 1] >= b[:, 1] - APART)
            for i, a in enumerate(boxes)
            for j, b in enumerate(boxes)
            if i != j
        )

    def verdict(self, tau, found):
        """One motion, or one mode that shows them all, by boxes around the motions of every mode."""
        shown = {mode: self.raw[mode].motions(tau) for mode in self.response}
        shown = {mode: box for mode, box in shown.items() if box is not None}
        if set(shown) != set(found) or any(np.isnan(box).any() for box in shown.values()):
            self.tally["edge"] += 1
            return
        answer = self.response.answer_at(tau)
        if not shown:
            self.judge("verdict", answer is None, "none", tau)
            return
        size = 1.0 + max(np.abs(box[np.abs(box) < ENDLESS]).max(initial=0.0) for box in shown.values())
        if answer is not None:
            mine = shown[answer]
            over = max(
                max((mine[:, 0] - box[:, 0]).max(initial=0.0), (box[:, 1] - mine[:, 1]).max(initial=0.0))
                for box in shown.values()
            )
            self.judge("verdict", over <= APART * size, answer, (tau, list(shown), over))
        elif all(np.ptp(box, axis=1).max(initial=0.0) <= 1e-2 * APART * size for box in shown.values()):
            least = np.min([box[:, 0] for box in shown.values()], axis=0)
            most = np.max([box[:, 1] for box in shown.values()], axis=0)
            apart = (most - least).max(initial=0.0)
            self.judge("verdict", apart > 1e-2 * APART, str(list(shown)), (tau, apart))

    def ranges(self, tau, sure):
        """Least and greatest accelerations and forces."""
        if not sure:
            return
        parts = (
            ("acceleration", 0, self.response.accelerations_at(tau)),
            ("force", self.n, self.response.forces_at(tau)),
        )
        for mode in sure:
            for part, start, ranges in parts:
                for i, (least, most) in enumerate(ranges[mode].values()):
                    c = np.zeros(self.raw[mode].A.shape[1] - self.t)
                    c[start + i] = 1.0
                    expected = -self.raw[mode].at(tau, -c), self.raw[mode].at(tau, c)
                    right = np.allclose((least, most), expected, rtol=1e-6, atol=1e-6)
                    self.judge("range", right, mode, (part, i, least, most, expected))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--systems", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--add", metavar="FILE", help="add up with runs of other seeds that are kept there")
    options = parser.parse_args()
    start = time.process_time()
    tallies = Tallies(KINDS, options.seed, options.add)
    for i in range(options.systems):
        kind = KINDS[i % len(KINDS)]
        rng = np.random.default_rng([options.seed, i])
        tally = tallies.counts[kind]
        tally["systems"] += 1
        try:
            Examination(instant(rng, kind), rng, tally, tallies.wrong, (kind, i, options.seed)).run()
        except Exception as error:
            tally["failed"] += 1
            tallies.wrong.append(((kind, i, options.seed), "failed", type(error).__name__, str(error)[:200]))
    columns = ("systems", *CHECKS, "edge", "undecided", "failed")
    return tallies.show(columns, CHECKS, time.process_time() - start)


if __name__ == "__main__":
    sys.exit(main())
