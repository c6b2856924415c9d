import re

import numpy as np
import pytest
from study_functions import several, touchy, upright

import modecontrol as mc
from modecontrol.studies import sobol
from modecontrol.view.study import NO, YES, plot_study

MU, PHI, LENGTH = [0.25, 0.5, 0.75, 1.0], [0.3, 0.6, 0.9], [0.8, 1.0, 1.2, 1.4, 1.6]


@pytest.fixture(scope="module")
def grid():
    return mc.study(
        "rod", {"mu": MU, "phi": PHI, "l": LENGTH}, ["modes", touchy, several], place=upright, executor=1
    )


@pytest.fixture(scope="module")
def cloud():
    return mc.study(
        "rod",
        sobol({"mu": (0.1, 0.9), "phi": (0.2, 1.0)}, 32),
        ["modes", touchy, several],
        place=upright,
        executor=1,
    )


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_a_map_has_the_numbers_of_the_study(grid):
    ax = plot_study(grid, "touchy", x="mu", y="phi", at={"l": 1.21})
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("mu", "phi", "touchy, l = 1.2")
    drawn = ax.collections[0].get_array()
    expected = grid.to_xarray().touchy.sel(l=1.2).transpose("phi", "mu").to_numpy()
    np.testing.assert_array_equal(drawn.filled(np.nan), np.where(np.isfinite(expected), expected, np.nan))
    assert legend(ax) == ["no answer"]


def test_the_longest_names_are_chosen_and_the_rest_is_held_in_the_middle(grid):
    ax = plot_study(grid, "modes")
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("l", "mu", "modes, phi = 0.6")


def test_success_maps_have_two_colours(grid):
    from matplotlib.colors import to_hex

    ax = plot_study(grid, "steep", x="phi", y="mu")
    colours = ax.collections[0].get_cmap().colors
    assert [to_hex(colour) for colour in colours] == [NO, YES]
    np.testing.assert_array_equal(ax.collections[0].get_array()[0], [0, 1, 1])
    assert legend(ax) == ["no", "yes"]


def test_texts_have_a_legend(grid):
    assert legend(plot_study(grid, "name", x="mu", y="phi")) == ["rod 0", "rod 1"]


def test_contours_are_drawn_where_asked(grid):
    ax = plot_study(grid, "touchy", x="mu", y="phi", contours=[3.0])
    assert [c.levels.tolist() for c in ax.collections if hasattr(c, "levels")] == [[3.0]]


def test_a_cut_is_a_curve(grid):
    ax = plot_study(grid, "touchy", x="mu", at={"l": 1.0, "phi": 0.3})
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), [np.nan, np.nan, 4.0, 2.0])
    assert legend(ax) == ["no answer"]
    np.testing.assert_array_equal(ax.lines[1].get_xdata(), [0.25, 0.5])


@pytest.mark.parametrize("column", ["modes", "touchy", "steep", "name", "legs"])
@pytest.mark.parametrize("names", [{}, {"x": "mu"}, {"x": "phi", "y": "mu"}])
def test_every_column_can_be_drawn(grid, cloud, column, names):
    for study in (grid, cloud):
        ax = plot_study(study, column, **names)
        ax.figure.canvas.draw()
        assert ax.get_title().startswith(column)


def test_a_cloud_shows_every_point(cloud):
    ax = cloud.plot("modes")
    assert sum(len(c.get_offsets()) for c in ax.collections) == 32


def test_nothing_anywhere_is_said():
    empty = mc.study(
        "rod", {"mu": [0.5, 0.6], "phi": [1.0, 1.1]}, ["modes"], v={"y": -1.0}, place=upright, executor=1
    )
    assert "no answer anywhere" in empty.plot().texts[0].get_text()
    assert "no answer anywhere" in empty.plot(x="mu").texts[0].get_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"quantity": "mods"}, "quantity is 'mods'; did you mean 'modes'?"),
        ({"x": "muu"}, "'muu' does not vary in this study; did you mean 'mu'?"),
        ({"x": "mu", "y": "mu"}, "stands on both axes"),
        ({"x": "mu", "at": {"mu": 3}}, "at names 'mu'"),
    ],
)
def test_mistakes_are_named(grid, words, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        plot_study(grid, **words)
