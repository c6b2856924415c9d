"""`Stepper`: one step, or one control period, after another, from any state."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics import admissible
from modecontrol.dynamics.protocol import PlanarModel, State
from modecontrol.dynamics.state import read_state
from modecontrol.timestepping.make_engine import make_engine
from modecontrol.timestepping.readings import Instruments, Readings
from modecontrol.timestepping.schedule import Schedule
from modecontrol.timestepping.settings import count_steps, read_start
from modecontrol.timestepping.simulate import simulate
from modecontrol.validation import check_count, check_flag, did_you_mean

SETTINGS = (
    "formulation",
    "dynamics",
    "level",
    "integrator",
    "restitution",
    "impact_speed",
    "g_eps",
    "loop_correction",
    "eps",
    "friction_scaling",
)
"""Arguments of `simulate` that say how to step."""

MOST_STEPS = 1_000_000
"""Simulation steps that a period may have."""


class Stepper:
    """`step(tau)` moves a model on by one control period and says what happened; `place(q, v)` puts it anywhere.

    The motion is that of `simulate` with the same settings, to the last bit.

    Parameters
    ----------
    model
        The mechanism.
    q, v
        State at the start, as in `simulate`; None means that of the model.
    step
        Step of the simulation (s).
    period
        Time for which an input is held (s), a whole number of steps; None means one step.
    clip
        Whether inputs are cut at the torque limits, at the speed of each step where limits follow the speed.
    pushes, drives
        What changes with time, as in `simulate`; time counts from the state that was placed last.
    check_state
        Whether an impossible start is refused, as in `simulate`.
    **settings
        How to step, as in `simulate`: `formulation`, `restitution`, `level`, ...

    Raises
    ------
    ValueError
        Arguments that `simulate` would refuse; a period that is no whole number of steps.

    Examples
    --------
    >>> import modecontrol as mc
    >>> stepper = mc.Stepper(mc.load("block", slope=0.3, mu=0.2))
    >>> seen = stepper.step()
    >>> seen.mode, stepper.steps
    ('LL', 1)
    """

    def __init__(
        self,
        model: PlanarModel,
        q: State | None = None,
        v: State | None = None,
        *,
        step: float = 1e-3,
        period: float | None = None,
        clip: bool = False,
        pushes: Mapping[str, Any] | None = None,
        drives: Mapping[str, Any] | None = None,
        check_state: bool | float = True,
        **settings: Any,
    ) -> None:
        for name in settings:
            if name not in SETTINGS:
                raise ValueError(
                    f"unknown setting {name!r}{did_you_mean(name, SETTINGS)}; expected some of "
                    f"{', '.join(SETTINGS)}"
                )
        defaults = {name: signature(simulate).parameters[name].default for name in SETTINGS}
        self.count = count_steps(step if period is None else period, step)
        if self.count > MOST_STEPS:
            raise ValueError(
                f"period is {period!r} s, {self.count:.3g} steps of {step!r} s; expected {MOST_STEPS:,} at most"
            )
        if self.count < 1 or (
            period is not None and abs(self.count * step - period) > tolerances.WHOLE_PERIOD * period
        ):
            raise ValueError(
                f"period is {period!r} s; expected a whole number of steps of {step!r} s, at least one"
            )
        self.model, self.h, self.clip, self._check = model, float(step), check_flag(clip, "clip"), check_state
        start = self._start(q, v)
        self._schedule = Schedule(model, *start, pushes=pushes, drives=drives)
        start = self._driven(*start)
        self._engine = make_engine(
            model, start, step, self.count, schedule=self._schedule, **{**defaults, **settings}
        )
        self._instruments = Instruments(self._engine)
        self._readings: Readings | None = None
        self.steps = 0

    def place(self, q: State | None = None, v: State | None = None, steps: int = 0) -> None:
        """Put the model into a state, forgetting what was before.

        Parameters
        ----------
        q, v
            The state, as in `simulate`.
        steps
            Simulation steps that count as gone by.
        """
        steps = check_count(steps, "steps", greatest=2**53)
        self._engine.place(*self._driven(*self._start(q, v)))
        self.steps = self._engine.first = steps
        self._instruments = Instruments(self._engine, steps)
        self._readings = None

    @property
    def period(self) -> float:
        """Time for which an input is held (s)."""
        return self.count * self.h

    @property
    def time(self) -> float:
        """Simulated time since the state was placed (s)."""
        return self.steps * self.h

    @property
    def state(self) -> tuple[np.ndarray, np.ndarray]:
        """The present `q` and `v`, copies."""
        return self._engine.state

    @property
    def q(self) -> np.ndarray:
        """The present configuration (n,), a copy."""
        return self.state[0]

    @property
    def v(self) -> np.ndarray:
        """The present velocity (n,), a copy."""
        return self.state[1]

    @property
    def readings(self) -> Readings:
        """What the last `step` returned; before the first one, the state without forces."""
        if self._readings is None:
            self._readings = self._instruments.read()
        return self._readings

    def step(self, tau: State | None = None) -> Readings:
        """Hold inputs for one period.

        Parameters
        ----------
        tau
            The inputs: a sequence, or a dict by input name (others zero); None means zero.

        Returns
        -------
        Readings
            State, forces, letters, energies; false with a `status` that says why when the simulation could
            not go on, the state then being that of the last finished step.
        """
        tau = np.zeros(len(self.model.inputs)) if tau is None else read_state(tau, self.model.inputs, "tau")
        engine, record = self._engine, self._engine.record
        record.start(*engine.state)  # one row at most is kept
        engine.first = self._instruments.first = self.steps
        trouble, applied = "", tau
        stride = 1 if self.clip and self.model.limits_follow_speed else self.count
        while record.steps < self.count and not trouble:
            if self.clip:
                q, v = engine.state
                box = self.model.torque_limits(v, q)
                applied = np.clip(tau, box[:, 0], box[:, 1])
            trouble = engine.run(min(record.steps + stride, self.count), applied)
        self.steps += record.steps
        self._readings = self._instruments.read(trouble)
        return self._readings

    def _driven(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        self._schedule.check_start(self.model, q)
        return q, self._schedule.start_velocity(v)

    def _start(self, q: State | None, v: State | None) -> tuple[np.ndarray, np.ndarray]:
        q, v = read_start(self.model, q, v)
        if self._check is not False:
            admissible.check_state(self.model.snapshot(q, v), self._check, tolerances.PENETRATION)
        return q, v

    def __repr__(self) -> str:
        return f"Stepper({self.model.name!r}, steps of {self.h:g} s, t = {self.time:g} s)"
