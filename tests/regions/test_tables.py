"""A `DynamicResponse` as text, HTML, plain data, JSON and rows of a data frame."""

import json

import numpy as np
import pytest

import modecontrol as mc


@pytest.fixture(scope="module")
def response():
    model = mc.load("table")
    return mc.dynamic_response(model.snapshot(model.start), torque_limits=[(-50, 50)])


def test_mapping(response):
    assert list(response) == response.modes == ["FF", "LL", "RR"]
    assert len(response) == 3
    assert "FF" in response
    assert "SS" not in response
    assert dict(response.items())["FF"] is response["FF"]
    assert repr(response) == "DynamicResponse(3 modes: FF, LL, RR)"
    assert "ModeResponse('FF', ambiguous, 1 ambiguity variables, torques of dimension 1)" in repr(
        response["FF"]
    )


def test_summary_is_aligned(response):
    lines = response.summary().splitlines()
    assert lines[0] == "3 modes of left, right; inputs push"
    assert lines[1].split()[:3] == ["mode", "case", "w"]
    column = lines[1].index("dimension")
    assert all(line[column] in "01" for line in lines[2:])
    assert "left.tangent, right.tangent" in lines[2]


def test_json_round_trip_gives_the_same_sets(response):
    data = json.loads(response.to_json(indent=1))
    assert data == json.loads(json.dumps(response.to_dict()))
    assert data["inputs"] == ["push"]
    assert list(data["modes"]) == ["FF", "LL", "RR"]
    for mode, entry in data["modes"].items():
        r = response[mode]
        rebuilt = mc.Polytope(
            np.array(entry["torques"]["A"]).reshape(-1, 1),
            entry["torques"]["b"],
            np.array(entry["torques"]["C"]).reshape(-1, 1),
            entry["torques"]["d"],
        )
        assert rebuilt == r.torques
        force = entry["force"]
        tau, w = np.array([3.0]), np.full(r.ambiguity_variables, 0.5)
        value = (
            np.array(force["constant"])
            + np.array(force["tau"]) @ tau
            + np.array(force["w"]).reshape(4, -1) @ w
        )
        assert value == pytest.approx(r.force.value(tau, w))
    assert data["modes"]["FF"]["not_unique"] == {
        "accelerations": [],
        "forces": ["left.tangent", "right.tangent"],
    }
    assert data["modes"]["FF"]["torques"]["labels"] == [["left friction", "right friction"]] * 2


def test_json_of_unbounded_sets_has_no_infinity():
    model = mc.load("two_link", mu=0.7)
    text = mc.dynamic_response(model.snapshot(model.start)).to_json()
    assert "Infinity" not in text
    assert "NaN" not in text


def test_rows_make_a_data_frame(response):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(response.rows()).set_index("mode")
    assert frame.loc["FF", "w"] == 1
    assert frame.loc["RR", "case"] == "unique"
    assert bool(frame["bounded"].all())


def test_html_is_a_table_with_escaped_cells(response):
    html = response._repr_html_()
    assert html.startswith("<table>")
    assert html.count("<tr>") == 4
    named = mc.Snapshot(
        mass=np.eye(2),
        bias=[0, 9.81],
        actuation=np.zeros((2, 0)),
        jacobian=[[0, 1.0], [1, 0]] * 2,
        drift=np.zeros(4),
        friction=[0.5, 0.5],
        velocity=np.zeros(4),
        names={"contacts": ["a<b", "c"]},
    )
    assert "a&lt;b.normal" in mc.dynamic_response(named)._repr_html_()


def test_arrays_are_read_only(response):
    r = response["FF"]
    for array in (r.domain.A, r.torques.b):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
