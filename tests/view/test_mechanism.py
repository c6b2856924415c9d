import numpy as np
import pytest
from matplotlib.patches import Circle, Polygon

import modecontrol as mc
from modecontrol.view import palette
from modecontrol.view.mechanism import extent, outlines, plot_mechanism


@pytest.mark.parametrize("name", mc.models())
def test_every_model_that_ships_can_be_drawn(name):
    model = mc.load(name)
    ax = plot_mechanism(model)
    box = extent(model, [model.start])
    for corners in outlines(model, model.start):
        assert np.all(corners >= box[:, 0])
        assert np.all(corners <= box[:, 1])
    assert ax.get_aspect() == 1.0
    assert ax.has_data()
    ax.figure.canvas.draw()


def test_a_model_draws_itself():
    ax = mc.load("rod").plot({"y": 0.6}, labels=False)
    assert ax.get_xlabel() == plot_mechanism(mc.load("rod")).get_xlabel()
    with pytest.raises(ValueError, match="q has 2 numbers"):
        mc.load("rod").plot([1.0, 2.0])


def test_outline_follows_the_configuration():
    model = mc.load("rod")
    corners = outlines(model, [2.0, 3.0, np.pi / 2])[0]
    np.testing.assert_allclose(corners.mean(axis=0)[0], 2.0, atol=0.02)
    assert np.ptp(corners[:, 1]) == pytest.approx(1.0)


def test_cones_have_the_friction_angle():
    model = mc.load("rod", mu=0.5)
    ax = plot_mechanism(model, frames=False, labels=False)
    cone = next(p for p in ax.patches if isinstance(p, Polygon) and len(p.get_xy()) == 4)
    tip, a, b = cone.get_xy()[:3]
    angle = np.arccos(np.dot(a - tip, b - tip) / np.linalg.norm(a - tip) / np.linalg.norm(b - tip))
    assert angle / 2 == pytest.approx(np.arctan(0.5))


def test_forces_point_where_they_push():
    model = mc.load("table")
    ax = plot_mechanism(
        model,
        frames=False,
        cones=False,
        labels=False,
        forces={"left.normal": 50.0, "left.tangent": 25.0},
        force_scale=0.01,
    )
    (arrow,) = [a for a in ax.texts if getattr(a, "arrow_patch", None) is not None]
    np.testing.assert_allclose(np.subtract(arrow.xy, arrow.get_position()), [0.25, 0.5], atol=1e-9)
    assert "longest force 55.9 N" in ax.get_title()


def test_modes_colour_the_contacts():
    ax = plot_mechanism(mc.load("table"), modes="FR")
    colours = [line.get_color() for line in ax.lines if line.get_marker() == "o"]
    assert colours == [palette.letter_colour("F"), palette.letter_colour("R")]
    assert {"left F", "right R"} <= {t.get_text() for t in ax.texts}


def test_open_contacts_are_hollow_and_have_no_frame():
    model = mc.load("rod")
    q = np.add(model.start, [0, 0.2, 0])
    ax = plot_mechanism(model, q)
    (point,) = [line for line in ax.lines if line.get_marker() == "o"]
    assert point.get_markerfacecolor() == "white"
    assert not [a for a in ax.texts if getattr(a, "arrow_patch", None) is not None]


def test_discs_are_circles():
    ax = plot_mechanism(mc.load("ball_bearing"))
    assert any(isinstance(p, Circle) and p.radius == pytest.approx(0.1) for p in ax.patches)


def test_mistakes_are_named():
    model = mc.load("table")
    with pytest.raises(ValueError, match="one letter for each of 2"):
        plot_mechanism(model, modes="F")
    with pytest.raises(ValueError, match=r"forces names 'nix\.normal'"):
        plot_mechanism(model, forces={"nix.normal": 1.0})
    with pytest.raises(ValueError, match="expected 4 numbers"):
        plot_mechanism(model, forces=[1.0])


def test_arrows_of_forces_end_inside_the_picture():
    model = mc.load("rhex")
    forces = np.zeros(8)
    forces[[6, 7]] = 100.0, 90.0  # at the front toe, forwards
    ax = plot_mechanism(model, forces=forces, force_scale=0.004)
    tip = model.contact_points(model.start).position[3] + 0.004 * np.array([90.0, 100.0])
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    assert left < tip[0] < right
    assert low < tip[1] < high
    bare = mc.Builder("arm").body("arm", joint=mc.revolute("q"), mass=1, com=(1, 0)).build()
    assert plot_mechanism(bare, forces=[]).get_xlim()[1] > 1.0
