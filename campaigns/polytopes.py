"""Random polyhedra of every kind, judged by exact rational arithmetic and by cdd.

    python campaigns/polytopes.py [--sets 10000] [--seed 0]

Each set is asked for its emptiness, affine dimension, number of minimal rows, projection and members; the same
questions go to exact arithmetic (integers of any length; every float is a rational number) and, for generators and
projections, to cdd. Data are small integers times exact scale factors, so that what is flat, parallel or redundant is
so exactly and there is one right answer. Prints one line per kind: how many sets, how many questions, and how many
answers disagreed. Exit status 1 if any did.
"""

import argparse
import sys
import time
from collections import Counter
from fractions import Fraction

import numpy as np

from modecontrol.polytopes import Polytope, UncheckedError
from modecontrol.polytopes.exact import ExactSet
from modecontrol.polytopes.exact_sets import exact_dimension, exact_minimal
from modecontrol.polytopes.projection import is_projection
from modecontrol.polytopes.vertices import project_by_blocks


def sizes(rng, largest):
    """Rows and variables: mostly small, now and then as large as a contact problem gets."""
    if rng.random() < 0.1:
        return int(rng.integers(10, 41)), int(rng.integers(3, 11))
    d = int(rng.integers(1, largest + 1))
    return int(rng.integers(d + 1, 4 * d + 4)), d


def bounded(rng):
    m, d = sizes(rng, 5)
    A = rng.integers(-4, 5, (m, d)).astype(float)
    box = np.vstack([np.eye(d), -np.eye(d)])
    keep = max(0, m - 2 * d)
    return np.vstack([A[:keep], box]), np.concatenate([rng.integers(0, 9, keep), np.full(2 * d, 5)]), None, None


def cone(rng):
    m, d = sizes(rng, 5)
    return rng.integers(-3, 4, (m, d)).astype(float), np.zeros(m), None, None


