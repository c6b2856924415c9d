"""Bilateral rows of a mixed LCP, eliminated: what is left is an ordinary LCP in the unilateral unknowns.

    0   = A u + B z + a        u free (equality rows E)
    w   = C u + D z + c        0 <= z  perp  w >= 0                                   mixed LCP
    u   = -A^-1 (B z + a)      w = (D - C A^-1 B) z + (c - C A^-1 a)                  when A is regular

A singular `A` (a massless link, a joint counted twice) is split by its singular vectors, `A = U1 s V1^T`. The
part along `U1, V1` goes as above. The rest is a set of equations `U2^T (B z + a) = 0` on `z` with free
multipliers `V2`: equations that hold anyway are dropped, those that contradict are reported with the
combination of rows that proves it, and the others enter the LCP exactly, as `g >= 0` and `-sum(g) >= 0` with
multipliers `u2 = y - t 1`, `y, t >= 0`. The splitting is a congruence where `A` is symmetric, so semidefinite
and copositive problems stay so.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from modecontrol import tolerances


@dataclass(frozen=True)
class Reduced:
    """An LCP without bilateral rows, and the way back: `u = shift + slope @ z`."""

    M: np.ndarray
    q: np.ndarray
    shift: np.ndarray
    slope: np.ndarray
    plain: bool
    contradiction: np.ndarray | None = None

    def free(self, z: np.ndarray) -> np.ndarray:
        """The bilateral unknowns that belong to the unilateral ones."""
        return self.shift + self.slope @ z


def eliminate(
    A: np.ndarray, B: np.ndarray, a: np.ndarray, C: np.ndarray, D: np.ndarray, c: np.ndarray
) -> Reduced:
    """The LCP in `z` alone that is left of a mixed one when its equalities are eliminated.

    Parameters
    ----------
    A, B, a : arrays
        Bilateral rows `0 = A u + B z + a`, scaled so that sizes can be compared.
    C, D, c : arrays
        Unilateral rows `w = C u + D z + c`.

    Returns
    -------
    Reduced
        With `contradiction` set when the bilateral rows cannot hold whatever `u` and `z` are.

    """
    lu, pivots, _ = lapack.dgetrf(A)
    norm = float(np.abs(A).sum(axis=0).max())
    condition, _ = lapack.dgecon(lu, norm) if norm > 0 else (0.0, 0)
    if condition > tolerances.RANK:
        answer, _ = lapack.dgetrs(lu, pivots, np.column_stack([B, a]))
        slope, shift = -answer[:, :-1], -answer[:, -1]
        return Reduced(_whole(D + C @ slope), _whole(c + C @ shift), shift, slope, True)

    U, s, Vt = np.linalg.svd(A)
    rank = int(np.sum(s > tolerances.RANK * max(s[0], 1.0)))
    U1, V1, U2, V2 = U[:, :rank], Vt[:rank].T, U[:, rank:], Vt[rank:].T
    if np.abs(U2 @ (U2.T @ V2) - V2).max(initial=0.0) < np.sqrt(tolerances.RANK):
        U2 = V2  # the same space (A symmetric or semidefinite): pair equations and multipliers alike
    slope, shift = -V1 @ ((U1.T @ B) / s[:rank, None]), -V1 @ ((U1.T @ a) / s[:rank])
    M, q = D + C @ slope, c + C @ shift

    # Turn the remaining equations so that those without any z stand last, and their multipliers with them.
    W, left, _ = np.linalg.svd(U2.T @ B)
    U2, V2 = U2 @ W, V2 @ W
    G, g, H = U2.T @ B, U2.T @ a, C @ V2
    size = max(1.0, float(np.abs(B).max(initial=0.0)))
    live = np.zeros(g.size, bool)
    live[: left.size] = left > tolerances.RANK * size
    G[~live] = 0.0
    false = ~live & (np.abs(g) > tolerances.COMPLEMENTARY * max(float(np.abs(a).max()), tolerances.TINY))
    if false.any():
        return Reduced(_whole(M), _whole(q), shift, slope, False, U2[:, np.argmax(false)])
    g[~live] = 0.0
    keep = live | (np.abs(H).max(axis=0, initial=0.0) > tolerances.RANK * size)
    if not keep.any():
        return Reduced(_whole(M), _whole(q), shift, slope, True)
    return _embed(G[keep], g[keep], H[:, keep], M, q=q, shift=shift, slope=slope, V=V2[:, keep])


def _embed(
    G: np.ndarray,
    g: np.ndarray,
    H: np.ndarray,
    M: np.ndarray,
    *,
    q: np.ndarray,
    shift: np.ndarray,
    slope: np.ndarray,
    V: np.ndarray,
) -> Reduced:
    """Unknowns `(z, y, t)`: equations `G z + g = 0` with multipliers `H (y - t 1)` as inequalities."""
    n, m = M.shape[0], g.size
    big = np.zeros((n + m + 1, n + m + 1))
    big[:n, :n], big[:n, n : n + m], big[:n, -1] = M, H, -H.sum(axis=1)
    big[n : n + m, :n], big[-1, :n] = G, -G.sum(axis=0)
    return Reduced(
        big,
        np.concatenate([q, g, [-g.sum()]]),
        shift,
        np.column_stack([slope, V, -V.sum(axis=1)]),
        False,
    )


def _whole(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array, float)
