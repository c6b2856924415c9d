"""Do constraints and outputs of a model speak of what it has? What they mean is understood in `modes/linear.py`."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

from modecontrol.dynamics.contact_entries import CABLE, CONTACT, DRIVE, DRY, ROLLING, STOP, entries
from modecontrol.dynamics.expressions import Expression
from modecontrol.dynamics.mechanism import Mechanism
from modecontrol.validation import meant

OF_ENTRY = ("normal", "tangent", "normal_acceleration", "tangent_acceleration")
"""Quantities of everything that has a letter."""
TOUCH = re.compile(r"\b([A-Za-z_]\w*)\.([0-9]+)(?=\.)")
"""The touch of a contact (`foot.2.normal`), which is no word to Python."""


def check_text(text: str, mechanism: Mechanism, comparison: bool) -> None:
    """Refuse a text that cannot be read, that does not compare where it should, or that names something else.

    Parameters
    ----------
    text
        Of a constraint or of an output.
    mechanism
        With its contacts expanded.
    comparison
        Whether the text is a constraint.

    Raises
    ------
    ValueError
        On the first thing wrong.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # remarks on numbers that run into words
            tree = ast.parse(TOUCH.sub(r"\1.touch_\2", text.strip()), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(
            f"cannot read '{text}'; names, numbers, + - * / {'and one of >= <= ==' if comparison else ''} were expected"
        ) from None
    if isinstance(tree, ast.Compare) != comparison:
        raise ValueError(
            f"'{text}' {'does not compare' if comparison else 'compares'}; "
            f"{'one of >= <= == was expected' if comparison else 'an expression without >= <= == was expected'}"
        )
    known = _known(mechanism)
    for name in _names(tree):
        if name not in known:
            raise ValueError(f"'{name}' does not exist{meant(name, known)}; {_expected(name, mechanism)}")


def _known(mechanism: Mechanism) -> set[str]:
    found = {*mechanism.coordinates, *(f"{name}_dd" for name in mechanism.coordinates)}
    found |= {actuator.name for actuator in mechanism.inputs}
    for entry in entries(mechanism):
        found |= {f"{entry.name}.{part}" for part in OF_ENTRY}
        if entry.kind == CABLE:
            found.add(f"{entry.name}.tension")
        elif entry.kind != CONTACT:
            found.add(entry.name)
    for body in mechanism.bodies:  # laws that a value of a parameter switches on and off
        joint = body.joint
        for word, on in ((STOP, (joint.lower, joint.upper)), ("friction", (joint.friction,))):
            if any(isinstance(scalar, Expression) for scalar in on):
                found |= {f"{name}.{word}" for name in joint.coordinates}
    found |= {f"{c.name}.{ROLLING}" for c in mechanism.contacts if isinstance(c.rolling, Expression)}
    return found


def _names(tree: ast.expr) -> Iterator[str]:
    """Names with their dots, from left to right."""
    if isinstance(tree, ast.Name | ast.Attribute):
        yield re.sub(r"\s", "", ast.unparse(tree)).replace(".touch_", ".")
        return
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.expr):
            yield from _names(child)


def _expected(name: str, mechanism: Mechanism) -> str:
    """What the first word of a name has, or what there is at all."""
    head = name.partition(".")[0]
    mine = [entry for entry in entries(mechanism) if entry.name.partition(".")[0] == head]
    if head in mechanism.coordinates and "." in name:
        of_joint = [entry.name for entry in mine if entry.kind in (STOP, DRY, DRIVE)]
        return f"the joint has {', '.join(of_joint) or 'no stop, no dry friction and no drive'}"
    if mine:
        words = [force for entry in mine for force in entry.forces[: 1 + (entry.kind == ROLLING)] if force]
        also = "" if mine[0].kind == CABLE else f" and {mine[0].name}.tangent"
        return f"expected {', '.join(words)}{also}"
    some = sorted({entry.name for entry in entries(mechanism)} | {*mechanism.coordinates})
    some += sorted(actuator.name for actuator in mechanism.inputs)
    return (
        f"expected one of {', '.join(some if len(some) <= 12 else [*some[:11], f'... ({len(some)} in all)'])}"
    )
