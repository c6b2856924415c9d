"""The time of a controller call at 1 kHz: closed-loop runs of every model with inputs and contacts, replayed.

    python benchmarks/thrust.py [--seconds 0.5] [--random 1000] [--seed 0] [--models biped snake ...]

`MaximalThrust` drives each shipped model, and the mechanism of the tutorial, in simulation; then every state at
which it was asked is given to it again, one call at a time. The flips of RHex are those of `modecontrol flip`:
the rigid model predicts, the compliant one moves. Columns: contact modes at the states (of a sample of 25), CPU
milliseconds of a call, the most linear programs that a call was worth (`patience` allows 300, and 1,000 with a
margin), and what the calls settled for. The goal is a median under 0.5 ms and p99 under 1 ms; states with more
than 300 modes are bounded by `patience`.
"""

import argparse
import collections
import re
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import modecontrol as mc
from modecontrol._core import modes as core
from modecontrol.modes.constraints import Rows, stack, torque_rows
from modecontrol.modes.problem import instant
from modecontrol.trials.rhex.flip import fly
from modecontrol.trials.rhex.observer import RHexObserver

PRESS = "body.normal >= 10"
MOST_MODES = 300

# model, objective, task, physical bounds on inputs that the model leaves unlimited, other options of the controller
RUNS = [
    ("two_link", "gamma", (), ("tau <= 5", "tau >= -5"), {}),
    ("two_link", "xc", (), ("tau <= 20", "tau >= -20"), {}),
    ("table", "x", "left.normal >= 1", ("push <= 40", "push >= -40"), {}),
    ("ball_bearing", "theta", (), ("tau <= 1", "tau >= -1"), {}),
    ("block", "x", "left.normal >= 1", ("push <= 5", "push >= -5"), {}),
    ("rod", "phi", (), ("fx <= 5", "fx >= -5", "fy <= 5", "fy >= -5", "tau <= 1", "tau >= -1"), {}),
    ("four_bar", "q1", (), (), {}),
    ("tutorial", "pitch", "heel.normal >= 5", (), {"v0": 0.01}),
    ("tutorial", "pitch", "heel.normal >= 5", (), {"v0": 0.01, "margin": 0.05}),
    ("biped", "y", (), (), {"v0": 0.01}),
    ("biped", "pitch", "left_toe.normal >= 10", (), {"v0": 0.01}),
    ("rhex_compliant", "alpha", PRESS, (), {"v0": 0.01}),
    ("snake", "x", (), (), {"v0": 0.01}),
    ("snake", "q4", (), (), {"v0": 0.01}),
]


def tutorial_model(folder):
    """The mechanism of `docs/tutorial.md`."""
    page = (Path(__file__).resolve().parents[1] / "docs" / "tutorial.md").read_text(encoding="utf-8")
    written = re.search(r"```toml\n(.*?)```", page, re.DOTALL)
    (folder / "model.toml").write_text(written.group(1), encoding="utf-8")
    return mc.load(folder / "model.toml")


def replay(controller, states):
    """CPU seconds of each call; the controller forgets first."""
    cpu = []
    controller.reset()
    for t, q, v in states:
        begin = time.thread_time()
        controller(t, q, v)
        cpu.append(time.thread_time() - begin)
    return np.array(cpu)


def spread(name, seconds):
    """One line: name, median, p99, worst."""
    median, p99, worst = (1e3 * f for f in (np.median(seconds), np.quantile(seconds, 0.99), np.max(seconds)))
    print(f"{name:<44}{median:>10.3f}{p99:>10.3f}{worst:>10.3f}   {len(seconds)} calls")


def seen_by(controller, state):
    """The instant that the controller works on."""
    seen = controller.observe(*state) if controller.observe is not None else state[1:]
    return controller.thresholds.read(controller.model, *seen)


def modes_at(controller, state):
    """How many contact modes the controller has to choose from."""
    at = seen_by(controller, state)
    limits = torque_rows(None, at.snapshot)
    rows = Rows.stack([stack(controller.physical, at.snapshot), limits], limits.P.shape[1])
    return len(core.list_modes(core.dynamic_root(instant(at.snapshot, at.touching, rows)))[0])


