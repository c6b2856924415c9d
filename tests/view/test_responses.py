"""Torque sets, ambiguity maps and domains: what is drawn is what the library computed."""

import numpy as np
import pytest
from matplotlib.patches import Polygon, Rectangle
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

from modecontrol.regions.cells import ambiguity_cells
from modecontrol.view import palette
from modecontrol.view.ambiguity import plot_ambiguity, plot_ambiguity_figure, slice_values
from modecontrol.view.domains import plot_domain, plot_domains


def words(ax):
    legend = ax.get_legend()
    return [t.get_text() for t in legend.get_texts()] if legend else []


def said(ax):
    return " ".join(t.get_text() for t in [*ax.texts, ax.title])


def test_one_input_gives_one_bar_per_mode_at_its_interval(responses):
    ax = responses["table"].plot()
    assert [t.get_text() for t in ax.get_yticklabels()] == ["FF", "LL", "RR"]
    bars = [p for p in ax.patches if isinstance(p, Rectangle)]
    fixed = next(bar for bar in bars if bar.get_y() < 0 < bar.get_y() + bar.get_height())
    assert fixed.get_x() == pytest.approx(-29.43, abs=1e-6)
    assert fixed.get_x() + fixed.get_width() == pytest.approx(29.43, abs=1e-6)
    assert len([p for p in ax.patches if isinstance(p, Polygon)]) == 2  # LL and RR go on for ever
    assert ax.get_xlabel() == "push (N)"


def test_three_inputs_give_solids_and_a_short_legend(responses):
    ax = responses["rhex"].plot()
    solids = [c for c in ax.collections if isinstance(c, Poly3DCollection)]
    interior = [m for m in responses["rhex"] if responses["rhex"][m].torques.dimension == 3]
    assert len(solids) == len(interior)
    assert set(words(ax)) == set(interior)
    assert "flat ones are not drawn" in said(ax)
    assert ax.get_xlim()[0] < -11 < ax.get_xlim()[1]
    flat = responses["rhex"].plot(flat=True)
    assert len(words(flat)) == 15
    assert words(flat)[-1].startswith("+ ")


def test_exploded_solids_move_and_keep_their_shape(responses):
    from modecontrol.view.shapes import shape_of
    from modecontrol.view.torques import moved

    shape = shape_of(responses["rod"]["F"].torques)
    away = moved(shape, 0.5, np.zeros(3))
    np.testing.assert_allclose(away.points - away.points[0], shape.points - shape.points[0], atol=1e-9)
    assert np.linalg.norm(away.points.mean(0)) == pytest.approx(1.5 * np.linalg.norm(shape.points.mean(0)))


def test_slice_and_projection_of_a_response(responses):
    ax = responses["rod"].plot(slice={"tau": 0.0})
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("fx (N)", "fy (N)")
    assert "slice at tau = 0" in said(ax)
    ax = responses["rod"].plot(project=("tau", "fx"))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("tau (N m)", "fx (N)")
    with pytest.raises(ValueError, match="no variable 'nix'"):
        responses["rod"].plot(slice={"nix": 0.0})


def test_modes_are_coloured_alike_in_all_pictures(responses):
    from matplotlib.colors import to_hex

    ax = responses["rod"].plot(modes=["F"], slice={"tau": 0.0})
    (patch,) = [p for p in ax.patches if isinstance(p, Polygon)]
    assert to_hex(patch.get_facecolor()) == palette.letter_colour("F")


def test_no_inputs_is_said(responses):
    assert "no inputs" in said(responses["pendulum"].plot())
    assert "no inputs" in said(plot_ambiguity(responses["pendulum"]))


def test_two_link_map_names_which_modes_share_inputs(responses):
    ax = plot_ambiguity(responses["slippery"])
    assert "3 modes: FFF, FFS, LRL" in words(ax)
    assert "FFF" in words(ax)
    found = ambiguity_cells(responses["slippery"])
    alone = [c for c in found.cells if c.verdict == "unambiguous"]
    assert max(c.torques.vertices.max() for c in alone) == pytest.approx(-4.905, abs=1e-6)


def test_inconsistent_inputs_are_hatched_and_named(responses):
    ax = plot_ambiguity(responses["rhex"], slice={"tau3": -3.0})
    assert "no answer" in words(ax)
    assert any(p.get_hatch() == "xxx" for p in ax.patches)


def test_three_inputs_give_six_slices(responses):
    fig = plot_ambiguity_figure(responses["rod"])
    assert len(fig.axes) == 6
    titles = [ax.get_title() for ax in fig.axes]
    assert all(title.startswith("tau = ") for title in titles)
    assert len(set(titles)) == 6
    with pytest.raises(ValueError, match="cannot be projected"):
        plot_ambiguity_figure(responses["rod"], project=("fx",))


def test_slices_of_a_held_input_are_where_its_sets_are():
    import modecontrol as mc

    model = mc.load("rhex")
    q = model.start.copy()
    q[5] += 0.6  # front leg in the air: massless, so its torque can only be zero
    resp = mc.dynamic_response(model.snapshot(q))
    assert slice_values(resp, "tau3", 6) == [0.0]


def test_domain_of_the_table_stands_above_its_torques(responses):
    ax = plot_domain(responses["table"]["FF"], at=[0.0])
    (polygon,) = [p for p in ax.patches if isinstance(p, Polygon)]
    assert polygon.get_xy()[:, 0].max() == pytest.approx(29.43, abs=1e-6)
    projection, fibre = ax.lines
    np.testing.assert_allclose(np.sort(projection.get_xdata()), [-29.43, 29.43], atol=1e-6)
    assert max(projection.get_ydata()) < polygon.get_xy()[:, 1].min()
    np.testing.assert_allclose(fibre.get_xdata(), 0.0)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("push", "w1")


def test_domain_with_two_ambiguity_variables_is_a_solid(responses):
    ax = plot_domain(responses["two_link"]["FFF"], at=[-10.0])
    assert ax.get_zlabel() == "w2"
    assert any(isinstance(c, Poly3DCollection) for c in ax.collections)
    with pytest.raises(ValueError, match="at has shape"):
        plot_domain(responses["two_link"]["FFF"], at=[0.0, 0.0])


def test_domain_without_ambiguity_says_so(responses):
    assert "no ambiguity variables" in said(plot_domain(responses["table"]["LL"]))


def test_shadows_of_two_modes_overlap_in_a_colour_of_their_own(responses):
    ax = plot_domains(responses["slippery"], ["FFF", "SSS"])
    assert "both" in words(ax)
    assert "both" not in words(plot_domains(responses["table"], ["FF", "LL"]))
    with pytest.raises(ValueError, match="modes is empty"):
        plot_domains(responses["table"], [])
