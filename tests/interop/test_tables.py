"""Responses and trajectories as labelled tables."""

import numpy as np
import pytest

import modecontrol as mc

pytest.importorskip("pandas")
xarray = pytest.importorskip("xarray")
from modecontrol.interop import response_frame, trajectory_dataset  # noqa: E402 - after the skip


def test_a_response_has_a_row_per_mode():
    model = mc.load("two_link")
    response = mc.dynamic_response(model.snapshot(model.start))
    frame = response_frame(response)
    assert list(frame.index) == list(response.modes)
    assert [dict(mode=mode, **row) for mode, row in frame.to_dict("index").items()] == response.rows()


def test_no_modes_is_an_empty_table():
    model = mc.load("block")
    response = mc.dynamic_response(model.snapshot(model.start), physical=["x >= 2", "x <= 1"])
    assert list(response.modes) == []
    assert len(response_frame(response)) == 0


def test_a_trajectory_keeps_every_number_under_its_name():
    model = mc.load("block")
    traj = mc.simulate(model, v0={"x": 1.0}, controller=[2.0], duration=0.2)
    data = trajectory_dataset(traj)
    for i, name in enumerate(model.coordinates):
        assert np.array_equal(data.q.sel(coordinate=name), traj.q[:, i])
        assert np.array_equal(data.v.sel(coordinate=name), traj.v[:, i])
    assert np.array_equal(data.torque.sel(input="push"), traj.torque[:, 0])
    for i, name in enumerate(model.contacts):
        for j, part in enumerate(("normal", "tangent")):
            assert np.array_equal(data.force.sel(contact=name, part=part), traj.force[:, 2 * i + j])
    assert ["".join(row) for row in data.letter.values] == traj.modes
    assert data.attrs["parameter_mu"] == model.parameters["mu"]
    assert data.attrs["status"] == "completed"


def test_nothing_to_touch():
    arm = mc.Builder("arm").body("arm", joint=mc.revolute("q"), mass=1, com=(1, 0)).build()
    data = trajectory_dataset(mc.simulate(arm, duration=0.01))
    assert data.sizes["contact"] == 0
    assert data.sizes["time"] == 11
