"""Controller, hold and stepper in the core: the same run, to the last bit, as the loop in Python."""

import copy
import importlib
import signal
import threading
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import modecontrol as mc
from modecontrol.thrust.compiled import plan_of
from modecontrol.thrust.feedback import Damping, Passes
from modecontrol.trials.rhex.flip import controller_of, fly, settled_start
from modecontrol.trials.rhex.observer import RHexObserver
from modecontrol.trials.rhex.settings import FlipSettings

simulation = importlib.import_module("modecontrol.timestepping.simulate")
COLUMNS = ("time", "q", "v", "torque", "letters", "residual", "method_code", "lcp_size", "impacts", "impulse")


@pytest.fixture
def in_python(monkeypatch):
    """Run a function with the core's loop switched off."""

    def run(function):
        with monkeypatch.context() as patch:
            patch.setattr(simulation, "closed_loop", lambda *_: None)
            return function()

    return run


def same_decisions(a, b):
    assert len(a) == len(b)
    for one, other in zip(a, b, strict=True):
        assert (one.time, one.mode, one.value, one.fallback, one.ambiguous) == (
            other.time,
            other.mode,
            other.value,
            other.fallback,
            other.ambiguous,
        )
        assert one.torque.tobytes() == other.torque.tobytes()
        assert (one.acceleration is None) == (other.acceleration is None)
        if one.acceleration is not None:
            assert one.acceleration.tobytes() == other.acceleration.tobytes()


def same_run(a, b):
    assert a.status == b.status
    for name in COLUMNS:
        one, other = getattr(a, name), getattr(b, name)
        assert one.shape == other.shape, name
        assert one.tobytes() == other.tobytes(), name


def memory(controller):
    names = ("_over", "_held", "stage", "_filtered", "_last", "switch_times")
    return {name: getattr(controller, name) for name in names if hasattr(controller, name)}


def spied(monkeypatch):
    """How many runs went through the core."""
    made, real = [], simulation.closed_loop

    def watch(*arguments):
        found = real(*arguments)
        made.append(found is not None)
        return found

    monkeypatch.setattr(simulation, "closed_loop", watch)
    return made


@pytest.mark.parametrize(
    ("kind", "mu", "changes"),
    [
        ("new", 0.6, {}),
        ("blind", 0.6, {}),
        ("no thresholds", 0.39, {"rate": 333.0}),
        ("new", 0.39, {"noise": (1e-3, 2e-2), "delay": 5e-3, "seed": 4}),
        ("blind", 0.39, {"noise": (1e-3, 2e-2), "filter_threshold": 5.0}),
        ("new", 0.5, {"margin": 1e-3, "stall": 8.0, "duration": 0.3}),
        ("new", 0.6, {"press": 1e4, "duration": 0.1}),
        ("new", 0.6, {"believed": {"mu_toe": 0.75}, "delay": 2.5e-4, "duration": 0.4}),
    ],
)
def test_flips_are_those_of_the_python_loop(kind, mu, changes, in_python, monkeypatch):
    slow = in_python(lambda: fly(kind, mu, **changes))
    made = spied(monkeypatch)
    quick = fly(kind, mu, **changes)
    assert made[-1]
    same_run(slow.trajectory, quick.trajectory)
    same_decisions(slow.controller.decisions, quick.controller.decisions)
    assert memory(slow.controller) == memory(quick.controller)
    if changes.get("press") == 1e4:
        assert {d.fallback for d in quick.controller.decisions} & {"task dropped"}


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    slope=st.floats(0.05, 0.6),
    mu=st.just(0.0) | st.floats(1e-4, 1.0),
    rate=st.sampled_from([None, 1000.0, 130.0, 37.0]),
    delay=st.sampled_from([0.0, 3e-4, 0.02]),
    clip=st.booleans(),
    noise=st.sampled_from([None, 1e-4, (1e-5, 1e-3)]),
    stop=st.booleans(),
)
def test_any_schedule_on_a_model_that_is_its_own_prediction(
    slope, mu, rate, delay, clip, noise, stop, in_python
):
    model = mc.load("two_link", mu=mu)
    q, v = model.settle(model.start)
    end = Passes(0, float(q[0]) + slope / 10)

    def run(controller):
        rng = np.random.default_rng(7)
        made = mc.simulate(
            model,
            q,
            v,
            controller=controller,
            duration=0.06,
            step=5e-4,
            rate=rate,
            delay=delay,
            clip=clip,
            noise=noise,
            rng=rng if noise is not None else None,
            stop=Passes(0, float(q[0]) + slope / 5) if stop else None,
            record_every=3,
        )
        return made, rng.standard_normal()

    first = mc.MaximalThrust(
        model, model.coordinates[-1], end=end, rest=[0.25] * len(model.inputs), lifted=(1.0, 0.1)
    )
    second = copy.deepcopy(first)
    assert plan_of(first) is not None
    slow, fast = in_python(lambda: run(first)), run(second)
    same_run(slow[0], fast[0])
    same_decisions(first.decisions, second.decisions)
    assert memory(first) == memory(second)
    assert slow[1] == fast[1]  # the generator has been used as far


