"""What is odd about a mechanism and no error: unused parameters, starts that cannot be, massless loops, stops out of reach."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.couplings import loop_names
from modecontrol.dynamics.description import has_stop
from modecontrol.dynamics.mechanism import WORLD, Contact, Mechanism
from modecontrol.dynamics.shapes import beside, joined

if TYPE_CHECKING:
    from modecontrol.dynamics.model import Model

STEPS = 200
"""Steps from the start to a stop, in which a loop is followed."""


@dataclass(frozen=True)
class Finding:
    """One remark: what kind it is, about which entry, and a sentence."""

    kind: str
    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


def lint(model: Model) -> tuple[Finding, ...]:
    """All that is odd about a model.

    | kind               | what was found                                                                    |
    |--------------------|-----------------------------------------------------------------------------------|
    | unused parameter   | no number of the mechanism changes with it                                        |
    | unused terrain     | no contact names it                                                               |
    | unused wind        | no body has a drag                                                                |
    | starts inside      | a contact that overlaps with what it touches at the start                         |
    | starts open        | a loop that is not closed at the start                                            |
    | impact             | a contact that is closed at the start and approaches, or a claw that moves against its only way |
    | overlap            | two bodies with shapes that overlap at the start, with no contact between them     |
    | no mass            | a mechanism without any inertia                                                    |
    | never moves        | a contact between parts that do not move against each other                        |
    | massless loop      | a loop of bodies without mass: its motion has no inertia                           |
    | unreachable stop   | a stop that the loops of the mechanism, or a full turn, keep it from               |

    Parameters
    ----------
    model
        Of a model file or of a builder.
    """
    return tuple(
        finding
        for find in (_parameters, _terrain, _wind, _start, _mass, _contacts, _overlaps, _loops, _stops)
        for finding in find(model)
    )


def _parameters(model: Model) -> Iterator[Finding]:
    before = replace(model.numbers, parameters={})
    for name, value in model.parameters.items():
        if not any(_changes(model, before, name, other) for other in (value * 0.9 + 0.003, value + 1.0)):
            yield Finding("unused parameter", f"parameter '{name}'", "nothing depends on it; it can go")


def _changes(model: Model, before: Mechanism, name: str, value: float) -> bool:
    try:
        return replace(model.with_parameters(**{name: value}).numbers, parameters={}) != before
    except ValueError:  # the mechanism cannot have that value, so it depends on it
        return True


def _terrain(model: Model) -> Iterator[Finding]:
    used = {contact.terrain for contact in model.mechanism.contacts}
    for terrain in model.mechanism.terrains:
        if terrain.name not in used:
            yield Finding("unused terrain", f"terrain '{terrain.name}'", "no contact touches it")


def _wind(model: Model) -> Iterator[Finding]:
    if any(model.numbers.wind) and not any(body.drag for body in model.numbers.bodies):
        yield Finding("unused wind", "wind", "no body has a drag on which it could act")


def _start(model: Model) -> Iterator[Finding]:
    snap = model.snapshot(model.start, model.start_velocity)
    for i, name in enumerate(model.contacts):
        gap, speed = float(snap.gap[i]), float(snap.velocity[2 * i])
        if gap < -tolerances.GAP:
            yield Finding("starts inside", f"contact '{name}'", f"starts {-gap:g} inside what it touches")
        elif gap <= tolerances.GAP and speed < -tolerances.GAP:
            yield Finding(
                "impact", f"contact '{name}'", f"is closed at the start and approaches at {-speed:g}"
            )
        elif gap <= tolerances.GAP and snap.laws is not None and snap.laws.way[i]:
            against = -float(snap.velocity[2 * i + 1]) * int(snap.laws.way[i])
            if against > tolerances.GAP:
                text = f"slides at the start at {against:g} against its only way"
                yield Finding("impact", f"contact '{name}'", text)
    residual, rows = model.loop_residual(model.start), model.names.loop_rows
    for name in loop_names(model.mechanism):
        part = [x for x, row in zip(residual, rows, strict=True) if row.rpartition(".")[0] == name]
        opening = max((abs(float(x)) for x in part), default=0.0)
        if opening > tolerances.GAP:
            yield Finding("starts open", f"loop '{name}'", f"starts open by {opening:g}")


def _mass(model: Model) -> Iterator[Finding]:
    mass = model.snapshot(model.start).mass
    if mass.size and not mass.any():
        yield Finding("no mass", "mechanism", "no body has a mass, so that nothing says how it moves")


def _contacts(model: Model) -> Iterator[Finding]:
    places = {
        body.name: place[0] for body, place in zip(model.numbers.bodies, model.tree.bodies, strict=True)
    }
    places[WORLD] = -1
    for contact in model.numbers.contacts:
        if contact.slot == 0 and places[contact.body] == places[contact.other]:
            yield Finding(
                "never moves",
                f"contact '{contact.name}'",
                f"'{contact.body}' and '{contact.other}' do not move against each other",
            )


def _overlaps(model: Model) -> Iterator[Finding]:
    """Bodies that touch something by a polygon, and lie in another such body that they are free to pass through."""
    from modecontrol.dynamics.model import Model

    m = model.numbers
    shapes: dict[str, tuple] = {}
    for c in m.contacts:
        for body, shape, radius in ((c.body, c.shape, c.radius), (c.other, c.other_shape, c.other_radius)):
            if shape and body != WORLD:
                shapes.setdefault(body, (shape, radius))
    declared = {frozenset((c.body, c.other)) for c in m.contacts}
    bodies = {body.name: body for body in m.bodies}
    tried = [
        Contact(
            f"try{i}",
            "polygon",
            a,
            shape=here[0],
            radius=here[1],
            other=b,
            other_shape=there[0],
            other_radius=there[1],
        )
        for i, ((a, here), (b, there)) in enumerate(combinations(shapes.items(), 2))
        if frozenset((a, b)) not in declared and not joined(a, b, bodies) and not beside(a, b, bodies)
    ]
    if not tried:
        return
    trial = Model(replace(m, contacts=tuple(tried), constraints={}, outputs={}))
    gap = dict(zip(trial.contacts, trial.snapshot(model.start).gap.tolist(), strict=True))
    for c in tried:
        if gap[c.name] < -tolerances.GAP:
            text = f"overlap by {-gap[c.name]:g} at the start, and no contact is declared between them"
            yield Finding("overlap", f"bodies '{c.body}' and '{c.other}'", text)


# Loops -----------------------------------------------------------------------------------------------------


def _loops(model: Model) -> Iterator[Finding]:
    m = model.numbers
    bodies = {body.name: body for body in m.bodies}

    def chain(name: str) -> list[str]:
        found = []
        while name != WORLD:
            found.append(name)
            name = bodies[name].parent
        return found

    ends = [(pin.name, pin.body, pin.other) for pin in m.pins]
    ends += [(c.name, c.body, c.other) for c in m.closures if c.kind != "gear"]
    for loop, one, other in ends:
        here, there = chain(one), chain(other)
        around = [name for name in here if name not in there] + [name for name in there if name not in here]
        carried = [
            bodies[name].mass or bodies[name].inertia or bodies[name].joint.armature for name in around
        ]
        if around and not any(carried):
            yield Finding("massless loop", f"loop '{loop}'", f"none of {', '.join(around)} has mass")


def _stops(model: Model) -> Iterator[Finding]:
    start = dict(zip(model.coordinates, model.start.tolist(), strict=True))
    for body in model.numbers.bodies:
        joint = body.joint
        if not has_stop(joint):
            continue
        name = joint.coordinates[0]
        for word, stop in (("lower", float(joint.lower)), ("upper", float(joint.upper))):  # type: ignore[arg-type]
            if not math.isfinite(stop):
                continue
            place = f"{word} stop of '{name}'"
            if joint.kind == "revolute" and abs(stop - start[name]) > 2 * math.pi + tolerances.GAP:
                text = f"is {abs(stop - start[name]):g} rad from the start, more than a full turn"
                yield Finding("unreachable stop", place, text)
                continue
            reached = _reached(model, name, stop)
            if abs(reached - stop) > tolerances.GAP:
                yield Finding(
                    "unreachable stop",
                    place,
                    f"at {stop:g} is out of reach: the loops let it come to {reached:.4g}",
                )


def _reached(model: Model, name: str, stop: float) -> float:
    """How far a coordinate comes from the start towards a stop while the loops stay closed."""
    if not loop_names(model.mechanism):
        return stop
    i = model.coordinates.index(name)
    q, came = model.start.copy(), float(model.start[i])
    rest = [j for j in range(len(q)) if j != i]
    for at in np.linspace(came, stop, STEPS + 1)[1:]:
        q[i] = at
        for _ in range(20):
            residual = model.loop_residual(q)
            if np.abs(residual).max(initial=0.0) <= tolerances.GAP:
                break
            jacobian = model.snapshot(q).loop_jacobian[:, rest]
            q[rest] -= np.linalg.lstsq(jacobian, residual, rcond=None)[0]
        else:
            return came
        came = float(at)
    return came
