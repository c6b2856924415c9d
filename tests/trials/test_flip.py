"""The RHex flip: stories, order of the controllers, judgement and report."""

import json
import re
from itertools import pairwise

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.trials import flip as trial
from modecontrol.trials.pumping import pump
from modecontrol.trials.rhex import REACH, RHexObserver


@pytest.fixture(scope="module")
def flips():
    return {(f.mu_toe, f.kind): f for f in trial.compare()}


def test_every_run_flips_without_giving_anything_up(flips):
    for flip in flips.values():
        assert 0.3 < flip.upright < flip.flipped < 1.0
        assert flip.record()["fallbacks"] == []


def test_new_is_sooner_and_predicts_better(flips):
    runs = list(flips.values())
    assert trial.gain(runs, 0.6) > 0.04
    assert trial.gain(runs, 0.39) > 0.01
    for mu in (0.39, 0.6):
        assert flips[mu, "new"].rmse < flips[mu, "blind"].rmse


def test_mode_story_on_linoleum(flips):
    """Rear toe slides right, sticks near 0.30 s, slides right again towards the end; the controller sees it."""
    modes = [mode for _, mode in flips[0.39, "new"].story]
    assert modes[0] == "RFLL"
    assert modes[-2:] == ["RFSS", "RRSS"]
    stuck = next(time for time, mode in flips[0.39, "new"].simulated_story if mode[1:] == "FSS")
    seen = next(time for time, mode in flips[0.39, "new"].story if mode == "RFSS")
    assert abs(stuck - seen) < 0.02


def test_blind_switches_only_when_the_body_halts(flips):
    flip = flips[0.6, "blind"]
    stuck = next(time for time, mode in flip.simulated_story if mode[1:] == "FSS")
    halted = next(time for time, mode in flip.simulated_story if mode == "FFSS")
    assert stuck < halted < flip.controller.switch_times[0] < halted + 0.03


def test_thresholds_prevent_chatter(flips):
    bare = trial.fly("no thresholds", 0.6)
    assert bare.controller.switches > 10 * flips[0.6, "new"].controller.switches
    assert bare.upright > flips[0.6, "new"].upright


def test_torques_stay_within_the_speed_torque_line(flips):
    flip = flips[0.6, "new"]
    model, trajectory = flip.trajectory.model, flip.trajectory
    for i in range(0, len(trajectory.torque), 50):
        limits = model.torque_limits(trajectory.v[i])
        assert np.all(trajectory.torque[i] <= limits[:, 1] + 1e-9)
        assert np.all(trajectory.torque[i] >= limits[:, 0] - 1e-9)


def test_observer_closes_what_reaches():
    model = mc.load("rhex")
    observe = RHexObserver.of(model)
    q = np.array([0.3, 0.2, np.radians(20.0), 0.1, 0.2, 0.3])
    v = np.array([0.2, -0.5, 1.5, 0.0, 0.0, 0.0])
    rigid, velocity, closed = observe(0.0, q, v)
    assert closed.tolist() == [True, True, True, False]     # hips reach leg length at 15 and 28.4 degrees
    snapshot = model.snapshot(rigid, velocity)
    assert np.allclose(snapshot.gap[closed], 0.0, atol=1e-12)
    assert np.allclose(snapshot.velocity[0::2][closed], 0.0, atol=1e-12)
    assert rigid[5] == q[5]
    assert REACH < 1


def test_pumping_gains_on_a_bouncing_ground():
    flip = pump(0.6, attempts=3, stall=8.0, db=100.0, duration=2.2)
    starts = [*flip.controller.thrusts, np.inf]
    assert len(starts) >= 3
    time, pitch = flip.trajectory.time, flip.trajectory.q[:, 2]
    tops = [pitch[(time >= a) & (time < b)].max() for a, b in pairwise(starts[:3])]
    assert tops[1] > tops[0] + np.radians(1.0)


def test_report_is_self_contained(flips, tmp_path):
    from modecontrol.view.report import write_report

    chosen = [flips[0.6, "blind"], flips[0.6, "new"]]
    files = write_report(chosen, tmp_path / "results", film=False)
    page = files[0].read_text(encoding="utf-8")
    assert page.count("data:image/png;base64,") == 4
    assert not re.search("(src|href)=.?http", page)
    records = json.loads((tmp_path / "results" / "flip.json").read_text(encoding="utf-8"))
    assert [r["controller"] for r in records] == ["blind", "new"]
    again = mc.Trajectory.load(tmp_path / "results" / "flip_new_0p6.npz")
    assert np.array_equal(again.q, flips[0.6, "new"].trajectory.q)


def test_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="expected one of new, blind"):
        trial.fly("lazy")