def test_a_controller_goes_on_where_it_was(in_python):
    """Two runs with one controller: the second starts with what the first left, in both loops."""
    start = settled_start((("mu_toe", 0.6),), 1e-4)
    model = mc.load("rhex_compliant", mu_toe=0.6)

    def both(controller):
        runs = []
        for _ in range(2):
            runs.append(
                mc.simulate(
                    model, *start, controller=controller, duration=0.09, step=1e-4, rate=1e3, clip=True
                )
            )
        return runs, controller

    made = [controller_of("blind", 0.6, FlipSettings(dead_time=0.0, filter_threshold=1.0)) for _ in range(2)]
    slow, fast = in_python(lambda: both(made[0])), both(made[1])
    for a, b in zip(slow[0], fast[0], strict=True):
        same_run(a, b)
    same_decisions(slow[1].decisions, fast[1].decisions)
    assert fast[1].switch_times
    assert memory(slow[1]) == memory(fast[1])


def test_what_the_core_does_not_know_runs_in_python(monkeypatch):
    model = mc.load("two_link")
    name = model.coordinates[-1]

    class Mine(mc.MaximalThrust):
        def choose(self, t, instant):
            return super().choose(t, instant)

    contact = model.contacts[0]
    patched = mc.MaximalThrust(model, name)
    patched.decide = lambda t, q, v: mc.MaximalThrust.decide(patched, t, q, v)
    unknown = [
        Mine(model, name),
        patched,
        mc.MaximalThrust(model, name, observe=lambda t, q, v: (q, v)),
        mc.MaximalThrust(model, name, end=lambda t, q, v: False),
        mc.MaximalThrust(model, name, rest=lambda t, q, v: [0.0] * len(model.inputs)),
        mc.MaximalThrust(model, name, rest=Damping(0.1, 0, len(model.inputs) + 1)),
        mc.MaximalThrust(model, name, task=f"{contact}.normal_acceleration >= 0"),
        mc.BlindThrust(model, name, modes=("FFF",), measure=lambda t, q, v: 0.0),
        mc.MaximalThrust(model.uncertain(mu=(0.3, 0.5)), name),
        mc.MaximalThrust(model, name, guarantee="outcome"),
        lambda t, q, v: [0.0] * len(model.inputs),
    ]
    made = spied(monkeypatch)
    for controller in unknown:
        assert plan_of(controller) is None
        mc.simulate(model, controller=controller, duration=2e-3)
    known = mc.MaximalThrust(model, name)
    mc.simulate(model, controller=known, duration=2e-3, callback=lambda t, q, v: None)
    mc.simulate(model, controller=known, duration=2e-3, stop=lambda t, q, v: False)
    noise = {"noise": lambda rng, q, v: (q, v), "rng": np.random.default_rng(0)}
    mc.simulate(model, controller=known, duration=2e-3, **noise)
    assert not any(made)
    mc.simulate(
        model, controller=known, duration=2e-3, formulation="nmc"
    )  # its contact problems are Python's
    assert made[-1]


def test_formulations_that_ask_python_for_every_step_agree_too(in_python):
    model = mc.load("two_link", mu=0.4)
    first = mc.MaximalThrust(model, model.coordinates[-1])
    second = copy.deepcopy(first)
    options = {"duration": 0.02, "step": 1e-3, "rate": 300.0, "formulation": "nmc"}
    slow = in_python(lambda: mc.simulate(model, controller=first, **options))
    same_run(slow, mc.simulate(model, controller=second, **options))
    same_decisions(first.decisions, second.decisions)


