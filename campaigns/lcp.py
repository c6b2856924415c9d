"""100,000 random planar contact problems through `solve_lcp`, each answer checked by code of its own.

    python campaigns/lcp.py [--problems 100000] [--seed 1] [--kinds piles ...]

Prints, for every kind of problem, how many were solved by which method, how many have no solution, how many
were not solved, and how many answers were wrong (there must be none). Every small problem said to have no
solution is confirmed by enumeration, a sample of them once more by one linear program for each basis.
"""

import argparse
import time
from collections import Counter
from itertools import product

import numpy as np
from kinds_of_piles import pile
from scipy.optimize import linprog

from modecontrol._core import lcp as core
from modecontrol.timestepping import solve_lcp
from modecontrol.timestepping.lcp.solve import METHODS

TOLERANCE = 1e-7
"""Largest error of a right answer, relative to the size of the terms that should cancel."""


def cone(k):
    """The columns of `s` in the rows of `(pn, p1, p2)`."""
    return np.vstack([np.zeros((k, k)), np.eye(k), np.eye(k)])


def condensed(mass, Jn, Jt, mu, free):
    """The contact problem in the impulses `(pn, p1, p2)` and `s`; `free` is the velocity without contact."""
    k = len(mu)
    X = np.vstack([Jn, Jt, -Jt])
    M = np.zeros((4 * k, 4 * k))
    M[: 3 * k, : 3 * k] = X @ np.linalg.solve(mass, X.T)
    M[: 3 * k, 3 * k :] = cone(k)
    M[3 * k :, : 3 * k] = np.hstack([np.diag(mu), -np.eye(k), -np.eye(k)])
    return M, np.concatenate([X @ free, np.zeros(k)]), 0


def kept(mass, Jn, Jt, mu, momentum):
    """The same with the velocities kept as bilateral unknowns, as a singular mass matrix needs it."""
    n, k = mass.shape[0], len(mu)
    X = np.vstack([Jn, Jt, -Jt])
    M = np.zeros((n + 4 * k, n + 4 * k))
    M[:n, :n], M[:n, n : n + 3 * k], M[n : n + 3 * k, :n] = mass, -X.T, X
    M[n : n + 3 * k, n + 3 * k :] = cone(k)
    M[n + 3 * k :, n : n + 3 * k] = np.hstack([np.diag(mu), -np.eye(k), -np.eye(k)])
    return M, np.concatenate([-momentum, np.zeros(4 * k)]), n


def contacts(rng):
    """How many contacts: mostly few, up to 32."""
    chances = [0.2, 0.2, 0.15, 0.15, 0.1, 0.1, 0.04, 0.03, 0.02, 0.01]
    return int(rng.choice([1, 2, 3, 4, 6, 8, 12, 16, 24, 32], p=chances))


def spd(rng, n):
    G = rng.normal(size=(n, n))
    return 10.0 ** rng.uniform(-2, 2) * (G @ G.T / n + 0.1 * np.eye(n))


def regular(rng):
    """As many freedoms as contact rows, or more."""
    k = contacts(rng)
    n = int(rng.integers(2 * k, 2 * k + 6)) + 1
    J = rng.normal(size=(2 * k, n))
    free = 10.0 ** rng.uniform(-4, 1) * rng.normal(size=n)
    return condensed(spd(rng, n), J[:k], J[k:], rng.uniform(0, 1.5, k), free)


def body(points):
    """Contact rows of points `(x, y)` of one planar body on a floor; coordinates (x, y, angle)."""
    one, none = np.ones(len(points)), np.zeros(len(points))
    return np.column_stack([none, one, points[:, 0]]), np.column_stack([one, none, -points[:, 1]])


