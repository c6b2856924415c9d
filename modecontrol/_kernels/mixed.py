"""Mixed complementarity problems, whole: the free unknowns are pivoted into the basis, then Lemke's method goes on.

    0 = A u + B z + a,  u free        w = C u + D z + c,  0 <= z  perp  w >= 0

Every pivot works on the whole tableau, as in a solver that is handed the mixed problem and knows nothing of its
structure: `nb N^2` operations for `nb` bilateral rows of `N`, against `nb^3 / 6` of Cholesky's method.
"""

from modecontrol import tolerances
from modecontrol._kernels.jit import njit
from modecontrol._kernels.lemke import SOLVED, lemke_core

RANK = tolerances.RANK
COVERS = 3


@njit
def sweep(T, n, width, k, pivot_row, pivot_column):
    """`lemke.exchange` at the diagonal entry `k`, every entry of the tableau worked on, zero or not."""
    inverse = 1.0 / T[k, k]
    for i in range(n):
        pivot_column[i] = T[i, k]
        T[i, k] = 0.0
    pivot_column[k] = 0.0
    T[k, k] = 1.0
    for j in range(width):
        T[k, j] *= inverse
        pivot_row[j] = T[k, j]
    for i in range(n):
        f = pivot_column[i]
        for j in range(width):
            T[i, j] -= f * pivot_row[j]


@njit
def free_first(A, a, nb, N, T, side):
    """Pivot the free unknowns in: `T` (N, N + 1) becomes the tableau `basic = T_rhs - T nonbasic`.

    A row that depends on those before it is left out; its unknown stays zero. `side` (3, N + 2) is work space, its
    first row may be `a`.
    """
    for i in range(N):
        for j in range(N):
            T[i, j] = -A[i, j]
        T[i, N] = a[i]
    for i in range(nb):
        if abs(T[i, i]) > RANK * abs(A[i, i]):
            sweep(T, N, N + 1, i, side[1], side[2])
        else:
            for j in range(N + 1):
                T[i, j] = 0.0


@njit
def mixed_lemke(A, a, nb, N, warm, T, side, basis, free):
    """Solve the mixed problem with `nb` bilateral rows first: `(solved, residual)`; `u` into `free`, `z` into `basis.z`.

    `warm` tries the basis in `basis.active` first. The answer for `z` is checked by `lemke_core`.
    """
    free_first(A, a, nb, N, T, side)
    n = N - nb
    for i in range(n):
        basis.a[i] = T[nb + i, N]
        for j in range(n):
            basis.A[i, j] = -T[nb + i, nb + j]
    residual = 0.0
    if n > 0:
        solved = False
        for turn in range(COVERS):
            code, _, residual = lemke_core(basis.A, basis.a, n, warm and turn == 0, basis.active, basis.z, basis.w,
                                           basis.tableau, basis.order, basis.rows, 30 * n + 100, turn)
            solved = code == SOLVED
            if solved:
                break
        if not solved:
            return False, residual
    for i in range(nb):
        value = T[i, N]
        for j in range(n):
            value -= T[i, nb + j] * basis.z[j]
        free[i] = value
    return True, residual
