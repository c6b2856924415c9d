"""`MappedThrust`: a controller that interpolates in a map made off-line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from modecontrol.thrust.controller import Controller, Decision
from modecontrol.thrust.stored_map import measured
from modecontrol.thrust.thrust_map import ThrustMap
from modecontrol.validation import shown

if TYPE_CHECKING:
    from modecontrol.dynamics.protocol import PlanarModel


class MappedThrust(Controller):
    """A `ThrustMap` as a controller: interpolates, keeps within the limits at the present speed, keeps a
    record.

    Parameters
    ----------
    model
        The model that the map was made for; its own limits bound the inputs.
    table
        The map.
    """

    def __init__(self, model: PlanarModel, table: ThrustMap) -> None:
        if not isinstance(table, ThrustMap):
            raise TypeError(f"table is {shown(table)}; expected a ThrustMap")
        if tuple(model.coordinates) != table.coordinates:
            raise ValueError(
                f"the map is for the coordinates {', '.join(table.coordinates)}; the model has "
                f"{', '.join(model.coordinates)}"
            )
        if table.torque.shape[-1] != len(model.inputs):
            raise ValueError(
                f"the map has {table.torque.shape[-1]} inputs; the model has {len(model.inputs)} ({', '.join(model.inputs)})"
            )
        super().__init__(model)
        self.table = table

    def decide(self, t: float, q: np.ndarray, v: np.ndarray) -> Decision:
        """Interpolate at the measured state (which may have more coordinates than the model)."""
        n = len(self.table.coordinates)
        q, v = measured(q, "q", n), measured(v, "v", n)
        found = self.table(self.table.point(q, v))
        limits = self.model.torque_limits(v)
        return Decision(
            t,
            np.clip(found.torque, limits[:, 0], limits[:, 1]),
            found.mode,
            found.value,
            None,
            found.fallback,
            False,
        )
