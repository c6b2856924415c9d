"""The contact problem of one step, condensed (theory's Eq. (5), the DART note's Eq. (14)), built and solved.

    u = u_free + L p            rows: pins, then (normal, tangential) of each near contact
    u_b = target                                                          pins, eliminated by Cholesky
    0 <= pn  perp  u_n + softness pn + offset          >= 0
    0 <= p1  perp   u_t + s >= 0      0 <= p2  perp  -u_t + s >= 0        p_t = p1 - p2
    0 <= s   perp  mu pn - p1 - p2                     >= 0

Unknowns are ordered `pn` of all contacts, then `p1, p2, s` of each contact that has friction.
"""

import math

from modecontrol import tolerances
from modecontrol._kernels.jit import njit
from modecontrol._kernels.lemke import SOLVED, lemke_core
from modecontrol._kernels.scene import MU

RANK = tolerances.RANK
COVERS = 3

UNLOADED, WARM, LEMKE, FAILED = 1, 2, 3, 100


@njit
def eliminate_pins(L, u, target, C, T, nb, m):
    """Subtract from the contact block of `L` and from `u` what the pins take.

    `L_bb = C C^T`; `T = C^-1 (L_bu, target - u_b)`. A row that depends on earlier ones is left out (its
    multiplier is zero): redundant pins are welcome.
    """
    for i in range(nb):
        for j in range(i + 1):
            value = L[i, j]
            for k in range(j):
                value -= C[i, k] * C[j, k]
            if i == j:
                C[i, i] = math.sqrt(value) if value > RANK * L[i, i] else 0.0
            else:
                C[i, j] = value / C[j, j] if C[j, j] > 0.0 else 0.0
        for c in range(2 * m + 1):
            value = L[i, nb + c] if c < 2 * m else target[i] - u[i]
            for k in range(i):
                value -= C[i, k] * T[k, c]
            T[i, c] = value / C[i, i] if C[i, i] > 0.0 else 0.0
    for r in range(2 * m):
        for k in range(nb):
            u[nb + r] += T[k, r] * T[k, 2 * m]
        for c in range(2 * m):
            for k in range(nb):
                L[nb + r, nb + c] -= T[k, r] * T[k, c]


@njit
def pin_impulses(C, T, p, nb, m):
    """`lam = C^-T (t - T p)`: what the pins take once the contact impulses `p[nb:]` are known, into `p[:nb]`."""
    for i in range(nb):
        value = T[i, 2 * m]
        for c in range(2 * m):
            value -= T[i, c] * p[nb + c]
        p[i] = value
    for i in range(nb - 1, -1, -1):
        p[i] = p[i] / C[i, i] if C[i, i] > 0.0 else 0.0
        for k in range(i):
            p[k] -= C[i, k] * p[i]


@njit
def build(L, u, laws, near, offset, softness, nb, m, eps, s, A, a):
    """Fill `A`, `a`; returns the number of rows."""
    n = m
    for i in range(m):
        if laws[near[i], MU] > 0.0:
            n += 3
    for i in range(n):
        for j in range(n):
            A[i, j] = 0.0
    stiffer = 1.0 + eps
    fi = m
    for i in range(m):
        ri = nb + 2 * i
        mu = laws[near[i], MU]
        a[i] = u[ri] + offset[i]
        if mu > 0.0:
            a[fi], a[fi + 1], a[fi + 2] = u[ri + 1], -u[ri + 1], 0.0
            A[fi + 2, i] = s * mu
            A[fi + 2, fi] = A[fi + 2, fi + 1] = -s
            A[fi, fi + 2] = A[fi + 1, fi + 2] = s
        fj = m
        for j in range(m):
            rj = nb + 2 * j
            A[i, j] = L[ri, rj]
            if laws[near[j], MU] > 0.0:
                A[i, fj], A[i, fj + 1] = L[ri, rj + 1], -L[ri, rj + 1]
                if mu > 0.0:
                    value = L[ri + 1, rj + 1]
                    A[fi, fj], A[fi, fj + 1], A[fi + 1, fj], A[fi + 1, fj + 1] = value, -value, -value, value
                fj += 3
            if mu > 0.0:
                A[fi, j], A[fi + 1, j] = L[ri + 1, rj], -L[ri + 1, rj]
        A[i, i] = A[i, i] * stiffer + softness[i]
        if mu > 0.0:
            A[fi, fi] *= stiffer
            A[fi + 1, fi + 1] *= stiffer
            fi += 3
    return n


@njit
def remember(laws, near, m, recall, active, memory):
    """Basis of the near contacts from (`recall`) or into the memory that outlives the step."""
    fi = m
    for i in range(m):
        c = near[i]
        if recall:
            active[i] = memory[c, 0]
        else:
            memory[c, 0] = active[i]
        if laws[c, MU] > 0.0:
            for k in range(3):
                if recall:
                    active[fi + k] = memory[c, 1 + k]
                else:
                    memory[c, 1 + k] = active[fi + k]
            fi += 3


@njit
def solve_contacts(laws, rows, basis, nb, m, eps, scaling, warm):
    """Solve for `rows.p` (contacts): `(how, residual)`, how being `UNLOADED`, `WARM`, `LEMKE` or `FAILED`.

    When every contact separates by itself nothing needs to be solved. Otherwise the basis of the last step is
    tried, then Lemke's method along up to `COVERS` paths.
    """
    p, near = rows.p, rows.near
    apart = True
    for i in range(m):
        p[nb + 2 * i] = p[nb + 2 * i + 1] = 0.0
        apart = apart and rows.u[nb + 2 * i] + rows.offset[i] >= 0.0
    if apart:
        return UNLOADED, 0.0
    n = build(rows.L, rows.u, laws, near, rows.offset, rows.softness, nb, m, eps, scaling, basis.A, basis.a)
    if warm:
        remember(laws, near, m, True, basis.active, basis.memory)
    for turn in range(COVERS):
        code, pivots, residual = lemke_core(basis.A, basis.a, n, warm and turn == 0, basis.active, basis.z, basis.w,
                                            basis.tableau, basis.order, basis.rows, 30 * n + 100, turn)
        if code == SOLVED:
            fi = m
            for i in range(m):
                p[nb + 2 * i] = basis.z[i]
                if laws[near[i], MU] > 0.0:
                    p[nb + 2 * i + 1] = basis.z[fi] - basis.z[fi + 1]
                    fi += 3
            if warm:
                remember(laws, near, m, False, basis.active, basis.memory)
            return (WARM if pivots == 0 else LEMKE), residual
    return FAILED, math.inf
