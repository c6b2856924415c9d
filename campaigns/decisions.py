"""Decisions of `MaximalThrust` against the one rule of ambiguity and against raw linear programs, at instants of every kind.

    python campaigns/decisions.py [--decisions 10000] [--seed 1] [--add FILE]

Random instants of the kinds of `campaigns/modes.py` with its edges, each with random goals and tasks, with and without a margin,
with and without patience to end the search. A decision that names a mode and is not called ambiguous is a promise:

    rule       the one rule of ambiguity finds one motion at the returned inputs        against  `answer_at`
    raw        every contact mode, strict or not, shows motions (M qdd, f) of the predicted mode only     by HiGHS
    task       the task holds there whatever the unknowns do, unless it was dropped                       by HiGHS
    value      with patience enough, the decision is as good as `maximize`, and refuses only where that does   (1e-6)
    pinned     limits that leave one random input alone: the word of the controller      against  the rule

`quick` counts promises that the first descent of the search gave, `searched` those for which rivals had to be cut out or a margin
kept, `fallback` decisions that gave something up and said so; `ambiguous` are decisions that promise nothing. `border` counts
promises of modes whose unknowns are not unique, at inputs on the border of a mode that clashes elsewhere: there it shows nothing
that the promised mode does not, which is told from their ranges of accelerations and forces and, apart from that, by the raw
programs of `raw`. `maximize` keeps off such borders, so that values are not compared there.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

import modecontrol as mc
from modecontrol.errors import ModeControlError

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from controlled_instants import decide
from modes import KINDS, instant
from tallies import Tallies
from thrust import Trial

EACH = 6
"""Decisions for each system, half of them at pinned inputs."""
LITTLE, PLENTY = 60, 10**6
CHECKS = ("rule", "raw", "task", "value", "pinned")
COLUMNS = ("decisions", *CHECKS, "quick", "searched", "fallback", "border", "ambiguous", "no mode", "failed")


class Decisions(Trial):
    """Decisions at one instant; goal, task and margin are drawn by `Trial`."""

    def limits(self):
        return np.array(self.case.box, float).reshape(-1, 2)

    def physical(self):
        """The equality that ties inputs, as a constraint."""
        if self.case.tie is None:
            return ()
        row, level = self.case.tie
        terms = " + ".join(
            f"{value!r} * {name}" for value, name in zip(row.tolist(), self.names, strict=True)
        )
        return (f"{terms} == {level!r}",)

    @property
    def names(self):
        return self.response.problem.names.inputs

    def free(self, patience):
        """One decision for the drawn goal."""
        options = {
            "task": self.task,
            "margin": self.margin,
            "physical": self.physical(),
            "patience": patience,
        }
        made = decide(self.response, self.goal, self.limits(), **options)
        self.tally["decisions"] += 1
        if made.mode is None:
            self.tally["no mode"] += 1
        elif made.ambiguous:
            self.tally["ambiguous"] += 1
        else:
            self.promised(made)
        if patience == PLENTY:
            self.compare(made)

    def promised(self, made):
        """What a promise has to keep."""
        self.tally["fallback" if made.fallback else self.way(made)] += 1
        if self.on_a_border(made):
            self.tally["border"] += 1
        else:
            answer = self.response.answer_at(made.torque)
            self.judge("rule", answer is not None, (made.mode, made.torque.tolist()))
        self.one_motion("raw", made)
        if made.fallback != "task dropped":
            for row, level in zip(self.wishes.P, self.wishes.p, strict=True):
                least = self.least(made.mode, made.torque, row, -level)
                if not np.isnan(least):
                    self.judge("task", least >= -1e-6 * (1.0 + abs(level)), (made.mode, least))

    def on_a_border(self, made):
        """Whether other modes that the rule counts against the promised one show nothing but its motions at these inputs."""
        own = self.response[made.mode]
        if self.response.answer_at(made.torque) is not None or not own.acceleration.W.shape[1]:
            return False
        for ranges in (self.response.accelerations_at(made.torque), self.response.forces_at(made.torque)):
            mine = np.array(list(ranges[made.mode].values())).reshape(-1, 2)
            for other in ranges.values():
                ends = np.array(list(other.values())).reshape(-1, 2)
                near = 1e-6 * (1.0 + np.where(np.isfinite(ends), np.abs(ends), 0.0))
                if not np.all(
                    (ends[:, 0] >= mine[:, 0] - near[:, 0]) & (ends[:, 1] <= mine[:, 1] + near[:, 1])
                ):
                    return False
        return True

    def way(self, made):
        """Whether the plain optimum was the answer, or something had to be cut out."""
        plain = mc.maximize(self.response, self.goal, guarantee="none")
        near = plain and abs(plain.value - made.value) <= 1e-9 * max(1.0, abs(made.value))
        return "quick" if near and not self.margin else "searched"

    def compare(self, made):
        """The same value as `maximize`, or nothing sure there either."""
        best = mc.maximize(self.response, self.goal, margin=self.margin)
        if "unbounded" in best.reason or made.fallback == "task dropped":
            return
        sure = made.mode is not None and not made.ambiguous
        if sure and self.on_a_border(made):
            return
        same = sure == bool(best) and (
            not best or abs(made.value - best.value) <= 1e-6 * max(1.0, abs(best.value))
        )
        self.judge("value", same, (made.fallback, made.value, best.value, best.reason, made.torque.tolist()))

    def pinned(self):
        """One decision where the limits leave one input alone."""
        tau = self.case.draw(self.rng)
        if tau is None or not self.t or not self.response.admissible.torques.contains(tau):
            return
        pins = np.column_stack([tau, tau])
        made = decide(self.response, self.names[0], pins, patience=PLENTY)
        self.tally["decisions"] += 1
        word = "none" if made.mode is None else "several" if made.ambiguous else "one"
        found = self.response.modes_at(tau)
        rule = "none" if not found else "one" if self.response.answer_at(tau) is not None else "several"
        self.judge("pinned", word == rule, (tau.tolist(), word, rule, found))
        if word == "one":
            self.one_motion("raw", made)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--decisions", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--add", metavar="FILE", help="add up with runs of other seeds that are kept there")
    asked = parser.parse_args()
    kinds = [kind for kind in KINDS if kind != "five contacts"]
    tallies = Tallies(kinds, asked.seed, asked.add)
    before = sum(count["decisions"] for count in tallies.counts.values())
    begin, i = time.process_time(), 0
    while sum(count["decisions"] for count in tallies.counts.values()) < before + asked.decisions:
        kind = kinds[i % len(kinds)]
        rng = np.random.default_rng([asked.seed, i])
        tally = tallies.counts[kind]
        case = instant(rng, kind)
        for turn in range(EACH // 2):
            try:
                trial = Decisions(case, rng, tally, tallies.wrong, (kind, i, asked.seed))
                trial.free(LITTLE if turn == 2 else PLENTY)
                trial.pinned()
            except ModeControlError as error:
                tally["failed"] += 1
                tallies.wrong.append(((kind, i), "failed", type(error).__name__, str(error)[:200]))
        i += 1
    return tallies.show(COLUMNS, CHECKS, time.process_time() - begin)


if __name__ == "__main__":
    sys.exit(main())
