"""From a measured state to the instant that the mode analysis should see, in one call.

snapshot -> contacts judged (closed, resting) -> nearest velocity at which they do what they count as -> snapshot again
"""

from typing import NamedTuple

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.contacts import snapshot_arrays
from modecontrol._kernels.jit import njit

LIGHT = tolerances.LIGHT
RANK = tolerances.RANK
VELOCITY = tolerances.VELOCITY

_FAR = 1.0    # gap given to a contact that counts as open (m)


class Judged(NamedTuple):
    """The instant: velocity, snapshot arrays, limits at the measured velocity, and what each contact counts as."""

    v: np.ndarray
    M: np.ndarray
    b: np.ndarray
    J: np.ndarray
    d: np.ndarray
    xd: np.ndarray
    gap: np.ndarray
    G: np.ndarray
    e: np.ndarray
    limits: np.ndarray
    closed: np.ndarray
    slip: np.ndarray


@njit
def nearest_velocity(M, J, A, v, mass):
    """`argmin (v' - v)^T W (v' - v)` subject to `A v' = 0`, `W = M + LIGHT diag(m r_i^2 + M_ii)`.

    With `W = R^T R` and `x = R (v' - v)` it is the least-norm solution of `A R^-1 x = -A v`, rows scaled, redundant rows
    allowed. `r_i` is the greatest entry of column i in `J` and `A`; the total mass `m` brings the second term to the
    units of the first.
    """
    n = len(v)
    W = M.copy()
    root = np.empty(n)
    for i in range(n):
        reach = 0.0
        for r in range(J.shape[0]):
            reach = max(reach, abs(J[r, i]))
        for r in range(A.shape[0]):
            reach = max(reach, abs(A[r, i]))
        extra = LIGHT * ((mass if mass > 0.0 else 1.0) * reach * reach + M[i, i])
        W[i, i] += extra if extra != 0.0 else 1.0
        root[i] = np.sqrt(W[i, i])
    for i in range(n):
        for j in range(n):
            W[i, j] /= root[i] * root[j]
    L = np.linalg.cholesky(W)                 # W = diag(root) L L^T diag(root)
    rows, right = np.empty((A.shape[0], n)), np.empty(A.shape[0])
    count = 0
    for r in range(A.shape[0]):
        row = rows[count]
        size, speed = 0.0, 0.0
        for i in range(n):                    # forward substitution: row (L^T diag(root))^-1
            value = A[r, i] / root[i]
            for j in range(i):
                value -= L[i, j] * row[j]
            row[i] = value / L[i, i]
            size += row[i] * row[i]
            speed += A[r, i] * v[i]
        size = np.sqrt(size)
        if size > 0.0:
            row /= size
            right[count] = -speed / size
            count += 1
    settled = v.copy()
    if count == 0:
        return settled
    x = np.linalg.lstsq(rows[:count], right[:count], RANK)[0]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            x[i] -= L[j, i] * x[j]
        x[i] /= L[i, i]
    for i in range(n):
        settled[i] += x[i] / root[i]
    return settled


@njit
def judge(nodes_i, nodes_f, contacts_i, contacts_f, pins_i, pins_f, inputs_i, inputs_f, gravity, q, v, told, v0,
          gap_tolerance, leaving):
    """The instant of a mechanism at a measured state.

    `told` says of each contact 1 closed, 0 open, -1 unknown: then within `gap_tolerance` and not rising faster than
    `leaving` is closed. A closed contact slower than its `v0` rests. The motors turn as measured, so the torque box is
    that of the measured velocity.
    """
    n, k = len(q), contacts_i.shape[0]
    M, b, J, d, xd, gap, G, e, _, limits = snapshot_arrays(
        nodes_i, nodes_f, contacts_i, contacts_f, pins_i, pins_f, inputs_i, inputs_f, gravity, q, v)
    closed = np.empty(k, np.bool_)
    slip = np.zeros(k, np.int64)
    A = np.empty((2 * k + G.shape[0], n))
    count = 0
    off = False
    for c in range(k):
        normal, tangent = xd[2 * c], xd[2 * c + 1]
        closed[c] = told[c] == 1 or (told[c] < 0 and gap[c] <= gap_tolerance and normal <= leaving)
        if not closed[c]:
            continue
        A[count] = J[2 * c]
        count += 1
        off = off or abs(normal) > VELOCITY
        if abs(tangent) <= v0[c]:
            A[count] = J[2 * c + 1]
            count += 1
            off = off or abs(tangent) > VELOCITY
        else:
            slip[c] = 1 if tangent > 0.0 else -1
    settled = v
    if off:
        A[count:count + G.shape[0]] = G
        mass = 0.0
        for i in range(nodes_f.shape[0]):
            mass += nodes_f[i, 5]
        settled = nearest_velocity(M, J, A[:count + G.shape[0]], v, mass)
        M, b, J, d, xd, gap, G, e, _, _ = snapshot_arrays(
            nodes_i, nodes_f, contacts_i, contacts_f, pins_i, pins_f, inputs_i, inputs_f, gravity, q, settled)
    for c in range(k):
        gap[c] = 0.0 if closed[c] else max(gap[c], _FAR)
    return Judged(settled, M, b, J, d, xd, gap, G, e, limits, closed, slip)
