"""Everything that has a letter in a contact mode, in order: contacts, joint stops, dry joints, cables, prescribed joints,
resistances to rolling.

| entry   | name            | letters    | rows of `J`                                                             |
|---------|-----------------|------------|-------------------------------------------------------------------------|
| contact | of the contact  | S, L, R, F | normal and tangential                                                   |
| stop    | `knee.stop`     | S, F       | the coordinate, away from the nearer of its two stops; the other is zero |
| dry     | `knee.friction` | L, R, F    | the normal one is zero; the coordinate                                  |
| cable   | of the cable    | S, F       | how fast the ends approach each other; the other is zero                |
| drive   | `knee.drive`    | F          | the normal one is zero; the coordinate, whose acceleration is told       |
| rolling | `wheel.rolling` | S, L, R, F | the normal one is zero; how fast the two sides of the contact turn       |

Joints have no names of their own, so those of their coordinates stand before the dot.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from modecontrol.dynamics.contact_laws import ONE_SIDED
from modecontrol.dynamics.expressions import Expression

if TYPE_CHECKING:
    from modecontrol.dynamics.mechanism import Contact, Joint, Mechanism

CONTACT, STOP, DRY, CABLE, DRIVE, ROLLING = "contact", "stop", "dry", "cable", "drive", "rolling"
_FORCES = {
    CONTACT: (".normal", ".tangent"),
    STOP: ("", None),
    DRY: (None, ""),
    CABLE: (".tension", None),
    DRIVE: (None, ""),
    ROLLING: (None, ""),
}
"""What the names of an entry's two forces end in; None where the force is always zero."""


@dataclass(frozen=True)
class Entry:
    """One letter of a contact mode: its name, its kind and the `Contact`, `Joint` or `Cable` behind it."""

    name: str
    kind: str
    part: Any
    coordinate: str = ""

    @property
    def forces(self) -> tuple[str | None, str | None]:
        """Names of its normal and tangential force; None for one that it does not have."""
        normal, tangent = (None if end is None else self.name + end for end in _FORCES[self.kind])
        return normal, tangent


def entries(mechanism: Mechanism) -> tuple[Entry, ...]:
    """Everything that has a letter, in the order of the letters.

    Parameters
    ----------
    mechanism
        With expressions or evaluated.
    """
    values = mechanism.parameters
    joints = [body.joint for body in mechanism.bodies if len(body.joint.coordinates) == 1]
    return (
        *(Entry(contact.name, CONTACT, contact) for contact in mechanism.contacts),
        *(
            Entry(f"{joint.coordinates[0]}.stop", STOP, joint, joint.coordinates[0])
            for joint in joints
            if has_stop(joint, values)
        ),
        *(
            Entry(f"{joint.coordinates[0]}.friction", DRY, joint, joint.coordinates[0])
            for joint in joints
            if is_dry(joint, values)
        ),
        *(Entry(cable.name, CABLE, cable) for cable in mechanism.cables),
        *(
            Entry(f"{joint.coordinates[0]}.drive", DRIVE, joint, joint.coordinates[0])
            for joint in joints
            if joint.prescribed
        ),
        *(
            Entry(f"{contact.name}.rolling", ROLLING, contact)
            for contact in mechanism.contacts
            if resists_rolling(contact, values)
        ),
    )


def units_of(name: str) -> tuple[str, str]:
    """Units of an entry's gap and of its speeds: those of a joint's entry are the joint's own.

    Parameters
    ----------
    name
        Name of the entry.
    """
    last = name.rpartition(".")[2]
    if last == ROLLING:
        return "m", "rad/s"
    return ("rad or m", "rad/s or m/s") if last in (STOP, "friction", DRIVE) else ("m", "m/s")


def too_deep(name: str, kind: str, depth: str) -> str:
    """A sentence on an entry whose gap is negative.

    Parameters
    ----------
    name, kind
        Of the entry, as `kind_of` calls it.
    depth
        The number, as it is written.
    """
    said = {STOP: "is passed by", CABLE: "is stretched by"}.get(kind)
    unit = units_of(name)[0]
    return (
        f"{kind} {name!r} {said} {depth} {unit}"
        if said
        else f"{kind} {name!r} is {depth} {unit} inside what it touches"
    )


def kind_of(name: str, laws: Any, place: int) -> str:
    """What an entry is called in a sentence: contact, stop or cable.

    Parameters
    ----------
    name
        Name of the entry.
    laws
        `ContactLaws` of the instant, or None.
    place
        Its place among the entries.
    """
    if name.endswith(f".{STOP}"):
        return STOP
    return CABLE if laws is not None and laws.kind[place] == ONE_SIDED else CONTACT


def has_stop(joint: Joint, values: Mapping[str, float]) -> bool:
    """Whether the joint has a stop: a finite `lower` or `upper`."""
    return math.isfinite(value(joint.lower, values)) or math.isfinite(value(joint.upper, values))


def is_dry(joint: Joint, values: Mapping[str, float]) -> bool:
    """Whether the joint has dry friction."""
    return value(joint.friction, values) > 0.0


def resists_rolling(contact: Contact, values: Mapping[str, float]) -> bool:
    """Whether a contact resists the turning of its two sides against each other.

    Parameters
    ----------
    contact
        A contact.
    values
        Values of the parameters.
    """
    return value(contact.rolling, values) > 0.0


def value(scalar: Any, values: Mapping[str, float]) -> float:
    """The number behind a number or an expression.

    Parameters
    ----------
    scalar
        A number, or an expression.
    values
        Values of the parameters.
    """
    return scalar.evaluate(values) if isinstance(scalar, Expression) else float(scalar)
