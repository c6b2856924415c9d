import itertools

import numpy as np
import pytest

from modecontrol.view import palette, style

# Machado, Oliveira, Fernandes 2009, full severity, linear RGB
BLIND = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def linear(colour):
    rgb = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def seen_as(colour, kind):
    """How a colour-blind reader sees a colour, in OKLab."""
    found = np.clip(np.array(BLIND[kind]) @ linear(colour), 0, 1)
    srgb = np.where(found <= 0.0031308, 12.92 * found, 1.055 * found ** (1 / 2.4) - 0.055)
    return palette._oklab(palette._hex_of(srgb))


@pytest.mark.parametrize("kind", BLIND)
def test_letters_stay_apart_for_colour_blind_readers(kind):
    for a, b in itertools.combinations(palette.LETTER_COLOURS.values(), 2):
        assert np.linalg.norm(seen_as(a, kind) - seen_as(b, kind)) > 0.1


def test_letters_stay_apart_in_grey_print():
    lightness = sorted(palette._oklab(colour)[0] for colour in palette.LETTER_COLOURS.values())
    assert np.diff(lightness).min() > 0.07


def test_a_mode_has_one_colour_and_pure_modes_that_of_their_letter():
    assert palette.mode_colour("FFFF") == palette.mode_colour("F") == palette.letter_colour("F")
    assert palette.mode_colour("FSLR") == palette.mode_colour("FSLR")
    colours = [palette.mode_colour("".join(letters)) for letters in itertools.product("FLRS", repeat=3)]
    assert len(set(colours)) == 64


def test_unknown_letters_are_refused():
    with pytest.raises(ValueError, match="'X' is no contact letter"):
        palette.mode_colour("FX")


def test_flat_and_solid_axes_are_not_mixed_up():
    with pytest.raises(ValueError, match="flat axes"):
        style.axes(style.figure().add_subplot(), 3)
    with pytest.raises(ValueError, match="three dimensions"):
        style.axes(style.figure().add_subplot(projection="3d"), 2)


def test_long_legends_are_cut_and_counted():
    ax = style.figure().add_subplot()
    names = [f"mode {i}" for i in range(53)]
    legend = style.legend(ax, style.patches(["#ffffff"] * 53), names, most=12, more="more modes")
    words = [text.get_text() for text in legend.get_texts()]
    assert len(words) == 13
    assert words[-1] == "+ 41 more modes"


def test_text_is_readable_on_every_letter():
    def luminance(colour):
        return float(linear(colour) @ [0.2126, 0.7152, 0.0722])

    for colour in palette.LETTER_COLOURS.values():
        pair = sorted([luminance(colour), luminance(palette.readable_on(colour))])
        assert (pair[1] + 0.05) / (pair[0] + 0.05) > 4.0
