"""Units of coordinates and inputs, read from the joints: turns in radians, slides in metres."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from modecontrol.dynamics.units import coordinate_units, input_units

if TYPE_CHECKING:
    from modecontrol.dynamics.protocol import PlanarModel


class Units(NamedTuple):
    """Unit of each coordinate and of each input, in model order; empty where it is not known."""

    coordinates: tuple[str, ...]
    inputs: tuple[str, ...]


def units_of(model: PlanarModel) -> Units:
    """Units of a model; a model without joints (a Lagrangian, arrays) has none that are known."""
    mechanism = getattr(model, "mechanism", None)
    if mechanism is None:
        known = model.names.input_units if hasattr(model, "names") else ()
        return Units(("",) * len(model.coordinates), known or ("",) * len(model.inputs))
    unit = coordinate_units(mechanism)
    return Units(tuple(unit[name] for name in model.coordinates), input_units(mechanism))
