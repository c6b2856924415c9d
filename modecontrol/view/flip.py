"""Pictures of the RHex flip: pitch of all runs, and prediction against simulation of each (Figs. 10 to 14)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from modecontrol.view import style as house
from modecontrol.view.timeline import plot_timeline

CONTACTS = ("body", "rear", "middle", "front")


def plot_pitch(flips: Sequence[Any], ax: Any = None) -> Any:
    """Pitch against time of all runs, with the angles that matter.

    Parameters
    ----------
    flips
        `Flip`s.
    ax
        Matplotlib axes; None makes a figure.
    """
    ax = house.axes(ax, 2, (7.2, 4.2))
    for i, flip in enumerate(flips):
        trajectory = flip.trajectory
        ax.plot(trajectory.time, np.degrees(trajectory.q[:, 2]), label=f"{flip.kind}, $\\mu_t$ = {flip.mu_toe:g}",
                **house.line_style(i))
    end = max(float(flip.trajectory.time[-1]) for flip in flips)
    for angle, word in ((78.7, "centre of mass over lower corner"), (90.0, "upright"), (101.3, "flipped")):
        ax.axhline(angle, color=house.QUIET, linewidth=0.8, linestyle=":")
        ax.text(0.01 * end, angle + 1.0, word, fontsize=8, color=house.QUIET)
    ax.set_xlim(0.0, end)
    ax.set_ylim(0.0, 110.0)
    ax.set_xlabel("time (s)")
    ax.set_ylabel("pitch (degrees)")
    ax.legend(fontsize=8, loc="lower right", framealpha=0.9)
    return ax


def plot_flip(flip: Any) -> Any:
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
    fig = house.figure(7.6, 8.2)
    top, middle, bottom = fig.subplots(3, 1, sharex=True, height_ratios=(1.0, 1.3, 1.0))
    top.plot(flip.times, flip.simulated, color=house.LINES[0], linewidth=1.2, label="simulated")
    top.plot(flip.times, flip.predicted, color=house.ACCENT, linewidth=1.2, linestyle="--", label="predicted")
    top.set_ylabel("pitch acceleration (rad/s²)")
    top.legend(fontsize=8, framealpha=0.9)
    top.set_title(f"{flip.kind} controller, $\\mu_t$ = {flip.mu_toe:g}:  90° after {flip.upright:.3f} s, "
                  f"RMSE {flip.rmse:.2f} rad/s²", fontsize=10)
    trajectory = flip.trajectory
    plot_timeline((trajectory.time[:-1], [mode[:4] for mode in trajectory.modes]), middle,
                  predicted=flip.controller.decisions, contacts=CONTACTS)
    for i in range(trajectory.torque.shape[1]):
        bottom.plot(trajectory.time[:-1], trajectory.torque[:, i], label=f"tau{i + 1}", **house.line_style(i))
    bottom.set_ylabel("hip torque (N m)")
    bottom.set_xlabel("time (s)")
    bottom.legend(fontsize=8, framealpha=0.9, loc="lower right")
    for ax in (top, bottom):
        house.calm(ax)
    middle.set_xlabel("")
    fig.align_ylabels((top, bottom))
    return fig
