"""The picture of `docs/laws.md`: one small mechanism for each law, drawn by the library."""

from __future__ import annotations

import math
from typing import Any

import modecontrol as mc


def _block(**law: Any) -> Any:
    made = mc.Builder("block").body(
        "block",
        joint=mc.planar("x", "y", "r"),
        mass=2,
        inertia=0.1,
        outline=[(-0.3, -0.1), (0.3, -0.1), (0.3, 0.1), (-0.3, 0.1)],
    )
    made.contact("left", "block", point=(-0.3, -0.1), **law).contact(
        "right", "block", point=(0.3, -0.1), **law
    )
    return made.start(y=0.1).build()


def _arm(**laws: Any) -> Any:
    made = mc.Builder("arm").body("thigh", joint=mc.revolute("hip", angle=-1.2), mass=1, com=(0.5, 0))
    made.body("shank", joint=mc.revolute("knee", at=(1, 0), **laws), mass=1, com=(0.4, 0), outline=_bar(0.8))
    return made.start(knee=laws.get("upper", 0.6)).build()


def _bar(length: float) -> list[tuple[float, float]]:
    return [(0, -0.04), (length, -0.04), (length, 0.04), (0, 0.04)]


def _climber() -> Any:
    wall = {"origin": (0, 0), "tilt": math.pi}
    made = mc.Builder("climber").body(
        "body",
        joint=mc.planar("x", "y", "r"),
        mass=1,
        inertia=0.1,
        outline=[(-0.3, -0.2), (0.3, -0.2), (0.3, 0), (-0.3, 0)],
    )
    for name, x in (("a", -0.2), ("b", 0.2)):
        made.contact(name, "body", point=(x, 0.0), wall=wall, mu=0.6, pull=8.0)
    return made.build()


def _load() -> Any:
    made = mc.Builder("load").body(
        "load",
        joint=mc.planar("x", "y", "r"),
        mass=1,
        inertia=0.1,
        outline=[(-0.2, -0.3), (0.2, -0.3), (0.2, 0), (-0.2, 0)],
    )
    return made.cable(
        "rope", "load", other="world", other_point=(0.3, 0.9), length=math.hypot(0.3, 0.9)
    ).build()


def _wheel() -> Any:
    made = mc.Builder("wheel").body("wheel", joint=mc.planar("x", "y", "r"), mass=2, inertia=0.03)
    return made.contact("rim", "wheel", type="disc", radius=0.3, mu=0.4, rolling=0.05).start(y=0.3).build()


def _swimmer() -> Any:
    drag = {"linear": (0.1, 2.0)}
    made = mc.Builder("swimmer", gravity=(0, 0)).body(
        "head",
        joint=mc.planar("x", "y", "r"),
        mass=1,
        inertia=0.02,
        com=(0.3, 0),
        outline=_bar(0.6),
        drag=drag,
    )
    tail = mc.revolute("tail", at=(0.6, 0))
    made.body("fin", joint=tail, mass=1, inertia=0.02, com=(0.3, 0), outline=_bar(0.6), drag=drag)
    return made.start(r=0.3, tail=-0.8).build()


def laws() -> Any:
    """Ten mechanisms, one for each law."""
    import matplotlib.pyplot as plt

    from modecontrol.view.mechanism import plot_mechanism

    panels = (
        ("joint stop: knee.stop F", _arm(lower=-1.0, upper=0.9), "F"),
        ("dry joint: knee.friction F, L or R", _arm(friction=2.0), "F"),
        ("static and kinetic coefficient", _block(mu=0.3, mu_static=0.6), "FF"),
        ("adhesion: pull", _climber(), "FF"),
        ("claw: one_way = right", _block(mu=0.2, one_way="right"), "RR"),
        ("conveyor: speed = 0.5", _block(mu=0.4, speed=0.5), "LL"),
        ("cable: taut F, slack S", _load(), "F"),
        ("prescribed joint: knee.drive F", _arm(prescribed=True), "F"),
        ("rolling resistance: rim F, rim.rolling F", _wheel(), "FF"),
        ("drag of a medium", _swimmer(), ""),
    )
    figure, axes = plt.subplots(2, 5, figsize=(16, 6.2))
    for ax, (title, model, mode) in zip(axes.flat, panels, strict=True):
        plot_mechanism(model, ax=ax, modes=mode, labels=False)
        ax.set_title(title, fontsize=10)
    figure.tight_layout()
    return figure