def redundant(rng):
    """One body on many points of a floor, some of them twice: forces never unique."""
    k = contacts(rng) + 1
    k = min(k, 32)
    points = np.column_stack([rng.uniform(-1, 1, k), np.full(k, rng.uniform(-1, 0))])
    points[rng.integers(k)] = points[rng.integers(k)]
    mass = np.diag([1.0, 1.0, rng.uniform(0.02, 1.0)]) * 10.0 ** rng.uniform(-1, 3)
    slip, turn = rng.normal(size=2) * rng.integers(0, 2, size=2)
    free = np.array([slip, -0.01 * rng.random(), turn])
    return condensed(mass, *body(points), np.full(k, rng.uniform(0, 1.2)), free)


def massless(rng):
    """A body on massless legs with hip torques: the mass matrix has zero rows."""
    k = min(contacts(rng), 16)
    reach = rng.uniform(0.3, 1.0, k)
    Jn, Jt = body(np.column_stack([rng.uniform(-1, 1, k), np.full(k, -0.5)]))
    angle = rng.uniform(-1, 1, k)
    Jn = np.hstack([Jn, np.diag(reach * np.sin(angle))])
    Jt = np.hstack([Jt, np.diag(reach * np.cos(angle))])
    mass = np.diag(np.concatenate([[8.0, 8.0, 0.3], np.zeros(k)]))
    standing = rng.random(k) < 0.8
    standing[0] = True
    torque = rng.normal(size=k) * rng.choice([0.0, 1e-2], size=k) * (standing | (rng.random(k) < 0.05))
    momentum = np.concatenate([mass[:3, :3] @ rng.normal(size=3) * 0.1, torque])
    momentum[2] -= torque.sum()
    return kept(mass, Jn[standing], Jt[standing], rng.uniform(0.1, 1.2, int(standing.sum())), momentum)


def painleve(rng):
    """Sliding rods, accelerations `w = n M^-1 (n + mu t)^T f + b`: no answer, one or several."""
    k = int(rng.integers(1, 5))
    angle = rng.uniform(0, np.pi, k)
    points = np.column_stack([np.cos(angle), -np.sin(angle)]) * rng.uniform(0.5, 2.0)
    mass = np.diag([1.0, 1.0, rng.uniform(0.02, 0.4)])
    Jn, Jt = body(points)
    slip = rng.choice([-1.0, 1.0]) * rng.uniform(0.2, 3.0)
    M = Jn @ np.linalg.solve(mass, (Jn + slip * Jt).T)
    return M, Jn @ np.array([0.0, -9.81, 0.0]) + points[:, 1] * -(rng.uniform(0, 6) ** 2), 0


def painleve_step(rng):
    """The same rods in a time step, which always has an answer."""
    k = int(rng.integers(1, 5))
    angle = rng.uniform(0, np.pi, k)
    points = np.column_stack([np.cos(angle), -np.sin(angle)])
    mass = np.diag([1.0, 1.0, rng.uniform(0.02, 0.4)])
    Jn, Jt = body(points)
    return condensed(mass, Jn, Jt, rng.uniform(0.5, 4.0, k), np.array([rng.normal(), -1e-3, rng.normal()]))


def degenerate(rng):
    """Small integers, zeros and ties: rest, no friction, symmetric feet, contacts counted twice."""
    k = min(contacts(rng), 16)
    n = int(rng.integers(1, 4)) + 2
    J = rng.integers(-1, 2, size=(2 * k, n)).astype(float)
    if k > 1:
        J[1], J[k + 1] = J[0], J[k]
    mass = np.diag(rng.integers(1, 4, size=n)).astype(float)
    free = rng.integers(-1, 2, size=n).astype(float)
    return condensed(mass, J[:k], J[k:], rng.integers(0, 3, k) / 2.0, free)


def piles(rng):
    """Piles of up to 20 discs, most of them hyperstatic."""
    mass, Jn, Jt, mu, free, offset = pile(rng)
    M, q, equalities = condensed(mass, Jn, Jt, mu, free)
    q[: len(mu)] += offset
    return M, q, equalities


KINDS = (regular, redundant, massless, painleve, painleve_step, degenerate, piles)


