"""Polytopes and regions of one, two or three variables: filled where they have interior, lines and points
where not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.polytopes import Polytope, Region
from modecontrol.polytopes.variables import Values
from modecontrol.regions import windows
from modecontrol.validation import check_number, check_texts
from modecontrol.view import palette
from modecontrol.view import style as view_style
from modecontrol.view.shapes import Shape, shape_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_set(
    P: Polytope | Region,
    ax: Axes | None = None,
    *,
    window: ArrayLike | None = None,
    names: Sequence[str] | None = None,
    slice: Values | None = None,
    project: Sequence[str | int] | None = None,
    **style: Any,
) -> Axes:
    """Draw `{x : A x <= b, C x = d}`, or a union of such sets, all pieces alike.

    Parameters
    ----------
    P
        The set: empty (the picture says so), flat (a line or a point), unbounded (drawn to the window).
    ax
        Matplotlib axes; None makes a figure.
    window
        (lower, upper) for all variables or one pair per variable; None chooses one around the vertices.
    names
        Names of the variables; None takes those of the set, or x1, x2, ...
    slice
        Values of variables that are held, by name or number.
    project
        Variables to draw, by name or number; the others go by projection.
    **style
        Of the fill: `color`, `alpha`, `edgecolor`, `linewidth`, `hatch`, `label`, ...

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.
    """
    region = P if isinstance(P, Region) else Region((P,), P.n)
    names = names if names is not None else region.names
    names = check_texts(names, "names") if names is not None else tuple(f"x{i + 1}" for i in range(region.n))
    if len(names) != region.n:
        raise ValueError(f"names has {len(names)} entries {names}; expected {region.n}, one per variable")
    left = windows.remaining(names, slice, project)
    windows.drawable(left, "the set")
    pieces = [windows.choose(P, names, slice, project) for P in region.pieces]
    pieces = [P for P in pieces if not P.is_empty]
    ax = view_style.axes(ax, 3 if len(left) == 3 else 2, (6.4, 1.8) if len(left) == 1 else None)
    if not left:
        view_style.say(ax, "one point (no variables)" if pieces else "empty")
        ax.set_axis_off()
        return ax
    box = windows.window_of(pieces, len(left), window)
    drawn = 0
    for i, P in enumerate(pieces):
        given = dict(style) if i == 0 else {**style, "label": None}
        shape = shape_of(windows.clip(P, box))
        drawn += shape.dimension >= 0
        draw(ax, shape, **given)
        if shape.dimension >= 0 and len(left) == 1:
            ends(ax, P, box[0], 0.0, str(given.get("color", palette.LINES[0])))
    fit(ax, left, box)
    if not drawn:
        view_style.say(ax, "empty" if not pieces else "nothing in this window")
    elif windows.outside(pieces, box):
        view_style.note(ax, windows.UNBOUNDED)
    return ax


plot_polytope = plot_region = plot_set
"""Names of `plot_set` that were used before it took both kinds of sets."""


def draw(ax: Axes, shape: Shape, height: float = 0.0, thickness: float = 0.6, **style: Any) -> Any:
    """Put one shape on axes of its number of variables (one variable: a bar at `height`).

    Parameters
    ----------
    ax
        Axes with the right number of dimensions.
    shape
        What to draw; an empty one draws nothing.
    height, thickness
        Where the bar of a set of one variable stands, and how thick it is.
    **style
        `color`, `alpha`, `edgecolor`, `linewidth`, `hatch`, `label`, `zorder`, ...

    Returns
    -------
    The artist, or None.
    """
    style = {"color": palette.LINES[0], **style}
    colour = view_style.check_colour(style.pop("color"))
    if style.get("alpha") is not None:
        style["alpha"] = check_number(style["alpha"], "alpha", least=0.0, greatest=1.0)
    n = shape.points.shape[1]
    if shape.dimension < 0:
        return None
    if n == 1:
        return _draw_bar(ax, shape, colour, height, thickness, style)
    pen = {key: style[key] for key in ("label", "zorder") if style.get(key) is not None}
    columns = tuple(shape.points.T)
    if shape.dimension < 2:
        look: dict[str, Any] = (
            {"marker": "o", "markersize": 5, "linestyle": "none"}
            if shape.dimension == 0
            else {"linewidth": 2.2, "solid_capstyle": "butt"}
        )
        line = ax.plot(*columns, color=colour, **look, **pen)[0]
        line.set_in_layout(n == 2)  # the layout would take its three coordinates for two
        return line
    fill: dict[str, Any] = {
        "facecolor": colour,
        "edgecolor": colour if n == 2 else palette.INK,
        "linewidth": 1.0,
        "alpha": 0.55 if n == 2 else 0.45,
        **style,
    }
    if n == 2:
        from matplotlib.patches import Polygon

        return ax.add_patch(
            Polygon(shape.points, closed=True, **{k: v for k, v in fill.items() if v is not None})
        )
    from matplotlib.colors import to_rgba
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    alpha = fill.pop("alpha")
    fill["facecolor"] = to_rgba(fill["facecolor"], alpha)
    fill["edgecolor"] = to_rgba(fill["edgecolor"], min(1.0, alpha + 0.25))
    fill["linewidth"] = fill["linewidth"] * 0.7
    assert hasattr(ax, "add_collection3d")
    return ax.add_collection3d(
        Poly3DCollection(padded(shape.faces), **{k: v for k, v in fill.items() if v is not None})
    )


def padded(faces: Sequence[np.ndarray]) -> np.ndarray:
    """(faces, corners, 3): faces with fewer corners than others repeat their last one.

    Matplotlib pads faces of unequal length with memory that it has not set, and reads limits of the axes from
    it.

    Parameters
    ----------
    faces
        Corners of each face.
    """
    most = max(len(face) for face in faces)
    return np.array([np.vstack([face, np.repeat(face[-1:], most - len(face), axis=0)]) for face in faces])


def _draw_bar(
    ax: Axes, shape: Shape, colour: str, height: float, thickness: float, style: dict[str, Any]
) -> Any:
    low, high = shape.points.min(), shape.points.max()
    if shape.dimension == 0:
        pen = {key: style[key] for key in ("label", "zorder") if style.get(key) is not None}
        return ax.plot([low], [height], marker="D", markersize=6, linestyle="none", color=colour, **pen)[0]
    bar = {"linewidth": 0.8, "edgecolor": palette.INK, **{k: v for k, v in style.items() if v is not None}}
    return ax.barh([height], [high - low], left=[low], height=thickness, color=colour, **bar)


def ends(
    ax: Axes, P: Polytope, window: np.ndarray, height: float, colour: str, thickness: float = 0.6
) -> None:
    """Arrow heads where an unbounded interval leaves the window.

    Parameters
    ----------
    ax
        Flat axes.
    P
        A set of one variable.
    window
        (lower, upper) of the picture.
    height
        Where the bar stands.
    colour
        Colour of the bar.
    thickness
        Thickness of the bar.
    """
    size = 0.035 * (window[1] - window[0])
    for sign, edge in ((-1.0, window[0]), (1.0, window[1])):
        if np.isinf(P.support([sign])):
            tip = edge + sign * size
            ax.fill(
                [edge, tip, edge],
                [height - thickness / 2, height, height + thickness / 2],
                color=colour,
                clip_on=False,
                linewidth=0.8,
                edgecolor=palette.INK,
                zorder=3,
            )


def fit(ax: Axes, names: Sequence[str], window: np.ndarray) -> None:
    """Limits and labels of the axes for one, two or three variables.

    Parameters
    ----------
    ax
        Axes with the right number of dimensions.
    names
        Names of the variables.
    window
        (n, 2) box.
    """
    ax.set_xlim(*window[0])
    ax.set_xlabel(names[0])
    if len(names) == 1:
        view_style.calm(ax, "x")
        ax.set_yticks([])
        ax.spines["left"].set_visible(False)
        ax.set_ylim(-0.6, 0.6)
        return
    ax.set_ylim(*window[1])
    ax.set_ylabel(names[1])
    if len(names) == 2:
        view_style.calm(ax, "both")
    else:
        solid: Any = ax  # has a third dimension
        solid.set_zlim(*window[2])
        solid.set_zlabel(names[2])
        solid.set_box_aspect(None, zoom=0.84)  # room for the labels, which matplotlib does not count
        ax.locator_params(nbins=5)
        ax.tick_params(labelsize=8)
        for axis, pad in ((ax.xaxis, 7), (ax.yaxis, 7), (solid.zaxis, 13)):
            axis.labelpad = pad


def name_axes(ax: Axes, names: Sequence[str], inputs: Sequence[str], units: Sequence[str]) -> None:
    """Names with units on the axes, where units are known.

    Parameters
    ----------
    ax
        Axes with the right number of dimensions.
    names
        Names of the variables that are drawn.
    inputs, units
        Names and units of all inputs.
    """
    known = dict(zip(inputs, units, strict=False))
    for name, axis in zip(names, (ax.xaxis, ax.yaxis, getattr(ax, "zaxis", None)), strict=False):
        if axis is not None and known.get(name) and axis.get_label_text() == name:
            axis.set_label_text(f"{name} ({known[name]})")
