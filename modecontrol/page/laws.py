"""Laws of contact on the page: what kind each letter is of, and what is drawn of it beside the contacts themselves.

A mode has letters for contacts, joint stops, dry joints, cables, prescribed joints and resistances to rolling; their forces are
forces at a point, torques about a joint or a contact, or a tension along a line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.dynamics.contact_entries import CABLE, CONTACT, DRIVE, DRY, ROLLING, STOP, Entry, entries
from modecontrol.dynamics.contact_laws import COULOMB
from modecontrol.dynamics.contact_laws import DRIVE as DRIVEN
from modecontrol.dynamics.contact_laws import DRY as BRAKED
from modecontrol.dynamics.contact_laws import ROLLING as ROLLS
from modecontrol.errors import ImpossibleStateError
from modecontrol.tolerances import NOTHING_THERE
from modecontrol.view.laws import cable_ends, joint_axis, stop_ends

if TYPE_CHECKING:
    from modecontrol.dynamics.model import Model
    from modecontrol.dynamics.protocol import PlanarModel

LETTERS = {CONTACT: "SLRF", STOP: "SF", CABLE: "SF", DRY: "LRF", DRIVE: "F", ROLLING: "SLRF"}
"""Letters that a kind of entry can have."""
CLOSABLE = (CONTACT, STOP, CABLE)
"""Kinds with a gap."""


def described(model: PlanarModel) -> list[dict[str, Any]]:
    """Kind, letters, and names and unit of the forces of everything that has a letter.

    Parameters
    ----------
    model
        A `PlanarModel`, or an instant with `names` and `laws`.
    """
    if hasattr(model, "numbers"):
        return [
            {"kind": each.kind, "letters": _letters(each), "forces": list(each.forces), "unit": _unit(each)}
            for each in entries(model.numbers)
        ]
    kinds = _kinds_of_an_instant(model)
    return [
        {
            "kind": kind,
            "letters": LETTERS[kind],
            "forces": list(Entry(name, kind, None).forces),
            "unit": "N" if kind in (CONTACT, CABLE) else "",
        }
        for name, kind in zip(model.contacts, kinds, strict=True)
    ]


def drawn(model: Model, q: np.ndarray, gaps: np.ndarray) -> list[dict[str, Any]]:
    """What is drawn of each entry at a configuration, beyond the place and frame of a contact; mostly nothing.

    Parameters
    ----------
    model
        A `Model`.
    q
        Configuration.
    gaps
        Of the entries, there.
    """
    found: list[dict[str, Any]] = []
    rows: np.ndarray | None = None
    for i, each in enumerate(entries(model.numbers)):
        mark: dict[str, Any] = {}
        if each.kind == CONTACT:
            mark = _of_contact(each.part)
            if gaps[i] > NOTHING_THERE / 2:
                mark["nothing"] = True
        elif each.kind == CABLE:
            mark["ends"] = [end.tolist() for end in cable_ends(model, each.part, q)]
        elif each.kind == ROLLING:
            mark["senses"] = [0.0, 1.0]
            if gaps[i] > NOTHING_THERE / 2:
                mark["nothing"] = True
        else:
            rows = model.snapshot(q).jacobian if rows is None else rows
            mark |= _of_joint(model, each, q, rows[2 * i : 2 * i + 2])
        found.append(mark)
    return found


def ends_of(model: PlanarModel, coordinate: str) -> tuple[float, float]:
    """Between which values a coordinate can move: its joint's stops."""
    for body in model.numbers.bodies if hasattr(model, "numbers") else ():
        if body.joint.coordinates == (coordinate,):
            return float(body.joint.lower), float(body.joint.upper)
    return -np.inf, np.inf


def impossible(model: PlanarModel, error: BaseException) -> str:
    """Why a state cannot be, entry by entry; empty for another error than that."""
    if not isinstance(error, ImpossibleStateError):
        return ""
    known = dict(zip(model.contacts, described(model), strict=True))
    misfit = error.misfit
    said = [_beyond(name, known[name], depth) for name, depth in misfit.contacts.items()]
    said += [f"the loop {name} is open by {far:.3g} m" for name, far in misfit.loops.items()]
    said += [f"the loop {name} opens at {rate:.3g} m/s" for name, rate in misfit.rates.items()]
    return f"This cannot be: {', '.join(said)}."


def _beyond(name: str, entry: dict[str, Any], depth: float) -> str:
    if entry["kind"] == STOP:
        unit = "rad" if entry["unit"] == "N m" else "m"
        return f"{name.removesuffix('.stop')} is {depth:.3g} {unit} beyond its stop"
    if entry["kind"] == CABLE:
        return f"{name} is {depth:.3g} m longer than it can be"
    return f"{name} is {depth:.3g} m inside what it touches"


def _of_contact(contact: Any) -> dict[str, Any]:
    """What differs from Coulomb's law: adhesion, a claw, a moving surface, a static coefficient of its own."""
    found: dict[str, Any] = {}
    if contact.pull > 0:
        found["pull"] = float(contact.pull)
    if contact.speed != 0:
        found["speed"] = float(contact.speed)
    if contact.one_way:
        found["way"] = 1 if contact.one_way == "right" else -1
    if contact.mu_static is not None and contact.mu_static > contact.mu:
        found["hold"] = float(contact.mu_static)
    return found


def _of_joint(model: Model, each: Entry, q: np.ndarray, rows: np.ndarray) -> dict[str, Any]:
    """A stop, a dry or a prescribed joint: which way its force turns or pushes, and the ends of its way."""
    column = model.coordinates.index(each.coordinate)
    mark: dict[str, Any] = {"senses": rows[:, column].tolist()}
    if each.part.kind == "prismatic":
        mark["axis"] = joint_axis(model, each.part, q).tolist()
    if each.kind == STOP:
        mark["bars"] = [
            {"at": end.place.tolist(), "along": end.direction.tolist(), "touches": end.touches}
            for end in stop_ends(model, each.part, q)
        ]
    return mark


def _letters(each: Entry) -> str:
    closed = {"left": "R", "right": "L"}.get(each.part.one_way or "", "") if each.kind == CONTACT else ""
    return "".join(letter for letter in LETTERS[each.kind] if letter != closed)


def _unit(each: Entry) -> str:
    return "N" if each.kind in (CONTACT, CABLE) or each.part.kind == "prismatic" else "N m"


def _kinds_of_an_instant(model: PlanarModel) -> list[str]:
    """Kinds as far as an instant without a mechanism knows them."""
    laws = getattr(model, "laws", None)
    if laws is None:
        return [CONTACT] * len(model.contacts)
    return [
        CONTACT
        if kind == COULOMB
        else DRIVE
        if kind == DRIVEN
        else DRY
        if kind == BRAKED
        else ROLLING
        if kind == ROLLS
        else STOP
        if name.endswith(".stop")
        else CABLE
        for name, kind in zip(model.contacts, laws.kind, strict=True)
    ]
