"""`Schedule`: what changes with time by itself, pushes and driven coordinates, set before each step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from modecontrol import tolerances
from modecontrol.dynamics.coupling_tables import drive
from modecontrol.dynamics.model import Model
from modecontrol.dynamics.protocol import PlanarModel
from modecontrol.validation import did_you_mean


class Schedule:
    """Pushes and drives of a run.

    Parameters
    ----------
    model
        The mechanism.
    q, v
        State at the start, from which a drive of constant speed begins; a prescribed joint that no drive names goes on
        at the speed of the start.
    pushes
        By name of a push: `(fx, fy)`, `(fx, fy, moment)`, or a function of time that returns one of them.
    drives
        By name of a coordinate: a function of time that says where it is, or a constant speed.
    """

    def __init__(self, model: PlanarModel, q: np.ndarray, v: np.ndarray, *, pushes: Any, drives: Any) -> None:
        known = tuple(push.name for push in model.mechanism.pushes) if isinstance(model, Model) else ()
        self._pushes = [
            (known.index(name), _push(name, value)) for name, value in _table("pushes", pushes, known, "push")
        ]
        coordinates = model.coordinates
        drives = _with_prescribed(model, v, drives)
        if isinstance(drives, Mapping) and drives and not isinstance(model, Model):
            raise ValueError("drives need a model made of bodies; a LagrangianModel has none")
        self.driven: list[int] = []
        self._drives: list[Callable[[float], float]] = []
        for name, value in _table("drives", drives, coordinates, "coordinate"):
            self.driven.append(coordinates.index(name))
            self._drives.append(_drive(name, value, float(q[self.driven[-1]])))
        self.names = tuple(f"{coordinates[i]}.drive" for i in self.driven)

    def __bool__(self) -> bool:
        return bool(self._pushes or self._drives)

    def core(self, model: Model) -> Any:
        """The mechanism with its drives, for the compiled core."""
        if not self._drives:
            return model.tree.core
        return model.tree.core_with(np.concatenate([model.tree.closures, *map(drive, self.driven)]))

    def check_start(self, model: PlanarModel, q: np.ndarray) -> None:
        """Refuse a start at which a driven coordinate is not where its drive begins.

        Parameters
        ----------
        model
            The mechanism.
        q
            Configuration at the start.
        """
        for i, where in zip(self.driven, self._drives, strict=True):
            if abs(where(0.0) - q[i]) > tolerances.PENETRATION:
                raise ValueError(
                    f"coordinate {model.coordinates[i]!r} starts at {q[i]:g} and its drive at {where(0.0):g}; start the model "
                    f"where the drive begins, q0 with {model.coordinates[i]!r} = {where(0.0):g}"
                )

    def start_velocity(self, v: np.ndarray) -> np.ndarray:
        """The velocity at the start with the driven coordinates at their speeds.

        Parameters
        ----------
        v
            Velocity that was asked for.
        """
        v = v.copy()
        for i, where in zip(self.driven, self._drives, strict=True):
            v[i] = _speed(where, 0.0)
        return v

    def set(self, stepper: Any, t: float, h: float) -> None:
        """Tell the core what acts in the step from `t` to `t + h`: pushes as they are in its middle.

        Parameters
        ----------
        stepper
            The core's stepper.
        t, h
            Beginning and length of the step (s).
        """
        for i, value in self._pushes:
            stepper.set_push(i, *value(t + 0.5 * h))
        for i, where in enumerate(self._drives):
            stepper.set_drive(i, where(t), _speed(where, t), where(t + h), _speed(where, t + h))


def _with_prescribed(model: PlanarModel, v: np.ndarray, drives: Any) -> Any:
    """The drives, and for each prescribed joint without one a drive that goes on at the speed of the start."""
    if not isinstance(model, Model) or not (drives is None or isinstance(drives, Mapping)):
        return drives
    names = [body.joint.coordinates[0] for body in model.mechanism.bodies if body.joint.prescribed]
    return {**{name: float(v[model.coordinates.index(name)]) for name in names}, **(drives or {})} or drives


def _speed(where: Callable[[float], float], t: float) -> float:
    """Rate of a drive by differences, fourth order."""
    d = tolerances.DRIVE_DIFFERENCE
    if t < 2.0 * d:  # nothing is known of the time before the start
        f = [where(t + k * d) for k in range(5)]
        return (48.0 * f[1] - 36.0 * f[2] + 16.0 * f[3] - 3.0 * f[4] - 25.0 * f[0]) / (12.0 * d)
    near, far = where(t + d) - where(t - d), where(t + 2.0 * d) - where(t - 2.0 * d)
    return (8.0 * near - far) / (12.0 * d)


def _table(what: str, given: Any, known: tuple[str, ...], kind: str) -> list[tuple[str, Any]]:
    if given is None:
        return []
    if not isinstance(given, Mapping):
        raise ValueError(f"{what} is {given!r}; expected a dict by {kind} name")
    for name in given:
        if name not in known:
            expected = f"expected some of {', '.join(known)}" if known else f"the model has no {kind}"
            raise ValueError(
                f"{what} names the unknown {kind} {name!r}{did_you_mean(str(name), known)}; {expected}"
            )
    return list(given.items())


def _push(name: str, given: Any) -> Callable[[float], tuple[float, float, float]]:
    def read(t: float) -> tuple[float, float, float]:
        value = given(t) if callable(given) else given
        try:
            numbers = [float(x) for x in value]
        except (TypeError, ValueError):
            numbers = []
        if len(numbers) not in (2, 3) or not np.isfinite(numbers).all():
            raise ValueError(
                f"push {name!r} at t = {t:.9g} s is {value!r}; expected (fx, fy) or (fx, fy, moment), finite numbers"
            )
        return numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else 0.0

    read(0.0)
    return read


def _drive(name: str, given: Any, start: float) -> Callable[[float], float]:
    if not callable(given):
        try:
            speed = float(given)
        except (TypeError, ValueError):
            raise ValueError(
                f"drive of {name!r} is {given!r}; expected a function of time that says where it is, or a speed"
            ) from None
        return lambda t: start + speed * t

    def read(t: float) -> float:
        try:
            value = float(given(t))
        except (TypeError, ValueError):
            value = np.nan
        if not np.isfinite(value):
            raise ValueError(f"drive of {name!r} at t = {t:.9g} s is no finite number; expected a coordinate")
        return value

    read(0.0)
    return read
