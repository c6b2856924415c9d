"""`Environment`: any model as a `gymnasium.Env`, stepped by the library's own contact solver."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.admissible import check_state
from modecontrol.dynamics.library import load
from modecontrol.dynamics.model import Model
from modecontrol.dynamics.state import read_state
from modecontrol.interop.extras import needs
from modecontrol.interop.transition import Transition, measure
from modecontrol.timestepping.settings import read_start
from modecontrol.timestepping.stepper import Stepper
from modecontrol.validation import as_numbers, counted, is_number, shown

with needs("gymnasium", "gym"):
    import gymnasium

NAME = "modecontrol/Mechanism-v0"
"""`gymnasium.make("modecontrol.interop.environment:" + NAME, model="rhex")`."""


class Environment(gymnasium.Env):
    """A mechanism with frictional contacts as an environment: action = inputs, observation = `(q, v)`.

    Every call of `step` holds the action for one period, in simulation steps with contacts solved as a
    complementarity problem (`modecontrol.simulate` gives the same motion). The action is cut at its bounds
    and at the torque limits of the model, at the present speed where a limit follows the speed. A mechanism
    with massless links (`rhex`) has actions without any motion, and needs `formulation="mc"`;
    `rhex_compliant` has not.

    Parameters
    ----------
    model
        A `Model`, or what `modecontrol.load` reads: a name or a path.
    reward
        A function of a `Transition`; or a linear quantity by name (`"alpha"`, `"toe.normal"`,
        `"alpha - 0.01*tau1"`), its mean over the period; None means zero.
    done
        A function of a `Transition` that says whether the episode has ended (`terminated`); None: never.
    duration
        Time (s) after which an episode is cut (`truncated`); None: never.
    start
        State at a reset: a pair `(q, v)`, or a function of a `numpy.random.Generator` that returns one; None
        means the start of the model. `reset(options={"q": ..., "v": ...})` overrules it.
    observe
        A function `observe(q, v)` that returns an array; None means `q` and `v` one after the other.
    limits
        (t, 2) bounds of the action; None means the model's torque limits at rest. Inputs without limits have
        an infinite action space, of which few learning methods can make use.
    period
        Time for which an action is held (s), a whole number of steps.
    step
        Step of the simulation (s).
    render_mode
        `"rgb_array"` for pictures, or None.
    **settings
        How to step, as in `modecontrol.simulate`: `formulation`, `restitution`, `level`, ...

    Attributes
    ----------
    action_space, observation_space
        `gymnasium.spaces.Box`, in SI units.

    Examples
    --------
    >>> env = Environment("rhex", reward="alpha", duration=0.5)             # doctest: +SKIP
    >>> observation, info = env.reset(seed=1)                               # doctest: +SKIP
    """

    def __init__(
        self,
        model: Model | str,
        *,
        reward: Any = None,
        done: Callable[[Transition], bool] | None = None,
        duration: float | None = 10.0,
        start: Any = None,
        observe: Callable[[np.ndarray, np.ndarray], Any] | None = None,
        limits: Any = None,
        period: float = 0.01,
        step: float = 1e-3,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        self.model = model if isinstance(model, Model) else load(model)
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is {shown(render_mode)}; expected None or 'rgb_array'")
        if duration is not None and not (is_number(duration) and float(duration) > 0):
            raise ValueError(f"duration is {shown(duration)}; expected a positive number of seconds, or None")
        self.render_mode, self.start, self.done = render_mode, start, done
        self.duration = None if duration is None else float(duration)
        self._stepper = Stepper(
            self.model, step=step, period=period, clip=True, check_state=False, **settings
        )
        self.metadata = {**self.metadata, "render_fps": max(1, round(1.0 / self._stepper.period))}
        self._observe = observe
        self._reward = measure(reward, self.model)
        self.action_space = _box(self.model, limits)
        self.q, self.v = read_start(self.model, None, None)
        shape = self._observation().shape
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, shape, np.float64)
        self._ready = False
        self._camera: Any = None

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 100}  # noqa: RUF012 - gymnasium's own form

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin an episode.

        Parameters
        ----------
        seed
            Of the generator that `start` is given; None goes on with the present one.
        options
            `{"q": ..., "v": ...}`: a state to begin with, sequences or dicts by coordinate name.

        Returns
        -------
        observation, info
            The first observation; `info` has the time.

        Raises
        ------
        ValueError
            A start inside a wall or with an open loop; unknown options.
        """
        super().reset(seed=seed)
        given = dict(options or {})
        unknown = [key for key in given if key not in ("q", "v")]
        if unknown:
            raise ValueError(f"options has {unknown[0]!r}; expected 'q' and 'v'")
        begin = self.start(self.np_random) if callable(self.start) else self.start
        begin = (None, None) if begin is None else begin
        if not isinstance(begin, tuple | list) or len(begin) != 2:
            raise ValueError(
                f"start is {shown(begin)}; expected (q, v), a function of a generator that gives it, or None"
            )
        q, v = begin
        if "q" in given and "v" not in given:
            v = None
        self.q, self.v = read_start(self.model, given.get("q", q), given.get("v", v))
        check_state(self.model.snapshot(self.q, self.v), allowed=tolerances.PENETRATION)
        self._stepper.place(self.q, self.v)
        self._ready, self._mode = True, ""
        return self._observation(), {"time": 0.0}

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Hold an action for one period.

        Parameters
        ----------
        action
            The inputs: a sequence, or a dict by input name.

        Returns
        -------
        observation, reward, terminated, truncated, info
            As gymnasium has them. `info` has `time`, `mode` (letters of the contacts), `force` (mean contact
            forces), `torque` (what acted after the limits), `impacts` and, when the simulation could not go
            on (then `truncated`), `status`.

        Raises
        ------
        RuntimeError
            Before the first `reset`.
        ValueError
            An action that is not one finite number per input.
        """
        if not self._ready:
            raise RuntimeError("step was called before reset; call reset first")
        tau = read_state(action, self.model.inputs, "action")
        made = self._stepper.step(np.clip(tau, self.action_space.low, self.action_space.high))
        self.q, self.v, self._mode = made.q, made.v, made.mode
        reward = float(self._reward(made))
        terminated = bool(self.done(made)) if self.done is not None else False
        late = self.duration is not None and made.time >= self.duration - 0.5 * self._stepper.h
        info = {
            "time": made.time,
            "mode": made.mode,
            "force": made.force,
            "torque": made.torque,
            "impacts": made.impacts,
        }
        if not made:
            info["status"] = made.status
        return self._observation(), reward, terminated, bool(late or not made), info

    def render(self) -> np.ndarray | None:
        """The mechanism as it stands: a picture (height, width, 3) of bytes; None without a render mode."""
        if self.render_mode is None:
            return None
        if self._camera is None:
            from modecontrol.view.camera import Camera

            self._camera = Camera(self.model, self.q)
        return self._camera.picture(self.q, self._mode, f"t = {self._stepper.time:.2f} s")

    def close(self) -> None:
        """Let go of the picture."""
        self._camera = None

    def _observation(self) -> np.ndarray:
        seen = (
            np.concatenate([self.q, self.v])
            if self._observe is None
            else self._observe(self.q.copy(), self.v.copy())
        )
        return np.array(seen, dtype=np.float64)


def _box(model: Model, limits: Any) -> Any:
    """The action space."""
    t = len(model.inputs)
    try:
        box = as_numbers(
            model.torque_limits(np.zeros(len(model.coordinates))) if limits is None else limits, "limits"
        )
    except ValueError:
        box = np.zeros(0)
    box = box if box.size or t else box.reshape(0, 2)
    if box.shape != (t, 2) or np.isnan(box).any() or np.any(box[:, 0] > box[:, 1]):
        raise ValueError(
            f"limits is {shown(limits)}; expected {counted(t, 'pair')} (lower, upper), one per input "
            f"({', '.join(model.inputs) or 'there is none'})"
        )
    return gymnasium.spaces.Box(box[:, 0], box[:, 1], (t,), np.float64)


if NAME not in gymnasium.registry:
    gymnasium.register(NAME, entry_point="modecontrol.interop.environment:Environment")
