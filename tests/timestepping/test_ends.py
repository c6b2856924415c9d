"""How runs end: Ctrl-C, overflow, records that are too long, thin records. Every finished step is kept."""

import os
import signal
import threading
from itertools import pairwise

import numpy as np
import pytest
from scenes import OPTIONS, ball, hanging_chain

import modecontrol as mc
from modecontrol.timestepping import settings, simulate
from modecontrol.timestepping.engine import Engine

WAYS = [
    {"dynamics": "aba"},
    {"dynamics": "dca"},
    {"dynamics": "dense"},
    {"formulation": "nmc/os"},
    {"formulation": "mc"},
    {"formulation": "nmc"},
    {"formulation": "rmc"},
    {"integrator": "rk4"},
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: next(iter(way.values())))
def test_interrupt_is_answered_soon_and_keeps_every_finished_step(way, monkeypatch):
    """The signal comes while the core steps; few steps later the run is over, and what it has is what it
    would have had.
    """
    engines, seen = [], []
    make = Engine.__init__
    monkeypatch.setattr(
        Engine,
        "__init__",
        lambda self, *args, **options: engines.append(self) or make(self, *args, **options),
    )
    model = hanging_chain(40)

    def interrupt():
        while not engines or engines[0].record.steps < 3:
            pass
        seen.append(engines[0].record.steps)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    run = simulate(model, np.full(40, 0.02), duration=1e4, record_every=10, **way)
    thread.join()
    assert run.status == f"interrupted at t = {run.time[-1]:.9g} s"
    steps = round(run.time[-1] / run.step)
    assert steps >= seen[0]
    assert steps - seen[0] < 0.01 * 1e7
    again = simulate(model, np.full(40, 0.02), duration=min(steps, 300) * 1e-3, **way)
    rows = run.time <= again.time[-1]
    np.testing.assert_array_equal(run.q[rows], again.q[np.rint(run.time[rows] / 1e-3).astype(int)])


@pytest.mark.parametrize("formulation", ["os", "nmc/os", "mc", "nmc", "rmc"])
def test_overflow_keeps_the_trajectory_in_every_formulation(formulation):
    """A double pendulum at a hundred turns a second in steps of a tenth of a second."""
    builder = mc.Builder("double").body("a", joint=mc.revolute("q1"), mass=1, inertia=0.01, com=(0.5, 0))
    builder = builder.body("b", joint=mc.revolute("q2", at=(1, 0)), mass=1, inertia=0.01, com=(0.5, 0))
    model = builder.contact("c", "b", wall={"origin": (0, -1e9), "tilt": 0}).build()
    run = simulate(model, [0.3, 0.4], [100, -300], duration=50, step=0.1, formulation=formulation)
    assert run.status.startswith("stopped at t = ")
    assert "try a smaller step" in run.status
    assert np.isfinite(run.q).all()
    builder = mc.Builder("pushed", gravity=(0, 0)).body("a", joint=mc.prismatic("x"), mass=1e-5, inertia=1)
    pushed = builder.input("push", "x").build()
    run = simulate(pushed, [0.0], [1.0], controller=lambda t, q, v: v, duration=1.0, formulation=formulation)
    assert run.status.startswith("stopped at t = ")
    assert len(run) > 50
    assert np.isfinite(run.q).all()
    assert np.isfinite(run.v).all()
    assert run.v.max() > 1e100


def test_half_a_step_or_less_is_refused():
    with pytest.raises(ValueError, match=r"duration is 0.0004 s, no more than half a step of 0.001 s"):
        simulate(ball(), [0, 1, 0], duration=4e-4, step=1e-3)
    with pytest.raises(ValueError, match=r"duration is 0.0005 s, no more than half a step of 0.001 s"):
        simulate(ball(), [0, 1, 0], duration=5e-4, step=1e-3)
    assert len(simulate(ball(), [0, 1, 0], duration=6e-4, step=1e-3)) == 1


def test_record_beyond_the_memory_says_what_to_do():
    with pytest.raises(
        ValueError, match=r"1e\+12 steps of 0.001 s make a record of about .* GB.*record_every=\d+"
    ):
        simulate(ball(), [0, 1, 0], duration=1e9)
    for wrong in (0, -1, 1.5, True, "2"):
        with pytest.raises(ValueError, match="record_every is"):
            simulate(ball(), [0, 1, 0], duration=0.1, record_every=wrong)


