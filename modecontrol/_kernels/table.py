"""The table of unknowns that the search over modes works on.

The affine set of all unknowns `X` that satisfy the equalities so far is `X = x0 + Z y` with `Z` orthonormal. It is kept
as a table whose rows are the quantities that somebody may ask for:

    rows:  X itself (qdd, f, lam, tau) | contact accelerations xdd | physical | task | goal     columns:  y | constant

Imposing an equality reflects it (Householder) onto the last column of `y`, which then has a known value and leaves: one
freedom fewer, `Z` still orthonormal, and the size of the reflected row tells whether the equality was implied already.
"""

from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.jit import njit
from modecontrol._kernels.scaling import natural_units

RANK = tolerances.RANK
PIVOT = tolerances.PIVOT
CONSISTENT = tolerances.CONSISTENT
STILL = 100.0 * tolerances.VELOCITY
"""Accelerations (m/s2) that contacts at less than `VELOCITY` cannot exceed."""


class Layout(NamedTuple):
    """Where the blocks of the table start; `columns` is the position of the constant column."""

    force: int
    lam: int
    tau: int
    xdd: int
    physical: int
    task: int
    rows: int
    columns: int


class Root(NamedTuple):
    """The table before any letter is assigned, with the units that scale it back."""

    table: np.ndarray
    freedom: int
    layout: Layout
    units: np.ndarray
    size: float


@njit
def dynamic_root(M, b, S, J, d, G, e, mu, free, slip, P, p, equality, physical):
    """Table of the whole dynamics: `M qdd + b = S tau + J'f + G'lam`, loops, physical equalities, known letters.

    `P (qdd, f, tau) >= p` holds the extra rows; the first `physical` of them are physical (equalities where marked),
    the others (tasks, as inequalities; a goal) wait in the table until somebody asks.
    """
    n, t = S.shape
    k = J.shape[0] // 2
    loops = G.shape[0]
    force, lam, tau = n, n + 2 * k, n + 2 * k + loops
    N = tau + t
    layout = Layout(force, lam, tau, N, N + 2 * k, N + 2 * k + physical, N + 2 * k + P.shape[0], N)
    uq, uf, ul, ut = natural_units(M, S, J, G)
    units = np.concatenate((uq, uf, ul, ut))
    size = _load(b, d, e, p, uq, uf, ul, P, units, n, k, loops, physical)

    T = np.zeros((layout.rows, N + 1))
    for i in range(N):
        T[i, i] = 1.0
    for i in range(2 * k):
        for j in range(n):
            T[layout.xdd + i, j] = J[i, j] * uq[j] * uf[i]
        T[layout.xdd + i, N] = d[i] * uf[i] / size
    for i in range(P.shape[0]):
        biggest = 0.0
        for j in range(n + 2 * k + t):
            column = j if j < n + 2 * k else j + loops
            T[layout.physical + i, column] = P[i, j] * units[column]
            biggest = max(biggest, abs(T[layout.physical + i, column]))
        T[layout.physical + i, N] = -p[i] / size
        if biggest > 0.0:
            T[layout.physical + i] /= biggest

    freedom = N
    row = np.zeros(N + 1)
    for j in range(n):
        row[:] = 0.0
        for i in range(n):
            row[i] = uq[j] * M[j, i] * uq[i]
        for i in range(2 * k):
            row[force + i] = -uq[j] * J[i, j] * uf[i]
        for i in range(loops):
            row[lam + i] = -uq[j] * G[i, j] * ul[i]
        for i in range(t):
            row[tau + i] = -uq[j] * S[j, i] * ut[i]
        row[N] = uq[j] * b[j] / size
        freedom = impose(T, layout, freedom, combine(T, row, freedom, N, 0))
    for i in range(loops):
        row[:] = 0.0
        for j in range(n):
            row[j] = G[i, j] * uq[j] * ul[i]
        row[N] = e[i] * ul[i] / size
        freedom = impose(T, layout, freedom, combine(T, row, freedom, N, 0))
    for i in range(physical):
        if equality[i]:
            freedom = impose(T, layout, freedom, T[layout.physical + i].copy())
    for i in range(k):
        if free[i]:
            freedom = impose(T, layout, freedom, T[force + 2 * i].copy())
            freedom = impose(T, layout, freedom, T[force + 2 * i + 1].copy())
        elif slip[i] != 0:
            freedom = impose(T, layout, freedom, T[force + 2 * i + 1] + slip[i] * mu[i] * T[force + 2 * i])
    return Root(T, freedom, layout, units, size)


