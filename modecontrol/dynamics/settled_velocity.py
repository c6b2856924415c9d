"""The nearest velocity at which chosen contacts rest and loops stay closed, for any model.

argmin (v' - v)^T W (v' - v)    with the chosen rows of J v', and G v', zero
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from modecontrol.validation import check_texts, did_you_mean

if TYPE_CHECKING:
    from modecontrol.dynamics.protocol import PlanarModel, State


def settled_velocity(
    model: PlanarModel, q: State, v: State, zero_normal: Iterable[str], zero_tangential: Iterable[str]
) -> np.ndarray:
    """The velocity nearest to `v` with which contacts, by name, have no normal or no tangential velocity.

    `Model.settle_velocity` has the metric.
    """
    from modecontrol._core import dynamics as core

    snap = model.snapshot(q, v)
    rows = [
        2 * _place(model, name) + side
        for side, names in enumerate(
            (check_texts(zero_normal, "zero_normal"), check_texts(zero_tangential, "zero_tangential"))
        )
        for name in names
    ]
    A = np.vstack((snap.jacobian[rows], snap.loop_jacobian))
    return core.nearest_velocity(
        snap.mass, snap.jacobian, A, np.asarray(snap.v), None, model.mass_scale(snap)
    )


def _place(model: PlanarModel, name: str) -> int:
    if name not in model.contacts:
        raise ValueError(
            f"model {model.name!r} has no contact {name!r}{did_you_mean(str(name), model.contacts)} "
            f"(contacts: {', '.join(model.contacts) or 'none'})"
        )
    return model.contacts.index(name)
