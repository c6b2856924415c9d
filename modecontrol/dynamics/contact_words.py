"""The words of a contact: its type, what it touches, its law."""

from __future__ import annotations

from typing import Any

from modecontrol.dynamics import words
from modecontrol.dynamics.expressions import shown
from modecontrol.dynamics.mechanism import Contact

CONTACTS = ("point", "disc", "disc_disc", "polygon")
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
WALL_KEYS = ("body", "origin", "tilt")
MOST_TOUCHES = 8
WAYS = ("left", "right")
"""Ways in which a one-way contact may slide."""

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


def contact(table: words.Table) -> Contact:
    """A contact from its words."""
    words.known(table, CONTACT_KEYS)
    kind = words.one_of("type", table.get("type", "point"), CONTACTS)
    _fitting(table, kind)
    for key in ("body", *NEEDED[kind]):
        words.needed(table, key, f"it in a contact of type '{kind}'")
    wall = table.get("wall", {})
    words.inside("wall", lambda table: words.known(table, WALL_KEYS), wall)
    return Contact(
        name=words.name_of(table),
        kind=kind,
        body=words.text("body", table["body"]),
        other=words.text("other", table.get("other", wall.get("body", "world"))),
        **_shapes(table, kind),
        **words.points(table, "point", "other_point"),
        **words.points(wall, "origin"),
        **words.scalars(wall, "tilt"),
        **words.scalars(table, "radius", "other_radius", *(key for key in CONTACT_LAWS if key != "one_way")),
        one_way=words.one_of("one_way", table["one_way"], WAYS) if "one_way" in table else "",
    )


def _fitting(table: words.Table, kind: str) -> None:
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
        words.needed(
            table,
            "other_shape",
            f"corners [[x, y], ...] or 'outline', by which a contact of type '{kind}' touches a body",
        )
    for key in ("other_shape", "other_radius"):
        if key in table and "other" not in table:
            raise ValueError(f"found {key} without other; expected the name of the other body, or 'world'")
    if "touches" in table and kind != "polygon" and "terrain" not in table:
        raise ValueError(f"found touches; a contact of type '{kind}' has one unless it touches terrain")


def _shapes(table: words.Table, kind: str) -> dict[str, Any]:
    """Shapes, terrain and touches of a contact; polygons touch by the outlines of bodies where none is said."""
    found: dict[str, Any] = {}
    defaults: dict[str, Any] = {"shape": "outline"} if kind == "polygon" else {}
    if kind == "polygon" and "other" in table:
        defaults["other_shape"] = "outline"
    for key in ("shape", "other_shape"):
        value = table.get(key, defaults.get(key, ()))
        if isinstance(value, str):
            found[key] = words.one_of(key, value, ("outline", "hull"))
        else:
            found[key] = tuple(words.point(key, corner) for corner in words.listed(key, value))
    if "terrain" in table:
        found["terrain"] = words.text("terrain", table["terrain"])
    if "touches" not in table:
        return {**found, "touches": 0 if "terrain" in table else 2 if kind == "polygon" else 1}
    touches, most = table["touches"], MOST_TOUCHES if "terrain" in table else 2
    if isinstance(touches, bool) or not isinstance(touches, int) or not 1 <= touches <= most:
        raise ValueError(f"touches: found {shown(touches)}; a whole number from 1 to {most} was expected")
    return {**found, "touches": touches}
