"""`Flip`: one run, what was predicted in it, and how the two compare; saved and read again as one file."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from modecontrol.modes.letters import changes
from modecontrol.thrust import Controller
from modecontrol.timestepping import Trajectory
from modecontrol.trials.rhex.predictions import Predictions
from modecontrol.trials.rhex.settings import CONTACTS, PITCH, FlipSettings

DIGITS = 6
"""Of times at which modes change: microseconds."""
PUBLISHED = {
    (0.39, "blind"): {"rmse": 11.22},
    (0.39, "new"): {"rmse": 6.65},
    (0.6, "blind"): {"rmse": 11.56},
    (0.6, "new"): {"rmse": 6.68},
}
"""Root mean square error of the predicted pitch acceleration (rad/s2) in Table 5 of Greenfield 2005."""


@dataclass(frozen=True, eq=False)
class Flip:
    """One run: what happened, what was predicted, and how well the two agree.

    Attributes
    ----------
    kind, mu_toe, settings
        Controller, friction of the toes, and everything else that is free.
    trajectory, predictions
        The simulation, and what the controller predicted at each call.
    controller
        The controller itself; None for a run that was read from a file.
    """

    kind: str
    mu_toe: float
    settings: FlipSettings = field(repr=False)
    trajectory: Trajectory = field(repr=False)
    predictions: Predictions = field(repr=False)
    controller: Controller | None = field(default=None, repr=False)

    @staticmethod
    def of(
        kind: str, mu_toe: float, settings: FlipSettings, trajectory: Trajectory, controller: Controller
    ) -> Flip:
        """From a finished simulation and its controller.

        Parameters
        ----------
        kind, mu_toe, settings
            What was flown.
        trajectory, controller
            What came of it.
        """
        model = controller.model
        made = Predictions.of(
            controller.decisions, len(model.coordinates), len(model.inputs), len(model.contacts)
        )
        return Flip(kind, mu_toe, settings, trajectory, made, controller)

    # How it went
    # -----------------------------------------------------------------------------------------------

    @cached_property
    def upright(self) -> float:
        """Time (s) at which pitch passes 90 degrees; NaN when it never does."""
        return passing(self.trajectory.time, self.trajectory.q[:, PITCH], np.pi / 2)

    @cached_property
    def flipped(self) -> float:
        """Time (s) at which the centre of mass passes the upper corner; NaN when it never does."""
        return passing(self.trajectory.time, self.trajectory.q[:, PITCH], upper_corner(self.trajectory.model))

    @property
    def outcome(self) -> str:
        """One of "flipped", "upright, not flipped" or "failed"."""
        if np.isfinite(self.flipped):
            return "flipped"
        return "upright, not flipped" if np.isfinite(self.upright) else "failed"

    @cached_property
    def highest(self) -> tuple[float, float]:
        """Time (s) and value (degrees) of the greatest pitch."""
        i = int(np.argmax(self.trajectory.q[:, PITCH]))
        return float(self.trajectory.time[i]), float(np.degrees(self.trajectory.q[i, 2]))

    @cached_property
    def thrust_ended(self) -> tuple[float, str]:
        """When the thrust ended (s), and why: at its angle, or where a failed flip began to fall back."""
        over = np.flatnonzero(~self.predictions.made & (self.predictions.fallback == ""))
        if len(over):
            return float(
                self.predictions.time[over[0]]
            ), f"pitch of {self.settings.thrust_end:g} degrees reached"
        time, angle = self.highest
        if np.isfinite(self.upright):
            return time, "the run ended while thrusting"
        return time, f"pitch fell back from {angle:.1f} degrees"

    @cached_property
    def compared(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Times, predicted and simulated pitch accelerations (rad/s2) over the intervals of the control,
        while thrusting.
        """
        time, speed = self.trajectory.time, self.trajectory.v[:, PITCH]
        step = time[1] - time[0]
        span = max(1, round(1.0 / (self.settings.rate * step)))
        at = np.round(self.predictions.time / step).astype(int)
        inside = self.predictions.made & (at + span < len(time))
        if self.outcome == "failed":
            inside &= self.predictions.time <= self.thrust_ended[0]
        at = at[inside]
        return (
            time[at],
            self.predictions.acceleration[inside, 2],
            (speed[at + span] - speed[at]) / (time[at + span] - time[at]),
        )

    @property
    def times(self) -> np.ndarray:
        """Times of `predicted` and `simulated`."""
        return self.compared[0]

    @property
    def predicted(self) -> np.ndarray:
        """Predicted pitch accelerations while thrusting (rad/s2)."""
        return self.compared[1]

    @property
    def simulated(self) -> np.ndarray:
        """Simulated pitch accelerations while thrusting (rad/s2)."""
        return self.compared[2]

    @cached_property
    def rmse(self) -> float:
        """Root mean square of predicted minus simulated pitch acceleration while thrusting (rad/s2); NaN for
        a failed flip.
        """
        if self.outcome == "failed" or not len(self.predicted):
            return float("nan")
        return float(np.sqrt(np.mean((self.predicted - self.simulated) ** 2)))

    @property
    def story(self) -> list[tuple[float, str]]:
        """Predicted modes with the time from which each holds, while thrusting: a fall is no part of it."""
        times, modes = self.predictions.time.tolist(), self.predictions.modes
        told = [(t, mode) for t, mode in zip(times, modes, strict=True) if mode and t <= self.thrust_ended[0]]
        return changes([t for t, _ in told], [mode for _, mode in told], DIGITS)

    @cached_property
    def fallbacks(self) -> list[tuple[str, int, float, float]]:
        """What the controller gave up while thrusting: the word for it, how many instants, first and last time (s)."""
        words, times = self.predictions.fallback, self.predictions.time
        known = (words != "") & (times <= self.thrust_ended[0])
        found = ((str(word), times[known & (words == word)]) for word in sorted(set(words[known].tolist())))
        return [(word, len(at), float(at[0]), float(at[-1])) for word, at in found]

    @property
    def simulated_story(self) -> list[tuple[float, str]]:
        """Simulated states of body, rear, middle and front contact with the time from which each holds."""
        return changes(
            self.trajectory.time[1:].tolist(), [mode[:4] for mode in self.trajectory.modes], DIGITS
        )

    def record(self) -> dict[str, Any]:
        """Figures of the run as plain data."""
        ended, why = self.thrust_ended
        return {
            "controller": self.kind,
            "mu_toe": self.mu_toe,
            "outcome": self.outcome,
            "time_to_90": self.upright,
            "time_to_flip": self.flipped,
            "rmse": self.rmse,
            "published_rmse": PUBLISHED.get((self.mu_toe, self.kind), {}).get("rmse"),
            "mode_switches": max(0, len(self.story) - 1),
            "fallbacks": [
                {"what": word, "instants": count, "first": first, "last": last}
                for word, count, first, last in self.fallbacks
            ],
            "highest_pitch_degrees": self.highest[1],
            "thrust_ended": ended,
            "why_thrust_ended": why,
            "predicted_modes": self.story,
            "status": self.trajectory.status,
            "settings": self.settings.to_dict(),
        }

    def _repr_markdown_(self) -> str:
        """For notebooks: how it went, in a table."""
        from modecontrol.trials.rhex.summary import table

        heads, rows = table([self])
        lines = [
            f"**{self.outcome}**: {self.kind} controller, friction {self.mu_toe:g}",
            "",
            "| | |",
            "|---|---|",
        ]
        ended, why = self.thrust_ended
        cells = [*zip(heads[3:], rows[0][3:], strict=True), ("thrust ended", f"{ended:.3f} s: {why}")]
        return "\n".join([*lines, *(f"| {head} | {cell} |" for head, cell in cells)])

    # Files
    # -------------------------------------------------------------------------------------------------------

    @property
    def slug(self) -> str:
        """A name for files: `new_0p6`."""
        return f"{self.kind.replace(' ', '_')}_{self.mu_toe:g}".replace(".", "p")

    def save(self, path: str | Path) -> Path:
        """Write trajectory, predictions and settings into one npz file, which `Trajectory.load` reads, too.

        Parameters
        ----------
        path
            Where to.
        """
        path = self.trajectory.save(path)
        header = json.dumps({"kind": self.kind, "mu_toe": self.mu_toe, "settings": self.settings.to_dict()})
        with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
            for name, array in {"flip": np.array(header), **self.predictions.arrays()}.items():
                memory = io.BytesIO()
                np.save(memory, array, allow_pickle=False)
                archive.writestr(f"{name}.npy", memory.getvalue())
        return path

    @staticmethod
    def load(path: str | Path) -> Flip:
        """Read what `save` wrote.

        Parameters
        ----------
        path
            The file.
        """
        trajectory = Trajectory.load(path)
        with np.load(path, allow_pickle=False) as file:
            if "flip" not in file:
                raise ValueError(
                    f"{path} is a trajectory without predictions; expected a file written by Flip.save"
                )
            header = json.loads(str(file["flip"]))
            predictions = Predictions.from_arrays(file)
        return Flip(
            header["kind"],
            header["mu_toe"],
            FlipSettings.from_dict(header["settings"]),
            trajectory,
            predictions,
        )


