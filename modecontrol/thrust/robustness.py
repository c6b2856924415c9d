"""The price of robustness: what is promised, against how little is known of friction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from modecontrol.modes.surely_possible import box_of
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.thrust.maximize import check_response, maximize
from modecontrol.thrust.objective import LinearGoal
from modecontrol.thrust.thrust import Thrust
from modecontrol.validation import real_array, shown

WIDTHS = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)


@dataclass(frozen=True, eq=False)
class PriceOfRobustness:
    """Promised values for friction `middle (1 -+ width)`.

    Attributes
    ----------
    widths
        Parts of the middle by which every uncertain parameter may be wrong.
    values
        The greatest promised value of each; -inf where nothing can be promised.
    promises
        What `maximize` said.
    objective, guarantee
        What was promised.
    middle
        The parameters of friction in the middle, by name.
    """

    widths: np.ndarray
    values: np.ndarray
    promises: tuple[Thrust, ...]
    objective: str
    guarantee: str
    middle: dict[str, float]

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw the curve; returns the axes.

        Parameters
        ----------
        ax
            Matplotlib axes; None makes a figure.
        **options
            Of `Axes.plot`.
        """
        from modecontrol.view.uncertainty import plot_price

        return plot_price(self, ax, **options)


def price_of_robustness(
    response: DynamicResponse,
    objective: LinearGoal,
    *,
    widths: Sequence[float] = WIDTHS,
    guarantee: str = "outcome",
    patience: int | None = 100,
) -> PriceOfRobustness:
    """The greatest promised value for intervals of friction of several widths, about what is known in the middle.

    Parameters
    ----------
    response
        All modes of an instant; its friction may be uncertain, or known: then every coefficient is varied.
    objective
        As for `maximize`.
    widths
        Parts by which friction may be wrong, in 0 .. 1.
    guarantee, patience
        As for `maximize`.
    """
    check_response(response)
    parts = real_array(widths, "widths", 1)
    if not np.all((parts >= 0) & (parts <= 1)):
        raise ValueError(f"widths are {shown(widths)}; expected parts from 0 to 1")
    problem = response.problem
    known = box_of(problem)
    middle = 0.5 * (known.low + known.high)
    promises = []
    for width in parts:
        box = replace(known, low=middle * (1.0 - width), high=middle * (1.0 + width))
        there = problem.with_friction(box if width > 0 else box.at(middle))
        promises.append(
            maximize(
                DynamicResponse(there, *there.respond()), objective, guarantee=guarantee, patience=patience
            )
        )
    return PriceOfRobustness(
        parts,
        np.array([promise.value for promise in promises]),
        tuple(promises),
        str(objective),
        guarantee,
        dict(zip(known.names, middle.tolist(), strict=True)),
    )
