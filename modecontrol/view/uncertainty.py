"""Pictures of uncertain friction: guaranteed, possible and impossible torques; the map of friction; the price of robustness."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.modes.surely_possible import box_of
from modecontrol.polytopes.variables import Values
from modecontrol.regions import windows
from modecontrol.validation import check_count
from modecontrol.view import palette, sets
from modecontrol.view import style as view_style
from modecontrol.view.shapes import shape_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from modecontrol.dynamics.friction_box import FrictionBox
    from modecontrol.regions.dynamic_response import DynamicResponse
    from modecontrol.thrust.robustness import PriceOfRobustness

SURE, POSSIBLE, NONE = "#2b7a4b", "#e0b23c", "#f3f1ec"
"""Colours of what every friction allows, of what some friction allows, and of the rest."""
MOST_POINTS = 1000
"""Values along each parameter of a map of friction, at most."""
MOST_MAPPED = 12
"""Different sets of modes that a map of friction tells apart."""


def plot_sure(
    resp: DynamicResponse,
    mode: str,
    ax: Axes | None = None,
    *,
    slice: Values | None = None,
    window: ArrayLike | None = None,
) -> Axes:
    """Draw which inputs surely, possibly and never produce a mode, for friction in its intervals.

    Parameters
    ----------
    resp
        A `DynamicResponse` with uncertain friction.
    mode
        Contact mode string.
    ax
        Flat matplotlib axes; None makes a figure.
    slice
        Inputs that are held: `{"tau3": 0.0}`; one or two have to be left.
    window
        (lower, upper) for all inputs or one pair per input drawn.
    """
    inputs = resp.problem.names.inputs
    left = windows.remaining(inputs, slice)
    if len(left) not in (1, 2):
        raise ValueError(
            f"{len(left)} inputs are left to draw; expected one or two: hold the others with slice={{'{inputs[-1]}': 0.0}}"
        )
    mine = resp[mode]
    chosen = [windows.choose(P, inputs, slice, None) for P in (mine.torques, mine.sure_torques)]
    box = windows.window_of([P for P in chosen if not P.is_empty], len(left), window)
    ax = view_style.axes(ax, 2, (6.4, 2.2) if len(left) == 1 else (6.0, 4.6))
    ax.set_facecolor(NONE)
    for P, colour in zip(chosen, (POSSIBLE, SURE), strict=True):
        if not P.is_empty:
            sets.draw(ax, shape_of(windows.clip(P, box)), color=colour, alpha=1.0)
    sets.fit(ax, left, box)
    sets.name_axes(ax, left, inputs, resp.problem.names.input_units)
    words = ("every friction", "some friction", "no friction")
    view_style.legend(ax, view_style.patches((SURE, POSSIBLE, NONE)), words)
    ax.set_title(f"{mode}: torques that produce it", fontsize=10)
    held = [f"{name} = {value:g}" for name, value in (slice or {}).items()]
    view_style.note(ax, "; ".join([_intervals(box_of(resp.problem)), *held]))
    return ax


def plot_friction_map(resp: DynamicResponse, tau: Any, ax: Axes | None = None, *, points: int = 40) -> Axes:
    """Draw which modes happen at one torque, over the uncertain parameters of friction (one or two).

    Parameters
    ----------
    resp
        A `DynamicResponse` with uncertain friction.
    tau
        Inputs.
    ax
        Flat matplotlib axes; None makes a figure.
    points
        Values along each parameter.
    """
    from modecontrol.regions.dynamic_response import DynamicResponse

    points = check_count(points, "points", least=2, greatest=MOST_POINTS)
    box = box_of(resp.problem)
    vary = [j for j in range(len(box.names)) if box.high[j] > box.low[j]]
    if len(vary) not in (1, 2):
        raise ValueError(f"{len(vary)} parameters of friction are uncertain; expected one or two")
    grids = [np.linspace(box.low[j], box.high[j], points) for j in vary]
    second = grids[1] if len(vary) == 2 else np.zeros(1)
    names: dict[tuple[str, ...], int] = {}
    picture = np.zeros((len(second), points))
    for row, b in enumerate(second):
        for column, a in enumerate(grids[0]):
            values = box.low.copy()
            values[vary[0]] = a
            if len(vary) == 2:
                values[vary[1]] = b
            exact = resp.problem.with_friction(box.at(values))
            modes = tuple(DynamicResponse(exact, *exact.respond()).modes_at(tau))
            picture[row, column] = names.setdefault(modes, len(names))
    return _draw_map(
        view_style.axes(ax, 2, (6.2, 4.4)),
        picture,
        names,
        [grids[0], second],
        [box.names[j] for j in vary],
        tau,
    )


def _draw_map(ax: Axes, picture: np.ndarray, names: dict, grids: list, labels: list[str], tau: Any) -> Any:
    from matplotlib.colors import ListedColormap

    colours = [
        "#b03a2e" if not modes else palette.mode_colour(modes[0]) if len(modes) == 1 else "#8a8a8a"
        for modes in names
    ]
    low, high = (grids[1][0], grids[1][-1]) if len(labels) == 2 else (0.0, 1.0)
    ax.imshow(
        picture,
        origin="lower",
        aspect="auto",
        interpolation="nearest",
        cmap=ListedColormap(colours),
        vmin=-0.5,
        vmax=len(names) - 0.5,
        extent=(grids[0][0], grids[0][-1], low, high),
    )
    ax.set_xlabel(labels[0])
    if len(labels) == 2:
        ax.set_ylabel(labels[1])
    else:
        ax.set_yticks([])
    words = [" or ".join(modes) if modes else "none" for modes in names][:MOST_MAPPED]
    view_style.legend(ax, view_style.patches(colours[:MOST_MAPPED]), words)
    ax.set_title("modes at torque " + ", ".join(f"{x:.4g}" for x in np.asarray(tau, float)), fontsize=10)
    return ax


def plot_price(price: PriceOfRobustness, ax: Axes | None = None, **options: Any) -> Axes:
    """Draw what is promised against how little is known of friction.

    Parameters
    ----------
    price
        A `PriceOfRobustness`.
    ax
        Matplotlib axes; None makes a figure.
    **options
        Of `Axes.plot`.
    """
    ax = view_style.axes(ax, 2, (6.0, 3.6))
    found = np.isfinite(price.values)
    ax.plot(100 * price.widths[found], price.values[found], **{"marker": "o", "ms": 4, **options})
    for width in price.widths[~found]:
        ax.axvline(100 * width, color="#b03a2e", lw=0.6, ls=":")
    ax.set_xlabel("friction may be wrong by (%)")
    ax.set_ylabel(f"promised {price.objective}")
    middle = ", ".join(f"{name} {value:g}" for name, value in price.middle.items())
    view_style.note(ax, f"guarantee: {price.guarantee}; about {middle}")
    view_style.calm(ax, "both")
    return ax


def _intervals(box: FrictionBox) -> str:
    return ", ".join(
        f"{name} {low:g} to {high:g}" for name, low, high in zip(box.names, box.low, box.high, strict=True)
    )
