"""Contacts with many laws at once, and bodies on moving walls, for the raw linear programs of `laws_by_hand.py`.

A body on moving walls is a mechanism for the library; its Jacobian, drift and slip are written here once more.
"""

from __future__ import annotations

from dataclasses import dataclass

import laws_by_hand as hand
import numpy as np

from modecontrol.dynamics.builder import Builder
from modecontrol.dynamics.joints import planar
from modecontrol.dynamics.snapshot import Snapshot

LAWS = ("several", "conveyor")


@dataclass
class Carried(hand.System):
    """A system that the library makes of a mechanism by itself."""

    made: Snapshot | None = None

    def snapshot(self) -> Snapshot:
        """What the library made."""
        return self.made


def random_system(rng: np.random.Generator, law: str) -> hand.System:
    """Contacts with static friction, adhesion and a claw at once, or a body on conveyors."""
    if law == "conveyor":
        return conveyor(rng)
    system = hand.random_system(rng, "static")
    for entry in system.entries:
        if entry.law == "static":
            entry.pull = float(rng.choice([0.0, rng.uniform(0.1, 5.0)]))
            entry.way = int(rng.choice([-1, 0, 1]))
            entry.slip = entry.way * abs(entry.slip) or (0 if entry.way else entry.slip)
    return system


def conveyor(rng: np.random.Generator) -> hand.System:
    """A free body on one or two moving walls through its corners, as a mechanism for the library and by its own formulas here."""
    mass, inertia, tilt, spin = (
        rng.uniform(0.5, 3),
        rng.uniform(0.05, 0.5),
        rng.uniform(-1, 1),
        rng.uniform(-2, 2),
    )
    corners, mu = rng.uniform(-0.4, 0.4, (2, 2)), rng.choice([0.0, rng.uniform(0.1, 1.2)], size=2)
    walls = rng.uniform(-3, 3, 2) if rng.random() < 0.5 else np.full(2, rng.uniform(-3, 3))
    count = int(rng.integers(1, 3))
    c, s = np.cos(tilt), np.sin(tilt)
    arms = corners @ np.array([[c, s], [-s, c]])  # corners from the centre, in the world
    normals = np.column_stack([-np.sin(walls), np.cos(walls)])
    tangents = np.column_stack([np.cos(walls), np.sin(walls)])
    turned = np.column_stack([-arms[:, 1], arms[:, 0]])
    rows = [np.array([*axis[i], axis[i] @ turned[i]]) for i in range(count) for axis in (normals, tangents)]
    drift = [-(spin**2) * axis[i] @ arms[i] for i in range(count) for axis in (normals, tangents)]
    # a velocity that keeps the corners on their walls
    across = np.array(rows[0::2])
    v = np.linalg.lstsq(across[:, :2], -across[:, 2] * spin, rcond=None)[0]
    if count == 1:
        v = v + rng.uniform(-2, 2) * tangents[0]
    v = np.array([*v, spin])
    if np.abs(across @ v).max() > 1e-9:  # parallel walls that cannot both be kept while it turns
        return conveyor(rng)
    slides = np.array(rows[1::2]) @ v
    speeds = np.where(
        rng.random(count) < 0.5, slides, rng.uniform(-2, 2, count)
    )  # half of them carry the corner along
    made = Builder("box").body("box", joint=planar("x", "y", "r"), mass=mass, inertia=inertia)
    for i in range(count):
        wall = {"origin": tuple(arms[i] + [0.3, 0.7]), "tilt": walls[i]}
        made.contact(f"c{i}", "box", point=tuple(corners[i]), wall=wall, mu=mu[i], speed=speeds[i])
    box = np.column_stack([-rng.uniform(5, 30, 3), rng.uniform(5, 30, 3)])
    for name, (low, high) in zip(("x", "y", "r"), box, strict=True):
        made.input(f"f{name}", name, lower=low, upper=high)
    slip = np.where(np.abs(slides - speeds) > 1e-9, np.sign(slides - speeds), 0)
    entries = [hand.Entry("coulomb", mu=float(mu[i]), slip=int(slip[i])) for i in range(count)]
    return Carried(
        np.diag([mass, mass, inertia]),
        np.array([0.0, mass * 9.81, 0.0]),
        np.eye(3),
        np.array(rows),
        np.array(drift),
        box,
        entries,
        made=made.build().snapshot([0.3, 0.7, tilt], v),
    )
