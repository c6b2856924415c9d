"""Exact suprema over small polyhedra with integer data, by Fourier-Motzkin elimination in fractions.

Slow, short, and unlike the kernels in every respect: no pivots, no tolerances, no simplex method.
"""

from fractions import Fraction
from math import inf


def exact(rows):
    """Rows `(a_1, ..., a_d, b)` of fractions; floats must be rationals of small denominator."""
    return [[Fraction(float(v)).limit_denominator(10**5) for v in row] for row in rows]


def eliminate(rows, j):
    """Rows without variable `j` that have the same projection, positive multiples of each other only once."""
    kept = [row for row in rows if row[j] == 0]
    for above in rows:
        if above[j] > 0:
            kept += [
                [u / above[j] - w / below[j] for u, w in zip(above, below, strict=True)]
                for below in rows
                if below[j] < 0
            ]
    small = {}
    for row in kept:
        size = max(map(abs, row[:-1]), default=0) or 1
        key = tuple(v / size for v in row[:-1])
        small[key] = min(row[-1] / size, small.get(key, inf))
    return [[*key, right] for key, right in small.items()]


def project(rows, gone):
    """The rows after elimination of the variables `gone`."""
    for j in gone:
        rows = eliminate(rows, j)
    return rows


def supremum(c, rows):
    """`sup c x` over `{x : a x <= b}`: -inf when empty, inf when unbounded."""
    d = len(c)
    lifted = [[*row[:-1], Fraction(0), row[-1]] for row in rows]
    lifted += [[*(-v for v in c), Fraction(1), Fraction(0)], [*c, Fraction(-1), Fraction(0)]]
    low, high = -inf, inf
    for *_, slope, right in project(lifted, range(d)):
        if slope > 0:
            high = min(high, right / slope)
        elif slope < 0:
            low = max(low, right / slope)
        elif right < 0:
            return -inf
    return high if low <= high else -inf


def with_equalities(A, b, C, e):
    """Exact rows of `A x <= b`, `C x <= e` and `-C x <= -e`."""
    rows = [[*a, v] for a, v in zip(A, b, strict=True)]
    for a, v in zip(C, e, strict=True):
        rows += [[*a, v], [*(-x for x in a), -v]]
    return exact(rows)
