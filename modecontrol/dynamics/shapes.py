"""Shapes that touch: polygons, terrain, groups of bodies, as data and as words; each declared contact becomes its touches.

A polygon is convex; its corners stand in the frame of its body. With a `radius` it is rounded: every point within the radius
of it belongs to the body, so two corners and a radius are a capsule. Terrain stands in the world. The free side of
its line is on the left of the direction of travel, and its first and last segment go on for ever. Terrain by half-planes
leaves free what lies on the free side of all of them.

A contact of a polygon, or with terrain, may touch in several places at once. It is expanded into as many contacts
as it has `touches`, `name.1`, `name.2`, ... along the tangent, each with its own `slot`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from types import MappingProxyType
from typing import Any

from modecontrol.dynamics import contact_words, words
from modecontrol.dynamics.expressions import Expression
from modecontrol.dynamics.mechanism import WORLD, Body, Contact, Mechanism, Point, Scalar
from modecontrol.dynamics.polygons import hull, turn
from modecontrol.validation import meant

OF_BODY = ("outline", "hull")
"""Shapes that are taken from the outline of the body: as it is, or its convex hull."""
TERRAIN_KEYS = ("name", "line", "half_planes")
HALF_PLANE_KEYS = ("origin", "tilt")
ALL = "all"
PAIR_KEYS = ("between", "shape", "radius", "touches", *contact_words.CONTACT_LAWS)


@dataclass(frozen=True)
class Terrain:
    """Ground that does not move: a line whose left side is free, or half-planes `(origin, tilt)` free in common."""

    name: str
    line: tuple[Point, ...] = ()
    half_planes: tuple[tuple[Point, Scalar], ...] = ()


@dataclass(frozen=True)
class Pairs:
    """An entry `[[contacts]]`: every pair of bodies `between` one or two groups touches by its outlines."""

    between: tuple[str, ...]
    shape: str
    words: Mapping[str, Any]


def terrain(table: Mapping[str, Any]) -> Terrain:
    """Terrain from its words.

    Parameters
    ----------
    table
        Words of an entry `[[terrain]]`.
    """
    words.known(table, TERRAIN_KEYS)
    if ("line" in table) == ("half_planes" in table):
        raise ValueError("expected line = [[x, y], ...] or half_planes = [{origin = ..., tilt = ...}, ...]")
    if "line" in table:
        corners = [words.point("line", corner) for corner in words.listed("line", table["line"])]
        return Terrain(words.name_of(table), line=tuple(corners))
    planes = []
    for plane in words.listed("half_planes", table["half_planes"]):
        words.known(plane, HALF_PLANE_KEYS)
        origin = words.point("origin", plane.get("origin", (0.0, 0.0)))
        planes.append((origin, words.scalar("tilt", plane.get("tilt", 0.0))))
    if not planes:
        raise ValueError("half_planes: found none; at least one was expected")
    return Terrain(words.name_of(table), half_planes=tuple(planes))


def groups(table: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Groups of bodies from the table `[groups]`.

    Parameters
    ----------
    table
        Lists of names of bodies, by the name of the group.
    """
    return {
        name: tuple(
            words.text(f"[groups] {name}", member) for member in words.listed(f"[groups] {name}", members)
        )
        for name, members in table.items()
    }


def pairs(table: Mapping[str, Any]) -> Pairs:
    """Contacts between groups from their words.

    Parameters
    ----------
    table
        Words of an entry `[[contacts]]`.
    """
    words.known(table, PAIR_KEYS)
    between = words.needed(table, "between", 'one or two groups, bodies or terrains, or "all"')
    names = (between,) if isinstance(between, str) else tuple(words.listed("between", between))
    if not 1 <= len(names) <= 2:
        raise ValueError(f"between names {len(names)} groups; one or two were expected")
    law = {key: value for key, value in table.items() if key not in ("between", "shape")}
    shape = words.one_of("shape", table.get("shape", OF_BODY[0]), OF_BODY)
    return Pairs(tuple(words.text("between", name) for name in names), shape, MappingProxyType(law))


def with_shapes(mechanism: Mechanism, declared: Sequence[Pairs] = ()) -> Mechanism:
    """The mechanism with contacts between groups made, outlines put in their place, and every touch a contact.

    Parameters
    ----------
    mechanism
        Its contacts as they are declared.
    declared
        Contacts between groups.

    Raises
    ------
    ValueError
        If a group, body or terrain does not exist, or a body without outline shall touch by it.
    """
    bodies = {body.name: body for body in mechanism.bodies}
    contacts = list(mechanism.contacts)
    for entry in declared:
        try:
            contacts += _between(entry, mechanism, bodies, {c.name for c in contacts})
        except ValueError as error:
            raise ValueError(f"contacts between {' and '.join(entry.between)}: {error}") from None
    expanded: list[Contact] = []
    for contact in contacts:
        try:
            shaped = _shaped(contact, bodies, mechanism.parameters)
            if not contact.touches:
                shaped = replace(shaped, touches=_most_touches(contact, mechanism))
            expanded += touches_of(shaped)
        except ValueError as error:
            raise ValueError(f"contact '{contact.name}': {error}") from None
    return replace(mechanism, contacts=tuple(expanded))


def touches_of(contact: Contact) -> tuple[Contact, ...]:
    """One contact for each place in which a declared contact may touch.

    Parameters
    ----------
    contact
        As declared; one that is a touch already is returned as it is.
    """
    if contact.touches == 1 or "." in contact.name:
        return (contact,)
    return tuple(replace(contact, name=f"{contact.name}.{i + 1}", slot=i) for i in range(contact.touches))


def has_shape(contact: Contact) -> bool:
    """Whether the features that touch depend on the state: polygons, and whatever touches a polygon or terrain.

    Parameters
    ----------
    contact
        A contact of a mechanism.
    """
    return bool(contact.kind == "polygon" or contact.other_shape or contact.terrain)


