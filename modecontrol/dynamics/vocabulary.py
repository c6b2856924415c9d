"""The words of a model: a table of plain values becomes a joint, body, input, contact or pin.

Model files and the Python builder share these words, hence the same checks and the same messages. Every
function raises `ValueError` with a line that says what was found and what was expected; the caller adds the
place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from modecontrol.dynamics.expressions import meant, number, shown
from modecontrol.dynamics.mechanism import (
    COORDINATES_OF,
    Body,
    Cable,
    Contact,
    Input,
    Joint,
    Pin,
    Point,
    Scalar,
)

CONTACTS = ("point", "disc", "disc_disc", "polygon")
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
BODY_KEYS = ("name", "parent", "joint", "mass", "inertia", "com", "outline", "layer")
INPUT_KEYS = ("name", "coordinate", "coordinates", "gain", "gains", "lower", "upper", "stall", "no_load")
CONTACT_LAWS = (
    "mu",
    "mu_static",
    "pull",
    "one_way",
    "speed",
    "rolling",
    "restitution",
    "tangential_restitution",
    "stiffness",
    "damping",
)
CONTACT_KEYS = (
    "name",
    "type",
    "body",
    "point",
    "radius",
    "shape",
    "wall",
    "other",
    "other_point",
    "other_radius",
    "other_shape",
    "terrain",
    "touches",
    *CONTACT_LAWS,
)
MOST_TOUCHES = 8
WAYS = ("left", "right")
"""Ways in which a one-way contact may slide."""
CABLE_KEYS = ("name", "body", "point", "other", "other_point", "length")
PIN_KEYS = ("name", "body", "point", "other", "other_point")
WALL_KEYS = ("body", "origin", "tilt")

Table = Mapping[str, Any]


def body(table: Table) -> Body:
    """A body from its words; the joint may be a table of words or a `Joint`."""
    known(table, BODY_KEYS)
    joint_words = needed(table, "joint", 'a table such as {type = "revolute", coordinate = "q1"}')
    made = joint_words if isinstance(joint_words, Joint) else _inside("joint", joint, joint_words)
    parent = text("parent", needed(table, "parent", "'world' or a body's name"))
    outline = tuple(point("outline", corner) for corner in listed("outline", table.get("outline", [])))
    return Body(
        name=name_of(table),
        parent=parent,
        joint=made,
        outline=outline,
        layer=text("layer", table["layer"]) if "layer" in table else "",
        **_scalars(table, "mass", "inertia"),
        **_points(table, "com"),
    )


def joint(table: Table) -> Joint:
    """A joint from its words; `start` and `speed` are read apart by `starts`."""
    known(table, JOINT_KEYS)
    kind = one_of("type", needed(table, "type", f"one of {', '.join(COORDINATES_OF)}"), COORDINATES_OF)
    names = _names(table, "coordinate", "coordinates")
    if len(names) != COORDINATES_OF[kind]:
        raise ValueError(
            f"found {len(names)} coordinates; a {kind} joint was expected to have "
            f"{COORDINATES_OF[kind]}, such as {_EXAMPLES[kind]}"
        )
    return Joint(
        kind=kind,
        coordinates=names,
        **_points(table, "at"),
        **_scalars(table, "angle", "stiffness", "damping", "rest"),
        **_joint_laws(table, kind),
    )


def _joint_laws(table: Table, kind: str) -> dict[str, Any]:
    """Stops, dry friction, armature and prescribed motion."""
    single = COORDINATES_OF[kind] == 1
    for key in ("lower", "upper", "stop_restitution", "friction", "armature", "prescribed", "effort"):
        if key in table and not single:
            raise ValueError(f"found {key}; a {kind} joint has none, only revolute and prismatic joints")
    found = _scalars(table, "lower", "upper", "stop_restitution", "friction", "armature")
    prescribed = table.get("prescribed", False)
    if not isinstance(prescribed, bool):
        raise ValueError(f"prescribed: found {shown(prescribed)}; true or false was expected")
    if "effort" in table:
        if not prescribed:
            raise ValueError("found effort; only a joint with prescribed = true has one")
        found["effort"] = point("effort", table["effort"])
    return {**found, "prescribed": prescribed}


def starts(table: Table, key: str) -> dict[str, Scalar]:
    """Values of `start` or `speed` in the words of a joint, by coordinate."""
    if key not in table:
        return {}
    names = _names(table, "coordinate", "coordinates")
    values = table[key] if isinstance(table[key], (list, tuple)) else [table[key]]
    if len(values) != len(names):
        raise ValueError(f"{key} has {len(values)} values; expected one for each of {len(names)} coordinates")
    return {name: scalar(key, value) for name, value in zip(names, values, strict=True)}


def actuator(table: Table) -> Input:
    """An input from its words."""
    known(table, INPUT_KEYS)
    names = _names(table, "coordinate", "coordinates")
    if not names:
        raise ValueError("coordinate is missing; expected the name of the coordinate on which the input acts")
    if "gain" in table and "gains" in table:
        raise ValueError("found gain and gains; one of them was expected")
    if "gains" in table:
        gains = tuple(scalar("gains", value) for value in listed("gains", table["gains"]))
    else:
        gains = (scalar("gain", table.get("gain", 1.0)),) * len(names)
    if len(gains) != len(names):
        raise ValueError(f"found {len(gains)} gains; one for each of {len(names)} coordinates was expected")
    return Input(
        name=name_of(table),
        coordinates=names,
        gains=gains,
        **_scalars(table, "lower", "upper", "stall", "no_load"),
    )


def contact(table: Table) -> Contact:
    """A contact from its words."""
    known(table, CONTACT_KEYS)
    kind = one_of("type", table.get("type", "point"), CONTACTS)
    _fitting(table, kind)
    for key in ("body", *NEEDED[kind]):
        needed(table, key, f"it in a contact of type '{kind}'")
    wall = table.get("wall", {})
    _inside("wall", lambda words: known(words, WALL_KEYS), wall)
    return Contact(
        name=name_of(table),
        kind=kind,
        body=text("body", table["body"]),
        other=text("other", table.get("other", wall.get("body", "world"))),
        **_shapes(table, kind),
        **_points(table, "point", "other_point"),
        **_points(wall, "origin"),
        **_scalars(wall, "tilt"),
        **_scalars(table, "radius", "other_radius", *(key for key in CONTACT_LAWS if key != "one_way")),
        one_way=one_of("one_way", table["one_way"], WAYS) if "one_way" in table else "",
    )


def cable(table: Table) -> Cable:
    """A cable from its words."""
    known(table, CABLE_KEYS)
    return Cable(
        name=name_of(table),
        body=text("body", needed(table, "body", "a body's name")),
        other=text("other", needed(table, "other", "'world' or a body's name")),
        length=scalar("length", needed(table, "length", "the greatest distance of its ends")),
        **_points(table, "point", "other_point"),
    )


NEEDED = {
    "point": (),
    "disc": ("radius",),
    "disc_disc": ("radius", "other", "other_radius"),
    "polygon": (),
}
UNUSED = {
    "point": ("radius", "other_point", "shape"),
    "disc": ("other_point", "shape"),
    "disc_disc": ("wall", "shape", "other_shape", "terrain", "touches"),
    "polygon": ("point", "other_point"),
}


def _fitting(table: Table, kind: str) -> None:
    """Refuse keys that the type of a contact does not have, or that contradict each other."""
    for key in UNUSED[kind]:
        if key in table:
            raise ValueError(f"found {key}; a contact of type '{kind}' has none")
    if kind == "disc_disc":
        return
    sides = [key for key in ("wall", "terrain", "other") if key in table]
    if len(sides) > 1:
        raise ValueError(f"found {' and '.join(sides)}; a contact was expected to touch one of them")
    if kind != "polygon" and "other" in table:
        needed(
            table,
            "other_shape",
            f"corners [[x, y], ...] or 'outline', by which a contact of type '{kind}' touches a body",
        )
    for key in ("other_shape", "other_radius"):
        if key in table and "other" not in table:
            raise ValueError(f"found {key} without other; expected the name of the other body, or 'world'")
    if "touches" in table and kind != "polygon" and "terrain" not in table:
        raise ValueError(f"found touches; a contact of type '{kind}' has one unless it touches terrain")


def _shapes(table: Table, kind: str) -> dict[str, Any]:
    """Shapes, terrain and touches of a contact; polygons touch by the outlines of bodies where none is said."""
    found: dict[str, Any] = {}
    defaults: dict[str, Any] = {"shape": "outline"} if kind == "polygon" else {}
    if kind == "polygon" and "other" in table:
        defaults["other_shape"] = "outline"
    for key in ("shape", "other_shape"):
        value = table.get(key, defaults.get(key, ()))
        if isinstance(value, str):
            found[key] = one_of(key, value, ("outline", "hull"))
        else:
            found[key] = tuple(point(key, corner) for corner in listed(key, value))
    if "terrain" in table:
        found["terrain"] = text("terrain", table["terrain"])
    if "touches" not in table:
        return {**found, "touches": 0 if "terrain" in table else 2 if kind == "polygon" else 1}
    touches, most = table["touches"], MOST_TOUCHES if "terrain" in table else 2
    if isinstance(touches, bool) or not isinstance(touches, int) or not 1 <= touches <= most:
        raise ValueError(f"touches: found {shown(touches)}; a whole number from 1 to {most} was expected")
    return {**found, "touches": touches}


def pin(table: Table) -> Pin:
    """A pin from its words."""
    known(table, PIN_KEYS)
    return Pin(
        name=name_of(table),
        body=text("body", needed(table, "body", "a body's name")),
        point=point("point", table.get("point", (0.0, 0.0))),
        other=text("other", needed(table, "other", "'world' or a body's name")),
        other_point=point("other_point", table.get("other_point", (0.0, 0.0))),
    )


_EXAMPLES = {
    "planar": 'coordinates = ["x", "y", "theta"]',
    "revolute": 'coordinate = "q1"',
    "prismatic": 'coordinate = "r"',
    "weld": "none",
}


# One value at a time ---------------------------------------------------------------------------------------


def known(table: Any, keys: Iterable[str]) -> None:
    """Refuse what is not a table or has a key that is not one of the words."""
    if not isinstance(table, Mapping):
        raise ValueError(f"found {shown(table)}; a table with the keys {', '.join(keys)} was expected")
    for key in table:
        if key not in keys:
            raise ValueError(f"unknown key '{key}'{meant(key, keys)}; expected keys are {', '.join(keys)}")


def needed(table: Table, key: str, expected: str) -> Any:
    """The value of a key that may not be left out."""
    if key not in table:
        raise ValueError(f"{key} is missing; expected {expected}")
    return table[key]


def text(key: str, value: Any) -> str:
    """A text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{key}: found {shown(value)}; a text was expected")
    return value


