"""The best sure inputs: compiled search, search over pieces and raw linear programs on random systems.

    python campaigns/thrust.py [--systems 3000] [--seed 1] [--samples 12]

Random instants of the kinds of `campaigns/modes.py` (up to three contacts), each with a random goal, task and
margin:

    same value    the compiled search against the one over `Polytope` pieces, where the former settles the question
    one mode      the returned inputs, and inputs within the margin of them, are explained by no other mode (unless its set of
                  inputs is thinner), by one linear program per mode in the raw unknowns
    task          the task holds there whatever the unknowns do, likewise
    none better   random inputs that are surely explained by one mode, with the task, have no greater value

An input within 1e-6 of a boundary of any mode is not judged.
"""

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
from scipy.optimize import linprog

import modecontrol as mc
from modecontrol.thrust.maximize import _compiled, by_pieces
from modecontrol.thrust.objective import Objective

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import reference
from modes import KINDS, system

LIMIT = 20.0
SLACK = 1e-6
GOALS = ("q1", "tau1", "c1.normal", "q1 - 0.5 * q2 + c1.tangent")
TASKS = ((), ("c1.normal >= 1",), ("q1 >= -1",), ("c1.normal >= 0.5", "q1 <= 3"))
CHECKS = ("same value", "one mode", "task", "none better")


def extreme(s, mode, tau, limits, row, constant):
    """Least value of a row over `(qdd, f)` in one mode at one input."""
    A, b, C, e, _ = reference.raw_rows(s, mode, limits)
    lead = A.shape[1] - len(tau)
    c = np.zeros(lead)
    c[: len(row) - len(tau)] = row[: len(row) - len(tau)]
    found = linprog(
        c, A[:, :lead], b - A[:, lead:] @ tau + 1e-9, C[:, :lead], e - C[:, lead:] @ tau, bounds=(None, None)
    )
    value = found.fun if found.status == 0 else {2: np.inf, 3: -np.inf}.get(found.status, np.nan)
    return value + row[len(row) - len(tau) :] @ tau + constant


def explained(s, modes, tau, limits):
    """The modes that surely explain an input, and those that nearly do."""
    sure = [m for m in modes if reference.exists_at(s, m, tau, limits, slack=-SLACK)]
    near = [m for m in modes if reference.exists_at(s, m, tau, limits, slack=SLACK)]
    return sure, near


def examine(s, rng, samples, tally, wrong, name):
    """All comparisons for one system."""
    t = s["actuation"].shape[1]
    limits = [(-LIMIT, LIMIT)] * t
    snapshot = mc.Snapshot(**s)
    goal, task = GOALS[rng.integers(len(GOALS))], TASKS[rng.integers(len(TASKS))]
    margin = float(rng.choice([0.0, 0.0, 0.3]))
    response = mc.dynamic_response(snapshot, torque_limits=limits, task=task)
    objective = Objective.of(goal, snapshot)
    start = time.process_time()
    quick = _compiled(response, objective, margin, "unambiguous", None)
    middle = time.process_time()
    slow = by_pieces(response, objective, margin, "unambiguous", None)
    tally["compiled, ms"] += 1e3 * (middle - start)
    tally["pieces, ms"] += 1e3 * (time.process_time() - middle)

    def judge(check, ok, detail):
        tally[check] += 1
        if not ok:
            wrong.append((name, check, goal, task, margin, detail))

    tally["settled"] += quick is not None
    if quick is not None:
        same = bool(quick) == bool(slow) and (
            not slow or abs(quick.value - slow.value) <= 1e-6 * max(1.0, abs(slow.value))
        )
        judge("same value", same, (quick.value, slow.value))
    best = slow if quick is None else quick
    wishes = response.problem.task
    modes = [m for m in reference.candidate_modes(s) if reference.strictness(s, m, limits) > SLACK]
    if best:
        # a mode whose inputs are a thinner set than those of the answer does not count against it
        rivals = [
            m
            for m in modes
            if m != best.mode
            and m in response
            and response[m].torques.dimension >= response[best.mode].torques.dimension
        ]
        step = rng.normal(size=t)
        for tau in (best.torque, best.torque + 0.98 * margin * step / np.linalg.norm(step)) if margin else ():
            others = [
                m
                for m in rivals
                if reference.exists_at(s, m, np.clip(tau, -LIMIT, LIMIT), limits, slack=-SLACK)
            ]
            judge("one mode", not others, (best.mode, others))
        for row, level in zip(wishes.P, wishes.p, strict=True):
            least = extreme(s, best.mode, best.torque, limits, row, -level)
            if not np.isnan(least):
                judge("task", least >= -1e-4 * (1.0 + abs(level)), (best.mode, least))
    for tau in rng.uniform(-LIMIT, LIMIT, size=(samples, t)):
        sure, near = explained(s, modes, tau, limits)
        if len(sure) != 1 or near != sure or margin:
            continue
        if all(
            extreme(s, sure[0], tau, limits, row, -level) > 1e-6
            for row, level in zip(wishes.P, wishes.p, strict=True)
        ):
            value = extreme(s, sure[0], tau, limits, objective.row, objective.constant)
            better = np.isfinite(value) and value > best.value + 1e-5 * (1.0 + abs(value))
            judge("none better", not better, (sure[0], tau.tolist(), value, best.value))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--systems", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=12, help="random inputs per system")
    asked = parser.parse_args()
    rng = np.random.default_rng(asked.seed)
    kinds = [kind for kind in KINDS if kind not in ("five contacts", "no input", "loops")]
    tallies, wrong = {kind: Counter() for kind in kinds}, []
    begin = time.process_time()
    for i in range(asked.systems):
        kind = kinds[i % len(kinds)]
        tallies[kind]["systems"] += 1
        examine(system(rng, kind), rng, asked.samples, tallies[kind], wrong, (kind, i))
    total = sum(tallies.values(), Counter())
    columns = ("systems", "settled", *CHECKS, "compiled, ms", "pieces, ms")
    print(f"{'kind':<18}" + "".join(f"{name:>14}" for name in columns))
    for name, tally in (*tallies.items(), ("all", total)):
        print(f"{name:<18}" + "".join(f"{tally[column]:>14.0f}" for column in columns))
    count, spent = sum(total[check] for check in CHECKS), time.process_time() - begin
    print(f"{count} comparisons, {len(wrong)} wrong, {spent:.0f} s of CPU time")
    for case in wrong[:20]:
        print("  ", *case)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
