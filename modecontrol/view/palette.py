"""The colours of pictures: one per contact letter, one per mode, and a few for everything else.

The four letters have colours that stay apart for the common kinds of colour blindness and in grey print
(their lightness falls S, L, R, F). A mode mixes the colours of its letters, turned a little by the order of
the letters, so that the same mode has the same colour in every picture and "FFFF" is as blue as "F". Colours are mixed
in Ottosson's OKLab.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from modecontrol.modes.letters import LETTERS

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
