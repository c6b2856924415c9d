"""Functions that studies in the tests compute; worker processes import them from here."""

import os
import time
from pathlib import Path

import numpy as np

import modecontrol as mc
from modecontrol.studies import NoAnswerError, parameter_map, with_columns

MU = (0.2, 0.4, 0.8)


def two_link_map():
    """Modes and thrust of the two links over friction and elbow angle."""
    return parameter_map(
        mc.load("two_link"),
        ("mu", MU),
        ("elbow", [0.5, 0.6]),
        objective="p2.normal",
        torque_limits=[(-30, 30)],
    )


def slow_sum(point):
    """The sum of what varies, after a while."""
    time.sleep(0.01)
    return sum(point.values.values())


def noisy(point):
    """A random number that belongs to the point."""
    return point.rng.standard_normal()


def worker(point):
    """Number of the process that works."""
    time.sleep(0.002)
    return os.getpid()


def touchy(point):
    """Fails at one value by mechanics, at another by mistake."""
    if point.values["mu"] == 0.25:
        raise NoAnswerError("a quarter has no answer")
    return 1.0 / (point.values["mu"] - 0.5)


@with_columns({"steep": "truth", "name": "text", "legs": "count"})
def several(point):
    """One column of each type."""
    return {"steep": point.q[2] > 0.5, "name": f"rod {point.index % 2}", "legs": 1}


def kills_once(point):
    """Ends its process without a word when the file that the slope's name asks for is not there yet."""
    if point.index == 5:
        flag = Path(os.environ["MODECONTROL_TEST_FLAG"])
        if not flag.exists():
            flag.touch()
            os.kill(os.getpid(), 9)
    return point.values["mu"]


def kills_always(point):
    """Ends its process at one point."""
    if point.index == 5:
        os.kill(os.getpid(), 9)
    return point.values["mu"]


def upright(model, q):
    """The rod's tip on the floor."""
    q = np.array(q)
    q[1] = model.parameters["l"] / 2 * np.sin(q[2])
    return q
