"""The shown state as Python: what "Copy as Python" puts on the clipboard."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modecontrol.page.request import Shown

if TYPE_CHECKING:
    from modecontrol.dynamics.protocol import PlanarModel


def source_of(model: PlanarModel) -> tuple[str | None, dict[str, Any]]:
    """How a model was loaded: its name or path and the parameters given; None for a model made in Python."""
    reload = getattr(model, "reload", None)
    if not isinstance(reload, partial) or not reload.args:
        return None, {}
    from modecontrol.dynamics.library import folder

    file = Path(reload.args[0])
    shipped = file.parent.parent == folder() and file.name == "model.toml"
    return (file.parent.name if shipped else str(file)), dict(reload.keywords)


def python(model: PlanarModel, shown: Shown, settings: dict[str, Any]) -> str:
    """Code that makes the same response, asks for the modes at the torque and for the best guaranteed one.

    Parameters
    ----------
    model
        The model with its own parameters.
    shown
        The state of the page.
    settings
        Further arguments of `dynamic_response` that were given when the page was opened.
    """
    source, given = source_of(model)
    changes = {**given, **shown.parameters}
    lines = ["import modecontrol as mc", ""]
    if source is not None:
        lines.append(f"model = mc.load({', '.join([repr(source), *_keywords(changes)])})")
    elif changes:
        lines += [
            "# model = ...   (made in Python, not from a file)",
            f"model = model.with_parameters({', '.join(_keywords(changes))})",
        ]
    else:
        lines.append("# model = ...   (made in Python, not from a file)")
    lines += [f"q = {_table(model.coordinates, shown.q)}", f"v = {_table(model.coordinates, shown.v)}"]
    options = dict(settings)
    if shown.tasks:
        options["task"] = list(shown.tasks)
    lines += [
        "snap = model.snapshot(q, v)",
        f"resp = mc.dynamic_response({', '.join(['snap', *_keywords(options)])})",
    ]
    if model.inputs:
        lines += [
            "",
            f"tau = {list(shown.tau)}    # {', '.join(model.inputs)}",
            "print(resp.modes_at(tau))",
            "print(resp.accelerations_at(tau))",
            "print(resp.forces_at(tau))",
            "",
            f"best = mc.maximize(resp, {shown.objective!r}, margin={shown.margin!r})",
            "print(best.mode, best.torque, best.value, best.active)",
        ]
    if shown.intervals:
        intervals = _keywords({name: list(pair) for name, pair in shown.intervals.items()})
        lines += [
            "",
            "# over the intervals of friction: sure means for every friction inside",
            f"uncertain = model.uncertain({', '.join(intervals)})",
            f"sure = mc.dynamic_response({', '.join(['uncertain.snapshot(q, v)', *_keywords(options)])})",
            f"best = mc.maximize(sure, {shown.objective!r}, margin={shown.margin!r})",
            "print(best.mode, best.torque, best.value, best.active)",
        ]
    return "\n".join(lines) + "\n"


def instant_code(shown: Shown, inputs: tuple[str, ...]) -> str:
    """The same questions to a response that the reader has already."""
    lines = [
        "import modecontrol as mc",
        "",
        "# resp = ...   (the response on which explore() was called)",
        f"tau = {list(shown.tau)}    # {', '.join(inputs)}",
        "print(resp.modes_at(tau))",
        f"best = mc.maximize(resp, {shown.objective!r}, margin={shown.margin!r})",
        "print(best)",
    ]
    return "\n".join(lines) + "\n"


def _keywords(values: dict[str, Any]) -> list[str]:
    return [f"{name}={_literal(value)}" for name, value in values.items()]


def _literal(value: Any) -> str:
    """Python that gives the value: infinite numbers have no literal of their own."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_literal, value))}]"
    return f'float("{value}")' if isinstance(value, float) and not math.isfinite(value) else repr(value)


def _table(names: tuple[str, ...], values: tuple[float, ...]) -> str:
    return "{" + ", ".join(f"{name!r}: {value!r}" for name, value in zip(names, values, strict=True)) + "}"
