"""Coordinates on an affine subspace.

    {x : C x = d}  =  {origin + basis u},      basis of full column rank

Flat sets become full-dimensional ones in `u`; sets with lines become pointed ones. The basis is chosen
after each variable has been scaled, so that kilometres beside micrometres do no harm; `stretch` gives back
true volume.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from modecontrol.polytopes.scaling import null_space, row_size

__all__ = ["Frame", "frame_of"]


@dataclass(frozen=True, eq=False)
class Frame:
    """The map `x = origin + basis u`.

    Parameters
    ----------
    origin : numpy.ndarray
        A point of the subspace, (n,).
    basis : numpy.ndarray
        Independent columns, (n, k).
    """

    origin: np.ndarray
    basis: np.ndarray

    @property
    def k(self) -> int:
        """Dimension of the subspace."""
        return self.basis.shape[1]

    @cached_property
    def left_inverse(self) -> np.ndarray:
        """`u = left_inverse (x - origin)` for points x of the subspace."""
        return np.linalg.pinv(self.basis) if self.k else np.zeros((0, len(self.origin)))

    @cached_property
    def stretch(self) -> float:
        """k-dimensional volume of the image of the unit cube, `sqrt det(basis' basis)`."""
        return float(np.prod(np.linalg.svd(self.basis, compute_uv=False))) if self.k else 1.0

    @cached_property
    def orthonormal(self) -> np.ndarray:
        """Orthonormal basis of the same directions."""
        return np.linalg.qr(self.basis)[0]

    def point(self, u: np.ndarray) -> np.ndarray:
        """The points x of coordinates u (one per row)."""
        return self.origin + u @ self.basis.T

    def coordinates(self, x: np.ndarray) -> np.ndarray:
        """The coordinates u of points x (one per row)."""
        return (x - self.origin) @ self.left_inverse.T

    def rows(self, A: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """`A x <= b` in the coordinates u: `A basis u <= b - A origin`, each row divided by its size."""
        G, h = A @ self.basis, b - A @ self.origin
        size = row_size(G)
        return G / size[:, None], h / size


def frame_of(C: np.ndarray, d: np.ndarray, scale: np.ndarray, near: np.ndarray | None = None) -> Frame:
    """Coordinates on `{x : C x = d}`, chosen in the scaled variables `x / scale`.

    Parameters
    ----------
    C, d : numpy.ndarray
        Independent, consistent equalities.
    scale : numpy.ndarray
        Size of each variable.
    near : numpy.ndarray, optional
        The origin is the point of the subspace nearest to this one (in scaled variables); zero if not given.

    Returns
    -------
    Frame
        With `k = n - len(C)`.
    """
    near = np.zeros(C.shape[1]) if near is None else near
    if len(C) == 0:
        return Frame(near, np.diag(scale))
    rows = C * scale
    size = row_size(rows)
    rows, level = rows / size[:, None], (d - C @ near) / size
    origin = near + scale * np.linalg.lstsq(rows, level, rcond=None)[0]
    # One step of refinement: equalities hold to the last digits, whatever the size of d.
    origin = origin + scale * np.linalg.lstsq(rows, (d - C @ origin) / size, rcond=None)[0]
    return Frame(origin, scale[:, None] * null_space(rows))
