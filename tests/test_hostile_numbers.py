"""Shapes of hostile input that failed once: numbers of other kinds, of other sizes, and maps with infinite values."""

import sys
import warnings
from dataclasses import fields
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import modecontrol as mc
from modecontrol import studies
from modecontrol.dynamics.model_file import parse
from modecontrol.thrust import ThrustMap
from modecontrol.trials.rhex.settings import FlipSettings
from modecontrol.view.uncertainty import plot_friction_map

sys.path.append(str(Path(__file__).resolve().parents[1] / "campaigns"))
from hostility.model_texts import COUPLED


@pytest.fixture(scope="module")
def known():
    """The parts of a small map of thrust."""
    mapped = studies.map_thrust(mc.MaximalThrust(mc.load("rod"), "phi"), {"phi": [0.7, 0.8]})
    return {f.name: getattr(mapped, f.name) for f in fields(mapped) if f.init}


def endless():
    """A list that holds itself."""
    made = []
    made.append(made)
    return made


def point_mass(**changes):
    plain = {"mass": np.eye(2), "bias": [0, 9.81], "actuation": np.eye(2), "jacobian": [[0, 1], [1, 0]]}
    return mc.Snapshot(**{**plain, "drift": [0, 0], "friction": [0.5], "velocity": [0, 0], **changes})


@pytest.mark.parametrize(
    "changes",
    [
        {"bias": [True, 9.81]},
        {"mass": [[True, 0], [0, 1]]},
        {"velocity": (0, False)},
        {"friction": [np.True_]},
    ],
    ids=str,
)
def test_flags_among_numbers_are_no_numbers(changes):
    with pytest.raises(ValueError, match=r"is not an array of numbers.*expected real numbers"):
        point_mass(**changes)
    with pytest.raises(ValueError, match="expected 2 finite numbers"):
        mc.dynamic_response(point_mass()).modes_at([True, 0])


@pytest.mark.parametrize("text", ["-" * 100_000 + "x", "(" * 100_000 + "x" + ")" * 100_000])
def test_expressions_nested_too_deeply_say_so(text):
    with pytest.raises(ValueError, match=r"cannot read .*: .*nest.*; expected names"):
        mc.maximize(mc.dynamic_response(mc.load("block").snapshot(mc.load("block").start)), text)


@pytest.mark.parametrize("name", ["mode", "fallback"])
@pytest.mark.parametrize(
    "wrong", [[[1.0, 2.0], [3.0], []], endless(), None], ids=["ragged", "endless", "none"]
)
def test_words_of_a_map_that_are_none(known, name, wrong):
    with pytest.raises(ValueError, match="expected texts over the grid"):
        ThrustMap(**{**known, name: wrong})


@pytest.mark.parametrize("values", [[np.inf, 0.0], [-np.inf, 0.0], [-np.inf, np.inf]])
def test_infinite_values_of_a_map_are_interpolated_without_remarks(known, values):
    mapped = ThrustMap(**{**known, "value": np.array(values), "mode": np.array(["F", "F"])})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert mapped([0.7]).value == values[0]
        assert mapped([0.8]).value == values[1]
        between = mapped([0.75]).value
    assert np.isnan(between) if np.isinf(values).all() else between == values[0]


@pytest.mark.parametrize("size", [1e-310, 5e-324, 1e-305])
def test_a_set_so_small_that_its_size_has_no_inverse_is_a_point(size):
    A = [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1]]
    P = mc.Polytope(A, np.full(5, size))
    assert P.dimension == 0
    assert P.contains([0.0, 0.0])
    assert P.vertices.tolist() == [[0.0, 0.0]]
    assert P.volume == mc.Polytope.box([0.0, 0.0], [0.0, 0.0]).volume
    assert P.maximize([1.0, 0.0]).value == 0.0


def test_a_friction_map_needs_two_values():
    model = mc.load("two_link").uncertain(mu=(0.3, 0.5))
    response = mc.dynamic_response(model.snapshot(model.start))
    with pytest.raises(ValueError, match="points is 1; expected one whole number from 2"):
        plot_friction_map(response, [0.0], points=1)


@pytest.mark.parametrize("end", ["9" * 400, "1e400", "nan", "true", '"x"'])
def test_an_end_of_an_interval_that_is_no_number(end):
    text = COUPLED.replace("within = [0.45, 0.75]", f"within = [0.45, {end}]")
    assert text != COUPLED
    with pytest.raises(mc.ModelFileError, match=r"expected (two numbers|0 <= least)"):
        parse(text, {}, where="here")


@pytest.mark.parametrize("patience", [np.uint64(2**64 - 1), 2**70])
def test_patience_without_end_is_no_overflow(patience):
    model = mc.load("block").uncertain(mu=(0.3, 0.5))
    response = mc.dynamic_response(model.snapshot(model.start), torque_limits=[(-5, 5)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        patient = mc.maximize(response, "x", guarantee="outcome", patience=patience)
    assert patient.value == mc.maximize(response, "x", guarantee="outcome").value


@pytest.mark.parametrize("step", [np.float32(0.5), np.float32(3e38), np.uint64(2**64 - 1)])
def test_steps_of_other_kinds_of_numbers(step):
    pytest.importorskip("control")
    assert mc.interop.control_system("block", step=step).dt == float(step)


def test_the_end_of_an_environment_in_decimals():
    pytest.importorskip("gymnasium")
    from modecontrol.interop import Environment

    for duration, late in ((Decimal("0.01"), True), (Decimal("1E+5000"), False), (Fraction(1), False)):
        environment = Environment("block", duration=duration)
        environment.reset(seed=0)
        assert environment.step(np.zeros(1))[3] is late


@pytest.mark.parametrize(
    "value", [Decimal("NaN"), np.zeros((2, 2)), np.array(["1970-01-01"] * 2, "datetime64[s]"), "2 * m"]
)
def test_settings_of_a_flip_are_shown_whatever_a_parameter_is(value):
    rows = {name: text for name, text, _ in FlipSettings(robot={"mu_toe": value}).rows()}
    assert rows["robot"].startswith("mu_toe = ")


def test_settings_of_a_flip_show_numbers_and_intervals():
    settings = FlipSettings(robot={"stall": 10}, uncertain={"mu_toe": (0.3, 0.9)})
    rows = {name: text for name, text, _ in settings.rows()}
    assert (rows["robot"], rows["uncertain"]) == ("stall = 10", "mu_toe = 0.3 to 0.9")


@pytest.mark.parametrize("q", [[1.0, 3e98, 2.6, -2.1], [1e23, 0.0, 2.6, -2.1]])
def test_mechanisms_that_lie_too_far_away_are_not_drawn(q):
    with pytest.raises(ValueError, match="cannot tell its parts apart"):
        mc.load("two_link").plot(q)


def test_a_controller_is_asked_once_a_step_however_high_its_rate():
    model = mc.load("block")
    asked = []
    often = mc.simulate(model, controller=lambda t, q, v: asked.append(t) or [1.0], duration=0.005, rate=1e99)
    assert len(asked) == len(often) == 5
