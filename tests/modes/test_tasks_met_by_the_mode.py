"""A task that a mode meets by itself must not cut its torques down to rounding noise."""

import numpy as np

import modecontrol as mc


def crate():
    model = (
        mc.Builder("crate")
        .body("box", joint=mc.planar("x", "y", "turn"), mass=4.0, inertia=0.2)
        .body(
            "arm",
            parent="box",
            joint=mc.revolute("swing", at=(0.0, 0.3)),
            mass=1.0,
            inertia=0.02,
            com=(0.25, 0.0),
        )
        .input("motor", "swing", lower=-40.0, upper=40.0)
        .contact("left", body="box", point=(-0.3, -0.4), mu=0.6)
        .contact("right", body="box", point=(0.3, -0.4), mu=0.6)
        .start(y=0.4)
        .build()
    )
    return model.snapshot(model.start)


def test_left_foot_held_by_its_letter():
    task = ["left.normal_acceleration == 0", "left.tangent_acceleration == 0"]
    plain = mc.dynamic_response(crate())
    held = mc.dynamic_response(crate(), task=task)
    for demand in ("some", "every"):
        kept = held["FS"].task_torques(demand)
        assert np.isclose(kept.volume, plain["FS"].torques.volume, rtol=1e-9)
    assert held["RS"].task_torques("every").dimension <= 0  # at most the end of sliding, where RS meets FS
    best = mc.maximize(held, "turn", margin=1e-3)
    assert best.mode == "FS"
    assert best.value > 4
