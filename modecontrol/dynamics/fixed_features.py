"""A mechanism whose shapes touch with the features that are nearest at one configuration, whatever it does.

Which corner touches which side depends on the state; equations in symbols need it to be settled. A corner on a side is a point or
disc against a half-plane that the other body carries, two corners are two discs.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from modecontrol.dynamics.mechanism import Contact, Mechanism
from modecontrol.dynamics.places import Place
from modecontrol.dynamics.shapes import has_shape
from modecontrol.dynamics.tree import Tree


def fixed_features(mechanism: Mechanism, tree: Tree, q: np.ndarray) -> Mechanism:
    """The mechanism with every contact of a shape replaced by one of a point or disc.

    Lengths and places of these contacts are numbers; everything else keeps its parameters.

    Parameters
    ----------
    mechanism
        As it is described.
    tree
        Its numbers.
    q
        Configuration, one number per coordinate.
    """
    if not any(has_shape(contact) for contact in mechanism.contacts):
        return mechanism
    from modecontrol._core import dynamics as core

    places: dict[str, Place] = {
        body.name: place for body, place in zip(mechanism.bodies, tree.bodies, strict=True)
    }
    found = core.active_contacts(tree.core, q)
    contacts = tuple(
        _fixed(contact, row, places) if has_shape(contact) else contact
        for contact, row in zip(
            mechanism.contacts, found[: len(mechanism.contacts)], strict=True
        )  # before stops and cables
    )
    return replace(mechanism, contacts=contacts)


def _fixed(contact: Contact, row: np.ndarray, places: dict[str, Place]) -> Contact:
    discs, _, _, radius, other_radius, exchanged, *points = row.tolist()
    here, there = (contact.other, contact.body) if exchanged else (contact.body, contact.other)
    centre, origin, tangent, other_centre = (points[i : i + 2] for i in range(0, 8, 2))
    place = places.get(there)
    made = replace(
        contact,
        kind="disc_disc" if discs else "disc" if radius > 0 else "point",
        body=here,
        point=_in_body(centre, places.get(here)),
        radius=radius,
        other=there,
        shape=(),
        other_shape=(),
        terrain="",
    )
    if discs:
        return replace(made, other_point=_in_body(other_centre, place), other_radius=other_radius)
    tilt = math.atan2(tangent[1], tangent[0]) - (place[3] if place else 0.0)
    return replace(made, origin=_in_body(origin, place), tilt=tilt, other_radius=0.0)


def _in_body(point: list[float], place: Place | None) -> tuple[float, float]:
    """A point of a node's frame in the frame of a body; of the world as it is."""
    if place is None:
        return point[0], point[1]
    _, x, y, angle = place
    c, s = math.cos(angle), math.sin(angle)
    dx, dy = point[0] - x, point[1] - y
    return c * dx + s * dy, c * dy - s * dx
