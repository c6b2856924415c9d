"""What `benchmarks/core.py` times, on one side: started by it with an interpreter and a checkout of that side.

Reads the name of a job per line from standard input and answers with one line of JSON: the CPU seconds of one unit of the
job. Every name is tried in the compiled core first and among the numba kernels of old checkouts otherwise.
"""

import json
import sys
import time

import numpy as np

import modecontrol as mc

try:
    from modecontrol._core import lcp
    from modecontrol._core.polytopes import maximize_batch, minimal_batch, project, project_batch
    from modecontrol.trials.rhex.flip import fly
    from modecontrol.trials.rhex.observer import RHexObserver
except ImportError:  # the numba version
    from modecontrol._kernels.bases import scratch
    from modecontrol._kernels.elimination import project, project_batch
    from modecontrol._kernels.lemke import lemke_core
    from modecontrol._kernels.redundancy import minimal_batch
    from modecontrol._kernels.simplex import maximize_batch
    from modecontrol.trials.flip import fly

    from modecontrol.trials.rhex import RHexObserver

    lcp = None


def spent(work, units=1):
    """CPU seconds of one unit of `work()`."""
    begin = time.process_time()
    work()
    return (time.process_time() - begin) / units


# Polytopes
# ------------------------------------------------------------------------------------------


def sets(count, m, d):
    """Sets around the origin: directions on the sphere, distances near one; stacked, and one by one."""
    rng = np.random.default_rng(1)
    A = rng.normal(size=(count, m, d))
    A /= np.linalg.norm(A, axis=2, keepdims=True)
    b = 1.0 + rng.random((count, m))
    return A, b, rng.normal(size=(count, d))


def stacked(A, b):
    count, m, d = A.shape
    ends = np.arange(count + 1) * m
    return A.reshape(-1, d), b.ravel(), np.zeros((0, d)), np.zeros(0), ends, np.zeros(count + 1, np.int64)


def linear_programs():
    A, b, c = sets(4000, 8, 3)
    return lambda: spent(lambda: maximize_batch(c, *stacked(A, b)), 4000)


def minimal_rows(away=0.0):
    A, b, c = sets(1000, 20, 5)
    b = b + away * np.einsum("kij,kj->ki", A, c)
    return lambda: spent(lambda: minimal_batch(*stacked(A, b)), 1000)


def projections(batched=True):
    A, b, _ = sets(100, 12, 5)
    keep, none = np.arange(5) < 3, (np.zeros((0, 5)), np.zeros(0))
    flat = stacked(A, b)
    if batched:
        return lambda: spent(lambda: project_batch(*flat[:4], keep, *flat[4:]), 100)
    return lambda: spent(lambda: [project(A[i], b[i], *none, keep) for i in range(100)], 100)


def block_elimination():
    """The projections by cdd, without removing the rows that are redundant."""
    import cdd

    A, b, _ = sets(100, 12, 5)
    rows = np.concatenate([b[:, :, None], -A], axis=2)

    def work():
        for one in rows:
            cdd.block_elimination(cdd.matrix_from_array(one, rep_type=cdd.RepType.INEQUALITY), {4, 5})

    return lambda: spent(work, 100)


# Modes and thrust
# ------------------------------------------------------------------------------------------


def response(name, **parameters):
    model = mc.load(name, **parameters)
    snapshot = model.snapshot(model.start)
    return lambda: min(spent(lambda: mc.dynamic_response(snapshot)) for _ in range(20))


def controller():
    """The median over the states of a flip, which this side flies itself unless `states` were given."""
    model = mc.load("rhex", mu_toe=0.6)
    options = {"task": "body.normal >= 10", "v0": (0.001, 0.08, 0.001, 0.001)}
    chosen = mc.MaximalThrust(model, "alpha", observe=RHexObserver.of(model), **options)
    states = np.load(STATES[0])

    def replay():
        chosen.reset()
        return float(np.median([spent(lambda s=s: chosen(0.0, s[:6], s[6:])) for s in states]))

    return replay


STATES = []


