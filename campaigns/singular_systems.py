"""Instants beside singular friction: a coefficient is moved to where the equations of one mode are singular, and a little beside.

    A(mu) (qdd, f, lam) = B tau + c       det A(mu) = 0

The determinant of a mode is that of its square stack of rows: a polynomial in the coefficient, in exact numbers, whose roots are
bracketed on a grid and bisected.

| kind | what |
|---|---|
| legs | a body on massless legs that lie along the edges of their cones, whole numbers as data |
| flat legs | the same with limits that leave an input alone, or a side of it |
| bodies | one body, perhaps with an arm, whose sliding is singular as in Painleve's paradox |
| arms | bodies with random decimals |
| rod, two_link, rhex | shipped models at random poses; RHex shares one coefficient among its toes |
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from hard_systems import body, legs
from mode_programs import all_modes

import modecontrol as mc
from modecontrol.trials.rhex.observer import at_rest

KINDS = ("legs", "flat legs", "bodies", "arms", "rod", "two_link", "rhex")
DETUNINGS = (0.0, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4)
TRIES = 12
LEAST, MOST = 0.02, 4.0
"""Coefficients between which a root is looked for."""


@dataclass
class Placed:
    """An instant, its limits, and the contacts whose coefficient was moved; `root` is the singular one of `mode`."""

    s: dict
    box: list
    moved: list
    mode: str
    root: Fraction
    exact: bool
    """Whether equations hold to the last digit; those of shipped models are rounded."""

    def beside(self, detuning):
        """The arrays with the coefficient that much beside its root (relative)."""
        friction = np.array(self.s["friction"], float)
        friction[self.moved] = float(self.root * (1 + Fraction(detuning)))
        return {**self.s, "friction": friction}


def placed(rng, kind):
    """An instant of a kind with a singular friction, or None when none was found in some tries."""
    return next(filter(None, (_tried(rng, kind) for _ in range(TRIES))), None)


def _tried(rng, kind):
    s, box, groups = _MAKERS[kind](rng)
    s["gap"] = np.array(s.get("gap", np.zeros(len(s["friction"]))), float)
    modes = [mode for mode in all_modes(s) if set(mode) & set("LR")]
    for number in rng.permutation(len(modes)):
        mode = modes[int(number)]
        for group in groups:
            moved = [i for i in group if s["gap"][i] <= 0]
            if any(mode[i] in "LR" for i in moved):
                roots = singular(s, mode, moved)
                if roots:
                    root = roots[int(rng.integers(len(roots)))]
                    return Placed(s, box, moved, mode, root, kind not in ("rod", "two_link", "rhex"))
    return None


def singular(s, mode, moved):
    """Coefficients of the moved contacts at which the equations of a mode are singular."""
    degree = sum(mode[i] in "LR" for i in moved)
    places = [Fraction(i + 1) for i in range(degree + 1)]
    values = [determinant(stack(s, mode, moved, place)) for place in places]
    if not any(values):
        return []

    def at(x):
        return sum(
            value * np.prod([(x - q) / (p - q) for q in places if q != p])
            for p, value in zip(places, values, strict=True)
        )

    grid = [Fraction(x).limit_denominator(10**4) for x in np.geomspace(LEAST, MOST, 40)]
    roots = [x for x in grid if at(x) == 0]
    for low, high in pairwise(grid):
        left, right = at(low), at(high)
        if left * right < 0:
            roots.append(_bisected(at, low, high, left))
    return roots


def _bisected(at, low, high, left):
    if at(0) != at(1) and at(2) - at(1) == at(1) - at(0):  # a straight line: its root to the last digit
        return at(0) / (at(0) - at(1))
    for _ in range(100):
        middle = Fraction(round((low + high) / 2 * 2**110), 2**110)
        value = at(middle)
        if value == 0:
            return middle
        low, high = (middle, high) if value * left > 0 else (low, middle)
    return low


def stack(s, mode, moved, mu):
    """The square matrix of a mode's equations in exact numbers."""
    n, k, loops = len(s["bias"]), len(s["friction"]), len(s["loop_jacobian"])
    exact = np.vectorize(Fraction, otypes=[object])
    J, G = exact(s["jacobian"]), exact(s["loop_jacobian"]) if loops else np.zeros((0, n), object)
    zero = Fraction(0)
    A = np.full((n + 2 * k + loops, n + 2 * k + loops), zero, dtype=object)
    A[:n, :n], A[:n, n : n + 2 * k], A[:n, n + 2 * k :] = exact(s["mass"]), -J.T, -G.T
    A[n : n + loops, :n] = G
    for i, letter in enumerate(mode):
        row, normal = n + loops + 2 * i, n + 2 * i
        if letter == "S":
            A[row, normal] = A[row + 1, normal + 1] = Fraction(1)
            continue
        A[row, :n] = J[2 * i]
        if letter == "F":
            A[row + 1, :n] = J[2 * i + 1]
        else:
            coefficient = mu if i in moved else Fraction(float(s["friction"][i]))
            A[row + 1, normal], A[row + 1, normal + 1] = (
                (coefficient if letter == "R" else -coefficient),
                Fraction(1),
            )
    return A


