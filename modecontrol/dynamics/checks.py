"""Does a mechanism make sense? One function, used for model files and for mechanisms built in Python."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from modecontrol.dynamics.contact_checks import check_cable, check_contact
from modecontrol.dynamics.coupling_checks import check_couplings
from modecontrol.dynamics.drag import Drag
from modecontrol.dynamics.expressions import Expression
from modecontrol.dynamics.mechanism import WORLD, Body, Input, Joint, Mechanism
from modecontrol.dynamics.name_checks import check_names, declared_name
from modecontrol.dynamics.references import check_text
from modecontrol.dynamics.shape_checks import check_shapes
from modecontrol.dynamics.start_check import check_start
from modecontrol.dynamics.value_checks import (
    at,
    check_ends,
    check_exists,
    check_ordered,
    check_point,
    check_value,
    listed,
)
from modecontrol.validation import meant


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
    check_names(mechanism)
    bodies = {body.name for body in mechanism.bodies}
    with at("parameters"):
        for name, parameter in mechanism.parameters.items():
            check_value(name, parameter, {}, "a number", finite=False)
    for key in ("gravity", "wind"):
        with at(key):
            check_point(key, getattr(mechanism, key), mechanism.parameters)
    for body in mechanism.bodies:
        with at(f"body '{body.name}'"):
            _check_body(body, bodies, mechanism.parameters)
    _check_order(mechanism.bodies)
    for actuator in mechanism.inputs:
        with at(f"input '{actuator.name}'"):
            _check_input(actuator, mechanism.coordinates, mechanism.parameters)
    for contact in mechanism.contacts:
        with at(f"contact '{declared_name(contact)}'"):
            check_contact(contact, bodies, mechanism.parameters)
    for pin in mechanism.pins:
        with at(f"pin '{pin.name}'"):
            check_ends(pin, bodies, mechanism.parameters)
    for cable in mechanism.cables:
        with at(f"cable '{cable.name}'"):
            check_cable(cable, bodies, mechanism.parameters)
    check_couplings(mechanism)
    check_shapes(mechanism)
    for what, values in (("start", mechanism.start), ("start velocity", mechanism.start_velocity)):
        with at(what):
            for name, value in values.items():
                check_exists("coordinate", name, mechanism.coordinates)
                check_value(name, value, mechanism.parameters, "a finite number")
    check_start(mechanism)
    for what, texts in (("constraint", mechanism.constraints), ("output", mechanism.outputs)):
        for name, text in texts.items():
            with at(f"{what} '{name}'"):
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
                    f"expected '{WORLD}' or one of {listed(named)}"
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


def _check_body(body: Body, bodies: Iterable[str], values: Mapping[str, float]) -> None:
    if body.parent != WORLD:
        check_exists("parent", body.parent, bodies)
    joint = body.joint
    for key in ("mass", "inertia"):
        check_value(key, getattr(body, key), values, "a number that is not negative", least=0.0)
    check_point("com", body.com, values)
    for corner in body.outline:
        check_point("outline", corner, values)
    check_point("joint at", joint.at, values)
    for key in ("angle", "rest"):
        check_value(f"joint {key}", getattr(joint, key), values, "a finite number")
    for key in ("stiffness", "damping"):
        check_value(f"joint {key}", getattr(joint, key), values, "a number that is not negative", least=0.0)
    _check_joint_laws(joint, values)
    for number, drag in enumerate(body.drag, start=1):
        _check_drag(f"drag {number}" if len(body.drag) > 1 else "drag", drag, values)


def _check_drag(name: str, drag: Drag, values: Mapping[str, float]) -> None:
    """No coefficient is negative: a medium takes energy."""
    coefficients = [(key, scalar) for key in ("linear", "quadratic") for scalar in getattr(drag, key)]
    coefficients += [(key, getattr(drag, key)) for key in ("turning", "turning_quadratic")]
    for key, scalar in coefficients:
        check_value(f"{name} {key}", scalar, values, "a number that is not negative", least=0.0)
    check_value(f"{name} angle", drag.angle, values, "a finite number")
    if drag.at is not None:
        check_point(f"{name} at", drag.at, values)


def _check_joint_laws(joint: Joint, values: Mapping[str, float]) -> None:
    told = any(isinstance(stop, Expression) or math.isfinite(stop) for stop in (joint.lower, joint.upper))
    if joint.stop_restitution != 0.0 and not told:
        raise ValueError("found stop_restitution; only a joint with lower or upper has one")
    for key in ("friction", "armature"):
        check_value(f"joint {key}", getattr(joint, key), values, "a number that is not negative", least=0.0)
    check_ordered("joint lower", joint.lower, "upper", joint.upper, values)
    if (
        check_value(
            "joint stop_restitution", joint.stop_restitution, values, "a number from 0 to 1", least=0.0
        )
        > 1.0
    ):
        raise ValueError(
            f"joint stop_restitution = {joint.stop_restitution}; a number from 0 to 1 was expected"
        )
    low, high = joint.effort
    if check_value("joint effort", low, values, "a number", finite=False) > check_value(
        "joint effort", high, values, "a number", finite=False
    ):
        raise ValueError(f"joint effort = [{low}, {high}]; [least, greatest] was expected")


def _check_order(bodies: Sequence[Body]) -> None:
    if [body.name for body in parents_first(bodies)] != [body.name for body in bodies]:
        raise ValueError("a body stands before its parent; expected parents first (see parents_first)")


def _check_input(actuator: Input, coordinates: Iterable[str], values: Mapping[str, float]) -> None:
    for name in actuator.coordinates:
        check_exists("coordinate", name, coordinates)
    if len(set(actuator.coordinates)) < len(actuator.coordinates):
        raise ValueError("a coordinate is named twice; expected each once, with the sum of its gains")
    if len(actuator.gains) != len(actuator.coordinates):
        raise ValueError(f"found {len(actuator.gains)} gains; expected {len(actuator.coordinates)}")
    for gain in actuator.gains:
        check_value("gain", gain, values, "a finite number")
    lower = check_value("lower", actuator.lower, values, "a number", finite=False)
    upper = check_value("upper", actuator.upper, values, "a number", finite=False)
    if lower > upper:
        raise ValueError(f"lower = {lower:g} exceeds upper = {upper:g}; expected lower <= upper")
    stall = check_value(
        "stall", actuator.stall, values, "a torque that is not negative", least=0.0, finite=False
    )
    no_load = check_value("no_load", actuator.no_load, values, "a positive speed", least=0.0, finite=False)
    if no_load == 0.0:
        raise ValueError("no_load is 0; a positive speed was expected")
    if math.isinf(stall) and not math.isinf(no_load):
        raise ValueError("no_load is given without stall; expected both, or stall alone")
