"""The simulator beside MuJoCo and beside its own slower formulations, in one run.

    python benchmarks/simulation.py [--repeat 5] [--long]

1. Jain's pendulum of 30 balls between floor and wall, 5 s in steps of 1 ms, stepped by `simulate` and by MuJoCo's
   `mj_step` called from Python (skipped without the `peers` extra). Quickest CPU time of some runs.
2. Bhalerao's free chain of 128 rods with contacts at its ends, 2 s in steps of 1 ms, the three dynamics and MuJoCo.
3. `os` against `nmc/os` on pendulums of 3 to 30 links (`--long`: over 2 s), both compiled, with the published table;
   `campaigns/jain.py` takes the comparison apart.
4. A resting block: creep in micrometres per second.
5. Piles of 20 and 40 discs in a box, fallen and at rest, beside MuJoCo with the same discs.

CPU seconds (`time.process_time`); set OPENBLAS_NUM_THREADS=1 to measure without idling threads.
"""

import argparse
import math
import time

import numpy as np

import modecontrol as mc
from modecontrol.timestepping import simulate

PUBLISHED = {3: 3.5, 6: 4.44, 12: 8.36, 15: 11.5, 24: 26.88, 30: 50.28}


def quickest(call, repeat):
    best = math.inf
    for _ in range(repeat):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best


def mujoco_pendulum(n):
    """The same pendulum as MJCF: hinges about y, the plane is x-z; balls collide with floor and wall only."""
    r = 12.0 / (2 * n)
    inertia = 0.4 * r * r
    body, end = "", ""
    for i in range(n):
        place = "0 0 10" if i == 0 else f"{2 * r} 0 0"
        turn = f' euler="0 {math.degrees(-(math.pi + math.pi / 4))} 0"' if i == 0 else ""
        body += (
            f'<body pos="{place}"{turn}><joint type="hinge" axis="0 -1 0"/><inertial pos="{r} 0 0" mass="1" '
            f'diaginertia="{inertia} {inertia} {inertia}"/><geom type="sphere" size="{r}" pos="{r} 0 0" '
            'contype="1" conaffinity="2" friction="0.5 0 0" condim="3"/>'
        )
        end += "</body>"
    return (
        f'<mujoco><option timestep="0.001" gravity="0 0 -9.8"/><worldbody>'
        '<geom type="plane" size="50 50 1" contype="2" conaffinity="1" friction="0.5 0 0"/>'
        '<geom type="plane" size="50 50 1" pos="4 0 0" euler="0 -90 0" contype="2" conaffinity="1" '
        f'friction="0.5 0 0"/>{body}{end}</worldbody></mujoco>'
    )


def against_mujoco(repeat):
    print("1. pendulum of 30 balls, 5 s, 5,000 steps")
    for options in ({}, {"collide": 1}):
        model = mc.load("pendulum", n=30, **options)
        simulate(model, duration=0.01)
        ours = quickest(lambda model=model: simulate(model, duration=5.0), repeat)
        run = simulate(model, duration=5.0)
        what = "floor, wall" if not options else "floor, wall, itself (406 pairs)"
        print(
            f"   simulate, {what:32s} {ours:8.4f} s = {ours / 5000 * 1e6:5.1f} us per step, {run.impacts.sum()} impacts,"
            f" largest residual {run.residual.max():.0e}"
        )
        if not options:
            reference = ours
    try:
        import mujoco
    except ImportError:
        print("   MuJoCo is not installed (extra `peers`)")
        return
    peer = mujoco.MjModel.from_xml_string(mujoco_pendulum(30))

    def steps():
        data = mujoco.MjData(peer)
        data.qvel[0] = 1.0
        for _ in range(5000):
            mujoco.mj_step(peer, data)

    theirs = quickest(steps, repeat)
    print(
        f"   MuJoCo {mujoco.__version__}, floor, wall {'':20s} {theirs:8.4f} s = {theirs / 5000 * 1e6:5.1f} us per step"
    )
    print(f"   ratio (above one: simulate is quicker) {theirs / reference:.2f}")


def mujoco_chain(n):
    """The free chain as MJCF: a root with x, z and a hinge about y, frictionless spheres of 1 mm at its two
    ends.
    """
    ball = '<geom type="sphere" size="0.001" pos="{} 0 0" contype="1" conaffinity="2" condim="1"/>'
    body, end = "", ""
    for i in range(n):
        place = "0 0 1.001" if i == 0 else "1 0 0"
        root = '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>' if i == 0 else ""
        tips = (ball.format(0) if i == 0 else "") + (ball.format(1) if i == n - 1 else "")
        body += (
            f'<body pos="{place}">{root}<joint type="hinge" axis="0 -1 0"/><inertial pos="0.5 0 0" mass="1" '
            f'diaginertia="{1 / 12} {1 / 12} {1 / 12}"/>{tips}'
        )
        end += "</body>"
    return (
        '<mujoco><option timestep="0.001" gravity="0 0 -9.81"/><worldbody>'
        f'<geom type="plane" size="500 500 1" contype="2" conaffinity="1" condim="1"/>{body}{end}</worldbody></mujoco>'
    )


def chains(repeat):
    print("2. free chain of 128 rods, contacts at both ends, 2 s, 2,000 steps")
    model, times = mc.load("chain", n=128), {}
    for dynamics in ("aba", "dca", "dense"):
        simulate(model, duration=0.01, dynamics=dynamics)
        times[dynamics] = quickest(
            lambda dynamics=dynamics: simulate(model, duration=2.0, dynamics=dynamics), repeat
        )
    try:
        import mujoco
    except ImportError:
        pass
    else:
        peer = mujoco.MjModel.from_xml_string(mujoco_chain(128))

        def steps():
            data = mujoco.MjData(peer)
            for _ in range(2000):
                mujoco.mj_step(peer, data)

        times[f"MuJoCo {mujoco.__version__}"] = quickest(steps, repeat)
    for name, taken in times.items():
        print(
            f"   {name:14s} {taken:8.4f} s = {taken / 2000 * 1e6:6.1f} us per step, {taken / times['aba']:6.1f} times aba"
        )


