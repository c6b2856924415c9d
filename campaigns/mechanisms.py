"""Random mechanisms between walls, simulated: is energy ever made from nothing, does any run hang, does each stop have a reason?

    python campaigns/mechanisms.py [--mechanisms 2000] [--seed 1] [--duration 0.5] [--only 17]

Trees of hinges, slides, welds and free bodies, with loops, joint springs, discs and points against walls and each other,
friction up to 1.2 and restitution up to 0.8. Each is simulated without inputs at both levels and with three step sizes. By
code of its own:

- the energy (kinetic, gravity, springs) may never rise, above any earlier time, by more than half of what was there to change
  hands: the kinetic energy at the start and the fall of the potential;
- no step may take longer than the bound that is printed (CPU time of the thread);
- a run that does not reach the end says why in a sentence, which is counted.
"""

import argparse
import math
import time
from collections import Counter

import numpy as np

import modecontrol as mc

STEPS = (2e-3, 1e-3, 2.5e-4)
LEVELS = ("velocity", "position")
BOUND = 0.25
"""Seconds of CPU that no step may take."""
ALLOWED = 0.5
"""Part of the energy at hand that the drift of a first-order scheme may make."""


def joint_of(rng, i):
    kind = str(rng.choice(["planar", "revolute", "slide", "weld"], p=[0.2, 0.5, 0.2, 0.1])) if i else "planar"
    at, angle = tuple(rng.normal(size=2) * (0.6 if i else 0.2)), float(rng.normal())
    spring = {}
    if rng.random() < 0.4:
        spring = {
            "stiffness": float(10 ** rng.uniform(-1, 3)),
            "damping": float(rng.choice([0.0, rng.uniform(0, 2)])),
        }
    if kind == "planar":
        return mc.planar(f"x{i}", f"y{i}", f"t{i}", at=at, angle=angle), 3
    if kind == "weld":
        return mc.weld(at=at, angle=angle), 0
    make = mc.revolute if kind == "revolute" else mc.prismatic
    return make(f"q{i}", at=at, angle=angle, **spring), 1


class Plan:
    """A mechanism drawn at random, of which contacts and pins are added when their places are known."""

    def __init__(self, rng):
        self.rng, self.n = rng, int(rng.integers(2, 8))
        self.gravity = tuple(rng.normal(size=2) * 6)
        self.joints = [joint_of(rng, i) for i in range(self.n)]
        self.parents = ["world", *(f"b{rng.integers(i)}" for i in range(1, self.n))]
        self.masses = rng.uniform(0.3, 3.0, (self.n, 2))
        self.coms = rng.normal(size=(self.n, 2)) * 0.15
        freedoms = sum(count for _, count in self.joints)
        self.q, self.v = rng.normal(size=freedoms), rng.normal(size=freedoms) * 2

    def builder(self):
        b = mc.Builder("random", gravity=self.gravity)
        for i, (joint, _) in enumerate(self.joints):
            mass, inertia = self.masses[i]
            b.body(
                f"b{i}",
                parent=self.parents[i],
                joint=joint,
                mass=mass,
                inertia=0.3 * inertia,
                com=tuple(self.coms[i]),
            )
        return b

    def places(self, points):
        """Where points `(body, point)` are at the start: gaps of probes against two walls."""
        probe = self.builder()
        for k, (body, point) in enumerate(points):
            probe.contact(f"y{k}", body, point=point, wall={"origin": (0, 0), "tilt": 0.0})
            probe.contact(f"x{k}", body, point=point, wall={"origin": (0, 0), "tilt": -math.pi / 2})
        gap = probe.build().snapshot(self.q, self.v).gap
        return np.column_stack((gap[1::2], gap[0::2]))

    def model(self):
        rng, b = self.rng, self.builder()
        bodies = [f"b{i}" for i in range(self.n)]
        points = [(str(rng.choice(bodies)), tuple(rng.normal(size=2) * 0.5)) for _ in range(8)]
        place = self.places(points)
        for k in range(int(rng.integers(1, 6))):
            body, point = points[k]
            tilt, radius, mu = rng.uniform(-math.pi, math.pi), rng.uniform(0.05, 0.4), rng.uniform(0, 1.2)
            normal = np.array([-math.sin(tilt), math.cos(tilt)])
            disc = bool(rng.random() < 0.5)
            origin = place[k] - normal * ((radius if disc else 0.0) + rng.uniform(0, 0.3))
            size = {"type": "disc", "radius": radius} if disc else {}
            b.contact(f"c{k}", body, point=point, wall={"origin": tuple(origin), "tilt": tilt}, mu=mu, **size)
        self.add_pair(b, points, place)
        if rng.random() < 0.35:
            b.pin("loop", points[7][0], points[7][1], "world", tuple(place[7]))
        return b.build()

    def add_pair(self, b, points, place):
        """A stop between two bodies that are apart at the start."""
        (one, at), (two, there) = points[5], points[6]
        apart = float(np.hypot(*(place[5] - place[6])))
        if one == two or apart < 0.05 or self.rng.random() < 0.4:
            return
        first, second = self.rng.uniform(0.2, 0.49, 2) * apart
        b.contact("pair", one, type="disc_disc", point=at, radius=first, other=two, other_point=there, other_radius=second,
                  mu=self.rng.uniform(0, 1.2))  # fmt: skip


