"""Small polyhedra: our kernels beside scipy, cdd and, when they are installed, pypoman, polytope and pplpy,
in one run.

    python benchmarks/polytopes.py

CPU time per problem, medians; ratios carry over to other machines, absolute times do not. Peers get one
problem per call because they offer nothing else; ours is shown per call and batched. Ours finds hidden
equalities as well (of cdd only `matrix_canonicalize` does), and its projections are minimal and checked;
block elimination alone is not. pplpy computes exactly, with data rounded to three digits for its sake. Sets
lie around the origin, where facets can be proved before there is a vertex; "origin outside" shows the same
sets moved away from it.
"""

import time
from importlib import import_module

import cdd
import numpy as np
from scipy.optimize import linprog

from modecontrol._core.polytopes import (
    maximize,
    maximize_batch,
    minimal,
    minimal_batch,
    project,
    project_batch,
)

RNG = np.random.default_rng(1)


def cost(work, repeat=15):
    """Median CPU seconds of `work()`."""
    work()
    found = []
    for _ in range(repeat):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return float(np.median(found))


def sets(count, m, d):
    """Bounded around the origin: directions on the sphere, distances near one."""
    A = RNG.normal(size=(count, m, d))
    A /= np.linalg.norm(A, axis=2, keepdims=True)
    return A, 1.0 + RNG.random((count, m))


def report(title, rows, ours):
    print(f"\n{title}")
    best = min(seconds for name, seconds in rows if name != ours and not name.startswith("ours"))
    base = dict(rows)[ours]
    for name, seconds in rows:
        print(f"  {name:34s} {1e6 * seconds:12.2f} us   {seconds / base:10.1f} x ours batched")
    print(f"  best peer / ours batched: {best / base:.0f}")


def stacked(A, b):
    count, m, d = A.shape
    return (
        A.reshape(-1, d),
        b.ravel(),
        np.zeros((0, d)),
        np.zeros(0),
        np.arange(count + 1) * m,
        np.zeros(count + 1, np.int64),
    )


def canonical(A, b):
    return cdd.matrix_from_array(np.hstack([b[:, None], -A]), rep_type=cdd.RepType.INEQUALITY)


def optional(name):
    try:
        return import_module(name)
    except ImportError:
        return None


def by_ppl(ppl, A, b):
    """The set for pplpy, as integers: three digits of every number."""
    rows = ppl.Constraint_System()
    for row, level in zip(
        np.round(1000 * A).astype(int).tolist(), np.round(1000 * b).astype(int).tolist(), strict=True
    ):
        rows.insert(ppl.Linear_Expression(row, 0) <= level)
    return ppl.C_Polyhedron(rows)


def programs(count=4000, m=8, d=3):
    A, b = sets(count, m, d)
    c = RNG.normal(size=(count, d))
    none = np.zeros((0, d)), np.zeros(0)

    def by_cdd(i):
        matrix = canonical(A[i], b[i])
        matrix.obj_type, matrix.obj_func = cdd.LPObjType.MAX, [0.0, *c[i]]
        lp = cdd.linprog_from_matrix(matrix)
        cdd.linprog_solve(lp)

    rows = [
        (
            "scipy linprog (HiGHS)",
            cost(lambda: [linprog(-c[i], A[i], b[i], bounds=(None, None)) for i in range(20)]) / 20,
        ),
        ("cdd", cost(lambda: [by_cdd(i) for i in range(100)]) / 100),
        ("ours, one call each", cost(lambda: [maximize(c[i], A[i], b[i], *none) for i in range(500)]) / 500),
        ("ours, batched", cost(lambda: maximize_batch(c, *stacked(A, b))) / count),
    ]
    report(f"linear programs, {m} rows, {d} variables", rows, "ours, batched")


def reductions(count=1000, m=20, d=5):
    A, b = sets(count, m, d)
    none = np.zeros((0, d)), np.zeros(0)
    rows = [
        (
            "cdd redundant_rows",
            cost(lambda: [cdd.redundant_rows(canonical(A[i], b[i])) for i in range(200)]) / 200,
        ),
        (
            "cdd matrix_canonicalize",
            cost(lambda: [cdd.matrix_canonicalize(canonical(A[i], b[i])) for i in range(50)]) / 50,
        ),
    ]
    if polytope := optional("polytope"):
        rows.append(
            (
                "polytope",
                cost(lambda: [polytope.reduce(polytope.Polytope(A[i], b[i])) for i in range(5)], 3) / 5,
            )
        )
    if ppl := optional("ppl"):
        rows.append(
            (
                "pplpy (exact)",
                cost(lambda: [by_ppl(ppl, A[i], b[i]).minimized_constraints() for i in range(5)], 3) / 5,
            )
        )
    away = b + np.einsum("kij,kj->ki", A, 3.0 * RNG.normal(size=(count, d)))
    rows += [
        ("ours, one call each", cost(lambda: [minimal(A[i], b[i], *none) for i in range(200)]) / 200),
        ("ours, batched, origin outside", cost(lambda: minimal_batch(*stacked(A, away))) / count),
        ("ours, batched", cost(lambda: minimal_batch(*stacked(A, b))) / count),
    ]
    report(f"redundancy removal, {m} rows, {d} variables", rows, "ours, batched")


def projections(count=200, m=12, d=5, keep=3):
    A, b = sets(count, m, d)
    none = np.zeros((0, d)), np.zeros(0)
    ends = np.vstack([np.eye(d), -np.eye(d)])  # pypoman takes bounded sets only, so all of them are
    bounded = [all(np.isfinite(maximize(c, A[i], b[i], *none).value) for c in ends) for i in range(count)]
    A, b, count = A[bounded], b[bounded], sum(bounded)
    mask = np.arange(d) < keep
    flat = stacked(A, b)
    gone = set(range(keep + 1, d + 1))

    def minimal_by_cdd(i):
        shadow = cdd.block_elimination(canonical(A[i], b[i]), gone)
        return cdd.redundant_rows(shadow)

    rows = [
        (
            "cdd block elimination",
            cost(lambda: [cdd.block_elimination(canonical(A[i], b[i]), gone) for i in range(100)]) / 100,
        ),
        ("cdd, and redundant rows found", cost(lambda: [minimal_by_cdd(i) for i in range(30)], 5) / 30),
    ]
    if pypoman := optional("pypoman"):
        E = np.eye(d)[:keep]
        rows.append(
            (
                "pypoman (vertices)",
                cost(
                    lambda: [
                        pypoman.project_polytope(proj=(E, np.zeros(keep)), ineq=(A[i], b[i]))
                        for i in range(100)
                    ],
                    5,
                )
                / 100,
            )
        )
    if ppl := optional("ppl"):

        def exactly(i):
            lifted = by_ppl(ppl, A[i], b[i])
            lifted.remove_higher_space_dimensions(keep)
            return lifted.minimized_constraints()

        rows.append(("pplpy (exact)", cost(lambda: [exactly(i) for i in range(5)], 3) / 5))
    rows += [
        ("ours, one call each", cost(lambda: [project(A[i], b[i], *none, mask) for i in range(50)]) / 50),
        ("ours, batched", cost(lambda: project_batch(*flat[:4], mask, *flat[4:])) / count),
    ]
    report(f"projection, {m} rows, {d} to {keep} variables", rows, "ours, batched")


if __name__ == "__main__":
    start = time.perf_counter()
    maximize(np.ones(1), np.ones((1, 1)), np.ones(1), np.zeros((0, 1)), np.zeros(0))
    print(f"first linear program of this process: {time.perf_counter() - start:.2f} s")
    programs()
    reductions()
    projections()
