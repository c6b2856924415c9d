"""The RHex flip: stories, order of the controllers, judgement and report."""

from itertools import pairwise

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.page.report_html import report_page
from modecontrol.trials.rhex import flip as trial
from modecontrol.trials.rhex.observer import REACH, RHexObserver
from modecontrol.trials.rhex.predictions import Predictions
from modecontrol.trials.rhex.pumping import pump
from modecontrol.trials.rhex.run import Flip
from modecontrol.trials.rhex.sensitivity import RANGES, Sensitivity, cases, changes_of, ranges, sensitivity
from modecontrol.trials.rhex.settings import FlipSettings
from modecontrol.trials.rhex.summary import findings, table
from modecontrol.trials.rhex.switching import switching
from modecontrol.trials.rhex.toe_velocities import lasting, toe_velocities


@pytest.fixture(scope="module")
def flips():
    return {(f.mu_toe, f.kind): f for f in trial.compare()}


def test_every_run_flips_without_giving_anything_up(flips):
    for flip in flips.values():
        assert 0.3 < flip.upright < flip.flipped < 1.0
        assert flip.record()["fallbacks"] == []


def test_what_is_given_up_is_counted_and_listed():
    pressed = trial.fly("new", 0.6, press=30.0)
    words = [
        d.fallback for d in pressed.controller.decisions if d.fallback and d.time <= pressed.thrust_ended[0]
    ]
    assert words
    told = pressed.record()["fallbacks"]
    assert {one["what"]: one["instants"] for one in told} == {word: words.count(word) for word in set(words)}
    page = report_page([pressed], [], [])
    for word, count, first, last in pressed.fallbacks:
        assert first == min(d.time for d in pressed.controller.decisions if d.fallback == word) <= last
        assert f"{word} at {count} instants from {first:.3f} to {last:.3f} s" in page


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
    told = switching(flip)
    assert told.believed == flip.controller.switch_times[0]
    assert (told.stuck, told.halted) == (stuck, halted)
    assert told.late == pytest.approx(told.believed - stuck)
    assert f"{1e3 * told.late:.0f} ms too late" in told.sentence()


def test_on_linoleum_the_blind_controller_is_late_twice(flips):
    """It sees the toe stick too late, and that it slides again not at all."""
    told = switching(flips[0.39, "blind"])
    assert told.late > 0.02
    assert told.again > told.believed
    assert "it does not see" in told.sentence()


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
    assert closed.tolist() == [True, True, True, False]  # hips reach leg length at 15 and 28.4 degrees
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


def test_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="expected one of new, blind"):
        trial.fly("lazy")


# Free parameters
# ------------------------------------------------------------------------------------------------------

CHANGES = {
    "rate": 500.0,
    "press": 8.0,
    "filter_threshold": 10.0,
    "filter_time": 0.01,
    "dead_time": 0.3,
    "thrust_end": 80.0,
    "hold": (1.0, 0.02),
    "delay": 0.004,
    "noise": (1e-3, 1e-2),
    "stall": 12.0,
    "believed": {"m": 9.5},
    "step": 2e-4,
    "v0": (0.001, 0.2, 0.001, 0.001),
}


@pytest.mark.parametrize("name", CHANGES)
def test_every_free_parameter_reaches_the_run(flips, name):
    """Changing it changes the run, and the run says what it was flown with."""
    kind = "blind" if name.startswith(("filter", "dead")) else "new"
    run = trial.fly(kind, 0.6, **{name: CHANGES[name]})
    base = flips[0.6, kind]
    told = run.settings.robot if name == "stall" else run.settings.to_dict()
    assert told[name] == (list(CHANGES[name]) if isinstance(CHANGES[name], tuple) else CHANGES[name])
    same = len(run.trajectory) == len(base.trajectory) and np.array_equal(run.trajectory.q, base.trajectory.q)
    assert not same


def test_the_margin_is_kept(flips):
    run = trial.fly("new", 0.6, margin=0.05)
    assert run.controller.margin == 0.05
    assert run.settings.margin == 0.05


def test_noise_is_repeatable_by_its_seed():
    runs = [trial.fly("new", 0.6, noise=(1e-3, 1e-2), seed=seed, duration=0.2) for seed in (1, 1, 2)]
    assert np.array_equal(runs[0].trajectory.q, runs[1].trajectory.q)
    assert not np.array_equal(runs[0].trajectory.q, runs[2].trajectory.q)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("rate", 0.0, "positive"),
        ("step", -1.0, ">= 0"),
        ("press", "ten", "expected one finite number >= 0"),
        ("v0", (1, 2), "expected 4 numbers"),
        ("hold", 3.0, "expected 2 numbers"),
        ("noise", (np.nan, 0.0), "finite"),
        ("seed", 1.5, "whole number"),
        ("filter_time", -0.1, ">= 0"),
        ("duration", np.inf, "finite"),
        ("leg", 0.2, "leg"),
    ],
)
def test_settings_that_make_no_sense_are_refused(name, value, message):
    with pytest.raises(ValueError, match=message):
        trial.fly("new", 0.6, **{name: value})


def test_settings_survive_json():
    import json

    settings = FlipSettings().with_changes(
        rate=500.0, stall=9.0, v0=(0.1, 0.2, 0.3, 0.4), believed={"m": 8.0}, uncertain={"mu_toe": (0.3, 0.9)}
    )
    assert FlipSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings
    assert {name for name, _, _ in settings.rows()} == set(settings.to_dict())
    with pytest.raises(ValueError, match="expected some of"):
        FlipSettings.from_dict({"speed": 1.0})


