"""Find the inputs whose value is promised for every friction in the given intervals."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from modecontrol.cli.parser import instant_arguments, model_arguments, objective_arguments

if TYPE_CHECKING:
    from collections.abc import Mapping

    import modecontrol as mc
    from modecontrol.cli.output import Output

ABOUT = "the best inputs that are promised for every friction in an interval"
EXAMPLE = (
    "  modecontrol sure rhex --uncertain mu_toe=0.54..0.66 --maximize alpha\n"
    "  modecontrol sure rhex --uncertain mu_toe=0.45..0.75,mu_body=0.1..0.3 --guarantee mode\n"
    "  modecontrol sure rhex --torque-error 0.2 --relative-torque-error 0.05 --force y=-2..2 --guarantee outcome"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The model with its intervals, a state, constraints, the objective and what is promised."""
    model_arguments(parser)
    parser.add_argument(
        "--guarantee",
        choices=("mode", "outcome"),
        default="mode",
        help="one mode and no other, or any mode with at least the value (default %(default)s)",
    )
    objective_arguments(parser, margin=0.0)
    parser.add_argument(
        "--torque-error",
        metavar="BOUND",
        type=float,
        default=0.0,
        help="how far each input may be off (input units)",
    )
    parser.add_argument(
        "--relative-torque-error",
        metavar="PART",
        type=float,
        default=0.0,
        help="the same as a part of each input",
    )
    parser.add_argument(
        "--force",
        metavar="COORDINATE=LOW..HIGH",
        action="append",
        default=[],
        help="additive generalised force on a coordinate, known as an interval (repeatable)",
    )
    parser.add_argument(
        "--patience",
        metavar="PIECES",
        type=int,
        help="pieces that one search looks at before it is stopped (default 4000)",
    )
    instant_arguments(parser)


def run(args: argparse.Namespace, out: Output) -> None:
    """The promised value, the inputs, every mode that may happen, the worst friction and why an answer
    exists.
    """
    import modecontrol as mc
    from modecontrol.cli.instant import read_model, read_response
    from modecontrol.cli.reading import read_intervals
    from modecontrol.cli.thrust import read_goal
    from modecontrol.dynamics.contact_entries import CONTACT, entries
    from modecontrol.dynamics.units import input_units

    model = read_model(args)
    task, objective = read_goal(model, args)
    response = read_response(model, args, task)
    loads = read_intervals(args.force, "--force", "x=-2..2")
    disturbance = _disturbance(args, loads)
    options = {"margin": args.margin, "guarantee": args.guarantee, "disturbance": disturbance}
    options["patience"] = args.patience
    with out.progress("looking for a promise") as tick:
        best = mc.maximize(response, objective, **options, progress=tick)
    modes = best.modes or ((best.mode,) if best.mode else ())
    out.data.update(
        model=model.name,
        objective=objective,
        guarantee=args.guarantee,
        uncertain=dict(model.intervals),
        torque_error=args.torque_error,
        relative_torque_error=args.relative_torque_error,
        forces=loads,
        worst_load=dict(best.load),
        task=args.task or task,
        value=best.value,
        hoped=best.ambiguous_value,
        modes=modes,
        reason=best.reason,
        existence=best.existence,
        torque=None if best.torque is None else dict(zip(model.inputs, best.torque.tolist(), strict=True)),
        worst_friction=None
        if best.friction is None
        else {
            entry.name: float(mu)
            for entry, mu in zip(entries(model.mechanism), best.friction, strict=True)
            if entry.kind == CONTACT
        },
    )
    for name, (low, high) in model.intervals.items():
        out.say(f"{name} anywhere from {low:g} to {high:g}")
    _say_loads(args, out)
    for rule in args.task or task:
        out.say(f"task: {rule}")
    if not best:
        out.no_answer(f"no answer: {best.reason}")
        return
    out.say(
        f"promised {objective}: {best.value:.6g} ({args.guarantee}); at most {best.ambiguous_value:.6g} could be hoped for"
    )
    if best.reason != "optimal":
        out.say(best.reason)
    out.say(f"modes that may happen: {', '.join(modes)}")
    if best.existence:
        out.say(f"an answer exists because {best.existence}")
    out.say()
    torque, units = out.data["torque"], input_units(model.mechanism)
    rows = [(name, value, unit) for (name, value), unit in zip(torque.items(), units, strict=True)]
    out.table(("input", "value", "unit"), rows, "inputs")
    if out.data["worst_friction"]:
        out.say()
        out.table(("contact", "coefficient"), list(out.data["worst_friction"].items()), "worst friction")
    if best.load:
        out.say()
        out.table(("disturbance", "value"), list(best.load.items()), "worst disturbance")
    if out.wants_files:
        out.write("sure.json", out.data)


def _disturbance(
    args: argparse.Namespace, forces: Mapping[str, tuple[float, float]]
) -> mc.Disturbance | None:
    """What acts besides the inputs; None when nothing was given."""
    import modecontrol as mc

    if not (args.torque_error or args.relative_torque_error or forces):
        return None
    return mc.Disturbance(args.torque_error, args.relative_torque_error, forces)


def _say_loads(args: argparse.Namespace, out: Output) -> None:
    """The disturbance in words."""
    if args.torque_error:
        out.say(f"every input off by up to {args.torque_error:g}")
    if args.relative_torque_error:
        out.say(f"every input off by up to {100 * args.relative_torque_error:g} % of itself")
    for name, (low, high) in out.data["forces"].items():
        out.say(f"a force on {name} anywhere from {low:g} to {high:g}")
