"""Controller time over a whole flip, beside the same controller written with numpy and linprog; then 1,000 random states.

    python benchmarks/thrust.py [--mu 0.6] [--slow 12] [--random 1000] [--seed 0]

Every state of a simulated flip (1 kHz) is given to the controller again, one call at a time. Times are CPU times of this
thread, so that a busy machine does not count; the wall clock stands beside them.
"""

import argparse
import collections
import itertools
import time

import numpy as np
from scipy.optimize import linprog

import modecontrol as mc
from modecontrol.trials.flip import PRESS, fly
from modecontrol.trials.rhex import RHexObserver


def spread(name, seconds):
    median, p99, worst = (1e3 * f for f in (np.median(seconds), np.quantile(seconds, 0.99), np.max(seconds)))
    print(f"{name:<44}{median:>10.3f}{p99:>10.3f}{worst:>10.3f}   {len(seconds)} calls")


def replay(controller, states):
    cpu, wall = [], []
    controller.reset()
    for t, q, v in states:
        start, begin = time.perf_counter(), time.thread_time()
        controller(t, q, v)
        cpu.append(time.thread_time() - begin)
        wall.append(time.perf_counter() - start)
    return np.array(cpu), np.array(wall)


# The same controller, one linear program per mode in the raw unknowns ------------------------------------------

def mode_rows(s, mode, slip):
    """`A x <= b`, `C x = d` over `x = (qdd, f, tau)` of one mode."""
    n, t = s.actuation.shape
    k = len(mode)
    size = n + 2 * k + t
    A, b = [], []
    C = [np.concatenate([s.mass[j], -s.jacobian[:, j], -s.actuation[j]]) for j in range(n)]
    d = list(-s.bias)
    for i, letter in enumerate(mode):
        normal, tangent = np.zeros(size), np.zeros(size)
        normal[n + 2 * i], tangent[n + 2 * i + 1] = 1.0, 1.0
        rise, slide = np.zeros(size), np.zeros(size)
        rise[:n], slide[:n] = s.jacobian[2 * i], s.jacobian[2 * i + 1]
        rise_drift, slide_drift = s.drift[2 * i], s.drift[2 * i + 1]
        if letter == "S":
            C += [normal, tangent]
            d += [0.0, 0.0]
            if s.gap[i] <= 0:
                A.append(-rise)
                b.append(rise_drift)
            continue
        C.append(rise)
        d.append(-rise_drift)
        A.append(-normal)
        b.append(0.0)
        if letter == "F":
            C.append(slide)
            d.append(-slide_drift)
            A += [tangent - s.friction[i] * normal, -tangent - s.friction[i] * normal]
            b += [0.0, 0.0]
        else:
            way = 1.0 if letter == "R" else -1.0
            C.append(tangent + way * s.friction[i] * normal)
            d.append(0.0)
            if slip[i] == 0:
                A.append(-way * slide)
                b.append(way * slide_drift)
    return np.array(A).reshape(-1, size), np.array(b), np.array(C), np.array(d)


def slow_controller(controller, t, q, v):
    """Observe as the controller does, one program per candidate mode, then one per rival at the winner's inputs."""
    instant = controller.thresholds.read(controller.model, *controller.observe(t, q, v))
    s, slip = instant.snapshot, instant.touching.slip
    letters = ["S" if not closed else "SR" if way > 0 else "SL" if way < 0 else "FLRS"
               for closed, way in zip(instant.closed, slip, strict=True)]
    n, t_ = s.actuation.shape
    best = (-np.inf, None, None)
    modes = ["".join(mode) for mode in itertools.product(*letters)]
    for mode in modes:
        A, b, C, d = mode_rows(s, mode, slip)
        press = np.zeros(A.shape[1])
        press[n] = -1.0
        cost = np.zeros(A.shape[1])
        cost[2] = -1.0
        bounds = [(None, None)] * (A.shape[1] - t_) + [tuple(limit) for limit in s.torque_limits]
        answer = linprog(cost, np.vstack([A, press]), np.append(b, -10.0), C, d, bounds=bounds)
        if answer.status == 0 and -answer.fun > best[0]:
            best = -answer.fun, mode, answer.x[-t_:]
    rivals = []
    for mode in modes if best[1] else ():
        A, b, C, d = mode_rows(s, mode, slip)
        answer = linprog(np.zeros(A.shape[1] - t_), A[:, :-t_], b - A[:, -t_:] @ best[2], C[:, :-t_],
                         d - C[:, -t_:] @ best[2], bounds=(None, None))
        rivals += [mode] if answer.status == 0 else []
    return best, rivals, len(modes)


