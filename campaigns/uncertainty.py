"""Promises over uncertain friction, attacked at exact friction.

    python campaigns/uncertainty.py --systems 20000 --seed 1 --keep uncertainty.json

goes on where an earlier run with the same file ended, and prints the sum of all.

Random instants (redundant, massless, moving, sliding contacts), every coefficient in an interval, some
shared. Every answer is asked again of the exact-friction analysis, at all corners of the box and at random
friction inside; every 50th system also in the raw unknowns by HiGHS (`tests/reference.py`, which shares no
code with the library).

| promise                        | attack                                                                                         |
|--------------------------------|------------------------------------------------------------------------------------------------|
| a torque is surely possible    | the mode exists at every corner of the box and at random friction inside                        |
| a torque is impossible         | no friction at corners and inside allows the mode                                               |
| a torque is possible           | the mode exists at the friction that is named as witness (independent coefficients, off borders)|
| inputs of a controller         | some mode exists, and no mode that exists gives less than the value (search by cutting planes)  |
| maximize, guarantee "mode"     | the mode exists and no other mode does; its value is reached (every 20th system)                |
| maximize, guarantee "outcome"  | as for controllers, and never below "mode" beyond rounding (every 20th system)                  |
| a refusal                      | a friction of the box with which the mode does not exist (counted; a refusal is never unsound)  |
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np

import modecontrol as mc
from modecontrol._core import thrust
from modecontrol.dynamics.friction_box import FrictionBox
from modecontrol.modes.problem import core_instant
from modecontrol.modes.surely_possible import sure_torques
from modecontrol.regions.fibre import fibre, loosened
from modecontrol.regions.friction_witness import witness
from modecontrol.thrust.objective import Objective
from modecontrol.thrust.prepared_rows import core_friction

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import reference

LIMIT, NEAR, MOST_MODES = 20.0, 1e-6, 3
KEPT_EVERY, ROUNDING = 50, 1e-9


def instant(rng):
    """A random instant with a box of friction, the parameters of some contacts shared."""
    s = reference.random_system(rng)
    k = len(s["friction"])
    shared = k > 1 and rng.random() < 0.3
    if shared:
        names, slope = ("mu",), np.ones((k, 1))
    else:
        names, slope = tuple(f"mu{i}" for i in range(k)), np.eye(k)
    low = rng.choice([0.0, 0.2, 0.5], size=len(names))
    high = low + rng.choice([0.0, 0.1, 0.3, 0.6], size=len(names))
    box = FrictionBox(names, low, high, np.zeros(k), slope)
    s["friction"] = box.middle
    return s, box


def frictions(box, rng, inside=2):
    """Corners of the box and random points in it, as coefficients of the contacts."""
    points = [np.array(corner) for corner in product(*zip(box.low, box.high, strict=True))]
    points += [rng.uniform(box.low, box.high) for _ in range(inside)]
    return [box.at(point) for point in points]


class ByAnalysis:
    """The exact-friction analysis at some frictions of the box."""

    def __init__(self, s, frictions, limits):
        self.frictions = frictions
        self.responses = [
            mc.dynamic_response(mc.Snapshot(**{**s, "friction": mu}), torque_limits=limits)
            for mu in frictions
        ]

    def exists(self, j, mode, tau, slack):
        """Whether `tau` produces the mode at friction `j`, every row loosened by `slack`."""
        there = self.responses[j]
        return mode in there and excess(there[mode].torques, tau) <= slack

    def modes(self, j):
        return self.responses[j].modes

    def least(self, j, mode, tau, objective):
        """Least objective of the mode there."""
        mine = self.responses[j][mode]
        on_tau, on_w, constant = Objective.of(objective, mine.problem.snapshot).within(mine)
        value = float(on_tau @ tau) + constant
        if not np.any(on_w):
            return value
        w_set = fibre(mine, tau)
        return value - (loosened(w_set) if w_set.is_empty else w_set).support(-on_w)


class ByRawPrograms:
    """The same questions in the raw unknowns."""

    def __init__(self, s, frictions, limits):
        self.s, self.frictions, self.limits = s, frictions, limits

    def exists(self, j, mode, tau, slack):
        exact = {**self.s, "friction": self.frictions[j]}
        return reference.exists_at(exact, mode, tau, self.limits, slack=slack)

    def modes(self, j):
        return reference.candidate_modes(self.s)

    def least(self, j, mode, tau, objective):
        return reference.least_at(
            {**self.s, "friction": self.frictions[j]}, mode, tau, self.limits, objective
        )


def excess(T, tau):
    """By how much a point misses the rows of a set (inputs units); negative inside."""
    worst = -np.inf
    if len(T.b):
        sizes = np.maximum(np.linalg.norm(T.A, axis=1), 1e-300)
        worst = float(np.max((T.A @ tau - T.b) / sizes))
    if len(T.d):
        sizes = np.maximum(np.linalg.norm(T.C, axis=1), 1e-300)
        off = float(np.max(np.abs(T.C @ tau - T.d) / sizes))
        worst = max(worst, off if off > NEAR else -np.inf)
    return worst


def sets(rng, response, box, judge, counts, wrong):
    """Surely possible, possible, impossible: torques of some modes."""
    t, everyone = len(response.problem.names.inputs), range(len(judge.frictions))
    for mode in rng.permutation(response.modes)[:MOST_MODES]:
        sure, possible = sure_torques(response.problem, mode), response[mode].torques
        torques = [*rng.uniform(-LIMIT, LIMIT, size=(2, t)), *_ends(sure, rng), *_ends(possible, rng)]
        for tau in torques:
            if sure.contains(tau):
                counts["surely possible"] += len(everyone)
                if not all(judge.exists(j, mode, tau, NEAR) for j in everyone):
                    wrong.append(("sure", mode, tau))
            elif not possible.contains(tau):
                counts["impossible"] += len(everyone)
                if any(judge.exists(j, mode, tau, -NEAR) for j in everyone):
                    wrong.append(("impossible", mode, tau))
            else:
                counts["refused"] += 1
                counts["refused, witness found"] += any(
                    not judge.exists(j, mode, tau, -NEAR) for j in everyone
                ) or (bool(box.shared) and _along(response, box, mode, tau))
                if not box.shared and possible.contains(tau, margin=1e-3):
                    counts["possible, witness named"] += 1
                    exact = response.snapshot.with_friction(witness(response[mode], tau))
                    there = mc.dynamic_response(exact, torque_limits=[(-LIMIT, LIMIT)] * t)
                    counts["possible, witness confirmed"] += (
                        mode in there and excess(there[mode].torques, tau) <= 1e-5
                    )


def _along(response, box, mode, tau):
    """Whether some friction along a shared parameter does not allow the mode."""
    wide = [(-LIMIT - 1, LIMIT + 1)] * len(tau)
    for part in np.linspace(0.0, 1.0, 33):
        exact = response.snapshot.with_friction(box.at(box.low + part * (box.high - box.low)))
        there = mc.dynamic_response(exact, torque_limits=wide)
        if mode not in there or excess(there[mode].torques, tau) > -NEAR:
            return True
    return False


def _ends(P, rng):
    """Two extreme points of a bounded set, and one between them."""
    if P.is_empty:
        return []
    found = [P.maximize(sign * rng.normal(size=P.n)) for sign in (1, -1)]
    points = [answer.point for answer in found if answer.status == "optimal"]
    return [*points, np.mean(points, axis=0)] if points else []


def outcome(tau, value, judge, objective, wrong, kind):
    """Attack the promise that every answer gives at least the value, and that there is one."""
    size = 1e-5 * (1.0 + np.abs(objective).sum()) * (1 + abs(value))
    for j in range(len(judge.frictions)):
        there = [mode for mode in judge.modes(j) if judge.exists(j, mode, tau, NEAR)]
        if not there:
            wrong.append((kind, "exists", tau, judge.frictions[j]))
        for mode in there:
            if judge.exists(j, mode, tau, -NEAR):
                worst = judge.least(j, mode, tau, objective)
                if worst is not None and worst < value - size:
                    wrong.append((kind, "value", mode, tau, worst, value, judge.frictions[j]))


def by_cuts(response, objective):
    """The controllers' search: `(found, tau, value)`."""
    problem = response.problem
    goal = Objective.of(objective, response.snapshot)
    instant = core_instant(response.snapshot, problem.touching, goal.below(problem.physical, problem.task))
    free = np.tile([-np.inf, np.inf], (len(problem.names.inputs), 1))
    _, best, _, _ = thrust.PromisedInputs().solve(
        instant, problem.touching.states, core_friction(response.snapshot), free, (2000, 16)
    )
    return best[0], best[2], best[4]


