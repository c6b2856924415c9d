"""Find the inputs whose value is promised for every friction in the given intervals."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from modecontrol.cli.parser import instant_arguments, model_arguments

if TYPE_CHECKING:
    from modecontrol.cli.output import Output

ABOUT = "the best inputs that are promised for every friction in an interval"
EXAMPLE = (
    "  modecontrol sure rhex --uncertain mu_toe=0.54..0.66 --maximize alpha\n"
    "  modecontrol sure rhex --uncertain mu_toe=0.45..0.75,mu_body=0.1..0.3 --guarantee mode"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The model with its intervals, a state, constraints, the objective and what is promised."""
    model_arguments(parser)
    parser.add_argument(
        "--maximize",
        metavar="EXPRESSION",
        help="what to maximise, such as alpha; default the model's first output, else its last coordinate",
    )
    parser.add_argument(
        "--guarantee",
        choices=("mode", "outcome"),
        default="mode",
        help="one mode and no other, or any mode with at least the value (default %(default)s)",
    )
    parser.add_argument(
        "--margin",
        metavar="DISTANCE",
        type=float,
        default=0.0,
        help="distance (input units) to keep from other modes (default %(default)s)",
    )
    parser.add_argument("--no-task", action="store_true", help="leave out the constraints of the model file")
    instant_arguments(parser)


def run(args: Any, out: Output) -> None:
    """The promised value, the inputs, every mode that may happen, the worst friction and why an answer
    exists.
    """
    import modecontrol as mc
    from modecontrol.cli.instant import read_model, read_response
    from modecontrol.cli.thrust import default_objective

    model = read_model(args)
    task = () if args.no_task else tuple(model.mechanism.constraints.values())
    response = read_response(model, args, task)
    objective = args.maximize or default_objective(model)
    best = mc.maximize(response, objective, margin=args.margin, guarantee=args.guarantee)
    hoped = mc.maximize(response, objective, guarantee="none")
    modes = best.modes or ((best.mode,) if best.mode else ())
    out.data.update(
        model=model.name,
        objective=objective,
        guarantee=args.guarantee,
        uncertain=dict(model.intervals),
        task=args.task or task,
        value=best.value,
        hoped=hoped.value,
        modes=modes,
        reason=best.reason,
        existence=best.existence,
        torque=None if best.torque is None else dict(zip(model.inputs, best.torque.tolist(), strict=True)),
        worst_friction=None
        if best.friction is None
        else dict(zip(model.contacts, best.friction.tolist(), strict=True)),
    )
    for name, (low, high) in model.intervals.items():
        out.say(f"{name} anywhere from {low:g} to {high:g}")
    for rule in args.task or task:
        out.say(f"task: {rule}")
    if not best:
        out.no_answer(f"no answer: {best.reason}")
        return
    out.say(
        f"promised {objective}: {best.value:.6g} ({args.guarantee}); at most {hoped.value:.6g} could be hoped for"
    )
    out.say(f"modes that may happen: {', '.join(modes)}")
    if best.existence:
        out.say(f"an answer exists because {best.existence}")
    out.say()
    out.table(("input", "value"), list(out.data["torque"].items()), "inputs")
    if out.data["worst_friction"]:
        out.say()
        out.table(("contact", "coefficient"), list(out.data["worst_friction"].items()), "worst friction")
    if out.wants_files:
        out.write("sure.json", out.data)