def compare(controller, states, count):
    """Both controllers on the same evenly spaced states."""
    chosen = [states[i] for i in np.linspace(0, len(states) - 1, count).astype(int)]
    slow, programs, apart = [], [], []
    for t, q, v in chosen:
        begin = time.thread_time()
        (value, _, _), _, modes = slow_controller(controller, t, q, v)
        slow.append(time.thread_time() - begin)
        programs.append(modes)
        controller.reset()
        controller(t, q, v)
        made = controller.decisions[-1]
        if not made.fallback and np.isfinite(value):
            apart.append(abs(made.value - value) / max(1.0, abs(value)))
    spread(f"numpy + linprog ({min(programs)} to {max(programs)} modes)", slow)
    quick, _ = replay(controller, chosen)
    print(f"   ratio of the medians on these states {np.median(slow) / np.median(quick):.0f}; values agree to "
          f"{max(apart, default=0.0):.1e} ({len(apart)} compared)")


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
        yield q, v


def tally(count, seed):
    model = mc.load("rhex", mu_toe=0.6)
    observer = RHexObserver.of(model)
    for name, options in [("gaps within 20 mm close", {"gap": 0.02}), ("through the observer", {"observe": observer})]:
        controller = mc.MaximalThrust(model, "alpha", task=PRESS, v0=(0.001, 0.08, 0.001, 0.001), **options)
        words, bad, seconds = collections.Counter(), 0, []
        for q, v in random_states(model, np.random.default_rng(seed), count):
            begin = time.thread_time()
            torque = controller(0.0, q, v)
            seconds.append(time.thread_time() - begin)
            seen = controller.thresholds.read(model, *(observer(0.0, q, v) if "observe" in options else (q, v)))
            limits = seen.snapshot.torque_limits
            bad += not (np.all(np.isfinite(torque)) and np.all((torque >= limits[:, 0]) & (torque <= limits[:, 1])))
            words[controller.decisions[-1].fallback or "all met"] += 1
        spread(f"random states, {name}", seconds)
        print(f"   not finite or beyond a limit: {bad}; " + ", ".join(f"{word}: {n}" for word, n in words.most_common()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mu", type=float, default=0.6, help="friction of the toes")
    parser.add_argument("--slow", type=int, default=12, help="states for numpy + linprog")
    parser.add_argument("--random", type=int, default=1000, help="random states")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()

    flip = fly("new", asked.mu)
    path, controller = flip.trajectory, flip.controller
    step = path.time[1] - path.time[0]
    times = [d.time for d in controller.decisions if d.mode is not None or d.fallback]
    states = [(t, path.q[round(t / step)], path.v[round(t / step)]) for t in times]
    print(f"flip at mu_toe {asked.mu}: {len(states)} calls while thrusting, 90 degrees at {flip.upright:.3f} s\n")
    print(f"{'milliseconds':<44}{'median':>10}{'p99':>10}{'worst':>10}")
    replay(controller, states[:5])
    cpu, wall = replay(controller, states)
    spread("MaximalThrust, CPU", cpu)
    spread("MaximalThrust, wall clock", wall)
    compare(controller, states, min(asked.slow, len(states)))
    tally(asked.random, asked.seed)


if __name__ == "__main__":
    main()
