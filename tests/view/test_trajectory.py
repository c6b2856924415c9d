import itertools

import numpy as np
import pytest

from modecontrol.view import palette
from modecontrol.view.animation import animate, pictures
from modecontrol.view.stroboscope import plot_stroboscope
from modecontrol.view.timeline import plot_timeline, spans_of
from modecontrol.view.trajectory import WHAT, overview, plot_acceleration


class Decided:
    def __init__(self, time, mode, value):
        self.time, self.mode, self.value = time, mode, value


@pytest.mark.parametrize("what", WHAT)
def test_every_aspect_draws_something(fall, what):
    ax = fall.plot(what=what)
    assert ax.has_data()
    assert ax.get_xlabel() in ("time (s)", "m")
    ax.figure.canvas.draw()


def test_curves_are_the_trajectory(fall):
    ax = fall.plot(what="q", names=["phi"])
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), fall.q[:, 2])
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), fall.time)
    force = fall.plot(what="force", names="tip.normal")
    np.testing.assert_allclose(force.lines[0].get_ydata(), fall.impulse[:, 0] / fall.step)


def test_energy_shows_its_parts(fall):
    ax = fall.plot(what="energy")
    total, kinetic, potential = (line.get_ydata() for line in ax.lines)
    np.testing.assert_allclose(total, kinetic + potential)


def test_residuals_stand_beside_what_is_accepted(fall):
    ax = fall.plot(what="residual")
    assert ax.get_yscale() == "log"
    assert any("accepted" in t.get_text() for t in ax.get_legend().get_texts())


def test_predicted_accelerations_are_dashed_beside_simulated(fall):
    ax = plot_acceleration(fall, "phi", predicted=[Decided(0.0, "F", -7.0), Decided(0.1, "F", None)])
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["simulated", "predicted"]
    np.testing.assert_allclose(ax.lines[1].get_ydata(), [-7.0, np.nan])
    with pytest.raises(ValueError, match="equal length"):
        plot_acceleration(fall, "phi", predicted=([0.0, 1.0], [1.0]))


def test_unknown_names_are_refused(fall):
    with pytest.raises(ValueError, match="expected one of q, v"):
        fall.plot(what="nix")
    with pytest.raises(ValueError, match="no variable 'psi'"):
        fall.plot(what="q", names=["psi"])


def test_overview_has_a_panel_for_everything(fall):
    fig = overview(fall, [Decided(0.0, "F", 1.0)])
    labels = [ax.get_ylabel() for ax in fig.axes]
    assert [label.split()[0] for label in labels[:-1]] == [
        "coordinates",
        "velocities",
        "inputs",
        "energy",
        "LCP",
    ]
    fig.canvas.draw()


def test_timeline_bars_have_the_letters_colours_and_times():
    ax = plot_timeline(([0.0, 1.0, 2.0, 3.0], ["FS", "FL", "RL"]), contacts=("toe", "heel"))
    bars = [
        (round(p.get_y() + p.get_height() / 2), p.get_x(), p.get_width(), p.get_facecolor())
        for p in ax.patches
    ]
    from matplotlib.colors import to_rgba

    expected = [(0, 0.0, 2.0, "F"), (0, 2.0, 1.0, "R"), (1, 0.0, 1.0, "S"), (1, 1.0, 2.0, "L")]
    assert bars == [(i, a, b, to_rgba(palette.letter_colour(x))) for i, a, b, x in expected]
    assert [t.get_text() for t in ax.get_yticklabels()] == ["toe", "heel"]


def test_prediction_has_a_lane_of_its_own(fall):
    ax = plot_timeline(
        fall, predicted=[Decided(0.0, "F", 1.0), Decided(0.1, None, 0.0), Decided(0.15, "R", 1.0)]
    )
    assert [t.get_text() for t in ax.get_yticklabels()] == ["tip, simulated", "predicted"]
    lower = [p for p in ax.patches if p.get_y() > -0.05]
    assert [(round(p.get_x(), 6), round(p.get_width(), 6)) for p in lower] == [(0.0, 0.1), (0.15, 0.05)]


def test_spans_merge_equal_neighbours():
    spans = spans_of(([0.0, 1.0, 2.0, 3.0], ["F", "F", "L", "L"]))
    assert spans.modes == ("F", "L")
    assert spans.end == 4.0


def test_mistakes_in_timelines_are_named():
    with pytest.raises(ValueError, match="times go back"):
        spans_of(([1.0, 0.0], ["F", "F"]))
    with pytest.raises(ValueError, match="5 times for 2 modes"):
        spans_of((np.arange(5.0), ["F", "F"]))
    with pytest.raises(ValueError, match="has 2 letters; expected 1"):
        plot_timeline(([0.0], ["FF"]), contacts=("tip",))
    with pytest.raises(TypeError, match="found list"):
        spans_of([1, 2, 3])


def test_no_contacts_is_said():
    ax = plot_timeline(([0.0, 1.0], [""]))
    assert "no contacts" in ax.texts[0].get_text()


def test_stroboscope_draws_the_chosen_times(fall):
    ax = plot_stroboscope(fall, times=[0.0, 0.2], path=False)
    assert "t = 0, 0.2 s" in ax.get_title()
    with pytest.raises(ValueError, match="one whole number from 1 to"):
        plot_stroboscope(fall, frames=0)


def test_pictures_are_evenly_spaced_and_end_at_the_end():
    time = np.linspace(0, 1, 1001)
    steps = pictures(time, fps=25, speed=1.0)
    assert steps[0] == 0
    assert steps[-1] == 1000
    assert {b - a for a, b in itertools.pairwise(steps)} == {40}
    assert len(pictures(time, fps=25, speed=0.5)) == 51


def test_gif_has_all_pictures(fall, tmp_path):
    from PIL import Image

    seen = []
    path = animate(
        fall,
        tmp_path / "deep" / "fall.gif",
        fps=20,
        dpi=40,
        progress=lambda done, of: seen.append((done, of)),
    )
    with Image.open(path) as film:
        assert film.n_frames == len(pictures(fall.time, 20, 1.0)) == 5
    assert seen[-1] == (5, 5)


def test_html_needs_nothing_from_outside(fall, tmp_path):
    page = animate(fall, tmp_path / "fall.html", fps=10, dpi=40).read_text()
    assert "http://" not in page
    assert "https://" not in page
    assert page.count("data:image/png;base64") == 3
    assert "fa fa-" not in page


def test_a_film_without_a_file_is_for_notebooks(fall):
    film = fall.animate(fps=5, dpi=30)
    page = film._repr_html_()
    assert page.count("data:image/png;base64,") == film.pictures > 1
    assert "http" not in page.replace("http://www.w3.org", "")
    assert "Contact modes: " in fall._repr_markdown_()


def test_animation_mistakes_are_named(fall, tmp_path, monkeypatch):
    from matplotlib.animation import FFMpegWriter

    with pytest.raises(ValueError, match=r"ends in \.gif, \.mp4, \.html"):
        animate(fall, tmp_path / "fall.avi")
    with pytest.raises(ValueError, match=r"one finite number from 0\.01 to 1000"):
        animate(fall, tmp_path / "fall.gif", fps=0)
    monkeypatch.setattr(FFMpegWriter, "isAvailable", classmethod(lambda cls: False))
    with pytest.raises(ValueError, match=r"ffmpeg, which is not installed; write \.gif or \.html"):
        animate(fall, tmp_path / "fall.mp4")
