"""Random polyhedra of every kind, judged by exact rational arithmetic and by cdd.

    python campaigns/polytopes.py [--sets 10000] [--seed 0]

Each set is asked for its emptiness, affine dimension, number of minimal rows, projection and members; the
same questions go to exact arithmetic (integers of any length; every float is a rational number) and, for
generators and projections, to cdd. Data are small integers times exact scale factors, so that what is flat,
parallel or redundant is so exactly and there is one right answer. Prints one line per kind: how many sets,
how many questions, and how many answers disagreed, how many sets no method could vouch for ("unchecked"), for
how many the core alone, without the methods behind it, had no answer to reduction or projection
("undecided"), and how many projections were refused as too much work. Exit status 1 on any of the first two.
"""

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from fractions import Fraction
from multiprocessing import get_context

import numpy as np
from kinds_of_sets import KINDS
from modecontrol._core.layout import UNDECIDED

from modecontrol._core import polytopes as core
from modecontrol.errors import TooMuchWorkError, UncheckedError
from modecontrol.polytopes import Polytope
from modecontrol.polytopes.exact.program import ExactSet
from modecontrol.polytopes.exact.sets import exact_dimension, exact_minimal
from modecontrol.polytopes.projection import is_projection
from modecontrol.polytopes.vertices import project_by_blocks

CHUNK = 250


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
        for row, level in zip(
            np.vstack([one.A, one.C, -one.C]), np.concatenate([one.b, one.d, -one.d]), strict=True
        ):
            size = max(np.abs(row * one._scale).max(), abs(level))
            worst = max(worst, (other.support(row) - level) / size)
    return worst <= 1e-6


def marginal(P, keep):
    """How many of the exact facets stick out by less than tolerances see (rows of size one): either way is
    right.
    """
    rows, b = P.A[keep], P.b[keep]
    exact = ExactSet(rows, b, np.vstack([P.C, P.A[P.implicit]]), np.concatenate([P.d, P.b[P.implicit]]))
    size = np.maximum(np.abs(rows).max(axis=1), np.abs(b))
    return sum(float(exact.excess(i)) <= 1e-8 * size[i] for i in range(len(b)))


def exactly_bounded(P):
    """No ray and no line: `max sum -A r` over `A r <= 0, C r = 0` is zero, and the rows have full rank."""
    from modecontrol.polytopes.exact.program import exact_rank

    if exact_rank(np.vstack([P.A, P.C])) < P.n:
        return False
    return (
        ExactSet(P.A, np.zeros(len(P.b)), P.C, np.zeros(len(P.d))).maximize((-P.A).sum(axis=0)).status
        == "optimal"
    )


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
        if not lattice(x) and on_border(shadow, x):
            continue  # a computed point on the border: no exact answer to compare with
        at = np.array([Fraction(float(v)) for v in x], dtype=object)
        level = exactly(P.b) - exactly(P.A[:, chosen]) @ at
        equal = exactly(P.d) - exactly(P.C[:, chosen]) @ at
        lifts = not ExactSet(P.A[:, rest], level, P.C[:, rest], equal).is_empty
        agree("projection members", bool(shadow.contains(x)) == lifts)
    if thorough and P.n <= 5 and len(P.minimal().b) <= 12:
        other = project_by_blocks(P, chosen)
        if other is not None and is_projection(
            P, other, chosen
        ):  # float cdd is wrong at times, and then no judge
            agree("projection by cdd", alike(P, other, shadow) or cuts(exact, other, chosen, P.n))


def alike(P, other, shadow):
    """Whether two projections of P are the same, beside P: cdd's rounding of a zero has the size of P's other
    coordinates, which the projection itself may not show.
    """
    if other == shadow:
        return True
    size = np.full(shadow.n, np.abs(P.vertices).max(initial=0.0))
    return bool(size.any()) and other.translate(size) == shadow.translate(size)


def cuts(exact, other, chosen, n):
    """Whether a row of `other` exactly cuts off points of the set: then it is no projection and no judge."""
    for row, level in zip(other.A, other.b, strict=True):
        whole = [Fraction(0)] * n
        for j, value in zip(chosen, row, strict=True):
            whole[j] = Fraction(float(value))
        best = exact.maximize(whole).value
        if best is None or float(best - Fraction(float(level))) > 1e-8 * max(np.abs(row).max(), abs(level)):
            return True
    return False


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


