"""Units of coordinates and inputs, read from the joints: turns in radians, slides in metres."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
