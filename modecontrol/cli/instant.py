"""The model, its state, the instant and its response that the arguments describe."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from modecontrol import tolerances
from modecontrol.cli.reading import (
    read_intervals,
    read_number,
    read_pairs,
    read_ranges,
    read_slice,
    read_vector,
)

if TYPE_CHECKING:
    from argparse import Namespace

    import numpy as np

    from modecontrol.dynamics.model import Model
    from modecontrol.dynamics.snapshot import Snapshot
    from modecontrol.regions.dynamic_response import DynamicResponse


def read_model(args: Namespace) -> Model:
    """The model with its parameters replaced.

    Parameters
    ----------
    args
        Parsed arguments with `model` and `parameters`.
    """
    import modecontrol as mc

    model = mc.load(args.model, **read_pairs(args.parameters))
    intervals = read_intervals(getattr(args, "uncertain", []))
    return model.uncertain(**intervals) if intervals else model


def read_state(model: Model, args: Namespace) -> tuple[np.ndarray, np.ndarray]:
    """Configuration and velocity; what is not given stays at the model's start.

    Parameters
    ----------
    model
        The model.
    args
        Parsed arguments with `q` and `v`.
    """
    q = read_vector(args.q, model.coordinates, model.start, "--q", model)
    rest = 0.0 * model.start if args.q is not None else model.start_velocity
    return q, read_vector(args.v, model.coordinates, rest, "--v", model)


def picture_options(model: Model, args: Namespace) -> dict[str, Any] | None:
    """`slice`, `window` and, where the command has it, `project` of a picture of torque sets; None where too many inputs are
    left to draw one, or where none is asked for.
    """
    from modecontrol.cli.together import check_needs
    from modecontrol.regions.windows import remaining

    check_needs(args, ("slice", "project", "window"), "out", "it says which part of a picture is drawn")
    held = read_slice(args.slice, model.inputs, model)
    wanted = getattr(args, "project", None)
    project = None if wanted is None else [name.strip() for name in wanted.split(",") if name.strip()]
    left = tuple(remaining(model.inputs, held, project))
    window = None if args.window is None else read_ranges(args.window, left, "--window")
    if len(left) > 3 or not args.out:
        return None
    found = {"slice": held, "window": window}
    return found | {"project": project} if hasattr(args, "project") else found


def read_snapshot(model: Model, args: Namespace) -> Snapshot:
    """The instant that the arguments describe."""
    from modecontrol import tolerances

    return possible_snapshot(model, *read_state(model, args), tolerances.MISFIT)


def possible_snapshot(model: Model, q: np.ndarray, v: np.ndarray, allowed: float) -> Snapshot:
    """The instant, refused with the options of the nearest one that can be if it cannot.

    Parameters
    ----------
    model
        The model.
    q, v
        The state.
    allowed
        How far it may be off (m).
    """
    from modecontrol.dynamics.admissible import check_state
    from modecontrol.errors import ImpossibleStateError

    snapshot = model.snapshot(q, v)
    try:
        check_state(snapshot, allowed=allowed)
    except ImpossibleStateError as error:
        raise ValueError(f"this state cannot be: {error.misfit}; {_nearest(model, q, v)}") from None
    return snapshot


def _nearest(model: Model, q: np.ndarray, v: np.ndarray) -> str:
    """The options that ask for the nearest state that can be."""
    from modecontrol.errors import ImpossibleStateError

    try:
        settled = model.settle(q, v)
    except ImpossibleStateError:
        return "no state near it can; change --q"
    wanted = [
        option
        + " "
        + ",".join(
            f"{name}={new:.9g}"
            for name, old, new in zip(model.coordinates, given, found, strict=True)
            if not math.isclose(old, new, rel_tol=tolerances.SHOWN_EQUAL, abs_tol=tolerances.SHOWN_ZERO)
        )
        for option, given, found in (("--q", q, settled.q), ("--v", v, settled.v))
    ]
    return "the nearest that can has " + " ".join(text for text in wanted if not text.endswith(" "))


def read_response(model: Model, args: Namespace, task: tuple[str, ...] = ()) -> DynamicResponse:
    """The response at the instant that the arguments describe.

    Parameters
    ----------
    model
        The model.
    args
        Parsed arguments.
    task
        Task constraints that apply when none is given.
    """
    import modecontrol as mc

    snapshot = read_snapshot(model, args)
    limits = (
        None
        if args.limits is None
        else read_ranges(args.limits, model.inputs, "--limits", snapshot.torque_limits)
    )
    return mc.dynamic_response(
        snapshot,
        torque_limits=limits,
        physical=args.physical,
        task=args.task or task,
        **thresholds(model, args),
    )


def thresholds(model: Model, args: Namespace) -> dict[str, Any]:
    """The velocity tolerances that are given: one number for all contacts, one for each, or some by name.

    Parameters
    ----------
    model
        The model, for the names of its contacts.
    args
        Parsed arguments.
    """
    from modecontrol import tolerances

    found: dict[str, Any] = {}
    for option in ("velocity_tolerance", "normal_tolerance"):
        text = getattr(args, option)
        if text is None:
            continue
        flag = f"--{option.replace('_', '-')}"
        alone = "," not in text and "=" not in text
        default = [tolerances.VELOCITY] * len(model.contacts)
        found[option] = (
            read_number(text, flag, model)
            if alone
            else read_vector(text, model.contacts, default, flag, model)
        )
    return found
