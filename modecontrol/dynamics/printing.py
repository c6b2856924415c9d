"""A model as a small table for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from modecontrol.dynamics.model import Model


def model_table(model: Model) -> str:
    """Names and parameters of a model as HTML."""
    rows = [
        ("coordinates", ", ".join(model.coordinates)),
        ("inputs", ", ".join(model.inputs)),
        ("contacts", ", ".join(model.contacts)),
        ("closures", ", ".join(model.names.pins)),
        ("springs", ", ".join(spring.name for spring in model.mechanism.springs)),
        ("pushes", ", ".join(push.name for push in model.mechanism.pushes)),
        ("drag", ", ".join(body.name for body in model.mechanism.bodies if body.drag)),
        ("parameters", ", ".join(f"{k} = {v:g}" for k, v in model.parameters.items())),
    ]
    left = "style='text-align:left'"
    body = "".join(
        f"<tr><th {left}>{escape(head)}</th><td {left}>{escape(text)}</td></tr>"
        for head, text in rows
        if text
    )
    return f"<b>{escape(model.name)}</b> {escape(model.mechanism.about)}<table>{body}</table>"
