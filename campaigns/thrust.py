"""The best sure inputs: compiled search, search over pieces and raw linear programs on random systems.

    python campaigns/thrust.py [--systems 3000] [--seed 1] [--samples 12] [--add FILE]

Random instants of the kinds of `campaigns/modes.py` and of its edges (thin rivals, lifted massless legs, nearly resting states,
flat torque sets, limits that are equal, no contacts, no input), up to three contacts, each with a random goal, task and margin.
The programs are solved by HiGHS in the raw unknowns:

    same value    the compiled search against the one over `Polytope` pieces, where the former settles the question
    one motion    at the returned inputs every contact mode, strict or not, shows motions (M qdd, f) of the returned mode only;
                  one that is not strict has to be there without any tolerance
    margin        so does every mode at inputs within the margin of them, and the returned mode is among those that explain them
    region        the returned inputs lie in `unambiguous(mode, margin)`
    task          the task holds there whatever the unknowns do
    design        the same, one motion, for the inputs that `design` returns (least effort), every tenth system
    none better   random inputs that are surely explained by one mode, with the task, have no greater value

An input within 1e-6 of a boundary of any mode is not judged; `bounded` counts regions
that were given up for their many pieces, `failed` errors that the library raised.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

import modecontrol as mc
from modecontrol.errors import TooMuchWorkError
from modecontrol.thrust.maximize import _compiled, by_pieces
from modecontrol.thrust.objective import Objective

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import reference
from modes import APART, EDGE, ENDLESS, KINDS, SLACK, Reference, instant
from tallies import Tallies

GOALS = ("q1", "tau1", "c1.normal", "q1 - 0.5 * q2 + c1.tangent")
TASKS = ((), ("c1.normal >= 1",), ("q1 >= -1",), ("c1.normal >= 0.5", "q1 <= 3"))
CHECKS = ("same value", "one motion", "margin", "region", "task", "design", "none better")


class Trial:
    """All comparisons for one system."""

    def __init__(self, case, rng, tally, wrong, name):
        self.case, self.rng, self.tally, self.wrong, self.name = case, rng, tally, wrong, name
        self.t = case.s["actuation"].shape[1]
        contacts = len(case.s["friction"])
        goals = [goal for goal in GOALS if (contacts or "c1" not in goal) and (self.t or "tau" not in goal)]
        tasks = [task for task in TASKS if contacts or not any("c1" in rule for rule in task)]
        self.goal, self.task = goals[rng.integers(len(goals))], tasks[rng.integers(len(tasks))]
        self.margin = float(rng.choice([0.0, 0.0, 0.3]))
        self.response = mc.dynamic_response(
            mc.Snapshot(**case.s),
            torque_limits=case.limits,
            task=self.task,
            velocity_tolerance=case.velocity_tolerance,
        )
        settled = self.response.snapshot
        s = {**case.s, "velocity": np.array(settled.velocity), "drift": np.array(settled.drift)}
        self.raw = {mode: Reference(s, mode, case) for mode in reference.candidate_modes(s)}
        self.objective = Objective.of(self.goal, settled)
        self.wishes = self.response.problem.task

    def judge(self, check, ok, detail):
        self.tally[check] += 1
        if not ok:
            self.wrong.append((self.name, check, self.goal, self.task, self.margin, detail))

    def run(self, samples, with_design):
        """Search in both ways, then ask the raw programs."""
        start = time.process_time()
        quick = _compiled(self.response, self.objective, self.margin, "unambiguous", None)
        middle = time.process_time()
        slow = by_pieces(self.response, self.objective, self.margin, "unambiguous", None)
        self.tally["compiled, ms"] += 1e3 * (middle - start)
        self.tally["pieces, ms"] += 1e3 * (time.process_time() - middle)
        self.tally["settled"] += quick is not None
        if quick is not None:
            same = bool(quick) == bool(slow) and (
                not slow or abs(quick.value - slow.value) <= 1e-6 * max(1.0, abs(slow.value))
            )
            self.judge("same value", same, (quick.value, slow.value, quick.reason, slow.reason))
        best = slow if quick is None else quick
        for found in (best, slow):
            if found:
                self.one_motion("one motion", found)
        if best:
            try:
                inside = self.response.unambiguous(best.mode, self.margin).contains(best.torque)
                self.judge("region", inside, (best.mode, best.torque.tolist()))
            except TooMuchWorkError:
                self.tally["bounded"] += 1
            self.near(best)
            for row, level in zip(self.wishes.P, self.wishes.p, strict=True):
                least = self.least(best.mode, best.torque, row, -level)
                if not np.isnan(least):
                    self.judge("task", least >= -1e-6 * (1.0 + abs(level)), (best.mode, least))
        if with_design and self.t:
            found = mc.design(self.response, "effort", margin=self.margin)
            if found:
                self.one_motion("design", found)
        if not self.margin and self.t:
            self.none_better(best, samples)

    def least(self, mode, tau, row, constant):
        """Least value of a row over `(qdd, f)` in one mode at one input."""
        r = self.raw[mode]
        c = np.zeros(r.A.shape[1] - self.t)
        c[: len(row) - self.t] = row[: len(row) - self.t]
        return -r.at(tau, -c, 1e-9) + row[len(row) - self.t :] @ tau + constant

    def beyond(self, mode, other, tau):
        """By how much the motions of another mode leave those of a mode; -1 when it does not explain the inputs."""
        mine, its = self.raw[mode].motions(tau), self.raw[other].motions(tau)
        if its is None:
            return -1.0
        if mine is None:
            return np.inf
        size = 1.0 + np.abs(its[np.abs(its) < ENDLESS]).max(initial=0.0)
        return (
            max((mine[:, 0] - its[:, 0]).max(initial=0.0), (its[:, 1] - mine[:, 1]).max(initial=0.0)) / size
        )

    def one_motion(self, check, found):
        over = {mode: self.beyond(found.mode, mode, found.torque) for mode in self.raw}
        none = [mode for mode in over if over[mode] > APART and self.beside(mode, found.torque)]
        worst = max((mode for mode in over if mode not in none), key=over.get)
        if not np.isnan(over[worst]):
            ok = over[worst] <= APART and over[found.mode] >= 0.0
            self.judge(check, ok, (found.mode, worst, over[worst], found.torque.tolist()))

    def beside(self, mode, tau):
        """Whether inputs miss the set of a mode that is none: its accelerations are forced to zero, so it is the border
        of another, which is asked itself, and rows that are loosened move it further than by what they are.
        """
        return self.raw[mode].strictness() <= EDGE and self.raw[mode].at(tau) == -np.inf

    def near(self, best):
        """Inputs within the margin."""
        if not self.margin or self.case.tie is not None or not self.t:
            return
        low, high = np.array(self.case.box).T
        for _ in range(4):
            step = self.rng.normal(size=self.t)
            tau = np.clip(best.torque + 0.98 * self.margin * step / np.linalg.norm(step), low, high)
            others = [
                mode
                for mode in self.response
                if mode != best.mode
                and self.raw[mode].at(tau, slack=-SLACK) > -np.inf
                and self.beyond(best.mode, mode, tau) > APART
            ]
            self.judge("margin", not others, (best.mode, others, tau.tolist(), best.torque.tolist()))

    def none_better(self, best, samples):
        for _ in range(samples):
            tau = self.case.draw(self.rng)
            if tau is None:
                continue
            near = [m for m in self.response if self.raw[m].at(tau, slack=SLACK) > -np.inf]
            if len(near) != 1 or self.raw[near[0]].at(tau, slack=-SLACK) == -np.inf:
                continue
            mode = near[0]
            if all(
                self.least(mode, tau, row, -level) > 1e-6
                for row, level in zip(self.wishes.P, self.wishes.p, strict=True)
            ):
                value = self.least(mode, tau, self.objective.row, self.objective.constant)
                better = np.isfinite(value) and value > best.value + 1e-5 * (1.0 + abs(value))
                self.judge("none better", not better, (mode, tau.tolist(), value, best.value))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--systems", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=12, help="random inputs per system")
    parser.add_argument("--add", metavar="FILE", help="add up with runs of other seeds that are kept there")
    asked = parser.parse_args()
    kinds = [kind for kind in KINDS if kind not in ("five contacts", "loops")]
    tallies = Tallies(kinds, asked.seed, asked.add)
    begin = time.process_time()
    for i in range(asked.systems):
        kind = kinds[i % len(kinds)]
        rng = np.random.default_rng([asked.seed, i])
        tally, name = tallies.counts[kind], (kind, i, asked.seed)
        tally["systems"] += 1
        try:
            trial = Trial(instant(rng, kind), rng, tally, tallies.wrong, name)
            trial.run(asked.samples, with_design=i % 10 == 0)
        except Exception as error:
            tally["failed"] += 1
            tallies.wrong.append((name, "failed", type(error).__name__, str(error)[:200]))
    columns = ("systems", "settled", *CHECKS, "bounded", "failed", "compiled, ms", "pieces, ms")
    return tallies.show(columns, CHECKS, time.process_time() - begin)


if __name__ == "__main__":
    sys.exit(main())
