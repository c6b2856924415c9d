"""Random instants with every law, and their contact modes by raw linear programs written from the laws' own formulas.

Nothing of the library takes part in the second opinion: unknowns are `(qdd, f, tau)`, laws are written here once more, and every
combination of letters is a program of its own (HiGHS). A program maximizes the room `t` by which strict rows and inequalities hold:
a mode is possible for sure when `t` is well above zero and impossible for sure when it is well below, or the equalities contradict
each other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

import numpy as np
from scipy.optimize import linprog

from modecontrol.dynamics.contact_laws import COULOMB, DRIVE, DRY, ONE_SIDED, ROLLING, ContactLaws
from modecontrol.dynamics.snapshot import Snapshot

LAWS = ("stop", "dry", "static", "pull", "one_way", "cable", "drive", "mixed", "rolling")
UNSURE = 1e-6


@dataclass
class Entry:
    """One contact, stop, dry joint, cable, drive or resistance to rolling with its numbers, and whether it slides (-1, 0, 1) or is
    open; the resistance is that of the contact `host`.
    """

    law: str
    mu: float = 0.0
    static: float = 0.0
    pull: float = 0.0
    way: int = 0
    limit: tuple[float, float] = (0.0, 0.0)
    slip: int = 0
    is_open: bool = False
    host: int = -1

    def letters(self) -> str:
        """Letters that law and velocity leave."""
        if self.law == "drive":
            return "F"
        if self.is_open:
            return "S"
        if self.law in ("stop", "cable"):
            return "FS"
        moving = {1: "R", -1: "L"}.get(self.slip)
        if self.law in ("dry", "rolling"):
            return moving or "FLR"
        ways = {0: "LR", 1: "R", -1: "L"}[self.way]
        return (moving or "F" + ways) + "S"

    def rows(self, letter: str) -> tuple[list, list]:
        """Equalities and inequalities `(a_n, a_t, f_n, f_t, constant)`: zero, or positive; `f_n` of a resistance to rolling is that
        of its host.
        """
        if self.law == "rolling":
            return self._rolls(letter)
        if self.law in ("stop", "cable"):
            if letter == "F":
                return [(1, 0, 0, 0, 0), (0, 0, 0, 1, 0)], [(0, 0, 1, 0, 0)]
            return [(0, 0, 1, 0, 0), (0, 0, 0, 1, 0)], [] if self.is_open else [(1, 0, 0, 0, 0)]
        if self.law in ("dry", "drive"):
            least, most = self.limit
            if letter == "F":
                held = [(0, 0, 0, 1, -least)] if least > -np.inf else []
                held += [(0, 0, 0, -1, most)] if most < np.inf else []
                return [(0, 0, 1, 0, 0), (0, 1, 0, 0, 0)], held
            way = 1 if letter == "R" else -1
            force = (0, 0, 0, 1, -least if way > 0 else -most)
            return [(0, 0, 1, 0, 0), force], [] if self.slip else [(0, way, 0, 0, 0)]
        if letter == "S":
            pull = 0.0 if self.is_open else self.pull
            return [(0, 0, 1, 0, pull), (0, 0, 0, 1, 0)], [] if self.is_open else [(1, 0, 0, 0, 0)]
        presses = (0, 0, 1, 0, self.pull)
        if letter == "F":
            mu = max(self.mu, self.static)
            held = [presses]
            if self.way <= 0:  # friction to the right is bounded where it may slide left
                held.append((0, 0, mu, -1, mu * self.pull))
            if self.way >= 0:
                held.append((0, 0, mu, 1, mu * self.pull))
            return [(1, 0, 0, 0, 0), (0, 1, 0, 0, 0)], held
        way = 1 if letter == "R" else -1
        slides = [(1, 0, 0, 0, 0), (0, 0, way * self.mu, 1, way * self.mu * self.pull)]
        return slides, [presses] + ([] if self.slip else [(0, way, 0, 0, 0)])

    def _rolls(self, letter: str) -> tuple[list, list]:
        """The same of a moment that is at most `mu` times the normal force of the host."""
        if letter == "S":
            return [(0, 0, 0, 1, 0)], []
        if letter == "F":
            level = self.mu * self.pull
            return [(0, 1, 0, 0, 0)], [(0, 0, self.mu, -1, level), (0, 0, self.mu, 1, level)]
        way = 1 if letter == "R" else -1
        force = (0, 0, way * self.mu, 1, way * self.mu * self.pull)
        return [force], [] if self.slip else [(0, way, 0, 0, 0)]


@dataclass
class System:
    """`M qdd + b = S tau + J'f`, contact accelerations `J qdd + d`, a box of inputs, and the entries."""

    M: np.ndarray
    b: np.ndarray
    S: np.ndarray
    J: np.ndarray
    d: np.ndarray
    box: np.ndarray
    entries: list[Entry] = field(default_factory=list)

    def snapshot(self) -> Snapshot:
        """The same for the library."""
        kinds = {"stop": ONE_SIDED, "cable": ONE_SIDED, "dry": DRY, "drive": DRIVE, "rolling": ROLLING}
        rolls = [e.law == "rolling" for e in self.entries]
        each = self.entries
        laws = ContactLaws(
            kind=[kinds.get(e.law, COULOMB) for e in each],
            mu_static=[e.static for e in each],
            pull=[e.pull for e in each],
            way=[e.way for e in each],
            least=[e.limit[0] for e in each],
            most=[e.mu if r else e.limit[1] for e, r in zip(each, rolls, strict=True)],
            host=[e.host for e in each],
        )
        return Snapshot(
            self.M,
            self.b,
            self.S,
            self.J,
            self.d,
            np.array([0.0 if r else e.mu for e, r in zip(each, rolls, strict=True)]),
            np.array([x for e in each for x in (0.0, float(e.slip))]),
            gap=np.array([1.0 if e.is_open else 0.0 for e in each]),
            torque_limits=self.box,
            laws=laws,
        )

    def room(self, mode: str, tau: np.ndarray | None) -> float:
        """Greatest `t` by which the inequalities of a mode hold, up to 1; -inf when its equalities contradict each other."""
        size = len(self.M) + 2 * len(self.entries) + len(self.box)
        found = self._solve(mode, tau, [0.0] * size + [-1.0], (-1.0, 1.0))
        return float(-found.fun) if found.status == 0 else -np.inf

    def least(self, mode: str, tau: np.ndarray, goal: np.ndarray) -> float:
        """Least acceleration `goal qdd` of a mode at these inputs; inf when it is impossible, -inf without end."""
        beside = 2 * len(self.entries) + len(self.box) + 1
        found = self._solve(mode, tau, [*goal, *[0.0] * beside], (0.0, 0.0))
        return float(found.fun) if found.status == 0 else -np.inf if found.status == 3 else np.inf

    def _solve(self, mode: str, tau: np.ndarray | None, cost: list[float], room: tuple[float, float]):
        """A program over `(qdd, f, tau, t)`: inequalities hold by `t`, which is in `room`."""
        n, m, k = len(self.M), len(self.box), len(self.entries)
        size = n + 2 * k + m
        dynamics = np.hstack([self.M, -self.J.T, -self.S, np.zeros((n, 1))])
        equal, level = list(dynamics), list(-self.b)
        unequal, bound = [], []
        for i, (entry, letter) in enumerate(zip(self.entries, mode, strict=True)):
            for rows, strict in zip(entry.rows(letter), (False, True), strict=True):
                for a_n, a_t, f_n, f_t, constant in rows:
                    row = np.zeros(size + 1)
                    row[:n] = a_n * self.J[2 * i] + a_t * self.J[2 * i + 1]
                    row[n + 2 * (entry.host if entry.host >= 0 else i)] += f_n
                    row[n + 2 * i + 1] += f_t
                    value = -constant - a_n * self.d[2 * i] - a_t * self.d[2 * i + 1]
                    if strict:
                        row[-1] = -1.0
                        unequal.append(-row)
                        bound.append(-value)
                    else:
                        equal.append(row)
                        level.append(value)
        sides: list = [(None, None)] * (n + 2 * k)
        for i, entry in enumerate(self.entries):
            if entry.host >= 0:
                sides[n + 2 * i] = (0, 0)  # it has no normal force of its own
        sides += list(map(tuple, self.box)) if tau is None else [(x, x) for x in tau]
        return linprog(
            cost,
            A_ub=np.array(unequal) if unequal else None,
            b_ub=bound or None,
            A_eq=np.array(equal),
            b_eq=level,
            bounds=[*sides, room],
            method="highs",
        )

    def modes(self, tau: np.ndarray | None = None) -> tuple[set[str], set[str]]:
        """Modes that are possible for sure (with these inputs, or with any in the box), and those that are near the border."""
        sure, unsure = set(), set()
        for letters in product(*(entry.letters() for entry in self.entries)):
            mode = "".join(letters)
            room = self.room(mode, tau)
            if room > UNSURE:
                sure.add(mode)
            elif room > -UNSURE:
                unsure.add(mode)
        return sure, unsure


def random_system(rng: np.random.Generator, law: str) -> System:
    """One or two entries of a law and up to one contact with Coulomb's; `mixed` draws all of them."""
    n, m = int(rng.integers(2, 5)), int(rng.integers(1, 3))
    A = rng.normal(size=(n, n))
    several = rng.choice(LAWS[:7], size=3).tolist()
    names = several if law == "mixed" else [law] * int(rng.integers(1, 3))
    names += ["coulomb"] * int(rng.integers(0, 2)) if law != "mixed" else []
    if law == "rolling":
        names = [name for first in names for name in (str(rng.choice(["coulomb", "pull"])), first)][:4]
    entries, J, d = [], [], []
    for place, name in enumerate(names):
        unit, row = np.eye(n)[(int(rng.integers(n)) + place) % n], rng.normal(size=n)
        both = {
            "stop": (rng.choice([-1, 1]) * unit, 0 * unit),
            "cable": (row, 0 * unit),
            "dry": (0 * unit, unit),
            "drive": (0 * unit, unit),
            "rolling": (0 * unit, unit + np.roll(unit, 1 + place)),
        }.get(name, (row, rng.normal(size=n)))
        J += both
        drift = rng.normal(size=2) * (rng.random() < 0.5)
        d += [drift[0] if both[0].any() else 0.0, drift[1] if both[1].any() else 0.0]
        entries.append(_entry(rng, name))
        if name == "rolling":
            host = entries[-2]
            entries[-1].host, entries[-1].pull, entries[-1].is_open = place - 1, host.pull, host.is_open
    bias = rng.normal(size=n) * rng.choice([1.0, 5.0])
    box = np.column_stack([-rng.uniform(1, 10, m), rng.uniform(1, 10, m)])
    return System(
        A @ A.T + 0.3 * np.eye(n), bias, rng.normal(size=(n, m)), np.array(J), np.array(d), box, entries
    )


def _entry(rng: np.random.Generator, name: str) -> Entry:
    made = Entry(
        name,
        mu=float(rng.choice([0.0, rng.uniform(0.1, 1.2)]))
        if name not in ("stop", "cable", "dry", "drive")
        else 0.0,
    )
    if name == "static":
        made.static = made.mu + float(rng.uniform(0.0, 0.8))
    if name == "pull":
        made.pull = float(rng.uniform(0.1, 5.0))
    if name == "one_way":
        made.way = int(rng.choice([-1, 1]))
    if name == "dry":
        made.limit = (-float(rng.uniform(0.1, 3.0)),) * 2
        made.limit = (made.limit[0], -made.limit[0])
    if name == "drive":
        made.limit = (
            -float(rng.choice([np.inf, rng.uniform(0, 5)])),
            float(rng.choice([np.inf, rng.uniform(0, 5)])),
        )
    if name not in ("stop", "cable", "drive"):
        made.slip = int(rng.choice([0, 0, made.way or 1, made.way or -1]))
    made.is_open = name not in ("dry", "drive") and rng.random() < 0.1
    return made