def upper_corner(model: Any) -> float:
    """Pitch at which the centre of mass stands over the upper rear corner: 90 degrees plus atan(h / d).

    Parameters
    ----------
    model
        `rhex` or `rhex_compliant`.
    """
    return float(np.pi / 2 + np.arctan2(model.parameters["h"], model.parameters["d"]))


def passing(time: np.ndarray, pitch: np.ndarray, level: float) -> float:
    """When the pitch first passes a level (s), between steps by interpolation; NaN when it never does.

    Parameters
    ----------
    time, pitch
        One of each per state.
    level
        The angle.
    """
    above = np.flatnonzero(pitch >= level)
    if not len(above) or above[0] == 0:
        return float("nan")
    i = above[0]
    part = (level - pitch[i - 1]) / (pitch[i] - pitch[i - 1])
    return float(time[i - 1] + part * (time[i] - time[i - 1]))


def first_span(
    flip: Flip, contact: str, letter: str, after: float, least: float = 0.005
) -> tuple[float, float] | None:
    """First interval (s) of at least some length in which a simulated contact keeps a letter.

    Parameters
    ----------
    flip
        The run.
    contact
        One of body, rear, middle, front.
    letter
        The letter.
    after
        Intervals that end before this time do not count.
    least
        Shorter ones do not count either.
    """
    place = CONTACTS.index(contact)
    story = changes(
        flip.trajectory.time[1:].tolist(), [mode[place] for mode in flip.trajectory.modes], DIGITS
    )
    ends = [*(time for time, _ in story[1:]), float(flip.trajectory.time[-1])]
    for (start, found), end in zip(story, ends, strict=True):
        if found == letter and end > after and end - start >= least:
            return max(start, 0.0), end
    return None