def maximized(response, objective, judge, counts, wrong):
    """`maximize` with both guarantees."""
    best = {
        kind: mc.maximize(response, objective, guarantee=kind, patience=20) for kind in ("mode", "outcome")
    }
    if best["mode"]:
        tau, mine = best["mode"].torque, best["mode"].mode
        counts["mode promises"] += len(judge.frictions)
        outcome(tau, best["mode"].value, judge, objective, wrong, "mode")
        for j in range(len(judge.frictions)):
            if not judge.exists(j, mine, tau, NEAR):
                wrong.append(("mode", "exists", mine, tau))
            others = [m for m in judge.modes(j) if m != mine and judge.exists(j, m, tau, -1e-5)]
            if others:
                wrong.append(("mode", "other", mine, others, tau))
    if best["outcome"]:
        counts["outcome promises"] += len(judge.frictions)
        outcome(best["outcome"].torque, best["outcome"].value, judge, objective, wrong, "outcome")
    if best["mode"]:
        counts["outcome not below mode"] += 1
        if best["outcome"].value < best["mode"].value - ROUNDING * (1.0 + abs(best["mode"].value)):
            wrong.append(("order", best["mode"].value, best["outcome"].value))


def check(number, rng, counts, wrong):
    """One instant, all questions."""
    s, box = instant(rng)
    t = s["actuation"].shape[1]
    limits = [(-LIMIT, LIMIT)] * t
    response = mc.dynamic_response(mc.Snapshot(**s).with_friction(box), torque_limits=limits)
    everyone = frictions(box, rng)
    limits = [(-LIMIT - 1, LIMIT + 1)] * t  # for the judges: inputs at their limits are inside, too
    judges = [ByAnalysis(s, everyone, limits)]
    if number % 50 == 0:
        judges.append(ByRawPrograms(s, everyone, limits))
        counts["systems also by raw programs"] += 1
    objective = rng.normal(size=s["mass"].shape[0])
    found, tau, value = by_cuts(response, objective)
    for judge in judges:
        sets(rng, response, box, judge, counts, wrong)
        if found:
            counts["inputs of a controller"] += len(judge.frictions)
            outcome(tau, value, judge, objective, wrong, "controller")
    counts["controller: found" if found else "controller: none"] += 1
    if number % 20 == 0:
        maximized(response, objective, judges[0], counts, wrong)


