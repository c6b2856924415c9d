"""Promises at instants made to break them: thin rivals, no width, no friction, massless legs, redundant contacts, shared
parameters across sliding contacts, velocities of unknown sign. Raw programs judge at corners and at random friction inside.
"""

from itertools import product

import numpy as np
import pytest
import reference

import modecontrol as mc
from modecontrol.dynamics.friction_box import FrictionBox

LIMIT = 20.0


def hostile(kind, rng):
    """A system of a kind, its friction, and the velocities that it may have."""
    k = int(rng.integers(1, 4))
    s = reference.random_system(rng, contacts=k)
    n, velocities = len(s["bias"]), None
    low = np.zeros(k) if kind == "no friction" else rng.choice([0.0, 0.2, 0.6, 1.5], size=k)
    width = 0.0 if kind == "no width" else rng.choice([0.1, 0.4])
    slope = np.eye(k)
    if kind == "massless leg" and n > 2:
        s["mass"][-1] = s["mass"][:, -1] = s["bias"][-1] = 0.0
        s["actuation"] = np.eye(n)[:, [0, n - 1]]
        s["jacobian"][:, -1] = 0.0
        s["jacobian"][:2, -1] = rng.normal(size=2)
    elif kind == "redundant" and k > 1:
        for name in ("jacobian", "drift", "velocity"):
            s[name][2:4] = s[name][:2]
    elif kind == "shared":
        s["velocity"][1::2] = rng.choice([-1.0, 0.0, 1.0], size=k)
        low, slope = low[:1], rng.choice([1.0, 0.5], size=(k, 1))
    elif kind == "thin":
        s["jacobian"], s["bias"], s["mass"] = np.round(s["jacobian"]), np.round(s["bias"]), np.eye(n)
        s["drift"], s["velocity"] = np.zeros(2 * k), np.zeros(2 * k)
    elif kind == "unknown sign":
        place = 2 * int(rng.integers(k)) + 1
        velocities = [np.where(np.arange(2 * k) == place, sign, s["velocity"]) for sign in (-1.0, 0.0, 1.0)]
    box = FrictionBox(tuple(f"mu{i}" for i in range(len(low))), low, low + width, np.zeros(k), slope)
    s["friction"] = box.middle
    return s, box, velocities


def broken(s, tau, value, goal, mode):
    """What a promise of a value, and of a mode where one is given, misses at exactly known friction and velocity."""
    wide = [(-LIMIT - 1, LIMIT + 1)] * len(tau)
    there = [m for m in reference.candidate_modes(s) if reference.exists_at(s, m, tau, wide, slack=1e-6)]
    found = [] if there else ["no answer"]
    if mode is not None and mode not in there:
        found.append(f"no {mode}")
    for one in there:
        if not reference.exists_at(s, one, tau, wide, slack=-1e-5):
            continue
        least = reference.least_at(s, one, tau, wide, goal)
        if least is not None and least < value - 1e-5 * (1 + abs(value)):
            found.append(f"{one} gives {least}")
        if mode is not None and one != mode:
            found.append(f"{one} besides {mode}")
    return found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "kind", ["thin", "no width", "no friction", "massless leg", "redundant", "shared", "unknown sign"]
)
def test_promises_are_kept(kind, seed):
    rng = np.random.default_rng([41, seed, len(kind)])
    s, box, velocities = hostile(kind, rng)
    snap = mc.Snapshot(**s)
    if velocities is not None:
        snap = mc.Snapshot(**{**s, "velocity": np.array([velocities[0], velocities[2]])})
    response = mc.dynamic_response(
        snap.with_friction(box), torque_limits=[(-LIMIT, LIMIT)] * s["actuation"].shape[1]
    )
    goal = rng.normal(size=len(s["bias"])) * s["mass"].any(axis=1)  # of what has mass, see docs/limits.md
    frictions = [box.at(np.array(corner)) for corner in product(*zip(box.low, box.high, strict=True))]
    frictions += [box.at(rng.uniform(box.low, box.high)) for _ in range(4)]
    found, values = [], {}
    for guarantee in ("outcome",) if velocities is not None else ("mode", "outcome"):
        best = mc.maximize(response, goal, guarantee=guarantee, patience=10)
        values[guarantee] = best.value
        mode = best.mode if guarantee == "mode" and s["mass"].any(axis=1).all() else None
        for mu, velocity in product(frictions if best else (), velocities or (s["velocity"],)):
            found += broken({**s, "friction": mu, "velocity": velocity}, best.torque, best.value, goal, mode)
    assert found == []
    assert values["outcome"] >= values.get("mode", -np.inf) - 1e-9 * (1 + abs(values["outcome"]))
