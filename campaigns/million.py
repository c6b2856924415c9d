"""A million rest states of RHex over friction and pitch: contact modes and the best sure thrust of each.

    python campaigns/million.py --side 1000 --workers 2 --out results/million

The study is kept chunk by chunk in the folder and goes on from there when it is called again, after Ctrl-C, say; the
time of each call is kept beside the folder, and the sum of all is shown. Elapsed time means something only on a machine
that does nothing else, so the processor time of all workers stands beside it.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from pathlib import Path

import numpy as np

import modecontrol as mc
from modecontrol.trials.rhex.observer import at_rest


def grid(side: int) -> dict[str, np.ndarray]:
    """Friction of the toes and pitch."""
    return {"mu_toe": np.linspace(0.2, 1.0, side), "alpha": np.linspace(0.0, 1.2, side)}


def used() -> float:
    """Processor time of this process and of all workers that have ended (s)."""
    parts = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(part.ru_utime + part.ru_stime for part in parts)


def study(side: int, workers: int, out: Path | None = None) -> tuple[mc.Study, float, float]:
    """The study with so many workers: what it found, elapsed time and processor time (s)."""
    spent, begin = used(), time.perf_counter()
    found = mc.study(
        "rhex",
        grid(side),
        ["modes", "thrust"],
        objective="alpha",
        task="body.normal >= 10",
        place=at_rest,
        executor=workers,
        out=out,
        chunk=500,
    )
    return found, time.perf_counter() - begin, used() - spent


def timed(side: int, workers: int, out: Path | None) -> tuple[int, float, float, mc.Study]:
    """The study, with calls, elapsed time and processor time (s) summed over all that it took."""
    kept = None if out is None else out.with_name(f"{out.name}-times.json")
    times = json.loads(kept.read_text(encoding="utf-8")) if kept is not None and kept.is_file() else []
    spent, begin = used(), time.perf_counter()
    try:
        found, _, _ = study(side, workers, out)
    finally:
        times.append([time.perf_counter() - begin, used() - spent])
        if kept is not None:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(times), encoding="utf-8")
    elapsed, spent = (sum(column) for column in zip(*times, strict=True))
    return len(times), elapsed, spent, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--side", type=int, default=1000, help="states along each of the two axes")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, help="folder that keeps the study")
    parser.add_argument("--compare", type=int, default=140, help="side of the grid asked with one worker too")
    asked = parser.parse_args()
    study(20, 1)  # modules and the model are loaded before anything is timed
    (_, one, cost_of_one), (_, many, cost_of_many) = (
        study(asked.compare, workers) for workers in (1, asked.workers)
    )
    print(f"{asked.compare**2} states: {one:.1f} s with one process, {many:.1f} s with {asked.workers}")
    print(
        f"  speed-up {one / many:.2f} on the clock; processor time {cost_of_one:.1f} s and {cost_of_many:.1f} s,"
    )
    print(f"  which on free processors is a speed-up of {asked.workers * cost_of_one / cost_of_many:.2f}")
    calls, elapsed, spent, found = timed(asked.side, asked.workers, asked.out)
    table = found.to_pandas()
    reasons = table["reason"].astype(bool).sum() if "reason" in table else 0
    calls = f", in {calls} calls" if calls > 1 else ""
    print(f"{len(table)} states in {elapsed / 60:.1f} minutes with {asked.workers} processes{calls}")
    print(f"  processor time {spent / 60:.1f} minutes, {1e3 * spent / len(table):.3f} ms each")
    print(f"  {reasons} without an answer; columns: {', '.join(map(str, table.columns))}")


if __name__ == "__main__":
    main()
