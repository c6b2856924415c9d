"""Everything that the page on the flip says in numbers: the four runs, thresholds, steps, sensitivity, doubt, pumping.

    python benchmarks/flip.py [--draws N]        about half a minute on one core

`python benchmarks/record.py benchmarks/flip.py` keeps what it prints for `docs/flip.md`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence

import numpy as np

from modecontrol.trials.rhex.flip import compare, fly
from modecontrol.trials.rhex.pumping import pump
from modecontrol.trials.rhex.run import Flip
from modecontrol.trials.rhex.sensitivity import HEADS, ranges, sensitivity
from modecontrol.trials.rhex.summary import cell, findings, table
from modecontrol.trials.rhex.toe_velocities import toe_velocities
from modecontrol.trials.rhex.variations import vary


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--draws", type=int, default=8, help="draws of all unpublished parameters together")
    args = parser.parse_args()
    flips = compare()
    four_runs(flips)
    thresholds(flips)
    steps()
    head("What the unpublished parameters decide: each at both ends of its range, then all drawn together")
    rows(HEADS, ranges(sensitivity(draws=args.draws)))
    doubts()
    pumping()


def four_runs(flips: Sequence[Flip]) -> None:
    head("Four runs, measured beside published", first=True)
    rows(*table(flips))
    print()
    for line in findings(flips):
        print("-", line)
    print()
    for flip in flips:
        print(f"{flip.kind} {flip.mu_toe:g}:", " ".join(f"{mode}@{time:.3f}" for time, mode in flip.story))


def thresholds(flips: Sequence[Flip]) -> None:
    """Figure 12 of the paper: what the rigid model predicts while a contact is fixed, and what follows."""
    head("Greatest speed (m/s) that the rigid model predicts of a contact that is fixed in simulation")
    found = [(f"{flip.kind} {flip.mu_toe:g}", toe_velocities(flip).thresholds) for flip in flips]
    rows(
        ("run", "body", "rear", "middle", "front"),
        [(word, *(cell(value) for value in speeds.values())) for word, speeds in found],
    )
    head("The rear toe's threshold v0 (m/s), new controller, friction 0.6")
    runs = [(v0, fly("new", 0.6, v0=(0.001, v0, 0.001, 0.001))) for v0 in (0.001, 0.02, 0.04, 0.08, 0.12)]
    bare = fly("no thresholds", 0.6)
    rows(
        ("v0 of the rear toe", "90 degrees after (s)", "RMSE (rad/s²)", "mode switches"),
        [(f"{v0:g}", *figures(run)) for v0, run in runs] + [("0 for every contact", *figures(bare))],
    )


def steps() -> None:
    head("Simulation steps, new controller, friction 0.6")
    runs = [(step, fly("new", 0.6, step=step)) for step in (2e-4, 1e-4, 5e-5, 2e-5)]
    rows(
        ("step (ms)", "90 degrees after (s)", "RMSE (rad/s²)", "mode switches"),
        [(f"{1e3 * step:g}", *figures(run)) for step, run in runs],
    )


def doubts() -> None:
    head("The robot differs from what the controller believes, friction 0.6")
    rows(
        ("variation", "controller", "90 degrees after (s)", "RMSE (rad/s²)", "mode switches"),
        [
            (
                row["variation"],
                row["controller"],
                *(cell(row[key]) for key in ("time_to_90", "rmse", "mode_switches")),
            )
            for row in vary()
        ],
    )


def pumping() -> None:
    head("Pumping with a stall torque of 8 N m, friction 0.6: highest pitch (degrees) of each thrust")
    for word, damping in (("as in Table 4", 2000.0), ("bouncing", 100.0)):
        run = pump(0.6, stall=8.0, db=damping)
        pitch = np.degrees(run.trajectory.q[:, 2])
        print(
            f"ground {word} (db {damping:g} N s/m): {', '.join(f'{x:.1f}' for x in peaks(pitch))}; {run.outcome}"
        )


def peaks(pitch: np.ndarray, least: float = 10.0) -> list[float]:
    """Highest pitch of each rise; a rise ends where the body has come back by more than `least` degrees."""
    found, top, low = [], pitch[0], pitch[0]
    rising = True
    for value in pitch:
        if rising:
            top = max(top, value)
            if value < top - least:
                found.append(float(top))
                rising, low = False, value
        else:
            low = min(low, value)
            if value > low + least:
                rising, top = True, value
    return [*found, float(top)] if rising and top > low + least else found


def figures(run: Flip) -> tuple[str, str, str]:
    record = run.record()
    return cell(record["time_to_90"]), cell(record["rmse"]), cell(record["mode_switches"])


def head(text: str, first: bool = False) -> None:
    print(text if first else f"\n{text}")
    print("-" * len(text))


def rows(heads: Sequence[str], cells: Iterable[Sequence[str]]) -> None:
    lines = [list(heads), *map(list, cells)]
    wide = [max(len(line[i]) for line in lines) for i in range(len(heads))]
    for line in lines:
        print("  ".join(text.ljust(width) for text, width in zip(line, wide, strict=True)).rstrip())


if __name__ == "__main__":
    main()