class Programs:
    """Remembers the most programs of a call."""

    def __init__(self, controller):
        self.most, self._best = 0, controller._prepared.best
        controller._prepared.best = self

    def __call__(self, *args, **options):
        found = self._best(*args, **options)
        self.most = max(self.most, found.programs)
        return found


def report(name, controller, states):
    """Replay and print a line; returns whether the goal was met where there are at most `MOST_MODES` modes."""
    replay(controller, states[:5])
    cpu = np.minimum(replay(controller, states), replay(controller, states))  # interruptions are not ours
    words = collections.Counter(d.fallback or "all met" for d in controller.decisions)
    sample = [states[i] for i in np.unique(np.linspace(0, len(states) - 1, 25).astype(int))]
    modes = [modes_at(controller, state) for state in sample]
    counted = Programs(controller)
    replay(controller, sample)
    median, p99, worst = 1e3 * np.median(cpu), 1e3 * np.quantile(cpu, 0.99), 1e3 * np.max(cpu)
    met = (median < 0.5 and p99 < 1.0) or max(modes) > MOST_MODES
    print(
        f"{name:<30}{min(modes):>6}{max(modes):>7}{len(states):>7}{median:>9.3f}{p99:>8.3f}{worst:>8.3f}{counted.most:>9}  "
        + ", ".join(f"{word}: {count}" for word, count in words.most_common())
        + ("" if met else "   MISSES THE GOAL"),
        flush=True,
    )
    return met


def closed_loop(model, run, seconds):
    """Simulate; the controller and the states at which it was asked."""
    _, objective, task, physical, options = run
    controller = mc.MaximalThrust(model, objective, task=task, physical=physical, **options)
    path = mc.simulate(model, controller=controller, duration=seconds, step=1e-3, clip=True)
    step = path.time[1] - path.time[0]
    return controller, [(d.time, *_at(path, round(d.time / step))) for d in controller.decisions]


def _at(path, i):
    return path.q[i], path.v[i]


def flip_states(mu):
    """Controller and states of a flip, while it thrusts."""
    flip = fly("new", mu)
    path, controller = flip.trajectory, flip.controller
    step = path.time[1] - path.time[0]
    times = [d.time for d in controller.decisions if d.mode is not None or d.fallback]
    return controller, [(t, *_at(path, round(t / step))) for t in times]


def random_states(model, rng, count):
    """Every attitude, height and speed; also at leg singularities, airborne, upside down, and at rest on the ground."""
    for i in range(count):
        q = rng.uniform(-np.pi, np.pi, size=6)
        q[1] = rng.uniform(-0.05, 0.4)
        v = rng.normal(size=6) * rng.choice([0.0, 1e-3, 1.0, 20.0])
        if i % 3 == 1:
            q[2] = rng.uniform(0, 0.5)
        if i % 5 == 2:
            q[3:] = -np.pi / 2 - q[2]
        if i % 7 == 3:
            q, v = np.array(model.start), 0.0 * v
        yield 0.0, q, v


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.5, help="simulated time of a run")
    parser.add_argument("--random", type=int, default=1000, help="random states of RHex")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--models", nargs="*", help="only these; default all")
    asked = parser.parse_args()
    print(
        f"{'run':<30}{'modes':>6}{'to':>7}{'calls':>7}{'median':>9}{'p99':>8}{'worst':>8}{'programs':>9}  settled for"
    )
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for run in RUNS:
            name, objective, *_, options = run
            if asked.models and name not in asked.models:
                continue
            model = tutorial_model(Path(folder)) if name == "tutorial" else mc.load(name)
            words = f"{name}, {objective}" + (", margin" if options.get("margin") else "")
            good &= report(words, *closed_loop(model, run, asked.seconds))
    if not asked.models or "flip" in asked.models:
        for mu in (0.39, 0.6):
            good &= report(f"RHex flip, friction {mu}", *flip_states(mu))
        model = mc.load("rhex", mu_toe=0.6)
        for name, options in [
            ("gaps of 20 mm", {"gap": 0.02}),
            ("observer", {"observe": RHexObserver.of(model)}),
        ]:
            controller = mc.MaximalThrust(
                model, "alpha", task=PRESS, v0=(0.001, 0.08, 0.001, 0.001), **options
            )
            states = list(random_states(model, np.random.default_rng(asked.seed), asked.random))
            good &= report(f"RHex anywhere, {name}", controller, states)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
