"""Planar contact problems with known answers, and the one helper that says what an answer is."""

from itertools import product

import numpy as np
from scipy.optimize import linprog


def assert_complementary(M, q, z, w=None, equalities=0, tolerance=1e-9):
    """`z >= 0`, `w = M z + q >= 0`, `z . w = 0`; the first `equalities` rows have `w = 0` and `z` free."""
    M, q, z = np.asarray(M, float), np.asarray(q, float), np.asarray(z)
    slack = M @ z + q
    size = np.max(np.abs(M) @ np.abs(z) + np.abs(q), initial=0.0)
    if w is not None:
        assert (w >= 0).all()
        np.testing.assert_allclose(w, slack, rtol=0, atol=tolerance * size)
    unilateral = slice(equalities, None)
    assert (z[unilateral] >= 0).all()
    assert (slack[unilateral] >= -tolerance * size).all()
    np.testing.assert_allclose(slack[:equalities], 0, atol=tolerance * size)
    assert (np.minimum(z, slack)[unilateral] <= tolerance * max(size, np.abs(z).max(initial=0.0))).all()


def has_solution(M, q):
    """One linear program for every complementary choice: slow, and nothing like the solvers."""
    M, q = np.asarray(M, float), np.asarray(q, float)
    for choice in product([False, True], repeat=q.size):
        on = np.array(choice)
        above = {"A_ub": -M[~on], "b_ub": q[~on]} if not on.all() else {}
        equal = {"A_eq": M[on], "b_eq": -q[on]} if on.any() else {}
        bounds = [(0, None) if active else (0, 0) for active in on]
        if linprog(np.zeros(q.size), bounds=bounds, method="highs", **above, **equal).status == 0:
            return True
    return False


def condensed(mass, Jn, Jt, mu, free):
    """Impulses `(pn, p1, p2)` and `s` of one time step; `free` is the velocity without contact."""
    k = len(mu)
    X = np.vstack([Jn, Jt, -Jt])
    one, none = np.eye(k), np.zeros((k, k))
    E = np.vstack([none, one, one])
    M = np.block([[X @ np.linalg.solve(mass, X.T), E], [np.diag(mu), -one, -one, none]])
    return M, np.concatenate([X @ free, np.zeros(k)]), X


def kept(mass, Jn, Jt, mu, momentum):
    """The same with the velocities as the first, bilateral unknowns."""
    n, k = len(mass), len(mu)
    X = np.vstack([Jn, Jt, -Jt])
    one, none = np.eye(k), np.zeros((k, k))
    E = np.vstack([none, one, one])
    M = np.block(
        [
            [mass, -X.T, np.zeros((n, k))],
            [X, np.zeros((3 * k, 3 * k)), E],
            [np.zeros((k, n)), np.diag(mu), -one, -one, none],
        ]
    )
    return M, np.concatenate([-np.asarray(momentum, float), np.zeros(4 * k)])


def feet(points):
    """Jacobian rows (normal, tangential) of points of a planar body `(x, y, angle)` on a floor."""
    points = np.asarray(points, float)
    one, none = np.ones(len(points)), np.zeros(len(points))
    return np.column_stack([none, one, points[:, 0]]), np.column_stack([one, none, -points[:, 1]])


def random_contact(rng, k, n):
    """`k` contacts of a mechanism with `n` freedoms."""
    G = rng.normal(size=(n, n))
    J = rng.normal(size=(2 * k, n))
    mass, mu = G @ G.T / n + 0.1 * np.eye(n), rng.uniform(0, 1.2, k)
    M, q, _ = condensed(mass, J[:k], J[k:], mu, rng.normal(size=n))
    return M, q


def disc_pile(rng, across, rows, noise):
    """Hexagonal rows of unit discs, every other of which fills a box exactly, all moved by `noise`; one disc
    is quick.

    Straight rows between walls resist like a toggle: impulses grow as the inverse of the noise.
    """
    centres = np.array(
        [(1 + row % 2 + 2 * i, 1 + row * np.sqrt(3)) for row in range(rows) for i in range(across - row % 2)]
    )
    n = len(centres)
    centres = centres + noise * rng.normal(size=centres.shape)
    found = [
        (i, -1, normal)
        for i, (x, y) in enumerate(centres)
        for gap, normal in ((y - 1, (0, 1)), (x - 1, (1, 0)), (2 * across - 1 - x, (-1, 0)))
        if gap < 4 * noise + 1e-9
    ]
    for i in range(n):
        for j in range(i):
            way = centres[i] - centres[j]
            if np.hypot(*way) - 2 < 4 * noise + 1e-9:
                found.append((i, j, way / np.hypot(*way)))
    k = len(found)
    Jn, Jt = np.zeros((k, 3 * n)), np.zeros((k, 3 * n))
    for c, (i, j, (x, y)) in enumerate(found):
        for body, side in ((i, 1), (j, -1)):
            if body >= 0:
                Jn[c, 3 * body : 3 * body + 2] = side * x, side * y
                Jt[c, 3 * body : 3 * body + 3] = side * y, -side * x, 1
    v = np.tile([0.0, -0.01, 0.0], n) + 10.0 ** rng.uniform(-10, -3) * rng.normal(size=3 * n)
    quick = 3 * int(rng.integers(n))
    v[quick : quick + 3] += rng.normal(size=3)
    M, q, _ = condensed(np.diag(np.tile([1.0, 1.0, 0.5], n)), Jn, Jt, np.full(k, rng.uniform(0.2, 0.9)), v)
    return M, q
