"""Contact modes the slow way: one linear program per mode in the raw unknowns `(qdd, f, lam, tau)`, by HiGHS.

Written from Tables 1 and 2 of Greenfield 2005 alone; shares no code with the package.
"""

from itertools import product

import numpy as np
from scipy.optimize import linprog

STRICT = 1e-7


def point_mass(**changes):
    """Arrays of a point mass on a floor with a force in each direction."""
    arrays = dict(
        mass=np.eye(2),
        bias=[0.0, 9.81],
        actuation=np.eye(2),
        jacobian=[[0.0, 1.0], [1.0, 0.0]],
        drift=np.zeros(2),
        friction=[0.5],
        velocity=np.zeros(2),
    )
    return arrays | changes


def random_system(rng, contacts=None, coordinates=None, inputs=None):
    """A random instant: redundant contacts, massless coordinates, moving contacts, high friction, all mixed."""
    n = int(rng.integers(2, 6)) if coordinates is None else coordinates
    k = int(rng.integers(1, 4)) if contacts is None else contacts
    t = int(rng.integers(1, 4)) if inputs is None else inputs
    root = rng.normal(size=(n, n))
    mass = root @ root.T + 0.1 * np.eye(n)
    massless = rng.random() < 0.3 and n > 2
    if massless:
        mass[-1] = mass[:, -1] = 0.0
    jacobian = rng.normal(size=(2 * k, n))
    if k > 1 and rng.random() < 0.4:
        jacobian[2] = jacobian[0] if rng.random() < 0.5 else jacobian[0] + jacobian[1]
    if rng.random() < 0.4:
        jacobian = np.round(jacobian)
    velocity = np.zeros(2 * k)
    drift = np.zeros(2 * k)
    if rng.random() < 0.5:
        for i in range(k):
            if rng.random() < 0.5:
                velocity[2 * i + 1] = rng.choice([-1.0, 1.0])
        drift = rng.normal(size=2 * k)
    return dict(
        mass=mass,
        bias=3 * rng.normal(size=n),
        actuation=np.eye(n)[:, rng.permutation(n)[: min(t, n)]],
        jacobian=jacobian,
        drift=drift,
        friction=rng.choice([0.0, 0.3, 0.8, 2.0], size=k),
        velocity=velocity,
    )


def raw_rows(s, mode, limits):
    """`(A_ub, b_ub, A_eq, b_eq, strict)` over `(qdd, f, lam, tau)`; strict marks rows of A_ub that are
    accelerations.
    """
    M, b, S, J, d = s["mass"], s["bias"], s["actuation"], s["jacobian"], s["drift"]
    n, t = S.shape
    k = len(s["friction"])
    G, g = s.get("loop_jacobian", np.zeros((0, n))), s.get("loop_drift", np.zeros(0))
    tau_start = n + 2 * k + len(G)
    size = tau_start + t
    ub, eq, strict = [], [], []

    def row(qdd=None, force=(), tau=()):
        out = np.zeros(size)
        if qdd is not None:
            out[:n] = qdd
        for place, value in force:
            out[n + place] += value
        for place, value in tau:
            out[tau_start + place] += value
        return out

    for j in range(n):
        eq.append((np.concatenate([M[j], -J[:, j], -G[:, j], -S[j]]), -b[j]))
    eq += [(row(closure), -value) for closure, value in zip(G, g, strict=True)]
    for i, letter in enumerate(mode):
        mu, normal, tangent = s["friction"][i], 2 * i, 2 * i + 1
        xd_n, xd_t = s["velocity"][normal], s["velocity"][tangent]
        if letter == "S":
            eq += [(row(force=[(normal, 1)]), 0.0), (row(force=[(tangent, 1)]), 0.0)]
            if xd_n == 0:
                ub.append((row(-J[normal]), d[normal]))
                strict.append(True)
            continue
        eq.append((row(J[normal]), -d[normal]))
        ub.append((row(force=[(normal, -1)]), 0.0))
        strict.append(False)
        if letter == "F":
            eq.append((row(J[tangent]), -d[tangent]))
            for sign in (1, -1):
                ub.append((row(force=[(tangent, sign), (normal, -mu)]), 0.0))
                strict.append(False)
        else:
            way = 1 if letter == "R" else -1
            eq.append((row(force=[(tangent, 1), (normal, way * mu)]), 0.0))
            if xd_t == 0:
                ub.append((row(-way * J[tangent]), way * d[tangent]))
                strict.append(True)
    for j, (low, high) in enumerate(limits):
        if np.isfinite(high):
            ub.append((row(tau=[(j, 1)]), high))
            strict.append(False)
        if np.isfinite(low):
            ub.append((row(tau=[(j, -1)]), -low))
            strict.append(False)

    def stack(rows):
        return np.array([r for r, _ in rows]).reshape(-1, size), np.array([v for _, v in rows])

    return (*stack(ub), *stack(eq), np.array(strict, bool))


def letters(s, i):
    """Table 3."""
    xd_n, xd_t = s["velocity"][2 * i], s["velocity"][2 * i + 1]
    if xd_n > 0:
        return "S"
    return "SR" if xd_t > 0 else "SL" if xd_t < 0 else "FLRS"


def candidate_modes(s):
    return ["".join(mode) for mode in product(*(letters(s, i) for i in range(len(s["friction"]))))]


def strictness(s, mode, limits):
    """Largest common slack (at most 1) of the mode's acceleration inequalities; -inf when it has no domain."""
    A, b, C, e, strict = raw_rows(s, mode, limits)
    A = np.hstack([A, strict[:, None].astype(float)])
    C = np.hstack([C, np.zeros((len(C), 1))])
    cost = np.zeros(A.shape[1])
    cost[-1] = -1
    bounds = [(None, None)] * (A.shape[1] - 1) + [(None, 1.0)]
    answer = linprog(cost, A, b, C, e, bounds=bounds)
    return -answer.fun if answer.status == 0 else -np.inf


def exists_at(s, mode, tau, limits, slack=0.0):
    """Whether `tau` can produce the closed mode; `slack` loosens (positive) every inequality."""
    A, b, C, e, _ = raw_rows(s, mode, limits)
    t = len(tau)
    lead = A.shape[1] - t
    answer = linprog(
        np.zeros(lead),
        A[:, :lead],
        b - A[:, lead:] @ tau + slack,
        C[:, :lead],
        e - C[:, lead:] @ tau,
        bounds=(None, None),
    )
    return answer.status == 0


def least_at(s, mode, tau, limits, objective):
    """Least `objective . qdd` of a mode at exact friction; None when the mode does not exist."""
    A, b, C, e, _ = raw_rows(s, mode, limits)
    hold = np.hstack([np.zeros((len(tau), A.shape[1] - len(tau))), np.eye(len(tau))])
    cost = np.zeros(A.shape[1])
    cost[: len(objective)] = objective
    found = linprog(
        cost, A, b, np.vstack([C, hold]), np.concatenate([e, tau]), bounds=(None, None), method="highs"
    )
    return found.fun if found.status == 0 else -np.inf if found.status == 3 else None
