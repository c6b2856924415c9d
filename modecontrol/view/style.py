"""How pictures look: one colour per contact letter, one per mode, axes that read well in print.

The four letters have colours that stay apart for the common kinds of colour blindness and in grey print
(their lightness falls S, L, R, F). A mode mixes the colours of its letters, turned a little by the order of
the letters, so that the same mode has the same colour in every picture and "FFFF" is as blue as "F".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np

from modecontrol.modes.letters import LETTERS
from modecontrol.validation import check_flag, check_number, real_array, shown

LETTER_COLOURS = {"S": "#c3c7cc", "L": "#e69f00", "R": "#c2476d", "F": "#0b5394"}
"""Separate: grey. Left: orange. Right: red-purple. Fixed: blue."""
LETTER_WORDS = {"S": "separates", "L": "slides left", "R": "slides right", "F": "fixed"}

INK = "#222222"
"""Text, outlines, axes."""
QUIET = "#8a8f98"
"""Grids, notes, walls."""
BODY = "#dfe6ee"
"""Inside of bodies."""
ACCENT = "#d1495b"
"""Forces and whatever must not be overlooked."""
LINES = ("#0b5394", "#e69f00", "#c2476d", "#2a9d8f", "#6a4c93", "#56b4e9", "#7f5539", "#4d4d4d")
"""Colours of curves without a letter, in order; with `DASHES` they give 32 different lines."""
DASHES = ("-", "--", "-.", ":")

LEAST_SIDE, MOST_SIDE, LEAST_DPI, MOST_DPI = 0.5, 60.0, 20.0, 1000.0
"""Sides of pictures (inches) and dots per inch that can be asked for."""

UNAMBIGUOUS = "#eef3f8"
AMBIGUOUS = ("#f6d7a7", "#e9a15b", "#c96a2b", "#8f3d12")
"""Two, three, four, five or more modes."""
INCONSISTENT = "#4a4a4a"

_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
_GOLDEN = 0.6180339887498949


def letter_colour(letter: str) -> str:
    """The colour of S, L, R or F.

    Parameters
    ----------
    letter
        One of the four letters.
    """
    if letter not in LETTER_COLOURS:
        raise ValueError(f"{letter!r} is no contact letter; expected one of S, L, R, F")
    return LETTER_COLOURS[letter]


@cache
def mode_colour(mode: str) -> str:
    """The colour of a mode, the same in every picture: its letters' colours mixed, turned by their order.

    Parameters
    ----------
    mode
        Mode string such as "FSLR"; the empty mode of a mechanism without contacts is grey.
    """
    if not mode:
        return QUIET
    labs = np.array([_oklab(letter_colour(letter)) for letter in mode])
    if len(set(mode)) == 1:
        return letter_colour(mode[0])
    L, a, b = labs.mean(axis=0)
    code = 0
    for letter in mode:
        code = 4 * code + LETTERS.index(letter)
    # low-discrepancy steps: neighbours in the alphabet land far apart
    turn, lift = (code * _GOLDEN) % 1.0, (code * _GOLDEN**2 * 1.3) % 1.0
    angle = np.arctan2(b, a) + 2.4 * (turn - 0.5)
    chroma = 0.075 + 0.06 * ((code * 0.7548776662) % 1.0)
    return _hex(
        np.array(
            [
                np.clip(0.7 * L + 0.3 * 0.62 + 0.3 * (lift - 0.5), 0.42, 0.84),
                chroma * np.cos(angle),
                chroma * np.sin(angle),
            ]
        )
    )


def line_style(i: int) -> dict[str, Any]:
    """Colour and dashes of the i-th curve of a picture.

    Parameters
    ----------
    i
        Number of the curve, from zero.
    """
    return {"color": LINES[i % len(LINES)], "linestyle": DASHES[(i // len(LINES)) % len(DASHES)]}


def lighter(colour: str, part: float = 0.5) -> str:
    """A colour mixed with white.

    Parameters
    ----------
    colour
        Hexadecimal colour.
    part
        How much white: 0 leaves the colour, 1 is white.
    """
    rgb = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return _hex_of(rgb + (1 - rgb) * part)


def readable_on(colour: str) -> str:
    """Black or white, whichever is read more easily on a colour.

    Parameters
    ----------
    colour
        Hexadecimal colour of the ground.
    """
    return INK if _oklab(colour)[0] > 0.62 else "#ffffff"


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


# Axes ------------------------------------------------------------------------------------------------------


def axes(ax: Any = None, dimensions: int = 2, size: tuple[float, float] | None = None) -> Any:
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


def figure(width: float = 6.4, height: float = 4.4) -> Any:
    """A figure outside pyplot's list, to be saved and forgotten (no display is ever asked for).

    Parameters
    ----------
    width, height
        Size in inches.
    """
    from modecontrol.view.inline_figure import InlineFigure

    return InlineFigure(figsize=(width, height), layout="constrained")


def calm(ax: Any, grid: str | None = None) -> None:
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


def say(ax: Any, text: str) -> None:
    """Write a sentence in the middle of axes that would otherwise be empty.

    Parameters
    ----------
    ax
        Axes of either kind.
    text
        What to say.
    """
    write = ax.text2D if hasattr(ax, "get_zlim") else ax.text
    write(0.5, 0.5, text, transform=ax.transAxes, ha="center", va="center", color=INK, fontsize=11, wrap=True)


def note(ax: Any, text: str) -> None:
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
    ax: Any,
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


def patches(colours: Iterable[str], **style: Any) -> list[Any]:
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


# Colour arithmetic (Ottosson's OKLab)
# ------------------------------------------------------------------------


def _oklab(colour: str) -> np.ndarray:
    rgb = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return _TO_LAB @ np.cbrt(_TO_LMS @ linear)


def _hex(lab: np.ndarray) -> str:
    linear = np.linalg.solve(_TO_LMS, np.linalg.solve(_TO_LAB, lab) ** 3)
    linear = np.clip(linear, 0.0, 1.0)
    return _hex_of(np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055))


def _hex_of(rgb: np.ndarray) -> str:
    return "#" + "".join(f"{round(255 * value):02x}" for value in np.clip(rgb, 0.0, 1.0))
