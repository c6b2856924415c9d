"""Kinematics of stops, dry joints, cables, prescribed joints and resistances to rolling in symbols; contacts are in
`contact_kinematics.py`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from modecontrol.dynamics.contact_entries import CABLE, CONTACT, ROLLING, STOP, Entry
from modecontrol.dynamics.mechanism import Contact
from modecontrol.dynamics.symbols.contact_kinematics import Rows, contact_rows
from modecontrol.dynamics.symbols.segments import Frame, Symbols


def entry_rows(entry: Entry, frames: dict[str, Frame], symbols: Symbols) -> Rows:
    """Normal and tangential row; a row that an entry does not have is zero.

    Parameters
    ----------
    entry
        What has a letter.
    frames
        Of the bodies.
    symbols
        Of the mechanism.
    """
    if entry.kind == CONTACT:
        return contact_rows(entry.part, frames, symbols)
    if entry.kind == CABLE:
        return _cable(entry.part, frames, symbols)
    if entry.kind == ROLLING:
        return _rolling(entry.part, frames, symbols)
    place = [symbol.name for symbol in symbols.coordinates].index(entry.coordinate)
    return _stop(entry.part, place, symbols) if entry.kind == STOP else _along(place, symbols)


def _rolling(contact: Contact, frames: dict[str, Frame], symbols: Symbols) -> Rows:
    """A tangential row that is how far one side has turned against the other; the gap is that of the contact, where it is open."""
    import sympy as sp

    here, there = frames[contact.body], frames[contact.other]
    row = _none(symbols)
    for frame, sign in ((here, 1), (there, -1)):
        for j in frame.turns:
            row[j] += sign
    gap = sp.Max(contact_rows(contact, frames, symbols).position[0], 0)
    return Rows((gap, here.angle - there.angle), (_none(symbols), row), (0, 0))


def _along(place: int, symbols: Symbols) -> Rows:
    """A tangential row that is the coordinate."""
    none, row = _none(symbols), _none(symbols)
    row[place] = 1
    return Rows((0, symbols.coordinates[place]), (none, row), (0, 0))


def _stop(joint: Any, place: int, symbols: Symbols) -> Rows:
    """`min(q - lower, upper - q)`; its slope is 1 where the lower stop is the nearer one, else -1."""
    import sympy as sp

    q = symbols.coordinates[place]
    lower, upper = symbols.scalar(joint.lower), symbols.scalar(joint.upper)
    row, none = _none(symbols), _none(symbols)
    if upper == sp.oo:
        gap, row[place] = q - lower, 1
    elif lower == -sp.oo:
        gap, row[place] = upper - q, -1
    else:
        nearer = q - lower <= upper - q
        gap = sp.Piecewise((q - lower, nearer), (upper - q, True))
        row[place] = sp.Piecewise((1, nearer), (-1, True))
    return Rows((gap, 0), (row, none), (0, 0))


def _cable(cable: Any, frames: dict[str, Frame], symbols: Symbols) -> Rows:
    """`length - distance`: that of two points as discs without size, the other way round."""
    discs = Contact(
        cable.name, "disc_disc", cable.body, cable.point, other=cable.other, other_point=cable.other_point
    )
    points = contact_rows(replace(discs, radius=0.0, other_radius=0.0), frames, symbols)
    across = [-entry for entry in points.jacobian[0]]
    gap = symbols.scalar(cable.length) - points.position[0]
    return Rows((gap, 0), (across, _none(symbols)), (-points.drift[0], 0))


def _none(symbols: Symbols) -> list[Any]:
    return [0] * len(symbols.coordinates)
