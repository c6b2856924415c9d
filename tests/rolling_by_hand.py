"""Every answer of a small contact problem with resistance to rolling, by looking at all combinations of what contacts may do.

`u = free + A p` with rows (normal, tangential) of each contact. A contact is open, sticks, or slides one way or the other; one with
a host has no normal row, and its tangential impulse is at most `mu` times the normal impulse of its host. Every combination is a
system of linear equations, whose answer counts where it obeys all inequalities.
"""

from __future__ import annotations

from itertools import product

import numpy as np

NEAR = 1e-9


def answers(A: np.ndarray, free: np.ndarray, mu: np.ndarray, hosts: list[int]) -> list[np.ndarray]:
    """All impulses (2m,) that obey the laws; of answers with the same combination one."""
    m, found = len(mu), []
    scale = np.abs(free).max(initial=0.0) * NEAR + 1e-15
    for laws in product("OFUD", repeat=m):
        if any(host >= 0 and laws[host] == "O" and laws[i] != "O" for i, host in enumerate(hosts)):
            continue
        if any(host >= 0 and laws[host] != "O" and laws[i] == "O" for i, host in enumerate(hosts)):
            continue
        p = _impulses(A, free, mu, hosts, laws)
        if p is not None and _obeys(free + A @ p, p, mu, hosts, laws, scale):
            found.append(p)
    return found


def _impulses(A, free, mu, hosts, laws):
    """`p = P x` with as many rows of `u` that vanish as there are `x`."""
    m = len(mu)
    columns, rows = [], []
    for i in range(m):
        if laws[i] == "O":
            continue
        if hosts[i] < 0:
            column = np.zeros(2 * m)
            column[2 * i] = 1.0
            for j in range(m):  # what slides has its tangential impulse from the normal one
                if laws[j] in "UD" and (j == i or hosts[j] == i):
                    column[2 * j + 1] = mu[j] if laws[j] == "U" else -mu[j]
            columns.append(column)
            rows.append(2 * i)
        if laws[i] == "F":
            column = np.zeros(2 * m)
            column[2 * i + 1] = 1.0
            columns.append(column)
            rows.append(2 * i + 1)
    if not columns:
        return np.zeros(2 * m)
    P = np.array(columns).T
    matrix = (A @ P)[rows]
    x, *_ = np.linalg.lstsq(matrix, -free[rows], rcond=1e-12)
    missed = np.abs(matrix @ x + free[rows]).max()
    return P @ x if missed <= NEAR * (1.0 + np.abs(free).max()) else None


def _obeys(u, p, mu, hosts, laws, scale):
    size = np.abs(p).max(initial=0.0) * NEAR + 1e-15
    for i, law in enumerate(laws):
        host = hosts[i] if hosts[i] >= 0 else i
        most = mu[i] * p[2 * host] + size
        if hosts[i] < 0 and (u[2 * i] < -scale if law == "O" else p[2 * i] < -size):
            return False
        if law == "F" and abs(p[2 * i + 1]) > most:
            return False
        if (law == "U" and u[2 * i + 1] > scale) or (law == "D" and u[2 * i + 1] < -scale):
            return False
    return True
