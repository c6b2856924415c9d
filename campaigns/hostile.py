"""Hostile calls and files, each in a child process with limits on time (10 s) and memory (1 GB).

    python campaigns/hostile.py [--scale 1.0] [--seed 0] [--kinds calls models ...] [--jobs 2]
    python campaigns/hostile.py --add results/hostile.json     in pieces: goes on where the last run stopped
    python campaigns/hostile.py --repeat calls:1234 [--seed 0]
    make core-hostile                                          a tenth of them on the checked core

A case is good when it ends with an answer or with an exception that the library raised on purpose, with a
sentence, without warnings and without output of others. Everything else is a failure: a crash, no end in
time, too much memory, an exception from the depth. Cases follow from the seed and their number alone; a failure
is printed with what repeats it. Exit status 1 when there was one. Time is that of the processor; a case that was
ended because the clock ran out on a busy machine is tried again by itself before it counts.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path

from hostility.pieces import Piece, Pieces

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

KINDS = {
    "calls": 100_000,
    "models": 40_000,
    "robots": 16_000,
    "recordings": 30_000,
    "lines": 8_000,
    "requests": 6_000,
    "kept_studies": 4_000,
    "pictures": 6_000,
}
"""Kinds of cases, each a module of `hostility`, and how many of each a whole run has."""
SHOWN = 40
"""Failures printed in full."""
CHUNK = 2_000
"""Cases after which what is done is kept."""


def sweep(kind: str, count: int, seed: int, jobs: int, pieces: Pieces | None = None) -> Piece:
    """Run the cases of one kind that are not done yet; those that failed before come first."""
    from hostility.children import TRACE, run

    pieces = Pieces(seed) if pieces is None else pieces
    piece = pieces.of(kind)
    again = [index for index, _ in piece.failed]
    if piece.done >= count and not again:
        return piece
    case = import_module(f"hostility.{kind}").prepare(seed)
    Path(TRACE).unlink(missing_ok=True)
    while again or piece.done < count:
        until = min(count, piece.done + CHUNK)
        indices = [*again, *range(piece.done, until)]
        piece.failed = [failed for failed in piece.failed if failed[0] not in again]
        again = []
        for index, *told in run(case, indices, jobs):
            piece.add(index, *told)
            if told[0] is not None:
                sys.stderr.write(f"{kind}:{index}: {told[0][:400]}\n")
        piece.done = max(piece.done, until)
        pieces.keep()
        sys.stderr.write(f"{kind}: {piece.done} of {count}, {len(piece.failed)} failed\n")
    return piece


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
    parser.add_argument("--add", type=Path, metavar="FILE", help="go on where the runs kept in FILE stopped")
    asked = parser.parse_args()
    if asked.repeat:
        kind, number = asked.repeat.split(":")
        print(import_module(f"hostility.{kind}").prepare(asked.seed)(int(number)) or "good")
        return 0
    pieces = Pieces(asked.seed, asked.add)
    for kind in asked.kinds:
        sweep(kind, round(KINDS[kind] * asked.scale), asked.seed, asked.jobs, pieces)
    if "libasan" in os.environ.get("LD_PRELOAD", ""):
        print("every index checked, under the address and undefined-behaviour sanitizers\n")
    print(f"{'kind':<14}{'cases':>9}{'failures':>10}{'longest, s':>12}{'memory, MB':>12}{'CPU, s':>10}")
    for kind, piece in pieces.kinds.items():
        print(
            f"{kind:<14}{piece.done:>9}{len(piece.failed):>10}{piece.longest:>12.1f}{piece.most:>12.0f}{piece.spent:>10.0f}"
        )
    total = sum(piece.done for piece in pieces.kinds.values())
    failures = [(kind, *failed) for kind, piece in pieces.kinds.items() for failed in sorted(piece.failed)]
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
