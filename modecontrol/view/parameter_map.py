"""Pictures of a `ParameterMap`: counts as steps, thrust and loss as shades, points without an answer hatched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.studies.parameter_map import ParameterMap
from modecontrol.validation import check_word
from modecontrol.view import palette
from modecontrol.view import style as view_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLES = {
    "modes": "number of contact modes",
    "thrust": "best guaranteed {objective}",
    "loss": "loss of {objective} to ambiguity",
}
SHADES = {"modes": "cividis", "thrust": "viridis", "loss": "magma_r"}

MISSING = {"facecolor": "#ffffff", "edgecolor": palette.QUIET, "hatch": "xxx"}
ENDLESS = {"facecolor": "#3a3a3a", "edgecolor": "#ffffff", "hatch": "..."}


def plot_map(
    found: ParameterMap,
    quantity: str = "modes",
    ax: Axes | None = None,
    *,
    bar: bool = True,
    modes: bool = True,
) -> Axes:
    """Draw one quantity over the two parameters.

    Parameters
    ----------
    found
        What `parameter_map` returned.
    quantity
        "modes", "thrust" or "loss"; it has to be among those computed.
    ax
        Flat matplotlib axes; None makes a figure.
    bar
        Whether to add a colour bar.
    modes
        On a map of thrust: draw lines where the best mode changes, and name the modes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.
    """
    view_style.check_flags(bar=bar, modes=modes)
    check_word(quantity, "quantity", found.values)
    values = found.values[quantity]
    ax = view_style.axes(ax, 2, (6.4, 4.6))
    ax.set_title(TITLES[quantity].format(objective=found.objective), fontsize=10)
    x, y = edges(found.x), edges(found.y)
    ax.set_facecolor("#ffffff")
    missing, endless = np.isnan(values), np.isinf(values)
    hatch(ax, x, y, missing, **MISSING)
    hatch(ax, x, y, endless, **ENDLESS)
    if np.any(np.isfinite(values)):
        mesh = ax.pcolormesh(x, y, np.ma.masked_invalid(values), **shading(quantity, values))
        if bar:
            made = ax.figure.colorbar(mesh, ax=ax)
            if quantity == "modes":
                counts = np.unique(values[np.isfinite(values)])
                made.set_ticks((counts if len(counts) <= 12 else counts[:: len(counts) // 8]).tolist())
    else:
        view_style.say(
            ax,
            "no answer anywhere"
            if missing.all()
            else "unbounded everywhere"
            if endless.all()
            else "no bounded answer anywhere",
        )
    if quantity == "thrust" and modes:
        _mode_borders(ax, found, x, y)
    ax.set_xlabel(found.x_name)
    ax.set_ylabel(found.y_name)
    ax.set_xlim(x[0], x[-1])
    ax.set_ylim(y[0], y[-1])
    view_style.calm(ax)
    if (
        quantity == "loss"
        and np.all(np.isfinite(values))
        and values.max() <= 1e-9 * max(1.0, np.abs(values).max())
    ):
        view_style.note(ax, "none anywhere")
    kinds = [
        (look, word)
        for where, look, word in ((missing, MISSING, "no answer"), (endless, ENDLESS, "unbounded"))
        if where.any()
    ]
    view_style.legend(
        ax,
        [view_style.patches([look["facecolor"]], **look)[0] for look, _ in kinds],
        [word for _, word in kinds],
    )
    return ax


def plot_maps(found: ParameterMap, quantities: Sequence[str] | None = None) -> Figure:
    """All quantities of a map side by side, as a figure outside pyplot's list.

    Parameters
    ----------
    found
        What `parameter_map` returned.
    quantities
        Which; None takes all.
    """
    names = list(quantities or found.values)
    fig = view_style.figure(5.2 * len(names), 4.2)
    for ax, name in zip(fig.subplots(1, len(names), squeeze=False).flat, names, strict=True):
        plot_map(found, name, ax)
    return fig


def edges(centres: np.ndarray) -> np.ndarray:
    """Borders between grid points: halfway, and as far beyond the ends.

    Parameters
    ----------
    centres
        Grid points in increasing order.
    """
    if len(centres) == 1:
        size = 0.5 * max(1.0, abs(float(centres[0])))
        return np.array([centres[0] - size, centres[0] + size])
    if np.any(np.diff(centres) <= 0):
        raise ValueError("values of an axis do not increase; expected them in increasing order")
    middle = (centres[1:] + centres[:-1]) / 2
    return np.concatenate([[2 * centres[0] - middle[0]], middle, [2 * centres[-1] - middle[-1]]])


def shading(quantity: str, values: np.ndarray) -> dict[str, Any]:
    """Colours of a map: steps for counts ("modes"), shades for numbers ("thrust"), from zero for a "loss".

    Parameters
    ----------
    quantity
        What is drawn.
    values
        Its values; those that are not finite play no part.
    """
    from matplotlib import colormaps
    from matplotlib.colors import BoundaryNorm

    numbers = values[np.isfinite(values)]
    if quantity != "modes":
        low, high = float(numbers.min()), float(numbers.max())
        low = min(low, 0.0) if quantity == "loss" else low
        return {"cmap": SHADES[quantity], "vmin": low, "vmax": high if high > low else low + 1.0}
    counts = np.unique(numbers)
    bounds = np.concatenate([[counts[0] - 0.5], (counts[1:] + counts[:-1]) / 2, [counts[-1] + 0.5]])
    return {"cmap": colormaps[SHADES[quantity]], "norm": BoundaryNorm(bounds, colormaps[SHADES[quantity]].N)}


def hatch(ax: Axes, x: np.ndarray, y: np.ndarray, where: np.ndarray, **look: Any) -> None:
    """Mark cells of a map.

    Parameters
    ----------
    ax
        Flat axes.
    x, y
        Borders of the cells.
    where
        (rows, columns) which cells.
    **look
        Properties of the patches.
    """
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    cells = [Rectangle((x[j], y[i]), x[j + 1] - x[j], y[i + 1] - y[i]) for i, j in np.argwhere(where)]
    if cells:
        ax.add_collection(PatchCollection(cells, **{**look, "linewidth": 0.0}))


def _mode_borders(ax: Axes, found: ParameterMap, x: np.ndarray, y: np.ndarray) -> None:
    from matplotlib.collections import LineCollection

    m, lines = found.modes, []
    for i, j in np.argwhere(m[:, 1:] != m[:, :-1]):
        lines.append([(x[j + 1], y[i]), (x[j + 1], y[i + 1])])
    for i, j in np.argwhere(m[1:] != m[:-1]):
        lines.append([(x[j], y[i + 1]), (x[j + 1], y[i + 1])])
    ax.add_collection(LineCollection(lines, colors="#ffffff", linewidths=1.4, zorder=4))
    for mode in np.unique(m):
        places = np.argwhere(m == mode)
        if not mode or len(places) < 0.04 * m.size:
            continue
        i, j = places[
            np.argmin(np.abs(places - places.mean(axis=0)).sum(axis=1))
        ]  # the middle one of its own cells
        ax.text(
            found.x[j],
            found.y[i],
            mode,
            ha="center",
            va="center",
            fontsize=9,
            family="monospace",
            zorder=5,
            bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.75},
        )