def test_ambiguity_is_ignored_in_the_same_way(in_python):
    model = mc.load("two_link", mu=1.0)
    first = mc.MaximalThrust(model, model.coordinates[-1], guarantee="none")
    second = copy.deepcopy(first)
    assert plan_of(first) is not None
    slow = in_python(lambda: mc.simulate(model, controller=first, duration=0.02, rate=500.0))
    same_run(slow, mc.simulate(model, controller=second, duration=0.02, rate=500.0))
    same_decisions(first.decisions, second.decisions)


def test_the_observer_is_the_same_in_core_and_python():
    """Decisions of a controller that only observes: through every pitch, with legs in reach and out of it."""
    from modecontrol._core import closed_loop

    model = mc.load("rhex")
    controller = mc.MaximalThrust(model, "alpha", task="body.normal >= 100", observe=RHexObserver.of(model))
    rng = np.random.default_rng(2)
    q, v = rng.uniform(-2, 2, (300, 6)), rng.uniform(-5, 5, (300, 6))
    torque, value, letters, fallback = closed_loop.ask_everywhere(plan_of(controller), q, v, 2)
    for i in range(len(q)):
        controller.reset()
        made = controller.decide(0.0, q[i], v[i])
        assert made.torque.tobytes() == torque[i].tobytes()
        assert made.value == value[i]
        assert (made.mode or "\0\0\0\0").encode() == letters[i].tobytes()
    assert len(set(fallback.tolist())) > 1


def test_many_runs_on_threads_are_the_same_runs():
    start = settled_start((("mu_toe", 0.6),), 1e-4)
    model = mc.load("rhex_compliant", mu_toe=0.6)
    common = {
        "model": model,
        "q0": start[0],
        "v0": start[1],
        "duration": 0.05,
        "step": 1e-4,
        "rate": 1e3,
        "clip": True,
    }

    def runs():
        return [{"controller": controller_of("new", 0.6, FlipSettings(press=p))} for p in (5.0, 10.0, 20.0)]

    alone, together = (
        mc.simulate_many(runs(), threads=1, **common),
        mc.simulate_many(runs(), threads=3, **common),
    )
    for a, b in zip(alone, together, strict=True):
        same_run(a, b)
    assert alone[0].q.tobytes() != alone[2].q.tobytes()


def test_bad_batches_are_refused_in_one_line():
    model = mc.load("block")
    shared = lambda t, q, v: ()  # noqa: E731
    with pytest.raises(ValueError, match="threads is 0; expected a whole number"):
        mc.simulate_many([], threads=0)
    with pytest.raises(ValueError, match="run 0 has no model"):
        mc.simulate_many([{}])
    with pytest.raises(ValueError, match="runs 0 and 1 share one controller"):
        mc.simulate_many([{"model": model, "controller": shared}] * 2)
    with pytest.raises(ValueError, match="duration") as caught:
        mc.simulate_many([{"model": model}, {"model": model, "duration": -1.0}], threads=2)
    assert caught.value.__notes__ == ["in run 1 of simulate_many"]
    assert mc.simulate_many([]) == []


def test_ctrl_c_ends_a_long_run_and_keeps_what_was_done():
    model = mc.load("rhex_compliant", mu_toe=0.6)
    start = settled_start((("mu_toe", 0.6),), 1e-4)
    controller = controller_of("new", 0.6, FlipSettings(robot={"stall": 1.0}, thrust_end=180.0))
    here = threading.get_ident()
    threading.Timer(0.3, lambda: signal.pthread_kill(here, signal.SIGINT)).start()
    began = time.monotonic()
    run = mc.simulate(
        model, *start, controller=controller, duration=500.0, step=1e-4, rate=1e3, record_every=10
    )
    assert time.monotonic() - began < 60
    assert run.status.startswith("interrupted")
    assert len(controller.decisions) >= len(run) - 2 > 10


def test_inputs_that_are_not_finite_are_an_error():
    model = mc.load("rhex")
    controller = mc.MaximalThrust(model, "alpha", end=Passes(2, -10.0), rest=[0.0, 0.0, 0.0])
    controller.rest = np.array([np.inf, 0.0, 0.0])
    with pytest.raises(FloatingPointError, match="MaximalThrust decided for inputs that are not finite"):
        mc.simulate(model, controller=controller, duration=0.01, formulation="nmc")