def _most_touches(contact: Contact, mechanism: Mechanism) -> int:
    """Touches on terrain where nothing is said: two, and four of a polygon that may lie in a valley."""
    if contact.kind != "polygon":
        return 2
    for ground in mechanism.terrains:
        if ground.name == contact.terrain:
            return 4 if has_valley(ground, mechanism.parameters) else 2
    return 2


def has_valley(ground: Terrain, values: Mapping[str, float]) -> bool:
    """Whether the line of a terrain turns to its free side somewhere, so that a shape can be wedged there.

    Parameters
    ----------
    ground
        The terrain.
    values
        Values of the parameters.
    """
    if ground.half_planes:
        return len(ground.half_planes) > 1
    line = [_numbers(corner, values) for corner in ground.line]
    return any(turn(a, b, c) > 0 for a, b, c in zip(line, line[1:], line[2:], strict=False))


def _numbers(point: Point, values: Mapping[str, float]) -> tuple[float, ...]:
    return tuple(x.evaluate(values) if isinstance(x, Expression) else float(x) for x in point)


def _shaped(contact: Contact, bodies: Mapping[str, Body], values: Mapping[str, float]) -> Contact:
    changes: dict[str, Any] = {}
    for key, name in (("shape", contact.body), ("other_shape", contact.other)):
        shape = getattr(contact, key)
        if isinstance(shape, str):
            changes[key] = _outline(shape, key, name, bodies, values)
    return replace(contact, **changes) if changes else contact


def _outline(
    shape: str, key: str, name: str, bodies: Mapping[str, Body], values: Mapping[str, float]
) -> tuple[Point, ...]:
    if name not in bodies:
        if name == WORLD:
            raise ValueError(
                f"{key} is '{shape}', but the world has no outline; corners [[x, y], ...] were expected"
            )
        raise ValueError(
            f"body '{name}' does not exist{meant(name, bodies)}; expected one of {', '.join(bodies)}"
        )
    outline = bodies[name].outline
    if not outline:
        raise ValueError(
            f"{key} is '{shape}', but body '{name}' has no outline; give it one, or corners here"
        )
    if shape == "outline":
        return outline
    return tuple(outline[i] for i in hull([_numbers(corner, values) for corner in outline]))


def _between(
    entry: Pairs, mechanism: Mechanism, bodies: Mapping[str, Body], taken: Iterable[str]
) -> list[Contact]:
    terrains = {ground.name for ground in mechanism.terrains}
    if entry.between == (ALL,):
        members = [name for name, body in bodies.items() if body.outline]
        found = [*combinations(members, 2), *product(members, sorted(terrains))]
    else:
        sides = [_members(name, mechanism, bodies, terrains) for name in entry.between]
        found = list(combinations(sides[0], 2)) if len(sides) == 1 else list(product(sides[0], sides[1]))
    made: dict[str, Contact] = {}
    for a, b in found:
        if a in terrains:
            a, b = b, a
        if a in terrains:
            raise ValueError(f"'{a}' and '{b}' are both terrain; a body was expected on one side")
        if a == b or f"{b}_{a}" in made or joined(a, b, bodies) or beside(a, b, bodies):
            continue
        table: dict[str, Any] = {
            "name": f"{a}_{b}",
            "type": "polygon",
            "body": a,
            "shape": entry.shape,
            **entry.words,
        }
        table.update({"terrain": b} if b in terrains else {"other": b, "other_shape": entry.shape})
        if b not in terrains and table.get("touches", 1) in range(3, contact_words.MOST_TOUCHES + 1):
            table["touches"] = 2  # what two convex shapes can have
        if table["name"] in taken:
            raise ValueError(f"contact '{table['name']}' exists already; expected each pair once")
        made[table["name"]] = contact_words.contact(table)
    if len(entry.between) == 2 and not made:
        raise ValueError(
            "found no two bodies that could touch: they are one, or joined, or in different layers"
        )
    return list(made.values())


def _members(
    name: str, mechanism: Mechanism, bodies: Mapping[str, Body], terrains: Iterable[str]
) -> tuple[str, ...]:
    if name in mechanism.groups:
        for member in mechanism.groups[name]:
            if member not in bodies:
                raise ValueError(
                    f"group '{name}': body '{member}' does not exist{meant(member, bodies)}; expected some of {', '.join(bodies)}"
                )
        return mechanism.groups[name]
    if name in bodies or name in terrains:
        return (name,)
    known = [*mechanism.groups, *bodies, *terrains]
    raise ValueError(
        f"'{name}' is no group, body or terrain{meant(name, known)}; expected one of {', '.join(known)}"
    )


def joined(a: str, b: str, bodies: Mapping[str, Body]) -> bool:
    """Whether a joint connects two bodies, or a weld and a joint: they overlap there by construction.

    Parameters
    ----------
    a, b
        Names of two bodies; that of anything else is joined with nothing.
    bodies
        All bodies by name.
    """

    def carrier(name: str) -> str:
        while name in bodies and bodies[name].joint.kind == "weld" and bodies[name].parent != WORLD:
            name = bodies[name].parent
        return name

    first, second = carrier(a), carrier(b)
    parents = [carrier(bodies[name].parent) if name in bodies else "" for name in (first, second)]
    return first == second or parents[0] == second or parents[1] == first


def beside(a: str, b: str, bodies: Mapping[str, Body]) -> bool:
    """Whether two bodies lie in different layers, so that they pass each other.

    Parameters
    ----------
    a, b
        Names of two bodies; anything else lies in all layers.
    bodies
        All bodies by name.
    """
    return a in bodies and b in bodies and bodies[a].layer != bodies[b].layer
