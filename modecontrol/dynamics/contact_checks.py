"""Do the contacts and cables of a mechanism make sense? Bodies that exist, laws within their ranges."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from modecontrol.dynamics.mechanism import WORLD, Cable, Contact
from modecontrol.dynamics.value_checks import check_ends, check_exists, check_point, check_value


def check_contact(contact: Contact, bodies: Iterable[str], values: Mapping[str, float]) -> None:
    """The bodies of a contact exist, its sizes and its law are in range.

    Parameters
    ----------
    contact
        The entry.
    bodies
        Names of all bodies.
    values
        Values of the parameters.
    """
    check_exists("body", contact.body, bodies)
    if contact.other != WORLD:
        side = "other" if contact.kind == "disc_disc" or contact.other_shape else "wall body"
        check_exists(side, contact.other, bodies)
    if contact.other == contact.body:
        raise ValueError(f"body and other are both '{contact.body}'; two different bodies were expected")
    for key in ("point", "origin", "other_point"):
        check_point(key, getattr(contact, key), values)
    check_value("tilt", contact.tilt, values, "an angle")
    radii = [
        check_value(key, getattr(contact, key), values, "a radius that is not negative", least=0.0)
        for key in ("radius", "other_radius")
    ]
    if contact.kind == "disc_disc" and sum(radii) == 0.0:
        raise ValueError("both radii are 0; at least one positive radius was expected")
    rolling = check_value("rolling", contact.rolling, values, "a length that is not negative", least=0.0)
    if rolling > 0.0 and (contact.kind == "point" or sum(radii) == 0.0):
        raise ValueError(
            f"rolling = {rolling:g}; a contact that resists rolling was expected to be round: a disc, or a polygon with a radius"
        )
    for key in ("mu", "damping", "pull"):
        check_value(key, getattr(contact, key), values, "a number that is not negative", least=0.0)
    check_value("speed", contact.speed, values, "a finite number")
    if contact.mu_static is not None:
        mu = check_value("mu", contact.mu, values, "a number")
        static = check_value(
            "mu_static", contact.mu_static, values, "a number that is not negative", least=0.0
        )
        if static < mu:
            raise ValueError(f"mu_static = {static:g} is below mu = {mu:g}; mu_static >= mu was expected")
    if contact.one_way not in ("", "left", "right"):
        raise ValueError(f"one_way is '{contact.one_way}'; 'left' or 'right' was expected")
    for key in ("restitution", "tangential_restitution"):
        if check_value(key, getattr(contact, key), values, "a number from 0 to 1", least=0.0) > 1.0:
            raise ValueError(f"{key} = {getattr(contact, key)}; a number from 0 to 1 was expected")
    stiffness = check_value(
        "stiffness", contact.stiffness, values, "a positive number", least=0.0, finite=False
    )
    if math.isfinite(stiffness) and check_value("pull", contact.pull, values, "a number") > 0.0:
        raise ValueError(
            "found pull and stiffness; a contact that pulls was expected to be rigid: leave one of them out"
        )
    if stiffness == 0.0:
        raise ValueError("stiffness is 0; a positive number was expected (leave it out for a rigid contact)")


def check_cable(cable: Cable, bodies: Iterable[str], values: Mapping[str, float]) -> None:
    """The ends of a cable exist, and it has a length.

    Parameters
    ----------
    cable
        The entry.
    bodies
        Names of all bodies.
    values
        Values of the parameters.
    """
    check_ends(cable, bodies, values)
    if check_value("length", cable.length, values, "a positive length", least=0.0) == 0.0:
        raise ValueError("length is 0; a positive length was expected")