def _before(args):
    """Counts, what was wrong, systems done and CPU time of earlier runs."""
    if args.keep is None or not args.keep.exists():
        return Counter(), [], 0, 0.0
    kept = json.loads(args.keep.read_text(encoding="utf-8"))
    if (kept["seed"], kept["first"]) != (args.seed, args.first):
        raise SystemExit(
            f"{args.keep} has seed {kept['seed']} from system {kept['first']} on; expected the same"
        )
    return Counter(kept["counts"]), kept["wrong"], kept["done"], kept["spent"]


def _keep(args, counts, wrong, done, spent):
    kept = {"seed": args.seed, "first": args.first, "done": done, "counts": counts, "wrong": wrong}
    args.keep.write_text(json.dumps({**kept, "spent": spent}, default=str), encoding="utf-8")


def main():
    """Run the campaign; exit code 1 when a promise is broken."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--systems", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="number of the first system")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=np.inf, help="stop after this time")
    parser.add_argument("--keep", type=Path, help="file that keeps the tallies, to go on with later")
    args = parser.parse_args()
    counts, wrong, done, spent = _before(args)
    begin, cpu = time.monotonic(), time.process_time()
    for number in range(args.first + done, args.first + args.systems):
        if time.monotonic() - begin > args.seconds:
            break
        before = len(wrong)
        check(number, np.random.default_rng([args.seed, number]), counts, wrong)
        done += 1
        for broken in wrong[before:]:
            print(f"system {number}: {broken}", flush=True)
        if args.keep is not None and (done % KEPT_EVERY == 0 or done == args.systems):
            _keep(args, counts, wrong, done, spent + time.process_time() - cpu)
    for name, amount in sorted(counts.items()):
        print(f"{name:45s} {amount:9d}")
    asked = sum(
        counts[name]
        for name in (
            "surely possible",
            "impossible",
            "inputs of a controller",
            "mode promises",
            "outcome promises",
            "outcome not below mode",
        )
    )
    spent += time.process_time() - cpu
    print(f"{done} systems, {asked} answers attacked, {len(wrong)} unsound, {spent:.0f} s of CPU time")
    part = counts["refused, witness found"] / max(1, counts["refused"])
    print(f"{100 * part:.3f} % of {counts['refused']} refusals have a friction that confirms them")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