def simulate(plan, model, level, step, duration):
    """A run and the longest CPU time of a step (the first is not told apart from what is made ready before it)."""
    longest, last = 0.0, None

    def clock(t, q, v):
        nonlocal longest, last
        now = time.thread_time()
        longest, last = max(longest, 0.0 if last is None else now - last), now

    restitution = {"restitution": plan.bounce} if level == "velocity" else {}
    v = plan.v if not model.names.pins else None
    run = mc.simulate(
        model, plan.q, v, duration=duration, step=step, level=level, callback=clock, **restitution
    )
    return run, longest


def created(run):
    """Most energy that appeared since any earlier time, and the energy that was there to change hands."""
    risen = float((run.energy - np.minimum.accumulate(run.energy)).max())
    potential = run.energy - run.kinetic
    return risen, float(run.kinetic[0] + potential[0] - potential.min())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--mechanisms", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--duration", type=float, default=0.5)
    parser.add_argument("--only", type=int, help="one mechanism of the series")
    options = parser.parse_args()
    tally, reasons, bad, slowest = Counter(), Counter(), [], (0.0, "")
    rises = {(level, step): [] for level in LEVELS for step in STEPS}
    for k in range(options.mechanisms) if options.only is None else [options.only]:
        plan = Plan(np.random.default_rng((options.seed, k)))
        model, plan.bounce = plan.model(), float(plan.rng.uniform(0, 0.8) * (plan.rng.random() < 0.6))
        for level in LEVELS:
            for step in STEPS:
                run, longest = simulate(plan, model, level, step, options.duration)
                risen, at_hand = created(run)
                name = f"{k} ({level}, {step:g} s)"
                tally[run.status.split(" ")[0]] += 1
                if run.status != "completed":
                    reason = run.status.split(": ", 1)[1] if ": " in run.status else ""
                    reasons["".join("#" if c.isdigit() else c for c in reason.split(";")[0])[:60]] += 1
                    if not reason:
                        bad.append(f"   {name}: stopped without a reason: {run.status}")
                rises[level, step].append(risen / max(at_hand, 1e-9))
                if risen > ALLOWED * at_hand + 1e-3:
                    bad.append(f"   {name}: {risen:.3g} J appear where {at_hand:.3g} J were at hand")
                if longest > BOUND:
                    bad.append(f"   {name}: a step of {1e3 * longest:.0f} ms")
                slowest = max(slowest, (longest, name))
    report(options, tally, reasons, rises, bad=bad, slowest=slowest)


def report(options, tally, reasons, rises, *, bad, slowest):
    total = tally.total()
    print(
        f"{total} runs of {total // 6} mechanisms, {options.duration:g} s each, seed {options.seed}: ", end=""
    )
    print(", ".join(f"{count} {word}" for word, count in tally.most_common()))
    print("energy that appeared, over the energy at hand:   90 %     99 %   largest")
    for (level, step), values in rises.items():
        print(
            f"   {level:9s} {step:8g} s {'':22s}"
            + "".join(f"{np.percentile(values, p):9.1e}" for p in (90, 99, 100))
        )
    print(
        f"longest step {1e3 * slowest[0]:.1f} ms: mechanism {slowest[1]}; the bound is {1e3 * BOUND:.0f} ms"
    )
    print("reasons of those that stopped: " + ("none" if not reasons else ""))
    for reason, count in reasons.most_common(8):
        print(f"   {count} {reason}")
    print("\n".join(["faults:", *bad[:20], f"   {len(bad)} in all"]) if bad else "faults: none")


if __name__ == "__main__":
    main()
