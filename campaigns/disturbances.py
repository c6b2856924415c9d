"""Promises over errors of the inputs and additive forces, attacked with exactly known loads.

    python campaigns/disturbances.py --systems 2000 --seed 1

Random instants (redundant, massless, moving, sliding contacts), friction known exactly, as intervals, or as one interval that
contacts share; additive and relative errors of the inputs, forces in a box or in a polytope with slanted sides. Every promise
is asked again of the exact analysis, at corners of the friction and vertices of the disturbance and at random points inside;
every 25th system also in the raw unknowns by HiGHS (`tests/reference.py`, which shares no code with the library).

| promise                        | attack                                                                                         |
|--------------------------------|------------------------------------------------------------------------------------------------|
| a torque is surely possible    | the mode exists at every friction and load that is tried                                        |
| a torque is impossible         | the mode exists at none                                                                         |
| inputs of a controller         | some mode exists, and no mode that exists gives less than the value                             |
| the value at given inputs      | the same at random inputs                                                                       |
| maximize, guarantee "mode"     | the mode exists and no other mode does; its value is reached (every 10th system)                |
| maximize, guarantee "outcome"  | as for controllers, and never below "mode" beyond rounding (every 10th system)                  |
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from itertools import product

import numpy as np
from uncertainty import LIMIT, NEAR, ROUNDING, ByAnalysis, ByRawPrograms, _ends, instant, outcome

import modecontrol as mc
from modecontrol.modes.disturbed import DisturbedProblem
from modecontrol.modes.lift import idle_inputs
from modecontrol.modes.surely_possible import sure_torques
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.thrust.cuts import promised_by_cuts
from modecontrol.thrust.objective import Objective

MOST_LOADS, INSIDE, MOST_MODES, OTHER = 24, 6, 2, 1e-5


def disturbance(rng, n, t):
    """Random bounds, some of them none."""
    errors = {
        "torque_error": rng.choice([0.0, 0.1, 1.0], size=t),
        "relative_torque_error": rng.choice([0.0, 0.05, 0.3], size=t),
    }
    kind = rng.integers(4)
    if kind == 1:
        names = rng.choice([f"q{i + 1}" for i in range(n)], size=min(2, n), replace=False)
        ends = np.sort(rng.normal(size=(len(names), 2)), axis=1)
        errors["forces"] = {str(name): tuple(pair) for name, pair in zip(names, ends, strict=True)}
    elif kind > 1:
        m = int(rng.integers(1, 3))
        errors["forces"] = mc.Polytope.from_vertices(rng.normal(size=(m + 2 if kind == 2 else 1, m)))
        errors["along"] = rng.normal(size=(n, m))
    return mc.Disturbance(**errors)


class Loads:
    """Frictions and loads of one system: vertices, and points inside."""

    def __init__(self, s, box, load, rng):
        self.s, self.load = s, load
        corners = [box.at(np.array(corner)) for corner in product(*zip(box.low, box.high, strict=True))]
        cases = list(product(corners, load.vertices))
        if len(cases) > MOST_LOADS:
            cases = [cases[i] for i in rng.choice(len(cases), MOST_LOADS, replace=False)]
        for _ in range(INSIDE):
            way = rng.uniform(-1, 1, size=len(load.added))
            weights = rng.dirichlet(np.ones(len(load.pushes)))
            cases.append((box.at(rng.uniform(box.low, box.high)), (way, weights @ load.pushes)))
        self.cases = cases

    def at(self, tau):
        """The systems at these inputs, with everything that acts moved into the bias, and their frictions."""
        load = self.load
        for mu, (way, push) in self.cases:
            error = way * (load.added + load.part * np.abs(tau))
            bias = self.s["bias"] - self.s["actuation"] @ error - load.along @ push
            yield {**self.s, "bias": bias, "friction": mu}, mu


class Judge:
    """The exact questions of `uncertainty.py` at a list of frictions and loads, which depend on the inputs."""

    def __init__(self, kind, loads, limits):
        self.kind, self.loads, self.limits, self._at = kind, loads, limits, None
        self.frictions = [mu for mu, _ in loads.cases]

    def hold(self, tau):
        """Answer for these inputs from now on."""
        self._at = [self.kind(s, [mu], self.limits) for s, mu in self.loads.at(tau)]
        return self

    def exists(self, j, mode, tau, slack):
        return self._at[j].exists(0, mode, tau, slack)

    def modes(self, j):
        return self._at[j].modes(0)

    def least(self, j, mode, tau, objective):
        return self._at[j].least(0, mode, tau, objective)


def sets(rng, disturbed, judge, counts, wrong):
    """Torques of some modes that are called sure or impossible, at inputs of the signs that the problem has."""
    problem, everyone = disturbed.problem, range(len(judge.frictions))
    for mode in rng.permutation(disturbed.modes)[:MOST_MODES]:
        sure, possible = sure_torques(problem, mode), disturbed[mode].torques
        around = np.abs(rng.uniform(-LIMIT, LIMIT, size=(1, len(problem.signs)))) * problem.signs
        for tau in [*around, *_ends(sure, rng), *_ends(possible, rng)]:
            if sure.contains(tau):
                counts["surely possible"] += len(everyone)
                judge.hold(tau)
                if not all(judge.exists(j, mode, tau, NEAR) for j in everyone):
                    wrong.append(("sure", mode, tau))
            elif not possible.contains(tau) and disturbed.torque_set.contains(tau):
                counts["impossible"] += len(everyone)
                judge.hold(tau)
                if any(judge.exists(j, mode, tau, -NEAR) for j in everyone):
                    wrong.append(("impossible", mode, tau))
            else:
                counts["refused"] += 1
                judge.hold(tau)
                counts["refused, witness found"] += any(
                    not judge.exists(j, mode, tau, -NEAR) for j in everyone
                )


def maximized(response, objective, disturbance, judge, counts, wrong):
    """`maximize` with both guarantees."""
    best = {
        kind: mc.maximize(response, objective, guarantee=kind, patience=15, disturbance=disturbance)
        for kind in ("mode", "outcome")
    }
    for kind, found in best.items():
        if found:
            counts[f"{kind} promises"] += len(judge.frictions)
            outcome(found.torque, found.value, judge.hold(found.torque), objective, wrong, kind)
    if best["mode"]:
        tau, mine = best["mode"].torque, best["mode"].mode
        judge.hold(tau)
        for j in range(len(judge.frictions)):
            if not judge.exists(j, mine, tau, NEAR):
                wrong.append(("mode", "exists", mine, tau))
            others = [m for m in judge.modes(j) if m != mine and judge.exists(j, m, tau, -OTHER)]
            if others:
                wrong.append(("mode", "other", mine, others, tau))
        counts["outcome not below mode"] += 1
        if best["outcome"].value < best["mode"].value - ROUNDING * (1.0 + abs(best["mode"].value)):
            wrong.append(("order", best["mode"].value, best["outcome"].value))


def check(number, rng, counts, wrong):
    """One instant, all questions."""
    s, box = instant(rng)
    if rng.random() < 0.3:
        box = type(box)(
            box.names, 0.5 * (box.low + box.high), 0.5 * (box.low + box.high), box.base, box.slope
        )
    n, t = s["actuation"].shape
    snapshot = mc.Snapshot(**s).with_friction(box)
    response = mc.dynamic_response(snapshot, torque_limits=[(-LIMIT, LIMIT)] * t)
    problem, errors = response.problem, disturbance(rng, n, t)
    load = errors.at(problem.snapshot, idle_inputs(problem.snapshot, problem.touching))
    if load.is_nothing or not response.modes:
        counts["nothing disturbed, or no mode"] += 1
        return
    loads = Loads(s, box, load, rng)
    limits = [(-LIMIT - 1, LIMIT + 1)] * t  # for the judges: inputs at their limits are inside, too
    judges = [Judge(ByAnalysis, loads, limits)]
    if number % 25 == 0:
        judges.append(Judge(ByRawPrograms, loads, limits))
        counts["systems also by raw programs"] += 1
    objective = rng.normal(size=n)
    signs = rng.choice([-1.0, 1.0], size=t)
    lifted = DisturbedProblem.under(problem, load, signs)
    disturbed = DynamicResponse(lifted, *lifted.respond())
    found = promised_by_cuts(lifted, Objective.of(objective, response.snapshot))
    tau = rng.uniform(-LIMIT, LIMIT, size=t)
    value = mc.promised_value(response, objective, tau, disturbance=errors)
    counts["controller: found" if found else "controller: none"] += 1
    for judge in judges:
        sets(rng, disturbed, judge, counts, wrong)
        if found:
            counts["inputs of a controller"] += len(judge.frictions)
            outcome(*found, judge.hold(found[0]), objective, wrong, "controller")
        if value > -np.inf:
            counts["value at given inputs"] += len(judge.frictions)
            outcome(tau, value, judge.hold(tau), objective, wrong, "value")
    if number % 10 == 0:
        maximized(response, objective, errors, judges[0], counts, wrong)


def main():
    """Run the campaign; exit code 1 when a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--systems", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first system")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=np.inf, help="stop after this time")
    args = parser.parse_args()
    counts, wrong, done = Counter(), [], 0
    begin, cpu = time.monotonic(), time.process_time()
    for number in range(args.first, args.first + args.systems):
        if time.monotonic() - begin > args.seconds:
            break
        before = len(wrong)
        check(number, np.random.default_rng([args.seed, number]), counts, wrong)
        done += 1
        for broken in wrong[before:]:
            print(f"system {number}: {broken}", flush=True)
    for name, amount in sorted(counts.items()):
        print(f"{name:45s} {amount:9d}")
    kinds = (
        "surely possible",
        "impossible",
        "inputs of a controller",
        "value at given inputs",
        "mode promises",
    )
    asked = sum(counts[name] for name in (*kinds, "outcome promises", "outcome not below mode"))
    spent = time.process_time() - cpu
    print(f"{done} systems, {asked} answers attacked, {len(wrong)} unsound, {spent:.0f} s of CPU time")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
