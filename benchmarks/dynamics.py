"""Snapshots; forward dynamics beside MuJoCo's and Pinocchio's own, in one run.

    python benchmarks/dynamics.py [--repeat 9] [--sizes 6 30 128]

Times are medians over repeats of the mean of a burst, in one thread, called from Python (every engine pays
for its own binding). Ratios above one mean that this library is quicker. Without mujoco or pinocchio (`pip
install mujoco pin`) their columns stay empty. Peers are three-dimensional: they do more work per body, which
is the point of a planar library.

`qdd` is forward dynamics (articulated bodies); `M, b` is mass matrix and bias (ours: the whole snapshot
kernel with its new arrays, since that is what people call); MuJoCo's `mj_forward` with contacts and
constraints switched off stands for both, as it computes them together.
"""

import argparse
import time
from statistics import median

import numpy as np

from modecontrol.dynamics.library import load
from modecontrol.dynamics.mechanism import WORLD, Body, Joint, Mechanism
from modecontrol.dynamics.model import Model


def timed(call, repeat, burst=None):
    """Microseconds per call."""
    call()
    if burst is None:
        start = time.perf_counter()
        for _ in range(20):
            call()
        burst = max(1, int(0.01 / ((time.perf_counter() - start) / 20)))
    found = []
    for _ in range(repeat):
        start = time.perf_counter()
        for _ in range(burst):
            call()
        found.append((time.perf_counter() - start) / burst)
    return median(found) * 1e6


def snapshots(repeat):
    for name, parameters in (("rhex", {}), ("pendulum", {"n": 30})):
        model = load(name, **parameters)
        q, v = model.start, np.zeros(len(model.coordinates))
        took = timed(lambda model=model, q=q, v=v: model.snapshot(q, v), repeat)
        print(f"snapshot {name:10s} n = {len(q):3d}, {len(model.contacts):3d} contacts {took:10.1f} us")


def chain(n):
    """`n` hinged rods of length and mass 1, hanging from the world."""
    return Model(
        Mechanism(
            "chain",
            tuple(
                Body(
                    f"b{i}",
                    WORLD if i == 0 else f"b{i - 1}",
                    Joint("revolute", (f"q{i}",), at=(0.0, 0.0) if i == 0 else (1.0, 0.0)),
                    mass=1.0,
                    inertia=1 / 12,
                    com=(0.5, 0.0),
                )
                for i in range(n)
            ),
        )
    )


def ours(model, q, v, repeat):
    from modecontrol._core import dynamics as core

    mechanism, zero = model.tree.core, np.zeros(len(q))
    forward = timed(lambda: core.accelerations(mechanism, q, v, zero, zero), repeat)
    both = timed(lambda: core.snapshot(mechanism, q, v), repeat)
    return forward, both, core.accelerations(mechanism, q, v, zero, zero)[1]


def mujoco_forward(n, q, v, repeat):
    import mujoco

    rod = (
        '<body pos="{x} 0 0"><joint type="hinge" axis="0 0 1"/><inertial pos="0.5 0 0" mass="1" '
        'diaginertia="1e-6 {i} {i}"/>'
    )
    bodies = "".join(rod.format(x=0 if k == 0 else 1, i=1 / 12) for k in range(n)) + "</body>" * n
    engine = mujoco.MjModel.from_xml_string(
        '<mujoco><compiler balanceinertia="true"/><option gravity="0 -9.81 0"><flag contact="disable" '
        f'constraint="disable"/></option><worldbody>{bodies}</worldbody></mujoco>'
    )
    data = mujoco.MjData(engine)
    data.qpos[:], data.qvel[:] = q, v
    took = timed(lambda: mujoco.mj_forward(engine, data), repeat)
    return took, data.qacc.copy()


def pinocchio_forward(n, q, v, repeat):
    import pinocchio as pin

    engine, parent = pin.Model(), 0
    engine.gravity.linear = np.array([0.0, -9.81, 0.0])
    for k in range(n):
        at = pin.SE3(np.eye(3), np.array([0.0 if k == 0 else 1.0, 0.0, 0.0]))
        parent = engine.addJoint(parent, pin.JointModelRZ(), at, f"q{k}")
        rod = pin.Inertia(1.0, np.array([0.5, 0.0, 0.0]), np.diag([1e-6, 1 / 12, 1 / 12]))
        engine.appendBodyToJoint(parent, rod, pin.SE3.Identity())
    data, zero = engine.createData(), np.zeros(n)

    def both():
        pin.crba(engine, data, q)
        pin.nonLinearEffects(engine, data, q, v)

    forward = timed(lambda: pin.aba(engine, data, q, v, zero), repeat)
    return forward, timed(both, repeat), pin.aba(engine, data, q, v, zero)


def attempt(function, *arguments):
    try:
        return function(*arguments)
    except ImportError:
        return None


def peers(sizes, repeat):
    print(
        "\nmicroseconds per call        ours        mujoco (ratio)     pinocchio (ratio)    largest difference"
    )
    for n in sizes:
        q, v = np.random.default_rng(n).normal(size=(2, n))
        forward, both, qdd = ours(chain(n), q, v, repeat)
        m, p = attempt(mujoco_forward, n, q, v, repeat), attempt(pinocchio_forward, n, q, v, repeat)
        scale = np.abs(qdd).max()
        off = [np.abs(found[-1] - qdd).max() / scale for found in (m, p) if found]
        rows = (("qdd", forward, (m and m[0], p and p[0])), ("M, b", both, (m and m[0], p and p[1])))
        for name, mine, theirs in rows:
            columns = "".join(
                f"{t:10.2f} ({t / mine:6.2f})  " if t else "         -           " for t in theirs
            )
            print(f"chain n = {n:3d}  {name:5s} {mine:14.2f}  {columns} {max(off, default=0.0):14.1e}")


def methods(sizes, repeat):
    from modecontrol.dynamics.forward_dynamics import solve

    print("\nsolve M x = r, microseconds     aba         dca       dense     dense / aba")
    for n in sizes:
        model = chain(n)
        q, r = np.random.default_rng(n).normal(size=(2, n))
        took = [
            timed(lambda way=way, model=model, q=q, r=r: solve(model, q, r[None], way), repeat)
            for way in ("aba", "dca", "dense")
        ]
        print(
            f"chain n = {n:3d}           "
            + "".join(f"{t:12.1f}" for t in took)
            + f"{took[2] / took[0]:12.1f}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--sizes", type=int, nargs="+", default=[6, 30, 128])
    options = parser.parse_args()
    snapshots(options.repeat)
    peers(options.sizes, options.repeat)
    methods(options.sizes, options.repeat)


if __name__ == "__main__":
    main()
