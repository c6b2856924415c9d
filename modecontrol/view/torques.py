"""Torque sets `T_c` of all modes of a response, in one, two or three inputs, sliced or projected as wished."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.dynamics.polygons import area
from modecontrol.polytopes import Polytope
from modecontrol.polytopes.variables import Values
from modecontrol.regions import windows
from modecontrol.validation import check_number, check_texts
from modecontrol.view import palette, sets
from modecontrol.view import style as view_style
from modecontrol.view.shapes import Shape, shape_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from modecontrol.regions.dynamic_response import DynamicResponse

MOST = 14
"""Entries of a legend; the other modes are counted."""
MOST_EXPLODED = 100.0
"""Greatest distance to which shapes are pushed apart, in their own distances from the middle."""
MOST_BARS = 40
"""Modes with one input that are drawn as bars; the other modes are counted."""


class Shown(NamedTuple):
    """Torque sets that are drawn: `sets` by mode (none empty), names of the variables, the window."""

    sets: dict[str, Polytope]
    names: list[str]
    window: np.ndarray


def plot_response(
    resp: DynamicResponse,
    ax: Axes | None = None,
    *,
    modes: Sequence[str] | None = None,
    slice: Values | None = None,
    project: Sequence[str | int] | None = None,
    window: ArrayLike | None = None,
    flat: bool | None = None,
    explode: float = 0.0,
    legend: bool = True,
    labels: bool = True,
) -> Axes:
    """Draw `T_c` for every mode `c`: bars for one input, polygons for two, solids for three.

    Parameters
    ----------
    resp
        A `DynamicResponse`.
    ax
        Matplotlib axes (with three dimensions for three inputs); None makes a figure.
    modes
        Which modes; None draws all.
    slice
        Inputs that are held: `{"tau3": 0.0}`.
    project
        Inputs to draw, `("tau1", "tau2")`: the others go by projection (some value of them does).
    window
        (lower, upper) for all inputs or one pair per input drawn; None takes a box around the sets, which end
        at the torque limits, and around their vertices where they do not end.
    flat
        Whether to draw sets without interior (lines and points). None draws them unless three inputs are
        shown and some set has interior: there they are faces of the solids.
    explode
        With three inputs: move every solid away from the middle by this part of its distance, to see between
        them.
    legend, labels
        Whether to name the modes beside the picture and inside their polygons.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.
    """
    view_style.check_flags(legend=legend, labels=labels, flat=False if flat is None else flat)
    explode = check_number(explode, "explode", least=0.0, greatest=MOST_EXPLODED)
    shown = shown_sets(resp, modes, slice, project, window)
    n = len(shown.names)
    ax = view_style.axes(ax, 3 if n == 3 else 2, picture_size(n, len(shown.sets)))
    if n == 0:
        _say_no_inputs(ax, resp, shown)
        return ax
    if not shown.sets:
        sets.fit(ax, shown.names, shown.window)
        view_style.say(ax, "no mode has torques here")
        return ax
    if n == 1:
        _bars(ax, shown)
    else:
        _solids(ax, shown, flat, explode, legend, labels)
    sets.name_axes(ax, shown.names, resp.problem.names.inputs, resp.problem.names.input_units)
    if slice:
        held = ", ".join(
            f"{windows.remaining(resp.problem.names.inputs)[windows.position(k, resp.problem.names.inputs)]}"
            f" = {v:g}"
            for k, v in slice.items()
        )
        view_style.note(ax, f"slice at {held}")
    if windows.outside(shown.sets.values(), shown.window):
        view_style.note(ax, windows.UNBOUNDED)
    return ax


def shown_sets(
    resp: DynamicResponse,
    modes: Sequence[str] | None = None,
    slice: Values | None = None,
    project: Sequence[str | int] | None = None,
    window: ArrayLike | None = None,
) -> Shown:
    """The torque sets of a response as they will be drawn.

    Parameters
    ----------
    resp
        A `DynamicResponse`.
    modes, slice, project, window
        As for `plot_response`.
    """
    inputs = resp.problem.names.inputs
    left = windows.remaining(inputs, slice, project)
    windows.drawable(left, "the torque set")
    chosen = list(resp) if modes is None else list(check_texts(modes, "modes"))
    found = {mode: windows.choose(resp[mode].torques, inputs, slice, project) for mode in chosen}
    found = {mode: P for mode, P in found.items() if not P.is_empty}
    box = windows.window_of(found.values(), len(left), window) if left else np.zeros((0, 2))
    return Shown(found, left, box)


def picture_size(n: int, count: int) -> tuple[float, float]:
    """Width and height in inches of a picture of `count` sets of `n` inputs.

    Parameters
    ----------
    n
        Number of inputs drawn.
    count
        Number of modes.
    """
    if n == 1:
        return 6.4, 1.2 + 0.26 * min(max(count, 2), MOST_BARS)
    return (7.6, 5.4) if n == 3 else (6.8, 4.6)


def _say_no_inputs(ax: Axes, resp: DynamicResponse, shown: Shown) -> None:
    words = "this mechanism has no inputs here" if not resp.problem.names.inputs else "every input is held"
    names = list(shown.sets)
    found = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "") if names else "none"
    view_style.say(ax, f"{words}\nmodes that can happen: {found}")
    ax.set_axis_off()


def _bars(ax: Axes, shown: Shown) -> None:
    names = list(shown.sets)[:MOST_BARS]
    low, high = shown.window[0]
    arrow = 0.035 * (high - low)
    for i, mode in enumerate(names):
        P, colour = shown.sets[mode], palette.mode_colour(mode)
        shape = shape_of(windows.clip(P, shown.window))
        sets.draw(ax, shape, height=i, thickness=0.7, color=colour, label=mode)
        if shape.dimension >= 0:
            sets.ends(ax, P, shown.window[0], i, colour, 0.7)
    sets.fit(ax, shown.names, shown.window)
    ax.set_xlim(low - 1.3 * arrow, high + 1.3 * arrow)
    ax.set_yticks(range(len(names)), names, family="monospace", fontsize=9)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.set_ylabel("contact mode")
    if len(shown.sets) > len(names):
        view_style.note(ax, f"the first {len(names)} of {len(shown.sets)} modes")


def _solids(ax: Axes, shown: Shown, flat: bool | None, explode: float, legend: bool, labels: bool) -> None:
    shapes = {mode: shape_of(windows.clip(P, shown.window)) for mode, P in shown.sets.items()}
    shapes = {mode: shape for mode, shape in shapes.items() if shape.dimension >= 0}
    n = len(shown.names)
    if flat is None:
        flat = n < 3 or not any(shape.dimension == n for shape in shapes.values())
    drawn = {mode: shape for mode, shape in shapes.items() if flat or shape.dimension == n}
    order = sorted(drawn, key=lambda mode: (-drawn[mode].dimension, -_bulk(drawn[mode]), mode))
    for rank, mode in enumerate(order):
        shape = moved(drawn[mode], explode, shown.window.mean(axis=1)) if n == 3 else drawn[mode]
        sets.draw(
            ax,
            shape,
            color=palette.mode_colour(mode),
            label=mode,
            zorder=2 + 0.01 * rank,
            alpha=0.6 if n == 2 else 0.4,
        )
    if labels:
        _name_shapes(ax, {mode: drawn[mode] for mode in order}, shown.window, explode)
    sets.fit(ax, shown.names, shown.window)
    if explode and n == 3 and hasattr(ax, "set_zlim"):
        for set_limits, (low, high) in zip(
            (ax.set_xlim, ax.set_ylim, ax.set_zlim), shown.window, strict=True
        ):
            set_limits(low - explode * (high - low) / 2, high + explode * (high - low) / 2)
    if legend:
        view_style.legend(
            ax,
            [_handle(mode, drawn[mode].dimension) for mode in order],
            order,
            MOST,
            "more modes",
            beside=True,
        )
    if len(drawn) < len(shapes):
        view_style.note(
            ax, f"{len(drawn)} modes with interior; {len(shapes) - len(drawn)} flat ones are not drawn"
        )
    if not drawn:
        view_style.say(ax, "nothing in this window")


def moved(shape: Shape, explode: float, middle: np.ndarray) -> Shape:
    """A solid farther from the middle by a part of its distance.

    Parameters
    ----------
    shape
        The shape.
    explode
        The part; 0 leaves it.
    middle
        The place that stays.
    """
    if not explode:
        return shape
    offset = explode * (shape.points.mean(axis=0) - middle)
    return Shape(shape.dimension, shape.points + offset, tuple(face + offset for face in shape.faces))


def _name_shapes(ax: Any, shapes: dict[str, Shape], window: np.ndarray, explode: float) -> None:
    """Write the mode into shapes that are large enough, unless another name stands there."""
    size = np.ptp(window, axis=1)
    n = len(size)
    written: list[np.ndarray] = []
    for mode, shape in shapes.items():
        shape = moved(shape, explode, window.mean(axis=1)) if n == 3 else shape
        middle = shape.points.mean(axis=0)
        large = shape.dimension == n and _bulk(shape) > 0.02 * float(np.prod(size))
        room = np.array([0.02 * (len(mode) + 1), 0.07, 0.07])[:n] * size
        if large and not any(np.all(np.abs(middle - other) < room) for other in written):
            written.append(middle)
            ax.text(
                *middle,
                mode,
                ha="center",
                va="center",
                fontsize=9 if n == 2 else 8,
                family="monospace",
                zorder=50,
                bbox={"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.65},
            )


def _handle(mode: str, dimension: int) -> Any:
    from matplotlib.lines import Line2D

    colour = palette.mode_colour(mode)
    if dimension >= 2:
        return view_style.patches([colour])[0]
    return Line2D(
        [], [], color=colour, linewidth=2.2 if dimension == 1 else 0, marker="o" if dimension == 0 else ""
    )


def _bulk(shape: Shape) -> float:
    """Area or length of a shape, for its rank in the picture only."""
    if shape.dimension == 2 and shape.points.shape[1] == 2:
        return abs(float(area(shape.points.tolist())))
    return (
        float(np.prod(np.ptp(shape.points, axis=0)[np.ptp(shape.points, axis=0) > 0]))
        if len(shape.points)
        else 0.0
    )
