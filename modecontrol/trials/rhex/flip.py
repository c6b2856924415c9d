"""The RHex flip: thrust controllers on the rigid model, judged on the compliant one (section 4.3 of
Greenfield 2005).

Start flat on both lower corners with the toes on the ground, at rest; thrust until 88 degrees of pitch; the
robot has flipped once its centre of mass has passed the upper rear corner (101.3 degrees with the shipped
geometry).

| kind            | controller                                                                            |
|-----------------|---------------------------------------------------------------------------------------|
| `new`           | `MaximalThrust` over all contact modes, thresholds `v0`                               |
| `blind`         | `BlindThrust`: RRLL, then RFLL when the filter believes that the rear toe sticks      |
| `sure`          | `MaximalThrust` that knows friction as intervals and promises the outcome              |
| `no thresholds` | `MaximalThrust` with `v0 = 0`, to show the chatter that thresholds prevent            |

What is free and not published stands in `FlipSettings`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from modecontrol.dynamics import load
from modecontrol.thrust import BlindThrust, Controller, MaximalThrust
from modecontrol.thrust.feedback import Damping, Passes
from modecontrol.timestepping import simulate
from modecontrol.trials.rhex.observer import RHexObserver
from modecontrol.trials.rhex.run import Flip, upper_corner
from modecontrol.trials.rhex.settings import FIRST_LEG, PITCH, FlipSettings

KINDS = ("new", "blind", "sure", "no thresholds")
COMPLIANT_ONLY = ("mt", "kl", "dl", "kb", "db")
"""Parameters that the rigid model does not have."""

MOTOR = ("stall", "no_load")
"""Parameters that a robot without inputs does not feel."""

PUBLISHED_GAIN = {0.6: 0.08}
"""Time to 90 degrees saved by the new controller, as the paper's text says."""


def fly(
    kind: str = "new",
    mu_toe: float = 0.6,
    settings: FlipSettings | None = None,
    *,
    progress: bool = False,
    **changes: Any,
) -> Flip:
    """One flip with one controller.

    Parameters
    ----------
    kind
        "new", "blind", "sure" (with `uncertain={"mu_toe": (0.3, 0.9)}`) or "no thresholds".
    mu_toe
        Friction of the toes, in both models.
    settings
        Everything else that is free; None takes the values of the documentation.
    progress
        Show a progress bar.
    **changes
        What differs from the settings (`press=8.0, rate=500.0`); other names are parameters of both models
        (`stall=8, m=9`).

    Examples
    --------
    >>> run = fly("blind", 0.39, filter_threshold=12.0, stall=10.0)        # doctest: +SKIP
    """
    if kind not in KINDS:
        raise ValueError(f"kind is {kind!r}; expected one of {', '.join(KINDS)}")
    settings = (FlipSettings() if settings is None else settings).with_changes(**changes)
    compliant = load("rhex_compliant", mu_toe=mu_toe, **settings.robot)
    controller = controller_of(kind, mu_toe, settings)
    lying = {name: value for name, value in settings.robot.items() if name not in MOTOR}
    q0, v0 = settled_start((("mu_toe", mu_toe), *sorted(lying.items())), settings.step)
    past_corner = upper_corner(compliant)
    noisy = any(settings.noise)
    trajectory = simulate(
        compliant,
        q0,
        v0,
        controller=controller,
        duration=settings.duration,
        step=settings.step,
        rate=settings.rate,
        clip=True,
        delay=settings.delay,
        noise=settings.noise if noisy else None,
        rng=np.random.default_rng(settings.seed) if noisy else None,
        stop=Passes(PITCH, past_corner),
        progress=progress,
    )
    return Flip.of(kind, mu_toe, settings, trajectory, controller)


def rigid_model(mu_toe: float, settings: FlipSettings) -> Any:
    """The model with which the controllers predict.

    Parameters
    ----------
    mu_toe
        Friction of the toes.
    settings
        Of the run.
    """
    known = {name: value for name, value in settings.robot.items() if name not in COMPLIANT_ONLY}
    return load("rhex", **{"mu_toe": mu_toe, **known, **settings.believed})


def controller_of(kind: str, mu_toe: float, settings: FlipSettings) -> Controller:
    """The controller of a flip, before its first call.

    Parameters
    ----------
    kind, mu_toe, settings
        As for `fly`.
    """
    rigid = rigid_model(mu_toe, settings)
    if kind == "sure":
        if not settings.uncertain:
            raise ValueError(
                "the controller `sure` needs intervals; expected uncertain={'mu_toe': (0.3, 0.9)}"
            )
        rigid = rigid.uncertain(**settings.uncertain)
    options: dict[str, Any] = {
        "task": f"body.normal >= {settings.press!r}",
        "observe": RHexObserver.of(rigid),
        "end": Passes(PITCH, float(np.radians(settings.thrust_end))),
        "lifted": settings.hold,
        "rest": Damping(settings.hold[1], FIRST_LEG, len(rigid.inputs)),
    }
    if kind == "blind":
        return BlindThrust(
            rigid,
            "alpha",
            filter_time=settings.filter_time,
            threshold=settings.filter_threshold,
            ignore=settings.dead_time,
            **options,
        )
    return MaximalThrust(
        rigid,
        "alpha",
        v0=0.0 if kind == "no thresholds" else settings.v0,
        margin=0.0 if kind == "sure" else settings.margin,
        **options,
    )


@cache
def settled_start(parameters: tuple[tuple[str, float], ...], step: float) -> tuple[tuple[float, ...], ...]:
    """The compliant robot lying flat at rest: half a second without inputs, then the velocity taken away.

    Parameters
    ----------
    parameters
        Pairs of name and value that differ from the model file.
    step
        Simulation step (s).
    """
    model = load("rhex_compliant", **dict(parameters))
    lying = simulate(model, duration=0.5, step=step)
    return tuple(map(float, lying.q[-1])), tuple(0.0 for _ in model.coordinates)


def compare(
    frictions: Sequence[float] = (0.39, 0.6), kinds: Sequence[str] = ("blind", "new"), **settings: Any
) -> list[Flip]:
    """All controllers on all surfaces, in this order.

    Parameters
    ----------
    frictions
        Frictions of the toes.
    kinds
        Controllers.
    **settings
        As for `fly`.
    """
    return [fly(kind, mu, **settings) for mu in frictions for kind in kinds]


def gain(flips: Sequence[Flip], mu_toe: float) -> float:
    """Part of the blind controller's time to 90 degrees that the new one saves; NaN unless both get there.

    Parameters
    ----------
    flips
        Runs, among them the two.
    mu_toe
        Friction of the toes.
    """
    times = {flip.kind: flip.upright for flip in flips if flip.mu_toe == mu_toe}
    return (
        (times["blind"] - times["new"]) / times["blind"] if {"blind", "new"} <= set(times) else float("nan")
    )
