"""Promises of the outcome controller on RHex, kept or not, with friction redrawn at every step.

    python campaigns/promises.py --steps 1000000 --seed 1

States of a flip, moved about at random (pitch, pitch rate, forward speed). At each the controller, which knows
friction as intervals only, chooses inputs and promises a pitch acceleration and the body's force on the ground.
Then friction is drawn inside the box again and again, as if it changed every millisecond, and what the rigid
model does is computed for each: all contact modes at once, by solving their square systems

    M qdd + b = S tau + J^T f,     two equations for each contact (S, F, L, R),     and looking at the signs,

which shares no code with the search that made the promise. A step is one state with one friction.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from itertools import product

import numpy as np

import modecontrol as mc
from modecontrol.trials.rhex.flip import fly
from modecontrol.trials.rhex.observer import RHexObserver

BOXES = (
    {"mu_toe": (0.54, 0.66), "mu_body": (0.18, 0.22)},
    {"mu_toe": (0.45, 0.75), "mu_body": (0.1, 0.3)},
    {"mu_toe": (0.3, 0.9), "mu_body": (0.1, 0.3)},
)
PRESS, V0 = 10.0, (0.001, 0.08, 0.001, 0.001)
LEGS = (3, 4, 5)
"""Coordinates without mass; leg `i` carries contact `i + 1` and input `i`."""


def states(rng):
    """States of a flip, moved about; without end."""
    flip = fly("new", 0.6)
    path = flip.trajectory
    thrusts = [d.time for d in flip.controller.decisions if d.mode is not None]
    last = int(np.searchsorted(path.time, thrusts[-1]))
    while True:
        i = int(rng.integers(0, last))
        q, v = path.q[i].copy(), path.v[i].copy()
        q[2] = max(0.0, q[2] + rng.normal(scale=0.02))
        v[2] *= rng.uniform(0.5, 1.5)
        v[0] += rng.normal(scale=0.05)
        yield path.time[i], q, v


def letters(closed, slip, torque):
    """What a contact may do; a massless leg that carries torque cannot lift."""
    if not closed:
        return "S"
    few = "SR" if slip > 0 else "SL" if slip < 0 else "SFLR"
    return few if torque == 0.0 else few[1:]


def outcomes(snapshot, closed, slip, tau, frictions):
    """For each friction the pairs (pitch acceleration, body force) of all modes that happen.

    Legs in the air are left out with their contact: without mass they only need zero torque.
    """
    air = [i for i in range(3) if not closed[1 + i]]
    keep = [j for j in range(6) if j not in [LEGS[i] for i in air]]
    touching = [0, *(1 + i for i in range(3) if i not in air)]
    M, b = snapshot.mass[np.ix_(keep, keep)], snapshot.bias[keep]
    load = (snapshot.actuation @ tau)[keep] - b
    rows = [2 * i + part for i in touching for part in (0, 1)]
    J, d = snapshot.jacobian[np.ix_(rows, keep)], snapshot.drift[rows]
    n, k = len(keep), len(touching)
    force = [0.0, *tau]
    choices = [letters(closed[i], slip[i], force[i]) for i in touching]
    found = [[] for _ in frictions]
    for mode in product(*choices):
        K, right = np.zeros((len(frictions), n + 2 * k, n + 2 * k)), np.zeros(n + 2 * k)
        K[:, :n, :n], K[:, :n, n:] = M, -J.T
        right[:n] = load
        for c, letter in enumerate(mode):
            first = n + 2 * c
            if letter == "S":
                K[:, first, first] = K[:, first + 1, first + 1] = 1.0
                continue
            K[:, first, :n] = J[2 * c]
            right[first] = -d[2 * c]
            if letter == "F":
                K[:, first + 1, :n] = J[2 * c + 1]
                right[first + 1] = -d[2 * c + 1]
            else:
                K[:, first + 1, first + 1] = 1.0
                K[:, first + 1, first] = (1.0 if letter == "R" else -1.0) * frictions[:, touching[c]]
        lifted = [c for c, letter in enumerate(mode) if letter == "S" and touching[c] > 0]
        if lifted:  # its leg turns freely: only the rest of the motion is unique
            z = np.array([np.linalg.lstsq(one, right, rcond=None)[0] for one in K])
            z[np.abs(K @ z[:, :, None] - right[:, None]).max(axis=(1, 2)) > 1e-6] = np.nan
        else:
            bad = np.abs(np.linalg.det(K)) < 1e-9
            K[bad] = np.eye(n + 2 * k)
            z = np.linalg.solve(K, np.broadcast_to(right, (len(K), n + 2 * k))[:, :, None])[:, :, 0]
            z[bad] = np.nan
        for j in np.flatnonzero(_holds(mode, z, J, d, n, slip[touching], frictions[:, touching], lifted)):
            found[j].append((z[j, 2], z[j, n]))
    return found


def _holds(mode, z, J, d, n, slip, mu, lifted, slack=1e-8):
    """Signs: which frictions allow the mode."""
    a, f = z[:, :n] @ J.T + d, z[:, n:]
    good = np.all(np.isfinite(z), axis=1)
    for c, letter in enumerate(mode):
        normal, tangent = f[:, 2 * c], f[:, 2 * c + 1]
        if letter == "S":
            good &= (a[:, 2 * c] >= -slack) | (c in lifted)
            continue
        good &= normal >= -slack
        if letter == "F":
            good &= np.abs(tangent) <= mu[:, c] * normal + slack
        elif slip[c] == 0:
            good &= (1.0 if letter == "R" else -1.0) * a[:, 2 * c + 1] >= -slack
    return good


def main():
    """Draw states and friction; exit code 1 when a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--draws", type=int, default=50, help="frictions drawn at each state")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=np.inf, help="stop after this time")
    args = parser.parse_args()
    rng, begin = np.random.default_rng(args.seed), time.monotonic()
    controllers = []
    for box in BOXES:
        model = mc.load("rhex").uncertain(**box)
        options = {"task": f"body.normal >= {PRESS}", "v0": V0, "observe": RHexObserver.of(model)}
        controllers.append(mc.MaximalThrust(model, "alpha", **options))
    counts, nearest, broken = Counter(), np.inf, 0
    source = states(rng)
    while counts["steps"] < args.steps and time.monotonic() - begin < args.seconds:
        state = next(source)
        controller = controllers[int(rng.integers(len(controllers)))]
        tau = controller(*state)
        decision = controller.decisions.pop()
        counts["states"] += 1
        if decision.mode is None or decision.fallback:
            counts[f"no promise: {decision.fallback}"] += 1
            continue
        seen = controller.thresholds.read(controller.model, *controller.observe(*state))
        box = controller.friction
        points = rng.uniform(box.low, box.high, size=(args.draws, len(box.low)))
        points[:2] = box.low, box.high
        frictions = np.array([box.at(point) for point in points])
        slip = np.asarray(seen.touching.slip)
        for mu, motions in zip(
            frictions, outcomes(seen.snapshot, seen.closed, slip, tau, frictions), strict=True
        ):
            counts["steps"] += 1
            counts["motions"] += len(motions)
            if not motions:
                broken += 1
                print(f"no answer at {state}, inputs {tau}, friction {mu}", flush=True)
            for alpha, press in motions:
                nearest = min(nearest, alpha - decision.value, press - PRESS)
                if alpha < decision.value - 1e-6 or press < PRESS - 1e-6:
                    broken += 1
                    print(f"{alpha} for {decision.value}, {press} N at {state}, friction {mu}", flush=True)
    for name, number in sorted(counts.items()):
        print(f"{name:45s} {number:9d}")
    print(
        f"{counts['steps']} steps, {broken} promises broken; the nearest missed by {max(0.0, -nearest):.1e}"
    )
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
