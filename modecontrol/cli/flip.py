"""Flip RHex with the blind and with the mode-aware controller, and report measured beside published."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from modecontrol.cli.output import Output

ABOUT = "the RHex flip: blind against mode-aware thrust"
EXAMPLE = ("  modecontrol flip --out results\n  modecontrol flip --friction 0.6 --controller new --set stall=10\n"
           "  modecontrol flip --json --no-film")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Surfaces, controllers, the robot's parameters and the simulation's step."""
    parser.add_argument("--friction", metavar="MU", type=float, action="append",
                        help="friction of the toes (repeatable; default 0.39 and 0.6)")
    parser.add_argument("--controller", choices=("new", "blind", "no thresholds"), action="append",
                        help="which controllers fly (repeatable; default blind and new)")
    parser.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], dest="parameters",
                        help="replace a parameter of the robot (repeatable), such as stall=10")
    parser.add_argument("--step", type=float, default=1e-4, help="simulation step in seconds (default %(default)s)")
    parser.add_argument("--no-film", action="store_true", help="leave out the animation")


def run(args: Any, out: Output) -> None:
    """Fly every controller on every surface; with `--out` write report, figures, data and animation."""
    from modecontrol.cli.state import read_pairs
    from modecontrol.trials.flip import fly
    from modecontrol.view.report import gains, table, write_report

    parameters = read_pairs(args.parameters)
    if "mu_toe" in parameters:
        raise ValueError("mu_toe is the surface; give it with --friction")
    for mu in args.friction or ():
        if not mu >= 0:
            raise ValueError(f"--friction {mu} is no coefficient of friction; expected a number >= 0")
    jobs = [(mu, kind) for mu in args.friction or (0.39, 0.6) for kind in args.controller or ("blind", "new")]
    flips = []
    with out.progress("flipping") as tick:
        for i, (mu, kind) in enumerate(jobs):
            tick(i, len(jobs))
            flips.append(fly(kind, mu, step=args.step, **parameters))
    out.data["flips"] = [flip.record() for flip in flips]
    out.table(*table(flips), "RHex flip, measured beside published")
    for line in gains(flips):
        out.say(line)
    for flip in flips:
        out.say(f"{flip.kind} {flip.mu_toe:g}: " + " ".join(f"{mode}@{time:.3f}" for time, mode in flip.story))
    if out.wants_files:
        assert out.folder is not None
        out.files += write_report(flips, out.folder, film=not args.no_film)
