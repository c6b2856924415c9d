"""Promises over uncertain friction, attacked with exact friction by raw linear programs.

    python campaigns/uncertainty.py --systems 300 --seed 1

Random instants (redundant, massless, moving, sliding contacts), every coefficient in an interval, some
shared. Asked, and answered again in the raw unknowns by HiGHS (`tests/reference.py`, which shares no code
with the library):

| promise                        | attack                                                                                         |
|--------------------------------|------------------------------------------------------------------------------------------------|
| a torque is surely possible    | the mode exists at every corner of the box and at random friction inside                        |
| a torque is impossible         | no friction at corners and inside allows the mode                                               |
| maximize, guarantee "mode"     | the mode exists and no other mode does, at corners and inside; its value is reached             |
| maximize, guarantee "outcome"  | some mode exists, and no mode that exists gives less than the value                             |
| a refusal                      | a friction of the box with which the mode does not exist (counted; a refusal is never unsound)  |
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
from scipy.optimize import linprog

import modecontrol as mc
from modecontrol.dynamics.friction_box import FrictionBox
from modecontrol.modes.surely_possible import sure_torques

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import reference

LIMIT = 20.0


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


def frictions(box, rng, inside=4):
    """Corners of the box and random points in it, as coefficients of the contacts."""
    points = [np.array(corner) for corner in product(*zip(box.low, box.high, strict=True))]
    points += [rng.uniform(box.low, box.high) for _ in range(inside)]
    return [box.at(point) for point in points]


def least(s, mode, tau, limits, objective):
    """Least value of a row over `(qdd, f)` in a mode at one torque and exact friction; None when the mode
    does not exist.
    """
    A, b, C, e, _ = reference.raw_rows(s, mode, limits)
    t = len(tau)
    hold = np.hstack([np.zeros((t, A.shape[1] - t)), np.eye(t)])
    cost = np.zeros(A.shape[1])
    cost[: len(objective)] = objective
    found = linprog(
        cost, A, b, np.vstack([C, hold]), np.concatenate([e, tau]), bounds=(None, None), method="highs"
    )
    return found.fun if found.status == 0 else -np.inf if found.status == 3 else None


def check(rng, counts, wrong, args_patience=40):
    """One instant, all questions."""
    s, box = instant(rng)
    t = s["actuation"].shape[1]
    limits = [(-LIMIT, LIMIT)] * t
    snap = mc.Snapshot(**s).with_friction(box)
    response = mc.dynamic_response(snap, torque_limits=limits)
    everyone = frictions(box, rng)
    modes = list(reference.candidate_modes(s))

    def exists(mode, tau, mu, slack):
        return reference.exists_at({**s, "friction": mu}, mode, tau, limits, slack=slack)

    for mode in list(response)[:6]:
        sure = sure_torques(response.problem, mode, 4)
        for tau in [*rng.uniform(-LIMIT, LIMIT, size=(3, t)), *_inner(sure)]:
            if sure.contains(tau):
                counts["surely possible"] += len(everyone)
                if not all(exists(mode, tau, mu, 1e-6) for mu in everyone):
                    wrong.append(("sure", mode, tau))
            elif not response[mode].torques.contains(tau):
                counts["impossible"] += len(everyone)
                if any(exists(mode, tau, mu, -1e-6) for mu in everyone):
                    wrong.append(("impossible", mode, tau))
            else:
                counts["refused"] += 1
                counts["refused, witness found"] += any(not exists(mode, tau, mu, -1e-6) for mu in everyone)
    objective = rng.normal(size=s["mass"].shape[0])
    best = {
        kind: mc.maximize(response, objective, guarantee=kind, patience=args_patience)
        for kind in ("mode", "outcome")
    }
    size = 1.0 + np.abs(objective).sum()
    if best["mode"]:
        counts["mode promises"] += len(everyone)
        tau, mine = best["mode"].torque, best["mode"].mode
        for mu in everyone:
            value = least({**s, "friction": mu}, mine, tau, [(-1.001 * LIMIT, 1.001 * LIMIT)] * t, objective)
            if not exists(mine, tau, mu, 1e-6):
                wrong.append(("mode, exists", mine, tau))
            elif value is not None and value < best["mode"].value - 1e-5 * size * (
                1 + abs(best["mode"].value)
            ):
                wrong.append(("mode, value", mine, tau, value, best["mode"].value))
            others = [m for m in modes if m != mine and exists(m, tau, mu, -1e-5)]
            if others:
                wrong.append(("mode, other", mine, others, tau))
    if best["outcome"]:
        counts["outcome promises"] += len(everyone)
        tau = best["outcome"].torque
        for mu in everyone:
            there = [m for m in modes if exists(m, tau, mu, 1e-6)]
            if not there:
                wrong.append(("outcome, exists", tau))
            for m in modes:
                if exists(m, tau, mu, -1e-5):
                    value = least({**s, "friction": mu}, m, tau, limits, objective)
                    if value is not None and value < best["outcome"].value - 1e-5 * size * (
                        1 + abs(best["outcome"].value)
                    ):
                        wrong.append(("outcome, value", m, tau, value, best["outcome"].value))
    if best["mode"] and best["outcome"]:
        counts["outcome not below mode"] += 1
        if best["outcome"].value < best["mode"].value - 1e-6 * (1 + abs(best["mode"].value)):
            wrong.append(("order", best["mode"].value, best["outcome"].value))
    for kind, found in best.items():
        counts[f"{kind}: {'found' if found else found.reason.split(':')[0][:40]}"] += 1


def _inner(sure):
    if sure.is_empty:
        return []
    return [
        sure.maximize(direction).point
        for direction in np.vstack([np.eye(sure.n), -np.eye(sure.n)])[:2]
        if sure.maximize(direction).status == "optimal"
    ]


def main():
    """Run the campaign; exit code 1 when a promise is broken."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--systems", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    counts, wrong = Counter(), []
    for seed in range(args.systems):
        before = len(wrong)
        check(np.random.default_rng([args.seed, seed]), counts, wrong)
        for broken in wrong[before:]:
            print(f"system {seed}: {broken}", flush=True)
    for name, number in sorted(counts.items()):
        print(f"{name:45s} {number:9d}")
    asked = sum(
        counts[name]
        for name in (
            "surely possible",
            "impossible",
            "mode promises",
            "outcome promises",
            "outcome not below mode",
        )
    )
    print(f"{args.systems} systems, {asked} answers attacked, {len(wrong)} unsound")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
