"""Friction from 1e-12 to 1e15, decided by the library and in exact rationals by z3.

    python campaigns/extreme_friction.py [--systems 60] [--seed 1] [--powers -12 -8 ... 15] [--uncertain 10]

Instants of small whole numbers (so that nothing is degenerate by rounding alone), and two links between walls, whose geometry is
rational. Every coefficient is the same power of ten, or one of them is and the others are 0.5. Asked are

    modes      `resp.modes`: which modes have a point with all strict rows positive
    torques    `resp.modes_at` at random inputs: which closed modes have a point there
    optima     `maximize(guarantee="none")`: the greatest first acceleration over the closed modes that exist
    possible   `resp[mode].torques` over an interval of friction (T1), at a torque (nonlinear: `small_by_z3`)

A refusal (`UncheckedError`) is counted; another answer than that of z3 is a failure, and the exit status is 1. Inputs that
lie nearer to a border than a millionth are counted apart.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import z3

import modecontrol as mc
from modecontrol.dynamics.friction_box import FrictionBox

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import reference
import small_by_z3

LIMIT = 20.0
NUDGE = 1e-6
SAME = 1e-6
POWERS = (-12, -10, -8, -6, -4, -2, 0, 1, 2, 3, 4, 5, 6, 7, 9, 12, 15)
QUESTIONS = ("modes", "torques", "optima", "possible")


def whole_numbers(rng: np.random.Generator) -> dict[str, np.ndarray]:
    """An instant of small whole numbers, contacts at rest or sliding."""
    n, k, t = int(rng.integers(2, 5)), int(rng.integers(1, 4)), int(rng.integers(1, 3))
    root = rng.integers(-1, 2, size=(n, n))
    velocity = np.zeros(2 * k)
    velocity[1::2] = rng.choice([0.0, 0.0, 0.0, 1.0, -1.0], size=k)
    return {
        "mass": (root @ root.T + np.eye(n) * int(rng.integers(1, 3))).astype(float),
        "bias": rng.integers(-5, 6, size=n).astype(float),
        "actuation": np.eye(n)[:, :t],
        "jacobian": rng.integers(-2, 3, size=(2 * k, n)).astype(float),
        "drift": np.zeros(2 * k),
        "velocity": velocity,
    }


def two_links() -> dict[str, np.ndarray]:
    """Two links between walls: cosines that are rounding are zero."""
    snap = mc.load("two_link").snapshot(mc.load("two_link").start)
    fields = ("mass", "bias", "actuation", "jacobian", "drift")
    arrays = {field: np.array(getattr(snap, field)) for field in fields}
    for array in arrays.values():
        array[np.abs(array) < 1e-12] = 0.0
    return arrays | {"velocity": np.zeros(6)}


def rational(x: float) -> Any:
    """A number as z3 has it; one of moderate size is the fraction that it stands for."""
    exact = Fraction(float(x))
    exact = exact.limit_denominator(100_000) if 1e-4 < abs(exact) < 1e4 else exact
    return z3.RealVal(f"{exact.numerator}/{exact.denominator}")


def greatest(
    s: dict[str, np.ndarray], mode: str, goal: np.ndarray | None, tau: np.ndarray | None, slack: float = 0.0
) -> Fraction | float | None:
    """The greatest `goal` of a closed mode, or (None) the greatest slack up to one of its strict rows; None where it is empty.

    `slack` loosens every inequality.
    """
    A, b, C, e, strict = reference.raw_rows(s, mode, [(-LIMIT, LIMIT)] * s["actuation"].shape[1])
    x, t = [z3.Real(f"x{j}") for j in range(A.shape[1])], z3.Real("t")
    solver = z3.Optimize()
    solver.set("timeout", 20_000)

    def along(row: np.ndarray) -> Any:
        return z3.Sum([rational(a) * y for a, y in zip(row, x, strict=True) if a != 0] + [z3.RealVal(0)])

    solver.add(*(along(row) == rational(level) for row, level in zip(C, e, strict=True)))
    for row, level, is_strict in zip(A, b, strict, strict=True):
        solver.add(along(row) + (t if is_strict and goal is None else 0) <= rational(level) + rational(slack))
    solver.add(t <= 1)
    if tau is not None:
        solver.add(*(x[len(x) - len(tau) + j] == rational(value) for j, value in enumerate(tau)))
    best = solver.maximize(t if goal is None else along(np.append(goal, np.zeros(len(x) - len(goal)))))
    if solver.check() != z3.sat:
        return None
    found = solver.upper(best)
    if z3.is_int_value(found):
        return Fraction(found.as_long())
    if z3.is_rational_value(found):
        return Fraction(found.numerator_as_long(), found.denominator_as_long())
    return np.inf


def modes_of(s: dict[str, np.ndarray]) -> list[str]:
    """Modes whose strict rows can be positive."""
    found = []
    for mode in reference.candidate_modes(s):
        slack = greatest(s, mode, None, None)
        if slack is not None and slack > 0:
            found.append(mode)
    return sorted(found)


class Judge:
    """Counts what is the same, refused, on a border, different."""

    def __init__(self) -> None:
        self.counts: Counter = Counter()
        self.wrong: list[str] = []

    def same(self, power: int, question: str, right: bool, text: str) -> None:
        """Count one answer."""
        self.counts[power, question, "same" if right else "different"] += 1
        if not right:
            self.wrong.append(f"1e{power}, {question}: {text}")
            print(self.wrong[-1], flush=True)

    def count(self, power: int, question: str, word: str) -> None:
        """Count what is no answer."""
        self.counts[power, question, word] += 1


def one_instant(
    s: dict[str, np.ndarray], power: int, rng: np.random.Generator, judge: Judge, name: str
) -> None:
    """Modes, torques and the optimum of one instant."""
    t = s["actuation"].shape[1]
    try:
        response = mc.dynamic_response(mc.Snapshot(**s), [(-LIMIT, LIMIT)] * t, velocity_tolerance=0)
        ours = response.modes
    except mc.UncheckedError:
        judge.count(power, "modes", "refused")
        return
    exact = modes_of(s)
    judge.same(power, "modes", ours == exact, f"{name}: {ours}, exact {exact}")
    if ours != exact:
        return
    for tau in rng.uniform(-LIMIT, LIMIT, size=(2, t)):
        here = response.modes_at(tau)
        sure, loose = (
            {mode for mode in exact if greatest(s, mode, np.zeros(1), tau, slack) is not None}
            for slack in (-NUDGE, NUDGE)
        )
        tight = {mode for mode in exact if greatest(s, mode, np.zeros(1), tau) is not None}
        if set(here) != tight and sure | set(here) <= loose | sure and tight <= loose:
            judge.count(power, "torques", "border")
        else:
            judge.same(
                power,
                "torques",
                set(here) == tight,
                f"{name} at {tau.tolist()}: {here}, exact {sorted(tight)}",
            )
    goal = np.eye(len(s["mass"]))[0]
    best = mc.maximize(response, goal, guarantee="none")
    values = [value for mode in exact if (value := greatest(s, mode, goal, None)) is not None]
    top = float(max(values, default=-np.inf))
    right = best.value == top or abs(best.value - top) <= SAME * max(1.0, abs(top))
    judge.same(power, "optima", right, f"{name}: {best.value} in {best.mode} ({best.reason}), exact {top}")


def one_interval(power: int, rng: np.random.Generator, judge: Judge, name: str) -> None:
    """What a mode can do for some friction in an interval of one power of ten and its half."""
    s, _ = small_by_z3.instant(rng)
    k = len(s["drift"]) // 2
    box = FrictionBox.of_contacts(
        np.array([np.full(k, 0.5), np.ones(k)]) * 10.0**power, tuple(f"c{i + 1}" for i in range(k))
    )
    try:
        response = mc.dynamic_response(mc.Snapshot(**s, friction=box.middle).with_friction(box))
    except mc.UncheckedError:
        judge.count(power, "possible", "refused")
        return
    for mode in response.modes[:2]:
        tau = Fraction(int(rng.integers(-12, 13)))
        try:
            ours = bool(response[mode].torques.contains([float(tau)]))
        except mc.UncheckedError:
            judge.count(power, "possible", "refused")
            continue
        theirs = {
            small_by_z3.ask(s, box, mode, [tau + shift], False, 2000)
            for shift in (0, small_by_z3.NUDGE, -small_by_z3.NUDGE)
        }
        if len(theirs) > 1 or None in theirs:
            judge.count(power, "possible", "border")
        else:
            judge.same(power, "possible", theirs == {ours}, f"{name}: {mode} at {tau}: {ours}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--systems", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--powers", type=int, nargs="*", default=list(POWERS))
    parser.add_argument("--uncertain", type=int, default=10, help="instants with friction in an interval")
    asked = parser.parse_args()
    judge = Judge()
    for number in range(asked.systems + asked.uncertain):
        drawn = np.random.default_rng([asked.seed, number])
        plain = two_links() if number == 0 else whole_numbers(drawn)
        k = len(plain["drift"]) // 2
        all_alike = number % 3 != 1
        for power in asked.powers:
            rng = np.random.default_rng([asked.seed, number, power + 100])
            if number >= asked.systems:
                one_interval(power, rng, judge, f"interval {number}")
                continue
            friction = np.full(k, 10.0**power) if all_alike else np.append(10.0**power, np.full(k - 1, 0.5))
            one_instant(plain | {"friction": friction}, power, rng, judge, f"instant {number}")
    words = ("same", "refused", "border", "different")
    print(f"{asked.systems} instants, {asked.uncertain} with intervals\n")
    print(f"{'friction':<10}{'question':<12}" + "".join(f"{word:>11}" for word in words))
    for power in asked.powers:
        for question in QUESTIONS:
            row = [judge.counts[power, question, word] for word in words]
            if any(row):
                print(f"{f'1e{power}':<10}{question:<12}" + "".join(f"{count:>11}" for count in row))
    total = [sum(count for key, count in judge.counts.items() if key[2] == word) for word in words]
    print(f"{'all':<22}" + "".join(f"{count:>11}" for count in total))
    return 1 if judge.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
