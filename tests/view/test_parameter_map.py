import numpy as np
import pytest
import study_functions

import modecontrol as mc
from modecontrol.studies import parameter_map
from modecontrol.view.parameter_map import plot_map, plot_maps


@pytest.fixture(scope="module")
def two_link():
    return study_functions.two_link_map()


def test_picture_shows_counts_thrust_and_unbounded_loss(two_link):
    fig = plot_maps(two_link)
    fig.canvas.draw()
    titles = [ax.get_title() for ax in fig.axes if ax.get_title()]
    assert titles[0] == "number of contact modes"
    assert "best guaranteed p2.normal" in titles[1]
    ax = plot_map(two_link, "modes")
    np.testing.assert_array_equal(
        ax.collections[0].get_array().compressed(), two_link.values["modes"].ravel()
    )
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("mu", "elbow")
    loss = plot_map(two_link, "loss")
    assert [t.get_text() for t in loss.get_legend().get_texts()] == ["unbounded"]


def test_nothing_anywhere_is_said():
    found = parameter_map(mc.load("rod"), ("mu", [0.5]), ("theta", [1.0]), ["modes"], v={"y": -1.0})
    assert "no answer anywhere" in plot_map(found).texts[0].get_text()
