"""The mechanism at several times in one picture: early positions faint, the last one full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.validation import check_count, real_array
from modecontrol.view import mechanism, palette
from modecontrol.view import style as view_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from modecontrol.dynamics.model import Model
    from modecontrol.timestepping.trajectory import Trajectory


def plot_stroboscope(
    traj: Trajectory,
    ax: Axes | None = None,
    *,
    frames: int = 8,
    times: Sequence[float] | None = None,
    model: Model | None = None,
    path: bool = True,
) -> Axes:
    """Draw a motion as a multiple exposure.

    Parameters
    ----------
    traj
        A `Trajectory`.
    ax
        Flat matplotlib axes; None makes a figure.
    frames
        How many positions, evenly spaced in time.
    times
        The times to draw instead; each takes the nearest step.
    model
        The model, when the trajectory does not know it.
    path
        Whether to draw the paths of the bodies' centres of mass.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.
    """
    view_style.check_flags(path=path)
    model = model_of(traj, model)
    time = np.asarray(traj.time, dtype=float)
    if times is None:
        frames = check_count(frames, "frames", least=1)
        times = [float(t) for t in np.linspace(time[0], time[-1], frames)]
    shown = sorted({int(np.argmin(np.abs(time - t))) for t in real_array(times, "times", 1)})
    q = np.asarray(traj.q)
    ax = view_style.axes(ax, 2, (7.2, 4.6))
    box = mechanism.extent(model, [q[i] for i in shown], padding=0.06)
    mechanism.draw_walls(ax, model, box)
    for rank, i in enumerate(shown):
        part = 1.0 if len(shown) == 1 else rank / (len(shown) - 1)
        mechanism.draw_bodies(
            ax,
            model,
            q[i],
            colour=palette.lighter(palette.LINES[0], 0.9 - 0.45 * part),
            edge=palette.lighter(palette.INK, 0.6 * (1 - part)),
            alpha=0.35 + 0.6 * part,
            zorder=2 + rank,
        )
    if path:
        steps = np.unique(np.linspace(0, len(q) - 1, min(len(q), 200)).astype(int))
        centres = np.array([_centre(model, q[i]) for i in steps])
        ax.plot(
            *centres.T, color=palette.ACCENT, linewidth=1.2, zorder=3 + len(shown), label="centre of mass"
        )
        ax.legend(fontsize=8, frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)
    mechanism.frame(ax, box)
    moments = [time[i] for i in shown]
    view_style.note(
        ax, f"t = {', '.join(f'{t:.3g}' for t in moments[:10])}{', ...' if len(moments) > 10 else ''} s"
    )
    return ax


def model_of(traj: Trajectory, model: Model | None = None) -> Any:
    """The model of a trajectory, or a clear complaint.

    Parameters
    ----------
    traj
        A `Trajectory`.
    model
        A `Model` that takes precedence.
    """
    found = model if model is not None else getattr(traj, "model", None)
    if found is None:
        raise ValueError("this trajectory does not know its model (it was loaded without it); pass model=...")
    return found


def _centre(model: Model, q: np.ndarray) -> np.ndarray:
    """Centre of mass of all bodies; of their frames when nothing has mass."""
    numbers: Any = model.numbers  # every entry a number
    weights, points = [], []
    for body, (x, y, angle) in zip(numbers.bodies, model.frames(q), strict=True):
        c, s = np.cos(angle), np.sin(angle)
        points.append((x + c * body.com[0] - s * body.com[1], y + s * body.com[0] + c * body.com[1]))
        weights.append(body.mass)
    total = sum(weights)
    return np.average(points, axis=0, weights=weights if total > 0 else None)
