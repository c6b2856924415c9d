"""Contacts with many laws at once, and bodies on conveyors: modes against raw linear programs.

    python campaigns/laws_together.py [--systems 1000] [--seed 1]

`several`: static friction, adhesion and a claw in one contact. `conveyor`: a body on one or two walls that move, as a mechanism,
with Jacobian, drift and slip written down anew in `tests/laws_together.py`. Compared as in `campaigns/laws.py`.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

import modecontrol as mc

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
import laws_together as together


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--systems", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"{given.systems} random instants of each, seed {given.seed}, against raw linear programs\n")
    print(f"{'law':10s} {'comparisons':>12s} {'wrong':>6s} {'edge':>6s} {'CPU s':>8s}")
    failures = 0
    for law in together.LAWS:
        start = time.process_time()
        compared = wrong = edges = 0
        for i in range(given.systems):
            rng = np.random.default_rng([given.seed, together.LAWS.index(law), i])
            system = together.random_system(rng, law)
            response = mc.dynamic_response(system.snapshot())
            tau = rng.uniform(system.box[:, 0], system.box[:, 1])
            whole = int(np.prod([len(entry.letters()) for entry in system.entries]))
            for found, (sure, unsure) in (
                (set(response.modes), system.modes()),
                (set(response.modes_at(tau)), system.modes(tau)),
            ):
                compared += whole - len(unsure)
                edges += len(unsure)
                wrong += len(sure - found) + len(found - sure - unsure)
        failures += wrong
        print(
            f"{law:10s} {compared:12d} {wrong:6d} {edges:6d} {time.process_time() - start:8.1f}", flush=True
        )
    print(f"\n{failures} wrong")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