def unbounded(rng):
    m, d = sizes(rng, 5)
    x = rng.integers(-3, 4, d)
    A = rng.integers(-3, 4, (max(1, m // 2), d)).astype(float)
    return A, A @ x + rng.integers(0, 4, len(A)), None, None


def flat(rng):
    A, b, _, _ = bounded(rng)
    d = A.shape[1]
    x = rng.integers(-2, 3, d)
    k = int(rng.integers(1, d + 1))
    C = rng.integers(-2, 3, (k, d)).astype(float)
    A, b = np.vstack([A, C, -C]), np.concatenate([b, C @ x, -(C @ x)])
    if rng.random() < 0.5:
        return A[: -2 * k], b[: -2 * k], C, C @ x
    return A, b, None, None


def empty(rng):
    m, d = sizes(rng, 5)
    A = rng.integers(-4, 5, (m, d)).astype(float)
    y = rng.integers(1, 4, m)
    last = -(y @ A)
    b = rng.integers(-3, 6, m).astype(float)
    return np.vstack([A, last]), np.append(b, -(y @ b) - rng.integers(1, 3)), None, None


def point(rng):
    m, d = sizes(rng, 4)
    A = rng.integers(-3, 4, (m, d)).astype(float)
    x = rng.integers(-5, 6, d)
    A = np.vstack([A, -A.sum(axis=0)])
    return A, A @ x, None, None


def whole(rng):
    d = int(rng.integers(1, 11))
    m = int(rng.integers(0, 4))
    return np.zeros((m, d)), rng.integers(0, 3, m).astype(float), None, None


def duplicates(rng):
    A, b, C, d = (bounded, cone, unbounded)[rng.integers(3)](rng)
    again = rng.integers(0, len(b), int(rng.integers(1, 12)))
    factor = 2.0 ** rng.integers(-3, 4, len(again))
    return np.vstack([A, A[again] * factor[:, None]]), np.concatenate([b, b[again] * factor]), C, d


def nearly_parallel(rng):
    A, b, C, d = bounded(rng)
    twin = rng.integers(0, len(b), int(rng.integers(1, 4)))
    tilt = rng.integers(-3, 4, (len(twin), A.shape[1])) * 2.0 ** rng.integers(-23, -16, (len(twin), 1))
    return np.vstack([A, A[twin] + tilt]), np.concatenate([b, b[twin]]), C, d


def magnitudes(rng):
    """Rows and columns times powers of two between about 1e-6 and 1e6."""
    A, b, C, d = (bounded, cone, unbounded, flat)[rng.integers(4)](rng)
    row = 2.0 ** rng.integers(-20, 21, len(b))
    column = 2.0 ** rng.integers(-10, 11, A.shape[1])
    if C is None:
        return A * row[:, None] * column, b * row, None, None
    other = 2.0 ** rng.integers(-20, 21, len(d))
    return A * row[:, None] * column, b * row, C * other[:, None] * column, d * other


KINDS = [bounded, cone, unbounded, flat, empty, point, whole, duplicates, nearly_parallel, magnitudes]


def exact_membership(A, b, C, d, x):
    x = [Fraction(float(v)) for v in x]

    def value(row):
        return sum((Fraction(float(a)) * v for a, v in zip(row, x, strict=True)), Fraction(0))

    return all(value(row) <= Fraction(float(h)) for row, h in zip(A, b, strict=True)) and all(
        value(row) == Fraction(float(h)) for row, h in zip(C, d, strict=True)
    )


def ask(P, rng, agree, thorough):
    """All questions about one set; `agree(question, yes)` notes each."""
    rows = P.rows
    exact = ExactSet(*rows)
    agree("emptiness", P.is_empty == exact.is_empty)
    if P.is_empty != exact.is_empty:
        return
    certificate = P.farkas(certify=True)
    if P.is_empty:
        y, z = certificate
        agree("certificate", P.b.dot([float(v) for v in y]) + P.d.dot([float(v) for v in z]) < 0)
        return
    agree("dimension", P.dimension == exact_dimension(*rows))
    keep, _ = exact_minimal(*rows)
    small = P.minimal()
    most = np.count_nonzero(keep)
    agree("minimal rows", len(small.b) == most or most - marginal(P, keep) <= len(small.b) <= most)
    agree("bounded", P.is_bounded == exactly_bounded(P))
    for x in rng.integers(-6, 7, (6, P.n)) / 2.0:
        agree("membership", P.contains(x) == exact_membership(*rows, x))
    inside = [float(v) for v in exact.point]
    agree("membership", P.contains(inside))
    if P.n >= 2:
        ask_projection(P, rng, agree, thorough)
    if thorough and P.n <= 5 and len(small.b) <= 16:
        agree("generators", coincide(Polytope.from_vertices(P.vertices, P.rays, P.lines), P))


def coincide(P, Q):
    """Whether neither set sticks out of the other by more than hulls promise (1e-7 of their size)."""
    if P == Q:
        return True
    worst = 0.0
    for one, other in ((P, Q), (Q, P)):
        for row, level in zip(np.vstack([one.A, one.C, -one.C]), np.concatenate([one.b, one.d, -one.d]), strict=True):
            size = max(np.abs(row * one._scale).max(), abs(level))
            worst = max(worst, (other.support(row) - level) / size)
    return worst <= 1e-6


def marginal(P, keep):
    """How many of the exact facets stick out by less than tolerances see (rows of size one): either way is right."""
    rows, b = P.A[keep], P.b[keep]
    exact = ExactSet(rows, b, np.vstack([P.C, P.A[P.implicit]]), np.concatenate([P.d, P.b[P.implicit]]))
    size = np.maximum(np.abs(rows).max(axis=1), np.abs(b))
    return sum(float(exact.excess(i)) <= 1e-8 * size[i] for i in range(len(b)))


def exactly_bounded(P):
    """No ray and no line: `max sum -A r` over `A r <= 0, C r = 0` is zero, and the rows have full rank."""
    from modecontrol.polytopes.exact import exact_rank

    if exact_rank(np.vstack([P.A, P.C])) < P.n:
        return False
    return ExactSet(P.A, np.zeros(len(P.b)), P.C, np.zeros(len(P.d))).maximize((-P.A).sum(axis=0)).status == "optimal"


def ask_projection(P, rng, agree, thorough):
    """Rows of the shadow hold exactly on the set; points lift exactly iff the shadow contains them."""
    k = int(rng.integers(1, min(P.n, 4)))
    if P.n - k > 5 or len(P.minimal().b) > 24:
        k = P.n - 1
    chosen = np.sort(rng.permutation(P.n)[:k])
    shadow = P.project(chosen)
    exact = ExactSet(*P.rows)
    for row, level in zip(shadow.A, shadow.b, strict=True):
        rational = as_rational(row, level)
        if rational is not None:
            whole = [Fraction(0)] * P.n
            for j, value in zip(chosen, rational, strict=False):
                whole[j] = value
            best = exact.maximize(whole).value
            gap = 1e-8 * max(1.0, abs(float(rational[-1])))
            agree("projection rows", best is not None and abs(float(best - rational[-1])) <= gap)
    points = [*(rng.integers(-6, 7, (4, k)) / 2.0), *shadow_points(shadow, rng)]
    rest = np.setdiff1d(np.arange(P.n), chosen)
    for x in points:
        gap = np.concatenate([shadow.A @ x - shadow.b, np.abs(shadow.C @ x - shadow.d)])
        size = np.abs(np.vstack([shadow.A, shadow.C])).max(axis=1, initial=0.0)
        if len(gap) and np.any(np.abs(gap) <= 1e-7 * np.maximum(size, 1e-300)) and not lattice(x):
            continue  # a computed point on the border: no exact answer to compare with
        at = np.array([Fraction(float(v)) for v in x], dtype=object)
        level = exactly(P.b) - exactly(P.A[:, chosen]) @ at
        equal = exactly(P.d) - exactly(P.C[:, chosen]) @ at
        lifts = not ExactSet(P.A[:, rest], level, P.C[:, rest], equal).is_empty
        agree("projection members", bool(shadow.contains(x)) == lifts)
    if thorough and P.n <= 5 and len(P.minimal().b) <= 12:
        other = project_by_blocks(P, chosen)
        if other is not None and is_projection(P, other, chosen):  # float cdd is wrong at times, and then no judge
            agree("projection by cdd", other == shadow)


def as_rational(row, level):
    """The row with small denominators that the floats stand for, or None if there is no doubt-free one."""
    size = np.abs(row).max()
    numbers = [float(v / size) for v in [*row, level]]
    exact = [Fraction(v).limit_denominator(5000) for v in numbers]
    close = all(abs(float(e) - v) <= 1e-12 * max(1.0, abs(v)) for e, v in zip(exact, numbers, strict=True))
    return exact if close else None


def exactly(array):
    """Floats as the fractions that they are."""
    made = np.empty(array.shape, dtype=object)
    made.flat = [Fraction(v) for v in array.ravel().tolist()]
    return made


def lattice(x):
    return bool(np.all(x * 2 == np.round(x * 2)))


def shadow_points(shadow, rng):
    """Points just inside and just outside the shadow, seen from a point in it."""
    centre = shadow.chebyshev.centre
    if shadow.dimension < shadow.n:
        return
    for _ in range(3):
        direction = rng.normal(size=shadow.n)
        speed, room = shadow.A @ direction, shadow.b - shadow.A @ centre
        if np.any(speed > 0):
            reach = np.min(room[speed > 0] / speed[speed > 0])
            yield centre + 0.99 * reach * direction
            yield centre + 1.01 * reach * direction


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    started, wrong, totals = time.time(), 0, Counter()
    each = -(-arguments.sets // len(KINDS))
    print(f"{'kind':<18}{'sets':>7}{'rows':>7}{'variables':>11}{'questions':>11}{'disagree':>10}{'unchecked':>11}")
    for number, kind in enumerate(KINDS):
        asked, disagreed, unchecked, most = Counter(), Counter(), 0, (0, 0)
        for i in range(each):
            seed = [arguments.seed, number, i]
            rng = np.random.default_rng(seed)
            data = kind(rng)
            P = Polytope(*data)

            def agree(question, yes, seed=seed, asked=asked, disagreed=disagreed):
                asked[question] += 1
                if not yes:
                    disagreed[question] += 1
                    print(f"  disagreement: {question}, kind {KINDS[seed[1]].__name__}, seed {seed}", flush=True)

            try:
                ask(P, rng, agree, thorough=i % 4 == 0)
            except UncheckedError as error:
                unchecked += 1
                print(f"  no method could vouch: kind {kind.__name__}, seed {seed}: {error}", flush=True)
            most = max(most[0], len(P.b)), max(most[1], P.n)
        name = kind.__name__.replace("_", " ")
        print(
            f"{name:<18}{each:>7}{most[0]:>7}{most[1]:>11}{asked.total():>11}{disagreed.total():>10}{unchecked:>11}",
            flush=True,
        )
        totals += asked
        wrong += disagreed.total() + unchecked
    print(f"\n{each * len(KINDS)} sets, {totals.total()} questions, {wrong} without agreement, {time.time() - started:.0f} s")
    for question, count in sorted(totals.items()):
        print(f"  {question:<20}{count:>8}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
