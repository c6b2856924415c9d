"""Does a mechanism make sense? One function, used for model files and for mechanisms built in Python."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from modecontrol.dynamics.couplings import check_couplings, loop_names
from modecontrol.dynamics.expressions import CONSTANTS, FUNCTIONS, Expression, meant
from modecontrol.dynamics.mechanism import (
    WORLD,
    Body,
    Cable,
    Contact,
    Input,
    Joint,
    Mechanism,
    Pin,
    Point,
    Scalar,
)
from modecontrol.dynamics.references import check_text
from modecontrol.dynamics.shape_checks import check_shapes
from modecontrol.dynamics.start_check import check_start

INDICES = ("i", "j")
"""Names that count repetitions in model files; no parameter may have them."""


def check(mechanism: Mechanism) -> None:
    """Names are words and unique, parents and coordinates exist, the tree has no cycle, numbers are in range.

    Parameters
    ----------
    mechanism
        What a model file or a builder put together.

    Raises
    ------
    ValueError
        On the first thing wrong, in one line that begins with the entry it concerns.

    """
    if not mechanism.bodies:
        raise ValueError("found no body; a mechanism was expected to have at least one")
    _check_names(mechanism)
    bodies = {body.name for body in mechanism.bodies}
    with _at("parameters"):
        for name, parameter in mechanism.parameters.items():
            _number(name, parameter, {}, "a number", finite=False)
    with _at("gravity"):
        _point("gravity", mechanism.gravity, mechanism.parameters)
    for body in mechanism.bodies:
        with _at(f"body '{body.name}'"):
            _check_body(body, bodies, mechanism.parameters)
    _check_order(mechanism.bodies)
    for actuator in mechanism.inputs:
        with _at(f"input '{actuator.name}'"):
            _check_input(actuator, mechanism.coordinates, mechanism.parameters)
    for contact in mechanism.contacts:
        with _at(f"contact '{_without_slot(contact)}'"):
            _check_contact(contact, bodies, mechanism.parameters)
    for pin in mechanism.pins:
        with _at(f"pin '{pin.name}'"):
            _check_ends(pin, bodies, mechanism.parameters)
    for cable in mechanism.cables:
        with _at(f"cable '{cable.name}'"):
            _check_cable(cable, bodies, mechanism.parameters)
    check_couplings(mechanism, sys.modules[__name__])
    check_shapes(mechanism, sys.modules[__name__])
    for what, values in (("start", mechanism.start), ("start velocity", mechanism.start_velocity)):
        with _at(what):
            for name, value in values.items():
                _exists("coordinate", name, mechanism.coordinates)
                _number(name, value, mechanism.parameters, "a finite number")
    check_start(mechanism)
    for what, texts in (("constraint", mechanism.constraints), ("output", mechanism.outputs)):
        for name, text in texts.items():
            with _at(f"{what} '{name}'"):
                check_text(text, mechanism, what == "constraint")


def parents_first(bodies: Sequence[Body]) -> tuple[Body, ...]:
    """The bodies so that every parent comes before its children; only parents move, and only forward.

    Parameters
    ----------
    bodies
        In any order, with unique names.

    Raises
    ------
    ValueError
        If a parent is missing, or the parents form a cycle.

    """
    named = {body.name: body for body in bodies}
    if WORLD in named:
        raise ValueError(f"body '{WORLD}': the name is reserved; another name was expected")
    placed: dict[str, Body] = {}
    for body in bodies:
        path: list[str] = []
        name = body.name
        while name != WORLD and name not in placed:
            if name not in named:
                raise ValueError(
                    f"body '{path[-1]}': parent '{name}' does not exist{meant(name, named)}; "
                    f"expected '{WORLD}' or one of {_listed(named)}"
                )
            if name in path:
                cycle = " -> ".join([*path[path.index(name) :], name])
                raise ValueError(
                    f"body '{name}': its parents form a cycle, {cycle}; expected every chain of "
                    f"parents to end at '{WORLD}'"
                )
            path.append(name)
            name = named[name].parent
        placed.update((name, named[name]) for name in reversed(path))
    return tuple(placed.values())


_TAKEN = {
    "cable": ("contact", "contacts and cables"),
    "terrain": ("body", "bodies and terrains"),
    "group": ("body or terrain", "groups, bodies and terrains"),
}
"""By kind of entry: what may have its name already, and what has to differ."""


def _check_names(mechanism: Mechanism) -> None:
    for what, names in (
        ("body", [body.name for body in mechanism.bodies]),
        ("coordinate", list(mechanism.coordinates)),
        ("input", [actuator.name for actuator in mechanism.inputs]),
        ("contact", [_without_slot(contact) for contact in mechanism.contacts if contact.slot == 0]),
        ("terrain", [terrain.name for terrain in mechanism.terrains]),
        ("group", list(mechanism.groups)),
        ("cable", [cable.name for cable in mechanism.cables]),
        ("pin", list(loop_names(mechanism))),
        ("spring", [spring.name for spring in mechanism.springs]),
        ("push", [push.name for push in mechanism.pushes]),
        ("parameter", list(mechanism.parameters)),
        ("constraint", list(mechanism.constraints)),
        ("output", list(mechanism.outputs)),
    ):
        seen: set[str] = set()
        for name in names:
            if not name.isidentifier() or name.startswith("__"):
                raise ValueError(f"{what} '{name}': the name is not a word; expected letters, digits and _")
            if name in seen:
                raise ValueError(f"{what} '{name}': the name is used twice; unique names were expected")
            if name in {*FUNCTIONS, *CONSTANTS, WORLD} or (what == "parameter" and name in INDICES):
                raise ValueError(f"{what} '{name}': the name is reserved; another name was expected")
            seen.add(name)
    for what, names, taken in (
        (
            "cable",
            [cable.name for cable in mechanism.cables],
            {contact.name for contact in mechanism.contacts},
        ),
        (
            "terrain",
            [terrain.name for terrain in mechanism.terrains],
            {body.name for body in mechanism.bodies},
        ),
        (
            "group",
            list(mechanism.groups),
            {body.name for body in mechanism.bodies} | {terrain.name for terrain in mechanism.terrains},
        ),
        ("coordinate", list(mechanism.coordinates), set(mechanism.parameters)),
        (
            "input",
            [actuator.name for actuator in mechanism.inputs],
            {*mechanism.parameters, *mechanism.coordinates},
        ),
    ):
        for name in names:
            if name in taken:
                taken_by, kinds = _TAKEN.get(
                    what, ("parameter or coordinate", "parameters, coordinates and inputs")
                )
                raise ValueError(
                    f"{what} '{name}': a {taken_by} has this name too; expected different names for {kinds}"
                )


def _without_slot(contact: Contact) -> str:
    """The name under which a contact was declared: `foot` of `foot.2`."""
    return contact.name.removesuffix(f".{contact.slot + 1}") if contact.touches > 1 else contact.name


def _check_body(body: Body, bodies: Iterable[str], values: Mapping[str, float]) -> None:
    if body.parent != WORLD:
        _exists("parent", body.parent, bodies)
    joint = body.joint
    for key in ("mass", "inertia"):
        _number(key, getattr(body, key), values, "a number that is not negative", least=0.0)
    _point("com", body.com, values)
    for corner in body.outline:
        _point("outline", corner, values)
    _point("joint at", joint.at, values)
    for key in ("angle", "rest"):
        _number(f"joint {key}", getattr(joint, key), values, "a finite number")
    for key in ("stiffness", "damping"):
        _number(f"joint {key}", getattr(joint, key), values, "a number that is not negative", least=0.0)
    _check_joint_laws(joint, values)


def _check_joint_laws(joint: Joint, values: Mapping[str, float]) -> None:
    told = any(isinstance(stop, Expression) or math.isfinite(stop) for stop in (joint.lower, joint.upper))
    if joint.stop_restitution != 0.0 and not told:
        raise ValueError("found stop_restitution; only a joint with lower or upper has one")
    for key in ("friction", "armature"):
        _number(f"joint {key}", getattr(joint, key), values, "a number that is not negative", least=0.0)
    _ordered("joint lower", joint.lower, "upper", joint.upper, values)
    if (
        _number("joint stop_restitution", joint.stop_restitution, values, "a number from 0 to 1", least=0.0)
        > 1.0
    ):
        raise ValueError(
            f"joint stop_restitution = {joint.stop_restitution}; a number from 0 to 1 was expected"
        )
    low, high = joint.effort
    if _number("joint effort", low, values, "a number", finite=False) > _number(
        "joint effort", high, values, "a number", finite=False
    ):
        raise ValueError(f"joint effort = [{low}, {high}]; [least, greatest] was expected")


def _ordered(low_key: str, low: Scalar, high_key: str, high: Scalar, values: Mapping[str, float]) -> None:
    """Two ends of a range, which may be infinite outwards, with room between them."""
    below = _number(low_key, low, values, "a number", finite=False)
    above = _number(high_key, high, values, "a number", finite=False)
    if not below < above or below == math.inf or above == -math.inf:
        raise ValueError(f"{low_key} = {below:g} and {high_key} = {above:g}; lower < upper was expected")


def _check_order(bodies: Sequence[Body]) -> None:
    if [body.name for body in parents_first(bodies)] != [body.name for body in bodies]:
        raise ValueError("a body stands before its parent; expected parents first (see parents_first)")


def _check_input(actuator: Input, coordinates: Iterable[str], values: Mapping[str, float]) -> None:
    for name in actuator.coordinates:
        _exists("coordinate", name, coordinates)
    if len(set(actuator.coordinates)) < len(actuator.coordinates):
        raise ValueError("a coordinate is named twice; expected each once, with the sum of its gains")
    if len(actuator.gains) != len(actuator.coordinates):
        raise ValueError(f"found {len(actuator.gains)} gains; expected {len(actuator.coordinates)}")
    for gain in actuator.gains:
        _number("gain", gain, values, "a finite number")
    lower = _number("lower", actuator.lower, values, "a number", finite=False)
    upper = _number("upper", actuator.upper, values, "a number", finite=False)
    if lower > upper:
        raise ValueError(f"lower = {lower:g} exceeds upper = {upper:g}; expected lower <= upper")
    stall = _number("stall", actuator.stall, values, "a torque that is not negative", least=0.0, finite=False)
    no_load = _number("no_load", actuator.no_load, values, "a positive speed", least=0.0, finite=False)
    if no_load == 0.0:
        raise ValueError("no_load is 0; a positive speed was expected")
    if math.isinf(stall) and not math.isinf(no_load):
        raise ValueError("no_load is given without stall; expected both, or stall alone")


def _check_contact(contact: Contact, bodies: Iterable[str], values: Mapping[str, float]) -> None:
    _exists("body", contact.body, bodies)
    if contact.other != WORLD:
        side = "other" if contact.kind == "disc_disc" or contact.other_shape else "wall body"
        _exists(side, contact.other, bodies)
    if contact.other == contact.body:
        raise ValueError(f"body and other are both '{contact.body}'; two different bodies were expected")
    for key in ("point", "origin", "other_point"):
        _point(key, getattr(contact, key), values)
    _number("tilt", contact.tilt, values, "an angle")
    radii = [
        _number(key, getattr(contact, key), values, "a radius that is not negative", least=0.0)
        for key in ("radius", "other_radius")
    ]
    if contact.kind == "disc_disc" and sum(radii) == 0.0:
        raise ValueError("both radii are 0; at least one positive radius was expected")
    rolling = _number("rolling", contact.rolling, values, "a length that is not negative", least=0.0)
    if rolling > 0.0 and (contact.kind == "point" or sum(radii) == 0.0):
        raise ValueError(
            f"rolling = {rolling:g}; a contact that resists rolling was expected to be round: a disc, or a polygon with a radius"
        )
    for key in ("mu", "damping", "pull"):
        _number(key, getattr(contact, key), values, "a number that is not negative", least=0.0)
    _number("speed", contact.speed, values, "a finite number")
    if contact.mu_static is not None:
        mu = _number("mu", contact.mu, values, "a number")
        static = _number("mu_static", contact.mu_static, values, "a number that is not negative", least=0.0)
        if static < mu:
            raise ValueError(f"mu_static = {static:g} is below mu = {mu:g}; mu_static >= mu was expected")
    if contact.one_way not in ("", "left", "right"):
        raise ValueError(f"one_way is '{contact.one_way}'; 'left' or 'right' was expected")
    for key in ("restitution", "tangential_restitution"):
        if _number(key, getattr(contact, key), values, "a number from 0 to 1", least=0.0) > 1.0:
            raise ValueError(f"{key} = {getattr(contact, key)}; a number from 0 to 1 was expected")
    stiffness = _number("stiffness", contact.stiffness, values, "a positive number", least=0.0, finite=False)
    if math.isfinite(stiffness) and _number("pull", contact.pull, values, "a number") > 0.0:
        raise ValueError(
            "found pull and stiffness; a contact that pulls was expected to be rigid: leave one of them out"
        )
    if stiffness == 0.0:
        raise ValueError("stiffness is 0; a positive number was expected (leave it out for a rigid contact)")


def _check_cable(cable: Cable, bodies: Iterable[str], values: Mapping[str, float]) -> None:
    _check_ends(cable, bodies, values)
    if _number("length", cable.length, values, "a positive length", least=0.0) == 0.0:
        raise ValueError("length is 0; a positive length was expected")


def _check_ends(part: Pin | Cable, bodies: Iterable[str], values: Mapping[str, float]) -> None:
    """Two bodies and a point of each."""
    _exists("body", part.body, bodies)
    if part.other != WORLD:
        _exists("other", part.other, bodies)
    if part.other == part.body:
        raise ValueError(f"body and other are both '{part.body}'; two different bodies were expected")
    _point("point", part.point, values)
    _point("other_point", part.other_point, values)


def _number(
    key: str,
    scalar: Scalar,
    values: Mapping[str, float],
    expected: str,
    least: float = -math.inf,
    finite: bool = True,
) -> float:
    try:
        value = scalar.evaluate(values) if isinstance(scalar, Expression) else float(scalar)
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None
    if math.isnan(value) or value < least or (finite and math.isinf(value)):
        expected = "a finite number" if value == math.inf and finite else expected
        written = f" ('{scalar}')" if isinstance(scalar, Expression) else ""
        raise ValueError(f"{key} = {value:g}{written}; {expected} was expected")
    return value


def _point(key: str, point: Point, values: Mapping[str, float]) -> None:
    for scalar in point:
        _number(key, scalar, values, "a finite number")


def _exists(what: str, name: str, names: Iterable[str]) -> None:
    if name not in names:
        raise ValueError(
            f"{what} '{name}' does not exist{meant(name, names)}; expected one of {_listed(names) or 'none'}"
        )


def _listed(names: Iterable[str]) -> str:
    some = sorted(names)
    return ", ".join(some if len(some) <= 12 else [*some[:11], f"... ({len(some)} in all)"])


@contextmanager
def _at(place: str) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None
