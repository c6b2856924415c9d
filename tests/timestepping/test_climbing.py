"""A walker climbs a step in simulation: the robot on stairs with the controller of the example."""

import runpy
from pathlib import Path

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "14_climb_a_step.py"


@pytest.fixture(scope="module")
def climbed():
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    try:
        return runpy.run_path(str(EXAMPLE))
    finally:
        plt.close("all")


def test_a_walker_climbs_a_step_and_stands(climbed):
    model, run = climbed["model"], climbed["run"]
    run_of_tread, rise, radius = (model.parameters[key] for key in ("run", "rise", "r"))
    assert run.status == "completed"
    feet = {name: run.q[:, :2] + along(run.q, hip) for name, hip in (("left", 3), ("right", 5))}
    assert feet["left"][0] == pytest.approx([-0.5 * run_of_tread, radius], abs=1e-9)
    assert feet["left"][-1, 1] == pytest.approx(2 * rise + radius, abs=1e-6)  # on the third tread
    assert run_of_tread + radius < feet["left"][-1, 0] < 2 * run_of_tread - radius
    assert feet["right"][-1, 1] == pytest.approx(rise + radius, abs=1e-6)  # where it stood
    assert run.q[-1, 1] - run.q[0, 1] == pytest.approx(rise, abs=1e-3)
    assert abs(run.q[-1, 2]) < 1e-6
    assert np.abs(run.v[-1]).max() < 0.06
    assert run.modes[-1] == "FSFS"


def test_its_feet_push_only_inside_their_cones_and_nothing_sinks_in(climbed):
    model, run = climbed["model"], climbed["run"]
    normal, tangent = run.force[:, 0::2], run.force[:, 1::2]
    assert normal.min() >= 0.0
    assert np.all(np.abs(tangent) <= model.parameters["mu"] * normal + 1e-9)
    assert min(model.snapshot(q).gap.min() for q in run.q[::5]) > -1e-6
    swing = (run.time > 0.35) & (run.time < 0.72)
    assert set(np.array(run.modes)[swing[: len(run.modes)]]) == {"SSFS"}  # one foot alone carries it


def test_the_motors_pay_for_the_height_and_for_the_landing(climbed):
    """What is lost is the blow of the landing and what slides; nothing is won."""
    work, energy = climbed["work"], climbed["energy"]
    assert energy[-1] - energy[0] == pytest.approx(
        10.0 * 9.81 * 0.17, abs=0.7
    )  # and one leg that hangs higher
    assert 0.0 < work - (energy[-1] - energy[0]) < 1.0


def test_it_falls_without_the_controller(climbed):
    import modecontrol as mc

    run = mc.simulate(climbed["model"], duration=0.6)
    assert run.q[-1, 1] < 0.3


def along(q, hip):
    """From the hips to the centre of a foot."""
    angle = q[:, 2] + q[:, hip] - np.pi / 2
    return q[:, [hip + 1]] * np.column_stack([np.cos(angle), np.sin(angle)])
