"""Random piles of discs, dropped and followed to the end: does every one get there, how, and what did the worst step cost?

    python campaigns/piles.py [--piles 1000] [--seed 1] [--duration 1.5] [--only 17] [--add piles.jsonl]

5 to 60 discs of like or unlike sizes fall into a box, into a funnel or down a slope against a wall; friction 0 to 1,
restitution 0 to 0.9. Each pile is simulated in steps of 1 ms and judged by code of its own:

- it reaches the end, and no step takes more than the bound that is printed (CPU time of the thread);
- every step's record has a residual within the tolerance of its method;
- momentum: in steps without a collision the recorded impulses and gravity explain the change of velocity of every disc, but for
  how far directions of contact turn within the step (impulses of a step that is made in parts act in between);
- friction cones hold, and energy is gained by recovery of penetration alone;
- nothing is deeper than 0.1 mm in anything else, unless more impacts than are located within one step came before: then no deeper
  than what the quickest disc travels in a step.

Prints how the steps were solved, what was wrong (nothing may be) and where the time went. `--add FILE` keeps what is done in
FILE and goes on where an earlier run with it ended.
"""

import argparse
import json
import math
import time
from collections import Counter
from pathlib import Path

import numpy as np

import modecontrol as mc
from modecontrol import tolerances

STEP = 1e-3
GRAVITY = 9.81
BOUND = 0.05
"""Seconds of CPU that no step may take."""
DEEP = 1e-4
"""Metres of penetration that are too many."""
CROWDED = 64
"""Impacts that are located within one step; what comes after them in the step is not seen."""
RECOVERY = 0.1
"""Speed (m/s) at which penetration is recovered, which lifts what lies on top: the one gain of energy that is allowed."""


def walls_of(rng, width):
    """Name of the scene and its walls `(origin, tilt)`, each a line with the free side to the left of its tangent."""
    kind = ("box", "funnel", "slope")[rng.integers(3)]
    left, right = (-width / 2, 0.0), (width / 2, 0.0)
    if kind == "box":
        return kind, [((0.0, 0.0), 0.0), (left, -math.pi / 2), (right, math.pi / 2)]
    if kind == "funnel":
        lean = rng.uniform(0.2, 1.0)
        return kind, [
            ((0.0, 0.0), -lean),
            ((0.0, 0.0), lean),
            ((-2 * width, 0.0), -math.pi / 2),
            ((2 * width, 0.0), math.pi / 2),
        ]
    lean = rng.uniform(0.05, 0.6)
    return kind, [((0.0, 0.0), lean), (left, -math.pi / 2), (right, math.pi / 2)]


def scene(rng):
    """`(description, model, q, restitution)` of one pile."""
    n = int(rng.integers(5, 61))
    mu, restitution = rng.uniform(0, 1) * (rng.random() > 0.1), rng.uniform(0, 0.9) * (rng.random() > 0.3)
    radius = rng.uniform(0.07, 0.13, n) if rng.random() < 0.5 else np.full(n, 0.1)
    width = rng.uniform(0.8, 2.0)
    kind, walls = walls_of(rng, width)
    builder, q = mc.Builder("pile", gravity=(0.0, -GRAVITY)), []
    ground = width * math.tan(1.0) if kind == "funnel" else width if kind == "slope" else 0.0
    across = max(1, int((width - 0.3) / 0.3))
    for i in range(n):
        r, mass = radius[i], 100.0 * math.pi * radius[i] ** 2
        joint = mc.planar(f"x{i}", f"y{i}", f"t{i}")
        builder.body(f"d{i}", parent="world", joint=joint, mass=mass, inertia=mass * r * r / 2)
        column, row = i % across, i // across
        x = (column - (across - 1) / 2) * 0.3 + rng.uniform(-0.015, 0.015)
        q += [x, ground + 0.2 + 0.28 * row, 0.0]
        for k, (origin, tilt) in enumerate(walls):
            builder.contact(
                f"w{k}_{i}", f"d{i}", type="disc", radius=r, mu=mu, wall={"origin": origin, "tilt": tilt}
            )
        for k in range(i):
            builder.contact(
                f"p{k}_{i}", f"d{i}", type="disc_disc", radius=r, other=f"d{k}", other_radius=radius[k], mu=mu
            )
    text = f"{n} discs, {kind}, mu {mu:.2f}, restitution {restitution:.2f}"
    return text, builder.build(), np.array(q), restitution, mu


def step_times(model, q, restitution, steps):
    """A run with the CPU time of every step."""
    times, last = np.zeros(steps), []

    def clock(t, q, v):
        if last:  # the first step is not told apart from what is made ready before it
            times[round(t / STEP) - 1] = time.thread_time() - last[0]
        last[:] = [time.thread_time()]

    run = mc.simulate(model, q, duration=steps * STEP, step=STEP, restitution=restitution, callback=clock)
    return run, times