def wrong(M, q, equalities, z, w):
    """Why `(z, w)` is no answer, or "": in extended precision, row by row."""
    M, q, z, w = (np.asarray(x, np.longdouble) for x in (M, q, z, w))
    terms = np.abs(M) @ np.abs(z) + np.abs(q)
    floor = 1e-4 * max(terms.max(), np.finfo(float).tiny)
    if not (np.isfinite(z).all() and np.isfinite(w).all()):
        return "not finite"
    if np.max(np.abs(M @ z + q - w) / (terms + floor)) > TOLERANCE:
        return "w is not M z + q"
    if (z[equalities:] < 0).any() or (w[equalities:] < 0).any() or (w[:equalities] != 0).any():
        return "bounds"
    if (z[equalities:] * w[equalities:] != 0).any():
        return "complementarity"
    return ""


def brute_force(M, q, equalities):
    """Whether any complementary choice is feasible: one linear program for each."""
    n = q.size - equalities
    bilateral = [True] * equalities
    for choice in product([False, True], repeat=n):
        zero = np.array(bilateral + list(choice))
        bounds = [(None, None)] * equalities + [(0, None) if on else (0, 0) for on in choice]
        above = {"A_ub": -M[~zero], "b_ub": q[~zero]} if not zero.all() else {}
        equal = {"A_eq": M[zero], "b_eq": -q[zero]} if zero.any() else {}
        answer = linprog(np.zeros(q.size), bounds=bounds, method="highs", **above, **equal)
        if answer.status == 0:
            return True
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--problems", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--sample", type=int, default=100, help='"no solution" of each kind to confirm by brute force'
    )
    parser.add_argument(
        "--kinds", nargs="+", choices=[kind.__name__ for kind in KINDS], help="only these families"
    )
    options = parser.parse_args()
    kinds = [kind for kind in KINDS if not options.kinds or kind.__name__ in options.kinds]
    rng = np.random.default_rng(options.seed)
    tally, residual, failures = {kind.__name__: Counter() for kind in kinds}, Counter(), []
    confirmed, brute = 0, Counter()
    start = time.process_time()
    for index in range(options.problems):
        kind = kinds[index % len(kinds)]
        M, q, equalities = kind(rng)
        solution = solve_lcp(M, q, equalities=equalities)
        count = tally[kind.__name__]
        count["problems"] += 1
        if solution.solved:
            count[solution.method] += 1
            residual[kind.__name__] = max(residual[kind.__name__], solution.residual)
            why = wrong(M, q, equalities, solution.z, solution.w)
        elif solution.status.startswith("no solution"):
            count["no solution"] += 1
            why = ""
            if equalities == 0 and q.size <= 12:
                confirmed += 1
                why = "a solution exists (enumeration)" if len(core.all_bases(M, q, first=True)[0]) else ""
            if q.size - equalities <= 8 and brute[kind.__name__] < options.sample and not why:
                brute[kind.__name__] += 1
                why = "a solution exists (linear programs)" if brute_force(M, q, equalities) else ""
        else:
            count["not solved"] += 1
            why = ""
            failures.append((index, kind.__name__, q.size, solution.status))
        if why:
            count["wrong"] += 1
            failures.append((index, kind.__name__, q.size, why))
    columns = ["problems", *METHODS, "no solution", "not solved", "wrong"]
    print(f"{'kind':14s}" + "".join(f"{name:>13s}" for name in columns) + f"{'residual':>10s}")
    tally["all"], residual["all"] = sum(tally.values(), Counter()), max(residual.values())
    for name, count in tally.items():
        numbers = "".join(f"{count[column]:13d}" for column in columns)
        print(f"{name:14s}{numbers}{residual[name]:10.1e}")
    print(f"no solution: {confirmed} confirmed by enumeration, {brute.total()} by linear programs")
    print(f"{time.process_time() - start:.0f} s of processor time, seed {options.seed}")
    for failure in failures[:20]:
        print("  ", *failure)


if __name__ == "__main__":
    main()