def determinant(A):
    """By elimination in exact numbers."""
    A, value = A.copy(), Fraction(1)
    for i in range(len(A)):
        pivot = next((r for r in range(i, len(A)) if A[r, i] != 0), None)
        if pivot is None:
            return Fraction(0)
        if pivot != i:
            A[[i, pivot]] = A[[pivot, i]]
            value = -value
        value *= A[i, i]
        for r in range(i + 1, len(A)):
            if A[r, i] != 0:
                A[r, i:] = A[r, i:] - A[r, i] / A[i, i] * A[i, i:]
    return value


def _single(s):
    return [[i] for i in range(len(s["friction"]))]


def _legs(rng):
    made = legs(rng, int(rng.integers(1, 3)), int(rng.integers(0, 2)))
    return made.s, made.box, _single(made.s)


def _flat_legs(rng):
    made = legs(rng, int(rng.integers(1, 3)), 0)
    for j in range(len(made.box)):
        value = float(rng.choice([0.0, 0.0, 1.5]))
        made.box[j] = [(value, value), (-8.0, value), (value, 8.0)][rng.integers(3)]
    return made.s, made.box, _single(made.s)


def _bodies(rng):
    made = body(rng, int(rng.integers(1, 4)))
    return made.s, made.box, _single(made.s)


def _arms(rng):
    made = body(rng, int(rng.integers(1, 3)))
    n = len(made.s["bias"])
    root = np.round(rng.normal(size=(n, n)), 2)
    made.s["mass"] = made.s["mass"] + 0.2 * root @ root.T
    made.s["jacobian"] = np.round(made.s["jacobian"] + 0.3 * rng.normal(size=made.s["jacobian"].shape), 3)
    made.s["bias"] = np.round(made.s["bias"] + rng.normal(size=n), 2)
    return made.s, made.box, _single(made.s)


def _arrays(snap):
    names = (
        "mass",
        "bias",
        "actuation",
        "jacobian",
        "drift",
        "friction",
        "loop_jacobian",
        "loop_drift",
        "gap",
    )
    s = {name: np.array(getattr(snap, name)) for name in names}
    velocity = np.array(snap.velocity)
    s["gap"] = np.where(s["gap"] > 1e-9, s["gap"], 0.0)
    s["velocity"] = np.where(np.abs(velocity) <= 1e-9, 0.0, velocity)
    s["velocity"][0::2] = 0.0
    return s, [tuple(pair) for pair in np.clip(snap.torque_limits, -50.0, 50.0).tolist()]


def _rod(rng):
    model = mc.load("rod")
    q = np.array(model.start, float)
    q[2] += rng.uniform(-0.3, 0.3)
    s, box = _arrays(model.snapshot(q))
    s["gap"][:] = 0.0
    return s, box, _single(s)


def _two_link(rng):
    s, box = _arrays(mc.load("two_link").snapshot(mc.load("two_link").start))
    return s, box, [*_single(s), list(range(len(s["friction"])))]


def _rhex(rng):
    model = mc.load("rhex", mu_toe=0.5)
    q = np.array(model.start, float)
    q[2] = rng.uniform(0.05, 0.8)
    snap = model.snapshot(at_rest(model, q))
    s, box = _arrays(snap)
    return s, box, [[0, 1, 2]]


_MAKERS = {
    "legs": _legs,
    "flat legs": _flat_legs,
    "bodies": _bodies,
    "arms": _arms,
    "rod": _rod,
    "two_link": _two_link,
    "rhex": _rhex,
}
