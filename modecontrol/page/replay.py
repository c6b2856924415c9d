"""A trajectory as data for the player: pictures of the mechanism, letters, curves, and the torque sets of
each instant.

Numbers are rounded for the file: positions to a tenth of a millimetre, the rest to five digits. What counts
is kept in the npz file beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.page.description import units_of
from modecontrol.page.scene import geometry
from modecontrol.page.sets import Causes, forced_inputs, mode_sets, quick_modes, rows_of
from modecontrol.page.standalone import document
from modecontrol.view import bodies, style

FRAMES = 160
"""Pictures of a run, at most."""
MODES = 60
"""Torque sets of an instant with more modes than this are left out of the file."""

RespondAt = Callable[[float, np.ndarray, np.ndarray], Any]


def replay(
    trajectory: Any,
    *,
    title: str = "",
    contacts: int | None = None,
    predicted: Any = None,
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
    if model is None or not hasattr(model, "frames"):
        raise ValueError(
            "the trajectory's model is not known or has no bodies; pass it: Trajectory.load(path, model=...)"
        )
    at, calls = _moments(trajectory, frames, None if predicted is None else np.asarray(predicted[0]))
    shown = len(model.contacts) if contacts is None else contacts
    still = geometry(model)
    assert still is not None
    still["box"] = _box(model, trajectory.q[at])
    units = units_of(model)
    return {
        "title": title or model.name,
        "note": note,
        "geometry": still,
        "joints": _attached(model, "joints"),
        "discs": _attached(model, "discs"),
        "contacts": list(model.contacts),
        "lanes": list(model.contacts[:shown]),
        "inputs": [
            {"name": name, "unit": unit} for name, unit in zip(model.inputs, units.inputs, strict=True)
        ],
        "letters": {
            letter: {"colour": style.letter_colour(letter), "word": style.LETTER_WORDS[letter]}
            for letter in "SLRF"
        },
        "frames": [
            {
                **_frame(trajectory, model, int(i), respond),
                "chosen": None if chosen is None or call < 0 else _rounded(chosen[call]),
            }
            for i, call in zip(at, calls, strict=True)
        ],
        "time": _rounded(trajectory.time[at]),
        "end": float(trajectory.time[-1]),
        "simulated": _spans(trajectory.time[:-1], [mode[:shown] for mode in trajectory.modes]),
        "predicted": None if predicted is None else _spans(*predicted),
        "curves": [*curves, _torques(trajectory, units)] if model.inputs else list(curves),
    }


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
    trajectory: Any, v0: float = tolerances.REPLAYED, gap: float = tolerances.REPLAYED
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
    if (
        model is None
        or not model.inputs
        or getattr(model, "tree", None) is None
        or np.isfinite(model.tree.stiffness).any()
    ):
        return None
    thresholds = Thresholds.of(len(model.contacts), v0, gap, np.inf)
    return lambda t, q, v: respond_at(thresholds.read(model, q, v), (), ())


def curve(
    name: str, unit: str, lines: Sequence[tuple[str, np.ndarray, np.ndarray]], most: int = 700
) -> dict[str, Any]:
    """A diagram of the player.

    Parameters
    ----------
    name, unit
        What its axis says.
    lines
        Name, times and values of each line.
    most
        Points of a line, at most.
    """
    made = []
    for word, time, value in lines:
        keep = (
            np.unique(np.linspace(0, len(time) - 1, min(most, len(time))).round().astype(int))
            if len(time)
            else np.zeros(0, int)
        )
        made.append({"name": word, "time": _rounded(time[keep]), "value": _rounded(value[keep])})
    return {"name": name, "unit": unit, "lines": made}


# One picture
# -------------------------------------------------------------------------------------------------------


def _frame(trajectory: Any, model: Any, i: int, respond: RespondAt | None) -> dict[str, Any]:
    q, v = trajectory.q[i], trajectory.v[i]
    points = model.contact_points(q)
    step = min(i, len(trajectory) - 1)
    force = trajectory.force[step] if len(trajectory) else np.zeros(2 * len(model.contacts))
    return {
        "poses": np.round(model.frames(q), 4).tolist(),
        "at": np.round(points.position, 4).tolist(),
        "t": np.round(points.t, 4).tolist(),
        "gap": np.round(points.gap, 6).tolist(),
        "mu": _rounded(model.tree.friction),
        "force": _rounded(force),
        "mode": trajectory.modes[max(step - 1, 0)] if len(trajectory) else "",
        "tau": _rounded(trajectory.torque[step]) if len(trajectory) else [],
        "sets": _sets(respond, trajectory.time[i], q, v),
    }


def _sets(respond: RespondAt | None, t: float, q: np.ndarray, v: np.ndarray) -> dict[str, Any] | None:
    """Torque sets of an instant, rounded; None where there are none to show."""
    if respond is None:
        return None
    try:
        response = respond(float(t), q, v)
    except (ValueError, ArithmeticError):
        return None
    if response is None or not len(response) or len(response) > MODES:
        return None
    inputs = len(response.problem.names.inputs)
    axes, zero, causes = list(range(inputs)), np.zeros(inputs), Causes()
    modes = [{**entry, "set": _short(entry["set"])} for entry in mode_sets(response, axes, zero, causes)]
    return {
        "modes": modes,
        "limits": _short(rows_of(response.torque_set, axes, zero, causes)),
        "causes": list(causes.numbers),
        "forced": forced_inputs(response, quick_modes(response)[0]),
    }


def _short(rows: dict[str, Any] | None) -> dict[str, Any] | None:
    if rows is None:
        return None
    return {
        **rows,
        **{key: [_rounded(row) for row in rows[key]] for key in ("A", "C")},
        **{key: _rounded(rows[key]) for key in ("b", "d")},
    }


def _moments(trajectory: Any, frames: int, calls: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of the states that are shown, and the controller's call at each (-1 for none)."""
    count = len(trajectory.time)
    if calls is None or not len(calls):
        at = np.unique(np.linspace(0, count - 1, min(frames, count)).round().astype(int))
        return at, np.full(len(at), -1)
    picked = np.unique(np.linspace(0, len(calls) - 1, min(frames, len(calls))).round().astype(int))
    at = np.minimum(np.round(calls[picked] / trajectory.step).astype(int), count - 1)
    return np.append(at, count - 1), np.append(picked, -1)


