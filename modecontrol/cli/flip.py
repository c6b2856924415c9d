"""Flip RHex with the blind and with the mode-aware controller, and report measured beside published."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from modecontrol.cli.parser import set_argument
from modecontrol.cli.together import check_apart, check_needs

if TYPE_CHECKING:
    from modecontrol.cli.output import Output
    from modecontrol.trials.rhex.run import Flip
    from modecontrol.trials.rhex.settings import FlipSettings

ABOUT = "the RHex flip: blind against mode-aware thrust"
EXAMPLE = (
    "  modecontrol flip --out results\n  modecontrol flip --friction 0.6 --controller new --set stall=10 --press 8\n"
    "  modecontrol flip --v0 rear=0.05 --rate 500 --json --no-film\n"
    "  modecontrol flip --friction 0.5 --uncertain mu_toe=0.3..0.9\n  modecontrol flip --redraw results"
)

SETTINGS = {
    "step": ("S", "simulation step (s)"),
    "rate": ("HZ", "control rate (Hz)"),
    "duration": ("S", "longest time (s)"),
    "press": ("N", "least normal force of the body's corner while thrusting (N)"),
    "margin": ("NM", "distance that the new controller keeps from other modes (N m)"),
    "filter_time": ("S", "blind controller: time constant of its filter (s)"),
    "filter_threshold": (
        "A",
        "blind controller: difference of pitch accelerations that makes it switch (rad/s²)",
    ),
    "dead_time": ("S", "blind controller: time from the start during which the filter is held at zero (s)"),
    "thrust_end": ("DEGREES", "pitch at which the thrust ends"),
    "delay": ("S", "time between measuring and acting (s)"),
}
"""Settings that are one number, with their unit and meaning."""

FLOWN = (
    "friction",
    "controller",
    "uncertain",
    "parameters",
    "believed",
    "v0",
    "hold",
    "noise",
    "seed",
    "sensitivity",
)
"""Options beside the settings that say how it is flown."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Surfaces, controllers, the robot's parameters and everything else that is free."""
    parser.add_argument(
        "--friction",
        metavar="MU",
        type=float,
        action="append",
        help="friction of the toes (repeatable; default 0.39 and 0.6)",
    )
    parser.add_argument(
        "--controller",
        choices=("new", "blind", "sure", "no thresholds"),
        action="append",
        help="which controllers fly (repeatable; default blind and new, and sure with --uncertain)",
    )
    parser.add_argument(
        "--uncertain",
        metavar="NAME=LOW..HIGH",
        action="append",
        default=[],
        help="friction that the controller `sure` knows as an interval only (repeatable), such as mu_toe=0.3..0.9",
    )
    set_argument(parser, "robot", "stall=10")
    parser.add_argument(
        "--believed",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="replace a parameter in the controller's model only (repeatable), such as m=9",
    )
    group = parser.add_argument_group("what the paper leaves open (defaults: docs/flip.md)")
    for name, (unit, about) in SETTINGS.items():
        group.add_argument(
            f"--{name.replace('_', '-')}", metavar=unit, type=float, help=about.replace("%", "%%")
        )
    group.add_argument(
        "--v0",
        metavar="VALUES",
        help="thresholds of the contacts (m/s): all four (0.001,0.08,0.001,0.001) or some by name (rear=0.05)",
    )
    group.add_argument(
        "--hold", metavar="KP,KD", help="gains that hold lifted legs in place (N m/rad, N m s/rad)"
    )
    group.add_argument(
        "--noise", metavar="Q,V", help="standard deviations of measured coordinates and velocities"
    )
    group.add_argument("--seed", metavar="N", type=int, help="seed of the noise")
    group = parser.add_argument_group("report (with --out)")
    group.add_argument("--no-film", action="store_true", help="leave out the films")
    group.add_argument(
        "--sensitivity",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="fly the unpublished parameters over their ranges, too (default: when all four runs are flown)",
    )
    group.add_argument(
        "--redraw",
        metavar="DIR",
        help="make report, figures and table again from the data in this folder; nothing flies",
    )


