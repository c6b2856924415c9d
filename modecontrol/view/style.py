"""How pictures look: their size, axes that read well in print, notes and legends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from modecontrol.validation import check_flag, check_number, real_array, shown
from modecontrol.view.palette import INK, QUIET

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEAST_SIDE, MOST_SIDE, LEAST_DPI, MOST_DPI = 0.5, 60.0, 20.0, 1000.0
"""Sides of pictures (inches) and dots per inch that can be asked for."""


def check_colour(value: Any, name: str = "color") -> Any:
    """A colour that matplotlib knows, or None.

    Parameters
    ----------
    value
        What was handed in.
    name
        What it is called, for the message.
    """
    from matplotlib.colors import is_color_like

    try:
        fine = value is None or is_color_like(value)
    except (TypeError, ValueError, OverflowError):
        fine = False
    if not fine:
        raise ValueError(f"{name} is {shown(value)}; expected a colour such as 'red' or '#0b5394'")
    return value


def check_flags(**flags: Any) -> None:
    """Refuse what is neither True nor False.

    Parameters
    ----------
    **flags
        By name.
    """
    for name, value in flags.items():
        check_flag(value, name)


def check_size(size: Any, dpi: Any) -> tuple[tuple[float, float] | None, float]:
    """Size of a picture in inches (None leaves the choice) and dots per inch, within reason.

    Parameters
    ----------
    size, dpi
        What was handed in.
    """
    dpi = check_number(dpi, "dpi", least=LEAST_DPI, greatest=MOST_DPI)
    if size is None:
        return None, dpi
    sides = real_array(size, "size")
    if sides.shape != (2,) or not np.all((sides >= LEAST_SIDE) & (sides <= MOST_SIDE)):
        raise ValueError(
            f"size is {shown(size)}; expected width and height from {LEAST_SIDE} to {MOST_SIDE} inches"
        )
    return (float(sides[0]), float(sides[1])), dpi


def axes(ax: Axes | None = None, dimensions: int = 2, size: tuple[float, float] | None = None) -> Axes:
    """The axes to draw on: those given, or those of a new figure.

    Parameters
    ----------
    ax
        Matplotlib axes, or None for a new figure.
    dimensions
        3 asks for axes with a third dimension.
    size
        Width and height of a new figure in inches.

    Raises
    ------
    ValueError
        If the given axes are flat and the picture is not, or the other way round.
    """
    if ax is None:
        from matplotlib import pyplot

        size = size or ((6.4, 5.6) if dimensions == 3 else (6.4, 4.4))
        fig = pyplot.figure(figsize=size, layout="constrained")
        ax = fig.add_subplot(projection="3d" if dimensions == 3 else None)
    if not hasattr(ax, "set_facecolor"):
        raise TypeError(f"ax is {shown(ax)}; expected matplotlib axes, or None for a new figure")
    solid = hasattr(ax, "get_zlim")
    if solid and dimensions != 3:
        raise ValueError(
            "a flat picture was asked for on axes with three dimensions; pass plain axes or ax=None"
        )
    if dimensions == 3 and not solid:
        raise ValueError(
            "a picture in three dimensions was asked for on flat axes; pass axes made with "
            'projection="3d" or ax=None, or choose a slice or a projection'
        )
    return ax


def figure(width: float = 6.4, height: float = 4.4) -> Figure:
    """A figure outside pyplot's list, to be saved and forgotten (no display is ever asked for).

    Parameters
    ----------
    width, height
        Size in inches.
    """
    from modecontrol.view.inline_figure import InlineFigure

    return InlineFigure(figsize=(width, height), layout="constrained")


def calm(ax: Axes, grid: Literal["x", "y", "both"] | None = None) -> None:
    """Take away what does not inform: two spines; put a faint grid behind the data.

    Parameters
    ----------
    ax
        Flat axes.
    grid
        "x", "y" or "both"; None draws none.
    """
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.tick_params(color=QUIET, labelcolor=INK)
    if grid:
        ax.grid(axis=grid, color="#e6e8eb", linewidth=0.8)
        ax.set_axisbelow(True)


def say(ax: Axes, text: str) -> None:
    """Write a sentence in the middle of axes that would otherwise be empty.

    Parameters
    ----------
    ax
        Axes of either kind.
    text
        What to say.
    """
    write = ax.text2D if hasattr(ax, "text2D") else ax.text
    write(0.5, 0.5, text, transform=ax.transAxes, ha="center", va="center", color=INK, fontsize=11, wrap=True)


def note(ax: Axes, text: str) -> None:
    """A small remark under the title, above the axes (which window, how many modes are left out).

    Parameters
    ----------
    ax
        Axes of either kind.
    text
        The remark; an empty one leaves the axes alone.
    """
    if text:
        title = ax.get_title()
        ax.set_title((title + "\n" if title else "") + text, fontsize=8 if not title else 9, color=INK)


def legend(
    ax: Axes,
    handles: Sequence[Any],
    labels: Sequence[str],
    most: int = 12,
    more: str = "",
    beside: bool = False,
) -> Any:
    """A legend of at most so many entries; the rest is counted in one line.

    Parameters
    ----------
    ax
        Axes of either kind.
    handles, labels
        What matplotlib's `legend` takes.
    most
        Greatest number of entries.
    more
        What the entries left out are called, such as "more modes".
    beside
        Put it to the right of the axes instead of where it fits best.
    """
    from matplotlib.lines import Line2D

    shown, words = list(handles[:most]), list(labels[:most])
    if len(labels) > most:
        shown.append(Line2D([], [], linestyle="none"))
        words.append(f"+ {len(labels) - most} {more}".rstrip())
    if not shown:
        return None
    place: dict[str, Any] = {"loc": "best"}
    if beside:
        offset = 1.1 if hasattr(ax, "get_zlim") else 1.01  # the third axis has its name to the right
        place = {"loc": "upper left", "bbox_to_anchor": (offset, 1.0), "borderaxespad": 0.0}
    return ax.legend(
        shown, words, fontsize=8, frameon=not beside, framealpha=0.9, edgecolor="#d0d4d9", **place
    )


def patches(colours: Iterable[str], **style: Any) -> list[Artist]:
    """Legend handles: one filled box per colour.

    Parameters
    ----------
    colours
        Fill colours.
    **style
        Further properties of the boxes.
    """
    from matplotlib.patches import Patch

    return [Patch(**{"facecolor": colour, "edgecolor": INK, "linewidth": 0.6, **style}) for colour in colours]
