"""A surface that nobody knows: friction of the toes anywhere from 0.3 to 0.9, who flips?

    python campaigns/surfaces.py --surfaces 1000 --seed 1 --figure docs/_static/surfaces.png

Surfaces are drawn; on each the compliant robot flies with

| controller    | what it believes of `mu_toe`                                          |
|---------------|-----------------------------------------------------------------------|
| sure          | 0.3 to 0.9: the outcome is promised for all of it                      |
| believes 0.3, believes 0.9 | that value: best unambiguous inputs (`MaximalThrust`)     |

Printed: how many flip, the time to 90 degrees where they do, and in which part of the thrust the controller could
promise nothing and fell back. Weak motors (`--stall 8`) make it hard.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass

import numpy as np

from modecontrol.trials.rhex.flip import fly

LOW, HIGH = 0.3, 0.9
BELIEFS = (0.3, 0.9)


@dataclass(frozen=True)
class Flown:
    """One flight: friction, outcome, time to 90 degrees, part of the thrust without a promise."""

    mu: float
    outcome: str
    upright: float
    given_up: float


def flights(mu, stall):
    """All controllers on one surface."""
    runs = {"sure": ("sure", {"uncertain": {"mu_toe": (LOW, HIGH)}})}
    runs |= {f"believes {belief}": ("new", {"believed": {"mu_toe": belief}}) for belief in BELIEFS}
    for name, (kind, settings) in runs.items():
        flip = fly(kind, mu, stall=stall, **settings)
        thrusting = [d for d in flip.controller.decisions if d.mode is not None]
        given_up = np.mean([bool(d.fallback) for d in thrusting])
        yield name, Flown(mu, flip.outcome, flip.upright, float(given_up))


def table(flown):
    """Lines of the table, controllers in the order in which they flew."""
    lines = [
        f"{'controller':<14}{'flights':>8}{'flipped':>9}{'upright only':>14}{'failed':>8}"
        f"{'time to 90 degrees (s): median':>32}{'least':>8}{'most':>8}{'thrust without promise':>24}"
    ]
    for name, runs in flown.items():
        outcomes = [run.outcome for run in runs]
        times = np.array([run.upright for run in runs if np.isfinite(run.upright)])
        median, least, most = (np.median(times), times.min(), times.max()) if len(times) else (np.nan,) * 3
        lines.append(
            f"{name:<14}{len(runs):>8}{outcomes.count('flipped'):>9}{outcomes.count('upright, not flipped'):>14}"
            f"{outcomes.count('failed'):>8}{median:>32.3f}{least:>8.3f}{most:>8.3f}"
            f"{100 * np.mean([run.given_up for run in runs]):>22.1f} %"
        )
    return lines


def draw(flown, path):
    """Time to 90 degrees against friction; failures at the top."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    fig, ax = plt.subplots(figsize=(7, 3.8), layout="constrained")
    times = np.array([run.upright for runs in flown.values() for run in runs])
    top = np.nanmax(times) + 0.1
    for i, (name, runs) in enumerate(flown.items()):
        mu, t = np.array([run.mu for run in runs]), np.array([run.upright for run in runs])
        up = np.isfinite(t)
        ax.plot(mu[up], t[up], ".", ms=4, color=f"C{i}", label=name)
        ax.plot(mu[~up], np.full(np.sum(~up), top + 0.02 * i), "x", ms=4, color=f"C{i}")
    ax.axhline(top - 0.03, lw=0.6, color="grey")
    ax.text(HIGH, top - 0.03, "never upright", ha="right", va="bottom", fontsize=8, color="grey")
    ax.set_xlabel("friction of the toes")
    ax.set_ylabel("time to 90 degrees (s)")
    ax.legend(fontsize=8, ncols=2)
    fig.savefig(path, dpi=130)


def main():
    """Fly; print the table and, where asked for, draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--surfaces", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stall", type=float, default=11.0, help="stall torque of a pair of legs (N m)")
    parser.add_argument("--figure", help="where to draw the times to 90 degrees")
    parser.add_argument("--seconds", type=float, default=np.inf, help="stop after this time")
    args = parser.parse_args()
    begin, flown = time.monotonic(), {}
    for mu in np.random.default_rng(args.seed).uniform(LOW, HIGH, size=args.surfaces):
        if time.monotonic() - begin > args.seconds:
            break
        for name, run in flights(float(mu), args.stall):
            flown.setdefault(name, []).append(run)
    print("\n".join(table(flown)))
    if args.figure:
        draw(flown, args.figure)
    return 0


if __name__ == "__main__":
    sys.exit(main())
