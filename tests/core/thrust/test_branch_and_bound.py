"""Branch and bound, which lists no modes, against `maximize` over the complete response."""

import numpy as np
import pytest
import reference

import modecontrol as mc
from modecontrol._core import layout
from modecontrol.modes.letters import spell, touch
from modecontrol.thrust.by_pieces import by_pieces
from modecontrol.thrust.objective import Objective
from modecontrol.thrust.prepared_rows import PreparedThrust
from modecontrol.trials.rhex.observer import RHexObserver


def against_maximize(snap, objective, task=()):
    prepared = PreparedThrust(objective, (), task, snap)
    quick = prepared.best(snap, touch(snap))
    response = mc.dynamic_response(snap, task=task)
    if quick.status == layout.SURE:
        slow = mc.maximize(response, objective)
        assert slow.value == pytest.approx(quick.best.value, rel=3e-6, abs=3e-6)
        assert response[spell(quick.best.letters)].torques.contains(quick.best.tau)
    elif quick.status == layout.UNLIMITED_GOAL:
        assert mc.maximize(response, objective, guarantee="none").value == np.inf
    elif quick.status == layout.NOTHING:
        assert by_pieces(response, Objective.of(objective, snap), 0.0, "unambiguous", None).value == -np.inf
    return quick.status


def test_equals_maximize_on_random_systems():
    seen = {layout.SURE: 0, layout.NOTHING: 0, layout.UNLIMITED_GOAL: 0, layout.UNSETTLED: 0}
    for seed in range(60):
        rng = np.random.default_rng(500 + seed)
        s = reference.random_system(rng)
        limits = [(-20.0, 20.0)] * s["actuation"].shape[1]
        objective = rng.normal(size=len(s["bias"]))
        if seed % 6 == 0:
            limits = [(-np.inf, np.inf)] * len(limits)
        task = "c1.normal >= 5" if seed % 3 == 0 else ()
        seen[against_maximize(mc.Snapshot(**s, torque_limits=limits), objective, task)] += 1
    assert seen[layout.SURE] >= 15
    assert seen[layout.NOTHING] >= 1
    assert seen[layout.UNLIMITED_GOAL] >= 1


def test_equals_maximize_on_rhex():
    model = mc.load("rhex", mu_toe=0.6)
    observe = RHexObserver.of(model)
    sure = 0
    for pitch, speed in [(0, 0), (4, 0), (8, 0), (14, 0), (20, 0), (25, 0), (40, 0), (60, 0), (80, 0)]:
        q = np.array([0, 0, np.radians(pitch), -0.5, -0.5, -0.5])
        q, v, _ = observe(0.0, q, np.array([0, 0, speed, 0, 0, 0.0]))
        sure += against_maximize(model.snapshot(q, v), "alpha", "body.normal >= 10") == layout.SURE
    assert sure >= 6
