"""The controller of a flip beside the same controller written with numpy and scipy's `linprog`.

    python benchmarks/thrust_linprog.py [--mu 0.6] [--states 12]

Both get the same evenly spaced states of a simulated flip, one call at a time; the second solves one linear program per mode
in the raw unknowns. Times are CPU times of this thread in milliseconds.
"""

import argparse
import itertools
import time

import numpy as np
from scipy.optimize import linprog
from thrust import flip_states, replay, spread


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
    """Observe as the controller does, one program per candidate mode, then one per rival at the winner's
    inputs.
    """
    instant = controller.thresholds.read(controller.model, *controller.observe(t, q, v))
    s, slip = instant.snapshot, instant.touching.slip
    letters = [
        "S" if not closed else "SR" if way > 0 else "SL" if way < 0 else "FLRS"
        for closed, way in zip(instant.closed, slip, strict=True)
    ]
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
        answer = linprog(
            np.zeros(A.shape[1] - t_),
            A[:, :-t_],
            b - A[:, -t_:] @ best[2],
            C[:, :-t_],
            d - C[:, -t_:] @ best[2],
            bounds=(None, None),
        )
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
    quick = replay(controller, chosen)
    print(
        f"   ratio of the medians on these states {np.median(slow) / np.median(quick):.0f}; values agree to "
        f"{max(apart, default=0.0):.1e} ({len(apart)} compared)"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mu", type=float, default=0.6, help="friction of the toes")
    parser.add_argument("--states", type=int, default=12)
    asked = parser.parse_args()
    controller, states = flip_states(asked.mu)
    replay(controller, states[:5])
    compare(controller, states, min(asked.states, len(states)))


if __name__ == "__main__":
    main()
