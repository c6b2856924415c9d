"""Steep and flat cones of friction: decided like others, or refused; judged in exact rationals by z3."""

import sys
from pathlib import Path

import numpy as np
import pytest

import modecontrol as mc
from modecontrol._core import modes as core

sys.path.append(str(Path(__file__).resolve().parents[2] / "campaigns"))
import extreme_friction as campaign

ALWAYS = {"FFF", "FFS", "LRL", "SFF", "SSL", "SSS"}


def two_links(mu):
    return mc.Snapshot(**campaign.two_links(), friction=np.full(3, mu))


def modes_of(snapshot):
    limits = [(-10.0, 10.0)] * snapshot.actuation.shape[1]
    return mc.dynamic_response(snapshot, limits).modes


@pytest.mark.parametrize("mu", [10.0, 100.0, 1e3])
def test_a_mode_along_the_edges_of_steep_cones_is_found(mu):
    assert set(modes_of(two_links(mu))) == ALWAYS | {"SRL"}


@pytest.mark.parametrize("mu", [1e4, 1e6, 1e9, 1e12, 1e15, 1e100])
def test_two_links_with_steeper_cones_are_refused(mu):
    with pytest.raises(mc.UncheckedError, match="friction of contact") as refused:
        modes_of(two_links(mu))
    assert refused.value.data["friction"].tolist() == [mu] * 3


@pytest.mark.parametrize("mu", [0.0, 1e-7, 1e-4])
def test_flat_cones_have_the_modes_of_no_friction_that_do_not_need_it(mu):
    assert modes_of(two_links(mu)) == ["LRL", "SSS"]


def test_flatter_cones_are_refused_and_none_is_not():
    with pytest.raises(mc.UncheckedError, match=r"expected 0, or from 1e-07 to 1e\+06"):
        modes_of(two_links(1e-12))


@pytest.mark.parametrize("mu", [1e-6, 1e2, 1e4, 1e6])
def test_instants_of_whole_numbers_agree_with_exact_rationals(mu):
    judge = campaign.Judge()
    for seed in range(4):
        rng = np.random.default_rng([31, seed])
        s = campaign.whole_numbers(rng)
        s["friction"] = np.full(len(s["drift"]) // 2, mu)
        campaign.one_instant(s, round(np.log10(mu)), rng, judge, str(seed))
    assert judge.wrong == []
    assert sum(count for key, count in judge.counts.items() if key[2] == "same") >= 12


LARGE_FORCES = {
    "mass": [[4, 0, -2], [0, 3, 0], [-2, 0, 4]],
    "bias": [-5, 3, 4],
    "jacobian": [[2, 2, 2], [-2, 0, 0], [-1, 2, 2], [2, 0, 1], [2, 0, 2], [1, -2, -2]],
    "velocity": [0, 1, 0, 1, 0, 0],
}
"""`RSL` needs forces that grow with the coefficient."""
SMALL_ACCELERATIONS = {
    "mass": [[4, 1, -2, 2], [1, 2, 0, 1], [-2, 0, 4, 0], [2, 1, 0, 4]],
    "bias": [0, 5, 0, -5],
    "jacobian": [
        [1, 0, -2, 2],
        [0, 2, 0, -2],
        [2, 1, 2, 2],
        [-2, 0, 0, -2],
        [-1, 0, 0, 2],
        [2, 2, -1, -1],
    ],
    "velocity": [0, 0, 0, 0, 0, 0],
}
"""The accelerations of `LSR` fall with the square of the coefficient."""


@pytest.mark.parametrize(
    ("arrays", "limits", "lost", "mu"),
    [(LARGE_FORCES, None, "RSL", 1e6), (SMALL_ACCELERATIONS, [(-20.0, 20.0)], "LSR", 1e4)],
)
def test_what_rounding_loses_is_refused(arrays, limits, lost, mu):
    n = len(arrays["bias"])

    def respond(mu):
        snapshot = mc.Snapshot(
            **arrays, actuation=np.eye(n)[:, :1], drift=np.zeros(6), friction=np.full(3, mu)
        )
        return mc.dynamic_response(snapshot, limits, velocity_tolerance=0)

    assert lost in respond(100.0).modes
    with pytest.raises(mc.UncheckedError, match=f"cannot vouch for .*{lost}"):
        respond(mu)


def test_many_instants_and_intervals_are_refused_alike():
    with pytest.raises(mc.UncheckedError, match=r"1e\+08"):
        list(mc.dynamic_responses([two_links(1e8)]))
    model = mc.load("two_link").uncertain(mu=(0.5, 1e8))
    with pytest.raises(mc.UncheckedError, match=r"1e\+08"):
        mc.dynamic_response(model.snapshot(model.start))
    model = mc.load("two_link").uncertain(mu=(1e-9, 0.5))
    with pytest.raises(mc.UncheckedError, match="1e-09"):
        mc.dynamic_response(model.snapshot(model.start))


def test_friction_of_an_open_contact_is_not_asked_for():
    model = mc.load("block", mu=1e12)
    q = np.add(model.start, [0.0, 1.0, 0.0])
    assert mc.dynamic_response(model.snapshot(q)).modes == ["SS"]


@pytest.mark.parametrize("mu", [1e3, 1e-5])
def test_controllers_take_moderate_friction_only(mu):
    with pytest.raises(ValueError, match=r"a controller takes 0, or from 0\.0001 to 100"):
        mc.MaximalThrust(mc.load("two_link", mu=mu), "theta")
    with pytest.raises(ValueError, match="a controller takes"):
        mc.MaximalThrust(mc.load("two_link", mu=0.5).uncertain(mu=(min(mu, 0.5), max(mu, 0.5))), "theta")


@pytest.mark.parametrize("mu", [0.0, 0.5, 1.0, 2.0, 1e3, 1e9])
def test_rows_of_a_law_have_coefficients_up_to_one_and_the_right_rays(mu):
    pull = 0.25
    law = (0, 0.0, pull, 0, -np.inf, np.inf, -1)
    for letter, rows in core.cells(mu, mu, core.AT_REST, law):
        for row in rows:
            assert np.abs([*row[0], *row[1]]).max() <= 1.0
        for way in (-1, 1):
            inside = np.array([3.0 - pull, -way * mu * 3.0]) / max(mu, 1.0)
            force = [row for row in rows if any(row[1])]
            values = [np.dot(row[1], inside) + row[2] / max(mu, 1.0) for row in force]
            fits = all(
                abs(x) < 1e-12 if row[3] else x >= -1e-12 for x, row in zip(values, force, strict=True)
            )
            assert fits == (
                letter == "F" or letter == ("R" if way > 0 else "L") or (letter in "LR" and mu == 0)
            )