def faults(model, run, mu):
    """What is wrong with a run, by Newton's equations and the geometry alone."""
    found = []
    if run.status != "completed":
        found.append(run.status)
    limit = np.where(np.isin(run.method, ("gauss-seidel",)), tolerances.COARSE, tolerances.COMPLEMENTARY)
    if (run.residual > limit).any():
        found.append(f"residual {run.residual.max():.1e}")
    impulse = run.impulse.reshape(len(run.residual), -1, 2)
    excess = np.abs(impulse[:, :, 1]) - mu * impulse[:, :, 0]
    if excess.size and excess.max() > 1e-9 * max(1.0, np.abs(impulse).max()):
        found.append(f"friction beyond the cone by {excess.max():.1e}")
    deep, crowded = run.gap.min(axis=1) < -DEEP, np.flatnonzero(run.impacts >= CROWDED)
    first = crowded[0] if len(crowded) else len(run.time)
    fastest = 2 * np.abs(run.v.reshape(len(run.v), -1, 3)[:, :, :2]).max() * STEP
    if deep[:first].any() or run.gap.min() < -DEEP - fastest:
        found.append(f"depth {-run.gap.min():.1e} m")
    mass = np.trace(model.snapshot(run.q[0]).mass[0::3, 0::3])
    gain, most = np.diff(run.energy).max(initial=0.0), mass * RECOVERY * (GRAVITY * STEP + RECOVERY)
    if gain > most or run.energy.max() > run.energy[0] + most:
        found.append(f"gains {gain:.1e} J")
    return found + momentum_faults(model, run, impulse)


def momentum_faults(model, run, impulse):
    """Steps in which gravity and the recorded impulses do not explain the motion: sampled.

    Impulses within a step that is cut short act at poses between those of the record, which moves them a little.
    """
    worst = 0.0
    for k in np.linspace(0, len(impulse) - 1, 15).astype(int):
        if run.impacts[k]:
            continue
        snap, after = model.snapshot(run.q[k], run.v[k]), model.snapshot(run.q[k + 1], run.v[k + 1])
        p = impulse[k].ravel()
        change = snap.mass @ (run.v[k + 1] - run.v[k]) + STEP * snap.bias - snap.jacobian.T @ p
        turned = np.abs(after.jacobian - snap.jacobian).T @ np.abs(p)
        worst = max(worst, ((np.abs(change) - turned) / (np.abs(p).max() + 0.01)).max())
    return [f"momentum {worst:.1e}"] if worst > 1e-9 else []


def judged(options, k):
    """What came of pile `k`, as plain words and numbers."""
    text, model, q, restitution, mu = scene(np.random.default_rng((options.seed, k)))
    run, times = step_times(model, q, restitution, round(options.duration / STEP))
    residual = Counter()
    for method, value in zip(run.method, run.residual, strict=True):
        residual[method] = max(residual[method], float(value))
    return {
        "pile": k,
        "text": text,
        "ended": run.status == "completed",
        "methods": Counter(run.method),
        "residual": residual,
        "slowest": float(times.max()),
        "how": run.method[int(times.argmax())] if len(run.method) else "",
        "spent": float(times.sum()),
        "wrong": faults(model, run, mu),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--piles", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--duration", type=float, default=1.5)
    parser.add_argument("--only", type=int, help="one pile of the series")
    parser.add_argument(
        "--add", type=Path, metavar="FILE", help="keep what is done in FILE, and go on from there"
    )
    options = parser.parse_args()
    known = {}
    if options.add and options.add.exists():
        known = {one["pile"]: one for one in map(json.loads, options.add.read_text().splitlines())}
    all_piles = []
    for k in range(options.piles) if options.only is None else [options.only]:
        if k not in known:
            known[k] = judged(options, k)
            if options.add:
                with options.add.open("a") as file:
                    file.write(json.dumps(known[k]) + "\n")
        all_piles.append(known[k])
    report(options, all_piles)


def report(options, piles):
    kinds = Counter(one["text"].split(", ")[1] for one in piles)
    methods, residual = Counter(), Counter()
    for one in piles:
        methods.update(one["methods"])
        residual |= Counter(one["residual"])
    bad = [f"   {one['pile']} ({one['text']}): {'; '.join(one['wrong'])}" for one in piles if one["wrong"]]
    late = [one for one in piles if one["slowest"] > BOUND]
    words = ", ".join(f"{n} {kind}" for kind, n in kinds.items())
    print(f"{len(piles)} piles ({words}), {options.duration:g} s each, seed {options.seed}")
    print(f"reached the end: {sum(one['ended'] for one in piles)}; with a fault: {len(bad)}")
    print("steps by the last resort that they needed, and their largest residual:")
    for method, number in methods.most_common():
        print(f"   {method:12s} {number:8d}   {residual[method]:.1e}")
    spent, times = sum(one["spent"] for one in piles), np.array([one["slowest"] for one in piles])
    print(
        f"CPU: {1e6 * spent / methods.total():.0f} us per step on average; slowest step of each pile, quantiles in ms: ",
        end="",
    )
    print(", ".join(f"{q:g} % {1e3 * np.percentile(times, q):.1f}" for q in (50, 90, 99, 100)))
    print(f"piles with a step beyond {1e3 * BOUND:.0f} ms: {len(late)}; slowest:")
    for one in sorted(piles, key=lambda one: one["slowest"])[-3:]:
        print(f"   {1e3 * one['slowest']:.1f} ms: pile {one['pile']} ({one['text']}), {one['how']}")
    print("\n".join(["faults:", *bad[:20]]) if bad else "faults: none")


if __name__ == "__main__":
    main()
