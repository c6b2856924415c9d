from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import study_functions

import modecontrol as mc
from modecontrol.studies import parameter_map


@pytest.fixture(scope="module")
def two_link():
    return study_functions.two_link_map()


def test_numbers_are_those_of_single_instants(two_link):
    for j, mu in enumerate(study_functions.MU):
        model = mc.load("two_link", mu=mu, elbow=0.6)
        resp = mc.dynamic_response(model.snapshot(model.start), torque_limits=[(-30, 30)])
        assert two_link.values["modes"][1, j] == len(resp)
        assert two_link.values["thrust"][1, j] == pytest.approx(mc.maximize(resp, "p2.normal").value)


def test_any_executor_gives_the_same(two_link):
    with ThreadPoolExecutor(2) as pool:
        again = parameter_map(
            mc.load("two_link"),
            ("mu", study_functions.MU),
            ("elbow", [0.5, 0.6]),
            objective="p2.normal",
            torque_limits=[(-30, 30)],
            executor=pool,
            chunksize=2,
        )
    for name, values in two_link.values.items():
        np.testing.assert_array_equal(values, again.values[name])


def test_coordinates_move_the_mechanism_and_impacts_have_reasons():
    seen = []
    found = parameter_map(
        mc.load("rod"),
        ("phi", [0.9, 1.0]),
        ("mu", [0.5]),
        ["modes"],
        v={"y": -1.0},
        q=[0, 0.5 * np.sin(1.0), 1.0],
        progress=lambda done, of: seen.append((done, of)),
    )
    assert seen == [(0, 2), (2, 2)]
    assert found.values["modes"][0, 0] == 1  # the tip is in the air: it can only separate
    assert np.isnan(found.values["modes"][0, 1])
    assert "approaches" in found.reasons[0][1]


def test_place_puts_feet_on_the_ground():
    def place(model, q):
        q[1] = model.parameters["l"] / 2 * np.sin(q[2])
        return q

    found = parameter_map(mc.load("rod"), ("phi", [0.8, 1.0]), ("mu", [0.5]), ["modes"], place=place)
    np.testing.assert_array_equal(found.values["modes"], 4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": ("theat", [1.0])}, "did you mean 'theta'"),
        ({"x": ("mu", [])}, "at least one number"),
        ({"y": ("mu", [1.0])}, "both axes"),
        ({"quantities": ["nix"]}, "quantity 'nix' is unknown"),
        ({"quantities": ["thrust"]}, "needs an objective"),
    ],
)
def test_mistakes_are_named(change, message):
    words = {"x": ("mu", [0.5]), "y": ("theta", [1.0]), "quantities": ["modes"], **change}
    with pytest.raises(ValueError, match=message):
        parameter_map(mc.load("rod"), **words)
