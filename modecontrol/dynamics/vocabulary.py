"""The words of a model: a table of plain values becomes a joint, body, its drag, an input, cable or pin.

Model files and the Python builder share these words, hence the same checks and the same messages. Every
function raises `ValueError` with a line that says what was found and what was expected; the caller adds the
place. Contacts, couplings and shapes have more words, each in a file of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from modecontrol.dynamics import words
from modecontrol.dynamics.drag import Drag
from modecontrol.dynamics.expressions import shown
from modecontrol.dynamics.mechanism import COORDINATES_OF, Body, Cable, Input, Joint, Pin, Scalar

JOINT_KEYS = (
    "type",
    "coordinate",
    "coordinates",
    "at",
    "angle",
    "stiffness",
    "damping",
    "rest",
    "lower",
    "upper",
    "stop_restitution",
    "friction",
    "armature",
    "prescribed",
    "effort",
    "start",
    "speed",
)
BODY_KEYS = ("name", "parent", "joint", "mass", "inertia", "com", "outline", "layer", "drag")
DRAG_KEYS = ("linear", "quadratic", "turning", "turning_quadratic", "at", "angle")
INPUT_KEYS = ("name", "coordinate", "coordinates", "gain", "gains", "lower", "upper", "stall", "no_load")
CABLE_KEYS = ("name", "body", "point", "other", "other_point", "length")
PIN_KEYS = ("name", "body", "point", "other", "other_point")
_EXAMPLES = {
    "planar": 'coordinates = ["x", "y", "theta"]',
    "revolute": 'coordinate = "q1"',
    "prismatic": 'coordinate = "r"',
    "weld": "none",
}


def body(table: words.Table) -> Body:
    """A body from its words; the joint may be a table of words or a `Joint`."""
    words.known(table, BODY_KEYS)
    joint_words = words.needed(table, "joint", 'a table such as {type = "revolute", coordinate = "q1"}')
    made = joint_words if isinstance(joint_words, Joint) else words.inside("joint", joint, joint_words)
    parent = words.text("parent", words.needed(table, "parent", "'world' or a body's name"))
    outline = tuple(
        words.point("outline", corner) for corner in words.listed("outline", table.get("outline", []))
    )
    return Body(
        name=words.name_of(table),
        parent=parent,
        joint=made,
        outline=outline,
        layer=words.text("layer", table["layer"]) if "layer" in table else "",
        drag=_drags(table.get("drag", [])),
        **words.scalars(table, "mass", "inertia"),
        **words.points(table, "com"),
    )


def _drags(given: Any) -> tuple[Drag, ...]:
    """One table, or a list of them."""
    if isinstance(given, Mapping):
        return (words.inside("drag", drag, given),)
    if not isinstance(given, (list, tuple)):
        raise ValueError(
            f"drag: found {shown(given)}; a table with the keys {', '.join(DRAG_KEYS)}, or a list of them, was expected"
        )
    return tuple(words.inside(f"drag {i}", drag, table) for i, table in enumerate(given, start=1))


def drag(table: words.Table) -> Drag:
    """What a medium does to a body, from its words."""
    words.known(table, DRAG_KEYS)
    return Drag(
        **words.points(table, "linear", "quadratic", "at"),
        **words.scalars(table, "turning", "turning_quadratic", "angle"),
    )


def joint(table: words.Table) -> Joint:
    """A joint from its words; `start` and `speed` are read apart by `starts`."""
    words.known(table, JOINT_KEYS)
    kind = words.one_of(
        "type", words.needed(table, "type", f"one of {', '.join(COORDINATES_OF)}"), COORDINATES_OF
    )
    names = words.names(table, "coordinate", "coordinates")
    if len(names) != COORDINATES_OF[kind]:
        raise ValueError(
            f"found {len(names)} coordinates; a {kind} joint was expected to have "
            f"{COORDINATES_OF[kind]}, such as {_EXAMPLES[kind]}"
        )
    return Joint(
        kind=kind,
        coordinates=names,
        **words.points(table, "at"),
        **words.scalars(table, "angle", "stiffness", "damping", "rest"),
        **_joint_laws(table, kind),
    )


def _joint_laws(table: words.Table, kind: str) -> dict[str, Any]:
    """Stops, dry friction, armature and prescribed motion."""
    single = COORDINATES_OF[kind] == 1
    for key in ("lower", "upper", "stop_restitution", "friction", "armature", "prescribed", "effort"):
        if key in table and not single:
            raise ValueError(f"found {key}; a {kind} joint has none, only revolute and prismatic joints")
    found = words.scalars(table, "lower", "upper", "stop_restitution", "friction", "armature")
    prescribed = table.get("prescribed", False)
    if not isinstance(prescribed, bool):
        raise ValueError(f"prescribed: found {shown(prescribed)}; true or false was expected")
    if "effort" in table:
        if not prescribed:
            raise ValueError("found effort; only a joint with prescribed = true has one")
        found["effort"] = words.point("effort", table["effort"])
    return {**found, "prescribed": prescribed}


def starts(table: words.Table, key: str) -> dict[str, Scalar]:
    """Values of `start` or `speed` in the words of a joint, by coordinate."""
    if key not in table:
        return {}
    names = words.names(table, "coordinate", "coordinates")
    values = table[key] if isinstance(table[key], (list, tuple)) else [table[key]]
    if len(values) != len(names):
        raise ValueError(f"{key} has {len(values)} values; expected one for each of {len(names)} coordinates")
    return {name: words.scalar(key, value) for name, value in zip(names, values, strict=True)}


def actuator(table: words.Table) -> Input:
    """An input from its words."""
    words.known(table, INPUT_KEYS)
    names = words.names(table, "coordinate", "coordinates")
    if not names:
        raise ValueError("coordinate is missing; expected the name of the coordinate on which the input acts")
    if "gain" in table and "gains" in table:
        raise ValueError("found gain and gains; one of them was expected")
    if "gains" in table:
        gains = tuple(words.scalar("gains", value) for value in words.listed("gains", table["gains"]))
    else:
        gains = (words.scalar("gain", table.get("gain", 1.0)),) * len(names)
    if len(gains) != len(names):
        raise ValueError(f"found {len(gains)} gains; one for each of {len(names)} coordinates was expected")
    return Input(
        name=words.name_of(table),
        coordinates=names,
        gains=gains,
        **words.scalars(table, "lower", "upper", "stall", "no_load"),
    )


def cable(table: words.Table) -> Cable:
    """A cable from its words."""
    words.known(table, CABLE_KEYS)
    return Cable(
        name=words.name_of(table),
        body=words.text("body", words.needed(table, "body", "a body's name")),
        other=words.text("other", words.needed(table, "other", "'world' or a body's name")),
        length=words.scalar("length", words.needed(table, "length", "the greatest distance of its ends")),
        **words.points(table, "point", "other_point"),
    )


def pin(table: words.Table) -> Pin:
    """A pin from its words."""
    words.known(table, PIN_KEYS)
    return Pin(
        name=words.name_of(table),
        body=words.text("body", words.needed(table, "body", "a body's name")),
        point=words.point("point", table.get("point", (0.0, 0.0))),
        other=words.text("other", words.needed(table, "other", "'world' or a body's name")),
        other_point=words.point("other_point", table.get("other_point", (0.0, 0.0))),
    )
