"""Simulate a model by time stepping, with constant inputs, a controller, or none."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from modecontrol.cli.parser import model_arguments, options

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from modecontrol.cli.output import Output
    from modecontrol.dynamics.model import Model
    from modecontrol.thrust.controller import Decision
    from modecontrol.thrust.maximal_thrust import MaximalThrust
    from modecontrol.timestepping.trajectory import Trajectory

MOST_STEPS = 10**8
"""More are a slip of the pen: they would fill any memory."""
FORMULATIONS, INTEGRATORS = ("nmc", "mc", "rmc", "os", "nmc/os"), ("euler", "theta", "rk4")
"""The words of `modecontrol.timestepping`, which is not imported for `--help`."""
ABOUT = "simulate a model by time stepping"
EXAMPLE = (
    "  modecontrol simulate block --set slope=0.3 --set mu=0.2 --duration 1\n"
    "  modecontrol simulate rod --out results --animate gif\n"
    "  modecontrol simulate table --tau push=40 --out results"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The model, its start, the inputs and the method."""
    model_arguments(parser)
    group = parser.add_argument_group("simulation")
    group.add_argument(
        "--duration", metavar="S", type=float, default=1.0, help="simulated seconds (default %(default)s)"
    )
    group.add_argument(
        "--step", metavar="S", type=float, default=1e-3, help="step size in seconds (default %(default)s)"
    )
    group.add_argument(
        "--formulation",
        metavar="NAME",
        choices=FORMULATIONS,
        help="nmc, mc, rmc, os or nmc/os (default os, and mc for mechanisms with massless links)",
    )
    group.add_argument(
        "--integrator", metavar="NAME", choices=INTEGRATORS, help="euler, theta or rk4 (default euler)"
    )
    group.add_argument(
        "--tau", metavar="VALUES", help="constant inputs: all (0,0,-3) or some by name, the others zero"
    )
    group.add_argument(
        "--thrust", metavar="EXPRESSION", help="use the maximal thrust controller for this objective"
    )
    group.add_argument(
        "--rate", metavar="HZ", type=float, help="with --thrust: how often the controller is asked"
    )
    group.add_argument(
        "--animate",
        metavar="KIND",
        action="append",
        choices=("gif", "mp4", "html"),
        default=[],
        help="also write an animation: gif, mp4 or html (repeatable; with --out)",
    )
    group.add_argument(
        "--speed",
        metavar="FACTOR",
        type=float,
        help="with --animate: seconds of motion per second of film (default 1)",
    )


def run(args: argparse.Namespace, out: Output) -> None:
    """How it ended, where it stands, which modes it went through; with `--out` data, pictures and animations."""
    import modecontrol as mc
    from modecontrol import tolerances
    from modecontrol.cli.instant import possible_snapshot, read_model, read_state
    from modecontrol.cli.reading import read_vector
    from modecontrol.cli.together import check_apart, check_needs

    model = read_model(args)
    q, v = read_state(model, args)
    possible_snapshot(model, q, v, tolerances.PENETRATION)
    if args.speed is not None and not 0 < args.speed < float("inf"):
        raise ValueError(
            f"--speed is {args.speed:g}; expected a positive number of seconds of motion per second of film"
        )
    check_needs(args, ("animate",), "out", "films are written into that folder")
    check_needs(args, ("speed",), "animate", "it is the speed of films")
    check_needs(args, ("rate",), "thrust", "constant inputs need no controller")
    if args.step > 0 and args.duration / args.step > MOST_STEPS:
        raise ValueError(
            f"--duration {args.duration:g} with --step {args.step:g} makes {args.duration / args.step:.3g} steps, "
            f"all of which are kept; expected at most {MOST_STEPS:.0e}: simulate less time or take larger steps"
        )
    check_apart(args, ("tau",), "thrust", "the controller chooses the inputs")
    thrust: MaximalThrust | None = None
    inputs: np.ndarray | None = None
    if args.tau is not None:
        inputs = read_vector(args.tau, model.inputs, [0.0] * len(model.inputs), "--tau", model)
    elif args.thrust is not None:
        thrust = mc.MaximalThrust(model, args.thrust, task=tuple(model.mechanism.constraints.values()))
    method = options(args, "formulation", "integrator", "rate")
    if "formulation" not in method and not _inertia_everywhere(model, q):
        method["formulation"] = "mc"
    traj = mc.simulate(
        model,
        q,
        v,
        controller=inputs if thrust is None else thrust,
        duration=args.duration,
        step=args.step,
        progress=_watched(out),
        **method,
    )
    _report(model, traj, out)
    decisions = None if thrust is None else thrust.decisions
    if decisions is not None:
        _gave_up(decisions, out)
    if out.wants_files:
        _files(traj, decisions, args, out)


