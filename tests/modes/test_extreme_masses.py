"""Masses far apart: decided like others, or refused; judged in exact rationals by z3."""

import sys
from pathlib import Path

import numpy as np
import pytest
from laws_in_motion import MECHANISMS

import modecontrol as mc
from modecontrol.modes.exact_modes import can_happen

sys.path.append(str(Path(__file__).resolve().parents[2] / "campaigns"))
import extreme_friction as campaign

HELD_BY_NOTHING = {
    "mass": [[2, 0, 1, 0], [0, 4, -3, 1], [1, -3, 5, -1], [0, 1, -1, 4]],
    "bias": [-5, -3, 5, 4],
    "jacobian": [[-2, 1, -1, 2], [1, 2, 0, 1]],
    "velocity": [0, 1],
    "friction": [2.0],
}
"""`S` was lost: light coordinates were taken for massless ones with a load."""
FIXED_IN_PLACE = {
    "mass": [[5, 1, 1, -1], [1, 5, 1, -3], [1, 1, 4, -2], [-1, -3, -2, 6]],
    "bias": [-1, 5, -1, -5],
    "jacobian": [[-2, 2, 2, -2], [-1, -1, -2, 0], [-2, -2, -1, 2], [-1, -1, -1, 1]],
    "velocity": [0, 0, 0, 0],
    "friction": [2.0, 0.5],
}
"""`FL` was called `FF`: its accelerations are a millionth of the loads."""
SLOW = {
    "mass": [[3, 1, 1], [1, 4, 1], [1, 1, 4]],
    "bias": [2, -1, 5],
    "jacobian": [[-1, 0, -1], [0, -2, -1], [-1, 1, 0], [-2, 2, 1], [-1, 0, 0], [1, 0, -1]],
    "velocity": [0, 1, 0, 0, 0, 1],
    "friction": [0.5, 0.25, 2.0],
}
"""`RSR` was lost."""
CASES = [(HELD_BY_NOTHING, (9, -9, -10, -6)), (FIXED_IN_PLACE, (-10, 1, -8, 9)), (SLOW, (-1, 7, -10))]


def arrays(given, powers, part):
    """An instant whose coordinates are made heavier and lighter by powers of two."""
    by = 2.0 ** np.round(part * np.array(powers, float))
    n = len(by)
    plain = {name: np.array(value, float) for name, value in given.items()}
    mass = by[:, None] * plain["mass"] * by
    return {**plain, "mass": mass, "actuation": np.eye(n)[:, :1], "drift": np.zeros(len(plain["velocity"]))}


@pytest.mark.parametrize(("given", "powers"), CASES, ids=["S", "FL", "RSR"])
@pytest.mark.parametrize("part", [0.0, 0.2, 0.4, 0.5])
def test_masses_up_to_a_million_apart_agree_with_exact_rationals(given, powers, part):
    s = arrays(given, powers, part)
    limits = [(-campaign.LIMIT, campaign.LIMIT)]
    found = mc.dynamic_response(mc.Snapshot(**s), limits, velocity_tolerance=0).modes
    assert found == campaign.modes_of(s)


@pytest.mark.parametrize(("given", "powers"), CASES, ids=["S", "FL", "RSR"])
def test_masses_further_apart_are_refused_where_modes_depend_on_it(given, powers):
    s = arrays(given, powers, 1.0)
    with pytest.raises(mc.UncheckedError, match=r"a ratio of masses of about .* cannot vouch for") as refused:
        mc.dynamic_response(mc.Snapshot(**s), [(-20.0, 20.0)], velocity_tolerance=0)
    assert np.array_equal(refused.value.data["mass"], s["mass"])


def stacked(light):
    """A point mass on a floor, and another on top of it that may slide."""
    return mc.Snapshot(
        mass=np.diag([1.0, 1.0, light, light]),
        bias=[0.0, 9.81, 0.0, 9.81 * light],
        actuation=np.eye(4)[:, :1],
        jacobian=[[0, 1, 0, 0], [1, 0, 0, 0], [0, -1, 0, 1], [-1, 0, 1, 0]],
        drift=np.zeros(4),
        friction=[0.5, 0.3],
        velocity=np.zeros(4),
    )


@pytest.mark.parametrize("light", [1e-5, 1e-6, 1e-7])
def test_light_masses_that_change_nothing_are_answered(light):
    plain, found = (mc.dynamic_response(stacked(mass), [(-20, 20)]) for mass in (0.1, light))
    assert found.modes == plain.modes
    assert [found.modes_at([x]) for x in (-9, -4, 0, 4, 9)] == [
        plain.modes_at([x]) for x in (-9, -4, 0, 4, 9)
    ]


def test_a_lighter_one_is_refused_where_a_mode_is_lost_and_counts_as_massless_where_its_modes_are_those():
    with pytest.raises(mc.UncheckedError, match="cannot vouch for RR"):
        mc.dynamic_response(stacked(1e-9), [(-20, 20)])
    found, massless = (mc.dynamic_response(stacked(light), [(-20, 20)]) for light in (1e-11, 0.0))
    assert found.modes == massless.modes


def test_rounding_in_a_mass_that_is_zero_is_no_mass():
    assert mc.dynamic_response(stacked(1e-17), [(-20, 20)]).modes


@pytest.mark.parametrize("aside", [0.0, 1e-15, 1e-12, 1e-9, 6e-7, 1e-5, 1e-3])
def test_a_lever_arm_that_is_all_but_zero_says_nothing_of_masses(aside):
    """A load on a rope that pulls it sideways by `aside` of its tension, below a trolley with dry friction."""
    model = MECHANISMS["crane"]()
    found = mc.dynamic_response(model.snapshot({"s": aside, "y": -np.sqrt(1.0 - aside**2)}))
    assert found.modes == ["SFF", "SLF", "SRF"]
    every = ["S" + friction + rope for friction in "FLR" for rope in "FS"]  # the stops are far away
    assert found.modes == [mode for mode in every if can_happen(found.problem.system(mode))]


TOY = """
name = "toy"
[parameters]
light = 1.0
[[body]]
name = "base"
parent = "world"
joint = {type = "prismatic", coordinate = "x"}
mass = 1
[[body]]
name = "tip"
parent = "base"
joint = {type = "prismatic", coordinate = "y", angle = "pi/2"}
mass = "light"
[[input]]
name = "push"
coordinate = "x"
lower = -1
upper = 1
[[contact]]
name = "foot"
body = "tip"
point = [0, 0]
mu = 0.5
"""


@pytest.mark.parametrize(("light", "taken"), [(1.0, True), (1e-5, True), (1e-8, False)])
def test_controllers_take_masses_that_are_not_too_far_apart(tmp_path, light, taken):
    file = tmp_path / "toy.toml"
    file.write_text(TOY)
    model = mc.load(file, light=light)
    if taken:
        assert mc.MaximalThrust(model, "x")(0.0, model.start, np.zeros(2)).shape == (1,)
    else:
        with pytest.raises(ValueError, match=r"a controller takes a ratio of at most 1e\+06"):
            mc.MaximalThrust(model, "x")
