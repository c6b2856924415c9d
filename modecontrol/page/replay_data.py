"""Parts of a recorded run as plain data: pictures of single instants, torque sets, curves, spans of modes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol import tolerances
from modecontrol.page.laws import drawn
from modecontrol.page.sets import Causes, forced_inputs, mode_sets, quick_modes, rows_of
from modecontrol.view import bodies

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from modecontrol.dynamics.model import Model
    from modecontrol.regions.dynamic_response import DynamicResponse
    from modecontrol.timestepping.trajectory import Trajectory

MODES = 60
"""Torque sets of an instant with more modes than this are left out of the file."""

RespondAt = Callable[[float, np.ndarray, np.ndarray], "DynamicResponse | None"]


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
        made.append({"name": word, "time": rounded(time[keep]), "value": rounded(value[keep])})
    return {"name": name, "unit": unit, "lines": made}


# One picture
# -------------------------------------------------------------------------------------------------------


def frame(trajectory: Trajectory, model: Model, i: int, respond: RespondAt | None) -> dict[str, Any]:
    """One picture: places of bodies and contacts, forces, mode, inputs, torque sets.

    Parameters
    ----------
    trajectory, model
        The run and its mechanism.
    i
        Number of the state.
    respond
        Gives the torque sets; None for none.
    """
    q, v = trajectory.q[i], trajectory.v[i]
    points = model.contact_points(q)
    step = min(i, len(trajectory) - 1)
    force = trajectory.force[step] if len(trajectory) else np.zeros(2 * len(model.contacts))
    laws = drawn(model, q, points.gap)
    return {
        "poses": np.round(model.frames(q), 4).tolist(),
        "at": np.round(points.position, 4).tolist(),
        "t": np.round(points.t, 4).tolist(),
        "gap": np.round(points.gap, 6).tolist(),
        "mu": rounded(model.tree.friction),
        "laws": laws if any(laws) else None,
        "force": rounded(force),
        "mode": trajectory.modes[max(step - 1, 0)] if len(trajectory) else "",
        "tau": rounded(trajectory.torque[step]) if len(trajectory) else [],
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
        **{key: [rounded(row) for row in rows[key]] for key in ("A", "C")},
        **{key: rounded(rows[key]) for key in ("b", "d")},
    }


def moments(trajectory: Trajectory, frames: int, calls: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
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


def box(model: Model, configurations: np.ndarray) -> list[list[float]]:
    """What the pictures of a run show of the plane.

    Parameters
    ----------
    model
        The mechanism.
    configurations
        Where it goes, one per row.
    """
    few = configurations[np.unique(np.linspace(0, len(configurations) - 1, 40).astype(int))]
    return bodies.extent(model, list(few), padding=0.08).tolist()


def attached(model: Model, what: str) -> list[list[float]]:
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


def _carrier(model: Model, centre: np.ndarray, what: str, more: list[float]) -> int:
    """The body to which a joint or disc at a place in the world belongs: one whose own point is there."""
    q = model.start
    numbers: Any = model.numbers  # every entry a number
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


def torques(trajectory: Trajectory, units: Any) -> dict[str, Any]:
    """The inputs over time as a diagram.

    Parameters
    ----------
    trajectory
        The run.
    units
        Units of its quantities.
    """
    names = () if trajectory.model is None else trajectory.model.inputs
    return curve(
        "inputs",
        units.inputs[0] if len(set(units.inputs)) == 1 else "",
        [(name, trajectory.time[:-1], trajectory.torque[:, i]) for i, name in enumerate(names)],
    )


def rounded(values: ArrayLike) -> list[float | None]:
    """Five digits; what is not finite becomes null."""
    return [
        float(f"{value:.5g}") if np.isfinite(value) else None
        for value in np.asarray(values, dtype=float).ravel()
    ]