def save_states(file):
    """The states of a flip at which its controller was asked, for both sides."""
    flip = fly("new", 0.6)
    path, step = flip.trajectory, flip.trajectory.time[1] - flip.trajectory.time[0]
    asked = [round(d.time / step) for d in flip.controller.decisions if d.mode is not None or d.fallback]
    np.save(file, np.hstack([path.q[asked], path.v[asked]]))


# Simulation
# ------------------------------------------------------------------------------------------


def contact_problem(rng, k, regular):
    """A planar contact problem with friction: many freedoms, or one body on many points."""
    n = 2 * k + 3 if regular else 3
    G, x, one, none = rng.normal(size=(n, n)), rng.uniform(-1, 1, k), np.ones(k), np.zeros(k)
    mass = G @ G.T / n + 0.1 * np.eye(n) if regular else np.diag([8.0, 8.0, 0.3])
    Jn = rng.normal(size=(k, n)) if regular else np.column_stack([none, one, x])
    Jt = rng.normal(size=(k, n)) if regular else np.column_stack([one, none, 0.5 * one])
    X = np.vstack([Jn, Jt, -Jt])
    one, none = np.eye(k), np.zeros((k, k))
    mu = np.diag(rng.uniform(0.2, 1.0, k))
    M = np.block([[X @ np.linalg.solve(mass, X.T), np.vstack([none, one, one])], [mu, -one, -one, none]])
    return M, np.concatenate([X @ rng.normal(size=n), np.zeros(k)])


def lemke(regular, k=8):
    rng = np.random.default_rng(0)
    problems, n = [contact_problem(rng, k, regular) for _ in range(200)], 4 * k
    if lcp is not None:
        ws = lcp.Workspace(n)
        return lambda: spent(
            lambda: [lcp.lemke_into(ws, M, q, n, False, 10_000) for M, q in problems], len(problems)
        )
    tableau, order, rows = scratch(n)
    z, w, active = np.zeros(n), np.zeros(n), np.zeros(n, bool)
    room = active, z, w, tableau, order, rows
    return lambda: spent(
        lambda: [lemke_core(M, q, n, False, *room, 10_000, 0) for M, q in problems], len(problems)
    )


def solve_lcp(k=4):
    rng = np.random.default_rng(0)
    problems = [contact_problem(rng, k, True) for _ in range(100)]
    return lambda: spent(lambda: [mc.solve_lcp(M, q) for M, q in problems], len(problems))


def steps(name, duration, **parameters):
    """One step of 1 ms."""
    model = mc.load(name, **parameters)
    return lambda: spent(lambda: mc.simulate(model, duration=duration), round(1e3 * duration))


JOBS = {
    "linear programs 8 x 3, batched": linear_programs,
    "minimal rows 20 x 5, batched": minimal_rows,
    "minimal rows, origin outside": lambda: minimal_rows(3.0),
    "projections 12 x 5 to 3, batched": projections,
    "projections, one call each": lambda: projections(batched=False),
    "cdd block elimination": block_elimination,
    "response of two_link": lambda: response("two_link"),
    "response of RHex at rest": lambda: response("rhex", mu_toe=0.39),
    "response of a snake of 4 links": lambda: response("snake", n=4),
    "controller over a flip, median": controller,
    "Lemke, 8 contacts": lambda: lemke(True),
    "Lemke, 8 contacts on one body": lambda: lemke(False),
    "solve_lcp, 4 contacts": solve_lcp,
    "pendulum of 30 balls, a step": lambda: steps("pendulum", 1.0, n=30),
    "the same, balls collide": lambda: steps("pendulum", 1.0, n=30, collide=1),
    "chain of 128 rods, a step": lambda: steps("chain", 0.2, n=128),
}


def main():
    ready = {}
    for line in sys.stdin:
        name, _, argument = line.rstrip("\n").partition("\t")
        if name == "save states":
            save_states(argument)
            took = 0.0
        elif name == "use states":
            STATES[:] = [argument]
            took = 0.0
        else:
            if name not in ready:
                ready[name] = JOBS[name]()
                ready[name]()  # loads or compiles what it needs
            took = ready[name]()
        print(json.dumps(took), flush=True)


if __name__ == "__main__":
    main()