def test_suggested_record_fits(monkeypatch):
    monkeypatch.setattr(settings, "memory_of_machine", lambda: 1e6)
    with pytest.raises(ValueError, match="record_every=") as refused:
        simulate(ball(), [0, 1, 0], duration=100.0)
    enough = int(str(refused.value).split("record_every=")[1].split()[0])
    run = simulate(ball(), [0, 1, 0], duration=100.0, record_every=enough, stop=lambda t, q, v: t > 0.1)
    assert "as asked" in run.status


def test_thin_records_hold_sums_means_and_the_same_states():
    for model, controller, duration in (
        (mc.load("pendulum", n=3, collide=1), None, 1.203),
        (mc.load("block", slope=0.1), lambda t, q, v: [np.sin(40 * t)], 0.203),
    ):
        full = simulate(model, controller=controller, duration=duration)
        thin = simulate(model, controller=controller, duration=duration, record_every=10)
        rows = np.append(np.arange(0, len(full), 10), len(full))
        np.testing.assert_array_equal(thin.q, full.q[rows])
        np.testing.assert_array_equal(thin.v, full.v[rows])
        np.testing.assert_allclose(thin.time, full.time[rows], rtol=1e-15)
        np.testing.assert_allclose(thin.impulse, np.add.reduceat(full.impulse, rows[:-1]), atol=1e-13)
        np.testing.assert_allclose(
            thin.torque, [full.torque[a:b].mean(axis=0) for a, b in pairwise(rows)], atol=1e-15
        )
        np.testing.assert_array_equal(thin.impacts, np.add.reduceat(full.impacts, rows[:-1]))
        np.testing.assert_array_equal(thin.residual, np.maximum.reduceat(full.residual, rows[:-1]))
        assert thin.modes == [full.modes[i - 1] for i in rows[1:]]
        momentum = np.add.reduceat(full.force * full.step, rows[:-1])
        np.testing.assert_allclose(thin.force * np.diff(thin.time)[:, None], momentum, atol=1e-12)
        assert thin.header["settings"]["record_every"] == 10


def test_contacts_that_never_touch_cost_nothing_in_the_record(tmp_path):
    model = mc.load("pendulum", n=12, collide=1)
    run = simulate(model, duration=3.0)
    kept = run.contact_impulses
    assert len(kept.contact) < 0.1 * run.impulse.size / 2
    assert (np.diff(kept.start) == (run.impulse.reshape(len(run), -1, 2) != 0).any(axis=2).sum(axis=1)).all()
    again = mc.Trajectory.load(run.save(tmp_path / "run"))
    np.testing.assert_array_equal(again.impulse, run.impulse)


def test_pin_that_repeats_a_hinge_carries_nothing_absurd():
    """The same pin as the hinge: the motion of the double pendulum, and forces no larger than its weights and
    turns give.
    """

    def arm(pinned, turned=0.0):
        builder = mc.Builder("arm").body(
            "a", joint=mc.revolute("q1", angle=turned), mass=1, inertia=0.1, com=(0.5, 0)
        )
        builder = builder.body("b", joint=mc.revolute("q2", at=(1, 0)), mass=1, inertia=0.1, com=(0.5, 0))
        return (builder.pin("again", "b", (0, 0), "a", (1, 0)) if pinned else builder).build()

    for turned in (0.0, 0.7):
        free = simulate(arm(False, turned), [0.3, 0.4])
        for way in WAYS:
            run = simulate(arm(True, turned), [0.3, 0.4], duration=0.2, **way)
            same = simulate(arm(False, turned), [0.3, 0.4], duration=0.2, **way)
            assert np.abs(run.loop_impulse).max() / 1e-3 < 100
            np.testing.assert_allclose(run.q, same.q, atol=1e-9)
        run = simulate(arm(True, turned), [0.3, 0.4])
        np.testing.assert_allclose(run.q, free.q, atol=1e-9)


def test_core_comes_back_when_its_time_is_over():
    from modecontrol._core import timestepping as core

    model = hanging_chain(5)
    choices = settings.choose(model, 1e-3, formulation="os", **OPTIONS)
    engine = Engine(model, choices, np.zeros(5), np.zeros(5), every=10**6)
    status = engine.stepper.advance(10**12, np.zeros(5), np.zeros(0), engine.record, 0.01)
    assert status == core.PAUSED
    assert engine.record.steps > 0
