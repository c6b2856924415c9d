"""Pictures of uncertain friction show what the sets are."""

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")

import modecontrol as mc


def test_sure_and_possible_torques_of_the_two_link_end_where_they_should():
    model = mc.load("two_link").uncertain(mu=(0.3, 0.5))
    response = mc.dynamic_response(model.snapshot(model.start))
    axes = response.plot_sure("FFF", window=(-30, 5))
    ends = sorted(patch.get_x() + patch.get_width() for patch in axes.patches)
    np.testing.assert_allclose(ends, [-9.81 * 0.6 / (2 * 0.3), -9.81 * 0.6 / (2 * 0.5)], atol=1e-6)
    assert any("mu 0.3 to 0.5" in text.get_text() for text in (*axes.texts, axes.title, *axes.figure.texts))


def test_three_inputs_need_a_slice():
    model = mc.load("rhex").uncertain(mu_toe=(0.45, 0.75))
    response = mc.dynamic_response(model.snapshot(model.start))
    with pytest.raises(ValueError, match="expected one or two"):
        response.plot_sure("RFLL")
    assert len(response.plot_sure("RFLL", slice={"tau3": -8.0}).patches) == 2


def test_the_map_of_friction_shows_where_the_mode_changes():
    model = mc.load("two_link").uncertain(mu=(0.3, 0.5))
    response = mc.dynamic_response(model.snapshot(model.start))
    tau = [-7.3575]  # FFF from mu = 0.4 on
    picture = response.plot_friction(tau, points=21).images[0].get_array()
    assert len(np.unique(picture[0, :10])) == 1
    assert picture[0, 0] != picture[0, -1]
    known = mc.load("two_link")
    known = mc.dynamic_response(known.snapshot(known.start))
    with pytest.raises(ValueError, match="expected one or two"):
        known.plot_friction(tau)
