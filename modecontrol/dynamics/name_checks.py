"""Are the names of a mechanism words, each used once, and none of them reserved?"""

from __future__ import annotations

from modecontrol.dynamics.couplings import loop_names
from modecontrol.dynamics.expressions import CONSTANTS, FUNCTIONS
from modecontrol.dynamics.mechanism import WORLD, Contact, Mechanism

INDICES = ("i", "j")
"""Names that count repetitions in model files; no parameter may have them."""
_TAKEN = {
    "cable": ("contact", "contacts and cables"),
    "terrain": ("body", "bodies and terrains"),
    "group": ("body or terrain", "groups, bodies and terrains"),
}
"""By kind of entry: what may have its name already, and what has to differ."""


def check_names(mechanism: Mechanism) -> None:
    """Refuse the first name that is no word, stands twice, is reserved, or belongs to something else too.

    Parameters
    ----------
    mechanism
        With all its entries.
    """
    for what, names in (
        ("body", [body.name for body in mechanism.bodies]),
        ("coordinate", list(mechanism.coordinates)),
        ("input", [actuator.name for actuator in mechanism.inputs]),
        ("contact", [declared_name(contact) for contact in mechanism.contacts if contact.slot == 0]),
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


def declared_name(contact: Contact) -> str:
    """The name under which a contact was declared: `foot` of `foot.2`."""
    return contact.name.removesuffix(f".{contact.slot + 1}") if contact.touches > 1 else contact.name
