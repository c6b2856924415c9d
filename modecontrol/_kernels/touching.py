"""Which rows of a projection touch the set that they came from.

A row that Fourier-Motzkin elimination combines is valid on the set by its making. If it is tight nowhere it is
redundant, and all such rows can go at once: a segment that leaves the projection leaves it through a row that is tight
there. One linear program over the original set, which is smaller than the combined system, settles it, and its vertex
shows other rows to be tight as well. The same question, asked of what remains, checks the answer.
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
    d = A.shape[1]
    tight, open_ = np.zeros(n, np.bool_), np.ones(n, np.bool_)
    across, level, size, c = rows.T.copy(), np.zeros(n), np.empty(n), np.zeros(d)
    ws = make_workspace(A.shape[0], C.shape[0], d)
    sure = prepare(ws, A, b, C, e) == OPTIMAL
    if not sure:
        tight[:] = True
        return tight, sure
    while True:
        i = np.int64(-1)
        best = -1e300
        for r in range(n):    # next the row that the present vertex misses by least
            gap = level[r] if open_[r] else -1e300
            i = r if gap > best else i
            best = gap if gap > best else best
        if i < 0:
            return tight, sure
        open_[i] = False
        for j in range(k):
            c[names[j]] = rows[i, j]
        status, _ = solve_again(ws, c)
        if status != OPTIMAL:
            tight[i] = True
            sure = False
            if status == UNDECIDED and prepare(ws, A, b, C, e) != OPTIMAL:
                tight[:] = True
                return tight, sure
            continue
        for r in range(n):
            level[r] = -right[r]
            size[r] = 0.0
        for j in range(k):
            x = ws.x[names[j]]
            for r in range(n):
                term = across[j, r] * x
                level[r] += term
                size[r] += abs(term)
        for r in range(n):
            most = size[r] if size[r] > abs(right[r]) else abs(right[r])
            tolerance = FLAT * (most if most > 1.0 else 1.0)
            tight[r] = tight[r] | (level[r] >= -tolerance)
            open_[r] = open_[r] & (not tight[r])
            sure = sure & (level[r] <= tolerance)