def name_of(table: Table) -> str:
    """The name of an entry."""
    return text("name", needed(table, "name", "a name"))


def one_of(key: str, value: Any, choices: Iterable[str]) -> str:
    """A text out of a few."""
    choices = tuple(choices)
    if not isinstance(value, str) or value not in choices:
        hint = meant(value, choices) if isinstance(value, str) else ""
        raise ValueError(f"{key}: found {shown(value)}{hint}; one of {', '.join(choices)} was expected")
    return str(value)


def scalar(key: str, value: Any) -> Scalar:
    """A number or an expression."""
    try:
        return number(value)
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None


def point(key: str, value: Any) -> Point:
    """Two numbers or expressions."""
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise ValueError(f"{key}: found {shown(value)}; two numbers [x, y] were expected")
    return scalar(key, value[0]), scalar(key, value[1])


def listed(key: str, value: Any) -> list[Any]:
    """A list."""
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"{key}: found {shown(value)}; a list was expected")
    return list(value)


def _names(table: Table, one: str, many: str) -> tuple[str, ...]:
    if one in table and many in table:
        raise ValueError(f"found {one} and {many}; one of them was expected")
    if one in table:
        return (text(one, table[one]),)
    return tuple(text(many, value) for value in listed(many, table.get(many, [])))


def _scalars(table: Table, *keys: str) -> dict[str, Any]:
    return {key: scalar(key, table[key]) for key in keys if key in table}


def _points(table: Table, *keys: str) -> dict[str, Any]:
    return {key: point(key, table[key]) for key in keys if key in table}


def _inside(key: str, make: Callable[[Table], Any], table: Any) -> Any:
    try:
        return make(table)
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None
