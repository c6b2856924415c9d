"""Inputs, loops, gears, springs, cables and constant forces of an assembly in the plane."""

from __future__ import annotations

import math

import numpy as np

from modecontrol import tolerances
from modecontrol.interop.flat import Flat
from modecontrol.interop.spatial import Drive, Gear, Knot, Rope


def add_forces(flat: Flat) -> None:
    """Everything that acts on the bodies but contacts.

    Parameters
    ----------
    flat
        With all its bodies.
    """
    for drive in flat.assembly.drives:
        _drive(flat, drive)
    for knot in flat.assembly.knots:
        _knot(flat, knot)
    for gear in flat.assembly.gears:
        _gear(flat, gear)
    for rope in flat.assembly.ropes:
        _rope(flat, rope)
    for lift in flat.assembly.lifts:
        body, point = flat.local(lift.link, flat.flat @ lift.point)
        force = flat.flat @ lift.force
        if np.any(force) and flat.rigid[lift.link] != "world":
            flat.builder.push(
                flat.word("push", lift.name), body, point=point, force=(float(force[0]), float(force[1]))
            )


def _drive(flat: Flat, drive: Drive) -> None:
    acting = [(joint, gain) for joint, gain in drive.gains if joint in flat.coordinates]
    stuck = [joint for joint, _ in drive.gains if joint not in flat.coordinates and not _held(flat, joint)]
    if stuck:
        flat.left_out.append(
            f"the drive {drive.name!r}: its joint {stuck[0]!r} does not move in the plane by one coordinate"
        )
    if not acting or stuck:
        return
    names = [flat.coordinates[joint] for joint, _ in acting]
    flat.builder.input(
        flat.word("input", drive.name),
        *names,
        gains=tuple(flat.signs[name] * gain for name, (_, gain) in zip(names, acting, strict=True)),
        lower=drive.lower,
        upper=drive.upper,
    )


def _held(flat: Flat, joint: str) -> bool:
    fixed = (j.name for link in flat.assembly.links for j in link.joints if j.kind == "fixed")
    return joint in flat.locked or joint in fixed


def _knot(flat: Flat, knot: Knot) -> None:
    if flat.rigid[knot.link] == flat.rigid[knot.other]:
        return  # one rigid piece: nothing to hold
    (body, here), (other, there) = (
        flat.local(link, flat.flat @ point)
        for link, point in ((knot.link, knot.point), (knot.other, knot.other_point))
    )
    name = flat.word("pin", knot.name)
    if knot.turn is None:
        flat.builder.pin(name, body, here, other, there)
        return
    if np.linalg.norm(knot.turn @ flat.normal - flat.normal) > tolerances.ALIGNED:
        raise ValueError(
            f"{flat.assembly.name}: the weld {knot.name!r} turns its bodies out of the plane {flat.plane!r}; expected a "
            "turn about the normal"
        )
    right = flat.flat @ knot.turn @ flat.flat[0]
    turn = math.atan2(right[1], right[0])
    flat.builder.closure(
        name,
        "weld",
        body=body,
        point=here,
        other=other,
        other_point=there,
        angle=flat.frames[knot.link][2] + turn - flat.frames[knot.other][2],
    )


def _gear(flat: Flat, gear: Gear) -> None:
    for joint in (gear.joint, gear.other):
        if joint not in flat.coordinates:
            raise ValueError(
                f"{flat.assembly.name}: {gear.name!r} couples the joint {gear.joint!r} to {gear.other!r}, and {joint!r} does "
                "not move in the plane by one coordinate; expected two that do, or both in locked"
            )
    one, other = flat.coordinates[gear.joint], flat.coordinates[gear.other]
    sign = flat.signs[one]
    ratio, offset = sign * flat.signs[other] * gear.ratio, sign * gear.offset
    flat.builder.closure(
        flat.word("pin", gear.name),
        "gear",
        coordinate=one,
        other_coordinate=other,
        ratio=ratio,
        offset=offset,
    )


def _rope(flat: Flat, rope: Rope) -> None:
    across = float(flat.normal @ (rope.point - rope.other_point))
    if abs(across) > tolerances.ALIGNED * max(1.0, float(np.linalg.norm(rope.point - rope.other_point))):
        flat.left_out.append(
            f"the tendon {rope.name!r}, whose ends are {abs(across):g} m apart across the plane"
        )
        return
    (body, here), (other, there) = (
        flat.local(link, flat.flat @ point)
        for link, point in ((rope.link, rope.point), (rope.other, rope.other_point))
    )
    if flat.rigid[rope.link] == flat.rigid[rope.other]:
        return
    if body == "world":
        body, here, other, there = other, there, body, here
    if rope.stiffness or rope.damping:
        flat.builder.spring(
            flat.word("spring", rope.name),
            body,
            point=here,
            other=other,
            other_point=there,
            stiffness=rope.stiffness,
            damping=rope.damping,
            length=rope.length,
        )
    if math.isfinite(rope.most):
        name = flat.word("contact", rope.name)
        flat.builder.cable(name, body, point=here, other=other, other_point=there, length=rope.most)
