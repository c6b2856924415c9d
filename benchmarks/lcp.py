"""Planar contact LCPs: this library's Lemke method beside quantecon's `lcp_lemke`, in one run.

    python benchmarks/lcp.py [--problems 100] [--repeat 7]

Two families: `regular` (more freedoms than contact rows) and `redundant` (one body on many points). Each
problem is solved several times by each solver in turn and its quickest time kept; medians over the problems
are printed, with the ratio (above one: this library is quicker) and the number of right answers. `warm`
starts from the right basis, as the steps of a simulation mostly do; `solve_lcp` is the checked door with all
that Python adds.
"""

import argparse
import time

import numpy as np

from modecontrol._core import lcp as core
from modecontrol.timestepping import solve_lcp

try:
    from quantecon.optimize import lcp_lemke
except ImportError:
    lcp_lemke = None


def problem(rng, k, family):
    if family == "regular":
        n = 2 * k + 3
        G = rng.normal(size=(n, n))
        mass, Jn, Jt = G @ G.T / n + 0.1 * np.eye(n), rng.normal(size=(k, n)), rng.normal(size=(k, n))
    else:
        n = 3
        x, one, none = rng.uniform(-1, 1, k), np.ones(k), np.zeros(k)
        mass = np.diag([8.0, 8.0, 0.3])
        Jn, Jt = np.column_stack([none, one, x]), np.column_stack([one, none, 0.5 * one])
    X = np.vstack([Jn, Jt, -Jt])
    one, none = np.eye(k), np.zeros((k, k))
    mu = np.diag(rng.uniform(0.2, 1.0, k))
    M = np.block([[X @ np.linalg.solve(mass, X.T), np.vstack([none, one, one])], [mu, -one, -one, none]])
    return M, np.concatenate([X @ rng.normal(size=n), np.zeros(k)])


def right(M, q, z):
    w = M @ z + q
    size = np.abs(M) @ np.abs(z) + np.abs(q)
    floor = 1e-8 * size.max()
    return bool(
        (z >= -1e-9 * max(1.0, z.max())).all() and (w >= -floor).all() and (np.minimum(z, w) <= floor).all()
    )


def quickest(call, repeat):
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times) * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--problems", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=7)
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    start = time.perf_counter()
    solve_lcp(np.eye(2), [-1, -1])
    print(f"first call: {time.perf_counter() - start:.2f} s")
    header = "family contacts cold right warm solve_lcp quantecon right ratio warm-ratio"
    print("microseconds, medians;", options.problems, "problems of each size")
    print("".join(f"{name:>13s}" for name in header.split()))
    for family in ("regular", "redundant"):
        for k in (1, 2, 4, 8, 16, 32):
            n = 4 * k
            ws = core.Workspace(n)
            columns = {name: [] for name in ("cold", "warm", "door", "peer")}
            good = peer_good = 0
            for _ in range(options.problems):
                M, q = problem(rng, k, family)

                def run(guess, M=M, q=q, n=n, ws=ws):
                    return core.lemke_into(ws, M, q, n, guess, 10_000)

                if lcp_lemke is not None:
                    peer_good += right(M, q, lcp_lemke(M, q).z)
                    columns["peer"].append(quickest(lambda M=M, q=q: lcp_lemke(M, q), options.repeat))
                columns["cold"].append(quickest(lambda run=run: run(False), options.repeat))
                good += right(M, q, ws.z)
                columns["warm"].append(quickest(lambda run=run: run(True), options.repeat))
                columns["door"].append(quickest(lambda M=M, q=q: solve_lcp(M, q), options.repeat))
            cold, warm, door, peer = (np.median(columns[c]) if columns[c] else np.nan for c in columns)
            print(
                f"{family:>13s}{k:13d}{cold:13.1f}{good:13d}{warm:13.1f}{door:13.1f}{peer:13.1f}{peer_good:13d}"
                f"{peer / cold:13.2f}{peer / warm:13.2f}"
            )


if __name__ == "__main__":
    main()
