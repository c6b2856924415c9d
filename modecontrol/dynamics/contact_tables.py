"""Contacts and what else has a law (stops, dry joints, cables, prescribed joints, resistance to rolling) as rows of one table."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from modecontrol.dynamics.contact_entries import Entry
from modecontrol.dynamics.mechanism import Contact
from modecontrol.dynamics.places import Places, find, point_of

CONTACT = np.dtype(
    [
        ("discs", np.bool_),  # disc against disc, or disc (a point has radius 0) against a half-plane
        ("node", np.int64),
        ("other", np.int64),
        ("centre", float, 2),
        ("radius", float),
        ("origin", float, 2),
        ("tangent", float, 2),  # of the half-plane, in the frame of `other`
        ("other_centre", float, 2),
        ("other_radius", float),
        ("friction", float),
        ("restitution", float),
        ("tangential_restitution", float),
        ("stiffness", float),
        ("damping", float),
        ("shape", np.int64),  # numbers in the tables of shapes and terrains, -1 for none
        ("other_shape", np.int64),
        ("terrain", np.int64),
        ("slot", np.int64),  # which of so many touches of its pair
        ("touches", np.int64),
        ("entry", np.int64),  # place in `ENTRIES`
        ("length", float),  # of a cable
        ("lower", float),
        ("upper", float),  # of stops
        ("hold", float),  # coefficient while it sticks, if larger
        ("pull", float),
        ("speed", float),
        ("way", np.int64),  # the only way it slides: 1 right, -1 left; 0 both
        ("least", float),
        ("most", float),  # tangential force of what has no normal row; of rolling, a length
        ("host", np.int64),  # the contact that a resistance to rolling belongs to
    ],
    align=True,
)
ENTRIES = ("contact", "", "cable", "stop", "dry", "drive", "rolling")
"""Kinds of entries by their codes in the core; contacts are of two kinds there."""
NO_CONTACT: dict[str, Any] = {
    **dict.fromkeys(CONTACT.names or (), 0.0),
    **dict.fromkeys(("centre", "origin", "other_centre"), (0.0, 0.0)),
    "discs": False,
    "other": -1,
    "shape": -1,
    "other_shape": -1,
    "terrain": -1,
    "host": -1,
    "touches": 1,
    "tangent": (1.0, 0.0),
    "stiffness": math.inf,
    "lower": -math.inf,
    "upper": math.inf,
}


def contact_row(contact: Contact, places: Places) -> dict[str, Any]:
    """The row of a contact, without its shapes.

    Parameters
    ----------
    contact
        The contact, its numbers evaluated.
    places
        Where the bodies are.
    """
    here, there = (find(places, name, f"contact {contact.name!r}") for name in (contact.body, contact.other))
    tilt = float(contact.tilt) + there[3]  # type: ignore[arg-type]
    return {
        **NO_CONTACT,
        "discs": contact.kind == "disc_disc",
        "node": here[0],
        "other": there[0],
        "centre": point_of(here, contact.point),
        "radius": contact.radius if contact.kind != "point" else 0.0,
        "origin": point_of(there, contact.origin),
        "tangent": (math.cos(tilt), math.sin(tilt)),
        "other_centre": point_of(there, contact.other_point),
        "other_radius": contact.other_radius,
        "friction": contact.mu,
        "restitution": contact.restitution,
        "tangential_restitution": contact.tangential_restitution,
        "stiffness": contact.stiffness,
        "damping": contact.damping,
        "hold": contact.mu if contact.mu_static is None else contact.mu_static,
        "pull": contact.pull,
        "speed": contact.speed,
        "way": {"left": -1, "right": 1}.get(contact.one_way, 0),
    }


def entry_row(
    entry: Entry, places: Places, coordinates: dict[str, int], hosts: dict[str, int]
) -> dict[str, Any]:
    """The row of a stop, a dry joint, a cable, a prescribed joint or a resistance to rolling.

    Parameters
    ----------
    entry
        What has the law.
    places
        Where the bodies are.
    coordinates, hosts
        Numbers of coordinates and of contacts by name.
    """
    part = entry.part
    made = {**NO_CONTACT, "entry": ENTRIES.index(entry.kind)}
    if entry.kind == "cable":
        here, there = (find(places, name, f"cable {entry.name!r}") for name in (part.body, part.other))
        made.update(node=here[0], centre=point_of(here, part.point), length=part.length)
        made.update(other=there[0], other_centre=point_of(there, part.other_point))
        return made
    if entry.kind == "rolling":
        here, there = (find(places, name, f"contact {part.name!r}") for name in (part.body, part.other))
        made.update(node=here[0], other=there[0], host=hosts[part.name])
        made.update(least=-part.rolling, most=part.rolling, pull=part.pull)
        return made
    made["node"] = coordinates[entry.coordinate]
    if entry.kind == "stop":
        made.update(lower=part.lower, upper=part.upper, restitution=part.stop_restitution)
    elif entry.kind == "dry":
        made.update(least=-part.friction, most=part.friction)
    else:
        made.update(least=part.effort[0], most=part.effort[1])
    return made
