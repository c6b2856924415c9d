"""A trajectory as data for the player: pictures of the mechanism, letters, curves, and the torque sets of
each instant.

Numbers are rounded for the file: positions to a tenth of a millimetre, the rest to five digits. What counts
is kept in the npz file beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol import tolerances
from modecontrol.modes.letters import changes
from modecontrol.page.description import units_of
from modecontrol.page.laws import described
from modecontrol.page.replay_data import RespondAt, attached, box, frame, moments, rounded, torques
from modecontrol.page.scene import geometry, has_bodies
from modecontrol.page.standalone import document
from modecontrol.view import palette

if TYPE_CHECKING:
    from modecontrol.regions.dynamic_response import DynamicResponse
    from modecontrol.timestepping.trajectory import Trajectory

DIGITS = 5
"""Of times at which modes change."""
FRAMES = 160
"""Pictures of a run, at most."""


def replay(
    trajectory: Trajectory,
    *,
    title: str = "",
    contacts: int | None = None,
    predicted: tuple[Iterable[float], Sequence[str | None]] | None = None,
    curves: Sequence[dict[str, Any]] = (),
    respond: RespondAt | None = None,
    chosen: np.ndarray | None = None,
    frames: int = FRAMES,
    note: str = "",
) -> dict[str, Any]:
    """Everything that the player shows of one run.

    Parameters
    ----------
    trajectory
        A `Trajectory` that knows its model.
    title
        Name of the run.
    contacts
        How many of the contacts are shown in letters, from the first on; None shows all.
    predicted
        Predicted modes: a pair (times, modes), None where nothing was predicted. Pictures are taken at these
        times.
    curves
        Further curves: `{"name", "unit", "lines": [{"name", "time", "value"}]}`.
    respond
        `(t, q, v) -> DynamicResponse` of an instant, or None for none; gives the torque sets.
    chosen
        Inputs that the controller chose at the predicted times (N, t), where they differ from the simulated
        ones.
    frames
        Pictures, at most.
    note
        A sentence below the title.

    Returns
    -------
    dict
        Plain data for `play` in the page's script.
    """
    model = trajectory.model
    if model is None or not has_bodies(model):
        raise ValueError(
            "the trajectory's model is not known or has no bodies; pass it: Trajectory.load(path, model=...)"
        )
    at, calls = moments(trajectory, frames, None if predicted is None else np.asarray(predicted[0]))
    shown = len(model.contacts) if contacts is None else contacts
    still = geometry(model)
    assert still is not None
    still["box"] = box(model, trajectory.q[at])
    units = units_of(model)
    return {
        "title": title or model.name,
        "note": note,
        "geometry": still,
        "joints": attached(model, "joints"),
        "discs": attached(model, "discs"),
        "contacts": list(model.contacts),
        "entries": [
            {"name": name, **entry} for name, entry in zip(model.contacts, described(model), strict=True)
        ],
        "lanes": list(model.contacts[:shown]),
        "inputs": [
            {"name": name, "unit": unit} for name, unit in zip(model.inputs, units.inputs, strict=True)
        ],
        "letters": {
            letter: {"colour": palette.letter_colour(letter), "word": palette.LETTER_WORDS[letter]}
            for letter in palette.LETTER_WORDS
        },
        "frames": [
            {
                **frame(trajectory, model, int(i), respond),
                "chosen": None if chosen is None or call < 0 else rounded(chosen[call]),
            }
            for i, call in zip(at, calls, strict=True)
        ],
        "time": rounded(trajectory.time[at]),
        "end": float(trajectory.time[-1]),
        "simulated": _changes(trajectory.time[:-1], [mode[:shown] for mode in trajectory.modes]),
        "predicted": None if predicted is None else _changes(*predicted),
        "curves": [*curves, torques(trajectory, units)] if model.inputs else list(curves),
    }


def _changes(times: Iterable[float], modes: Iterable[str | None]) -> list[list[Any]]:
    return [list(each) for each in changes(times, modes, DIGITS)]


class ReplaySession:
    """Runs behind a served page or a widget.

    Parameters
    ----------
    runs
        What `replay` gave.
    """

    def __init__(self, runs: Sequence[dict[str, Any]]) -> None:
        self.runs = list(runs)
        self.description = {"name": self.runs[0]["title"], "replay": True}

    def answer(self, request: Any) -> dict[str, Any]:
        """The runs, whatever else is asked.

        Parameters
        ----------
        request
            Parsed JSON; `{"ask": "describe"}` or `{"ask": "replay"}`.
        """
        ask = request.get("ask") if isinstance(request, dict) else None
        if ask == "describe":
            return self.description
        return (
            {"runs": self.runs}
            if ask == "replay"
            else {"error": f"the page asks {str(ask)[:40]!r}; expected describe or replay"}
        )


def write_replay(path: str | Path, runs: Sequence[dict[str, Any]], title: str = "Trajectories") -> Path:
    """Write runs as one page that needs neither Python nor a network.

    Parameters
    ----------
    path
        File to write.
    runs
        What `replay` gave.
    title
        Title of the page.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(document(title, {"runs": list(runs)}, "play"), encoding="utf-8")
    return path


def instants_of(
    trajectory: Trajectory, v0: float = tolerances.REPLAYED, gap: float = tolerances.REPLAYED
) -> RespondAt | None:
    """How the torque sets of a rigid mechanism's instants are found; None where contacts give way or there
    are no inputs.

    Parameters
    ----------
    trajectory
        A `Trajectory`.
    v0, gap
        Slower contacts count as at rest (m/s), nearer ones as closed (m).
    """
    from modecontrol.thrust.instants import Thresholds, respond_at

    model = trajectory.model
    if model is None or not model.inputs or not has_bodies(model) or np.isfinite(model.tree.stiffness).any():
        return None
    time, modes = np.asarray(trajectory.time), trajectory.modes

    def respond(t: float, q: np.ndarray, v: np.ndarray) -> DynamicResponse:
        """What the step before found closed and sticking is so, whatever rounding of a step is left in gaps and speeds."""
        step = max(int(np.searchsorted(time, t - tolerances.WHOLE_STEP * trajectory.step)) - 1, 0)
        letters = modes[step] if step < len(modes) else "S" * len(model.contacts)
        still = np.array([np.inf if letter == "F" else v0 for letter in letters])
        closed = np.array([letter != "S" for letter in letters]) | (model.contact_points(q).gap <= gap)
        thresholds = Thresholds.of(len(model.contacts), still, gap, np.inf)
        return respond_at(thresholds.read(model, q, v, closed), (), ())

    return respond
