"""From words to numbers: the model, its state, ranges and torques as users write them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from modecontrol.dynamics.model import Model
    from modecontrol.dynamics.snapshot import Snapshot
    from modecontrol.regions.response import DynamicResponse


def read_model(args: Any) -> Model:
    """The model with its parameters replaced.

    Parameters
    ----------
    args
        Parsed arguments with `model` and `parameters`.
    """
    import modecontrol as mc

    return mc.load(args.model, **read_pairs(args.parameters))


def read_pairs(texts: list[str]) -> dict[str, Any]:
    """Parameters from `NAME=VALUE` texts; expressions stay text, which the model reads.

    Parameters
    ----------
    texts
        What the user wrote.
    """
    changes: dict[str, Any] = {}
    for text in texts:
        for name, value in _pairs(text, "--set", "mu=0.4").items():
            try:
                changes[name] = float(value)
            except ValueError:
                changes[name] = value
    return changes


def read_state(model: Model, args: Any) -> tuple[np.ndarray, np.ndarray]:
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


def read_vector(text: str | None, names: tuple[str, ...], default: Any, option: str, model: Model) -> np.ndarray:
    """Numbers for names: all of them in order, or some as `name=value` with the default for the others.

    Parameters
    ----------
    text
        What the user wrote; None for the default.
    names
        Names, in order.
    default
        Values of what is not named.
    option
        Name of the option, for messages.
    model
        Its parameters may be used in expressions.
    """
    import numpy as np

    values = np.array(default, dtype=float)
    if text is None:
        return values
    if "=" in text:
        for name, value in _pairs(text, option, f"{names[0] if names else 'x'}=0.1").items():
            values[_place(name, names, option)] = read_number(value, f"{option} {name}", model)
        return values
    parts = [part for part in text.split(",") if part.strip()]
    if len(parts) != len(names):
        raise ValueError(f"{option} has {len(parts)} numbers; expected {len(names)} ({', '.join(names) or 'none'}), or "
                         "some as name=value")
    return np.array([read_number(part, f"{option} {name}", model) for part, name in zip(parts, names, strict=True)])


def read_number(text: str, what: str, model: Model | None = None) -> float:
    """A number, or arithmetic with pi and the model's parameters.

    Parameters
    ----------
    text
        What the user wrote.
    what
        What it is, for messages.
    model
        Its parameters may be used.
    """
    from modecontrol.dynamics.expressions import Expression

    try:
        value = float(text)
    except ValueError:
        try:
            value = Expression(text.strip()).evaluate(model.parameters if model is not None else {})
        except ValueError as error:
            raise ValueError(f"{what}: {text.strip()!r} is no number ({error})") from None
    if not math.isfinite(value):
        raise ValueError(f"{what} is {value}; expected a finite number")
    return value


def read_ranges(text: str, names: tuple[str, ...], option: str, default: Any = None) -> np.ndarray:
    """(n, 2) ranges: one `low:high` for all, or some by name; an empty side is infinite.

    Parameters
    ----------
    text
        What the user wrote.
    names
        Names, in order.
    option
        Name of the option, for messages.
    default
        (n, 2) ranges of what is not named; None for unlimited.
    """
    import numpy as np

    found = np.full((len(names), 2), (-np.inf, np.inf)) if default is None else np.array(default, dtype=float)
    if "=" in text:
        for name, value in _pairs(text, option, f"{names[0] if names else 'x'}=-5:5").items():
            found[_place(name, names, option)] = _range(value, f"{option} {name}")
    else:
        found[:] = _range(text, option)
    return found


def read_slice(text: str | None, names: tuple[str, ...], model: Model) -> dict[str, float] | None:
    """`{"tau3": 0.0}` from `tau3=0`.

    Parameters
    ----------
    text
        What the user wrote, or None.
    names
        Names of the inputs.
    model
        Its parameters may be used.
    """
    if text is None:
        return None
    pairs = _pairs(text, "--slice", f"{names[0] if names else 'tau'}=0")
    return {names[_place(name, names, "--slice")]: read_number(value, f"--slice {name}", model)
            for name, value in pairs.items()}


def picture_options(model: Model, args: Any) -> dict[str, Any]:
    """`slice`, `project` and `window` of a picture of torque sets.

    Parameters
    ----------
    model
        The model.
    args
        Parsed arguments.
    """
    from modecontrol.view.windows import remaining

    held = read_slice(args.slice, model.inputs, model)
    project = None if args.project is None else [name.strip() for name in args.project.split(",") if name.strip()]
    left = tuple(remaining(model.inputs, held, project))
    if len(left) > 3:
        raise ValueError(f"the torque set has {len(left)} inputs ({', '.join(left)}); at most three can be drawn: hold some "
                         f"with --slice {left[-1]}=0,... or choose some with --project {','.join(left[:2])}")
    window = None if args.window is None else read_ranges(args.window, left, "--window")
    return {"slice": held, "project": project, "window": window}


def read_snapshot(model: Model, args: Any) -> Snapshot:
    """The instant that the arguments describe.

    Parameters
    ----------
    model
        The model.
    args
        Parsed arguments.
    """
    from modecontrol import tolerances

    snapshot = model.snapshot(*read_state(model, args))
    for name, gap, stiffness in zip(model.contacts, snapshot.gap, model.tree.stiffness, strict=True):
        if gap < -tolerances.PENETRATION and math.isinf(stiffness):
            raise ValueError(f"contact {name!r} is {-gap:.4g} m inside what it touches; change --q (expressions in the "
                             f"parameters are welcome: {', '.join(list(model.parameters)[:4])}, ...)")
    return snapshot


def read_response(model: Model, args: Any, task: tuple[str, ...] = ()) -> DynamicResponse:
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
    limits = None if args.limits is None else read_ranges(args.limits, model.inputs, "--limits", snapshot.torque_limits)
    return mc.dynamic_response(snapshot, torque_limits=limits, physical=args.physical, task=args.task or task,
                               **tolerance(args))


def tolerance(args: Any) -> dict[str, float]:
    """The velocity tolerance, when it is given.

    Parameters
    ----------
    args
        Parsed arguments.
    """
    return {} if args.velocity_tolerance is None else {"velocity_tolerance": args.velocity_tolerance}


def _pairs(text: str, option: str, example: str) -> dict[str, str]:
    found = {}
    for part in text.split(","):
        if not part.strip():
            continue
        name, equal, value = part.partition("=")
        if not equal or not name.strip() or not value.strip():
            raise ValueError(f"{option} has {part.strip()!r}; expected NAME=VALUE, such as {example}")
        found[name.strip()] = value.strip()
    return found


def _place(name: str, names: tuple[str, ...], option: str) -> int:
    from modecontrol.dynamics.expressions import meant

    if name not in names:
        raise ValueError(f"{option} names {name!r}, which is unknown{meant(name, names)}; expected some of "
                         f"{', '.join(names) or 'none'}")
    return names.index(name)


def _range(text: str, what: str) -> tuple[float, float]:
    low, colon, high = text.partition(":")
    if not colon:
        raise ValueError(f"{what} is {text!r}; expected LOW:HIGH, such as -5:5 (an empty side is unlimited)")
    pair = (read_number(low, what) if low.strip() else -math.inf, read_number(high, what) if high.strip() else math.inf)
    if pair[0] > pair[1]:
        raise ValueError(f"{what} is {text!r}; expected LOW:HIGH with LOW <= HIGH")
    return pair
