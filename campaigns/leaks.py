"""Memory of the core over many calls: it must stay the same to 1 MB in every room.

    python campaigns/leaks.py [--calls 100000] [--rooms polytopes modes ...]

Each room is called a tenth as often first, so that buffers have their size; then the resident memory of the process is
read before and after `--calls` calls. Exit status 1 when a room has grown by more than 1 MB.
"""

import argparse
import gc
import sys
from pathlib import Path

import numpy as np

import modecontrol as mc
from modecontrol._core import lcp, modes, polytopes
from modecontrol.modes.constraints import torque_rows
from modecontrol.modes.problem import Problem, instant

MOST = 1_000_000
"""Bytes by which a room may grow."""


def resident():
    """Bytes of this process in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def calls():
    """A small call for each room, by name."""
    model = mc.load("two_link", mu=0.8)
    rhex = mc.load("rhex", mu_toe=0.6)
    snapshot, q, v = model.snapshot(model.start), np.array(model.start), np.zeros(4)
    problem = Problem.of(snapshot, torque_limits=[(-5.0, 5.0)])
    at = instant(problem.snapshot, problem.touching, torque_rows([(-5.0, 5.0)], snapshot))
    rng = np.random.default_rng(0)
    A, b = rng.normal(size=(12, 5)), rng.uniform(0.5, 1.5, size=12)
    C, e, keep = np.zeros((0, 5)), np.zeros(0), np.arange(5) < 3
    M = np.eye(6) + 0.1 * rng.normal(size=(6, 6))
    controller = mc.MaximalThrust(rhex, "alpha", task="body.normal >= 10")
    seen = controller.thresholds.read(rhex, np.array(rhex.start), np.zeros(6))
    search = controller._prepared
    block = mc.load("block", slope=0.3, mu=0.2)
    stepper = mc.Stepper(block)
    response = mc.dynamic_response(snapshot, torque_limits=[(-5.0, 5.0)])
    pusher = mc.MaximalThrust(model, "theta", patience=20)

    def projection():
        polytopes.maximize(A[0], A, b, C, e)
        polytopes.minimal(A, b, C, e)
        polytopes.project(A, b, C, e, keep)

    def step():
        stepper.place(block.start, np.zeros(3))
        stepper.step([0.0])

    def run():
        pusher.reset()
        mc.simulate(model, q, v, controller=pusher, duration=1e-3, step=1e-3)

    return {
        "polytopes": projection,
        "modes": lambda: modes.respond(modes.dynamic_root(at)),
        "regions": lambda: type(response)(response.problem, response.leaves, response.packed).clashes(),
        "thrust": lambda: search.best(seen.snapshot, seen.touching),
        "dynamics": lambda: model.snapshot(q, v),
        "lcp": lambda: lcp.lemke(M, np.linspace(-1.0, 1.0, 6)),
        "timestepping": step,
        "closed_loop": run,
    }


def growth(call, count):
    """Bytes that the process has grown by over `count` calls, after a tenth as many."""
    for _ in range(max(count // 10, 1)):
        call()
    gc.collect()
    before = resident()
    for _ in range(count):
        call()
    gc.collect()
    return resident() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--rooms", nargs="*", help="only these; default all")
    asked = parser.parse_args()
    print(f"{'room':<16}{'calls':>10}{'growth, kB':>14}")
    worst = 0
    for name, call in calls().items():
        if asked.rooms and name not in asked.rooms:
            continue
        grown = growth(call, asked.calls)
        worst = max(worst, grown)
        print(f"{name:<16}{asked.calls:>10}{grown / 1e3:>14.0f}", flush=True)
    return 1 if worst > MOST else 0


if __name__ == "__main__":
    sys.exit(main())
