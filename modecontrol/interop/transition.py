"""What rewards and endings see of a control period: a `Transition`, and linear quantities of it by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from modecontrol.dynamics.model import Model
from modecontrol.modes.linear import RATES, Linear
from modecontrol.thrust.objective import Objective
from modecontrol.timestepping.readings import Readings

Transition = Readings
"""What happened in one control period: the readings at its end."""


def measure(thing: Any, model: Model) -> Callable[[Transition], float]:
    """A function of a transition, from a function or from a linear quantity by name.

    Parameters
    ----------
    thing
        A function (returned as it is); a quantity such as `"alpha"` (acceleration), `"toe.normal"`,
        `"2*toe.normal - tau1"`, or a vector, as the objective of `modecontrol.maximize`; None means zero.
    model
        Whose names the quantity uses.

    Raises
    ------
    ValueError
        The quantity names something that the model does not have.
    """
    if thing is None:
        return lambda transition: 0.0
    if callable(thing):
        return thing
    at_start = Objective.of(thing, model.snapshot(model.start, model.start_velocity))
    moving = isinstance(thing, str | Linear) and any(
        name.rpartition(".")[2] in RATES for name in Linear.of(thing).coefficients
    )

    def value(transition: Transition) -> float:
        found = at_start
        if moving:  # contact accelerations: J and Jdot v of this instant
            found = Objective.of(thing, model.snapshot(transition.q_before, transition.v_before))
        x = np.concatenate([transition.acceleration, transition.force, transition.torque])
        return float(found.row @ x + found.constant)

    return value
