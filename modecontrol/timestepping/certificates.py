"""Proofs that linear inequalities contradict each other (Farkas), found by a linear program and then checked.

    M^T y <= 0,  y >= 0,  q . y < 0        then no z >= 0 has M z + q >= 0

With rows `on` asked to vanish (`w_i = 0`) their `y_i` may have either sign; with unknowns `off` held at zero
their rows of `M^T y <= 0` fall away. No claim rests on a solver's word: the inequalities are looked at.
"""

import numpy as np

from modecontrol import tolerances


def scaled(M: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """`(R M C, R q / size, R, C size)` with entries of about one; `q = 0` stays as it is."""
    from modecontrol._kernels.bases import equilibrate

    row, column = np.empty(q.size), np.empty(q.size)
    equilibrate(M, q.size, row, column)
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
    from scipy.optimize import linprog

    if q.size == 0 or not q.any():
        return False
    A, b, row, _ = scaled(M, q)
    lower = np.zeros(q.size) if on is None else np.where(on, -1.0, 0.0)
    rows = A.T if off is None else A.T[~off]
    if len(rows) == 0:
        rows = np.zeros((1, q.size))
    bounds = np.column_stack([lower, np.ones(q.size)])
    answer = linprog(b, A_ub=rows, b_ub=np.zeros(len(rows)), bounds=bounds, method="highs")
    return answer.status == 0 and proves_infeasible(M, q, row * answer.x, on, off)