def _inertia_everywhere(model: Model, q: np.ndarray) -> bool:
    from numpy.linalg import matrix_rank

    M = model.snapshot(q).mass
    return not len(M) or bool(matrix_rank(M) == len(M))


def _watched(out: Output) -> bool:
    import sys

    return not out.quiet and not out.machine and sys.stdout.isatty()


def _report(model: Model, traj: Trajectory, out: Output) -> None:
    from modecontrol.dynamics.units import coordinate_units
    from modecontrol.validation import counted
    from modecontrol.view.timeline import spans_of

    unit = coordinate_units(model.mechanism)
    spans = spans_of(traj)
    edges = [*spans.start.tolist(), spans.end]
    out.data.update(
        model=model.name,
        status=traj.status,
        steps=len(traj),
        step=traj.step,
        time=float(traj.time[-1]),
        q=dict(zip(model.coordinates, traj.q[-1].tolist(), strict=True)),
        v=dict(zip(model.coordinates, traj.v[-1].tolist(), strict=True)),
        energy={"start": float(traj.energy[0]), "end": float(traj.energy[-1])},
        residual=float(traj.residual.max(initial=0.0)),
        impacts=int(traj.impacts.sum()),
        modes=[
            {"mode": mode, "from": a, "to": b}
            for mode, a, b in zip(spans.modes, edges[:-1], edges[1:], strict=True)
        ],
    )
    out.say(f"{model.name}: {counted(len(traj), 'step')} of {traj.step:g} s, {traj.status}")
    out.say(
        f"energy {traj.energy[0]:.6g} -> {traj.energy[-1]:.6g} J; {counted(out.data['impacts'], 'impact')}; largest LCP "
        f"residual {out.data['residual']:.2g}"
    )
    out.say()
    ends = zip(model.coordinates, traj.q[0].tolist(), traj.q[-1].tolist(), traj.v[-1].tolist(), strict=True)
    out.table(
        ("coordinate", "start", "end", "velocity at the end", "units"),
        [(name, *values, f"{unit[name]}, {unit[name]}/s") for name, *values in ends],
    )
    if model.contacts:
        rows = [(mode, a, b) for mode, a, b in zip(spans.modes, edges[:-1], edges[1:], strict=True)]
        out.say()
        out.table(("mode", "from (s)", "to (s)"), rows[:30], f"modes of {', '.join(model.contacts)}")
        if len(rows) > 30:
            out.say(f"... and {len(rows) - 30} more (--json lists all)")


def _gave_up(decisions: Sequence[Decision], out: Output) -> None:
    """How often the controller could not have what was asked of it, and why."""
    from collections import Counter

    found = Counter(decision.fallback for decision in decisions if decision.fallback)
    out.data["fallbacks"] = dict(found)
    for reason, count in found.items():
        hint = " (zero inputs; an unlimited objective needs torque limits)" if reason == "no mode" else ""
        out.say(f"the controller fell back in {count} of {len(decisions)} decisions: {reason}{hint}")


def _files(
    traj: Trajectory, decisions: Sequence[Decision] | None, args: argparse.Namespace, out: Output
) -> None:
    from modecontrol.view.animation import animate
    from modecontrol.view.stroboscope import plot_stroboscope
    from modecontrol.view.trajectory import overview

    traj.save(out.path("trajectory.npz"))
    traj.to_csv(out.path("trajectory.csv"))
    out.save("trajectory", overview(traj, decisions))
    out.picture("stroboscope", lambda ax: plot_stroboscope(traj, ax), (7.2, 4.6))
    for kind in args.animate:
        with out.progress(f"animating ({kind})") as tell:
            animate(
                traj,
                out.path(f"animation.{kind}"),
                speed=1.0 if args.speed is None else args.speed,
                progress=tell,
            )
