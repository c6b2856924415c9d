"""Every law of contact: modes against raw linear programs, and simulated steps against modes.

    python campaigns/laws.py [--systems 1000] [--runs 60] [--seed 1]

*Programs.* Random instants with one or two entries of a law and up to one contact with Coulomb's. Every combination of letters is a
linear program in `(qdd, f, tau)`, with the laws written down anew in `tests/laws_by_hand.py` (HiGHS, no code shared):

    exists      the mode is possible for some input within the limits      against  `resp.modes`
    input       the mode is possible at a random input                     against  `resp.modes_at`

A mode within 1e-6 of its border is counted as `edge` and not judged.

*Steps.* Random mechanisms with the laws are simulated. The letters of a step without impacts, at whose two ends no contact opens,
closes, begins to slide or stops, are a mode that the analysis names at its beginning for the inputs of the step.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

import modecontrol as mc

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
import laws_by_hand as hand
import laws_in_motion as motion


def programs(law: str, systems: int, seed: int) -> tuple[int, int, int]:
    """Comparisons, wrong ones and edges."""
    compared = wrong = edges = 0
    for i in range(systems):
        rng = np.random.default_rng([seed, hand.LAWS.index(law), i])
        system = hand.random_system(rng, law)
        response = mc.dynamic_response(system.snapshot())
        tau = rng.uniform(system.box[:, 0], system.box[:, 1])
        for found, (sure, unsure) in (
            (set(response.modes), system.modes()),
            (set(response.modes_at(tau)), system.modes(tau)),
        ):
            whole = int(np.prod([len(entry.letters()) for entry in system.entries]))
            compared += whole - len(unsure)
            edges += len(unsure)
            wrong += len(sure - found) + len(found - sure - unsure)
    return compared, wrong, edges


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--systems", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"{given.systems} random instants of each law, seed {given.seed}, against raw linear programs\n")
    print(f"{'law':10s} {'comparisons':>12s} {'wrong':>6s} {'edge':>6s} {'CPU s':>8s}")
    failures = 0
    for law in hand.LAWS:
        start = time.process_time()
        compared, wrong, edges = programs(law, given.systems, given.seed)
        failures += wrong
        print(
            f"{law:10s} {compared:12d} {wrong:6d} {edges:6d} {time.process_time() - start:8.1f}", flush=True
        )
    print(f"\n{given.runs} simulated runs of each mechanism: steps whose letters are among `modes_at`\n")
    print(f"{'mechanism':10s} {'steps':>12s} {'wrong':>6s}")
    for name in motion.MECHANISMS:
        steps = wrong = 0
        for i in range(given.runs):
            made, bad = motion.compare(name, np.random.default_rng([given.seed, i]))
            steps, wrong = steps + made, wrong + len(bad)
        failures += wrong
        print(f"{name:10s} {steps:12d} {wrong:6d}", flush=True)
    print(f"\n{failures} wrong")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
