"""Contact modes: this library beside the pipeline that one would write today, in one run.

    python benchmarks/modes.py [--repeat 30] [--links 8] [--instants 10000]

First sizes: kinematic enumeration with many contacts, the complete dynamic response of a snake. Then RHex at
rest (4 contacts, all 256 combinations alive): modes, responses, minimal domains and torque sets, beside
numpy's SVD, one `scipy.optimize.linprog` for the strictness of a mode and one per row for redundancy, and cdd
for the projection. Medians of CPU time in one process; the two answers are compared.
"""

import argparse
import time
from contextlib import contextmanager
from itertools import product

import cdd
import numpy as np
from scipy.optimize import linprog

import modecontrol as mc
from modecontrol._core import modes as core
from modecontrol.modes.problem import Problem
from modecontrol.trials.rhex.observer import RHexObserver

STRICT = 1e-7


def median(call, repeat):
    """Median CPU time in milliseconds."""
    call()
    times = []
    for _ in range(repeat):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return 1e3 * float(np.median(times))


def body(x, y):
    """One planar body on floor points."""
    k = len(x)
    J = np.zeros((2 * k, 3))
    J[0::2] = np.column_stack([np.zeros(k), np.ones(k), x])
    J[1::2] = np.column_stack([np.ones(k), np.zeros(k), -np.asarray(y)])
    return mc.Snapshot(
        mass=np.diag([2.0, 2.0, 0.3]),
        bias=[0, 19.62, 0],
        actuation=np.eye(3),
        jacobian=J,
        drift=np.zeros(2 * k),
        friction=np.full(k, 0.5),
        velocity=np.zeros(2 * k),
    )


def ring(k):
    """One planar body with contacts on a ring of walls that point all ways."""
    angles = np.linspace(0, np.pi, k)
    J = np.zeros((2 * k, 3))
    for i, a in enumerate(angles):
        point = 0.3 * np.array([np.cos(2 * a), np.sin(3 * a)])
        n, t = np.array([np.cos(a), np.sin(a)]), np.array([np.sin(a), -np.cos(a)])
        J[2 * i] = *n, point[0] * n[1] - point[1] * n[0]
        J[2 * i + 1] = *t, point[0] * t[1] - point[1] * t[0]
    return mc.Snapshot(
        mass=np.eye(3),
        bias=np.zeros(3),
        actuation=np.eye(3),
        jacobian=J,
        drift=np.zeros(2 * k),
        friction=np.full(k, 0.5),
        velocity=np.zeros(2 * k),
    )


# The pipeline of today
# ------------------------------------------------------------------------------------------


def today(problem):
    """Modes with their responses, minimal domains and torque sets, by numpy, scipy and cdd."""
    answers = {}
    inputs = problem.snapshot.actuation.shape[1]
    for letters in product("FLRS", repeat=problem.snapshot.contacts):
        mode = "".join(letters)
        system = problem.system(mode)
        U, values, Vt = np.linalg.svd(system.A * system.units)
        rank = int(np.sum(values > 1e-9 * values[0]))
        inverse = (Vt[:rank].T / values[:rank]) @ U[:, :rank].T * system.units[:, None]
        null = Vt[rank:].T * system.units[:, None]
        left = U[:, rank:].T
        # (tau, w): G (inverse (B tau + c) + null w) >= E tau + e, and left (B tau + c) = 0
        A = -np.hstack([system.G @ inverse @ system.B - system.E, system.G @ null])
        b = -(system.e - system.G @ inverse @ system.c)
        C = np.hstack([left @ system.B, np.zeros((len(left), null.shape[1]))])
        d = -left @ system.c
        C, d = C[np.abs(C).max(axis=1, initial=0) > 1e-9], d[np.abs(C).max(axis=1, initial=0) > 1e-9]
        if np.any(np.abs(left @ system.c)[np.abs(left @ system.B).max(axis=1, initial=0) <= 1e-9] > 1e-8):
            continue
        slack = np.append(np.zeros(A.shape[1]), -1.0)
        widened = np.hstack([A, system.strict[:, None].astype(float)])
        found = linprog(
            slack,
            widened,
            b,
            np.hstack([C, np.zeros((len(C), 1))]),
            d,
            bounds=[(None, None)] * A.shape[1] + [(None, 1.0)],
        )
        if found.status != 0 or -found.fun <= STRICT:
            continue
        keep = reduced(A, b, C, d)
        torques = projected(A[keep], b[keep], C, d, inputs) if null.shape[1] else (A[keep], b[keep], C, d)
        answers[mode] = (inverse @ system.B, null, torques)
    return answers


def reduced(A, b, C, d):
    """Rows that can be violated while the others hold, one program per row."""
    keep = list(range(len(b)))
    for i in range(len(b)):
        others = [j for j in keep if j != i]
        bounded, level = np.vstack([A[others], A[i]]), np.append(b[others], b[i] + 1.0)
        found = linprog(-A[i], bounded, level, C, d, bounds=(None, None))
        if found.status == 0 and -found.fun <= b[i] + 1e-9:
            keep = others
    return keep