# Records
# --------------------------------------------------------------------------------------------------------------


def test_a_saved_flip_is_the_same_flip(flips, tmp_path):
    for flip in flips.values():
        again = Flip.load(flip.save(tmp_path / f"{flip.slug}.npz"))
        assert again.record() == flip.record()
        assert again.controller is None
        for mine, theirs in zip(again.predictions.decisions, flip.controller.decisions, strict=True):
            assert (mine.time, mine.mode, mine.value, mine.fallback, mine.ambiguous) == (
                theirs.time,
                theirs.mode,
                theirs.value,
                theirs.fallback,
                theirs.ambiguous,
            )
            assert np.array_equal(mine.torque, theirs.torque)
            assert (mine.acceleration is None) == (theirs.acceleration is None)
    assert np.array_equal(mc.Trajectory.load(tmp_path / "new_0p6.npz").q, flips[0.6, "new"].trajectory.q)


def test_a_plain_trajectory_is_no_flip(flips, tmp_path):
    path = flips[0.6, "new"].trajectory.save(tmp_path / "plain.npz")
    with pytest.raises(ValueError, match="without predictions"):
        Flip.load(path)


def test_no_predictions_are_predictions_too():
    empty = Predictions.of([], 6, 3, 4)
    assert (len(empty), empty.switches, empty.modes) == (0, 0, [])


def test_a_failed_flip_is_told_as_failed(flips):
    weak = trial.fly("new", 0.6, stall=4.0)
    assert weak.outcome == "failed"
    assert np.isnan(weak.rmse)
    assert np.isnan(weak.upright)
    ended, why = weak.thrust_ended
    top = weak.trajectory.time[np.argmax(weak.trajectory.q[:, 2])]
    assert ended == top
    assert "fell back from" in why
    assert weak.times.max() <= ended  # nothing of the fall is compared
    assert max(time for time, _ in weak.story) <= ended  # nor told
    assert weak.record()["mode_switches"] == len(weak.story) - 1 < weak.predictions.switches
    assert any("did not flip" in line for line in findings([weak]))
    heads, rows = table([weak])
    assert dict(zip(heads, rows[0], strict=True))["RMSE (rad/s²)"] == "-"
    good = flips[0.6, "new"]
    assert good.thrust_ended[1] == "pitch of 88 degrees reached"
    assert np.isnan(trial.gain([weak, flips[0.6, "blind"]], 0.6))


# Figure 12
# ------------------------------------------------------------------------------------------------------------


def test_fixed_toes_are_predicted_to_creep(flips):
    """The rear toe's prediction while it sticks is what the paper took its 0.08 m/s from; the sliding toes
    need none.
    """
    seen = toe_velocities(flips[0.39, "blind"])
    assert 0.03 < seen.thresholds["rear"] < 0.15
    fixed = seen.fixed[:, 1]
    assert np.abs(seen.simulated[fixed, 1]).max() < 1e-3
    moving = ~seen.fixed[:, 0]
    assert (
        np.abs(seen.predicted - seen.simulated)[moving, 0].max() < 0.05
    )  # the body's corner moves as predicted


def test_only_what_lasts_counts():
    flags = np.array([[1, 1, 1, 0, 1, 0, 1, 1]], bool).T
    assert lasting(flags, 1.0, 2.0)[:, 0].tolist() == [True, True, True, False, False, False, True, True]


# Sensitivity
# ------------------------------------------------------------------------------------------------------------


def test_every_range_is_flown_at_both_ends():
    found = cases(draws=3)
    assert len(found) == 1 + 2 * len(RANGES) + 3
    for name, (low, high) in RANGES.items():
        assert [values for word, values in found if word.startswith(f"{name} = ")] == [
            {name: low},
            {name: high},
        ]
        for end in (low, high):
            FlipSettings().with_changes(**changes_of({name: end}))
    drawn = [values for word, values in found if word.startswith("all drawn")]
    assert all(
        RANGES[name][0] <= value <= RANGES[name][1] for values in drawn for name, value in values.items()
    )


def test_one_row_of_the_sensitivity_table_is_two_flips(flips, monkeypatch):
    from modecontrol.trials.rhex import sensitivity as module

    monkeypatch.setattr(module, "cases", lambda draws: [("as documented", {}), ("stall = 4", {"stall": 4.0})])
    plain, weak = sensitivity([0.6])
    assert plain.gain == trial.gain(list(flips.values()), 0.6)
    assert (plain.blind, plain.new) == (flips[0.6, "blind"].rmse, flips[0.6, "new"].rmse)
    assert weak.failed == ("blind", "new")
    assert np.isnan(weak.gain)


def test_ranges_of_the_table():
    rows = [
        Sensitivity("as documented", 0.6, 0.10, 5.0, 4.0, ()),
        Sensitivity("stall = 10", 0.6, 0.25, 6.0, 4.5, ()),
        Sensitivity("stall = 12.5", 0.6, np.nan, np.nan, 3.5, ("blind",)),
    ]
    table_ = {row[0]: row[1:] for row in ranges(rows)}
    assert table_["as documented"] == ("0.6", "10.0", "5.00", "4.00", "0 of 2")
    assert table_["stall 10 to 12.5"] == ("0.6", "10.0 to 25.0", "5.00 to 6.00", "3.50 to 4.50", "1 of 6")
