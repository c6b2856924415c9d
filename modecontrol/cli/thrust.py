"""Find the inputs with the greatest sure acceleration."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from modecontrol.cli.parser import instant_arguments, model_arguments

if TYPE_CHECKING:
    from modecontrol.cli.output import Output

ABOUT = "the best inputs that surely work"
EXAMPLE = (
    "  modecontrol thrust rhex\n  modecontrol thrust rhex --set mu_toe=0.39 --maximize alpha --margin 0.001\n"
    "  modecontrol thrust rod --limits -5:5 --maximize '-y'"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The model, a state, constraints, the objective and its margin."""
    model_arguments(parser)
    parser.add_argument(
        "--maximize",
        metavar="EXPRESSION",
        help="what to maximise, such as alpha or 'body.normal - tau1'; "
        "default the model's first output, else its last coordinate",
    )
    parser.add_argument(
        "--margin",
        metavar="DISTANCE",
        type=float,
        default=1e-3,
        help="distance (input units) to keep from other modes (default %(default)s)",
    )
    parser.add_argument("--no-task", action="store_true", help="leave out the constraints of the model file")
    instant_arguments(parser)


def run(args: Any, out: Output) -> None:
    """Mode, inputs, accelerations and forces of the best sure thrust; with `--out` a picture of them."""
    import modecontrol as mc
    from modecontrol.cli.instant import read_model, read_response, read_state

    model = read_model(args)
    task = () if args.no_task else tuple(model.mechanism.constraints.values())
    response = read_response(model, args, task)
    objective = args.maximize or default_objective(model)
    best = mc.maximize(response, objective, margin=args.margin)
    out.data.update(
        model=model.name,
        objective=objective,
        margin=args.margin,
        task=args.task or task,
        mode=best.mode,
        value=best.value,
        torque=_named(model.inputs, best.torque),
        acceleration=_named(model.coordinates, best.acceleration),
        force=_named(forces(model), best.force),
        active=best.active,
        distance=best.distance,
        ambiguous_mode=best.ambiguous_mode,
        ambiguous_value=best.ambiguous_value,
        reason=best.reason,
    )
    for rule in args.task or task:
        out.say(f"task: {rule}")
    if not best:
        out.no_answer(f"no answer: {best.reason}")
        return
    out.say(f"best sure {objective}: {best.value:.6g} in mode {best.mode}")
    out.say(f"best when ambiguity is ignored: {best.ambiguous_value:.6g} in mode {best.ambiguous_mode}")
    out.say(
        f"distance to the nearest other mode: {best.distance:.4g}; active: {', '.join(best.active) or 'nothing'}"
    )
    for title, column, values in (
        ("inputs", "input", out.data["torque"]),
        ("accelerations", "coordinate", out.data["acceleration"]),
        ("forces", "force", out.data["force"]),
    ):
        out.say()
        out.table((column, "value"), list(values.items()), title)
    if out.wants_files:
        from modecontrol.view.mechanism import plot_mechanism

        q, _ = read_state(model, args)
        out.picture(
            "thrust", lambda ax: plot_mechanism(model, q, ax, forces=best.force, modes=best.mode), (6.4, 4.8)
        )
        out.write("thrust.json", out.data)


def default_objective(model: Any) -> str:
    """The model's first output, else the acceleration of its last coordinate.

    Parameters
    ----------
    model
        A `Model`.
    """
    outputs = list(model.mechanism.outputs.values())
    if not outputs and not model.coordinates:
        raise ValueError(f"model {model.name!r} has no coordinates; there is nothing to maximise")
    return outputs[0] if outputs else model.coordinates[-1]


def forces(model: Any) -> list[str]:
    """Names of the contact forces in order.

    Parameters
    ----------
    model
        A `Model`.
    """
    return [f"{name}.{part}" for name in model.contacts for part in ("normal", "tangent")]


def _named(names: Any, values: Any) -> dict[str, float]:
    return {} if values is None else {name: float(value) for name, value in zip(names, values, strict=True)}
