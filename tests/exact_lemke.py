"""Lemke's method in exact rationals, with the lexicographic rule: what doubles should have found.

w = q + M z + z0,    z0 enters, then always the complement of what left, until z0 leaves
"""

from fractions import Fraction

MOST_PIVOTS = 2000


class ExactTableau:
    """Rows `basic = right side`, over the columns `w`, `z`, `z0` and the right side.

    Parameters
    ----------
    M, q
        The problem as it is given: every double is a rational.
    """

    def __init__(self, M, q):
        n = self.n = len(q)
        self.rows = [
            [Fraction(int(i == j)) for j in range(n)]
            + [-Fraction(float(x)) for x in M[i]]
            + [Fraction(-1), Fraction(float(q[i]))]
            for i in range(n)
        ]
        self.basis = list(range(n))

    def exchange(self, r, column):
        """Let `column` enter in row `r`; returns what leaves."""
        pivot = self.rows[r][column]
        row = self.rows[r] = [x / pivot for x in self.rows[r]]
        for i, other in enumerate(self.rows):
            factor = other[column]
            if i != r and factor:
                self.rows[i] = [x - factor * y if y else x for x, y in zip(other, row, strict=True)]
        left, self.basis[r] = self.basis[r], column
        return left

    def first_row(self, column):
        """The row that a column meets first: `z0` where it may leave, else the lexicographic least; None on a ray."""
        rows = [i for i in range(self.n) if self.rows[i][column] > 0]
        if not rows:
            return None
        least = min(self.rows[i][-1] / self.rows[i][column] for i in rows)
        tied = [i for i in rows if self.rows[i][-1] == least * self.rows[i][column]]
        return min(
            tied,
            key=lambda i: (
                self.basis[i] != 2 * self.n,
                [self.rows[i][k] / self.rows[i][column] for k in range(self.n)],
            ),
        )


def exact_lemke(M, q):
    """`z` as rationals, or None when the path ends in a ray."""
    n, table = len(q), ExactTableau(M, q)
    if min(q) >= 0:
        return [Fraction(0)] * n
    start = min(range(n), key=lambda i: [table.rows[i][-1], *table.rows[i][:n]])
    left = table.exchange(start, 2 * n)
    for _ in range(MOST_PIVOTS):
        column = left + n if left < n else left - n
        row = table.first_row(column)
        if row is None:
            return None
        left = table.exchange(row, column)
        if left == 2 * n:
            places = {b: row[-1] for b, row in zip(table.basis, table.rows, strict=True)}
            return [places.get(n + i, Fraction(0)) for i in range(n)]
    raise AssertionError("the lexicographic rule lets no basis come back")
