"""Pictures of the RHex flip: pitch of all runs, and prediction against simulation of each (Figs. 10 to 15)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from modecontrol.trials.rhex.run import upper_corner
from modecontrol.trials.rhex.settings import CONTACTS
from modecontrol.trials.rhex.toe_velocities import toe_velocities
from modecontrol.view import palette
from modecontrol.view import style as view_style
from modecontrol.view.timeline import plot_timeline

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from modecontrol.trials.rhex.run import Flip


def plot_pitch(flips: Sequence[Flip], ax: Axes | None = None) -> Axes:
    """Pitch against time of all runs, with the angles that matter.

    Parameters
    ----------
    flips
        `Flip`s.
    ax
        Matplotlib axes; None makes a figure.
    """
    ax = view_style.axes(ax, 2, (7.2, 4.2))
    for i, flip in enumerate(flips):
        trajectory = flip.trajectory
        word = "" if flip.outcome == "flipped" else f" ({flip.outcome})"
        ax.plot(
            trajectory.time,
            np.degrees(trajectory.q[:, 2]),
            label=f"{flip.kind}, $\\mu_t$ = {flip.mu_toe:g}{word}",
            **palette.line_style(i),
        )
    end = max(float(flip.trajectory.time[-1]) for flip in flips)
    over = np.degrees(upper_corner(flips[0].trajectory.model))
    for angle, word in (
        (180.0 - over, "centre of mass over lower corner"),
        (90.0, "upright"),
        (over, "flipped"),
    ):
        ax.axhline(angle, color=palette.QUIET, linewidth=0.8, linestyle=":")
        ax.text(0.01 * end, angle + 1.0, word, fontsize=8, color=palette.QUIET)
    ax.set_xlim(0.0, end)
    ax.set_ylim(0.0, over + 9.0)
    ax.set_xlabel("time (s)")
    ax.set_ylabel("pitch (degrees)")
    ax.legend(fontsize=8, loc="lower right", framealpha=0.9)
    return ax


def plot_flip(flip: Flip) -> Figure:
    """Predicted against simulated pitch acceleration, modes and hip torques of one run, one above the other.

    Parameters
    ----------
    flip
        A `Flip`.

    Returns
    -------
    matplotlib.figure.Figure
        Three rows.
    """
    fig = view_style.figure(7.6, 8.2)
    top, middle, bottom = fig.subplots(3, 1, sharex=True, height_ratios=(1.0, 1.3, 1.0))
    top.plot(flip.times, flip.simulated, color=palette.LINES[0], linewidth=1.2, label="simulated")
    top.plot(
        flip.times, flip.predicted, color=palette.ACCENT, linewidth=1.2, linestyle="--", label="predicted"
    )
    top.set_ylabel("pitch acceleration (rad/s²)")
    top.legend(fontsize=8, framealpha=0.9)
    top.set_title(f"{flip.kind} controller, $\\mu_t$ = {flip.mu_toe:g}:  {_verdict(flip)}", fontsize=10)
    trajectory, ended = flip.trajectory, flip.thrust_ended[0]
    plot_timeline(
        (trajectory.time[:-1], [mode[:4] for mode in trajectory.modes]),
        middle,
        predicted=[
            made if made.time <= ended else replace(made, mode=None) for made in flip.predictions.decisions
        ],
        contacts=CONTACTS,
    )
    for i in range(trajectory.torque.shape[1]):
        bottom.plot(
            trajectory.time[:-1], trajectory.torque[:, i], label=f"tau{i + 1}", **palette.line_style(i)
        )
    bottom.set_ylabel("hip torque (N m)")
    bottom.set_xlabel("time (s)")
    bottom.legend(fontsize=8, framealpha=0.9, loc="lower right")
    if flip.outcome == "failed":
        for ax in (top, middle, bottom):
            ax.axvline(ended, color=palette.QUIET, linewidth=1.0, linestyle=":")
        bottom.text(ended, bottom.get_ylim()[1], " thrust ended", fontsize=8, color=palette.QUIET, va="top")
    for ax in (top, bottom):
        view_style.calm(ax)
    middle.set_xlabel("")
    fig.align_ylabels((top, bottom))
    return fig


def plot_toe_velocities(flip: Flip) -> Figure:
    """Horizontal velocities of body, rear, middle and front: rigid prediction against simulation (Fig. 12).

    Parameters
    ----------
    flip
        A `Flip`.

    Returns
    -------
    matplotlib.figure.Figure
        One row per contact; intervals in which the simulated contact is fixed are shaded.
    """
    seen = toe_velocities(flip)
    found = seen.thresholds
    fig = view_style.figure(7.6, 7.4)
    rows = fig.subplots(4, 1, sharex=True)
    for i, (name, ax) in enumerate(zip(CONTACTS, rows, strict=True)):
        low, high = _limits(np.concatenate([seen.predicted[:, i], seen.simulated[:, i]]))
        ax.fill_between(
            seen.time,
            low,
            high,
            where=seen.fixed[:, i],
            step="post",
            color="#dce7f3",
            linewidth=0,
            label="fixed in simulation",
        )
        ax.plot(seen.time, seen.simulated[:, i], color=palette.LINES[0], linewidth=1.2, label="simulated")
        ax.plot(
            seen.time,
            seen.predicted[:, i],
            color=palette.ACCENT,
            linewidth=1.2,
            linestyle="--",
            label="rigid prediction",
        )
        ax.axhline(0.0, color=palette.QUIET, linewidth=0.6)
        ax.set_ylim(low, high)
        threshold = (
            f": at most {found[name]:.3g} m/s while fixed"
            if np.isfinite(found[name])
            else ": never fixed for 20 ms"
        )
        ax.set_ylabel("m/s")
        ax.set_title(name + threshold, fontsize=9, loc="left")
        view_style.calm(ax)
    rows[0].legend(fontsize=8, framealpha=0.9, loc="upper right")
    rows[-1].set_xlabel("time (s)")
    fig.align_ylabels(rows)
    return fig


def _verdict(flip: Flip) -> str:
    if flip.outcome == "failed":
        time, why = flip.thrust_ended
        return f"failed, thrust ended at {time:.3f} s ({why})"
    return f"90° after {flip.upright:.3f} s, RMSE {flip.rmse:.2f} rad/s²"


def _limits(values: np.ndarray) -> tuple[float, float]:
    """Ends that hold what usually happens; the first instants may leave the picture."""
    known = values[np.isfinite(values)]
    if not len(known):
        return -1.0, 1.0
    low, high = np.quantile(known, (0.005, 0.995))
    pad = 0.12 * max(high - low, 0.02)
    return float(min(low, 0.0) - pad), float(max(high, 0.0) + pad)
