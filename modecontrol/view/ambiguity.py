"""Maps of the inputs: where one mode is the answer, where several are, and where none is (Painleve)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.polytopes.variables import Values
from modecontrol.regions import windows
from modecontrol.regions.cells import Cell, Map, ambiguity_cells
from modecontrol.view import palette, sets
from modecontrol.view import style as view_style
from modecontrol.view.shapes import shape_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from modecontrol.regions.dynamic_response import DynamicResponse

MOST = 14
"""Entries of a legend; the rest is counted."""


def plot_ambiguity(
    resp: DynamicResponse,
    ax: Axes | None = None,
    *,
    slice: Values | None = None,
    window: ArrayLike | None = None,
    legend: bool = True,
    labels: bool = True,
) -> Axes:
    """Draw the verdict on every input: exact polygons for two inputs, bars for one.

    Parameters
    ----------
    resp
        A `DynamicResponse`.
    ax
        Flat matplotlib axes; None makes a figure.
    slice
        Inputs that are held, such as `{"tau3": 0.0}`. With three inputs and none held, the last is held where
        its sets are (zero if they contain it); the picture says so.
    window
        (lower, upper) for all inputs or one pair per input; None takes the torque limits, and a box around
        the vertices where there are none.
    legend, labels
        Whether to explain the colours beside the picture and to name modes inside it.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.
    """
    view_style.check_flags(legend=legend, labels=labels)
    inputs = resp.problem.names.inputs
    left = windows.remaining(inputs, slice)
    if len(left) == 3:
        slice = {**_held(slice), left[2]: slice_values(resp, left[2], 1)[0]}
    return _draw_map(resp, ambiguity_cells(resp, slice, window), ax, slice, legend=legend, labels=labels)


def plot_ambiguity_figure(
    resp: DynamicResponse,
    *,
    slice: Values | None = None,
    project: Sequence[str | int] | None = None,
    window: ArrayLike | None = None,
    along: str | None = None,
    values: Sequence[float] | None = None,
) -> Figure:
    """The map as a whole figure: one panel for one or two inputs, several slices for three.

    Parameters
    ----------
    resp
        A `DynamicResponse`.
    slice
        Inputs that are held.
    project
        Not for maps: whether an input is ambiguous depends on all of them. Anything but None is refused.
    window
        As for `plot_ambiguity`; for the inputs drawn in the panels.
    along
        With three inputs: the one that differs between the panels, default the last.
    values
        Its values; None takes six across its range.

    Returns
    -------
    matplotlib.figure.Figure
        Not in pyplot's list.
    """
    if project is not None:
        raise ValueError(
            "an ambiguity map cannot be projected: the verdict depends on every input; hold inputs with slice"
        )
    left = windows.remaining(resp.problem.names.inputs, slice)
    windows.drawable(left, "the torque set")
    if len(left) < 3:
        fig = view_style.figure(*((7.2, 1.5 + 0.3 * (len(resp) + 1)) if len(left) == 1 else (7.6, 4.8)))
        plot_ambiguity(resp, fig.add_subplot(), slice=slice, window=window)
        return fig
    along = left[windows.position(along if along is not None else left[2], left)]
    values = list(values) if values is not None else slice_values(resp, along, 6)
    if window is not None and np.shape(window) == (3, 2):  # given for all three; the panels show two
        window = np.asarray(window)[[i for i, name in enumerate(left) if name != along]]
    rows = -(-len(values) // 3)
    fig = view_style.figure(11.0, 0.9 + 3.2 * rows)
    axes = fig.subplots(rows, min(3, len(values)), squeeze=False)
    seen: dict[tuple[str, ...], Cell] = {}
    for ax, value in zip(axes.flat, values, strict=False):
        held = {**_held(slice), along: value}
        found = ambiguity_cells(resp, held, window)
        _draw_map(resp, found, ax, held, legend=False, labels=True, letter=0.04)
        seen |= {cell.modes: cell for cell in found.cells}
    for ax in axes.flat[len(values) :]:
        ax.set_axis_off()
    handles, words = _legend_of(seen.values())
    if len(words) > MOST:
        handles, words = handles[:MOST], [*words[: MOST - 1], f"... {len(words) - MOST + 1} more"]
    fig.legend(handles, words, loc="outside right upper", fontsize=8, frameon=False)
    return fig


def slice_values(resp: DynamicResponse, name: str, count: int) -> list[float]:
    """Values of one input at which slices are worth looking at.

    Parameters
    ----------
    resp
        A `DynamicResponse`.
    name
        The input.
    count
        How many; one is zero if the sets contain it, and the middle of them otherwise.
    """
    i = resp.problem.names.inputs.index(name)
    projections = [resp[mode].torques.project([i]) for mode in resp]
    limits = resp.torque_set.project([i])
    low, high = windows.window_of(projections or [limits], 1)[0]
    box = np.column_stack(limits.bounding_box)[0]
    low, high = max(low, box[0]), min(high, box[1])
    if projections and all(
        P.dimension == 0 for P in projections
    ):  # a massless leg in the air: one value and no other
        return [float(projections[0].vertices[0, 0])]
    if count == 1:
        return [0.0 if low <= 0.0 <= high else (low + high) / 2]
    return [float(x) for x in np.linspace(low, high, count + 2)[1:-1]]


def _held(slice: Values | None) -> dict[str | int, float]:
    """The inputs that are held, to which others can be added."""
    found: dict[str | int, float] = {}
    for key, value in (slice or {}).items():
        found[key] = value
    return found


def _draw_map(
    resp: DynamicResponse,
    found: Map,
    ax: Axes | None,
    slice: Values | None,
    *,
    legend: bool,
    labels: bool,
    letter: float = 0.02,
) -> Axes:
    n = len(found.names)
    ax = view_style.axes(ax, 2, (7.2, 1.5 + 0.3 * (len(resp) + 1)) if n == 1 else (7.6, 4.8))
    if n == 0 or not found.cells:
        view_style.say(
            ax,
            f"no inputs; modes: {', '.join(resp) or 'none'}" if n == 0 else "the limits leave no inputs here",
        )
        ax.set_axis_off()
        return ax
    if n == 1:
        _draw_bars(resp, found, ax, slice)
    else:
        for cell in found.cells:
            sets.draw(ax, shape_of(cell.torques), **_fill(cell))
        _draw_borders(resp, found, ax, slice)
        sets.fit(ax, found.names, found.window)
        if labels:
            _name_cells(ax, found, letter)
    sets.name_axes(ax, found.names, resp.problem.names.inputs, resp.problem.names.input_units)
    if slice:
        inputs = resp.problem.names.inputs
        view_style.note(
            ax, ", ".join(f"{inputs[windows.position(k, inputs)]} = {v:.3g}" for k, v in slice.items())
        )
    if legend:
        handles, words = _legend_of(found.cells)
        view_style.legend(ax, handles, words, MOST, "more", beside=True)
    return ax


def _draw_bars(resp: DynamicResponse, found: Map, ax: Axes, slice: Values | None) -> None:
    """The verdict as a strip on top, the torque set of each mode below it."""
    inputs = resp.problem.names.inputs
    for cell in found.cells:
        sets.draw(ax, shape_of(cell.torques), height=0.0, thickness=0.8, **{**_fill(cell), "alpha": 1.0})
    low, high = found.window[0]
    names = []
    for mode in resp:
        P = windows.choose(resp[mode].torques, inputs, slice)
        shape = shape_of(windows.clip(P, found.window))
        if shape.dimension >= 0:
            names.append(mode)
            sets.draw(ax, shape, height=len(names), thickness=0.55, color=palette.mode_colour(mode))
            sets.ends(ax, P, found.window[0], len(names), palette.mode_colour(mode), 0.55)
    sets.fit(ax, found.names, found.window)
    ax.set_xlim(low - 0.05 * (high - low), high + 0.05 * (high - low))
    ax.set_yticks(range(len(names) + 1), ["verdict", *names], family="monospace", fontsize=9)
    ax.set_ylim(len(names) + 0.6, -0.7)


def _fill(cell: Cell) -> dict[str, Any]:
    if cell.verdict == "inconsistent":
        return {
            "color": "#ffffff",
            "edgecolor": palette.INCONSISTENT,
            "hatch": "xxx",
            "alpha": 1.0,
            "linewidth": 0.0,
        }
    if cell.verdict == "ambiguous":
        colour = palette.AMBIGUOUS[min(len(cell.modes), 5) - 2]
        return {"color": colour, "edgecolor": "#ffffff", "hatch": "//", "alpha": 1.0, "linewidth": 0.0}
    colour = palette.lighter(palette.mode_colour(cell.modes[0]), 0.35)
    return {"color": colour, "edgecolor": colour, "alpha": 1.0, "linewidth": 0.5}


def _draw_borders(resp: DynamicResponse, found: Map, ax: Axes, slice: Values | None) -> None:
    """Outlines of the torque sets: cells are cut more often than verdicts change."""
    from matplotlib.patches import Polygon

    for mode in {mode for cell in found.cells for mode in cell.modes}:
        P = windows.choose(resp[mode].torques, resp.problem.names.inputs, slice)
        shape = shape_of(windows.clip(P, found.window))
        if shape.dimension == 2:
            ax.add_patch(
                Polygon(shape.points, closed=True, fill=False, edgecolor=palette.INK, linewidth=0.7, zorder=4)
            )


def _word(cell: Cell) -> str:
    if cell.verdict == "inconsistent":
        return "no answer"
    if cell.verdict == "unambiguous":
        return cell.modes[0] if len(cell.modes) == 1 else " | ".join(cell.modes[:3])
    shown = ", ".join(cell.modes[:4]) + (", ..." if len(cell.modes) > 4 else "")
    return f"{len(cell.modes)} modes: {shown}"


def _legend_of(cells: Any) -> tuple[list[Any], list[str]]:
    """One entry per verdict: single modes first, then several, then none."""
    first: dict[str, Cell] = {}
    for cell in sorted(cells, key=lambda c: (c.verdict == "inconsistent", len(c.modes), c.modes)):
        first.setdefault(_word(cell), cell)
    handles = []
    for cell in first.values():
        fill = _fill(cell)
        edge = fill["edgecolor"] if cell.verdict == "inconsistent" else palette.INK
        handles += view_style.patches([fill["color"]], hatch=fill.get("hatch"), edgecolor=edge)
    return handles, list(first)


def _name_cells(ax: Axes, found: Map, letter: float) -> None:
    """Names inside the largest cell of each verdict; `letter` is the width of one as a part of the axes."""
    size = np.ptp(found.window, axis=1)
    written: list[np.ndarray] = []
    largest: dict[str, tuple[float, np.ndarray]] = {}
    for cell in found.cells:
        corners = shape_of(cell.torques).points
        area = float(np.prod(np.ptp(corners, axis=0)))
        text = (
            _word(cell)
            if cell.verdict != "ambiguous"
            else ", ".join(cell.modes)
            if len(cell.modes) < 4
            else f"{len(cell.modes)} modes"
        )
        if area > largest.get(text, (0.0, corners))[0]:
            largest[text] = area, corners.mean(axis=0)
    for text, (area, place) in sorted(largest.items(), key=lambda item: -item[1][0]):
        room = np.array([letter * (len(text) + 1), 0.06]) * size
        if area > 0.03 * float(np.prod(size)) and not any(
            np.all(np.abs(place - other) < room) for other in written
        ):
            written.append(place)
            ax.text(
                float(place[0]),
                float(place[1]),
                text,
                ha="center",
                va="center",
                fontsize=8,
                family="monospace",
                zorder=6,
                bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.8},
            )
