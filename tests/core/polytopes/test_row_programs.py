"""Facets by a linear program for each row, beside the warm-started method and exact arithmetic."""

import numpy as np
import pytest
from modecontrol._core.layout import OPTIMAL

from modecontrol._core.polytopes import facets_by_programs, minimal
from modecontrol.polytopes import Polytope
from modecontrol.polytopes.exact.sets import exact_minimal

NEARLY_PARALLEL = np.array(
    [
        [2033, -6480, -5001, 460, -515, -5106, 13861],
        [-7016, 4400, -618, -3276, 855, -38, -40],
        [5760, -867, -25, 6764, -1790, 261, 107],
        [272, 2533, -6090, 156, -40, 2, -1384],
        [-86, 3665, -8171, -2, 1, 0, -1851],
        [270, 2403, -5780, 162, -42, 2, -1314],
        [107, -22, 0, -316, 3510, -6259, -589],
        [-6202, 3891, -545, -2896, 757, -34, -39],
        [5078, -724, 10, 5973, -1552, 217, -1],
        [-76, 26, -1, -705, 791, 8309, 1084],
        [-7076, 4439, -621, -3304, 862, -34, -44],
        [5792, -826, 12, 6812, -1795, 363, 12],
        [6082, -1579, 106, 5170, -736, 22, -1],
        [-9712, 9078, -1425, -1423, 1190, -63, -115],
        [6228, -1563, 101, 5444, -840, 45, -1],
        [-2935, 767, -15, -6376, 4485, -1820, -100],
        [-8452, 5299, -742, -3960, 1040, -49, -54],
        [6739, -940, 13, 7757, -1883, 251, -1],
        [-5000, 0, 0, 0, 0, 0, 4854],
        [5000, 0, 0, 0, 0, 0, 4854],
        [0, -10000, 0, 0, 0, 0, 19943],
        [0, 10000, 0, 0, 0, 0, 19943],
        [0, 0, 5000, 0, 0, 0, 40876],
        [0, 0, 0, -5000, 0, 0, 4854],
        [0, 0, 0, 0, -5000, 0, 9971],
    ]
)
"""Rows `(a, b)` times 10^4 of a torque set of a walker on straight legs: some are parallel but for one in ten thousand, and the
warm-started dictionary gathers too much rounding.
"""


def no_equalities(d):
    return np.zeros((0, d)), np.zeros(0)


def test_rounding_of_many_pivots_is_met_by_a_program_for_each_row():
    A, b = NEARLY_PARALLEL[:, :-1] / 1e4, NEARLY_PARALLEL[:, -1] / 1e4
    found = minimal(A, b, *no_equalities(6))
    assert found.status == OPTIMAL
    exact, _ = exact_minimal(A, b, *no_equalities(6))
    assert found.keep.tolist() == list(exact)


TILT = 2.0**-23

BESIDE_A_TWIN = [  # rows (a, b); one is turned against another by some 1e-7
    [
        [-3, 3, 1, 8],
        [2, 3, -4, 3],
        [1, 3, 2, 8],
        [-1, 1, -1, 3],
        [0, -3, -3, 2],
        [4, -3, 3, 8],
        [0, 0, 1, 5],
        [-1, 0, 0, 5],
        [0, -1, 0, 5],  # touches a vertex of the others
        [1 - 2 * TILT, 3 + 3 * TILT, 2 - 2 * TILT, 8],
    ],
    [
        [1, 4, 3],
        [4, -3, 1],
        [3, -4, 5],
        [3, -4, 5],
        [1, 0, 5],
        [0, 1, 5],
        [-1, 0, 5],
        [0, -1, 5],
        [4, -3 + 12 * TILT, 1],
        [64 * TILT, 1 - 192 * TILT, 5],
        [3, -4 + 3 * TILT, 5],
    ],
]


@pytest.mark.parametrize("given", BESIDE_A_TWIN)
def test_a_basis_of_nearly_parallel_rows_shows_no_facets(given):
    """Its rounding of some 1e-9 looks like a row that stands out by as much."""
    rows = np.array(given, dtype=float)
    A, b = rows[:, :-1], rows[:, -1]
    exact, _ = exact_minimal(A, b, *no_equalities(A.shape[1]))
    small = Polytope(A, b).minimal()
    assert np.column_stack([small.A, small.b]).tolist() == rows[np.array(exact)].tolist()


@pytest.mark.parametrize("seed", range(40))
def test_both_ways_find_the_same_facets(seed):
    """Among them repeated rows, rows that are sums of others, and rows without a coefficient."""
    rng = np.random.default_rng(seed)
    d, m = int(rng.integers(1, 6)), int(rng.integers(1, 25))
    A = rng.integers(-3, 4, (m, d)).astype(float)
    inner = rng.normal(size=d)
    b = A @ inner + rng.integers(1, 4, m)
    again = rng.integers(0, m, 3)
    A, b = (
        np.vstack([A, A[again], A[again[:1]] + A[again[1:2]]]),
        np.append(b, [*b[again], b[again[0]] + b[again[1]] + 1]),
    )
    found = minimal(A, b, *no_equalities(d))
    decided, facets = facets_by_programs(A, b)
    assert found.status == OPTIMAL
    assert decided
    assert facets.tolist() == found.keep.tolist()


def test_the_first_of_equal_rows_stays():
    decided, facets = facets_by_programs(
        np.array([[1.0], [2.0], [-1.0], [1.0]]), np.array([1.0, 2.0, 1.0, 1.0])
    )
    assert decided
    assert facets.tolist() == [True, False, True, False]
