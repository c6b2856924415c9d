"""Every solution of the acceleration-level complementarity problem is among the modes, and the other way
round.

    0 <= fn  perp  xdd_n                >= 0
    0 <= f+  perp  s + xdd_t            >= 0          f_t = f+ - f-
    0 <= f-  perp  s - xdd_t            >= 0
    0 <= s   perp  mu fn - f+ - f-      >= 0

All complementary bases are solved by brute force; nothing is shared with the package.
"""

from itertools import product

import numpy as np
import pytest

import modecontrol as mc

ZERO = 1e-7


def instant(rng, k, high):
    n = int(rng.integers(2, 5))
    root = rng.normal(size=(n, n))
    t = int(rng.integers(1, n + 1))
    return dict(
        mass=root @ root.T + 0.2 * np.eye(n),
        bias=3 * rng.normal(size=n),
        actuation=np.eye(n)[:, :t],
        jacobian=rng.normal(size=(2 * k, n)),
        drift=rng.normal(size=2 * k) * rng.integers(0, 2),
        friction=rng.choice([1.0, 3.0] if high else [0.0, 0.3, 0.8], size=k),
        velocity=np.zeros(2 * k),
    )


def complementarity_problem(s, tau):
    """`w = M z + q` in `z = (fn, f+, f-, s)`."""
    k = len(s["friction"])
    Jn, Jt = s["jacobian"][0::2], s["jacobian"][1::2]
    X = np.vstack([Jn, Jt, -Jt])
    free = np.linalg.solve(s["mass"], s["actuation"] @ tau - s["bias"])
    M = np.zeros((4 * k, 4 * k))
    M[: 3 * k, : 3 * k] = X @ np.linalg.solve(s["mass"], X.T)
    M[k : 2 * k, 3 * k :] = M[2 * k : 3 * k, 3 * k :] = np.eye(k)
    M[3 * k :, :k] = np.diag(s["friction"])
    M[3 * k :, k : 2 * k] = M[3 * k :, 2 * k : 3 * k] = -np.eye(k)
    d = np.concatenate([s["drift"][0::2], s["drift"][1::2], -s["drift"][1::2]])
    return M, np.concatenate([X @ free + d, np.zeros(k)])


def solutions(M, q):
    """All solutions at nonsingular complementary bases."""
    n = len(q)
    for pattern in product((False, True), repeat=n):
        on = np.array(pattern)
        z = np.zeros(n)
        if on.any():
            block = M[np.ix_(on, on)]
            if np.linalg.cond(block) > 1e10:
                continue
            z[on] = np.linalg.solve(block, -q[on])
        w = M @ z + q
        if z.min() > -1e-10 and w.min() > -1e-10:
            yield z


def answer(s, tau, z):
    k = len(s["friction"])
    force = np.empty(2 * k)
    force[0::2], force[1::2] = z[:k], z[k : 2 * k] - z[2 * k : 3 * k]
    qdd = np.linalg.solve(s["mass"], s["actuation"] @ tau + s["jacobian"].T @ force - s["bias"])
    return qdd, force


def strict_letters(s, qdd):
    xdd = s["jacobian"] @ qdd + s["drift"]
    return "".join(
        "S" if n > ZERO else "R" if t > ZERO else "L" if t < -ZERO else "F"
        for n, t in zip(xdd[0::2], xdd[1::2], strict=True)
    )


@pytest.mark.parametrize(
    ("k", "high", "seed"), [(k, high, seed) for k in (1, 2) for high in (False, True) for seed in range(6)]
)
def test_every_solution_is_a_mode_and_every_mode_a_solution(k, high, seed):
    rng = np.random.default_rng([k, high, seed])
    s = instant(rng, k, high)
    response = mc.dynamic_response(mc.Snapshot(**s))
    t = s["actuation"].shape[1]
    for tau in rng.uniform(-10, 10, size=(4, t)):
        found = response.modes_at(tau)
        M, q = complementarity_problem(s, tau)
        seen = set()
        for z in solutions(M, q):
            qdd, force = answer(s, tau, z)
            mode = strict_letters(s, qdd)
            seen.add(mode)
            assert mode in found
            ranges = {**response.accelerations_at(tau)[mode], **response.forces_at(tau)[mode]}
            for value, (least, greatest) in zip([*qdd, *force], ranges.values(), strict=True):
                assert least - 1e-6 * (1 + abs(value)) <= value <= greatest + 1e-6 * (1 + abs(value))
        for mode in found:
            if response[mode].ambiguity_variables == 0 and response[mode].torques.contains(tau, margin=1e-4):
                assert mode in seen


def test_painleve_rod_has_no_solution_where_no_mode_exists():
    model = mc.load("rod", mu=3.0)
    snapshot = model.snapshot(model.start, [-1.0, 0.0, 0.0])
    response = mc.dynamic_response(snapshot)
    # sliding left: f_t = + mu fn, one unknown fn >= 0 perp a + c fn >= 0
    J, minv = snapshot.jacobian, np.linalg.inv(snapshot.mass)
    push = J[0] + 3.0 * J[1]
    for tau in np.random.default_rng(1).uniform(-20, 20, size=(60, 3)):
        a = J[0] @ minv @ (tau - snapshot.bias) + snapshot.drift[0]
        c = J[0] @ minv @ push
        expected = [mode for mode, holds in (("L", -a / c >= 0), ("S", a >= 0)) if holds]
        assert response.modes_at(tau) == expected
