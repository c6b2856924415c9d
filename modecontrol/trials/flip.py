"""The RHex flip: thrust controllers on the rigid model, judged on the compliant one (section 4.3 of Greenfield 2005).

Start flat on both lower corners with the toes on the ground, at rest; thrust until 88 degrees of pitch; the robot has
flipped once its centre of mass has passed the upper rear corner (101.3 degrees with the shipped geometry).

| kind            | controller                                                                            |
|-----------------|---------------------------------------------------------------------------------------|
| `new`           | `MaximalThrust` over all contact modes, thresholds `v0`                               |
| `blind`         | `BlindThrust`: RRLL, then RFLL when the filter believes that the rear toe sticks      |
| `no thresholds` | `MaximalThrust` with `v0 = 0`, to show the chatter that thresholds prevent            |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from modecontrol.dynamics import load
from modecontrol.thrust import BlindThrust, Controller, MaximalThrust
from modecontrol.timestepping import Trajectory, simulate
from modecontrol.trials.rhex import RHexObserver

KINDS = ("new", "blind", "no thresholds")
THRUST_END = np.radians(88.0)
V0 = (0.001, 0.08, 0.001, 0.001)
"""Thresholds of body, rear, middle, front (m/s)."""
PRESS = "body.normal >= 10"
HOLD = (2.0, 0.05)
"""Proportional and derivative gain that keep lifted legs in place (N m/rad, N m s/rad)."""

PUBLISHED = {
    (0.39, "blind"): {"rmse": 11.22}, (0.39, "new"): {"rmse": 6.65},
    (0.6, "blind"): {"rmse": 11.56}, (0.6, "new"): {"rmse": 6.68},
}
"""Root mean square error of the predicted pitch acceleration (rad/s2) in Table 5 of Greenfield 2005."""
PUBLISHED_GAIN = {0.6: 0.08}
"""Time to 90 degrees saved by the new controller, as the paper's text says."""


@dataclass(frozen=True, eq=False)
class Flip:
    """One run: what happened, what was predicted, and how well the two agree.

    Attributes
    ----------
    kind, mu_toe
        Controller and friction of the toes.
    trajectory, controller
        The simulation and the controller with its record.
    upright, flipped
        Times (s) at which pitch passes 90 degrees and the upper corner; NaN when it never does.
    rmse
        Root mean square of predicted minus simulated pitch acceleration while thrusting (rad/s2).
    """

    kind: str
    mu_toe: float
    trajectory: Trajectory = field(repr=False)
    controller: Controller = field(repr=False)
    upright: float
    flipped: float
    rmse: float
    predicted: np.ndarray = field(repr=False)
    simulated: np.ndarray = field(repr=False)
    times: np.ndarray = field(repr=False)

    @property
    def story(self) -> list[tuple[float, str]]:
        """Predicted modes with the time from which each holds."""
        return changes([d.time for d in self.controller.decisions if d.mode], [m for m in self.controller.modes if m])

    @property
    def simulated_story(self) -> list[tuple[float, str]]:
        """Simulated states of body, rear, middle and front contact with the time from which each holds."""
        return changes(self.trajectory.time[1:].tolist(), [mode[:4] for mode in self.trajectory.modes])

    def record(self) -> dict[str, Any]:
        """Figures of the run as plain data."""
        fallbacks = sorted({d.fallback for d in self.controller.decisions if d.fallback})
        return {"controller": self.kind, "mu_toe": self.mu_toe, "time_to_90": self.upright, "time_to_flip": self.flipped,
                "rmse": self.rmse, "published_rmse": PUBLISHED.get((self.mu_toe, self.kind), {}).get("rmse"),
                "mode_switches": self.controller.switches, "fallbacks": fallbacks,
                "highest_pitch_degrees": float(np.degrees(self.trajectory.q[:, 2].max())),
                "predicted_modes": self.story, "status": self.trajectory.status}


def changes(times: Sequence[float], modes: Sequence[str]) -> list[tuple[float, str]]:
    """`(time, mode)` wherever the mode changes."""
    found: list[tuple[float, str]] = []
    for time, mode in zip(times, modes, strict=True):
        if not found or found[-1][1] != mode:
            found.append((round(float(time), 6), mode))
    return found


@cache
def settled_start(parameters: tuple[tuple[str, float], ...], step: float) -> tuple[tuple[float, ...], ...]:
    """The compliant robot lying flat at rest: half a second without inputs, then the velocity taken away."""
    model = load("rhex_compliant", **dict(parameters))
    lying = simulate(model, duration=0.5, step=step)
    return tuple(map(float, lying.q[-1])), tuple(0.0 for _ in model.coordinates)


