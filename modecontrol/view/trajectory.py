"""A simulated motion in curves: states, torques, impulses, gaps, energy, residuals, accelerations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.validation import as_numbers, as_tuple, check_word
from modecontrol.view import palette
from modecontrol.view import style as view_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from modecontrol.thrust.controller import Decision
    from modecontrol.timestepping.trajectory import Trajectory

WHAT = ("q", "v", "torque", "force", "gap", "energy", "residual", "acceleration", "modes", "strobe")
"""What `plot_trajectory` can show."""
MOST = 10
"""Curves in one picture; the rest is counted in the legend."""


def plot_trajectory(
    traj: Trajectory,
    ax: Axes | None = None,
    *,
    what: str = "q",
    names: Sequence[str] | str | None = None,
    **options: Any,
) -> Axes:
    """Draw one aspect of a trajectory against time.

    Parameters
    ----------
    traj
        A `Trajectory`.
    ax
        Matplotlib axes; None makes a figure.
    what
        "q", "v", "torque", "force" (mean contact forces of the steps), "gap", "energy", "residual" (of the
        LCP), "acceleration", "modes" (timeline) or "strobe" (the mechanism at several times).
    names
        Which coordinates, inputs, forces or contacts; None takes the first few.
    **options
        Handed to `plot_energy`, `plot_residual`, `plot_acceleration`, `plot_timeline` or `plot_stroboscope`.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.
    """
    check_word(what, "what", WHAT)
    if what == "energy":
        return plot_energy(traj, ax, **options)
    if what == "residual":
        return plot_residual(traj, ax, **options)
    if what == "modes":
        from modecontrol.view.timeline import plot_timeline

        return plot_timeline(traj, ax, **options)
    if what == "strobe":
        from modecontrol.view.stroboscope import plot_stroboscope

        return plot_stroboscope(traj, ax, **options)
    if what == "acceleration":
        return plot_acceleration(traj, names, ax, **options)
    labels, times, values, unit = _curves(traj, what)
    return _draw_curves(ax, times, values, labels, names, unit, **options)


def plot_energy(traj: Trajectory, ax: Axes | None = None) -> Axes:
    """Total energy against time, with its kinetic and potential parts.

    Parameters
    ----------
    traj
        A `Trajectory`.
    ax
        Matplotlib axes; None makes a figure.
    """
    ax = view_style.axes(ax, 2, (7.2, 3.2))
    parts = [("total", traj.energy), ("kinetic", traj.kinetic), ("potential", traj.potential)]
    for i, (name, values) in enumerate(parts):
        ax.plot(traj.time, values, label=name, linewidth=2.0 if i == 0 else 1.2, **palette.line_style(i))
    _finish(ax, traj.time, "energy (J)")
    ax.legend(fontsize=8, framealpha=0.9)
    return ax


def plot_residual(traj: Trajectory, ax: Axes | None = None) -> Axes:
    """Residual of the complementarity problem of each step, on a logarithmic axis; exact zeros sit on the
    floor.

    Parameters
    ----------
    traj
        A `Trajectory`.
    ax
        Matplotlib axes; None makes a figure.
    """
    from modecontrol import tolerances

    ax = view_style.axes(ax, 2, (7.2, 3.0))
    residual = np.asarray(traj.residual, dtype=float)
    if not len(residual):
        view_style.say(ax, "no time steps")
        ax.set_axis_off()
        return ax
    floor = 1e-18
    times = np.asarray(traj.time)[-len(residual) :]
    ax.semilogy(
        times,
        np.maximum(residual, floor),
        linestyle="none",
        marker=".",
        markersize=3,
        color=palette.LINES[0],
        label="step",
    )
    ax.axhline(
        tolerances.COMPLEMENTARY,
        color=palette.ACCENT,
        linewidth=1.2,
        linestyle="--",
        label=f"accepted up to {tolerances.COMPLEMENTARY:g}",
    )
    ax.set_ylim(floor / 3, max(10 * tolerances.COMPLEMENTARY, 3 * residual.max()))
    _finish(ax, traj.time, "LCP residual")
    ax.legend(fontsize=8, loc="center right", framealpha=0.9)
    return ax


def plot_acceleration(
    traj: Trajectory,
    names: Sequence[str] | str | None = None,
    ax: Axes | None = None,
    *,
    predicted: tuple[ArrayLike, ArrayLike] | Sequence[Decision] | None = None,
) -> Axes:
    """Accelerations as simulated, and as the controller's model predicted them (top halves of Figs. 10 to
    14).

    Parameters
    ----------
    traj
        A `Trajectory`.
    names
        One coordinate or several; None takes the first few.
    ax
        Matplotlib axes; None makes a figure.
    predicted
        (times, values) for one coordinate, or a controller's decisions with `time` and `value`.
    """
    labels = _names(traj, "coordinates", np.asarray(traj.q).shape[1])
    times = np.asarray(traj.time, dtype=float)
    values = np.asarray(traj.acceleration)
    unit = f"acceleration of {names}" if isinstance(names, str) else "acceleration"
    ax = _draw_curves(ax, times[-len(values) :] if len(values) else times, values, labels, names, unit)
    if predicted is not None:
        t, y = _prediction(predicted)
        ax.plot(
            t,
            y,
            color=palette.ACCENT,
            linestyle="--",
            linewidth=1.4,
            drawstyle="steps-post",
            label="predicted",
        )
        for line in ax.get_lines()[:-1]:
            if isinstance(names, str):
                line.set_label("simulated")
        ax.legend(fontsize=8, framealpha=0.9)
    return ax


def _prediction(predicted: Any) -> tuple[np.ndarray, np.ndarray]:
    items = as_tuple(predicted, "predicted", "times and values, or decisions")
    if items and hasattr(items[0], "value"):
        key = "time" if hasattr(items[0], "time") else "t"
        t = np.array([getattr(item, key) for item in items], dtype=float)
        return t, np.array([np.nan if item.value is None else item.value for item in items], dtype=float)
    if len(items) != 2 or np.shape(items[0]) != np.shape(items[1]):
        raise ValueError(
            "predicted accelerations are (times, values) of equal length, or decisions with time and value"
        )
    return as_numbers(items[0], "predicted times"), as_numbers(items[1], "predicted values")


def _curves(traj: Trajectory, what: str) -> tuple[list[str], np.ndarray, np.ndarray, str]:
    times = np.asarray(traj.time, dtype=float)
    if what in ("q", "v"):
        values = np.asarray(getattr(traj, what))
        unit = "coordinates (m, rad)" if what == "q" else "velocities (m/s, rad/s)"
        return _names(traj, "coordinates", values.shape[1]), times, values, unit
    if what == "torque":
        values = np.asarray(traj.torque)
        return _names(traj, "inputs", values.shape[1]), times[: len(values)], values, "inputs (N, N m)"
    if what == "gap":
        values = np.asarray(traj.gap)
        return _names(traj, "contacts", values.shape[1]), times[-len(values) :], values, "gap (m)"
    values = np.asarray(traj.impulse)
    contacts = _names(traj, "contacts", values.shape[1] // 2)
    labels = [f"{name}.{part}" for name in contacts for part in ("normal", "tangent")]
    return labels, times[: len(values)], values / np.diff(times)[: len(values), None], "contact force (N)"


def _names(traj: Trajectory, kind: str, count: int) -> list[str]:
    names = list(traj.header["names"][kind])
    return names if len(names) == count else [f"{kind[:-1]} {i + 1}" for i in range(count)]


def _draw_curves(
    ax: Axes | None,
    times: np.ndarray,
    values: np.ndarray,
    labels: Sequence[str],
    names: Sequence[str] | str | None,
    unit: str,
    **style: Any,
) -> Any:
    from modecontrol.regions.windows import position

    ax = view_style.axes(ax, 2, (7.2, 3.4))
    asked = (
        range(len(labels))
        if names is None
        else [
            position(n, labels)
            for n in ([names] if isinstance(names, str) else as_tuple(names, "names", "names"))
        ]
    )
    asked = list(asked)
    if not asked or not len(times):
        view_style.say(ax, "nothing to draw: " + ("no time steps" if asked else f"no {unit.split(' (')[0]}"))
        ax.set_axis_off()
        return ax
    shown = asked if names is not None else asked[:MOST]
    for j, i in enumerate(shown):
        ax.plot(times, values[:, i], label=labels[i], **{"linewidth": 1.4, **palette.line_style(j), **style})
    if len(shown) < len(asked):
        ax.plot([], [], linestyle="none", label=f"... and {len(asked) - len(shown)} more")
    _finish(ax, times, unit)
    if len(shown) > 1 or names is None:
        beside = len(shown) > 4
        handles, words = ax.get_legend_handles_labels()
        view_style.legend(ax, handles, words, most=MOST + 1, beside=beside)
    return ax


def _finish(ax: Axes, times: np.ndarray, unit: str) -> None:
    ax.set_xlabel("time (s)")
    ax.set_ylabel(unit)
    if len(times) > 1:
        ax.set_xlim(times[0], times[-1])
    view_style.calm(ax, "both")


def overview(traj: Trajectory, predicted: Sequence[Decision] | None = None) -> Figure:
    """States, inputs, modes, energy and residuals of a trajectory on one page, outside pyplot's list.

    Parameters
    ----------
    traj
        A `Trajectory`.
    predicted
        A controller's decisions, or None.
    """
    from modecontrol.view.timeline import plot_timeline

    contacts = len(_names(traj, "contacts", np.asarray(traj.impulse).shape[1] // 2))
    lanes = max(1.5, 0.3 * contacts * (1.6 if predicted is not None else 1.0))
    parts = ["q", "v"] + (["torque"] if np.asarray(traj.torque).shape[1] else []) + ["energy", "residual"]
    ratios = [2.2] * len(parts) + ([lanes] if contacts else [])
    fig = view_style.figure(8.0, 0.8 + 0.95 * sum(ratios))
    axes = fig.subplots(len(ratios), 1, sharex=True, gridspec_kw={"height_ratios": ratios})
    for ax, what in zip(axes, parts, strict=False):
        plot_trajectory(traj, ax, what=what)
    if contacts:
        plot_timeline(traj, axes[-1], predicted=predicted)
    for ax in axes[:-1]:
        ax.set_xlabel("")
    return fig
