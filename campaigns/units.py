"""Other units, the same answers: length, mass, time and torque from 1e-12 to 1e12, each alone and together.

    python campaigns/units.py [--systems 200] [--spread 60] [--seed 0] [--jobs 2] [--add results/units.json]

Random instants (redundant contacts, massless coordinates, moving contacts, high friction) and the models that
ship, at random friction, are asked in the first units and again in others; so are systems whose own numbers are
far apart (masses from 1e-6 to 1e6, friction up to 1e4, both):

    modes      `resp.modes` and `kinematic_modes`                    the same lists
    torques    `resp.modes_at` at random inputs and at optima        the same lists
    regions    `unambiguous`, `ambiguous`, `inconsistent`, `coverage` the same inputs; shares, of up to 24 modes, to 1e-6
    optima     `maximize` without and with a margin                  the same value in the other units, to 1e-6

A refusal (an exception of the library, with its sentence) is counted; another answer is a failure, printed with
what repeats it. Exit status 1 when there was one.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import modecontrol as mc

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
import reference

POWERS = (-12, -9, -6, -3, 3, 6, 9, 12)
TOGETHER = 10
"""Units changed all at once, by random powers, so many times for each system."""
UNITS = ("length", "mass", "time", "torque")
SHIPPED = ("two_link", "table", "ball_bearing", "rhex", "rod", "block", "four_bar", "biped")
LIMIT = 20.0
SAME = 1e-6
MEASURED = 24
"""Shares are measured where there are no more modes than this: a difference of dozens of sets takes seconds."""


@dataclass(frozen=True)
class System:
    """Arrays of a snapshot in the first units, which coordinates are lengths, and how large inputs may be."""

    arrays: dict[str, np.ndarray]
    lengths: np.ndarray
    limit: float = LIMIT

    def snapshot(
        self, length: float = 1.0, mass: float = 1.0, time: float = 1.0, torque: float = 1.0
    ) -> mc.Snapshot:
        """The instant with numbers in other units: a length of one becomes `length`, and so on."""
        s = dict(self.arrays)
        of = np.where(self.lengths, length, 1.0)
        energy = mass * length**2 / time**2
        s["mass"] = s["mass"] * (mass * length**2) / np.outer(of, of)
        s["bias"] = s["bias"] * energy / of
        s["actuation"] = s["actuation"] * (energy / of)[:, None] / torque
        s["jacobian"] = s["jacobian"] * length / of
        s["drift"] = s["drift"] * length / time**2
        s["velocity"] = s["velocity"] * length / time
        if len(s.get("loop_drift", ())):
            s["loop_jacobian"] = s["loop_jacobian"] * length / of
            s["loop_drift"] = s["loop_drift"] * length / time**2
        if "gap" in s:
            s["gap"] = s["gap"] * length
        return mc.Snapshot(**s)


def systems(count: int, seed: int) -> list[System]:
    """Random instants, and every fourth one a model that ships."""
    made: list[System] = []
    for i in range(count):
        rng = np.random.default_rng([seed, i])
        if i % 4 == 3:
            made.append(_shipped(SHIPPED[(i // 4) % len(SHIPPED)], rng))
        else:
            arrays = reference.random_system(rng)
            made.append(System(arrays, rng.random(len(arrays["mass"])) < 0.5))
    return made


def spread(count: int, seed: int) -> list[System]:
    """Random instants whose own numbers are far apart."""
    made = []
    for i in range(count):
        rng = np.random.default_rng([seed, 1, i])
        arrays = dict(reference.random_system(rng))
        n, contacts = len(arrays["mass"]), len(arrays["friction"])
        if i % 3 != 1:
            by = 10.0 ** rng.uniform(-3, 3, n)
            arrays["mass"] = by[:, None] * arrays["mass"] * by
        if i % 3 != 0:
            arrays["friction"] = 10.0 ** rng.uniform(-1, 4, contacts)
        made.append(System(arrays, rng.random(n) < 0.5))
    return made


def _shipped(name: str, rng: np.random.Generator) -> System:
    model = mc.load(name)
    v = np.zeros(len(model.coordinates))
    snap = model.snapshot(model.start, v)
    fields = (
        "mass",
        "bias",
        "actuation",
        "jacobian",
        "drift",
        "velocity",
        "gap",
        "loop_jacobian",
        "loop_drift",
    )
    arrays = {field: np.array(getattr(snap, field)) for field in fields}
    arrays["gap"] = np.where(arrays["gap"] > 1e-6, arrays["gap"], 0.0)
    arrays["friction"] = np.array(snap.friction) * rng.uniform(0.5, 1.5)
    linear = {
        coordinate
        for body in model.mechanism.bodies
        for place, coordinate in enumerate(body.joint.coordinates)
        if body.joint.kind == "prismatic" or (body.joint.kind == "planar" and place < 2)
    }
    return System(arrays, np.array([coordinate in linear for coordinate in model.coordinates]))


def answers(system: System, seed: int, units: dict[str, float], optima: dict[float, Any]) -> dict[str, Any]:
    """Everything that is asked, as lists and numbers without units; a refusal stands as its sentence.

    `optima` keeps the best inputs in the first units, by margin: which of several equals is found may differ,
    what the same inputs do may not.
    """
    torque = units.get("torque", 1.0)
    snapshot = system.snapshot(**units)
    n, t = snapshot.actuation.shape
    limit = system.limit * torque
    drawn = np.random.default_rng(seed).uniform(-1.0, 1.0, size=(6, t))
    found: dict[str, Any] = {}

    def ask(name: str, question: Any) -> Any:
        try:
            found[name] = question()
        except (mc.ModeControlError, ValueError) as error:
            found[name] = ("refused", f"{type(error).__name__}: {str(error)[:160]}")
        return found[name]

    ask("kinematic", lambda: mc.kinematic_modes(snapshot, velocity_tolerance=0))
    try:
        response = mc.dynamic_response(snapshot, [(-limit, limit)] * t, velocity_tolerance=0)
    except (mc.ModeControlError, ValueError) as error:
        return {"modes": ("refused", f"{type(error).__name__}: {str(error)[:160]}"), **found}
    ask("modes", lambda: response.modes)
    ask("torques", lambda: [response.modes_at(limit * x) for x in drawn])
    rate = units.get("length", 1.0) if system.lengths[0] else 1.0
    rate /= units.get("time", 1.0) ** 2
    goal = np.eye(n)[0]
    for margin in (0.0, 0.05):
        best = ask(f"optimum {margin}", lambda margin=margin: _optimum(response, goal, margin * limit, rate))
        if refused(best):
            continue
        found[f"optimum {margin}"] = best[:2]
        tau = optima.setdefault(margin, best[2])
        if tau is not None:
            ask(f"at optimum {margin}", lambda tau=tau: response.modes_at(torque * tau))
    if t <= 2:
        ask("regions", lambda: _regions(response, limit * drawn))
        if len(response.modes) <= MEASURED:
            ask("coverage", lambda: _shares(response.coverage()))
    return found


def _optimum(response: Any, goal: np.ndarray, margin: float, rate: float) -> tuple[bool, float, Any]:
    best = mc.maximize(response, goal, margin=margin)
    return best.mode is not None, float(best.value) / rate, best.torque


def _shares(covered: dict[str, float]) -> list[tuple[str, float]]:
    """Parts of the whole torque set."""
    return sorted((name, volume / (covered["whole"] or 1.0)) for name, volume in covered.items())


def _regions(response: Any, points: np.ndarray) -> list[list[bool]]:
    """Which points lie in the regions of some modes and in those of the whole torque set."""
    some = [response.unambiguous(mode) for mode in islice(response, 4)]
    return [
        np.atleast_1d(region.contains(points)).tolist()
        for region in (*some, response.ambiguous(), response.inconsistent())
    ]


def same(one: Any, other: Any) -> bool:
    """Equal, numbers to `SAME`."""
    if isinstance(one, float) and isinstance(other, float):
        return one == other or abs(one - other) <= SAME * max(1.0, abs(one), abs(other))
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def refused(answer: Any) -> bool:
    """Whether an answer is a refusal."""
    return isinstance(answer, tuple) and len(answer) == 2 and answer[0] == "refused"


def variants(seed: int) -> list[tuple[str, dict[str, float]]]:
    """Names of changes and the units that they take."""
    made = [(f"{unit} 1e{power}", {unit: 10.0**power}) for unit in UNITS for power in POWERS]
    rng = np.random.default_rng(seed)
    for _ in range(TOGETHER):
        powers = rng.uniform(-12, 12, size=4)
        made.append(("together", {unit: float(10.0**p) for unit, p in zip(UNITS, powers, strict=True)}))
    return made


def one_system(number: int, system: System, seed: int) -> tuple[Counter, list[str]]:
    """All variants of one system against its first units."""
    counts: Counter = Counter()
    failures = []
    optima: dict[float, Any] = {}
    plain = answers(system, seed, {}, optima)
    for name, units in variants(seed + number):
        found = answers(system, seed, units, optima)
        for what in sorted({*plain, *found}):
            kind = (name.split()[0], what.split()[0] if not what.startswith("at") else "torques")
            one, other = plain.get(what), found.get(what)
            if refused(one) or refused(other):
                counts[(*kind, "refused")] += 1
            elif same(one, other):
                counts[(*kind, "same")] += 1
            else:
                counts[(*kind, "different")] += 1
                failures.append(
                    f"system {number}, {name} {units}: {what}\n    first {str(one)[:300]}\n    other {str(other)[:300]}"
                )
    return counts, failures


Done = dict[int, tuple[Counter, list[str]]]
"""What one system gave, by its number."""


def kept(file: Path | None, seed: int) -> Done:
    """Systems that earlier runs did without a difference; those with one are asked again."""
    if file is None or not file.exists():
        return {}
    before = json.loads(file.read_text(encoding="utf-8"))
    if before["seed"] != seed:
        raise SystemExit(f"{file} holds systems of seed {before['seed']}; expected seed {seed}")
    return {
        int(number): (Counter({tuple(key): count for key, count in counts}), [])
        for number, (counts, wrong) in before["systems"].items()
        if not wrong
    }


def keep(file: Path | None, seed: int, done: Done) -> None:
    """Write what is done."""
    if file is None:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    systems = {number: ([*counts.items()], wrong) for number, (counts, wrong) in done.items()}
    file.write_text(json.dumps({"seed": seed, "systems": systems}), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--systems", type=int, default=200)
    parser.add_argument("--spread", type=int, default=60, help="systems with numbers far apart, besides")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int, help="one system")
    parser.add_argument(
        "--add", type=Path, metavar="FILE", help="keep what is done in FILE, and go on from there"
    )
    asked = parser.parse_args()
    made = list(enumerate(systems(asked.systems, asked.seed) + spread(asked.spread, asked.seed)))
    if asked.only is not None:
        made = made[asked.only : asked.only + 1]
    done = kept(asked.add, asked.seed)
    with ProcessPoolExecutor(asked.jobs) as pool:
        waiting = [(number, system) for number, system in made if number not in done]
        tasks = [(number, pool.submit(one_system, number, system, asked.seed)) for number, system in waiting]
        for number, task in tasks:
            done[number] = task.result()
            keep(asked.add, asked.seed, done)
            sys.stderr.write(
                f"{len(done)} of {len(made)} systems, {len(done[number][1])} different in {number}\n"
            )
    counts = sum((done[number][0] for number, _ in made), Counter())
    failures = [failure for number, _ in made for failure in done[number][1]]
    print(f"{len(made)} systems, {len(variants(0))} other units each\n")
    print(f"{'unit':<12}{'question':<12}{'same':>9}{'refused':>9}{'different':>11}")
    for unit, what in sorted({key[:2] for key in counts}):
        same_, none, other = (counts[(unit, what, word)] for word in ("same", "refused", "different"))
        print(f"{unit:<12}{what:<12}{same_:>9}{none:>9}{other:>11}")
    total = Counter()
    for key, count in counts.items():
        total[key[2]] += count
    print(f"{'all':<24}{total['same']:>9}{total['refused']:>9}{total['different']:>11}")
    for failure in failures[:30]:
        print(f"\n--seed {asked.seed} --systems {asked.systems} --only: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
