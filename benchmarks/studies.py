"""Studies and closed loops: how long, how much of it is overhead, what two workers gain.

    python benchmarks/studies.py --states 2000 --study 2000 --flips 3

1. a flip with the controller in Python and in the core (time of this process, the same run to the last bit)
2. rest states of RHex, contact modes and guaranteed thrust: time of the processor per state, and what a
   million of them come to
3. the same study with one and with two worker processes: elapsed time, and time of all processors together.
   Elapsed time means something only on a machine that does nothing else; the ratio of processor times is what
   the second worker costs on any machine
4. torque maps: states per second in Python and in the core
"""

import argparse
import importlib
import resource
import time

import numpy as np

import modecontrol as mc
from modecontrol.studies import map_thrust
from modecontrol.studies.chunks import evaluate
from modecontrol.studies.designs import as_design
from modecontrol.studies.study import make_recipe
from modecontrol.trials.rhex.flip import fly
from modecontrol.trials.rhex.observer import RHexObserver, at_rest

simulation = importlib.import_module("modecontrol.timestepping.simulate")
TASK = "body.normal >= 10"


def grid(side):
    return {"mu_toe": np.linspace(0.2, 1.0, side), "alpha": np.linspace(0.0, 1.2, side)}


def in_python(function):
    """Call a function with the closed loop in Python."""
    kept, simulation.closed_loop = simulation.closed_loop, lambda *_: None
    try:
        return function()
    finally:
        simulation.closed_loop = kept


def timed(function, repeat):
    """Least processor time (s) of several calls, and the last answer."""
    times = []
    for _ in range(repeat):
        begin = time.process_time()
        answer = function()
        times.append(time.process_time() - begin)
    return min(times), answer


def flips(repeat):
    print(
        "1. one flip, ms of processor time\n   controller   friction   in Python   in the core   ratio   same bits"
    )
    for kind, mu in (("new", 0.6), ("new", 0.39), ("blind", 0.6), ("blind", 0.39)):
        fly(kind, mu)
        slow, a = in_python(lambda kind=kind, mu=mu: timed(lambda: fly(kind, mu), repeat))
        quick, b = timed(lambda kind=kind, mu=mu: fly(kind, mu), repeat)
        same = a.trajectory.q.tobytes() == b.trajectory.q.tobytes()
        print(
            f"   {kind:10}   {mu:8.2f}   {1e3 * slow:9.1f}   {1e3 * quick:11.1f}   {slow / quick:5.1f}   {same}"
        )


def states(count):
    design = as_design(grid(1000))
    recipe = make_recipe(
        "rhex", design, ["modes", "thrust"], objective="alpha", place=at_rest, options={"task": TASK}
    )
    block = 200
    firsts = np.random.default_rng(0).integers(0, len(design) // block, max(1, count // block)) * block
    evaluate(recipe, 0, design.block(0, 20))
    begin, missing = time.process_time(), 0
    for first in firsts:
        found = evaluate(recipe, int(first), design.block(first, first + block))
        missing += sum(map(bool, found["reason"]))
    done = block * len(firsts)
    each = (time.process_time() - begin) / done
    print(
        f"\n2. {done} of a million rest states: {1e3 * each:.3f} ms of processor time each, {missing} without an answer"
    )
    print(f"   a million on two processors: {1e6 * each / 2 / 60:.1f} minutes")


def used():
    """Processor time of all workers that have ended, and of this process (s)."""
    parts = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(part.ru_utime + part.ru_stime for part in parts)


def speed_up(count):
    side, figures = int(np.sqrt(count)), []
    for workers in (1, 2):
        spent, begin = used(), time.perf_counter()
        mc.study(
            "rhex",
            grid(side),
            ["modes", "thrust"],
            objective="alpha",
            task=TASK,
            place=at_rest,
            executor=workers,
            chunk=100,
        )
        figures.append((time.perf_counter() - begin, used() - spent))
    (one, cost_of_one), (two, cost_of_two) = figures
    print(
        f"\n3. {side**2} states: {one:.1f} s with one process, {two:.1f} s with two; speed-up {one / two:.2f}"
    )
    print(f"   processor time of all: {cost_of_one:.1f} s and {cost_of_two:.1f} s, so that on two free")
    print(f"   processors the speed-up is {2 * cost_of_one / cost_of_two:.2f}")


def maps(side):
    model = mc.load("rhex", mu_toe=0.6)
    observe = RHexObserver.of(model)
    controller = mc.MaximalThrust(model, "alpha", task=TASK, observe=observe)
    plain = mc.MaximalThrust(model, "alpha", task=TASK, observe=lambda t, q, v: observe(t, q, v))
    axes = {"q": {"alpha": np.linspace(0, 1.2, side)}, "v": {"alpha": np.linspace(0, 4, side)}}
    slow, a = timed(lambda: map_thrust(plain, **axes), 1)
    quick, b = timed(lambda: map_thrust(controller, **axes, threads=1), 1)
    same = a.torque.tobytes() == b.torque.tobytes()
    print(
        f"\n4. torque map of {side**2} states: {side**2 / slow:.0f} per second of processor time in Python, "
        f"{side**2 / quick:.0f} in the core ({slow / quick:.1f} times; the same bits: {same})"
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--states", type=int, default=2000)
    parser.add_argument("--study", type=int, default=2000)
    parser.add_argument("--flips", type=int, default=3)
    parser.add_argument("--map", type=int, default=40)
    args = parser.parse_args()
    flips(args.flips)
    states(args.states)
    speed_up(args.study)
    maps(args.map)


if __name__ == "__main__":
    main()
