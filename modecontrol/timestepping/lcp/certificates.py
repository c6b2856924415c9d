"""Proofs that linear inequalities contradict each other (Farkas), found by a linear program and then checked.

    M^T y <= 0,  y >= 0,  q . y < 0        then no z >= 0 has M z + q >= 0

With rows `on` asked to vanish (`w_i = 0`) their `y_i` may have either sign; with unknowns `off` held at zero
their rows of `M^T y <= 0` fall away. No claim rests on a solver's word: the inequalities are looked at.
"""

import numpy as np

from modecontrol import tolerances
from modecontrol._core import layout
from modecontrol._core import lcp as core


def scaled(M: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """`(R M C, R q / size, R, C size)` with entries of about one; `q = 0` stays as it is."""
    row, column = core.scales(M)
    rhs = row * q
    size = np.abs(rhs).max(initial=0.0) or 1.0
    return row[:, None] * M * column, rhs / size, row, column * size


def proves_infeasible(
    M: np.ndarray, q: np.ndarray, y: np.ndarray, on: np.ndarray | None = None, off: np.ndarray | None = None
) -> bool:
    """Whether `y` proves that `M z + q >= 0, z >= 0` (with `w = 0` on `on`, `z = 0` on `off`) cannot hold.

    An entry of `M^T y` that is positive by rounding leaves room for a `z_j` of at least `-q.y / (M^T y)_j`:
    an answer, if there is one, has scaled entries beyond `1 / FEASIBLE`, which nobody would accept as one.

    Parameters
    ----------
    M, q : arrays
        The problem.
    y : array
        The multipliers of its rows.
    on, off : bool arrays
        Rows with `w = 0`, unknowns with `z = 0`; none when left out.

    """
    A, b, row, _ = scaled(M, q)
    y = y / row
    y = np.where(False if on is None else on, y, np.maximum(y, 0.0))
    total = np.abs(y).sum()
    if not np.isfinite(total) or total == 0.0:
        return False
    y = y / total
    value = float(b @ y)
    product = A.T @ y
    if off is not None:
        product = product[~off]
    # a contradiction ten times larger than what an accepted answer may be off by
    return value < -10 * tolerances.COMPLEMENTARY and bool((product <= -tolerances.FEASIBLE * value).all())


def infeasible(
    M: np.ndarray, q: np.ndarray, on: np.ndarray | None = None, off: np.ndarray | None = None
) -> bool:
    """Whether a linear program finds multipliers that prove it (see `proves_infeasible`).

    Parameters
    ----------
    M, q : arrays
        The problem.
    on, off : bool arrays
        Rows with `w = 0`, unknowns with `z = 0`; none when left out.

    """
    if q.size == 0 or not q.any():
        return False
    nobody = np.zeros(q.size, bool)
    A, b, row, _ = scaled(M, q)
    _, y = minimum(np.zeros(q.size), A, b, nobody if on is None else on, nobody if off is None else off)
    return y is not None and proves_infeasible(M, q, row * y, on, off)


def minimum(
    cost: np.ndarray, A: np.ndarray, b: np.ndarray, on: np.ndarray, off: np.ndarray
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Minimise `cost z` over `A z + b >= 0, z >= 0`, with `(A z + b)_i = 0` on `on` and `z = 0` on `off`.

    The simplex method of the core: its steps are limited, and Ctrl-C ends it.

    Parameters
    ----------
    cost : array
        The objective.
    A, b : arrays
        The rows, scaled.
    on, off : bool arrays
        Rows that vanish, unknowns that are zero.

    Returns
    -------
    z, y : arrays or None
        An optimum, or multipliers of the rows for `proves_infeasible`, or neither.

    """
    from modecontrol._core import polytopes

    free = ~off
    columns, k = A[:, free], int(free.sum())
    above = np.vstack([-columns[~on], -np.eye(k)])
    status, _, x, _, y, multiplier = polytopes.maximize(
        -cost[free], above, np.concatenate([b[~on], np.zeros(k)]), np.ascontiguousarray(columns[on]), -b[on]
    )
    if status == layout.OPTIMAL:
        z = np.zeros(b.size)
        z[free] = np.maximum(x, 0.0)
        return z, None
    if status != layout.INFEASIBLE:
        return None, None
    proof = np.zeros(b.size)
    proof[~on], proof[on] = y[: int((~on).sum())], -multiplier
    return None, proof