def projected(A, b, C, d, inputs):
    """Block elimination of w by cdd, then redundancy by cdd."""
    rows = [[h, *(-a)] for a, h in zip(A, b, strict=True)] + [[h, *(-a)] for a, h in zip(C, d, strict=True)]
    matrix = cdd.matrix_from_array(rows, lin_set=range(len(b), len(rows)), rep_type=cdd.RepType.INEQUALITY)
    eliminated = cdd.block_elimination(matrix, range(inputs + 1, A.shape[1] + 1))
    cdd.matrix_canonicalize(eliminated)
    return np.array(eliminated.array), eliminated.lin_set


def many(model, instants):
    """Complete responses of RHex at rest at many pitches, its corner and toes on the ground, on one thread
    and on two.

    Elapsed time means something only on a machine that does nothing else. On two free processors it would be the processor
    time of the busier thread: of the one that asks, which also does what is serial, or of the other after that.
    """
    observe = RHexObserver.of(model)
    snapshots = []
    for pitch in np.random.default_rng(0).uniform(0.0, 0.3, size=instants):
        q = np.array(model.start)
        q[2] = pitch
        snapshots.append(model.snapshot(observe(0.0, q, np.zeros(6))[0]))
    clocks = time.perf_counter, time.process_time, time.thread_time
    spent = {}
    for threads in (1, 2):
        with in_the_core() as inside:
            begin = np.array([clock() for clock in clocks])
            modes = sum(
                len(response.leaves.letters) for response in mc.dynamic_responses(snapshots, threads=threads)
            )
            spent[threads] = np.array([clock() for clock in clocks]) - begin
    (wall, alone, _), (wall_of_two, both, asking) = spent[1], spent[2]
    other, outside = both - asking, asking - sum(inside)
    print(
        f"  {instants} instants, {modes} modes: {wall:.2f} s on one thread, {wall_of_two:.2f} s on two (wall), "
        f"ratio {wall / wall_of_two:.2f}"
    )
    print(f"  processor time: {alone:.2f} s on one thread; on two {asking:.2f} s in the one that asks,")
    print(
        f"  {outside:.2f} s of it outside the core, and {other:.2f} s in the other: on two free processors "
        f"ratio {alone / max(asking, outside + other):.2f}"
    )


@contextmanager
def in_the_core():
    """The processor time of this thread in each call of the core, in a list."""
    times, respond = [], core.respond_many

    def timed(*arguments):
        begin = time.thread_time()
        found = respond(*arguments)
        times.append(time.thread_time() - begin)
        return found

    core.respond_many = timed
    try:
        yield times
    finally:
        core.respond_many = respond


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--repeat", type=int, default=30)
    parser.add_argument("--links", type=int, default=8, help="links of the snake")
    parser.add_argument("--instants", type=int, default=10_000, help="instants for the threads")
    options = parser.parse_args()

    print("kinematic modes")
    for name, snapshot in (
        ("24 contacts on one body, walls all round", ring(24)),
        ("24 scattered contacts on one body", body(np.linspace(-1, 1, 24), 0.1 * np.sin(np.arange(24)))),
        ("32 collinear floor points", body(np.linspace(-1, 1, 32), np.full(32, -0.5))),
    ):
        count = len(mc.kinematic_modes(snapshot))
        print(
            f"  {name:42} {count:5} modes {median(lambda s=snapshot: mc.kinematic_modes(s), options.repeat):9.3f} ms"
        )

    print("dynamic response")
    for links in sorted({2, 4, options.links}):
        model = mc.load("snake", n=links)
        snapshot = model.snapshot(model.start)
        kinematic = len(mc.kinematic_modes(snapshot))
        start = time.process_time()
        response = mc.dynamic_response(snapshot)
        spent = time.process_time() - start
        print(
            f"  snake, {links} links, {links + 1} contacts: {kinematic} kinematic modes, {len(response)} with a domain, "
            f"{response.leaves.programs} programs, {1e3 * spent:.1f} ms"
        )

    print("RHex at rest, 4 contacts, 256 combinations, 3 inputs")
    model = mc.load("rhex", mu_toe=0.39)
    snapshot = model.snapshot(model.start)
    problem = Problem.of(snapshot)
    ours = median(lambda: mc.dynamic_response(snapshot), options.repeat)
    leaves, _ = problem.respond()
    print(
        f"  search {median(lambda: core.list_modes(problem.root), options.repeat):8.3f} ms ({leaves.programs} nodes)"
    )
    print(
        f"  search and responses {median(problem.respond, options.repeat):7.3f} ms ({len(leaves.letters)} modes)"
    )
    print(f"  dynamic_response {ours:9.3f} ms")
    many(model, options.instants)
    start = time.process_time()
    answers = today(problem)
    theirs = 1e3 * (time.process_time() - start)
    found = mc.dynamic_response(snapshot).modes
    print(
        f"  numpy, scipy, cdd {theirs:8.1f} ms, {len(answers)} modes, "
        f"{'the same' if sorted(answers) == found else 'not the same: ' + str(set(answers) ^ set(found))}"
    )
    print(f"  ratio {theirs / ours:.0f}")


if __name__ == "__main__":
    main()