@njit
def kinematic_root(M, b, S, J, d, G, e):
    """Table of the accelerations alone: `xdd = J qdd + d`, loops; no forces, no inputs (`b` only says what is small)."""
    n = J.shape[1]
    k = J.shape[0] // 2
    layout = Layout(-1, n, n, n, n + 2 * k, n + 2 * k, n + 2 * k, n)
    uq, uf, ul, _ = natural_units(M, S, J, G)
    size = _loads(b, d, e, uq, uf, ul)
    if size <= _still(uf):
        size = 1.0
    T = np.zeros((layout.rows, n + 1))
    for i in range(n):
        T[i, i] = 1.0
    for i in range(2 * k):
        for j in range(n):
            T[n + i, j] = J[i, j] * uq[j] * uf[i]
        T[n + i, n] = d[i] * uf[i] / size
    freedom = n
    row = np.zeros(n + 1)
    for i in range(G.shape[0]):
        for j in range(n):
            row[j] = G[i, j] * uq[j] * ul[i]
        row[n] = e[i] * ul[i] / size
        freedom = impose(T, layout, freedom, combine(T, row, freedom, n, 0))
    return Root(T, freedom, layout, uq, size)


@njit
def _load(b, d, e, p, uq, uf, ul, P, units, n, k, loops, physical):
    """Size of the right-hand sides: bias and drift; physical bounds only when there is neither beyond rounding."""
    size, still = _loads(b, d, e, uq, uf, ul), _still(uf)
    if size > still:
        return size
    size = 0.0
    for i in range(physical):
        biggest = 0.0
        for j in range(P.shape[1]):
            biggest = max(biggest, abs(P[i, j]) * units[j if j < n + 2 * k else j + loops])
        if biggest > 0.0:
            size = max(size, abs(p[i]) / biggest)
    return max(size, still) if size > 0.0 else 1.0


@njit
def _loads(b, d, e, uq, uf, ul):
    """Greatest bias and drift in natural units."""
    size = 0.0
    for j in range(len(b)):
        size = max(size, abs(b[j]) * uq[j])
    for i in range(len(d)):
        size = max(size, abs(d[i]) * uf[i])
    for i in range(len(e)):
        size = max(size, abs(e[i]) * ul[i])
    return size


@njit
def _still(uf):
    """Loads up to this, in natural units, are what velocities that count as zero leave behind."""
    least = np.inf
    for i in range(len(uf)):
        least = min(least, uf[i])
    return STILL * least if least < np.inf else 0.0


@njit
def combine(T, row, freedom, N, start):
    """The quantity `row . (X, 1)` in the coordinates of the table."""
    out = np.zeros(N + 1)
    biggest = 0.0
    for j in range(N):
        biggest = max(biggest, abs(row[j]))
    if biggest == 0.0:
        biggest = 1.0
    for j in range(N):
        if row[j] != 0.0:
            for i in range(freedom):
                out[i] += row[j] / biggest * T[start + j, i]
            out[N] += row[j] / biggest * T[start + j, N]
    out[N] += row[N] / biggest
    return out


@njit
def impose(T, layout, freedom, row):
    """Impose `row = 0`: one freedom fewer; the same when the row is implied; -1 when it contradicts."""
    if freedom < 0:
        return -1
    N = layout.columns
    square = 0.0
    for i in range(freedom):
        square += row[i] * row[i]
    norm = np.sqrt(square)
    if norm <= RANK:
        return freedom if abs(row[N]) <= CONSISTENT else -1
    last = freedom - 1
    # Householder vector h = row + sign * norm * e_last sends row to -sign * norm * e_last
    sign = 1.0 if row[last] >= 0.0 else -1.0
    row[last] += sign * norm
    scale = 1.0 / (norm * abs(row[last]))
    value = sign * row[N] / norm
    for r in range(layout.rows):
        dot = 0.0
        for i in range(freedom):
            dot += row[i] * T[r, i]
        dot *= scale
        for i in range(last):
            T[r, i] -= dot * row[i]
        T[r, N] += (T[r, last] - dot * row[last]) * value
    return last


@njit
def clean(value):
    """Rounding left by reflections is zero: in natural units every honest coefficient is far larger."""
    return value if abs(value) > PIVOT else 0.0
