"""Units: rows of size one, columns of size one, and ranks that do not depend on either.

    A  ->  R A S,     R, S positive diagonal powers of two

Alternating division by the largest entry brings every row and column of a stacked matrix to size
about one. Powers of two leave the digits of the data alone.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import qr

from modecontrol.tolerances import RANK

__all__ = ["column_scale", "independent_rows", "null_space", "row_size"]


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
    """Powers of two `s` such that the rows of `A diag(s)`, divided by their size, use every column alike.

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
    scale = np.ones(M.shape[1])
    for _ in range(3):
        M = M / row_size(M)[:, None]
        size = M.max(axis=0, initial=0.0)
        size[size == 0] = 1.0
        factor = np.exp2(-np.round(np.log2(size)))
        scale *= factor
        M = M * factor
    return scale


def _scaled(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    scale = column_scale(rows)
    rows = rows * scale
    return rows / row_size(rows)[:, None], scale


def independent_rows(rows: np.ndarray) -> np.ndarray:
    """Indices of a largest set of linearly independent rows, sorted; dependence is judged to `RANK` after
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
    _, R, order = qr(scaled.T, mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(R))
    if diagonal[0] == 0:
        return np.zeros(0, dtype=int)
    return np.sort(order[: int(np.count_nonzero(diagonal > RANK * diagonal[0]))])


def null_space(rows: np.ndarray) -> np.ndarray:
    """Orthonormal basis (as columns) of `{x : rows x = 0}`.

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
    if len(chosen) == 0:
        return np.eye(n)
    basis = rows[chosen] / np.linalg.norm(rows[chosen], axis=1)[:, None]
    Q, _ = np.linalg.qr(basis.T, mode="complete")
    return Q[:, len(chosen) :]
