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

RANK = tolerances.RANK
COVERS = 3

UNLOADED, WARM, LEMKE, FAILED = 1, 2, 3, 100


@njit
def eliminate_pins(bench, nb, m):
    """Subtract from the contact block of `L` and from `u` what the pins take.

    `L_bb = C C^T`; `T = C^-1 (L_bu, target - u_b)`. A row that depends on earlier ones is left out (its
    multiplier is zero): redundant pins are welcome.
    """
    C, T, L = bench.chol, bench.T, bench.L
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
            value = L[i, nb + c] if c < 2 * m else bench.target[i] - bench.u[i]
            for k in range(i):
                value -= C[i, k] * T[k, c]
            T[i, c] = value / C[i, i] if C[i, i] > 0.0 else 0.0
    for r in range(2 * m):
        for k in range(nb):
            bench.u[nb + r] += T[k, r] * T[k, 2 * m]
        for c in range(2 * m):
            for k in range(nb):
                L[nb + r, nb + c] -= T[k, r] * T[k, c]


@njit
def pin_impulses(bench, nb, m):
    """`lam = C^-T (t - T p)`: what the pins take once the contact impulses are known, into `bench.p`."""
    C, T, p = bench.chol, bench.T, bench.p
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
def build(scene, bench, options, nb, m):
    """Fill `bench.A`, `bench.a`; returns the number of rows."""
    A, a, L, u = bench.A, bench.a, bench.L, bench.u
    rows = m
    for i in range(m):
        if scene.mu[bench.near[i]] > 0.0:
            rows += 3
    for i in range(rows):
        for j in range(rows):
            A[i, j] = 0.0
    stiffer = 1.0 + options.eps
    s = options.scaling
    fi = m
    for i in range(m):
        ri = nb + 2 * i
        rough = scene.mu[bench.near[i]] > 0.0
        a[i] = u[ri] + bench.offset[i]
        if rough:
            a[fi], a[fi + 1], a[fi + 2] = u[ri + 1], -u[ri + 1], 0.0
            A[fi + 2, i] = s * scene.mu[bench.near[i]]
            A[fi + 2, fi] = A[fi + 2, fi + 1] = -s
            A[fi, fi + 2] = A[fi + 1, fi + 2] = s
        fj = m
        for j in range(m):
            rj = nb + 2 * j
            A[i, j] = L[ri, rj]
            if scene.mu[bench.near[j]] > 0.0:
                A[i, fj], A[i, fj + 1] = L[ri, rj + 1], -L[ri, rj + 1]
                if rough:
                    value = L[ri + 1, rj + 1]
                    A[fi, fj], A[fi, fj + 1], A[fi + 1, fj], A[fi + 1, fj + 1] = value, -value, -value, value
                fj += 3
            if rough:
                A[fi, j], A[fi + 1, j] = L[ri + 1, rj], -L[ri + 1, rj]
        A[i, i] = A[i, i] * stiffer + bench.softness[i]
        if rough:
            A[fi, fi] *= stiffer
            A[fi + 1, fi + 1] *= stiffer
            fi += 3
    return rows


@njit
def remember(scene, bench, m, recall):
    """Basis of the near contacts from (`recall`) or into the memory that outlives the step."""
    fi = m
    for i in range(m):
        c = bench.near[i]
        if recall:
            bench.active[i] = bench.memory[c, 0]
        else:
            bench.memory[c, 0] = bench.active[i]
        if scene.mu[c] > 0.0:
            for k in range(3):
                if recall:
                    bench.active[fi + k] = bench.memory[c, 1 + k]
                else:
                    bench.memory[c, 1 + k] = bench.active[fi + k]
            fi += 3


@njit
def solve_contacts(scene, bench, options, nb, m, warm):
    """Solve for `bench.p` (contacts); returns how (`UNLOADED`, `WARM`, `LEMKE`) or `FAILED`.

    When every contact separates by itself nothing needs to be solved. Otherwise the basis of the last step is
    tried, then Lemke's method along up to `COVERS` paths.
    """
    for i in range(2 * m):
        bench.p[nb + i] = 0.0
    bench.numbers[0] = 0.0
    apart = True
    for i in range(m):
        apart = apart and bench.u[nb + 2 * i] + bench.offset[i] >= 0.0
    if apart:
        return UNLOADED
    rows = build(scene, bench, options, nb, m)
    if warm:
        remember(scene, bench, m, True)
    for turn in range(COVERS):
        code, pivots, residual = lemke_core(bench.A, bench.a, rows, warm and turn == 0, bench.active, bench.z, bench.w,
                                            bench.tableau, bench.order, bench.rows, 30 * rows + 100, turn)
        if code == SOLVED:
            bench.numbers[0] = residual
            fi = m
            for i in range(m):
                bench.p[nb + 2 * i] = bench.z[i]
                if scene.mu[bench.near[i]] > 0.0:
                    bench.p[nb + 2 * i + 1] = bench.z[fi] - bench.z[fi + 1]
                    fi += 3
            if warm:
                remember(scene, bench, m, False)
            return WARM if pivots == 0 else LEMKE
    return FAILED
