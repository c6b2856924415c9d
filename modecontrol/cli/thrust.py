"""Find the inputs with the greatest guaranteed acceleration."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from modecontrol.cli.parser import instant_arguments, model_arguments, objective_arguments

if TYPE_CHECKING:
    from modecontrol.cli.output import Output
    from modecontrol.dynamics.model import Model

ABOUT = "the best inputs that surely work"
EXAMPLE = (
    "  modecontrol thrust rhex\n  modecontrol thrust rhex --set mu_toe=0.39 --maximize alpha --margin 0.001\n"
    "  modecontrol thrust rod --limits -5:5 --maximize '-y'"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The model, a state, constraints, the objective and its margin."""
    model_arguments(parser)
    objective_arguments(parser, margin=1e-3)
    instant_arguments(parser)


def run(args: argparse.Namespace, out: Output) -> None:
    """Mode, inputs, accelerations and forces of the best guaranteed thrust; with `--out` a picture of them."""
    import modecontrol as mc
    from modecontrol.cli.instant import read_model, read_response, read_state
    from modecontrol.dynamics.contact_entries import entries
    from modecontrol.dynamics.units import coordinate_units, force_units, input_units

    model = read_model(args)
    task, objective = read_goal(model, args)
    response = read_response(model, args, task)
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
        force=_named([name for entry in entries(model.mechanism) for name in entry.forces], best.force),
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
    out.say(f"best guaranteed {objective}: {best.value:.6g} in mode {best.mode}")
    out.say(f"best when ambiguity is ignored: {best.ambiguous_value:.6g} in mode {best.ambiguous_mode}")
    out.say(
        f"distance to the nearest other mode: {best.distance:.4g}; active: {', '.join(best.active) or 'nothing'}"
    )
    units = {
        "input": dict(zip(model.inputs, input_units(model.mechanism), strict=True)),
        "coordinate": {name: f"{unit}/s2" for name, unit in coordinate_units(model.mechanism).items()},
        "force": force_units(model.mechanism),
    }
    for title, column, values in (
        ("inputs", "input", out.data["torque"]),
        ("accelerations", "coordinate", out.data["acceleration"]),
        ("forces", "force", out.data["force"]),
    ):
        rows = [(name, value, units[column][name]) for name, value in values.items()]
        out.say()
        out.table((column, "value", "unit"), rows, title)
    if out.wants_files:
        from modecontrol.view.mechanism import plot_mechanism

        q, _ = read_state(model, args)
        out.picture(
            "thrust", lambda ax: plot_mechanism(model, q, ax, forces=best.force, modes=best.mode), (6.4, 4.8)
        )
        out.write("thrust.json", out.data)


def read_goal(model: Model, args: argparse.Namespace) -> tuple[tuple[str, ...], str]:
    """Constraints of the model file that are the task, and the objective.

    Parameters
    ----------
    model
        A `Model`.
    args
        Parsed command line.
    """
    task = () if args.no_task else tuple(model.mechanism.constraints.values())
    return task, default_objective(model) if args.maximize is None else args.maximize


def default_objective(model: Model) -> str:
    """The model's first output, else the acceleration of its last coordinate."""
    outputs = list(model.mechanism.outputs.values())
    if not outputs and not model.coordinates:
        raise ValueError(f"model {model.name!r} has no coordinates; there is nothing to maximise")
    return outputs[0] if outputs else model.coordinates[-1]


def _named(names: Any, values: Any) -> dict[str, float]:
    """Values by name; those without a name are left out."""
    pairs = () if values is None else zip(names, values, strict=True)
    return {name: float(value) for name, value in pairs if name is not None}
