"""Units: rows of size one, columns of size one, and ranks that do not depend on either.

    A  ->  R A S,     R, S positive diagonal

Rows are divided by their largest entry. Columns are scaled by powers of two, which leave the digits of the
data alone, to bring all entries as near to one as possible: alternating geometric means, the scaling of
Curtis and Reid (1972), whose result does not depend on the units that the columns came in.
"""

from __future__ import annotations

import numpy as np

from modecontrol import tolerances

_SWEEPS = 8

__all__ = ["column_scale", "independent_rows", "null_space", "rank", "row_size", "uneven"]


def row_size(A: np.ndarray) -> np.ndarray:
    """Largest absolute coefficient of each row, 1 for zero rows.

    Parameters
    ----------
    A : numpy.ndarray
        Rows.

    Returns
    -------
    numpy.ndarray
        One positive number per row.
    """
    size = np.abs(A).max(axis=1, initial=0.0)
    size[size == 0] = 1.0
    return size


def column_scale(*blocks: np.ndarray) -> np.ndarray:
    """Powers of two `s` that bring the entries of `A diag(s)`, rows scaled too, as near to one as can be.

    Parameters
    ----------
    *blocks : numpy.ndarray
        Matrices with the same number of columns.

    Returns
    -------
    numpy.ndarray
        One positive number per column (1 for columns of zeros).
    """
    M = np.abs(np.vstack(blocks))
    some = M.max(axis=1, initial=0.0)[:, None] * tolerances.PRODUCT < M
    logs = np.log2(M, where=some, out=np.zeros_like(M))
    in_row, in_column = np.maximum(some.sum(axis=1), 1), np.maximum(some.sum(axis=0), 1)
    power = np.zeros(M.shape[1])
    for _ in range(_SWEEPS):
        row = -np.where(some, logs + power, 0.0).sum(axis=1) / in_row
        power = -np.where(some, logs + row[:, None], 0.0).sum(axis=0) / in_column
    # One column per connected group may sit anywhere; the middle of them all at one keeps numbers readable.
    used = some.any(axis=0)
    power = np.where(used, power - (np.median(power[used]) if used.any() else 0.0), 0.0)
    return np.exp2(np.round(power))


def uneven(*blocks: np.ndarray) -> bool:
    """Whether rows mix sizes so much that a column's share may pass for rounding unless columns are scaled.

    Parameters
    ----------
    *blocks : numpy.ndarray
        Matrices with the same number of columns.

    Returns
    -------
    bool
        True if within some row the sizes differ by more than `tolerances.ROW_SPREAD`.
    """
    for block in blocks:
        if block.size:
            size = np.abs(block)
            largest = size.max(axis=1)
            least = np.where(size > tolerances.PRODUCT * largest[:, None], size, np.inf).min(axis=1)
            if np.any(least * tolerances.ROW_SPREAD < largest):
                return True
    return False


def _scaled(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    scale = column_scale(rows)
    rows = rows * scale
    return rows / row_size(rows)[:, None], scale


def rank(rows: np.ndarray) -> int:
    """How many rows are linearly independent, judged to `tolerances.RANK` after scaling.

    Parameters
    ----------
    rows : numpy.ndarray
        Rows, of whatever size and units.

    Returns
    -------
    int
        The rank.
    """
    return _rank(_scaled(rows)[0]) if rows.size else 0


def _rank(left: np.ndarray) -> int:
    """The diagonal of the pivoted QR, counted: the longest row is divided out of the others, again and again.

    In numpy alone: questions about a rank do not wait until scipy is loaded.
    """
    largest = 0.0
    for found in range(min(left.shape)):
        lengths = np.sqrt(np.einsum("ij,ij->i", left, left))
        first = int(lengths.argmax())
        largest = max(largest, lengths[first])
        if lengths[first] <= tolerances.RANK * largest:
            return found
        direction = left[first] / lengths[first]
        left = left - np.outer(left @ direction, direction)
    return min(left.shape)


def independent_rows(rows: np.ndarray) -> np.ndarray:
    """Indices of a largest set of linearly independent rows, sorted; dependence is judged to `tolerances.RANK` after
    scaling.

    Parameters
    ----------
    rows : numpy.ndarray
        Rows, of whatever size and units.

    Returns
    -------
    numpy.ndarray of int
        As many indices as the rank.
    """
    if rows.size == 0:
        return np.zeros(0, dtype=int)
    scaled, _ = _scaled(rows)
    if _rank(scaled) == len(rows):  # nothing to choose
        return np.arange(len(rows))
    from scipy.linalg import qr

    _, R, order = qr(scaled.T, mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(R))
    if diagonal[0] == 0:
        return np.zeros(0, dtype=int)
    return np.sort(order[: int(np.count_nonzero(diagonal > tolerances.RANK * diagonal[0]))])


def null_space(rows: np.ndarray) -> np.ndarray:
    """Basis (as columns) of `{x : rows x = 0}` in which some of the variables are the coordinates.

    Solving for the other variables keeps simple numbers simple: parallel rows stay exactly parallel in the
    new coordinates, which an orthonormal basis would not grant.

    Parameters
    ----------
    rows : numpy.ndarray
        Rows; none gives the identity.

    Returns
    -------
    numpy.ndarray
        Shape (n, n - rank).
    """
    n = rows.shape[1]
    chosen = independent_rows(rows)
    rank = len(chosen)
    if rank == 0:
        return np.eye(n)
    from scipy.linalg import qr

    rows = rows[chosen] / row_size(rows[chosen])[:, None]
    order = qr(rows, mode="r", pivoting=True)[1]
    solved, free = np.sort(order[:rank]), np.sort(order[rank:])
    basis = np.zeros((n, n - rank))
    basis[free] = np.eye(n - rank)
    shares = -np.linalg.solve(rows[:, solved], rows[:, free])
    basis[solved] = np.where(np.abs(shares) <= tolerances.PRODUCT_ROUNDING, 0.0, shares)
    return basis
