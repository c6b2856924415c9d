"""Where does the flip work? RHex over friction of the toes and stall torque, each point a closed-loop run.

    python campaigns/flips.py --side 100 --out results/flips [--figures docs/_static]

`side` values of each, so 100 are 10,000 flips on the compliant robot, in steps of 0.2 ms. The study is kept in `out` and goes on
where it was stopped. Prints the least torque that flips at some frictions, and draws the success map.
"""

import argparse
from pathlib import Path

import numpy as np

import modecontrol as mc

FRICTION, STALL = (0.2, 0.9), (5.0, 13.0)
FLIP = {"name": "flip", "step": 2e-4}
SHOWN = (0.25, 0.39, 0.5, 0.6, 0.75, 0.9)


def draw(found, folder):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
    found.plot("flipped", axes[0], x="mu_toe", y="stall")
    found.plot("flip_time", axes[1], x="mu_toe", y="stall")
    axes[0].set_title("does RHex flip over?")
    axes[1].set_title("time until it has flipped (s)")
    for ax in axes:
        ax.set_xlabel("friction of the toes")
        ax.set_ylabel("stall torque of a hip (N m)")
    figure.savefig(folder / "flips.png", dpi=130)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--side", type=int, default=10)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("results/flips"))
    parser.add_argument("--figures", type=Path)
    args = parser.parse_args()
    grid = {"mu_toe": np.linspace(*FRICTION, args.side), "stall": np.linspace(*STALL, args.side)}
    found = mc.study("rhex", grid, [FLIP], executor=args.workers, out=args.out, chunk=50)
    frame = found.to_pandas()
    print(f"{len(frame)} flips: {int(frame.flipped.sum())} succeed, {int((frame.flipped == 0).sum())} do not")
    print(f"points with a reason: {found.reasons() or 'none'}\n")
    print(
        "| friction of the toes | least stall torque that flips (N m) | fails above it | quickest flip (s) |"
    )
    print("|---|---|---|---|")
    for mu in SHOWN:
        nearest = grid["mu_toe"][np.argmin(np.abs(grid["mu_toe"] - mu))]
        line = frame[frame.mu_toe == nearest].sort_values("stall")
        works = line[line.flipped == 1]
        if len(works):
            least = works.stall.iloc[0]
            above = int(((line.stall > least) & (line.flipped == 0)).sum())
            print(f"| {nearest:.3f} | {least:.2f} | {above} | {works.flip_time.min():.3f} |")
        else:
            print(f"| {nearest:.3f} | none up to {STALL[1]:g} | | |")
    fastest = frame.loc[frame.flip_time.idxmin()]
    print(
        f"\nquickest of all: {fastest.flip_time:.3f} s at friction {fastest.mu_toe:.3f}, {fastest.stall:.2f} N m"
    )
    if args.figures is not None:
        draw(found, args.figures)


if __name__ == "__main__":
    main()