def on_border(shadow, x):
    """Whether x is within 1e-8 of a border, measured as `contains` does: by the size of the set, axis by axis.

    A set from 768 to 1024 along one axis and 1e-4 wide along the other gets points 7e-7 beyond 768: a thousandth of
    its width, and less than what `contains` promises to see beside 768.
    """
    reach = np.abs([x, *shadow.bounding_box])
    extent = np.where(np.isfinite(reach), reach, 0.0).max(axis=0)
    for rows, levels in ((shadow.A, shadow.b), (shadow.C, shadow.d)):
        size = np.maximum(np.abs(rows * extent).max(axis=1, initial=0.0), np.abs(levels))
        if np.any(np.abs(rows @ x - levels) <= 1e-8 * size):
            return True
    return False


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


def run(seed, number, start, stop):
    """Sets `start .. stop` of one kind: counts of questions, disagreements and doubts, most rows, most
    variables.
    """
    kind = KINDS[number]
    asked, disagreed, most, lines = Counter(), Counter(), [0, 0], []
    doubts = Counter()
    for i in range(start, stop):
        rng = np.random.default_rng([seed, number, i])
        P = Polytope(*kind(rng))

        def agree(question, yes, i=i):
            asked[question] += 1
            if not yes:
                disagreed[question] += 1
                lines.append(f"  disagreement: {question}, kind {kind.__name__}, seed {[seed, number, i]}")

        try:
            ask(P, rng, agree, thorough=i % 4 == 0)
        except TooMuchWorkError:
            doubts["refused"] += 1
        except UncheckedError as error:
            doubts["unchecked"] += 1
            lines.append(f"  no method could vouch: kind {kind.__name__}, seed {[seed, number, i]}: {error}")
        doubts["undecided"] += core_is_undecided(P, np.random.default_rng([seed, number, i, 1]))
        most = [max(most[0], len(P.b)), max(most[1], P.n)]
    return asked, disagreed, doubts, most, lines


def core_is_undecided(P, rng):
    """Whether the core alone, without the methods that stand behind it, has no answer to reduction or
    projection.
    """
    rows = P._posed[1]
    keep = rng.permutation(P.n) < max(1, P.n - 2)
    return core.minimal(*rows).status == UNDECIDED or core.project(*rows, keep).status == UNDECIDED


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    started, wrong, totals, each = time.time(), 0, Counter(), -(-arguments.sets // len(KINDS))
    print(
        f"{'kind':<18}{'sets':>7}{'rows':>7}{'variables':>11}{'questions':>11}{'disagree':>10}{'unchecked':>11}{'undecided':>11}{'refused':>9}"
    )
    for number, kind in enumerate(KINDS):
        asked, disagreed, doubts, most = Counter(), Counter(), Counter(), [0, 0]
        for start in range(0, each, CHUNK):
            stop = min(start + CHUNK, each)
            # Float cdd can take its process with it: then this chunk counts as unchecked, and the rest goes
            # on.
            try:
                with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                    part = pool.submit(run, arguments.seed, number, start, stop).result()
            except BrokenProcessPool:
                doubts["unchecked"] += stop - start
                print(f"  worker died: kind {kind.__name__}, sets {start} to {stop}", flush=True)
                continue
            asked += part[0]
            disagreed += part[1]
            doubts += part[2]
            most = [max(most[0], part[3][0]), max(most[1], part[3][1])]
            print("".join(line + "\n" for line in part[4]), end="", flush=True)
        name = kind.__name__.replace("_", " ")
        print(
            f"{name:<18}{each:>7}{most[0]:>7}{most[1]:>11}{asked.total():>11}{disagreed.total():>10}"
            f"{doubts['unchecked']:>11}{doubts['undecided']:>11}{doubts['refused']:>9}",
            flush=True,
        )
        totals += asked
        wrong += disagreed.total() + doubts["unchecked"]
    print(
        f"\n{each * len(KINDS)} sets, {totals.total()} questions, {wrong} without agreement, {time.time() - started:.0f} s"
    )
    for question, count in sorted(totals.items()):
        print(f"  {question:<20}{count:>8}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