# Pieces
# ------------------------------------------------------------------------------------------------------------


def _box(model: Any, configurations: np.ndarray) -> list[list[float]]:
    few = configurations[np.unique(np.linspace(0, len(configurations) - 1, 40).astype(int))]
    return bodies.extent(model, list(few), padding=0.08).tolist()


def _attached(model: Any, what: str) -> list[list[float]]:
    """Joints or discs as (body, x, y[, radius]) in the frame of a body; -1 is the world."""
    q = model.start
    poses = model.frames(q)
    found = []
    for item in getattr(bodies, what)(model, q):
        centre, more = (item[0], [float(item[1])]) if what == "discs" else (item, [])
        body = _carrier(model, centre, what, more)
        if body < 0:
            found.append([-1, *map(float, centre), *more])
            continue
        x, y, angle = poses[body]
        c, s = np.cos(angle), np.sin(angle)
        dx, dy = centre[0] - x, centre[1] - y
        found.append([body, round(float(c * dx + s * dy), 5), round(float(-s * dx + c * dy), 5), *more])
    return found


def _carrier(model: Any, centre: np.ndarray, what: str, more: list[float]) -> int:
    """The body to which a joint or disc at a place in the world belongs: one whose own point is there."""
    q, numbers = model.start, model.numbers
    poses = model.frames(q)
    names = [body.name for body in numbers.bodies]
    candidates: list[tuple[str, tuple[float, float]]] = []
    if what == "joints":
        candidates += [
            (body.parent, body.joint.at) for body in numbers.bodies if body.joint.kind == "revolute"
        ]
        candidates += [(pin.body, pin.point) for pin in numbers.pins]
    else:
        candidates += [(c.body, c.point) for c in numbers.contacts if c.radius > 0]
        candidates += [(c.other, c.other_point) for c in numbers.contacts if c.other_radius > 0]
    for name, point in candidates:
        if name == "world":
            continue
        x, y, angle = poses[names.index(name)]
        c, s = np.cos(angle), np.sin(angle)
        if (
            np.hypot(x + c * point[0] - s * point[1] - centre[0], y + s * point[0] + c * point[1] - centre[1])
            < tolerances.WHOLE_STEP
        ):
            return names.index(name)
    return -1


def _spans(times: Any, modes: Sequence[str | None]) -> list[list[Any]]:
    """(time, mode) wherever the mode changes; None where there is none."""
    found: list[list[Any]] = []
    for time, mode in zip(times, modes, strict=True):
        if not found or found[-1][1] != mode:
            found.append([round(float(time), 5), mode])
    return found


def _torques(trajectory: Any, units: Any) -> dict[str, Any]:
    names = trajectory.model.inputs
    return curve(
        "inputs",
        units.inputs[0] if len(set(units.inputs)) == 1 else "",
        [(name, trajectory.time[:-1], trajectory.torque[:, i]) for i, name in enumerate(names)],
    )


def _rounded(values: Any) -> list[float | None]:
    """Five digits; what is not finite becomes null."""
    return [
        float(f"{value:.5g}") if np.isfinite(value) else None
        for value in np.asarray(values, dtype=float).ravel()
    ]
