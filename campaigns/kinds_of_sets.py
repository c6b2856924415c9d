"""Random polyhedra of ten kinds for the campaign on sets.

Every function takes a random generator and returns `A, b, C, d`. Entries are small integers times powers of
two, so that what is flat, parallel, redundant or empty is so exactly.
"""

import numpy as np


def sizes(rng, largest):
    """Rows and variables: mostly small, now and then as large as a contact problem gets."""
    if rng.random() < 0.1:
        return int(rng.integers(10, 41)), int(rng.integers(3, 11))
    d = int(rng.integers(1, largest + 1))
    return int(rng.integers(d + 1, 4 * d + 4)), d


def bounded(rng):
    m, d = sizes(rng, 5)
    A = rng.integers(-4, 5, (m, d)).astype(float)
    box = np.vstack([np.eye(d), -np.eye(d)])
    keep = max(0, m - 2 * d)
    return (
        np.vstack([A[:keep], box]),
        np.concatenate([rng.integers(0, 9, keep), np.full(2 * d, 5)]),
        None,
        None,
    )


def cone(rng):
    m, d = sizes(rng, 5)
    return rng.integers(-3, 4, (m, d)).astype(float), np.zeros(m), None, None


def unbounded(rng):
    m, d = sizes(rng, 5)
    x = rng.integers(-3, 4, d)
    A = rng.integers(-3, 4, (max(1, m // 2), d)).astype(float)
    return A, A @ x + rng.integers(0, 4, len(A)), None, None


def flat(rng):
    A, b, _, _ = bounded(rng)
    d = A.shape[1]
    x = rng.integers(-2, 3, d)
    k = int(rng.integers(1, d + 1))
    C = rng.integers(-2, 3, (k, d)).astype(float)
    A, b = np.vstack([A, C, -C]), np.concatenate([b, C @ x, -(C @ x)])
    if rng.random() < 0.5:
        return A[: -2 * k], b[: -2 * k], C, C @ x
    return A, b, None, None


def empty(rng):
    m, d = sizes(rng, 5)
    A = rng.integers(-4, 5, (m, d)).astype(float)
    y = rng.integers(1, 4, m)
    last = -(y @ A)
    b = rng.integers(-3, 6, m).astype(float)
    return np.vstack([A, last]), np.append(b, -(y @ b) - rng.integers(1, 3)), None, None


def point(rng):
    m, d = sizes(rng, 4)
    A = rng.integers(-3, 4, (m, d)).astype(float)
    x = rng.integers(-5, 6, d)
    A = np.vstack([A, -A.sum(axis=0)])
    return A, A @ x, None, None


def whole(rng):
    d = int(rng.integers(1, 11))
    m = int(rng.integers(0, 4))
    return np.zeros((m, d)), rng.integers(0, 3, m).astype(float), None, None


def duplicates(rng):
    A, b, C, d = (bounded, cone, unbounded)[rng.integers(3)](rng)
    again = rng.integers(0, len(b), int(rng.integers(1, 12)))
    factor = 2.0 ** rng.integers(-3, 4, len(again))
    return np.vstack([A, A[again] * factor[:, None]]), np.concatenate([b, b[again] * factor]), C, d


def nearly_parallel(rng):
    A, b, C, d = bounded(rng)
    twin = rng.integers(0, len(b), int(rng.integers(1, 4)))
    tilt = rng.integers(-3, 4, (len(twin), A.shape[1])) * 2.0 ** rng.integers(-23, -16, (len(twin), 1))
    return np.vstack([A, A[twin] + tilt]), np.concatenate([b, b[twin]]), C, d


def magnitudes(rng):
    """Rows and columns times powers of two between about 1e-6 and 1e6."""
    A, b, C, d = (bounded, cone, unbounded, flat)[rng.integers(4)](rng)
    row = 2.0 ** rng.integers(-20, 21, len(b))
    column = 2.0 ** rng.integers(-10, 11, A.shape[1])
    if C is None:
        return A * row[:, None] * column, b * row, None, None
    other = 2.0 ** rng.integers(-20, 21, len(d))
    return A * row[:, None] * column, b * row, C * other[:, None] * column, d * other


KINDS = [bounded, cone, unbounded, flat, empty, point, whole, duplicates, nearly_parallel, magnitudes]