def fly(kind: str = "new", mu_toe: float = 0.6, *, step: float = 1e-4, rate: float = 1000.0, duration: float = 1.2,
        v0: Sequence[float] | None = None, press: str = PRESS, delay: float = 0.0, noise: Any = None,
        rng: np.random.Generator | None = None, controller_parameters: dict[str, float] | None = None,
        progress: bool = False, **parameters: float) -> Flip:
    """One flip with one controller.

    Parameters
    ----------
    kind
        "new", "blind" or "no thresholds".
    mu_toe
        Friction of the toes, in both models.
    step, rate, duration
        Simulation step (s), control rate (Hz), longest time (s).
    v0
        Thresholds of body, rear, middle, front (m/s); default `V0`.
    press
        Task constraint that keeps the body on the ground.
    delay, noise, rng
        As for `simulate`: what stands between robot and controller.
    controller_parameters
        Parameters that only the controller's model has (a wrong mass, a wrong friction).
    progress
        Show a progress bar.
    **parameters
        Parameters of both models (`stall=8`, `m=9`).
    """
    if kind not in KINDS:
        raise ValueError(f"kind is {kind!r}; expected one of {', '.join(KINDS)}")
    parameters = {"mu_toe": mu_toe, **parameters}
    known = {k: v for k, v in parameters.items() if k not in ("mt", "kl", "dl", "kb", "db")}
    rigid = load("rhex", **{**known, **(controller_parameters or {})})
    compliant = load("rhex_compliant", **parameters)
    options: dict[str, Any] = {"task": press, "observe": RHexObserver.of(rigid), "end": _thrust_is_over, "lifted": HOLD,
                               "rest": _hold_legs}
    if kind == "blind":
        controller: MaximalThrust = BlindThrust(rigid, "alpha", **options)
    else:
        thresholds = V0 if v0 is None else v0
        controller = MaximalThrust(rigid, "alpha", v0=thresholds if kind == "new" else 0.0, **options)
    q0, v0_ = settled_start(tuple(sorted(parameters.items())), step)
    past_corner = upper_corner(compliant)
    trajectory = simulate(compliant, q0, v0_, controller, duration, step, rate=rate, clip=True, delay=delay, noise=noise, rng=rng,
                          stop=lambda t, q, v: q[2] > past_corner, progress=progress)
    return judge(kind, mu_toe, trajectory, controller, rate)


def judge(kind: str, mu_toe: float, trajectory: Trajectory, controller: Controller, rate: float) -> Flip:
    """Times and prediction error of a finished run."""
    pitch, speed, time = trajectory.q[:, 2], trajectory.v[:, 2], trajectory.time
    step = time[1] - time[0]
    span = max(1, round(1.0 / (rate * step)))
    made = [d for d in controller.decisions if d.mode is not None and d.acceleration is not None]
    at = np.array([round(d.time / step) for d in made], dtype=int)
    inside = at + span < len(time)
    at = at[inside]
    predicted = np.array([np.asarray(d.acceleration)[2] for d, keep in zip(made, inside, strict=True) if keep])
    simulated = (speed[at + span] - speed[at]) / (time[at + span] - time[at])
    rmse = float(np.sqrt(np.mean((predicted - simulated) ** 2))) if len(at) else float("nan")
    return Flip(kind, mu_toe, trajectory, controller, _passing(time, pitch, np.pi / 2),
                _passing(time, pitch, upper_corner(trajectory.model)), rmse, predicted, simulated, time[at])


def upper_corner(model: Any) -> float:
    """Pitch at which the centre of mass stands over the upper rear corner: 90 degrees plus atan(h / d)."""
    return float(np.pi / 2 + np.arctan2(model.parameters["h"], model.parameters["d"]))


def compare(frictions: Sequence[float] = (0.39, 0.6), kinds: Sequence[str] = ("blind", "new"),
            **settings: Any) -> list[Flip]:
    """All controllers on all surfaces, in this order."""
    return [fly(kind, mu, **settings) for mu in frictions for kind in kinds]


def gain(flips: Sequence[Flip], mu_toe: float) -> float:
    """Part of the blind controller's time to 90 degrees that the new one saves."""
    times = {flip.kind: flip.upright for flip in flips if flip.mu_toe == mu_toe}
    return (times["blind"] - times["new"]) / times["blind"] if {"blind", "new"} <= set(times) else float("nan")


def _passing(time: np.ndarray, pitch: np.ndarray, level: float) -> float:
    above = np.flatnonzero(pitch >= level)
    if not len(above) or above[0] == 0:
        return float("nan")
    i = above[0]
    part = (level - pitch[i - 1]) / (pitch[i] - pitch[i - 1])
    return float(time[i - 1] + part * (time[i] - time[i - 1]))


def _thrust_is_over(t: float, q: np.ndarray, v: np.ndarray) -> bool:
    return bool(q[2] > THRUST_END)


def _hold_legs(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """After the thrust the legs are only damped."""
    return -HOLD[1] * np.asarray(v[3:6])