def run(args: argparse.Namespace, out: Output) -> None:
    """Fly every controller on every surface; with `--out` write report, figures, data and films; with
    `--redraw` only draw.
    """
    from modecontrol.trials.rhex.summary import findings, table

    check_apart(args, (*FLOWN, *SETTINGS), "redraw", "it draws what was flown")
    check_needs(args, ("seed",), "noise", "without noise nothing is random")
    check_needs(args, ("sensitivity",), "out", "sensitivities stand in the report")
    if args.uncertain and args.controller and "sure" not in args.controller:
        raise ValueError(f"--uncertain has no effect on {', '.join(args.controller)}: add --controller sure")
    flips = _redraw(args, out) if args.redraw is not None else _fly(args, out)
    out.data["flips"] = [flip.record() for flip in flips]
    out.table(*table(flips), "RHex flip, measured beside published")
    for line in findings(flips):
        out.say(line)
    for flip in flips:
        out.say(
            f"{flip.kind} {flip.mu_toe:g}: " + " ".join(f"{mode}@{time:.3f}" for time, mode in flip.story)
        )
        for word, count, first, last in flip.fallbacks:
            out.say(f"  fallback '{word}' at {count} instants, {first:.3f} to {last:.3f} s")


def _redraw(args: argparse.Namespace, out: Output) -> list[Flip]:
    from modecontrol.page.report import redraw

    if out.wants_files:
        raise ValueError("--redraw writes into the folder that it reads; leave --out away")
    with out.progress("drawing") as tick:
        flips, files = redraw(args.redraw, film=not args.no_film, tick=tick)
    out.files += files
    return flips


def _fly(args: argparse.Namespace, out: Output) -> list[Flip]:
    from modecontrol.trials.rhex.flip import fly

    settings = read_settings(args)
    for mu in args.friction or ():
        if not mu >= 0:
            raise ValueError(f"--friction {mu} is no coefficient of friction; expected a number >= 0")
    kinds = ("blind", "new", "sure") if settings.uncertain else ("blind", "new")
    jobs = [(mu, kind) for mu in args.friction or (0.39, 0.6) for kind in args.controller or kinds]
    flips = []
    with out.progress("flipping") as tick:
        for i, (mu, kind) in enumerate(jobs):
            tick(i, len(jobs))
            flips.append(fly(kind, mu, settings))
    if out.wants_files:
        from modecontrol.page.report import write_report

        assert out.folder is not None
        whole = not args.friction and not args.controller
        rows = (
            _sensitivities(settings, out) if args.sensitivity or (args.sensitivity is None and whole) else []
        )
        with out.progress("drawing") as tick:
            out.files += write_report(flips, out.folder, film=not args.no_film, sensitivities=rows, tick=tick)
    return flips


def read_settings(args: argparse.Namespace) -> FlipSettings:
    """The settings that the options describe."""
    from modecontrol.cli.reading import read_intervals, read_pairs
    from modecontrol.trials.rhex.settings import CONTACTS, FlipSettings

    start = FlipSettings()
    changes = {name: getattr(args, name) for name in (*SETTINGS, "seed") if getattr(args, name) is not None}
    for option, names, default in (
        ("v0", CONTACTS, start.v0),
        ("hold", ("kp", "kd"), start.hold),
        ("noise", ("q", "v"), start.noise),
    ):
        if getattr(args, option) is not None:
            changes[option] = _numbers(getattr(args, option), names, default, f"--{option}")
    robot, believed = read_pairs(args.parameters), read_pairs(args.believed)
    if "mu_toe" in robot:
        raise ValueError("mu_toe is the surface; give it with --friction")
    uncertain = read_intervals(args.uncertain)
    return start.with_changes(**changes, robot=robot, believed=believed, uncertain=uncertain)


def _numbers(text: str, names: tuple[str, ...], default: tuple[float, ...], option: str) -> tuple[float, ...]:
    from modecontrol.cli.reading import read_vector

    return tuple(float(x) for x in read_vector(text, names, default, option, None))


def _sensitivities(settings: FlipSettings, out: Output) -> list[Any]:
    from concurrent.futures import ProcessPoolExecutor
    from dataclasses import fields
    from multiprocessing import get_context

    from modecontrol.trials.rhex.sensitivity import sensitivity

    given = {f.name: getattr(settings, f.name) for f in fields(settings)}
    with (
        out.progress("sensitivity") as tick,
        ProcessPoolExecutor(
            os.cpu_count(), mp_context=get_context("forkserver" if os.name == "posix" else "spawn")
        ) as pool,
    ):
        return sensitivity(executor=pool, tick=tick, **given)
