"""When a controller is asked, what it sees, and when its answer arrives.

| time              | what happens                                                             |
|-------------------|--------------------------------------------------------------------------|
| `t_j = j / rate`  | the controller is asked, at the first step that does not start before;   |
|                   | it sees `(q, v) + noise`                                                 |
| `t_j + delay`     | its torque begins to act, and is held until the next (zero-order hold)   |
"""

from __future__ import annotations

import inspect
import math
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.protocol import PlanarModel
from modecontrol.dynamics.state import check_number, read_state
from modecontrol.timestepping.readings import Instruments
from modecontrol.validation import as_numbers, check_flag, check_function, shown

INPUTS = ("input", "inputs")
"""What the numbers of a controller's answer belong to, for messages."""


class Loop:
    """The control loop around a simulation: `at(step, q, v)` says which torque acts and for how many steps.

    Parameters
    ----------
    model
        The mechanism.
    controller
        `controller(t, q, v)` or `controller(t, q, v, readings)` returning torques (a sequence, or a dict by
        input name), constant torques, or None.
    h
        Step of the simulation (s).
    rate
        Samples per second; None means every step.
    delay
        Time between sample and action (s).
    noise
        Standard deviations of the measurement; see `simulate`.
    rng
        Generator of the noise.
    clip
        Whether torques are cut at the model's limits.
    """

    def __init__(
        self,
        model: PlanarModel,
        controller: Any,
        h: float,
        *,
        rate: float | None,
        delay: float,
        noise: Any,
        rng: np.random.Generator | None,
        clip: bool,
    ) -> None:
        if rate is not None:
            check_number("rate", rate, "a positive number of samples per second")
        check_number("delay", delay, "seconds, not negative")
        if rate is not None and not 0 < rate < math.inf:
            raise ValueError(f"rate is {rate!r}; expected a positive number of samples per second")
        if not 0 <= delay < math.inf:
            raise ValueError(f"delay is {delay!r}; expected seconds, not negative")
        self.model, self.h, self.clip = model, h, check_flag(clip, "clip")
        self.controller: Callable | None = controller if callable(controller) else None
        self.reads = self.controller is not None and takes_readings(self.controller)
        check_function(self.controller, "controller", ("t", "q", "v"), ("readings",) if self.reads else ())
        self.torque = np.zeros(len(model.inputs))
        if controller is not None and self.controller is None:
            self.torque = read_state(controller, model.inputs, "controller (constant torques)", INPUTS)
        # in steps; a controller is asked once a step at the most
        self.period = 1 if rate is None else max(1.0, 1.0 / (max(rate, tolerances.SMALLEST) * h))
        self.late = max(0, math.ceil(float(delay) / h - tolerances.WHOLE_STEP))
        self.noise, self.rng = _noise(noise, model, rng), rng
        self.waiting: deque[tuple[int, np.ndarray]] = deque()
        self.sample = 0

    def at(
        self, step: int, q: np.ndarray, v: np.ndarray, last: int, instruments: Instruments | None = None
    ) -> tuple[np.ndarray, int]:
        """The torque from `step` on, and the step until which it is constant.

        Parameters
        ----------
        step
            The step that begins.
        q, v
            True state.
        last
            End of the simulation.
        instruments
            Where readings come from, for a controller that takes them.
        """
        if self.controller is not None and step >= self._sample_step():
            self.waiting.append((step + self.late, self._ask(step * self.h, q, v, instruments)))
            while self._sample_step() <= step:
                self.sample += 1
        while self.waiting and self.waiting[0][0] <= step:
            self.torque = self.waiting.popleft()[1]
        until = last
        if self.controller is not None:
            until = min(until, self._sample_step())
        if self.waiting:
            until = min(until, self.waiting[0][0])
        torque = self.torque
        if self.clip:
            box = self.model.torque_limits(v, q)
            torque = np.clip(torque, box[:, 0], box[:, 1])
            if self.model.limits_follow_speed:
                until = step + 1
        return torque, until

    def _sample_step(self) -> int:
        return math.ceil(self.sample * self.period - tolerances.WHOLE_STEP)

    def _ask(self, t: float, q: np.ndarray, v: np.ndarray, instruments: Instruments | None) -> np.ndarray:
        q, v = q.copy(), v.copy()
        if callable(self.noise):
            seen = self.noise(self.rng, q, v)
            if not isinstance(seen, tuple | list) or len(seen) != 2:
                raise ValueError(
                    f"at t = {t:.9g} s: noise(rng, q, v) returned {seen!r}; expected the pair (q, v) that is seen"
                )
            q, v = seen
        elif self.noise is not None:
            q += self.noise[0] * self.rng.standard_normal(len(q))  # type: ignore[union-attr]
            v += self.noise[1] * self.rng.standard_normal(len(v))  # type: ignore[union-attr]
        extra = {"readings": instruments.read()} if instruments is not None else {}
        answer = self.controller(t, q, v, **extra)  # type: ignore[misc]
        try:
            return read_state(answer, self.model.inputs, "the controller's answer", INPUTS, most=math.inf)
        except ValueError as error:
            raise ValueError(f"at t = {t:.9g} s: {error}") from None


def takes_readings(controller: Callable) -> bool:
    """Whether a controller has an argument called `readings`.

    Parameters
    ----------
    controller
        A function of `(t, q, v)`, and perhaps more.
    """
    try:
        return "readings" in inspect.signature(controller).parameters
    except (TypeError, ValueError):  # some callables of other languages do not tell
        return False


def _noise(noise: Any, model: PlanarModel, rng: np.random.Generator | None) -> Any:
    if noise is None:
        return None
    if not isinstance(rng, np.random.Generator):
        raise ValueError(
            f"noise needs rng, a numpy.random.Generator such as numpy.random.default_rng(1); found {rng!r}"
        )
    if callable(noise):
        return noise
    pair = noise if isinstance(noise, tuple) else (noise, noise)
    if len(pair) != 2:
        raise ValueError(
            f"noise has {len(pair)} parts; expected a number, a pair (of q, of v) or noise(rng, q, v)"
        )
    n, read = len(model.coordinates), []
    for name, part in zip(("q", "v"), pair, strict=True):
        try:
            array = as_numbers(part, "noise")
        except ValueError:
            raise ValueError(f"noise of {name} is {shown(part)}; expected a number or {n} numbers") from None
        if array.shape not in ((), (n,)) or not np.all(array >= 0) or not np.all(np.isfinite(array)):
            raise ValueError(f"noise of {name} is {part!r}; expected one number >= 0 or {n} of them")
        read.append(array)
    return tuple(read)
