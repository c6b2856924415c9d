"""What a mechanism is made of, in words: joints and their laws, contacts and their shapes, stops, cables, terrain.

`Model.describe()` gives a `Description`; printed it is a few plain tables, and `modecontrol show` prints the same ones.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from modecontrol.dynamics.drag import drag_words
from modecontrol.dynamics.mechanism import WORLD, Contact, Joint, Mechanism

Table = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]
"""Heads of columns, and rows of texts."""


@dataclass(frozen=True)
class Description:
    """A mechanism in words.

    Attributes
    ----------
    name, about
        Of the mechanism.
    needs
        Laws and shapes that it has beside points and discs with Coulomb's friction, with how many of each.
    tables
        Heads and rows of texts, by what they list: joints, inputs, contacts, stops, cables, terrain, drag.
    """

    name: str
    about: str
    needs: Mapping[str, int]
    tables: Mapping[str, Table]

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.about}".rstrip(": ")]
        if self.needs:
            lines.append("needs " + ", ".join(f"{what} ({count})" for what, count in self.needs.items()))
        for title, (heads, rows) in self.tables.items():
            lines += ["", title, *columns(heads, rows)]
        return "\n".join(lines)


def describe(mechanism: Mechanism) -> Description:
    """The description of a mechanism.

    Parameters
    ----------
    mechanism
        With numbers (`Mechanism.evaluated()`).
    """
    joints = [(body, body.joint) for body in mechanism.bodies if body.joint.coordinates]
    declared = [c for c in mechanism.contacts if c.slot == 0]
    found: dict[str, Table] = {
        "joints": (
            ("coordinates", "joint", "body", "on", "laws"),
            tuple(
                (", ".join(j.coordinates), j.kind, b.name, b.parent, joint_laws(j) or "none")
                for b, j in joints
            ),
        ),
        "inputs": (
            ("input", "acts on", "limits"),
            tuple((i.name, ", ".join(i.coordinates), input_limits(i)) for i in mechanism.inputs),
        ),
        "contacts": (
            ("contact", "of", "touches", "law"),
            tuple((declared_name(c), side(c), against(c), contact_law(c)) for c in declared),
        ),
        "stops": (
            ("stop", "from", "to", "restitution"),
            tuple(
                (f"{j.coordinates[0]}.stop", _g(j.lower), _g(j.upper), _g(j.stop_restitution))
                for _, j in joints
                if has_stop(j)
            ),
        ),
        "cables": (
            ("cable", "from", "to", "length"),
            tuple((c.name, c.body, c.other, f"{_g(c.length)} m") for c in mechanism.cables),
        ),
        "terrain": (
            ("terrain", "shape"),
            tuple(
                (
                    t.name,
                    f"{len(t.half_planes)} half-planes"
                    if t.half_planes
                    else f"line of {len(t.line)} corners",
                )
                for t in mechanism.terrains
            ),
        ),
        "drag": (("drag", "along", "across", "turning", "angle"), drag_words(mechanism)),
    }
    tables = {title: table for title, table in found.items() if table[1]}
    return Description(
        mechanism.name, mechanism.about, MappingProxyType(needs(mechanism)), MappingProxyType(tables)
    )


def needs(mechanism: Mechanism) -> dict[str, int]:
    """How many parts have each law or shape beyond points and discs with Coulomb's friction."""
    joints = [body.joint for body in mechanism.bodies if body.joint.coordinates]
    declared = [c for c in mechanism.contacts if c.slot == 0]
    counts = {
        "joint stops": sum(has_stop(j) for j in joints),
        "dry joints": sum(_positive(j.friction) for j in joints),
        "armature": sum(_positive(j.armature) for j in joints),
        "prescribed joints": sum(j.prescribed for j in joints),
        "cables": len(mechanism.cables),
        "drag": sum(bool(body.drag) for body in mechanism.bodies),
        "loops": len(mechanism.pins) + len(mechanism.closures),
        "static friction": sum(c.mu_static is not None and c.mu_static != c.mu for c in declared),
        "adhesion": sum(_positive(c.pull) for c in declared),
        "one-way contacts": sum(bool(c.one_way) for c in declared),
        "moving surfaces": sum(c.speed != 0 for c in declared),
        "rolling resistance": sum(_positive(c.rolling) for c in declared),
        "polygons": sum(c.kind == "polygon" or bool(c.other_shape) for c in declared),
        "terrain": len(mechanism.terrains),
        "compliant contacts": sum(math.isfinite(c.stiffness) for c in declared),  # type: ignore[arg-type]
    }
    return {what: count for what, count in counts.items() if count}


# One part at a time ----------------------------------------------------------------------------------------


