"""The main pictures against small stored copies: coarse enough for other fonts, fine enough to see a change.

To store them anew after looking at the change: `MODECONTROL_BASELINES=write pytest
tests/view/test_baselines.py`.
"""

import io
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import modecontrol as mc
from modecontrol.view import style
from modecontrol.view.ambiguity import plot_ambiguity
from modecontrol.view.domains import plot_domain
from modecontrol.view.mechanism import plot_mechanism
from modecontrol.view.timeline import plot_timeline

FOLDER = Path(__file__).parent / "baselines"
SIZE = 96, 66
LIKE = 5.0
"""Mean difference of grey levels (of 255) up to which two pictures are the same."""

PICTURES = {
    "torques_one_input": lambda ax, r: r["slippery"].plot(ax),
    "torques_slice": lambda ax, r: r["rod"].plot(ax, slice={"tau": -3.0}),
    "torques_three_inputs": lambda ax, r: r["rhex"].plot(ax),
    "ambiguity": lambda ax, r: plot_ambiguity(r["rod"], ax, slice={"tau": -3.0}),
    "inconsistent": lambda ax, r: plot_ambiguity(r["rhex"], ax, slice={"tau3": -3.0}),
    "domain": lambda ax, r: plot_domain(r["table"]["FF"], ax, at=[0.0]),
    "mechanism": lambda ax, r: plot_mechanism(mc.load("rhex"), None, ax, modes="RFLL"),
    "timeline": lambda ax, r: plot_timeline(
        ([0, 0.1, 0.3, 0.5], ["RF", "RR", "FS"]),
        ax,
        contacts=("body", "rear"),
        predicted=([0, 0.15, 0.5], ["RF", "RS"]),
    ),
}


def drawn(name, responses):
    fig = style.figure(6.0, 4.1)
    ax = fig.add_subplot(projection="3d" if name == "torques_three_inputs" else None)
    PICTURES[name](ax, responses)
    file = io.BytesIO()
    fig.savefig(file, format="png", dpi=80)
    file.seek(0)
    with Image.open(file) as image:
        return image.convert("L").resize(SIZE, Image.Resampling.BOX)


def difference(a, b):
    return float(np.abs(np.asarray(a, float) - np.asarray(b, float)).mean())


@pytest.mark.parametrize("name", PICTURES)
def test_picture_looks_as_it_did(name, responses):
    found = drawn(name, responses)
    file = FOLDER / f"{name}.png"
    if os.environ.get("MODECONTROL_BASELINES") == "write":
        found.save(file, optimize=True)
    with Image.open(file) as stored:
        assert difference(found, stored) < LIKE


def test_baselines_would_notice_another_picture():
    stored = {}
    for name in PICTURES:
        with Image.open(FOLDER / f"{name}.png") as image:
            stored[name] = np.asarray(image, float)
    names = list(stored)
    apart = [difference(stored[a], stored[b]) for i, a in enumerate(names) for b in names[i + 1 :]]
    assert min(apart) > 2 * LIKE
