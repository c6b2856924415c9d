"""List the contact modes that can happen at one state, or explain why one cannot."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from modecontrol import tolerances
from modecontrol.cli.parser import instant_arguments, model_arguments

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from modecontrol.cli.output import Output
    from modecontrol.modes.mode_response import ModeResponse
    from modecontrol.regions.dynamic_response import DynamicResponse

ABOUT = "list the contact modes that can happen, or explain one"
EXAMPLE = (
    "  modecontrol modes two_link --set mu=0.4\n  modecontrol modes rhex --explain FFFF\n"
    "  modecontrol modes table --at push=10"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The model, a state, constraints, and what to ask of the modes."""
    model_arguments(parser)
    parser.add_argument(
        "--explain", metavar="MODE", help="say why a mode cannot happen, or what bounds its torques"
    )
    parser.add_argument(
        "--at",
        metavar="VALUES",
        help="modes that these inputs can produce: all inputs (0,0,-3) or "
        "some by name (tau1=-3), the others zero",
    )
    parser.add_argument(
        "--kinematic", action="store_true", help="only what the kinematics allow: no forces, no limits"
    )
    instant_arguments(parser)


def run(args: argparse.Namespace, out: Output) -> None:
    """A table of modes with their rank case, ambiguity and torque set."""
    import modecontrol as mc
    from modecontrol.cli.instant import read_model, read_response, read_snapshot, thresholds
    from modecontrol.cli.reading import read_vector
    from modecontrol.cli.together import check_apart
    from modecontrol.validation import counted

    check_apart(
        args,
        ("explain", "at", "limits", "physical", "task"),
        "kinematic",
        "kinematics know neither forces nor inputs",
    )
    check_apart(args, ("at",), "explain", "a mode is explained for all inputs")
    model = read_model(args)
    if args.kinematic:
        found = mc.kinematic_modes(read_snapshot(model, args), **thresholds(model, args))
        out.data.update(model=model.name, contacts=model.contacts, kinematic_modes=found)
        out.say(
            f"{len(found)} of {4 ** len(model.contacts)} modes of {', '.join(model.contacts)} "
            "are kinematically feasible"
        )
        out.say(" ".join(found))
        if out.wants_files:
            out.write("kinematic_modes.json", out.data)
        return
    response = read_response(model, args)
    out.data.update(model=model.name, contacts=model.contacts, inputs=model.inputs)
    if args.explain is not None:
        _explain(response, args.explain.strip().upper(), out)
    elif args.at is not None:
        tau = read_vector(args.at, model.inputs, [0.0] * len(model.inputs), "--at", model)
        _at(response, tau, out)
    else:
        rows = response.rows()
        from modecontrol.regions.export import COLUMNS

        columns: tuple[str, ...] = COLUMNS
        if args.task:
            columns = (*COLUMNS, "task")
            rows = [{**row, "task": _meets_task(response[row["mode"]])} for row in rows]
        out.data["modes"] = rows
        out.table(
            columns,
            [[row[name] for name in columns] for row in rows],
            f"{counted(len(rows), 'mode')} of {', '.join(model.contacts) or 'no contacts'}; "
            f"inputs {', '.join(model.inputs) or 'none'}",
        )
        if not rows:
            out.no_answer("no contact mode can happen with these limits and constraints (inconsistent)")
    if out.wants_files:
        out.write("response.json", response.to_dict())


def _meets_task(found: ModeResponse) -> str:
    """Whether some inputs of a mode meet the task: whatever `w` is, for some `w` only, or never."""
    if found.task_domain.is_empty:
        return "no"
    return "some w" if found.task_torques("every").is_empty else "yes"


def _explain(response: DynamicResponse, mode: str, out: Output) -> None:
    found = response.explain(mode)
    out.data["explanation"] = {
        "mode": found.mode,
        "possible": found.possible,
        "stage": found.stage,
        "causes": found.causes,
        "text": found.text,
    }
    out.say(found.text)


def _at(response: DynamicResponse, tau: ArrayLike, out: Output) -> None:
    accelerations = response.accelerations_at(tau)
    found = list(accelerations)
    verdict = "inconsistent" if not found else "unambiguous" if response.answer_at(tau) else "ambiguous"
    out.data.update(
        at=tau, modes=found, verdict=verdict, accelerations=accelerations, forces=response.forces_at(tau)
    )
    if not found:
        out.no_answer(f"{verdict}: no mode explains these inputs")
    else:
        out.say(f"{verdict}: {', '.join(found)}")
        names = list(next(iter(accelerations.values())))
        out.table(
            ("mode", *names),
            [(mode, *(_range(*values[name]) for name in names)) for mode, values in accelerations.items()],
            "accelerations",
        )


def _range(low: float, high: float) -> str:
    if abs(high - low) <= tolerances.SHOWN_EQUAL * max(1.0, abs(low), abs(high)):
        return f"{low + 0.0:.6g}"
    return f"{low:.4g} .. {high:.4g}"
