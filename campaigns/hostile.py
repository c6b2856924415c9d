"""Hostile calls and files, each in a child process with limits on time (10 s) and memory (1 GB).

    python campaigns/hostile.py [--scale 1.0] [--seed 0] [--kinds calls models ...] [--jobs 2]
    python campaigns/hostile.py --repeat calls:1234 [--seed 0]

A case is good when it ends with an answer or with an exception that the library raised on purpose, with a
sentence, without warnings and without output of others. Everything else is a failure: a crash, no end in
time, too much memory, an exception from the depth. Cases follow from the seed and their number alone; a failure
is printed with what repeats it. Exit status 1 when there was one.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
from collections import Counter
from importlib import import_module
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

KINDS = {
    "calls": 100_000,
    "models": 40_000,
    "robots": 16_000,
    "recordings": 30_000,
    "lines": 8_000,
    "requests": 6_000,
    "kept_studies": 4_000,
}
"""Kinds of cases, each a module of `hostility`, and how many of each a whole run has."""
SHOWN = 40
"""Failures printed in full."""


def sweep(kind: str, count: int, seed: int, jobs: int) -> tuple[int, list[tuple[int, str]], float, float]:
    """Run the cases of one kind: how many, what failed, the longest time and the most memory of one."""
    from hostility.children import TRACE, run

    case = import_module(f"hostility.{kind}").prepare(seed)
    Path(TRACE).unlink(missing_ok=True)
    done, failed, longest, most = 0, [], 0.0, 0.0
    for index, wrong, seconds, megabytes in run(case, list(range(count)), jobs):
        done += 1
        longest, most = max(longest, seconds), max(most, megabytes)
        if wrong is not None:
            failed.append((index, wrong))
            sys.stderr.write(f"{kind}:{index}: {wrong[:400]}\n")
        if done % 2000 == 0:
            sys.stderr.write(f"{kind}: {done} of {count}, {len(failed)} failed\n")
    return done, failed, longest, most


def main() -> int:
    os.environ.setdefault("MPLBACKEND", "agg")
    logging.disable()  # remarks of the library go to its log, where nobody has to look at them
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=1.0, help="part of a whole run")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=list(KINDS))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--repeat", metavar="KIND:NUMBER", help="one case, in this process")
    parser.add_argument("--all", action="store_true", help="print every failure")
    asked = parser.parse_args()
    if asked.repeat:
        kind, number = asked.repeat.split(":")
        print(import_module(f"hostility.{kind}").prepare(asked.seed)(int(number)) or "good")
        return 0
    print(f"{'kind':<14}{'cases':>9}{'failures':>10}{'longest, s':>12}{'memory, MB':>12}{'cases/s':>10}")
    total, failures = 0, []
    for kind in asked.kinds:
        start = time.monotonic()
        done, failed, longest, most = sweep(kind, round(KINDS[kind] * asked.scale), asked.seed, asked.jobs)
        total += done
        failures += [(kind, index, wrong) for index, wrong in sorted(failed)]
        rate = done / (time.monotonic() - start)
        print(f"{kind:<14}{done:>9}{len(failed):>10}{longest:>12.1f}{most:>12.0f}{rate:>10.0f}", flush=True)
    print(f"{'all':<14}{total:>9}{len(failures):>10}")
    for kind, index, wrong in failures[: None if asked.all else SHOWN]:
        print(f"\n--repeat {kind}:{index} --seed {asked.seed}\n  {wrong}")
    if len(failures) > SHOWN and not asked.all:
        print(f"\n... and {len(failures) - SHOWN} more (--all prints them)")
    if failures:
        kinds = Counter(wrong.rpartition(" at ")[2].partition("\n")[0][:160] for _, _, wrong in failures)
        print("\nwhere:", *(f"  {count:>6}  {where}" for where, count in kinds.most_common(60)), sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
