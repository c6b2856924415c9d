"""Random small polyhedra with integer rows: degenerate more often than not, and exact in floats."""

import numpy as np
from hypothesis import strategies as st

from modecontrol.polytopes import Polytope


def matrix(draw, shape, low=-2, high=2):
    """An array of small integers, drawn."""
    return draw(_integers(shape, low, high))


def _integers(shape, low, high):
    size = int(np.prod(shape))
    return st.lists(st.integers(low, high), min_size=size, max_size=size).map(
        lambda values: np.array(values, dtype=float).reshape(shape)
    )


@st.composite
def rows(draw, least=1, most=4, most_rows=9, most_equalities=2):
    """`A, b, C, d` with few distinct small integers: many parallel, repeated, touching and zero rows."""
    n = draw(st.integers(least, most))
    m = draw(st.integers(0, most_rows))
    p = draw(st.integers(0, most_equalities))
    A, C = draw(_integers((m, n), -2, 2)), draw(_integers((p, n), -2, 2))
    b, d = draw(_integers((m,), -1, 3)), draw(_integers((p,), -1, 1))
    return A, b, C, d


@st.composite
def bounded(draw, n=None, most_rows=5):
    """A box around the origin cut by a few rows: bounded, with or without interior, sometimes empty."""
    n = draw(st.integers(1, 3)) if n is None else n
    m = draw(st.integers(0, most_rows))
    A, b = draw(_integers((m, n), -2, 2)), draw(_integers((m,), -1, 3))
    box = Polytope.box([-2] * n, [2] * n)
    return Polytope(np.vstack([box.A, A]), np.concatenate([box.b, b]))


def objective(n):
    """Small integer objectives in n variables."""
    return _integers((n,), -3, 3)
