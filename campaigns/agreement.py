"""One definition of ambiguity: the rule, the regions, both searches, design and pictures at random inputs of every kind.

    python campaigns/agreement.py [--torques 10000] [--seed 1]

Every judge of `tests/one_rule.py` is asked about the same inputs (design at every tenth, pictures where one or two inputs are
drawn and none of them is at a tie); `apart` counts the inputs at which two of them differ.
"""

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from modes import KINDS, instant
from one_rule import Judges

EACH = 12
"""Inputs for each system."""
WORDS = ("one", "several", "none")
JUDGES = ("rule", "regions", "core", "pieces", "design", "picture")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--torques", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    kinds = [kind for kind in KINDS if kind not in ("five contacts", "no input")]
    tallies, apart, start = {kind: Counter() for kind in kinds}, [], time.process_time()
    system = 0
    while sum(tally["torques"] for tally in tallies.values()) < asked.torques:
        kind = kinds[system % len(kinds)]
        rng = np.random.default_rng([asked.seed, system])
        case = instant(rng, kind)
        judges = Judges(case.s, case.limits, velocity_tolerance=case.velocity_tolerance)
        for turn in range(EACH):
            tau = case.draw(rng)
            if tau is None or not judges.response.admissible.torques.contains(tau):
                continue
            said = judges.verdicts(tau, design=turn % 10 == 0, picture=0.0 not in tau and case.tie is None)
            tallies[kind].update(["torques", said["rule"], *said])
            if len(set(said.values())) > 1:
                tallies[kind]["apart"] += 1
                apart.append((kind, system, tau.tolist(), said))
        system += 1
    columns = ("torques", *WORDS, *JUDGES, "apart")
    print(f"{'kind':18}" + "".join(f"{column:>9}" for column in columns))
    for kind, tally in (*tallies.items(), ("all", sum(tallies.values(), Counter()))):
        print(f"{kind:18}" + "".join(f"{tally[column]:>9}" for column in columns))
    print(f"seed {asked.seed}, {system} systems, {time.process_time() - start:.0f} s of CPU time")
    for case in apart[:20]:
        print("APART", *case)
    return 1 if apart else 0


if __name__ == "__main__":
    sys.exit(main())