def formulations(duration, repeat):
    print(
        f"3. `os` against `nmc/os`, both compiled, pendulum with self-collision, {duration:g} s in steps of 1 ms"
    )
    print("   links   rows os, nmc/os        os      nmc/os   ratio   published   largest dq")
    for n in (3, 6, 12, 15, 24, 30):
        model = mc.load("pendulum", n=n, collide=1)
        runs = [simulate(model, duration=duration, formulation=name) for name in ("os", "nmc/os")]
        times = [
            quickest(
                lambda model=model, name=name: simulate(model, duration=duration, formulation=name), repeat
            )
            for name in ("os", "nmc/os")
        ]
        print(
            f"   {n:5d}   {runs[0].lcp_size.max():7d} {runs[1].lcp_size.max():7d} {times[0]:9.4f} s {times[1]:9.4f} s"
            f" {times[1] / times[0]:7.1f} {PUBLISHED[n]:10.2f}   {np.abs(runs[0].q - runs[1].q).max():.1e}"
        )


def creep():
    print("4. block on a slope just below its friction angle, 10 s in steps of 1 ms")
    run = simulate(mc.load("block", slope=0.999 * math.atan(0.5), mu=0.5), duration=10.0)
    print(f"   creep {np.abs(run.q[-1] - run.q[0]).max() / 10 * 1e6:.1e} micrometres per second")


def pile(n):
    """Discs (friction 0.4) above each other in a box 1.2 m wide, and where they are when all have come to rest."""
    builder, start, rng = mc.Builder("pile"), [], np.random.default_rng(1)
    for i in range(n):
        joint = mc.planar(f"x{i}", f"y{i}", f"t{i}")
        builder.body(f"d{i}", parent="world", joint=joint, mass=1, inertia=0.5 * 0.1**2)
        start += [rng.uniform(-0.25, 0.25), 0.15 + 0.25 * i, 0.0]
        builder.contact(f"f{i}", f"d{i}", type="disc", radius=0.1, mu=0.4)
        for side, x, tilt in (("l", -0.6, -math.pi / 2), ("r", 0.6, math.pi / 2)):
            wall = {"origin": (x, 0), "tilt": tilt}
            builder.contact(f"{side}{i}", f"d{i}", type="disc", radius=0.1, mu=0.4, wall=wall)
        for k in range(i):
            other = {"other": f"d{k}", "other_radius": 0.1}
            builder.contact(f"p{k}_{i}", f"d{i}", type="disc_disc", radius=0.1, mu=0.4, **other)
    return builder.build(), start


def mujoco_pile(n):
    """The same discs as spheres that move in the plane x-z, pyramidal friction in that plane."""
    spheres = "".join(
        f'<body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint type="hinge" axis="0 -1 0"/>'
        f'<inertial pos="0 0 0" mass="1" diaginertia="{0.5 * 0.1**2} {0.5 * 0.1**2} {0.5 * 0.1**2}"/>'
        '<geom type="sphere" size="0.1" friction="0.4 0 0" condim="3"/></body>'
        for _ in range(n)
    )
    walls = "".join(
        f'<geom type="plane" size="50 50 1" pos="{x} 0 0" euler="0 {turn} 0" friction="0.4 0 0"/>'
        for x, turn in ((0.0, 0), (-0.6, 90), (0.6, -90))
    )
    option = '<option timestep="0.001" gravity="0 0 -9.81"/><size memory="50M"/>'
    return f"<mujoco>{option}<worldbody>{walls}{spheres}</worldbody></mujoco>"


def piles(repeat, steps=500):
    print(f"5. discs in a box, friction 0.4, fallen and at rest: us per step, {steps} steps of 1 ms")
    for n in (20, 40):
        model, start = pile(n)
        fallen = simulate(model, start, duration=2.0 + 0.1 * n)
        rest = fallen.q[-1], fallen.v[-1]
        still = simulate(model, *rest, duration=steps * 1e-3, check_state=False)
        ours = quickest(
            lambda model=model, rest=rest: simulate(model, *rest, duration=steps * 1e-3, check_state=False),
            repeat,
        )
        loaded = sum(letter != "S" for letter in still.modes[-1])
        line = f"   {n} discs, {loaded:3d} loaded contacts: simulate {1e6 * ours / steps:6.1f}"
        try:
            import mujoco
        except ImportError:
            print(line)
            continue
        peer = mujoco.MjModel.from_xml_string(mujoco_pile(n))
        data = mujoco.MjData(peer)
        data.qpos[:] = rest[0]
        for _ in range(1000):  # it sinks in a little
            mujoco.mj_step(peer, data)

        def step_on(peer=peer, data=data):
            for _ in range(steps):
                mujoco.mj_step(peer, data)

        theirs = quickest(step_on, repeat)
        print(
            f"{line}, MuJoCo {mujoco.__version__} {1e6 * theirs / steps:6.1f} ({data.ncon} contacts), ratio {ours / theirs:.2f}"
        )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--long", action="store_true")
    options = parser.parse_args()
    start = time.process_time()
    simulate(mc.load("block"), duration=0.01)
    print(f"first use: {time.process_time() - start:.2f} s of CPU")
    against_mujoco(options.repeat)
    chains(options.repeat)
    formulations(2.0 if options.long else 0.3, options.repeat)
    creep()
    piles(options.repeat)


if __name__ == "__main__":
    main()
