"""A flip for the player: predictions beside the simulation, and the torque sets that the controller's model
had at each instant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.page.replay import FRAMES, replay
from modecontrol.page.replay_data import RespondAt, curve
from modecontrol.trials.rhex.flip import rigid_model
from modecontrol.trials.rhex.observer import RHexObserver

if TYPE_CHECKING:
    from modecontrol.regions.dynamic_response import DynamicResponse
    from modecontrol.trials.rhex.run import Flip


def flip_replay(flip: Flip, frames: int = FRAMES) -> dict[str, Any]:
    """Data of the player for one flip.

    Parameters
    ----------
    flip
        The run.
    frames
        Pictures, at most.
    """
    trajectory, made = flip.trajectory, flip.predictions
    ended, why = flip.thrust_ended
    note = (
        f"{flip.outcome}; thrust ended at {ended:.3f} s: {why}. Torque sets are those of the rigid model at the "
        "controller's thresholds."
    )
    if flip.kind == "blind":
        note += " The blind controller assumes its mode: its torque may lie in the set of another."
    if any(flip.settings.noise):
        note += " Torque sets are those of the true states; the controller saw noisy ones."
    lines = curve(
        "pitch acceleration",
        "rad/s²",
        [("simulated", flip.times, flip.simulated), ("predicted", flip.times, flip.predicted)],
    )
    pitch = curve("pitch", "degrees", [("pitch", trajectory.time, np.degrees(trajectory.q[:, 2]))])
    return replay(
        trajectory,
        title=f"{flip.kind}, friction {flip.mu_toe:g}",
        contacts=4,
        predicted=(
            made.time,
            [mode if t <= ended else None for t, mode in zip(made.time, made.modes, strict=True)],
        ),
        curves=[lines, pitch],
        respond=responses_of(flip),
        chosen=made.torque,
        frames=frames,
        note=note,
    )


def responses_of(flip: Flip) -> RespondAt:
    """`(t, q, v) -> response` of the rigid model behind a simulated state, while the thrust lasts."""
    from modecontrol.thrust.instants import Thresholds, respond_at

    model = rigid_model(flip.mu_toe, flip.settings)
    observe = RHexObserver.of(model)
    v0 = 0.0 if flip.kind == "no thresholds" else flip.settings.v0
    thresholds = Thresholds.of(len(model.contacts), v0, 1e-3, np.inf)
    ended = flip.thrust_ended[0]

    def respond(t: float, q: np.ndarray, v: np.ndarray) -> DynamicResponse | None:
        if t >= ended:
            return None
        return respond_at(thresholds.read(model, *observe(t, q, v)), (), ())

    return respond
