"""Parameters that a model file gives as intervals."""

import pickle

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.dynamics.model_file import parse

FILE = """
name = "block"
[parameters]
mu = {value = 0.4, within = [0.3, 0.5]}
m = 2.0
[[body]]
name = "block"
parent = "world"
joint = {type = "planar", coordinates = ["x", "y", "theta"], start = [0, 0.1, 0]}
mass = "m"
inertia = 0.1
[[contact]]
name = "foot"
body = "block"
point = [0, -0.1]
wall = {tilt = 0}
mu = "mu"
"""


def text(entry):
    return FILE.replace("{value = 0.4, within = [0.3, 0.5]}", entry)


@pytest.fixture
def model(tmp_path):
    (tmp_path / "block.toml").write_text(FILE)
    return mc.load(tmp_path / "block.toml")


def test_a_file_declares_what_is_known(model):
    assert dict(model.intervals) == {"mu": (0.3, 0.5)}
    snapshot = model.snapshot(model.start)
    np.testing.assert_allclose([snapshot.friction_low, snapshot.friction_high], [[0.3], [0.5]])
    assert snapshot.friction[0] == pytest.approx(0.4)
    assert dict(pickle.loads(pickle.dumps(model)).intervals) == {"mu": (0.3, 0.5)}


def test_what_is_set_from_outside_is_known_exactly(model, tmp_path):
    assert not mc.load(tmp_path / "block.toml", mu=0.35).intervals
    assert not model.with_parameters(mu=0.35).intervals
    assert dict(model.with_parameters(m=3.0).intervals) == {"mu": (0.3, 0.5)}
    assert dict(model.uncertain(mu=(0.2, 0.6)).intervals) == {"mu": (0.2, 0.6)}


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("{value = 0.4}", "expected a number, a text, or"),
        ("{value = 0.4, within = [0.3, 0.5], about = 1}", "expected a number, a text, or"),
        ("{value = 0.4, within = 0.3}", "within is 0.3"),
        ("{value = 0.4, within = [0.5, 0.3]}", "between them"),
        ("{value = 0.9, within = [0.3, 0.5]}", "between them"),
        ("{value = 0.4, within = [-0.3, 0.5]}", "0 <= least"),
        ("{value = 0.4, within = [0.3, nan]}", "between them"),
        ("{value = 0.4, within = [0.3, inf]}", "both finite"),
        ("{value = true, within = [0.3, 2]}", "mu"),
    ],
)
def test_wrong_intervals_are_one_clear_line(entry, words):
    with pytest.raises(mc.ModelFileError, match=words) as caught:
        parse(text(entry))
    assert "mu" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_interval_of_something_else_than_friction_is_refused():
    with pytest.raises(mc.ModelFileError, match="only coefficients of friction"):
        parse(FILE.replace("m = 2.0", "m = {value = 2.0, within = [1, 3]}"))


def test_each_mode_at_a_torque_has_a_friction_that_allows_it():
    model = mc.load("rhex").uncertain(mu_toe=(0.45, 0.75), mu_body=(0.1, 0.3))
    response = mc.dynamic_response(model.snapshot(model.start))
    rng = np.random.default_rng(0)
    looked = 0
    for tau in [response[mode].torques.sample(rng)[0] for mode in response.modes[::4]]:
        found = response.witnesses_at(tau)
        assert sorted(found) == response.modes_at(tau)
        for mode, friction in found.items():
            exact = mc.dynamic_response(response.snapshot.with_friction(friction))
            assert mode in exact.modes_at(tau)
            looked += 1
    assert looked >= 10
