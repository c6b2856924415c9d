"""Mechanisms with every law, simulated from random starts: letters of smooth steps against the modes of the analysis."""

from __future__ import annotations

import numpy as np

import modecontrol as mc
from modecontrol.dynamics.builder import Builder
from modecontrol.dynamics.joints import planar, prismatic, revolute
from modecontrol.errors import ImpactError


def _leg(**words):
    made = Builder("leg").body(
        "thigh", joint=revolute("hip", friction=0.8, armature=0.05), mass=1, inertia=0.02, com=(0.25, 0)
    )
    knee = revolute("knee", at=(0.5, 0), lower=-1.2, upper=0.4, friction=0.2)
    made.body("shank", joint=knee, mass=0.6, inertia=0.02, com=(0.2, 0))
    return made.input("u", "hip", lower=-8, upper=8).input("w", "knee", lower=-4, upper=4).build()


def _block(**law):
    made = Builder("block").body("block", joint=planar("x", "y", "r"), mass=2, inertia=0.1)
    made.contact("left", "block", point=(-0.3, -0.1), **law).contact(
        "right", "block", point=(0.3, -0.1), **law
    )
    return made.input("u", "x", lower=-30, upper=30).input("w", "y", lower=-20, upper=20).start(y=0.1).build()


def _crane(**words):
    made = Builder("crane").body("trolley", joint=prismatic("s", lower=-1, upper=1, friction=2.0), mass=3)
    made.body("load", joint=planar("x", "y", "r"), parent="world", mass=1, inertia=0.01)
    made.cable("rope", "load", other="trolley", length=1.0)
    return made.input("u", "s", lower=-20, upper=20).input("w", "y", lower=-5, upper=5).start(y=-1.0).build()


def _wheel(**words):
    made = Builder("wheel").body("wheel", joint=planar("x", "y", "r"), mass=2, inertia=0.03)
    made.contact("rim", "wheel", type="disc", radius=0.2, mu=0.3, rolling=0.04)
    return made.input("u", "x", lower=-9, upper=9).input("w", "r", lower=-2, upper=2).start(y=0.2).build()


MECHANISMS = {
    "leg": _leg,
    "static": lambda: _block(mu=0.3, mu_static=0.5),
    "pull": lambda: _block(mu=0.4, pull=5.0),
    "one_way": lambda: _block(mu=0.3, one_way="right"),
    "conveyor": lambda: _block(mu=0.4, speed=0.3),
    "crane": _crane,
    "wheel": _wheel,
}
STILL = 2e-3
"""Contacts that roll or pivot turn within a step: slower ones (m/s, rad/s) count as at rest, and slow sliding is not judged."""


def compare(name: str, rng: np.random.Generator) -> tuple[int, list[str]]:
    """Number of smooth steps looked at, and a sentence for each whose letters the analysis does not name."""
    model = MECHANISMS[name]()
    box = model.torque_limits(np.zeros(len(model.coordinates)))
    torque = rng.uniform(box[:, 0], box[:, 1]) * rng.choice([0.2, 1.0])
    run = mc.simulate(model, controller=torque, duration=0.3, step=1e-3)
    made, bad = 0, []
    for k in rng.choice(np.arange(1, len(run) - 1), size=min(25, len(run) - 2), replace=False):
        if run.impacts[k] or len({run.modes[k - 1], run.modes[k], run.modes[k + 1]}) > 1:
            continue  # not smooth
        snap = model.snapshot(run.q[k], run.v[k])
        try:
            found = mc.dynamic_response(
                snap, velocity_tolerance=STILL, normal_tolerance=1e-6, check_state=1e-5
            ).modes_at(torque)
        except ImpactError:
            continue
        closed = [gap <= 1e-9 or letter == "S" for gap, letter in zip(snap.gap, run.modes[k], strict=True)]
        slow = [
            letter in "LR" and abs(speed) <= STILL
            for letter, speed in zip(run.modes[k], snap.velocity[1::2], strict=True)
        ]
        if any(slow) or not all(closed):
            continue  # a gap within the tolerance of simulation counts as open in the analysis
        made += 1
        # a contact that touches without load and does not leave is recorded as S and named F by the analysis
        rests = [
            letter == "S" and gap <= 1e-9 and abs(speed) <= 1e-9
            for letter, gap, speed in zip(run.modes[k], snap.gap, snap.velocity[0::2], strict=True)
        ]
        same = "".join("F" if still else letter for letter, still in zip(run.modes[k], rests, strict=True))
        if run.modes[k] not in found and same not in found:
            bad.append(f"{name} at step {k}: {run.modes[k]} is not among {found}")
    return made, bad
