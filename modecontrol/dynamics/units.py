"""Units of coordinates, inputs and forces, read from the joints: turns in radians, slides in metres."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modecontrol.dynamics.contact_entries import CABLE, CONTACT, ROLLING, Entry, entries

if TYPE_CHECKING:
    from modecontrol.dynamics.mechanism import Mechanism

OF_JOINT = {"planar": ("m", "m", "rad"), "revolute": ("rad",), "prismatic": ("m",), "weld": ()}
OF_INPUT = {"rad": "N m", "m": "N"}


def coordinate_units(mechanism: Mechanism) -> dict[str, str]:
    """Unit of each coordinate: "m" or "rad"."""
    return {
        name: unit
        for body in mechanism.bodies
        for name, unit in zip(body.joint.coordinates, OF_JOINT[body.joint.kind], strict=True)
    }


def input_units(mechanism: Mechanism) -> tuple[str, ...]:
    """Unit of each input, "N m" or "N", by the first coordinate on which it acts."""
    units = coordinate_units(mechanism)
    return tuple(OF_INPUT[units[actuator.coordinates[0]]] for actuator in mechanism.inputs)


def entry_units(entry: Entry, coordinates: dict[str, str]) -> tuple[str, str, str]:
    """Units of the gap, of the speeds and of the forces of something that has a letter.

    Parameters
    ----------
    entry
        A contact, a stop, a dry joint and so on.
    coordinates
        What `coordinate_units` gives.
    """
    if entry.kind == ROLLING:
        return "m", "rad/s", "N m"
    unit = "m" if entry.kind in (CONTACT, CABLE) else coordinates[entry.coordinate]
    return unit, f"{unit}/s", OF_INPUT[unit]


def force_units(mechanism: Mechanism) -> dict[str, str]:
    """Unit of each force that has a name, "N" or "N m"."""
    coordinates = coordinate_units(mechanism)
    return {
        name: entry_units(entry, coordinates)[2]
        for entry in entries(mechanism)
        for name in entry.forces
        if name is not None
    }
