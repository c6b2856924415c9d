"""Which rows of a projection touch the set that they came from.

A row that Fourier-Motzkin elimination combines is valid on the set by its making. If it is tight nowhere it is
redundant, and all such rows can go at once: a segment that leaves the projection leaves it through a row that is tight
there. One linear program over the original set, which is smaller than the combined system, settles it. It is also the
check of the rows that remain: each is valid and tight.
"""

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.jit import njit
from modecontrol._kernels.simplex import OPTIMAL, UNDECIDED, make_workspace, prepare, solve_again

FLAT = tolerances.FLAT


@njit(error_model="numpy")
def tight_rows(A, b, C, e, rows, right, names):
    """Find the rows `rows[k] x_names <= right[k]` that are tight somewhere on `{x : A x <= b, C x = e}`.

    Parameters
    ----------
    A, b, C, e : arrays
        The set, not empty.
    rows, right : arrays (n, k) and (n)
        Rows with largest coefficient one, thought to be valid on the set.
    names : int array (k)
        Their variables, as columns of `A`.

    Returns
    -------
    tight : bool array (n)
        False where the row stays away from the set by more than FLAT.
    sure : bool
        Whether all rows were found valid and every linear program was solved; where one was not, `tight` is True.

    """
    n, k = rows.shape
    tight = np.ones(n, np.bool_)
    c = np.zeros(A.shape[1])
    ws = make_workspace(A.shape[0], C.shape[0], A.shape[1])
    if prepare(ws, A, b, C, e) != OPTIMAL:
        return tight, False
    sure = True
    for i in range(n):
        for j in range(k):
            c[names[j]] = rows[i, j]
        status, value = solve_again(ws, c)
        if status == OPTIMAL:
            size = 0.0
            for j in range(k):
                size += abs(rows[i, j] * ws.x[names[j]])
            tolerance = FLAT * max(1.0, max(size, abs(right[i])))
            tight[i] = value >= right[i] - tolerance
            sure = sure and value <= right[i] + tolerance
        else:
            sure = False
            if status == UNDECIDED and prepare(ws, A, b, C, e) != OPTIMAL:
                break
    return tight, sure
