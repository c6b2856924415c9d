"""Modes of contacts with many laws at once, and of bodies on conveyors, against raw linear programs written for the test."""

from __future__ import annotations

import laws_together as together
import numpy as np
import pytest

import modecontrol as mc


@pytest.mark.parametrize("law", together.LAWS)
@pytest.mark.parametrize("seed", range(25))
def test_modes_are_those_of_raw_programs(law, seed):
    rng = np.random.default_rng([seed, together.LAWS.index(law)])
    system = together.random_system(rng, law)
    response = mc.dynamic_response(system.snapshot())
    sure, unsure = system.modes()
    assert sure <= set(response.modes) <= sure | unsure
    for tau in rng.uniform(system.box[:, 0], system.box[:, 1], size=(2, len(system.box))):
        sure, unsure = system.modes(tau)
        assert sure <= set(response.modes_at(tau)) <= sure | unsure


def box_on_two_belts(speeds):
    """A box with two corners on walls at an angle, which move."""
    made = mc.Builder("box").body("box", joint=mc.planar("x", "y", "r"), mass=1, inertia=0.1)
    for name, point, tilt, speed in zip("ab", ((-0.3, -0.1), (0.3, -0.1)), (-0.5, 0.7), speeds, strict=True):
        made.contact(name, "box", point=point, wall={"origin": point, "tilt": tilt}, mu=0.5, speed=speed)
    return made.build()


@pytest.mark.parametrize("noise", [0.0, 1e-12, 1e-7])
def test_corners_that_their_belts_carry_apart_cannot_both_stick(noise):
    """Both corners move with their belts while the box turns: their accelerations contradict each other."""
    model = box_on_two_belts((0.0, 0.0))
    rows = model.snapshot([0, 0, 0]).jacobian
    v = np.linalg.svd(rows[0::2])[2][-1]  # keeps both corners on their walls
    model = box_on_two_belts(rows[1::2] @ v)
    snap = model.snapshot([0, 0, 0], v + noise * np.array([1.0, -0.5, 0.3]))
    found = mc.dynamic_response(snap, velocity_tolerance=1e-5, check_state=False).modes
    assert abs(v[2]) > 0.1
    assert "FF" not in found
    assert found