def has_stop(joint: Joint) -> bool:
    """Whether a joint with numbers has a stop.

    Parameters
    ----------
    joint
        Of a mechanism with numbers.
    """
    return len(joint.coordinates) == 1 and any(math.isfinite(end) for end in (joint.lower, joint.upper))  # type: ignore[arg-type]


def joint_laws(joint: Joint) -> str:
    """Spring, damper, stops, dry friction, armature and prescribed motion of a joint, as far as it has them.

    Parameters
    ----------
    joint
        Of a mechanism with numbers.
    """
    said = []
    if _positive(joint.stiffness):
        said.append(f"spring {_g(joint.stiffness)} about {_g(joint.rest)}")
    if _positive(joint.damping):
        said.append(f"damper {_g(joint.damping)}")
    if has_stop(joint):
        ends = [_g(end) for end in (joint.lower, joint.upper) if math.isfinite(end)]  # type: ignore[arg-type]
        said.append(f"stop{'s' if len(ends) > 1 else ''} at {' and '.join(ends)}")
    if _positive(joint.friction):
        said.append(f"dry friction {_g(joint.friction)}")
    if _positive(joint.armature):
        said.append(f"armature {_g(joint.armature)}")
    if joint.prescribed:
        said.append(f"prescribed, within {_g(joint.effort[0])} and {_g(joint.effort[1])}")
    return ", ".join(said)


def input_limits(item: Any) -> str:
    """Limits of an input.

    Parameters
    ----------
    item
        An `Input` with numbers.
    """
    said = []
    if math.isfinite(item.lower) or math.isfinite(item.upper):
        said.append(f"{_g(item.lower)} to {_g(item.upper)}")
    if math.isfinite(item.stall):
        said.append(f"stall {_g(item.stall)}")
    if math.isfinite(item.no_load):
        said.append(f"no load at {_g(item.no_load)}")
    return ", ".join(said) or "none"


def declared_name(contact: Contact) -> str:
    """The name under which a contact was declared: `foot` of `foot.1`.

    Parameters
    ----------
    contact
        One of its touches.
    """
    return contact.name.removesuffix(f".{contact.slot + 1}") if contact.touches > 1 else contact.name


def side(contact: Contact) -> str:
    """What of the body touches."""
    round_ = f" rounded by {_g(contact.radius)} m" if _positive(contact.radius) else ""
    if contact.kind == "polygon":
        what = "line" if len(contact.shape) == 2 else f"polygon of {len(contact.shape)} corners"
        return f"{what}{round_}, {contact.body}"
    if contact.kind == "point":
        return f"point, {contact.body}"
    return f"disc of {_g(contact.radius)} m, {contact.body}"


def against(contact: Contact) -> str:
    """What it touches."""
    if contact.terrain:
        return f"terrain {contact.terrain}"
    if contact.kind == "disc_disc":
        return f"disc of {_g(contact.other_radius)} m, {contact.other}"
    if contact.other_shape:
        what = "line" if len(contact.other_shape) == 2 else f"polygon of {len(contact.other_shape)} corners"
        round_ = f" rounded by {_g(contact.other_radius)} m" if _positive(contact.other_radius) else ""
        return f"{what}{round_}, {contact.other}"
    where = "" if contact.other == WORLD else f", {contact.other}"
    x, y = contact.origin
    return f"wall through ({_g(x)}, {_g(y)}) tilted by {_g(contact.tilt)}{where}"


def contact_law(contact: Contact) -> str:
    """Friction, adhesion, collisions and compliance of a contact."""
    said = [f"mu {_g(contact.mu)}"]
    if contact.mu_static is not None and contact.mu_static != contact.mu:
        said.append(f"static {_g(contact.mu_static)}")
    if _positive(contact.pull):
        said.append(f"pull {_g(contact.pull)} N")
    if contact.one_way:
        said.append(f"slides {contact.one_way} only")
    if contact.speed != 0:
        said.append(f"surface at {_g(contact.speed)} m/s")
    if _positive(contact.rolling):
        said.append(f"rolling resistance {_g(contact.rolling)} m")
    for key in ("restitution", "tangential_restitution"):
        if _positive(getattr(contact, key)):
            said.append(f"{key.replace('_', ' ')} {_g(getattr(contact, key))}")
    if math.isfinite(contact.stiffness):  # type: ignore[arg-type]
        said.append(f"stiffness {_g(contact.stiffness)} N/m, damping {_g(contact.damping)}")
    return ", ".join(said)


def columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table as lines.

    Parameters
    ----------
    heads
        Of the columns.
    rows
        Texts.
    """
    widths = [max(len(row[i]) for row in (heads, *rows)) for i in range(len(heads))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (heads, *rows)
    ]


def _g(value: Any) -> str:
    return f"{float(value) + 0.0:.6g}"


def _positive(value: Any) -> bool:
    return float(value) > 0
