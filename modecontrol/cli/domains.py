"""Show the torque sets T_c of the modes: their inequalities with causes, and pictures of them."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from modecontrol.cli.parser import instant_arguments, model_arguments, picture_arguments

if TYPE_CHECKING:
    from modecontrol.cli.output import Output
    from modecontrol.modes.mode_response import ModeResponse
    from modecontrol.polytopes.polytope import Polytope
    from modecontrol.regions.dynamic_response import DynamicResponse

ABOUT = "torque sets of the modes: inequalities, causes, pictures"
EXAMPLE = (
    "  modecontrol domains two_link --set mu=0.4\n"
    "  modecontrol domains rhex --mode RFLL --out results\n"
    "  modecontrol domains rhex --slice tau3=-3 --out results"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The model, a state, constraints, the modes and what to draw."""
    model_arguments(parser)
    parser.add_argument(
        "--mode",
        metavar="MODE",
        action="append",
        default=[],
        dest="modes",
        help="only this mode (repeatable)",
    )
    instant_arguments(parser)
    picture_arguments(parser)


def run(args: argparse.Namespace, out: Output) -> None:
    """Inequalities of each `T_c`; with `--out` the picture, the domains and the numbers."""
    from modecontrol.cli.instant import picture_options, read_model, read_response
    from modecontrol.modes.letters import LETTERS

    model = read_model(args)
    options = picture_options(model, args)  # complains before the work begins
    response = read_response(model, args)
    modes = [mode.strip().upper() for mode in args.modes] or response.modes
    for mode in modes:
        if mode not in response and len(mode) == len(model.contacts) and set(mode) <= set(LETTERS):
            raise ValueError(
                f"mode {mode} cannot happen here; modecontrol modes {args.model} --explain {mode} says why"
            )
    chosen = {mode: response[mode] for mode in modes}
    with out.progress("torque sets") as tick:
        for done, found in enumerate(chosen.values(), 1):
            _ = found.reason  # projects what is not projected yet
            tick(done, len(chosen))
    everything = response.to_dict()["modes"]
    out.data.update(
        model=model.name,
        inputs=model.inputs,
        contacts=model.contacts,
        task=args.task,
        modes={mode: everything[mode] for mode in chosen},
    )
    for mode, found in chosen.items():
        if found.reason:
            out.say(f"{mode}  {found.case}; {found.reason}")
            continue
        _show(mode, found, model.inputs, bool(args.task), out)
    if not chosen:
        out.say("no contact mode can happen with these limits and constraints (inconsistent)")
    if out.wants_files:
        out.write("domains.json", out.data)
        if options is None:
            out.say(
                f"nothing is drawn: at most three of the {len(model.inputs)} inputs can be; hold the others with --slice "
                f"{model.inputs[-1]}=0,... or choose some with --project {','.join(model.inputs[:2])}"
            )
        else:
            _pictures(response, args.modes and modes, options, out)


def _show(mode: str, found: ModeResponse, inputs: tuple[str, ...], with_task: bool, out: Output) -> None:
    """The inequalities of a torque set, and of the part of it where the task holds whatever `w` is."""
    T = found.torques
    out.say(f"{mode}  {found.case}; dimension {T.dimension}, {'bounded' if T.is_bounded else 'unbounded'}")
    for line in _inequalities(T, inputs):
        out.say(f"    {line}")
    if not with_task:
        return
    region = found.task_torques("every")
    out.data["modes"][mode]["task_torques"] = [
        {"A": P.A.tolist(), "b": P.b.tolist(), "C": P.C.tolist(), "d": P.d.tolist()} for P in region
    ]
    out.say(f"  with the task: {len(region) or 'no'} piece{'' if len(region) == 1 else 's'}")
    for piece in region:
        for line in _inequalities(piece.minimal(), inputs):
            out.say(f"    {line}")


def _inequalities(T: Polytope, inputs: tuple[str, ...]) -> list[str]:
    """Rows of a set, in the names of the inputs."""
    if not len(T.b) and not len(T.d):
        return ["every input" if inputs else "no inputs"]
    return str(T).splitlines()


def _pictures(response: DynamicResponse, modes: Any, options: dict[str, Any], out: Output) -> None:
    from modecontrol.view.domains import plot_domain
    from modecontrol.view.torques import picture_size, plot_response, shown_sets

    shown = shown_sets(response, modes or None, **options)
    out.picture(
        "torques",
        lambda ax: plot_response(response, ax, modes=modes or None, **options),
        picture_size(len(shown.names), len(shown.sets)),
        len(shown.names) == 3,
    )
    for mode in modes or ():
        drawn = response[mode]
        if drawn.ambiguity_variables >= 1 and drawn.domain.n <= 3:
            out.picture(f"domain_{mode}", partial(plot_domain, drawn), (6.4, 5.0), drawn.domain.n == 3)
